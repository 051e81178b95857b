// SPDX-License-Identifier: MIT
// PMap: persistent maps from 32-bit keys to 32-bit values (big-endian Patricia trees; Okasaki and
// Gill, "Fast Mergeable Integer Maps", 1998). Copying is free and merging costs as much as the two
// maps differ: that keeps states cheap at branches and joins.
#ifndef CUDALINT_ENGINE_PMAP_H
#define CUDALINT_ENGINE_PMAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct PMapNode PMapNode;

// A map is its root; NULL is the empty map. Nodes are never changed once built.
typedef const PMapNode *PMap;

// True and `*value` when the key is there.
bool pmap_get(PMap map, uint32_t key, uint32_t *value);
// The map with `key` bound to `value`; new nodes are allocated in `arena`. The same map when
// nothing changes.
PMap pmap_set(Arena *arena, PMap map, uint32_t key, uint32_t value);
PMap pmap_remove(Arena *arena, PMap map, uint32_t key);

// Calls `visit` for each binding, keys ascending.
void pmap_each(PMap map, void (*visit)(void *context, uint32_t key, uint32_t value), void *context);

// Says what two maps' differing bindings of one key become; `in_a`, `in_b` tell which maps have it.
// False: the key is dropped.
typedef bool (*PMapCombine)(void *context, uint32_t key, const uint32_t *in_a, const uint32_t *in_b,
                            uint32_t *out);
// The merged map. `combine` is not asked about subtrees that are the same node in both.
PMap pmap_merge(Arena *arena, PMap a, PMap b, PMapCombine combine, void *context);
bool pmap_equal(PMap a, PMap b);
// Calls `visit` for each key that the maps bind differently, or only one of them binds (the other
// argument is NULL), until it returns false. Subtrees that are the same node in both are passed
// over. False when it was stopped, or when `*limit` nodes had been looked at; those are taken off it.
bool pmap_each_difference(PMap a, PMap b, uint32_t *limit,
                          bool (*visit)(void *context, uint32_t key, const uint32_t *in_a,
                                        const uint32_t *in_b),
                          void *context);

#endif
