// SPDX-License-Identifier: MIT
// The engine on one function's own control flow: branches, correlations, loops, arrays, budgets.
#include "engine_expect.h"

// ---- straight lines and branches ----------------------------------------------------------------

static void an_early_return_leaks(void **state)
{
    (void)state;
    expect("func f(c: int) -> int {\n"
           "  var p: void*\n"
           "  %e = call make(&p) @2:1\n"
           "  branch c ? b1 : b2\n"
           "b1:\n  return 1 @4:1\n"
           "b2:\n  call drop(p) @5:1\n"
           "  return 0 @6:1\n}\n",
           "leak-at-exit p @4\n");
}

static void what_is_never_released_leaks_once(void **state)
{
    (void)state;
    expect("func f(c: int) -> int {\n"
           "  var p: void*\n"
           "  call make(&p) @2:1\n"
           "  branch c ? b1 : b2\n"
           "b1:\n  return 1 @4:1\n"
           "b2:\n  return 0 @6:1\n}\n",
           "leak-at-exit p @4\n");
}

static void success_and_failure_part_ways(void **state)
{
    (void)state;
    expect("func f() -> int {\n"
           "  var p: void*\n  var q: void*\n  var e: int\n"
           "  e = call make(&p) @2:1\n"
           "  branch e != 0 ? fail : more\n"
           "more:\n  e = call make(&q) @3:1\n"
           "  branch e != 0 ? undo : done\n"
           "undo:\n  call drop(p) @4:1\n"
           "  return e @5:1\n"
           "fail:\n  return e @6:1\n"
           "done:\n  call drop(p) @7:1\n"
           "  call drop(q) @8:1\n"
           "  return 0 @9:1\n}\n",
           "");
}

static void pointers_tell_success_too(void **state)
{
    (void)state;
    expect("func f() -> int {\n"
           "  var p: void*\n"
           "  p = call create() @2:1\n"
           "  branch p == 0:void* ? fail : done\n"
           "fail:\n  return 1 @3:1\n"
           "done:\n  call drop(p) @4:1\n"
           "  return 0 @5:1\n}\n",
           "");
}

static void flags_correlate(void **state)
{
    (void)state;
    expect("func f(on: int) {\n"
           "  var p: void*\n"
           "  branch on != 0 ? get : skip\n"
           "get:\n  call make(&p) @2:1\n"
           "  jump skip\n"
           "skip:\n  call finish() @3:1\n"
           "  branch on != 0 ? put : out\n"
           "put:\n  call drop(p) @4:1\n"
           "  jump out\n"
           "out:\n  return @5:1\n}\n",
           "");
}

static void other_flags_do_not(void **state)
{
    (void)state;
    expect("func f(on: int, off: int) {\n"
           "  var p: void*\n"
           "  branch on != 0 ? get : skip\n"
           "get:\n  call make(&p) @2:1\n"
           "  jump skip\n"
           "skip:\n  branch off != 0 ? put : out\n"
           "put:\n  call drop(p) @4:1\n"
           "  jump out\n"
           "out:\n  return @5:1\n}\n",
           "leak-at-exit p @5\n");
}

// if (make(&p)) goto cleanup; if (finish()) goto cleanup; ... cleanup: if (p) drop(p);
static void cleanup_behind_a_null_check(void **state)
{
    (void)state;
    expect("func f() -> int {\n"
           "  var p: void*\n  var q: void*\n  var e: int\n"
           "  p = 0\n  q = 0\n"
           "  e = call make(&p) @2:1\n"
           "  branch e != 0 ? cleanup : more\n"
           "more:\n  e = call make(&q) @3:1\n"
           "  branch e != 0 ? cleanup : again\n"
           "again:\n  e = call finish() @4:1\n"
           "  jump cleanup\n"
           "cleanup:\n  branch p != 0 ? b1 : b2\n"
           "b1:\n  call drop(p) @5:1\n  jump b2\n"
           "b2:\n  branch q != 0 ? b3 : b4\n"
           "b3:\n  call drop(q) @6:1\n  jump b4\n"
           "b4:\n  return e @7:1\n}\n",
           "");
}

