// SPDX-License-Identifier: MIT
// What becomes of the caller's resource in a callee, through the whole engine: decided by arguments,
// filled in part, moved past the start.
#include "engine_expect.h"

#define FINISH                                                                                     \
    "func settle(p: void*, really: bool) {\n"                                                      \
    "  branch really ? b1 : b2 @1:1\n"                                                             \
    "b1:\n  call drop(p) @1:2\n  jump b2\n"                                                        \
    "b2:\n  return @1:3\n}\n"

#define CALLER(text)                                                                               \
    "func f(keep: bool) {\n"                                                                       \
    "  decl p: void* @2:1\n"                                                                       \
    "  call make(&p) @3:1\n" text "}\n"

static void an_argument_decides(void **state)
{
    (void)state;
    expect(FINISH CALLER("  call settle(p, 1) @4:1\n  call drop(p) @5:1\n  return @6:1\n"),
           "double-release p @5\n");
    expect(FINISH CALLER("  call settle(p, 0) @4:1\n  call drop(p) @5:1\n  return @6:1\n"), "");
    expect(FINISH CALLER("  call settle(p, 1) @4:1\n  return @6:1\n"), "");
    expect(FINISH CALLER("  call settle(p, 0) @4:1\n  return @6:1\n"), "leak-at-exit p @6\n");
}

// What is not known of the argument is the same later on.
static void the_caller_asks_the_same_question(void **state)
{
    (void)state;
    expect(FINISH CALLER("  call settle(p, !keep) @4:1\n  branch keep ? b1 : b2 @5:1\n"
                         "b1:\n  call drop(p) @6:1\n  jump b2\n"
                         "b2:\n  return @7:1\n"),
           "");
    expect(FINISH CALLER("  call settle(p, keep) @4:1\n  branch keep ? b1 : b2 @5:1\n"
                         "b1:\n  call drop(p) @6:1\n  jump b2\n"
                         "b2:\n  return @7:1\n"),
           "leak-at-exit p @7\ndouble-release p @6\n");
}

#define CASES                                                                                      \
    "func settle(p: void*, how: u32) {\n"                                                          \
    "  switch how [0: b1, 1: b2, 2: b2] else b1 @1:1\n"                                            \
    "b1:\n  return @1:2\n"                                                                         \
    "b2:\n  call drop(p) @1:3\n  return @1:4\n}\n"

// The cases that release are some among those that do not.
static void a_case_of_a_switch_decides(void **state)
{
    (void)state;
    const char *one = "func settle(p: void*, how: u32) {\n"
                      "  switch how [1: b2] else b1 @1:1\n"
                      "b1:\n  return @1:2\n"
                      "b2:\n  call drop(p) @1:3\n  return @1:4\n}\n";
    Arena *arena = arena_new("test");
    expect(arena_printf(arena, "%s%s", one,
                        CALLER("  call settle(p, 1) @4:1\n  call drop(p) @5:1\n  return @6:1\n")),
           "double-release p @5\n");
    expect(arena_printf(arena, "%s%s", one, CALLER("  call settle(p, 7) @4:1\n  return @6:1\n")),
           "leak-at-exit p @6\n");
    arena_free(arena);
    // Bounds do not tell 1 and 2 from 0 and 3, but the gap between those does.
    expect(CASES CALLER("  call settle(p, 1) @4:1\n  call drop(p) @5:1\n  return @6:1\n"),
           "double-release p @5\n");
}

#define FILL                                                                                       \
    "func fill(n: Node*, really: bool) {\n"                                                        \
    "  branch really ? b1 : b2 @1:1\n"                                                             \
    "b1:\n  call make(&n->buf) @1:2\n  jump b2\n"                                                  \
    "b2:\n  n->on = 1 @1:3\n  return @1:4\n}\n"

#define USER(first, then)                                                                          \
    "func f(really: bool) {\n"                                                                     \
    "  decl n: Node @2:1\n" first "  call fill(&n, really) @3:1\n" then "  return @9:1\n}\n"

