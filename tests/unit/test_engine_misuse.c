// SPDX-License-Identifier: MIT
// The engine on memory that is used for what it is not: by the wrong side, in the wrong direction,
// beyond its end.
#include "engine_expect.h"

// `b` is a block of n bytes on the board.
#define BLOCK                                                                                      \
    "func f(n: u64, h: int*) {\n"                                                                  \
    "  var b: int*\n"                                                                              \
    "  %e = call make_board(&b, n) @2:1\n"                                                         \
    "  branch %e != 0 ? out : go\n"                                                                \
    "go:\n"
#define END                                                                                        \
    "  call drop_board(b) @8:1\n"                                                                  \
    "  return @9:1\n"                                                                              \
    "out:\n  return @10:1\n}\n"

static void the_host_cannot_reach_it(void **state)
{
    (void)state;
    expect(BLOCK "  *b = 1 @3:1\n" END, "host-writes b @3\n");
    expect(BLOCK "  var x: int\n  x = b[2] @3:1\n" END, "host-reads b @3\n");
    expect(BLOCK "  call poke(b) @3:1\n" END, "host-writes b @3\n");
    expect(BLOCK "  call use(b) @3:1\n" END, "");
    expect(BLOCK "  var p: int*\n  p = &b[2] @3:1\n" END, "");
}

static void it_is_told_once(void **state)
{
    (void)state;
    expect(BLOCK "  *b = 1 @3:1\n  b[1] = 2 @4:1\n" END, "host-writes b @3\n");
}

static void what_both_reach_is_for_both(void **state)
{
    (void)state;
    expect("func f() {\n"
           "  var p: int*\n"
           "  %e = call make_shared(&p) @2:1\n"
           "  branch %e != 0 ? out : go\n"
           "go:\n"
           "  *p = 1 @3:1\n"
           "  call transfer(p, p, 4, 1) @4:1\n"
           "  call drop_shared(p) @5:1\n"
           "  return @6:1\n"
           "out:\n  return @7:1\n}\n",
           "");
}

static void directions_name_the_side(void **state)
{
    (void)state;
    expect(BLOCK "  call transfer(b, h, n, 1) @3:1\n" END, "");
    expect(BLOCK "  call transfer(b, h, n, 2) @3:1\n" END, "copied-to b @3\n");
    expect(BLOCK "  call transfer(h, b, n, 2) @3:1\n" END, "");
    expect(BLOCK "  call transfer(h, b, n, 1) @3:1\n" END, "copied-from b @3\n");
    expect(BLOCK "  call transfer(b, b, n, 3) @3:1\n" END, "");
    expect(BLOCK "  call transfer(b, h, n, 4) @3:1\n" END, "");
}

static void locals_are_the_hosts(void **state)
{
    (void)state;
    expect(BLOCK "  var x: int\n  call transfer(b, &x, n, 1) @3:1\n" END, "");
    expect(BLOCK "  var x: int\n  call transfer(b, &x, n, 3) @3:1\n" END, "copied-from x @3\n");
}

static void sizes_compare_as_products(void **state)
{
    (void)state;
    expect(BLOCK "  call transfer(b, h, n * 4, 1) @3:1\n" END, "beyond-block b @3\n");
    expect(BLOCK "  call transfer(b, h, 1 * n, 1) @3:1\n" END, "");
    expect(BLOCK "  call transfer(b, h, n * n, 1) @3:1\n" END, "");
    expect(BLOCK "  call transfer(b, h, 64, 1) @3:1\n" END, "");
    expect(BLOCK "  call transfer(b + 1, h, n * 4, 1) @3:1\n" END, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_cannot_reach_it),    cmocka_unit_test(it_is_told_once),
        cmocka_unit_test(what_both_reach_is_for_both), cmocka_unit_test(directions_name_the_side),
        cmocka_unit_test(locals_are_the_hosts),        cmocka_unit_test(sizes_compare_as_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
