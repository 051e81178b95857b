// SPDX-License-Identifier: MIT
// Range: what is known of an integer or pointer value: an interval and a few values it is not.
#ifndef CUDALINT_BASE_RANGE_H
#define CUDALINT_BASE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#define RANGE_MAX_EXCLUDED 4

typedef struct {
    int64_t lo, hi; // inclusive; INT64_MIN and INT64_MAX mean unbounded
    uint32_t excluded_count;
    int64_t excluded[RANGE_MAX_EXCLUDED]; // ascending, strictly inside the interval
} Range;

Range range_full(void);
Range range_point(int64_t value);
Range range_between(int64_t lo, int64_t hi);
bool range_is_empty(const Range *range);
bool range_is_full(const Range *range);
bool range_contains(const Range *range, int64_t value);
bool range_is_point(const Range *range, int64_t *value);
bool range_equal(const Range *a, const Range *b);
Range range_intersect(const Range *a, const Range *b);
// Removes one value; forgets the request when there is no room to remember it.
Range range_exclude(const Range *range, int64_t value);
// The smallest range that covers both.
Range range_hull(const Range *a, const Range *b);
// Hull of the old and the new range; a bound that moved goes on to -1, 0, 1 or without end, so that
// loops terminate.
Range range_widen(const Range *old, const Range *next);
// The range moved by a constant; bounds saturate.
Range range_shift(const Range *range, int64_t by);
// What the range's values become times a positive constant; bounds saturate.
Range range_scale(const Range *range, int64_t by);

#endif
