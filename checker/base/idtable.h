// SPDX-License-Identifier: MIT
// IdTable: a hash table from 64-bit hashes to the ids of things kept elsewhere, for interning. The
// caller compares candidates itself: that keeps the table free of callbacks.
#ifndef CUDALINT_BASE_IDTABLE_H
#define CUDALINT_BASE_IDTABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// Zero-initialised means empty.
typedef struct {
    uint64_t *hashes; // 0: free slot
    uint32_t *ids;
    uint32_t capacity; // a power of two
    uint32_t count;
} IdTable;

// Walks the ids stored under `hash`: start with `*cursor` = 0; false when there are no more.
bool idtable_next(const IdTable *table, uint64_t hash, uint32_t *cursor, uint32_t *id);
void idtable_add(Arena *arena, IdTable *table, uint64_t hash, uint32_t id);

// Mixes a value into a hash (the finaliser of splitmix64).
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    uint64_t x = hash + UINT64_C(0x9e3779b97f4a7c15) + value;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