// The error code says how far it came: goto out; out: if (e == 0) drop(p), e is 0 exactly on
// success.
static void error_codes_correlate(void **state)
{
    (void)state;
    expect("func f() -> int {\n"
           "  var p: void*\n  var e: int\n"
           "  e = call make(&p) @2:1\n"
           "  branch e != 0 ? out : more\n"
           "more:\n  call use(p) @3:1\n"
           "  jump out\n"
           "out:\n  branch e == 0 ? b1 : b2\n"
           "b1:\n  call drop(p) @5:1\n  jump b2\n"
           "b2:\n  return e @7:1\n}\n",
           "");
    expect("func f() -> int {\n"
           "  var p: void*\n  var e: int\n"
           "  e = call make(&p) @2:1\n"
           "  branch e != 0 ? out : more\n"
           "more:\n  e = call use(p) @3:1\n"
           "  jump out\n"
           "out:\n  branch e == 0 ? b1 : b2\n"
           "b1:\n  call drop(p) @5:1\n  jump b2\n"
           "b2:\n  return e @7:1\n}\n",
           "leak-at-exit p @7\n");
}

static void switches_decide(void **state)
{
    (void)state;
    expect("func f(k: int) {\n"
           "  var p: void*\n"
           "  branch k == 2 ? get : out\n"
           "get:\n  call make(&p) @2:1\n"
           "  switch k [1: out, 2: put] else out\n"
           "put:\n  call drop(p) @4:1\n  jump out\n"
           "out:\n  return @5:1\n}\n",
           "");
}

static void a_frozen_flag_keeps_its_value(void **state)
{
    (void)state;
    expect("func f() {\n"
           "  static debug: int = 0 frozen\n  var p: void*\n"
           "  call make(&p) @2:1\n"
           "  branch debug != 0 ? out : put\n"
           "put:\n  call drop(p) @4:1\n  jump out\n"
           "out:\n  return @5:1\n}\n",
           "");
}

// ---- loops and arrays ---------------------------------------------------------------------------

#define LOOP_ACQUIRE(n)                                                                            \
    "  i = 0\n  jump h1\n"                                                                         \
    "h1:\n  branch i < " n " ? l1 : e1 loop\n"                                                     \
    "l1:\n  call make(&v[i]) @3:1\n  i = i + 1\n  jump h1\n"                                       \
    "e1:\n  i = 0\n  jump h2\n"

static void a_loop_releases_what_a_loop_acquired(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var v: void*[8]\n" LOOP_ACQUIRE(
               "n") "h2:\n  branch i < n ? l2 : e2 loop\n"
                    "l2:\n  call drop(v[i]) @5:1\n  i = i + 1\n  jump h2\n"
                    "e2:\n  return @6:1\n}\n",
           "");
    expect("func f() {\n  var i: int\n  var v: void*[8]\n" LOOP_ACQUIRE(
               "8") "h2:\n  branch i < 8 ? l2 : e2 loop\n"
                    "l2:\n  call drop(v[i]) @5:1\n  i = i + 1\n  jump h2\n"
                    "e2:\n  return @6:1\n}\n",
           "");
}

static void an_array_not_released_leaks(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var v: void*[8]\n" LOOP_ACQUIRE(
               "n") "h2:\n  return @6:1\n}\n",
           "leak-at-exit v[i] @6\n");
}

// if (make(&v[i])) goto fail; ... fail: while (i > 0) drop(v[--i]);
static void a_failed_loop_rolls_back(void **state)
{
    (void)state;
    const char *body =
        "func f(n: int) -> int {\n  var i: int\n  var v: void*[8]\n  i = 0\n  jump h\n"
        "h:\n  branch i < n ? l : done loop\n"
        "l:\n  %%e = call make(&v[i]) @3:1\n  branch %%e != 0 ? fail : inc\n"
        "inc:\n  i = i + 1\n  jump h\n"
        "fail:\n  branch %s ? back : out loop\n"
        "back:\n  i = i - 1\n  call drop(v[i]) @5:1\n  jump fail\n"
        "out:\n  return 1 @6:1\n"
        "done:\n  i = 0\n  jump h2\n"
        "h2:\n  branch i < n ? l2 : e2 loop\n"
        "l2:\n  call drop(v[i]) @8:1\n  i = i + 1\n  jump h2\n"
        "e2:\n  return 0 @9:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, body, "i > 0"), "");
    // A loop that releases elements is taken to run over all of them: v[0] is missed here.
    expect(arena_printf(arena, body, "i > 1"), "");
    arena_free(arena);
}

