// SPDX-License-Identifier: MIT
// Persistent Patricia maps: a branch node splits its keys at one bit, everything above that bit is
// its prefix.
#include "engine/pmap.h"

#include <stddef.h>

struct PMapNode {
    uint32_t prefix;      // leaf: the key; branch: the common high bits
    uint32_t bit;         // branch: the bit that splits; 0 for a leaf
    uint32_t value;       // leaf
    const PMapNode *zero; // branch: keys with the bit clear
    const PMapNode *one;  // branch: keys with the bit set
};

static uint32_t prefix_of(uint32_t key, uint32_t bit)
{
    return key & ~((bit << 1) - 1);
}

static bool matches(const PMapNode *branch, uint32_t key)
{
    return prefix_of(key, branch->bit) == branch->prefix;
}

static PMap leaf(Arena *arena, uint32_t key, uint32_t value)
{
    PMapNode *node = ARENA_NEW(arena, PMapNode);
    node->prefix = key;
    node->value = value;
    return node;
}

// A branch of two subtrees; an empty side disappears.
static PMap branch(Arena *arena, uint32_t prefix, uint32_t bit, PMap zero, PMap one)
{
    if (!zero) return one;
    if (!one) return zero;
    PMapNode *node = ARENA_NEW(arena, PMapNode);
    node->prefix = prefix;
    node->bit = bit;
    node->zero = zero;
    node->one = one;
    return node;
}

// Joins two trees whose prefixes differ.
static PMap join(Arena *arena, uint32_t key_a, PMap a, uint32_t key_b, PMap b)
{
    uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(key_a ^ key_b));
    uint32_t prefix = prefix_of(key_a, bit);
    return key_a & bit ? branch(arena, prefix, bit, b, a) : branch(arena, prefix, bit, a, b);
}

bool pmap_get(PMap map, uint32_t key, uint32_t *value)
{
    while (map && map->bit) map = key & map->bit ? map->one : map->zero;
    if (!map || map->prefix != key) return false;
    *value = map->value;
    return true;
}

PMap pmap_set(Arena *arena, PMap map, uint32_t key, uint32_t value)
{
    if (!map) return leaf(arena, key, value);
    if (!map->bit) {
        if (map->prefix != key) return join(arena, key, leaf(arena, key, value), map->prefix, map);
        return map->value == value ? map : leaf(arena, key, value);
    }
    if (!matches(map, key)) return join(arena, key, leaf(arena, key, value), map->prefix, map);
    PMap old = key & map->bit ? map->one : map->zero;
    PMap new = pmap_set(arena, old, key, value);
    if (new == old) return map;
    return key & map->bit ? branch(arena, map->prefix, map->bit, map->zero, new)
                          : branch(arena, map->prefix, map->bit, new, map->one);
}

PMap pmap_remove(Arena *arena, PMap map, uint32_t key)
{
    if (!map) return NULL;
    if (!map->bit) return map->prefix == key ? NULL : map;
    if (!matches(map, key)) return map;
    PMap old = key & map->bit ? map->one : map->zero;
    PMap new = pmap_remove(arena, old, key);
    if (new == old) return map;
    return key & map->bit ? branch(arena, map->prefix, map->bit, map->zero, new)
                          : branch(arena, map->prefix, map->bit, new, map->one);
}

void pmap_each(PMap map, void (*visit)(void *context, uint32_t key, uint32_t value), void *context)
{
    if (!map) return;
    if (!map->bit) {
        visit(context, map->prefix, map->value);
        return;
    }
    pmap_each(map->zero, visit, context);
    pmap_each(map->one, visit, context);
}

typedef struct {
    Arena *arena;
    PMapCombine combine;
    void *context;
} Merge;

static PMap merge_leaf(const Merge *merge, uint32_t key, const uint32_t *in_a, const uint32_t *in_b,
                       PMap like)
{
    uint32_t out;
    if (!merge->combine(merge->context, key, in_a, in_b, &out)) return NULL;
    return like->value == out ? like : leaf(merge->arena, key, out);
}

// Everything in `map` is missing from the other side.
static PMap merge_one_sided(const Merge *merge, PMap map, bool is_a)
{
    if (!map) return NULL;
    if (!map->bit)
        return merge_leaf(merge, map->prefix, is_a ? &map->value : NULL, is_a ? NULL : &map->value,
                          map);
    PMap zero = merge_one_sided(merge, map->zero, is_a);
    PMap one = merge_one_sided(merge, map->one, is_a);
    if (zero == map->zero && one == map->one) return map;
    return branch(merge->arena, map->prefix, map->bit, zero, one);
}

static PMap merge_trees(const Merge *merge, PMap a, PMap b);

