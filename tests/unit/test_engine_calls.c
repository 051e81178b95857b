// SPDX-License-Identifier: MIT
// The engine on what calls do: releases, uses, escapes, callees of the unit, exceptions.
#include "engine_expect.h"

// ---- releases and uses --------------------------------------------------------------------------

static void an_alias_releases_twice(void **state)
{
    (void)state;
    expect("func f() {\n  var p: void*\n  var q: void*\n"
           "  call make(&p) @2:1\n  q = p @3:1\n  call drop(q) @4:1\n  call drop(p) @5:1\n  return "
           "@6:1\n}\n",
           "double-release p @5\n");
}

static void a_nulled_pointer_is_released_in_peace(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: void*\n"
           "  call make(&p) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  call drop(p) @4:1\n  p = 0\n  jump b2\n"
           "b2:\n  branch p != 0 ? b3 : b4\n"
           "b3:\n  call drop(p) @5:1\n  jump b4\n"
           "b4:\n  return @6:1\n}\n",
           "");
}

static void use_after_release(void **state)
{
    (void)state;
    expect("func f() {\n  var p: void*\n"
           "  call make(&p) @2:1\n  call drop(p) @3:1\n  call use(p) @4:1\n  return @5:1\n}\n",
           "use-after-release p @4\n");
}

static void releases_of_the_wrong_kind(void **state)
{
    (void)state;
    expect("func f() {\n  var p: void*\n  call make(&p) @2:1\n  call drop_gadget(p) @3:1\n  return "
           "@5:1\n}\n",
           "wrong-release p @3\n");
    expect("func f() {\n  var p: void*\n  call make(&p) @2:1\n  call drop(cast<void*>(&p)) @3:1\n  "
           "return @5:1\n}\n",
           "wrong-release p @3\n");
    expect("func f() {\n  var p: void*\n  p = call heap_new(8) @2:1\n  call drop(p) @3:1\n  return "
           "@5:1\n}\n",
           "wrong-release p @3\n");
    expect("func f() {\n  var p: void*\n  p = call heap_new(8) @2:1\n  call heap_free(p) @3:1\n  "
           "return @5:1\n}\n",
           "");
}

static void releases_inside_the_block(void **state)
{
    (void)state;
    expect("func f() {\n  var p: char*\n  call make(cast<void**>(&p)) @2:1\n  p = p + 4 @3:1\n  "
           "call drop(p) @4:1\n"
           "  return @5:1\n}\n",
           "offset-release p @4\n");
    expect("func f() {\n  var p: char*\n  call make(cast<void**>(&p)) @2:1\n  p = p + 4 @3:1\n  "
           "call drop(p - 4) @4:1\n"
           "  return @5:1\n}\n",
           "");
}

static void releases_of_what_was_never_assigned(void **state)
{
    (void)state;
    const char *with = "func f(c: int) -> int {\n  decl p: void* @1:1\n  %s"
                       "  branch c ? b1 : b2\n"
                       "b1:\n  jump out\n"
                       "b2:\n  %%e = call make(&p) @3:1\n  branch %%e != 0 ? out2 : out\n"
                       "out2:\n  return 1 @4:1\n"
                       "out:\n  call drop(p) @5:1\n  return 0 @6:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, with, ""), "uninitialized-release p @5\n");
    expect(arena_printf(arena, with, "init p = 0\n"), "");
    arena_free(arena);
}

static void borrowed_things_are_not_released(void **state)
{
    (void)state;
    expect(
        "func f() {\n  var p: void*\n  call lend(&p) @2:1\n  call drop(p) @3:1\n  return @5:1\n}\n",
        "borrowed-release p @3\n");
    expect("func f() {\n  var p: void*\n  call lend(&p) @2:1\n  return @5:1\n}\n", "");
}

static void pins_are_undone(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: char[8]\n  call pin(&p[0]) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  return @4:1\n"
           "b2:\n  call unpin(&p[0]) @5:1\n  return @6:1\n}\n",
           "leak-at-exit p[0] @4\n");
}

// ---- escape and belief --------------------------------------------------------------------------

static void what_others_can_reach_is_not_lost(void **state)
{
    (void)state;
    expect("func f() -> void* {\n  var p: void*\n  call make(&p) @2:1\n  return p @3:1\n}\n", "");
    expect("func f() {\n  global g: void*\n  var p: void*\n  call make(&p) @2:1\n  g = p @3:1\n  "
           "return @4:1\n}\n",
           "");
    expect("func f(out: void**) {\n  var p: void*\n  call make(&p) @2:1\n  *out = p @3:1\n  return "
           "@4:1\n}\n",
           "");
    expect("func f(n: Node*) {\n  call make(&n->buf) @2:1\n  return @4:1\n}\n", "");
    expect("func f(out: Node*) {\n  var n: Node\n  call make(&n.buf) @2:1\n  *out = n @3:1\n  "
           "return @4:1\n}\n",
           "");
    expect("func f() -> Node {\n  var n: Node\n  call make(&n.buf) @2:1\n  return n @4:1\n}\n", "");
}

