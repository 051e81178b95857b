// SPDX-License-Identifier: MIT
// The algebra of ranges against membership of sample values: no operation may lose a value that it
// must keep.
#include "base/range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static int64_t random_bound(uint64_t *seed)
{
    uint32_t pick = next_random(seed) % 12;
    return pick == 0 ? INT64_MIN : pick == 1 ? INT64_MAX : (int64_t)(next_random(seed) % 17) - 8;
}

static Range random_range(uint64_t *seed)
{
    int64_t a = random_bound(seed), b = random_bound(seed);
    Range range = range_between(a < b ? a : b, a < b ? b : a);
    for (uint32_t i = next_random(seed) % 6; i > 0; i--) {
        Range holed = range_exclude(&range, (int64_t)(next_random(seed) % 21) - 10);
        if (!range_is_empty(&holed)) range = holed;
    }
    return range;
}

static void check_form(const Range *range)
{
    if (range_is_empty(range)) return;
    assert_true(range_contains(range, range->lo));
    assert_true(range_contains(range, range->hi));
    assert_true(range->excluded_count <= RANGE_MAX_EXCLUDED);
    for (uint32_t i = 0; i < range->excluded_count; i++) {
        assert_true(range->lo < range->excluded[i] && range->excluded[i] < range->hi);
        if (i > 0) assert_true(range->excluded[i - 1] < range->excluded[i]);
    }
}

static const int64_t far[] = {INT64_MIN, INT64_MIN + 1, -1000, 1000, INT64_MAX - 1, INT64_MAX};
#define SAMPLES (41 + 6)

static int64_t sample(int i)
{
    return i < 41 ? i - 20 : far[i - 41];
}

static void hull_covers_both(void **context)
{
    (void)context;
    uint64_t seed = 1;
    for (int round = 0; round < 5000; round++) {
        Range a = random_range(&seed), b = random_range(&seed), hull = range_hull(&a, &b);
        check_form(&hull);
        for (int i = 0; i < SAMPLES; i++)
            if (range_contains(&a, sample(i)) || range_contains(&b, sample(i)))
                assert_true(range_contains(&hull, sample(i)));
        assert_true(hull.lo == (a.lo < b.lo ? a.lo : b.lo) &&
                    hull.hi == (a.hi > b.hi ? a.hi : b.hi));
        if (!range_contains(&a, 0) && !range_contains(&b, 0) &&
            hull.excluded_count < RANGE_MAX_EXCLUDED)
            assert_false(range_contains(&hull, 0));
    }
}

static void hull_keeps_a_small_gap(void **context)
{
    (void)context;
    Range low = range_between(INT64_MIN, -1), high = range_between(3, INT64_MAX);
    Range hull = range_hull(&high, &low);
    for (int64_t value = 0; value < 3; value++) assert_false(range_contains(&hull, value));
    assert_true(range_contains(&hull, -1) && range_contains(&hull, 3));
    Range least = range_point(INT64_MIN), greatest = range_point(INT64_MAX);
    hull = range_hull(&least, &greatest);
    assert_true(range_contains(&hull, 1) && !range_contains(&hull, 0));
}

static void intersection_keeps_what_both_have(void **context)
{
    (void)context;
    uint64_t seed = 2;
    for (int round = 0; round < 5000; round++) {
        Range a = random_range(&seed), b = random_range(&seed), both = range_intersect(&a, &b);
        check_form(&both);
        for (int i = 0; i < SAMPLES; i++) {
            if (range_contains(&a, sample(i)) && range_contains(&b, sample(i)))
                assert_true(range_contains(&both, sample(i)));
            if (!range_contains(&a, sample(i))) assert_false(range_contains(&both, sample(i)));
        }
    }
}

static void exclusion_loses_that_value_alone(void **context)
{
    (void)context;
    uint64_t seed = 3;
    for (int round = 0; round < 5000; round++) {
        Range a = random_range(&seed);
        int64_t value = sample((int)(next_random(&seed) % SAMPLES));
        Range out = range_exclude(&a, value);
        check_form(&out);
        for (int i = 0; i < SAMPLES; i++)
            if (sample(i) != value)
                assert_int_equal(range_contains(&out, sample(i)), range_contains(&a, sample(i)));
        if (a.excluded_count < RANGE_MAX_EXCLUDED) assert_false(range_contains(&out, value));
    }
}

static void widening_covers_and_ends(void **context)
{
    (void)context;
    uint64_t seed = 4;
    for (int round = 0; round < 2000; round++) {
        Range now = random_range(&seed);
        int changes = 0;
        for (int step = 0; step < 60; step++) {
            Range next = random_range(&seed), wide = range_widen(&now, &next);
            check_form(&wide);
            for (int i = 0; i < SAMPLES; i++)
                if (range_contains(&now, sample(i)) || range_contains(&next, sample(i)))
                    assert_true(range_contains(&wide, sample(i)));
            changes += !range_equal(&wide, &now);
            now = wide;
        }
        assert_true(changes <= 12);
    }
}

static void widening_keeps_the_sign(void **context)
{
    (void)context;
    Range zero = range_point(0), one = range_point(1);
    Range counter = range_widen(&zero, &one);
    assert_true(counter.lo == 0 && counter.hi == INT64_MAX);
    Range two = range_point(2), three = range_point(3);
    Range down = range_widen(&three, &two);
    assert_true(down.lo == 1 && down.hi == 3);
    Range minus = range_point(-3), minus_two = range_point(-2);
    Range up = range_widen(&minus, &minus_two);
    assert_true(up.lo == -3 && up.hi == -1);
    Range mixed = range_widen(&minus, &one);
    assert_false(range_contains(&mixed, 0));
}

static void shifting_moves_every_value(void **context)
{
    (void)context;
    uint64_t seed = 5;
    for (int round = 0; round < 5000; round++) {
        Range a = random_range(&seed);
        int64_t by = (int64_t)(next_random(&seed) % 9) - 4;
        Range moved = range_shift(&a, by);
        check_form(&moved);
        for (int64_t value = -20; value <= 20; value++)
            assert_int_equal(range_contains(&moved, value + by), range_contains(&a, value));
    }
}

static void bounds_saturate(void **context)
{
    (void)context;
    Range top = range_between(INT64_MAX - 1, INT64_MAX - 1), moved = range_shift(&top, 5);
    assert_true(moved.hi == INT64_MAX);
    Range from_one = range_between(1, INT64_MAX), down = range_shift(&from_one, -1);
    assert_true(down.lo == 0 && down.hi == INT64_MAX);
    Range all = range_full(), still = range_shift(&all, 7);
    assert_true(range_is_full(&still));
}

static void empty_and_point(void **context)
{
    (void)context;
    Range five = range_point(5), four = range_point(4), none = range_intersect(&five, &four);
    int64_t value;
    assert_true(range_is_empty(&none));
    assert_true(range_is_point(&five, &value) && value == 5);
    Range gone = range_exclude(&five, 5);
    assert_true(range_is_empty(&gone));
    Range pair = range_between(4, 5), left = range_exclude(&pair, 4);
    assert_true(range_is_point(&left, &value) && value == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hull_covers_both),
        cmocka_unit_test(hull_keeps_a_small_gap),
        cmocka_unit_test(intersection_keeps_what_both_have),
        cmocka_unit_test(exclusion_loses_that_value_alone),
        cmocka_unit_test(widening_covers_and_ends),
        cmocka_unit_test(widening_keeps_the_sign),
        cmocka_unit_test(shifting_moves_every_value),
        cmocka_unit_test(bounds_saturate),
        cmocka_unit_test(empty_and_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