// `big` splits above `small`: merges `small` into the side it belongs to.
static PMap merge_into(const Merge *merge, PMap big, PMap small, bool big_is_a)
{
    bool to_one = (small->prefix & big->bit) != 0;
    PMap side = to_one ? big->one : big->zero;
    PMap merged = big_is_a ? merge_trees(merge, side, small) : merge_trees(merge, small, side);
    PMap rest = merge_one_sided(merge, to_one ? big->zero : big->one, big_is_a);
    return to_one ? branch(merge->arena, big->prefix, big->bit, rest, merged)
                  : branch(merge->arena, big->prefix, big->bit, merged, rest);
}

static PMap merge_disjoint(const Merge *merge, PMap a, PMap b)
{
    PMap left = merge_one_sided(merge, a, true);
    PMap right = merge_one_sided(merge, b, false);
    if (!left) return right;
    if (!right) return left;
    return join(merge->arena, left->prefix, left, right->prefix, right);
}

static PMap merge_trees(const Merge *merge, PMap a, PMap b)
{
    if (a == b) return a;
    if (!a) return merge_one_sided(merge, b, false);
    if (!b) return merge_one_sided(merge, a, true);
    if (!a->bit && !b->bit && a->prefix == b->prefix)
        return a->value == b->value ? a : merge_leaf(merge, a->prefix, &a->value, &b->value, a);
    if (a->bit && a->bit == b->bit && a->prefix == b->prefix) {
        PMap zero = merge_trees(merge, a->zero, b->zero);
        PMap one = merge_trees(merge, a->one, b->one);
        if (zero == a->zero && one == a->one) return a;
        return branch(merge->arena, a->prefix, a->bit, zero, one);
    }
    if (a->bit > b->bit && matches(a, b->prefix)) return merge_into(merge, a, b, true);
    if (b->bit > a->bit && matches(b, a->prefix)) return merge_into(merge, b, a, false);
    return merge_disjoint(merge, a, b);
}

PMap pmap_merge(Arena *arena, PMap a, PMap b, PMapCombine combine, void *context)
{
    Merge merge = {.arena = arena, .combine = combine, .context = context};
    return merge_trees(&merge, a, b);
}

bool pmap_equal(PMap a, PMap b)
{
    if (a == b) return true;
    if (!a || !b || a->bit != b->bit || a->prefix != b->prefix) return false;
    if (!a->bit) return a->value == b->value;
    return pmap_equal(a->zero, b->zero) && pmap_equal(a->one, b->one);
}

typedef struct {
    bool (*visit)(void *context, uint32_t key, const uint32_t *in_a, const uint32_t *in_b);
    void *context;
    uint32_t *limit; // nodes that may still be looked at
} Comparison;

static bool compare_one_sided(Comparison *comparison, PMap map, bool is_a)
{
    if (!map) return true;
    if (*comparison->limit == 0) return false;
    --*comparison->limit;
    if (!map->bit)
        return comparison->visit(comparison->context, map->prefix, is_a ? &map->value : NULL,
                                 is_a ? NULL : &map->value);
    return compare_one_sided(comparison, map->zero, is_a) &&
           compare_one_sided(comparison, map->one, is_a);
}

static bool compare_trees(Comparison *comparison, PMap a, PMap b)
{
    if (a == b) return true;
    if (!a || !b) return compare_one_sided(comparison, a ? a : b, a != NULL);
    if (*comparison->limit == 0) return false;
    --*comparison->limit;
    if (!a->bit && !b->bit && a->prefix == b->prefix)
        return a->value == b->value ||
               comparison->visit(comparison->context, a->prefix, &a->value, &b->value);
    if (a->bit && a->bit == b->bit && a->prefix == b->prefix)
        return compare_trees(comparison, a->zero, b->zero) &&
               compare_trees(comparison, a->one, b->one);
    if (a->bit > b->bit && matches(a, b->prefix)) {
        bool in_one = (b->prefix & a->bit) != 0;
        return compare_trees(comparison, in_one ? a->one : a->zero, b) &&
               compare_one_sided(comparison, in_one ? a->zero : a->one, true);
    }
    if (b->bit > a->bit && matches(b, a->prefix)) {
        bool in_one = (a->prefix & b->bit) != 0;
        return compare_trees(comparison, a, in_one ? b->one : b->zero) &&
               compare_one_sided(comparison, in_one ? b->zero : b->one, false);
    }
    return compare_one_sided(comparison, a, true) && compare_one_sided(comparison, b, false);
}

bool pmap_each_difference(PMap a, PMap b, uint32_t *limit,
                          bool (*visit)(void *context, uint32_t key, const uint32_t *in_a,
                                        const uint32_t *in_b),
                          void *context)
{
    Comparison comparison = {.visit = visit, .context = context, .limit = limit};
    return compare_trees(&comparison, a, b);
}