static void a_flag_that_was_returned_is_no_escape(void **state)
{
    (void)state;
    expect("func f() -> bool {\n  var p: void*\n  call make(&p) @2:1\n  return p != 0 @3:1\n}\n",
           "leak-at-exit p @3\n");
}

static void an_unknown_callee_may_keep_it(void **state)
{
    (void)state;
    expect("func f() {\n  var p: void*\n  call make(&p) @2:1\n  call unknown(p) @3:1\n  return "
           "@4:1\n}\n",
           "");
    expect(
        "func f() {\n  var p: void*\n  call make(&p) @2:1\n  call look(p) @3:1\n  return @4:1\n}\n",
        "leak-at-exit p @4\n");
    expect("func f() {\n  var n: Node\n  call make(&n.buf) @2:1\n  call unknown(&n) @3:1\n  return "
           "@4:1\n}\n",
           "");
}

static void who_releases_later_does_not_believe_that(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: void*\n  call make(&p) @2:1\n  call unknown(p) @3:1\n"
           "  branch c ? b1 : b2\n"
           "b1:\n  return @4:1\n"
           "b2:\n  call drop(p) @5:1\n  return @6:1\n}\n",
           "leak-at-exit p @4\n");
}

static void a_struct_of_ones_own_leaks(void **state)
{
    (void)state;
    expect("func f() {\n  var n: Node*\n  n = call heap_new(24) @1:1\n  call make(&n->buf) @2:1\n  "
           "call heap_free(n) @3:1\n"
           "  return @4:1\n}\n",
           "leak-at-scope n->buf @3\n");
    expect("func f() -> Node* {\n  var n: Node*\n  n = call heap_new(24) @1:1\n  call "
           "make(&n->buf) @2:1\n"
           "  return n @4:1\n}\n",
           "");
}

#define LINKED_NODE(first)                                                                         \
    "func f() -> int {\n  var n: Node*\n  global head: Node* = 0\n"                                \
    "  n = call heap_new(24) @1:1\n" first "  n->next = head @2:1\n  head = n @2:2\n"              \
    "  %e = call try_make(&n->buf) @3:1\n  branch %e != 0 ? no : yes\n"                            \
    "no:\n  return %e @4:1\n"                                                                      \
    "yes:\n  return 0 @5:1\n}\n"

#define DROP_NODE "func g(n: Node*) {\n  call drop(n->buf) @7:1\n  return @8:1\n}\n"

static void a_linked_object_is_left_unset(void **state)
{
    (void)state;
    expect(LINKED_NODE("") DROP_NODE, "left-unset n->buf @4\n");
    expect(LINKED_NODE("  n->buf = 0:void* @1:2\n") DROP_NODE, "");
    expect(LINKED_NODE(""), ""); // nothing releases it
}

static void a_pointer_that_walks_comes_to_an_end(void **state)
{
    (void)state;
    expect("func f(n: int) -> int {\n  var p: int*\n  var q: int*\n  var i: int\n"
           "  call make(cast<void**>(&p)) @2:1\n  q = p\n  i = 0\n  jump head\n"
           "head:\n  branch i < n ? body : out loop\n"
           "body:\n  q = q + 1 @3:1\n  i = i + 1\n  jump head\n"
           "out:\n  branch n == 3 ? lose : done\n"
           "lose:\n  return 1 @5:1\n"
           "done:\n  call drop(cast<void*>(p)) @6:1\n  return 0 @7:1\n}\n",
           "leak-at-exit p @5\n");
}

// ---- statics ------------------------------------------------------------------------------------

static void a_static_is_found_again(void **state)
{
    (void)state;
    expect("func f() {\n  static p: void* = 0\n"
           "  branch p == 0 ? get : out\n"
           "get:\n  call make(&p) @2:1\n  jump out\n"
           "out:\n  return @4:1\n}\n",
           "");
    expect("func f() {\n  static p: void* = 0\n  call make(&p) @2:1\n  return @4:1\n}\n",
           "overwrite p @2\n");
}

// ---- callees ------------------------------------------------------------------------------------