static void a_member_filled_on_request(void **state)
{
    (void)state;
    expect(FILL "func f() {\n  decl n: Node @2:1\n  call fill(&n, 0) @3:1\n"
                "  call drop(n.buf) @4:1\n  return @5:1\n}\n",
           "uninitialized-release n.buf @4\n");
    expect(FILL "func f() {\n  decl n: Node @2:1\n  call fill(&n, 1) @3:1\n"
                "  call drop(n.buf) @4:1\n  return @5:1\n}\n",
           "");
    expect(FILL USER("", "  branch really ? b1 : b2 @4:1\n"
                         "b1:\n  call drop(n.buf) @5:1\n  jump b2\nb2:\n"),
           "");
    expect(FILL USER("  n.buf = 0 @2:2\n", "  call drop(n.buf) @5:1\n"), "");
}

// A callee that writes in ways of which no effect tells may have filled the member.
static void a_member_filled_by_other_means(void **state)
{
    (void)state;
    expect("callee wipe(void*, u64) [system extern_c nothrow]\n"
           "func fill(n: Node*) {\n  call wipe(cast<void*>(n), 24) @1:1\n  return @1:2\n}\n"
           "func outer(n: Node*) {\n  call fill(n) @1:3\n  return @1:4\n}\n"
           "func f() {\n  decl n: Node @2:1\n  call outer(&n) @3:1\n"
           "  call drop(n.buf) @4:1\n  return @5:1\n}\n",
           "");
    expect("func fill(n: Node*, from: Node*) {\n  *n = *from @1:1\n  return @1:2\n}\n"
           "func f(from: Node*) {\n  decl n: Node @2:1\n  call fill(&n, from) @3:1\n"
           "  call drop(n.buf) @4:1\n  return @5:1\n}\n",
           "");
    expect("func look(n: Node*) {\n  n->on = 2 @1:1\n  return @1:2\n}\n"
           "func f() {\n  decl n: Node @2:1\n  call look(&n) @3:1\n"
           "  call drop(n.buf) @4:1\n  return @5:1\n}\n",
           "uninitialized-release n.buf @4\n");
}

#define POOL                                                                                       \
    "record Pool { base: char*; head: char*; left: u64 }\n"                                        \
    "func open(p: Pool*) {\n  call make(cast<void**>(&p->base)) @1:1\n"                            \
    "  p->head = p->base @1:2\n  return @1:3\n}\n"                                                 \
    "func take(p: Pool*, n: u64) {\n  p->head = p->head + n @1:4\n  return @1:5\n}\n"              \
    "func rewind(p: Pool*) {\n  p->head = p->base @1:6\n  return @1:7\n}\n"

static void a_pointer_moved_by_a_callee(void **state)
{
    (void)state;
    expect(POOL "func f() {\n  decl p: Pool @2:1\n  call open(&p) @3:1\n  call take(&p, 8) @4:1\n"
                "  call drop(cast<void*>(p.head)) @5:1\n  return @6:1\n}\n",
           "offset-release p.base @5\n");
    expect(POOL "func f() {\n  decl p: Pool @2:1\n  call open(&p) @3:1\n  call take(&p, 8) @4:1\n"
                "  call drop(cast<void*>(p.base)) @5:1\n  return @6:1\n}\n",
           "");
    expect(POOL "func f() {\n  decl p: Pool @2:1\n  call open(&p) @3:1\n  call take(&p, 8) @4:1\n"
                "  call rewind(&p) @5:1\n  call drop(cast<void*>(p.head)) @6:1\n  return @7:1\n}\n",
           "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argument_decides),
        cmocka_unit_test(the_caller_asks_the_same_question),
        cmocka_unit_test(a_case_of_a_switch_decides),
        cmocka_unit_test(a_member_filled_on_request),
        cmocka_unit_test(a_member_filled_by_other_means),
        cmocka_unit_test(a_pointer_moved_by_a_callee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