// The capacity says whether there is a buffer.
static void a_capacity_correlates(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var p: void*\n  var cap: int\n  var want: int\n"
           "  cap = 0\n  p = 0\n  i = 0\n  jump h\n"
           "h:\n  branch i < n ? l : e loop\n"
           "l:\n  want = call risky() @3:1\n  branch want > cap ? grow : next\n"
           "grow:\n  branch cap > 0 ? fr : mk\n"
           "fr:\n  call drop(p) @4:1\n  jump mk\n"
           "mk:\n  call make(&p) @5:1\n  cap = want\n  jump next\n"
           "next:\n  i = i + 1\n  jump h\n"
           "e:\n  branch cap > 0 ? fr2 : out\n"
           "fr2:\n  call drop(p) @7:1\n  jump out\n"
           "out:\n  return @8:1\n}\n",
           "");
}

static void elements_of_structs_and_tables_are_families(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var v: Node[8]\n  i = 0\n  jump h1\n"
           "h1:\n  branch i < n ? l1 : e1 loop\n"
           "l1:\n  call make(&v[i].buf) @3:1\n  i = i + 1\n  jump h1\n"
           "e1:\n  i = 0\n  jump h2\n"
           "h2:\n  branch i < n ? l2 : e2 loop\n"
           "l2:\n  call drop(v[i].buf) @5:1\n  i = i + 1\n  jump h2\n"
           "e2:\n  return @6:1\n}\n",
           "");
    expect("func f(n: int) {\n  var i: int\n  var v: void**\n  %m = call heap_new(64) @1:1\n  v = "
           "cast<void**>(%m)\n"
           "  i = 0\n  jump h1\n"
           "h1:\n  branch i < n ? l1 : e1 loop\n"
           "l1:\n  call make(&v[i]) @3:1\n  i = i + 1\n  jump h1\n"
           "e1:\n  call heap_free(cast<void*>(v)) @6:1\n  return @7:1\n}\n",
           "leak-at-scope v[i] @6\n");
}

static void a_container_holds_its_elements(void **state)
{
    (void)state;
    const char *declared =
        "record vec std { d: int }\n"
        "callee `vec::vec`() [system method ctor] of vec\n"
        "callee `vec::~vec`() [system method dtor] of vec\n"
        "callee `vec::push_back`(void*&) [system method] of vec\n"
        "callee `vec::size`() -> u64 [system method const_method] of vec\n"
        "callee `vec::operator[]`(u64) -> void*& [system method] of vec\n"
        "func f(n: int) {\n  var v: vec\n  var i: int\n  var p: void*\n"
        "  call `vec::vec`(&v)\n  i = 0\n  jump h1\n"
        "h1:\n  branch i < n ? l1 : e1 loop\n"
        "l1:\n  call make(&p) @3:1\n  call `vec::push_back`(&v, &p) @4:1\n  i = i + 1\n  jump h1\n"
        "e1:\n  i = 0\n  jump h2\n"
        "h2:\n  %%s = call `vec::size`(&v)\n  branch i < cast<int>(%%s) ? l2 : e2 loop\n"
        "l2:\n  %%r = call `vec::operator[]`(&v, cast<u64>(i))\n  %s(*%%r) @5:1\n  i = i + 1\n  "
        "jump h2\n"
        "e2:\n  call `vec::~vec`(&v) @6:1\n  scope_end v @6:1\n  return @7:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, declared, "call drop"), "");
    expect(arena_printf(arena, declared, "call use"), "leak-at-scope p @6\n");
    arena_free(arena);
}

static void the_next_round_overwrites(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var p: void*\n"
           "  i = 0\n  jump h\n"
           "h:\n  branch i < n ? l : e loop\n"
           "l:\n  call make(&p) @3:1\n  i = i + 1\n  jump h\n"
           "e:\n  call drop(p) @5:1\n  return @6:1\n}\n",
           "overwrite-in-loop p @3\n");
}

