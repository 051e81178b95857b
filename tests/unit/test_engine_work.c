// SPDX-License-Identifier: MIT
// The engine on work in flight: what queues it, what waits for it, and what must not happen
// meanwhile.
#include "engine_expect.h"

#include <stdio.h>

// A function that acquires shared memory `p` and a stream `s`, does `body` from line 5 on, and
// releases both.
static void expect_shared(const char *body, const char *wanted)
{
    char text[2048];
    snprintf(text, sizeof text,
             "func f(s: void*, t: void*, e: void*) -> int {\n"
             "  var p: int*\n  var x: int\n  var c: int\n"
             "  call make_shared(&p) @2:1\n"
             "%s"
             "  jump end\nend:\n"
             "  call sync_all() @90:1\n"
             "  call drop_shared(p) @91:1\n"
             "  return 0 @92:1\n}\n",
             body);
    expect(text, wanted);
}

static void the_host_reads_what_a_copy_writes(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, s) @5:1\n  x = *p @6:1\n", "read-in-flight p @6\n");
    expect_shared("  call copy_later(p, t, s) @5:1\n  *p = 1 @6:1\n", "write-in-flight p @6\n");
}

static void the_host_overwrites_what_a_copy_reads(void **state)
{
    (void)state;
    expect_shared("  call copy_later(t, p, s) @5:1\n  x = *p @6:1\n", "");
    expect_shared("  call copy_later(t, p, s) @5:1\n  *p = 1 @6:1\n", "buffer-reused p @6\n");
}

static void kernels_write_where_they_are_seen_to(void **state)
{
    (void)state;
    expect_shared("  launch change<<<1, 1, _, s>>>(p) @5:1\n  *p = 1 @6:1\n",
                  "write-in-flight p @6\n");
    // Nothing is known of the body: a read may do no harm.
    expect_shared("  launch change<<<1, 1, _, s>>>(p) @5:1\n  x = *p @6:1\n", "");
    expect_shared("  launch scan<<<1, 1, _, s>>>(p) @5:1\n  x = *p @6:1\n", "");
    expect_shared("  launch scan<<<1, 1, _, s>>>(p) @5:1\n  *p = 1 @6:1\n",
                  "write-in-flight p @6\n");
}

static void synchronising_calls_cover_their_own(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, s) @5:1\n  call sync_stream(s) @6:1\n  x = *p @7:1\n",
                  "");
    expect_shared("  call copy_later(p, t, s) @5:1\n  call sync_all() @6:1\n  x = *p @7:1\n", "");
    expect_shared("  call copy_later(p, t, s) @5:1\n  call mark_event(e, s) @6:1\n"
                  "  call sync_event(e) @7:1\n  x = *p @8:1\n",
                  "");
    expect_shared("  call mark_event(e, s) @5:1\n  call copy_later(p, t, s) @6:1\n"
                  "  call sync_event(e) @7:1\n  x = *p @8:1\n",
                  "read-in-flight p @8\n");
    expect_shared("  call sync_stream(s) @5:1\n  call copy_later(p, t, s) @6:1\n  x = *p @7:1\n",
                  "read-in-flight p @7\n");
}

static void a_query_tells_on_one_branch_only(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, s) @5:1\n  c = call ask_stream(s) @6:1\n"
                  "  branch c == 0 ? done : end\n"
                  "done:\n  x = *p @7:1\n",
                  "");
    expect_shared("  call copy_later(p, t, s) @5:1\n  c = call ask_stream(s) @6:1\n"
                  "  branch c == 0 ? end : busy\n"
                  "busy:\n  x = *p @7:1\n",
                  "read-in-flight p @7\n");
}

static void a_loop_that_polls_waits(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, s) @5:1\n  jump poll\n"
                  "poll:\n  c = call ask_stream(s) @6:1\n"
                  "  branch c == 600 ? poll : done\n"
                  "done:\n  x = *p @7:1\n",
                  "");
}

static void a_call_not_seen_may_wait(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, s) @5:1\n  call risky() @6:1\n  x = *p @7:1\n", "");
    expect_shared("  call copy_later(p, t, s) @5:1\n  call print(\"x\") @6:1\n  x = *p @7:1\n",
                  "read-in-flight p @7\n");
}