static void the_process_ends_in_peace(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: void*\n  call make(&p) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  call exit(1) @4:1\n  return @5:1\n"
           "b2:\n  call drop(p) @6:1\n  return @7:1\n}\n",
           "");
    expect("func f(c: int) {\n  var p: void*\n  call make(&p) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  unreachable\n"
           "b2:\n  call drop(p) @6:1\n  return @7:1\n}\n",
           "");
}

// A check function that ends the process on failure is seen through; one that prints is not taken
// for that.
#define CHECK_FUNCTION(on_failure)                                                                 \
    "func check(e: int) {\n  branch e != 0 ? bad : ok\n"                                           \
    "bad:\n  " on_failure " @30:1\n  jump ok\n"                                                    \
    "ok:\n  return @31:1\n}\n"

static void check_functions_are_seen_through(void **state)
{
    (void)state;
    const char *user = "func f() -> int {\n  var p: void*\n  var q: void*\n"
                       "  %e = call make(&p) @2:1\n  call check(%e) @3:1\n"
                       "  %s = call finish() @4:1\n  call check(%s) @5:1\n"
                       "  branch %s == 0 ? put : out\n"
                       "put:\n  call drop(p) @6:1\n  return 0 @7:1\n"
                       "out:\n  return 1 @8:1\n}\n";
    Arena *arena = arena_new("text");
    const char *exits = CHECK_FUNCTION("call exit(1)"),
               *prints = CHECK_FUNCTION("call print(\"x\")");
    StrBuf first = {.arena = arena}, second = {.arena = arena};
    strbuf_append(&first, exits);
    strbuf_append(&first, user);
    strbuf_append(&second, user);
    strbuf_append(&second, prints);
    expect(strbuf_text(&first), "");
    expect(strbuf_text(&second), "leak-at-exit p @8\n");
    arena_free(arena);
}

static void a_status_is_handed_on(void **state)
{
    (void)state;
    expect("func pass(e: int) -> int {\n  branch e != 0 ? bad : ok\n"
           "bad:\n  call print(\"x\") @30:1\n  jump ok\n"
           "ok:\n  return e @31:1\n}\n"
           "func f() -> int {\n  var p: void*\n"
           "  %e = call make(&p) @2:1\n  %k = call pass(%e) @3:1\n"
           "  branch %k != 0 ? out : put\n"
           "put:\n  call drop(p) @6:1\n  return 0 @7:1\n"
           "out:\n  return 1 @8:1\n}\n",
           "");
}

static void a_check_that_throws_leaks(void **state)
{
    (void)state;
    expect("func check(e: int) {\n  branch e != 0 ? bad : ok\n"
           "bad:\n  throw 1 @30:1\n"
           "ok:\n  return @31:1\n}\n"
           "func f() {\n  var p: void*\n"
           "  %e = call make(&p) @2:1\n  call check(%e) @3:1\n"
           "  %s = call finish() @4:1\n  call check(%s) @5:1\n"
           "  call drop(p) @6:1\n  return @7:1\n}\n",
           "leak-at-throw p @5\n");
}

static void a_wrapper_acquires_and_releases(void **state)
{
    (void)state;
    const char *wrappers =
        "func get(p: void**) -> int {\n  %e = call make(p) @30:1\n  return %e @31:1\n}\n"
        "func put(p: void*) {\n  call drop(p) @32:1\n  return @33:1\n}\n";
    Arena *arena = arena_new("text");
    const char *leaks = "func f(c: int) -> int {\n  var p: void*\n  %e = call get(&p) @2:1\n"
                        "  branch %e != 0 ? fail : more\n"
                        "fail:\n  return 1 @3:1\n"
                        "more:\n  branch c ? b1 : b2\n"
                        "b1:\n  return 2 @4:1\n"
                        "b2:\n  call put(p) @5:1\n  return 0 @6:1\n}\n";
    StrBuf text = {.arena = arena};
    strbuf_append(&text, wrappers);
    strbuf_append(&text, leaks);
    expect(strbuf_text(&text), "leak-at-exit p @4\n");
    arena_free(arena);
}

// The callee releases on its error path alone, and says so by its result.
static void outcomes_of_a_callee_part_ways(void **state)
{
    (void)state;
    expect(
        "func work(p: void*) -> int {\n  %e = call use(p) @20:1\n  branch %e != 0 ? bad : ok\n"
        "bad:\n  call drop(p) @21:1\n  return 1 @22:1\n"
        "ok:\n  return 0 @23:1\n}\n"
        "func f() -> int {\n  var p: void*\n  %a = call make(&p) @1:1\n  branch %a != 0 ? no : go\n"
        "no:\n  return 9 @2:1\n"
        "go:\n  %e = call work(p) @3:1\n  branch %e != 0 ? bad : ok\n"
        "bad:\n  return 1 @4:1\n"
        "ok:\n  call drop(p) @5:1\n  return 0 @6:1\n}\n",
        "");
}

