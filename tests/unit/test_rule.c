// SPDX-License-Identifier: MIT
// The registry and the dispatch of events, with the rules that are there: nothing here names a rule
// that it needs.
#include "rule/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const Event double_release = {
    .kind = EV_DOUBLE_RELEASE,
    .loc = {.file = "a.cu", .line = 9, .column = 5, .macro = "CHECK"},
    .name = "d_a",
    .kind_title = "device memory",
    .acquired_by = "cudaMalloc",
    .acquired_at = {.file = "a.cu", .line = 3, .column = 5},
    .release_hint = "cudaFree",
    .must_release = true,
    .callee = "cudaFree",
    .released_at = {.file = "a.cu", .line = 8, .column = 5},
    .released_by = "cudaFree",
    .released_elsewhere = true,
};

static FindingList dispatch(Arena *arena, const RuleLevels *levels)
{
    FindingStep steps[] = {
        {.loc = double_release.acquired_at, .text = "allocated here"},
        {.loc = double_release.loc, .text = "released again here"},
    };
    FindingList findings = {0};
    rule_dispatch(arena, levels, "f", &double_release, steps, 2, &findings);
    memset(steps, 0x5a, sizeof steps); // the findings must not borrow them
    return findings;
}

static void test_sorted_and_found(void **state)
{
    (void)state;
    assert_true(rule_count() > 0);
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        assert_ptr_equal(rule_find(rule->slug), rule);
        if (i != 0) assert_true(strcmp(rule_at(i - 1)->slug, rule->slug) < 0);
    }
    assert_null(rule_find("no-such-rule"));
    assert_null(rule_find(""));
}

static void test_every_rule_is_described(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        const char *page = rule_page(rule->slug);
        assert_non_null(page);
        assert_memory_equal(page, "# ", 2);
        assert_memory_equal(page + 2, rule->slug, strlen(rule->slug));
        assert_true((rule->wants != 0) == (rule->on_event != NULL));
        assert_true(rule->wants < EV_BIT(EV_COUNT));
        assert_true(rule->severity != SEV_OFF);
    }
    assert_null(rule_page("no-such-rule"));
}

static void test_finding_of_an_event(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    RuleLevels levels = rule_levels_default(arena);
    FindingList findings = dispatch(arena, &levels);
    assert_int_equal(findings.len, 1);
    const Finding *finding = &findings.items[0];
    const Rule *rule = rule_find(finding->rule);
    assert_non_null(rule);
    assert_true((rule->wants & EV_BIT(EV_DOUBLE_RELEASE)) != 0);
    assert_int_equal(finding->severity, rule->severity);
    assert_string_equal(finding->function, "f");
    assert_string_equal(finding->subject, "d_a");
    assert_non_null(strstr(finding->message, "d_a"));
    assert_int_equal(finding->steps.len, 2);
    assert_string_equal(finding->steps.items[1].text, "released again here");
    assert_string_equal(finding->loc.file, "a.cu");
    arena_free(arena);
}

static void test_levels(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    RuleLevels levels = rule_levels_default(arena);
    const char *slug = dispatch(arena, &levels).items[0].rule;
    Err err = {.arena = arena};

    assert_int_equal(rule_levels_set(&levels, slug, SEV_NOTE, &err), ST_OK);
    assert_int_equal(dispatch(arena, &levels).items[0].severity, SEV_NOTE);
    assert_int_equal(rule_levels_set(&levels, slug, SEV_OFF, &err), ST_OK);
    assert_int_equal(dispatch(arena, &levels).len, 0);

    assert_int_equal(rule_levels_set(&levels, "no-such-rule-at-all", SEV_OFF, &err), ST_USAGE);
    assert_string_equal(err.message,
                        "there is no rule 'no-such-rule-at-all'; 'cudalint rules' lists them");
    const char *typo = arena_printf(arena, "%sx", slug);
    assert_int_equal(rule_levels_set(&levels, typo, SEV_OFF, &err), ST_USAGE);
    assert_string_equal(
        err.message, arena_printf(arena, "there is no rule '%s'; did you mean '%s'?", typo, slug));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted_and_found),
        cmocka_unit_test(test_every_rule_is_described),
        cmocka_unit_test(test_finding_of_an_event),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