static void a_callee_in_sight_is_asked(void **state)
{
    (void)state;
    const char *caller = "func f(s: void*, t: void*) -> int {\n"
                         "  var p: int*\n  var x: int\n"
                         "  call make_shared(&p) @2:1\n"
                         "  call copy_later(p, t, s) @3:1\n"
                         "  call %s() @4:1\n"
                         "  x = *p @5:1\n"
                         "  call sync_all() @6:1\n"
                         "  call drop_shared(p) @7:1\n"
                         "  return x @8:1\n}\n"
                         "func waits() -> void {\n  call sync_all() @11:1\n  return @12:1\n}\n"
                         "func talks() -> void {\n  call print(\"x\") @13:1\n  return @14:1\n}\n"
                         "func calls_waits() -> void {\n  call waits() @15:1\n  return @16:1\n}\n";
    const struct {
        const char *callee, *wanted;
    } cases[] = {{"waits", ""}, {"calls_waits", ""}, {"talks", "read-in-flight p @5\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, caller, cases[i].callee);
        expect(text, cases[i].wanted);
    }
}

// What a callee releases, and whether something may have waited in it before.
static void a_callee_releases(void **state)
{
    (void)state;
    const char *caller =
        "func f(s: void*, t: void*) -> int {\n"
        "  var p: int*\n"
        "  var u: void*\n"
        "  call make_stream(&u, 1) @2:1\n"
        "  call make_pool(&p, s) @3:1\n"
        "  launch change<<<1, 1, _, s>>>(p) @4:1\n"
        "  call %s @5:1\n"
        "  call drop_stream(u) @6:1\n"
        "  return 0 @7:1\n}\n"
        "func at_once(q: int*, s: void*) -> void {\n  call drop_shared(q) @11:1\n"
        "  return @12:1\n}\n"
        "func deeper(q: int*, s: void*) -> void {\n  call at_once(q, s) @13:1\n"
        "  return @14:1\n}\n"
        "func later(q: int*, s: void*) -> void {\n  call sync_all() @15:1\n"
        "  call drop_shared(q) @16:1\n  return @17:1\n}\n"
        "func perhaps(q: int*, s: void*, c: int) -> void {\n"
        "  branch c ? b1 : b2 @18:1\nb1:\n  call sync_all() @19:1\n"
        "  jump b2\nb2:\n  call drop_shared(q) @20:1\n  return @21:1\n}\n"
        "func in_order(q: int*, s: void*) -> void {\n  call drop_later(q, s) @22:1\n"
        "  return @23:1\n}\n";
    const struct {
        const char *call, *wanted;
    } cases[] = {
        {"at_once(p, s)", "release-in-flight p @5\n"},
        {"deeper(p, s)", "release-in-flight p @5\n"},
        {"later(p, s)", ""},
        {"perhaps(p, s, 1)", ""},
        {"in_order(p, s)", ""},
        {"in_order(p, u)", "release-in-flight p @5\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text, caller, cases[i].call);
        expect(text, cases[i].wanted);
    }
}

static void what_is_captured_does_not_run(void **state)
{
    (void)state;
    expect_shared("  call capture_begin(s) @5:1\n  call copy_later(p, t, s) @6:1\n"
                  "  call capture_end(s) @7:1\n  x = *p @8:1\n",
                  "");
}

static void a_copy_within_the_device_does_not_wait(void **state)
{
    (void)state;
    expect_shared("  call copy_later(p, t, 0:void*) @5:1\n  call copy(t, e, 3) @6:1\n"
                  "  x = *p @7:1\n",
                  "read-in-flight p @7\n");
    expect_shared("  call copy_later(p, t, 0:void*) @5:1\n  call copy(t, e, 2) @6:1\n"
                  "  x = *p @7:1\n",
                  "");
}

// ---- releases -----------------------------------------------------------------------------------

static void pool_memory_is_not_waited_for(void **state)
{
    (void)state;
    const char *text = "func f(t: void*) -> int {\n"
                       "  var p: int*\n  var s: void*\n  var o: void*\n"
                       "  call make_stream(&s, %d) @2:1\n"
                       "  call make_stream(&o, 1) @3:1\n"
                       "  call make_pool(&p, s) @4:1\n"
                       "  launch change<<<1, 1, _, s>>>(p) @5:1\n"
                       "  %s @6:1\n"
                       "  call drop_stream(s) @7:1\n"
                       "  call drop_stream(o) @8:1\n"
                       "  return 0 @9:1\n}\n";
    const struct {
        int flags;
        const char *release, *wanted;
    } cases[] = {
        {0, "call drop_shared(p)", "release-in-flight p @6\n"},
        {0, "call drop_later(p, s)", ""},
        {0, "call drop_later(p, o)", "release-in-flight p @6\n"},
        {0, "call drop_later(p, 0:void*)", ""}, // comes after blocking streams
        {1, "call drop_later(p, 0:void*)", "release-in-flight p @6\n"},
        // A parameter is none of the streams made here.
        {1, "call drop_later(p, t)", "release-in-flight p @6\n"},
        {0, "call drop_later(p, t)", ""}, // unless it is the legacy default stream
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char function[1024];
        snprintf(function, sizeof function, text, cases[i].flags, cases[i].release);
        expect(function, cases[i].wanted);
    }
}

static void other_memory_is_a_matter_of_trust(void **state)
{
    (void)state;
    expect("func f(s: void*) -> int {\n"
           "  var p: int*\n"
           "  call make_shared(&p) @2:1\n"
           "  launch change<<<1, 1, _, s>>>(p) @3:1\n"
           "  call drop_shared(p) @4:1\n"
           "  return 0 @5:1\n}\n",
           "release-trusted p @4\n");
}

// ---- streams and events -------------------------------------------------------------------------

static void use_on_a_stream_without_order(void **state)
{
    (void)state;
    const char *text = "func f() -> int {\n"
                       "  var p: int*\n  var s: void*\n  var o: void*\n  var e: void*\n"
                       "  call make_stream(&s, 1) @2:1\n"
                       "  call make_stream(&o, 1) @2:1\n"
                       "  call make_event(&e) @2:1\n"
                       "  call make_pool(&p, s) @3:1\n"
                       "%s"
                       "  launch change<<<1, 1, _, o>>>(p) @6:1\n"
                       "  call sync_all() @7:1\n"
                       "  call drop_later(p, s) @7:1\n"
                       "  call drop_event(e) @7:1\n"
                       "  call drop_stream(s) @7:1\n"
                       "  call drop_stream(o) @7:1\n"
                       "  return 0 @9:1\n}\n";
    const struct {
        const char *between, *wanted;
    } cases[] = {
        {"", "stream-order p @6\n"},
        {"  call mark_event(e, s) @4:1\n  call wait(o, e) @5:1\n", ""},
        {"  call mark_event(e, o) @4:1\n  call wait(o, e) @5:1\n", "stream-order p @6\n"},
        {"  call sync_stream(s) @4:1\n", ""},
        {"  call sync_stream(o) @4:1\n", "stream-order p @6\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char function[1024];
        snprintf(function, sizeof function, text, cases[i].between);
        expect(function, cases[i].wanted);
    }
}

static void time_of_an_event_in_flight(void **state)
{
    (void)state;
    const char *text = "func f(s: void*) -> int {\n"
                       "  var e: void*\n"
                       "  call make_event(&e) @2:1\n"
                       "%s"
                       "  call elapsed(s, e) @5:1\n"
                       "  call drop_event(e) @6:1\n"
                       "  return 0 @7:1\n}\n";
    const struct {
        const char *between, *wanted;
    } cases[] = {
        {"  call mark_event(e, s) @3:1\n", "event-not-ready e @5\n"},
        {"  call mark_event(e, s) @3:1\n  call sync_event(e) @4:1\n", ""},
        {"  call mark_event(e, s) @3:1\n  call sync_stream(s) @4:1\n", ""},
        {"  call sync_event(e) @3:1\n  call mark_event(e, s) @4:1\n", "event-not-ready e @5\n"},
        {"  call sync_event(e) @3:1\n", "event-unrecorded e @3\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char function[1024];
        snprintf(function, sizeof function, text, cases[i].between);
        expect(function, cases[i].wanted);
    }
}

static void a_variable_ends_while_work_uses_it(void **state)
{
    (void)state;
    expect("func f(s: void*) -> int {\n"
           "  decl a: int[8] @2:1\n"
           "  launch change<<<1, 1, _, s>>>(&a[0]) @3:1\n"
           "  scope_end a @4:1\n"
           "  return 0 @5:1\n}\n",
           "buffer-ends a @4\n");
    expect("func f(s: void*) -> int {\n"
           "  decl a: int[8] @2:1\n"
           "  launch change<<<1, 1, _, s>>>(&a[0]) @3:1\n"
           "  call sync_stream(s) @4:1\n"
           "  scope_end a @4:1\n"
           "  return 0 @5:1\n}\n",
           "");
}

// A function that lets a copy fill the elements of the vector `v`, and then `body` from line 5 on.
static void expect_elements(const char *body, const char *wanted)
{
    char text[2048];
    snprintf(text, sizeof text,
             "record `std::vec` std { d: int }\n"
             "record owner { v: `std::vec`; w: `std::vec` }\n"
             "callee `std::vec::vec`() [system method ctor] of `std::vec`\n"
             "callee `std::vec::size`() -> u64 [system method const_method] of `std::vec`\n"
             "callee `std::vec::data`() -> int* [system method] of `std::vec`\n"
             "callee `std::vec::resize`(u64) [system method] of `std::vec`\n"
             "callee `std::vec::reserve`(u64) [system method] of `std::vec`\n"
             "callee `std::vec::take`(`std::vec`&) [system method] of `std::vec`\n"
             "callee `std::vec::swap`(`std::vec`&) [system method] of `std::vec`\n"
             "callee append(owner&, void*, void*)\n"
             "func append(o: owner&, t: void*, s: void*) {\n"
             "  %%n = call `std::vec::size`(&o->v)\n"
             "  call `std::vec::resize`(&o->v, %%n + 8) @1:1\n"
             "  %%d = call `std::vec::data`(&o->v)\n"
             "  call copy_later(%%d + %%n, t, s) @2:1\n  return\n}\n"
             "func f(s: void*, t: void*, o: owner&, n: u64) {\n"
             "  var v: `std::vec`\n  var other: `std::vec`\n  var i: int\n"
             "  call `std::vec::vec`(&v)\n  call `std::vec::vec`(&other)\n%s"
             "  call sync_all() @90:1\n  return @91:1\n}\n",
             body);
    expect(text, wanted);
}

static void a_container_moves_while_work_uses_it(void **state)
{
    (void)state;
#define COPY "  %d = call `std::vec::data`(&v)\n  call copy_later(%d, t, s) @5:1\n"
#define GROW "  %n = call `std::vec::size`(&v)\n  call `std::vec::resize`(&v, %n + 8) @6:1\n"
    expect_elements(COPY GROW, "buffer-ends v @6\n");
    expect_elements(COPY "  call sync_stream(s)\n" GROW, "");
    expect_elements("  call `std::vec::reserve`(&v, n)\n" COPY GROW, "");
    expect_elements(COPY "  call `std::vec::resize`(&v, n) @6:1\n", "");
    expect_elements(
        COPY "  %n = call `std::vec::size`(&v)\n  call `std::vec::resize`(&v, %n - 1)\n", "");
    expect_elements(COPY "  %n = call `std::vec::size`(&other)\n"
                         "  call `std::vec::resize`(&other, %n + 1) @6:1\n",
                    "");
    expect_elements(COPY "  call `std::vec::take`(&v, &other) @6:1\n", "buffer-ends v @6\n");
    expect_elements(COPY "  call `std::vec::swap`(&other, &v)\n" GROW, "");
    expect_elements("  call append(o, t, s) @5:1\n", "");
    expect_elements("  call append(o, t, s) @5:1\n  call append(o, t, s) @6:1\n",
                    "buffer-ends o->v @6\n");
    expect_elements("  call append(o, t, s) @5:1\n  call sync_stream(s)\n"
                    "  call append(o, t, s) @6:1\n",
                    "");
    expect_elements("  i = 0\n  jump head\nhead:\n  branch i < 4 ? body : end loop\nbody:\n"
                    "  call append(o, t, s) @7:1\n  i = i + 1\n  jump head\nend:\n",
                    "buffer-ends o->v @7\n");
    expect_elements("  call append(o, t, s) @5:1\n  %n = call `std::vec::size`(&o->w)\n"
                    "  call `std::vec::resize`(&o->w, %n + 1) @6:1\n",
                    "");
#undef COPY
#undef GROW
}

// Memory `p` is written and copied in the rounds of a loop in which `chosen` holds; `more` is done in
// each, before that.
static void expect_rounds(const char *chosen, const char *more, const char *wanted)
{
    char body[1024];
    snprintf(body, sizeof body,
             "  var i: int\n  var k: int\n  i = 0\n  k = 0\n  jump head\nhead:\n"
             "  branch i < 9 ? round : out loop\nround:\n%s"
             "  branch %s ? use : next\nuse:\n  *p = i @6:1\n"
             "  call copy_later(t, p, s) @7:1\n  call mark_event(e, s) @8:1\n  jump next\nnext:\n"
             "  k = 1 - k\n  i = i + 1\n  jump head\nout:\n",
             more, chosen);
    expect_shared(body, wanted);
}

static void only_rounds_that_can_follow_meet(void **state)
{
    (void)state;
#define WAIT_IF(condition)                                                                         \
    "  branch " condition " ? wait : go\nwait:\n  call sync_event(e) @5:1\n  jump go\ngo:\n"
    expect_rounds("i % 2 == 0", "", "buffer-reused p @6\n");
    expect_rounds("i % 2 == 0", WAIT_IF("i >= 2"), "");
    expect_rounds("i % 2 == 0", WAIT_IF("i >= 3"), "buffer-reused p @6\n");
    expect_rounds("i % 2 == 0", WAIT_IF("(i & 1) == 1"), "");
    expect_rounds("i % 2 == 0", WAIT_IF("i % 4 == 1"), "buffer-reused p @6\n");
    expect_rounds("i % 3 == 1", WAIT_IF("i >= 4"), "");
    expect_rounds("i % 3 == 1", WAIT_IF("i >= 5"), "buffer-reused p @6\n");
    expect_rounds("k == 1", WAIT_IF("k == 0"), "");
    expect_rounds("k == 1", WAIT_IF("i >= 3"), "");
    expect_rounds("k == 1", WAIT_IF("i >= 4"), "buffer-reused p @6\n");
    // In which rounds `i / 2 % 2` is the same as before is not known.
    expect_rounds("i / 2 % 2 == 0", WAIT_IF("i % 2 == 1"), "");
#undef WAIT_IF
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_reads_what_a_copy_writes),
        cmocka_unit_test(the_host_overwrites_what_a_copy_reads),
        cmocka_unit_test(kernels_write_where_they_are_seen_to),
        cmocka_unit_test(synchronising_calls_cover_their_own),
        cmocka_unit_test(a_query_tells_on_one_branch_only),
        cmocka_unit_test(a_loop_that_polls_waits),
        cmocka_unit_test(a_call_not_seen_may_wait),
        cmocka_unit_test(a_callee_in_sight_is_asked),
        cmocka_unit_test(a_callee_releases),
        cmocka_unit_test(what_is_captured_does_not_run),
        cmocka_unit_test(a_copy_within_the_device_does_not_wait),
        cmocka_unit_test(pool_memory_is_not_waited_for),
        cmocka_unit_test(other_memory_is_a_matter_of_trust),
        cmocka_unit_test(use_on_a_stream_without_order),
        cmocka_unit_test(time_of_an_event_in_flight),
        cmocka_unit_test(a_variable_ends_while_work_uses_it),
        cmocka_unit_test(a_container_moves_while_work_uses_it),
        cmocka_unit_test(only_rounds_that_can_follow_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