static void a_callee_that_nulls_may_be_called_again(void **state)
{
    (void)state;
    const char *body =
        "func put(p: void**) {\n  branch *p != 0 ? d : e\n"
        "d:\n  call drop(*p) @20:1\n  %s  jump e\n"
        "e:\n  return @21:1\n}\n"
        "func f(c: int) {\n  var p: void*\n  p = 0\n  call make(&p) @1:1\n  branch c ? x : y\n"
        "x:\n  call put(&p) @2:1\n  jump y\n"
        "y:\n  call put(&p) @3:1\n  return @4:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, body, "*p = 0\n"), "");
    expect(arena_printf(arena, body, ""), "double-release p @3\n");
    arena_free(arena);
}

static void an_object_is_set_up_and_torn_down(void **state)
{
    (void)state;
    const char *body =
        "func open(n: Node*) -> int {\n  %%e = call make(&n->buf) @20:1\n  return %%e @21:1\n}\n"
        "func close(n: Node*) {\n  call drop(n->buf) @22:1\n  return @23:1\n}\n"
        "func f(c: int) -> int {\n  var n: Node\n  %%e = call open(&n) @1:1\n  branch %%e != 0 ? "
        "bad : ok\n"
        "bad:\n  return 1 @2:1\n"
        "ok:\n  branch c ? x : y\n"
        "x:\n  %sreturn 2 @3:1\n"
        "y:\n  call close(&n) @4:1\n  return 0 @5:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, body, "call close(&n)\n  "), "");
    expect(arena_printf(arena, body, ""), "leak-at-exit n.buf @3\n");
    arena_free(arena);
}

// ---- exceptions ---------------------------------------------------------------------------------

static void a_throw_leaves_it_behind(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: void*\n  call make(&p) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  throw 1 @4:1\n"
           "b2:\n  call drop(p) @6:1\n  return @7:1\n}\n",
           "leak-at-throw p @4\n");
}

static void a_handler_releases(void **state)
{
    (void)state;
    expect("func f(c: int) {\n  var p: void*\n  call make(&p) @2:1\n  branch c ? b1 : b2\n"
           "b1:\n  throw 1 to h @4:1\n"
           "b2:\n  call risky() [try] unwind h @5:1\n  call drop(p) @6:1\n  return @7:1\n"
           "h:\n  call drop(p) @8:1\n  return @9:1\n}\n",
           "");
    expect("func f() {\n  var p: void*\n  call make(&p) @2:1\n  call risky() [try] unwind h @5:1\n "
           " call drop(p) @6:1\n"
           "  return @7:1\n"
           "h:\n  return @9:1\n}\n",
           "leak-at-exit p @9\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alias_releases_twice),
        cmocka_unit_test(a_nulled_pointer_is_released_in_peace),
        cmocka_unit_test(use_after_release),
        cmocka_unit_test(releases_of_the_wrong_kind),
        cmocka_unit_test(releases_inside_the_block),
        cmocka_unit_test(releases_of_what_was_never_assigned),
        cmocka_unit_test(borrowed_things_are_not_released),
        cmocka_unit_test(pins_are_undone),
        cmocka_unit_test(what_others_can_reach_is_not_lost),
        cmocka_unit_test(a_flag_that_was_returned_is_no_escape),
        cmocka_unit_test(an_unknown_callee_may_keep_it),
        cmocka_unit_test(who_releases_later_does_not_believe_that),
        cmocka_unit_test(a_struct_of_ones_own_leaks),
        cmocka_unit_test(a_linked_object_is_left_unset),
        cmocka_unit_test(a_pointer_that_walks_comes_to_an_end),
        cmocka_unit_test(a_static_is_found_again),
        cmocka_unit_test(the_process_ends_in_peace),
        cmocka_unit_test(check_functions_are_seen_through),
        cmocka_unit_test(a_status_is_handed_on),
        cmocka_unit_test(a_check_that_throws_leaks),
        cmocka_unit_test(a_wrapper_acquires_and_releases),
        cmocka_unit_test(outcomes_of_a_callee_part_ways),
        cmocka_unit_test(a_callee_that_nulls_may_be_called_again),
        cmocka_unit_test(an_object_is_set_up_and_torn_down),
        cmocka_unit_test(a_throw_leaves_it_behind),
        cmocka_unit_test(a_handler_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
