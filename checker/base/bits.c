// SPDX-License-Identifier: MIT
// BitSet: 64 indices a word. Invariant: bits at and beyond `size` are clear, so that words compare
// and count as they are.
#include "base/bits.h"

#include "base/err.h"

#include <string.h>

enum { WORD_BITS = 64 };

static uint32_t word_count(const BitSet *set)
{
    return set->size / WORD_BITS + (set->size % WORD_BITS != 0);
}

BitSet bits_new(Arena *arena, uint32_t size)
{
    BitSet set = {.words = NULL, .size = size};
    set.words = ARENA_ARRAY(arena, uint64_t, word_count(&set));
    return set;
}

bool bits_has(const BitSet *set, uint32_t index)
{
    BUG_ON(index >= set->size);
    return (set->words[index / WORD_BITS] >> (index % WORD_BITS)) & 1;
}

void bits_add(BitSet *set, uint32_t index)
{
    BUG_ON(index >= set->size);
    set->words[index / WORD_BITS] |= UINT64_C(1) << (index % WORD_BITS);
}

void bits_remove(BitSet *set, uint32_t index)
{
    BUG_ON(index >= set->size);
    set->words[index / WORD_BITS] &= ~(UINT64_C(1) << (index % WORD_BITS));
}

bool bits_union(BitSet *set, const BitSet *other)
{
    BUG_ON(set->size != other->size);
    uint64_t added = 0;
    for (uint32_t i = 0; i < word_count(set); i++) {
        added |= other->words[i] & ~set->words[i];
        set->words[i] |= other->words[i];
    }
    return added != 0;
}

bool bits_intersect(BitSet *set, const BitSet *other)
{
    BUG_ON(set->size != other->size);
    uint64_t removed = 0;
    for (uint32_t i = 0; i < word_count(set); i++) {
        removed |= set->words[i] & ~other->words[i];
        set->words[i] &= other->words[i];
    }
    return removed != 0;
}

bool bits_equal(const BitSet *a, const BitSet *b)
{
    return a->size == b->size && memcmp(a->words, b->words, word_count(a) * sizeof *a->words) == 0;
}

uint32_t bits_count(const BitSet *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < word_count(set); i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

uint32_t bits_next(const BitSet *set, uint32_t from)
{
    if (from >= set->size) return set->size;
    uint32_t word = from / WORD_BITS;
    uint64_t rest = set->words[word] & (~UINT64_C(0) << (from % WORD_BITS));
    while (rest == 0) {
        if (++word >= word_count(set)) return set->size;
        rest = set->words[word];
    }
    return word * WORD_BITS + (uint32_t)__builtin_ctzll(rest);
}
