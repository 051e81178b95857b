// SPDX-License-Identifier: MIT
// Intervals with holes.
#include "base/range.h"

Range range_full(void)
{
    return range_between(INT64_MIN, INT64_MAX);
}

Range range_point(int64_t value)
{
    return range_between(value, value);
}

Range range_between(int64_t lo, int64_t hi)
{
    return (Range){.lo = lo, .hi = hi};
}

bool range_is_empty(const Range *range)
{
    return range->lo > range->hi;
}

bool range_is_full(const Range *range)
{
    return range->lo == INT64_MIN && range->hi == INT64_MAX && range->excluded_count == 0;
}

static bool is_excluded(const Range *range, int64_t value)
{
    for (uint32_t i = 0; i < range->excluded_count; i++)
        if (range->excluded[i] == value) return true;
    return false;
}

bool range_contains(const Range *range, int64_t value)
{
    return range->lo <= value && value <= range->hi && !is_excluded(range, value);
}

bool range_is_point(const Range *range, int64_t *value)
{
    if (range->lo != range->hi) return false;
    *value = range->lo;
    return true;
}

bool range_equal(const Range *a, const Range *b)
{
    if (a->lo != b->lo || a->hi != b->hi || a->excluded_count != b->excluded_count) return false;
    for (uint32_t i = 0; i < a->excluded_count; i++)
        if (a->excluded[i] != b->excluded[i]) return false;
    return true;
}

// Moves the bounds past excluded values and drops those that no longer lie inside.
static Range normalise(Range range)
{
    while (range.lo <= range.hi && is_excluded(&range, range.lo) && range.lo != INT64_MAX)
        range.lo++;
    while (range.lo <= range.hi && is_excluded(&range, range.hi) && range.hi != INT64_MIN)
        range.hi--;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < range.excluded_count; i++)
        if (range.lo < range.excluded[i] && range.excluded[i] < range.hi)
            range.excluded[kept++] = range.excluded[i];
    for (uint32_t i = kept; i < RANGE_MAX_EXCLUDED; i++) range.excluded[i] = 0;
    range.excluded_count = kept;
    return range;
}

Range range_exclude(const Range *range, int64_t value)
{
    Range out = *range;
    if (!range_contains(&out, value)) return out;
    if (value == out.lo && value == out.hi) return range_between(1, 0);
    if (value == out.lo) {
        out.lo++;
        return normalise(out);
    }
    if (value == out.hi) {
        out.hi--;
        return normalise(out);
    }
    if (out.excluded_count == RANGE_MAX_EXCLUDED) return out;
    uint32_t at = out.excluded_count++;
    while (at > 0 && out.excluded[at - 1] > value) {
        out.excluded[at] = out.excluded[at - 1];
        at--;
    }
    out.excluded[at] = value;
    return out;
}

Range range_intersect(const Range *a, const Range *b)
{
    Range out = *a;
    if (b->lo > out.lo) out.lo = b->lo;
    if (b->hi < out.hi) out.hi = b->hi;
    out = normalise(out);
    for (uint32_t i = 0; i < b->excluded_count && !range_is_empty(&out); i++)
        out = range_exclude(&out, b->excluded[i]);
    return out;
}

Range range_hull(const Range *a, const Range *b)
{
    Range out = range_between(a->lo < b->lo ? a->lo : b->lo, a->hi > b->hi ? a->hi : b->hi);
    for (uint32_t i = 0; i < a->excluded_count; i++)
        if (!range_contains(b, a->excluded[i])) out = range_exclude(&out, a->excluded[i]);
    for (uint32_t i = 0; i < b->excluded_count; i++)
        if (!range_contains(a, b->excluded[i])) out = range_exclude(&out, b->excluded[i]);
    // The two intervals may leave zero between them: the fact that matters most; or a few values, as
    // the cases of a switch do.
    if (!range_contains(a, 0) && !range_contains(b, 0)) out = range_exclude(&out, 0);
    const Range *low = a->hi < b->lo ? a : b, *high = low == a ? b : a;
    uint64_t between = low->hi < high->lo ? (uint64_t)high->lo - (uint64_t)low->hi - 1 : 0;
    for (uint64_t i = 1; i <= between && between <= RANGE_MAX_EXCLUDED; i++)
        out = range_exclude(&out, low->hi + (int64_t)i);
    return out;
}

Range range_widen(const Range *old, const Range *next)
{
    Range out = range_hull(old, next);
    if (out.lo < old->lo) out.lo = out.lo >= 1 ? 1 : out.lo == 0 ? 0 : INT64_MIN;
    if (out.hi > old->hi) out.hi = out.hi <= -1 ? -1 : out.hi == 0 ? 0 : INT64_MAX;
    if (!range_contains(old, 0) && !range_contains(next, 0)) out = range_exclude(&out, 0);
    return out;
}

static int64_t add_saturating(int64_t bound, int64_t by)
{
    if (bound == INT64_MIN || bound == INT64_MAX) return bound;
    int64_t sum;
    if (!__builtin_add_overflow(bound, by, &sum)) return sum;
    return by > 0 ? INT64_MAX : INT64_MIN;
}

static int64_t multiply_saturating(int64_t a, int64_t by)
{
    int64_t product;
    if (!__builtin_mul_overflow(a, by, &product)) return product;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

Range range_scale(const Range *range, int64_t by)
{
    Range out =
        range_between(multiply_saturating(range->lo, by), multiply_saturating(range->hi, by));
    return range_contains(range, 0) ? out : range_exclude(&out, 0);
}

Range range_shift(const Range *range, int64_t by)
{
    Range out = range_between(add_saturating(range->lo, by), add_saturating(range->hi, by));
    for (uint32_t i = 0; i < range->excluded_count; i++) {
        int64_t moved = add_saturating(range->excluded[i], by);
        if (out.lo < moved && moved < out.hi) out.excluded[out.excluded_count++] = moved;
    }
    return out;
}
