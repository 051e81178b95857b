// SPDX-License-Identifier: MIT
// The rules as filters of events: which rule claims what, where its finding points, and how it is
// worded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "rule/registry.h"

#include <string.h>

static const SrcLoc ACQUIRED = {.file = "a.cu", .line = 3, .column = 5};
static const SrcLoc HERE = {.file = "a.cu", .line = 9, .column = 7};

static int set_up(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static Event event_of(EventKind kind)
{
    return (Event){
        .kind = kind,
        .loc = HERE,
        .name = "d_a",
        .kind_title = "device memory",
        .acquired_by = "cudaMalloc",
        .acquired_at = ACQUIRED,
        .release_hint = "cudaFree",
        .must_release = true,
        .exit_count = 1,
    };
}

static FindingList dispatch(Arena *arena, const Event *event)
{
    FindingList found = {0};
    RuleLevels levels = rule_levels_default(arena);
    rule_dispatch(arena, &levels, "f", event, NULL, 0, &found);
    return found;
}

static void assert_says(void **state, const Event *event, const char *rule, const char *message)
{
    FindingList found = dispatch(*state, event);
    assert_int_equal(found.len, 1);
    assert_string_equal(found.items[0].rule, rule);
    assert_string_equal(found.items[0].message, message);
}

// Whatever ends an owner, exactly one rule reports it; what nobody must release, none does.
static void test_one_loss_is_one_finding(void **state)
{
    for (unsigned bits = 0; bits < 48; bits++) {
        Event event = event_of(bits & 1 ? EV_OVERWRITE : EV_LEAK_AT_EXIT);
        event.must_release = bits & 2;
        event.in_loop = bits & 4;
        event.released_elsewhere = bits & 8;
        event.exit = (ExitKind)(bits / 16);
        assert_int_equal(dispatch(*state, &event).len, event.must_release ? 1 : 0);
    }
}

static void test_every_event_has_a_rule(void **state)
{
    for (int kind = 0; kind < EV_COUNT; kind++) {
        Event event = event_of((EventKind)kind);
        FindingList found = dispatch(*state, &event);
        assert_int_equal(found.len, 1);
        assert_true(strstr(found.items[0].message, "'d_a'") != NULL);
        assert_string_equal(found.items[0].subject, "d_a");
    }
}

// Fields that need not be known may be missing.
static void test_sparse_events(void **state)
{
    for (int kind = 0; kind < EV_COUNT; kind++) {
        Event event = {.kind = (EventKind)kind, .loc = HERE, .name = "p", .kind_title = "stream"};
        event.must_release = true;
        event.acquired_by = kind <= EV_OVERWRITE ? "make" : NULL;
        FindingList found = dispatch(*state, &event);
        assert_int_equal(found.len, 1);
        assert_null(strstr(found.items[0].message, "(null)"));
        assert_int_equal(found.items[0].loc.line, HERE.line);
    }
}

static void test_leaks_that_point_at_the_acquisition(void **state)
{
    Event event = event_of(EV_LEAK_AT_EXIT);
    FindingList found = dispatch(*state, &event);
    assert_string_equal(found.items[0].rule, "leak");
    assert_int_equal(found.items[0].loc.line, ACQUIRED.line);
    event.in_loop = true;
    found = dispatch(*state, &event);
    assert_string_equal(found.items[0].rule, "leak-in-loop");
    assert_int_equal(found.items[0].loc.line, ACQUIRED.line);
    event = event_of(EV_OVERWRITE);
    event.in_loop = true;
    found = dispatch(*state, &event);
    assert_string_equal(found.items[0].rule, "leak-in-loop");
    assert_int_equal(found.items[0].loc.line, ACQUIRED.line);
}

static void test_leaks_that_point_at_the_exit(void **state)
{
    Event event = event_of(EV_LEAK_AT_EXIT);
    event.released_elsewhere = true;
    event.exit_count = 2;
    FindingList found = dispatch(*state, &event);
    assert_int_equal(found.items[0].loc.line, HERE.line);
    assert_says(state, &event, "leak-on-return",
                "'d_a' (device memory from cudaMalloc) is not released on this return and "
                "on 1 more exit; other paths call cudaFree");
    event.exit_count = 3;
    event.loc.macro = "CHECK";
    assert_says(state, &event, "leak-on-return",
                "'d_a' (device memory from cudaMalloc) is not released on the return inside CHECK "
                "and on 2 more exits; other paths call cudaFree");
    event.exit = EXIT_THROW;
    event.in_loop = true;
    event.exit_count = 1;
    assert_says(state, &event, "leak-on-throw",
                "'d_a' (device memory from cudaMalloc) is lost when CHECK throws here: "
                "no handler or destructor calls cudaFree");
}

static void test_second_release_names_the_first(void **state)
{
    Event event = event_of(EV_DOUBLE_RELEASE);
    event.callee = "cudaFree";
    event.released_by = "cudaFreeAsync";
    event.released_at = (SrcLoc){.file = "a.cu", .line = 6, .column = 1};
    assert_says(state, &event, "double-free",
                "'d_a' (device memory from cudaMalloc) is released again by cudaFree; "
                "cudaFreeAsync already released it on line 6");
    event.released_at.file = "b.cu";
    assert_says(state, &event, "double-free",
                "'d_a' (device memory from cudaMalloc) is released again by cudaFree; "
                "cudaFreeAsync already released it at b.cu:6");
    event.released_at = HERE;
    assert_says(state, &event, "double-free",
                "'d_a' (device memory from cudaMalloc) is released again by cudaFree; "
                "cudaFreeAsync already released it at this same place");
}

static void test_wrong_release_says_what_is_right(void **state)
{
    Event event = event_of(EV_WRONG_RELEASE);
    event.callee = "free";
    assert_says(state, &event, "mismatched-free",
                "'d_a' (device memory from cudaMalloc) cannot be released by free; call cudaFree");
    event.callee = "cudaFree";
    event.expected = "d_a";
    assert_says(state, &event, "mismatched-free",
                "cudaFree is given the address of 'd_a', not its value; pass 'd_a'");
}

static void test_bad_argument_says_what_was_meant(void **state)
{
    Event event = event_of(EV_BAD_ARGUMENT);
    event.callee = "cudaMalloc";
    event.expected = "&d_a";
    assert_says(state, &event, "alloc-arg",
                "cudaMalloc is given the value of 'd_a' as the place for its result; "
                "pass '&d_a'");
}

static void test_trust_in_the_driver_is_a_note(void **state)
{
    Event event = event_of(EV_RELEASE_IN_FLIGHT);
    event.callee = "cudaFree";
    event.work_by = "k";
    event.work_at = ACQUIRED;
    assert_int_equal(dispatch(*state, &event).items[0].severity, SEV_ERROR);
    event.driver_waits = true;
    assert_int_equal(dispatch(*state, &event).items[0].severity, SEV_NOTE);
    Err err = {.arena = *state};
    RuleLevels levels = rule_levels_default(*state);
    assert_int_equal(rule_levels_set(&levels, "free-in-flight", SEV_WARNING, &err), ST_OK);
    FindingList found = {0};
    rule_dispatch(*state, &levels, "f", &event, NULL, 0, &found);
    assert_int_equal(found.items[0].severity, SEV_WARNING);
}

static void test_metadata(void **state)
{
    (void)state;
    assert_int_equal(rule_count() >= 12, 1);
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        const char *page = rule_page(rule->slug);
        assert_non_null(page);
        assert_non_null(strstr(page, "## Known limits"));
        assert_true(rule->title[strlen(rule->title) - 1] != '.');
        assert_true(i == 0 || strcmp(rule_at(i - 1)->slug, rule->slug) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_loss_is_one_finding, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_event_has_a_rule, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sparse_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaks_that_point_at_the_acquisition, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_leaks_that_point_at_the_exit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_second_release_names_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_release_says_what_is_right, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_argument_says_what_was_meant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_trust_in_the_driver_is_a_note, set_up, tear_down),
        cmocka_unit_test(test_metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