static void a_pointer_of_the_body_leaks_each_round(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var p: void*\n"
           "  i = 0\n  jump h\n"
           "h:\n  branch i < n ? l : e loop\n"
           "l:\n  decl p\n  call make(&p) @3:1\n"
           "  branch i == 5 ? skip : rest\n"
           "skip:\n  scope_end p @4:1\n  i = i + 1\n  jump h\n"
           "rest:\n  call drop(p) @5:1\n  scope_end p @6:1\n  i = i + 1\n  jump h\n"
           "e:\n  return @7:1\n}\n",
           "leak-at-scope p @4\n");
}

static void a_loop_over_a_list_fills_each_node(void **state)
{
    (void)state;
    expect("func f(l: Node*) {\n  jump h\n"
           "h:\n  branch l != 0 ? body : e loop\n"
           "body:\n  call make(&l->buf) @3:1\n  l = l->next\n  jump h\n"
           "e:\n  return @7:1\n}\n",
           "");
}

static void buffers_swap_in_a_loop(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var a: void*\n  var b: void*\n  var t: void*\n"
           "  call make(&a) @2:1\n  call make(&b) @3:1\n  i = 0\n  jump h\n"
           "h:\n  branch i < n ? l : e loop\n"
           "l:\n  decl t\n  init t = a @4:1\n  a = b @5:1\n  b = t @6:1\n  scope_end t @7:1\n  i = "
           "i + 1\n  jump h\n"
           "e:\n  call drop(a) @8:1\n  call drop(b) @9:1\n  return @10:1\n}\n",
           "");
}

static void a_grown_buffer_is_handed_over(void **state)
{
    (void)state;
    expect("func f(n: int) {\n  var i: int\n  var a: void*\n  var t: void*\n"
           "  call make(&a) @2:1\n  i = 0\n  jump h\n"
           "h:\n  branch i < n ? l : e loop\n"
           "l:\n  decl t\n  call make(&t) @4:1\n  call drop(a) @5:1\n  a = t @6:1\n  scope_end t "
           "@7:1\n  i = i + 1\n  jump h\n"
           "e:\n  call drop(a) @8:1\n  return @10:1\n}\n",
           "");
}

static void a_retry_loop_ends_with_success(void **state)
{
    (void)state;
    expect("func f() -> int {\n  var p: void*\n  var e: int\n  var n: int\n  n = 0\n  jump h\n"
           "h:\n  e = call make(&p) @3:1\n  n = n + 1\n"
           "  branch e == 0 ? done : again\n"
           "again:\n  branch n < 5 ? h : fail loop\n"
           "fail:\n  return 1 @5:1\n"
           "done:\n  call drop(p) @6:1\n  return 0 @7:1\n}\n",
           "");
}

// ---- budgets ------------------------------------------------------------------------------------

static void a_cut_search_is_told(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run.budget.max_steps = 2;
    run_engine(
        &run,
        "func f(c: int) -> int {\n  var p: void*\n  call make(&p) @2:1\n  branch c ? b1 : b2\n"
        "b1:\n  jump b2\n"
        "b2:\n  jump b3\n"
        "b3:\n  return 0 @6:1\n}\n");
    assert_string_equal(strbuf_text(&run.lines), "budget f\n");
    assert_true(run.stats.budget_hits == 1);
    arena_free(arena);
}

static void a_search_that_takes_too_much_memory_is_told(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run.budget.max_bytes = 1;
    run_engine(&run, "func f() -> void {\n  var p: void*\n  call make(&p) @2:1\n  jump b1\n"
                     "b1:\n  return @6:1\n}\n");
    assert_string_equal(strbuf_text(&run.lines), "budget f\n");
    arena_free(arena);
}

