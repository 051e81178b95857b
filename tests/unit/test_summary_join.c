// SPDX-License-Identifier: MIT
// Joining the summaries of the functions that one call may reach.
#include "summary/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const SummaryPath argument = {.root = SP_ARGUMENT, .argument = 1};
static const SummaryPath other_argument = {.root = SP_ARGUMENT, .argument = 2};

typedef struct {
    Arena *arena;
    Summary a, b, joined;
} Join;

static Join open_join(void)
{
    Join it = {.arena = arena_new("test")};
    it.a = it.b = (Summary){.known = true, .outcomes = OUTCOME_RETURNED};
    return it;
}

static void add(Join *it, Summary *summary, SummaryEffectKind kind, SummaryPath path, uint32_t must,
                uint32_t may)
{
    SummaryEffect effect = {.kind = kind, .path = path, .must = must, .may = may};
    summary_add(it->arena, summary, effect);
}

static void join(Join *it)
{
    const Summary *both[] = {&it->a, &it->b};
    summary_join(it->arena, &it->joined, both, 2);
}

static void test_certain_in_both(void **state)
{
    (void)state;
    Join it = open_join();
    add(&it, &it.a, SE_RELEASE, argument, OUTCOME_RETURNED, OUTCOME_RETURNED);
    add(&it, &it.b, SE_RELEASE, argument, OUTCOME_ZERO, OUTCOME_RETURNED);
    join(&it);
    const SummaryEffect *effect = summary_find(&it.joined, SE_RELEASE, &argument);
    assert_non_null(effect);
    assert_int_equal(effect->must, OUTCOME_ZERO);
    assert_int_equal(effect->may, OUTCOME_RETURNED);
    arena_free(it.arena);
}

static void test_possible_in_one(void **state)
{
    (void)state;
    Join it = open_join();
    add(&it, &it.a, SE_RELEASE, argument, OUTCOME_RETURNED, OUTCOME_RETURNED);
    join(&it);
    const SummaryEffect *effect = summary_find(&it.joined, SE_RELEASE, &argument);
    assert_non_null(effect);
    assert_int_equal(effect->must, 0);
    assert_int_equal(effect->may, OUTCOME_RETURNED);
    arena_free(it.arena);
}

static void test_outcomes_that_one_never_has(void **state)
{
    (void)state;
    Join it = open_join();
    it.b.outcomes = OUTCOME_ZERO;
    add(&it, &it.a, SE_RELEASE, argument, OUTCOME_RETURNED, OUTCOME_RETURNED);
    add(&it, &it.b, SE_RELEASE, argument, OUTCOME_ZERO, OUTCOME_ZERO);
    join(&it);
    assert_int_equal(it.joined.outcomes, OUTCOME_RETURNED);
    assert_int_equal(summary_find(&it.joined, SE_RELEASE, &argument)->must, OUTCOME_RETURNED);
    arena_free(it.arena);
}

static void test_looked_at_by_all(void **state)
{
    (void)state;
    Join it = open_join();
    add(&it, &it.a, SE_MAY_KEEP, argument, 0, 0);
    add(&it, &it.b, SE_MAY_KEEP, argument, 0, OUTCOME_ZERO);
    add(&it, &it.a, SE_MAY_KEEP, other_argument, 0, 0);
    join(&it);
    assert_int_equal(summary_find(&it.joined, SE_MAY_KEEP, &argument)->may, OUTCOME_ZERO);
    assert_null(summary_find(&it.joined, SE_MAY_KEEP, &other_argument));
    arena_free(it.arena);
}

static void test_different_releases(void **state)
{
    (void)state;
    Join it = open_join();
    int one, two;
    SummaryEffect effect = {
        .kind = SE_RELEASE, .path = argument, .must = OUTCOME_ZERO, .may = OUTCOME_ZERO};
    effect.effect = &one;
    summary_add(it.arena, &it.a, effect);
    effect.effect = &two;
    summary_add(it.arena, &it.b, effect);
    join(&it);
    assert_null(summary_find(&it.joined, SE_RELEASE, &argument)->effect);
    arena_free(it.arena);
}

static void test_one_unknown(void **state)
{
    (void)state;
    Join it = open_join();
    it.b.known = false;
    join(&it);
    assert_false(it.joined.known);
    arena_free(it.arena);
}

static void test_open_may_keep(void **state)
{
    (void)state;
    Join it = open_join();
    add(&it, &it.a, SE_MAY_KEEP, argument, 0, 0);
    summary_open(it.arena, &it.a);
    assert_int_equal(summary_find(&it.a, SE_MAY_KEEP, &argument)->may, OUTCOME_RETURNED);
    arena_free(it.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certain_in_both),
        cmocka_unit_test(test_possible_in_one),
        cmocka_unit_test(test_outcomes_that_one_never_has),
        cmocka_unit_test(test_looked_at_by_all),
        cmocka_unit_test(test_different_releases),
        cmocka_unit_test(test_one_unknown),
        cmocka_unit_test(test_open_may_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
