// SPDX-License-Identifier: MIT
// Vec: growable typed arrays in an arena. `Vec(T)` is a struct of items, len and cap;
// zero-initialised means empty. Growing copies within the arena; pointers into `items` die on push,
// indices do not.
#ifndef CUDALINT_BASE_VEC_H
#define CUDALINT_BASE_VEC_H

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#define Vec(T)                                                                                     \
    struct {                                                                                       \
        T *items;                                                                                  \
        uint32_t len;                                                                              \
        uint32_t cap;                                                                              \
    }

// Appends `item`, growing in `arena`.
#define vec_push(arena, vec, item)                                                                 \
    ((void)((vec)->len == (vec)->cap                                                               \
                ? ((vec)->items =                                                                  \
                       vec_grow((arena), (vec)->items, &(vec)->cap, sizeof *(vec)->items),         \
                   0)                                                                              \
                : 0),                                                                              \
     (void)((vec)->items[(vec)->len++] = (item)))

#define vec_last(vec) (&(vec)->items[(vec)->len - 1])

// Doubles the capacity (from 8) and copies. Used by vec_push alone.
static inline void *vec_grow(Arena *arena, const void *items, uint32_t *cap, size_t item_size)
{
    uint32_t new_cap = *cap == 0 ? 8 : *cap * 2;
    void *grown = arena_alloc(arena, item_size * new_cap);
    if (items) memcpy(grown, items, item_size * *cap);
    *cap = new_cap;
    return grown;
}

#endif
