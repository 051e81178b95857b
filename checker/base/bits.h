// SPDX-License-Identifier: MIT
// BitSet: fixed-size sets of small indices, in an arena.
#ifndef CUDALINT_BASE_BITS_H
#define CUDALINT_BASE_BITS_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct {
    uint64_t *words; // ceil(size / 64) words
    uint32_t size;   // how many indices there are
} BitSet;

BitSet bits_new(Arena *arena, uint32_t size);
bool bits_has(const BitSet *set, uint32_t index);
void bits_add(BitSet *set, uint32_t index);
void bits_remove(BitSet *set, uint32_t index);
// Adds all of `other` (same size); true if that changed `set`.
bool bits_union(BitSet *set, const BitSet *other);
// Keeps what `other` (same size) has too; true if that changed `set`.
bool bits_intersect(BitSet *set, const BitSet *other);
bool bits_equal(const BitSet *a, const BitSet *b);
uint32_t bits_count(const BitSet *set);
// The first index >= `from` in the set, or set->size.
uint32_t bits_next(const BitSet *set, uint32_t from);

#endif