// Doubling aliases: the number of distinct states is bounded, or the search says that it gave up.
static void many_aliases_do_not_explode(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "func f(c: int) {\n  var p: void*\n");
    for (int i = 0; i < 12; i++) strbuf_printf(&text, "  var q%d: void*\n  var c%d: int\n", i, i);
    strbuf_append(&text, "  call make(&p) @2:1\n  jump a0\n");
    for (int i = 0; i < 12; i++)
        strbuf_printf(&text, "a%d:\n  branch c%d ? t%d : a%d\nt%d:\n  q%d = p\n  jump a%d\n", i, i,
                      i, i + 1, i, i, i + 1);
    strbuf_append(&text, "a12:\n  return @9:1\n}\n");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run_engine(&run, strbuf_text(&text));
    const char *lines = strbuf_text(&run.lines);
    assert_true(strcmp(lines, "budget f\n") == 0 || strcmp(lines, "leak-at-exit p @9\n") == 0);
    assert_true(run.stats.block_visits < 100000);
    arena_free(arena);
}

// What temporaries held that are needed no more does not tell states apart.
static void temporaries_do_not_explode(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "func f(c: int) {\n  var p: void*\n");
    for (int i = 0; i < 12; i++) strbuf_printf(&text, "  var c%d: int\n", i);
    strbuf_append(&text, "  call make(&p) @2:1\n  jump a0\n");
    for (int i = 0; i < 12; i++)
        strbuf_printf(&text,
                      "a%d:\n  branch c%d ? t%d : a%d\nt%d:\n  init %%%d = p\n  call use(%%%d)\n"
                      "  jump a%d\n",
                      i, i, i, i + 1, i, i, i, i + 1);
    strbuf_append(&text, "a12:\n  return @9:1\n}\n");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run_engine(&run, strbuf_text(&text));
    assert_string_equal(strbuf_text(&run.lines), "leak-at-exit p @9\n");
    assert_true(run.stats.block_visits < 200);
    arena_free(arena);
}

// The caller's, once others know it, is told apart no more by what else holds it.
static void what_others_know_does_not_explode(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "func f(p: void*) {\n  global kept: void*\n");
    for (int i = 0; i < 12; i++) strbuf_printf(&text, "  var q%d: void*\n  var c%d: int\n", i, i);
    strbuf_append(&text, "  kept = p\n  jump a0\n");
    for (int i = 0; i < 12; i++)
        strbuf_printf(&text, "a%d:\n  branch c%d ? t%d : a%d\nt%d:\n  q%d = p\n  jump a%d\n", i, i,
                      i, i + 1, i, i, i + 1);
    strbuf_append(&text, "a12:\n  return @9:1\n}\n");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run_engine(&run, strbuf_text(&text));
    assert_string_equal(strbuf_text(&run.lines), "");
    assert_true(run.stats.block_visits < 200);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_early_return_leaks),
        cmocka_unit_test(what_is_never_released_leaks_once),
        cmocka_unit_test(success_and_failure_part_ways),
        cmocka_unit_test(pointers_tell_success_too),
        cmocka_unit_test(flags_correlate),
        cmocka_unit_test(other_flags_do_not),
        cmocka_unit_test(cleanup_behind_a_null_check),
        cmocka_unit_test(error_codes_correlate),
        cmocka_unit_test(switches_decide),
        cmocka_unit_test(a_frozen_flag_keeps_its_value),
        cmocka_unit_test(a_loop_releases_what_a_loop_acquired),
        cmocka_unit_test(an_array_not_released_leaks),
        cmocka_unit_test(a_failed_loop_rolls_back),
        cmocka_unit_test(a_capacity_correlates),
        cmocka_unit_test(elements_of_structs_and_tables_are_families),
        cmocka_unit_test(a_container_holds_its_elements),
        cmocka_unit_test(the_next_round_overwrites),
        cmocka_unit_test(a_pointer_of_the_body_leaks_each_round),
        cmocka_unit_test(a_loop_over_a_list_fills_each_node),
        cmocka_unit_test(buffers_swap_in_a_loop),
        cmocka_unit_test(a_grown_buffer_is_handed_over),
        cmocka_unit_test(a_retry_loop_ends_with_success),
        cmocka_unit_test(a_cut_search_is_told),
        cmocka_unit_test(a_search_that_takes_too_much_memory_is_told),
        cmocka_unit_test(many_aliases_do_not_explode),
        cmocka_unit_test(temporaries_do_not_explode),
        cmocka_unit_test(what_others_know_does_not_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
