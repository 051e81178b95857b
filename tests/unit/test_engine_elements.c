// SPDX-License-Identifier: MIT
// The engine on elements of arrays: which of them a round of a loop works on.
#include "engine_expect.h"

// Each round releases, as another kind, what lies in one element, and then fills one.
#define ROUNDS(dropped, filled, step)                                                              \
    "func f(a: void**, n: int, k: int) {\n"                                                        \
    "  var i: int\n  i = 0\n  jump head\n"                                                         \
    "head:\n  branch i < n ? body : out @2:1\n"                                                    \
    "body:\n  call drop_gadget(" dropped ") @3:1\n"                                                \
    "  call make(&" filled ") @4:1\n" step "  jump head\n"                                         \
    "out:\n"
#define UP "  i = i + 1\n"
#define DOWN "  i = i - 1\n"
#define END "  return @9:1\n}\n"

static void each_round_has_an_element_of_its_own(void **state)
{
    (void)state;
    expect(ROUNDS("a[i]", "a[i]", UP) END, "");
    expect(ROUNDS("a[i + 1]", "a[i]", UP) END, "");
    expect(ROUNDS("a[i]", "a[i]", DOWN) END, "");
}

static void an_index_that_stays_names_the_same_element(void **state)
{
    (void)state;
    expect(ROUNDS("a[k]", "a[k]", UP) END, "wrong-release a[k] @3\n");
    expect(ROUNDS("a[i]", "a[i]", "") END, "wrong-release a[i] @3\n");
}

// It may be the element that the round before filled, but need not be.
static void of_elements_that_may_be_one_nothing_is_said(void **state)
{
    (void)state;
    expect(ROUNDS("a[i - 1]", "a[i]", UP) END, "");
    expect(ROUNDS("a[k]", "a[i]", UP) END, "");
}

static void a_later_loop_comes_to_all_elements(void **state)
{
    (void)state;
    expect(ROUNDS("a[i]", "a[i]", UP) "  var j: int\n  j = 0\n  jump again\n"
                                      "again:\n  branch j < n ? each : end @6:1\n"
                                      "each:\n  call drop_gadget(a[j]) @7:1\n  j = j + 1\n"
                                      "  jump again\n"
                                      "end:\n" END,
           "wrong-release a[i] @7\n");
}

// Stored by way of a pointer to the element.
static void an_element_is_filled_through_a_pointer(void **state)
{
    (void)state;
    expect("func f(a: void**, n: int) {\n"
           "  var i: int\n  var p: void**\n  i = 0\n  jump head\n"
           "head:\n  branch i < n ? body : out @2:1\n"
           "body:\n  p = &a[i]\n  call drop_gadget(*p) @3:1\n  call make(p) @4:1\n" UP
           "  jump head\n"
           "out:\n" END,
           "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_has_an_element_of_its_own),
        cmocka_unit_test(an_index_that_stays_names_the_same_element),
        cmocka_unit_test(of_elements_that_may_be_one_nothing_is_said),
        cmocka_unit_test(a_later_loop_comes_to_all_elements),
        cmocka_unit_test(an_element_is_filled_through_a_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
