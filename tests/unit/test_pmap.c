// SPDX-License-Identifier: MIT
// Persistent maps against a plain array: the same bindings after every operation, old maps
// untouched, merges that share what they can.
#include "engine/pmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define KEYS 24

// Keys that differ in high, low and neighbouring bits.
static const uint32_t keys[KEYS] = {
    0,     1,     2,          3,          4,          7,          8,          15,
    16,    255,   256,        257,        1000,       4095,       4096,       4097,
    65535, 65536, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 77};

typedef struct {
    bool has[KEYS];
    uint32_t value[KEYS];
} Model;

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static void check_same(PMap map, const Model *model)
{
    for (int i = 0; i < KEYS; i++) {
        uint32_t value = 0;
        assert_int_equal(pmap_get(map, keys[i], &value), model->has[i]);
        if (model->has[i]) assert_int_equal(value, model->value[i]);
    }
    uint32_t value;
    assert_false(pmap_get(map, 12345, &value));
}

static PMap random_map(Arena *arena, uint64_t *seed, Model *model, PMap map, int steps)
{
    for (int step = 0; step < steps; step++) {
        uint32_t i = next_random(seed) % KEYS, value = next_random(seed) % 4;
        bool add = next_random(seed) % 3 != 0;
        map = add ? pmap_set(arena, map, keys[i], value) : pmap_remove(arena, map, keys[i]);
        model->has[i] = add;
        model->value[i] = value;
    }
    return map;
}

static void random_operations_agree_with_an_array(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    uint64_t seed = 1;
    Model model = {0};
    PMap map = NULL;
    for (int round = 0; round < 3000; round++) {
        Model before = model;
        PMap old = map;
        map = random_map(arena, &seed, &model, map, 1);
        check_same(map, &model);
        check_same(old, &before);
    }
    arena_free(arena);
}

static void unchanged_maps_are_the_same_node(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    uint64_t seed = 2;
    Model model = {0};
    PMap map = random_map(arena, &seed, &model, NULL, 40);
    for (int i = 0; i < KEYS; i++) {
        if (model.has[i]) assert_ptr_equal(pmap_set(arena, map, keys[i], model.value[i]), map);
        if (!model.has[i]) assert_ptr_equal(pmap_remove(arena, map, keys[i]), map);
    }
    assert_null(pmap_remove(arena, pmap_set(arena, NULL, 5, 6), 5));
    arena_free(arena);
}

typedef struct {
    const Model *a, *b;
    int count, stop_after;
} Differences;

static int key_index(uint32_t key)
{
    for (int i = 0; i < KEYS; i++)
        if (keys[i] == key) return i;
    return -1;
}

static bool check_difference(void *context, uint32_t key, const uint32_t *in_a,
                             const uint32_t *in_b)
{
    Differences *differences = context;
    int i = key_index(key);
    assert_true(i >= 0);
    assert_int_equal(in_a != NULL, differences->a->has[i]);
    assert_int_equal(in_b != NULL, differences->b->has[i]);
    if (in_a) assert_int_equal(*in_a, differences->a->value[i]);
    if (in_b) assert_int_equal(*in_b, differences->b->value[i]);
    if (in_a && in_b) assert_int_not_equal(*in_a, *in_b);
    return ++differences->count != differences->stop_after;
}

static void differences_are_what_two_maps_bind_differently(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    uint64_t seed = 3;
    for (int round = 0; round < 1000; round++) {
        Model model_a = {0};
        PMap a = random_map(arena, &seed, &model_a, NULL, 12);
        Model model_b = model_a;
        PMap b = random_map(arena, &seed, &model_b, a, round % 12);
        int wanted = 0;
        for (int i = 0; i < KEYS; i++)
            wanted += model_a.has[i] != model_b.has[i] ||
                      (model_a.has[i] && model_a.value[i] != model_b.value[i]);
        uint32_t limit = 1000;
        Differences all = {.a = &model_a, .b = &model_b};
        assert_true(pmap_each_difference(a, b, &limit, check_difference, &all));
        assert_int_equal(all.count, wanted);
        Differences one = {.a = &model_a, .b = &model_b, .stop_after = 1};
        assert_int_equal(pmap_each_difference(a, b, &limit, check_difference, &one), wanted == 0);
        assert_int_equal(one.count, wanted > 0);
    }
    arena_free(arena);
}

static void equal_maps_that_share_nothing_cost_the_limit(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    PMap a = NULL, b = NULL;
    for (uint32_t key = 0; key < 64; key++) {
        a = pmap_set(arena, a, key, key);
        b = pmap_set(arena, b, key, key);
    }
    Differences none = {0};
    uint32_t limit = 1000;
    assert_true(pmap_each_difference(a, a, &limit, check_difference, &none));
    assert_int_equal(limit, 1000);
    assert_true(pmap_each_difference(a, b, &limit, check_difference, &none));
    assert_int_equal(limit, 1000 - 127);
    limit = 126;
    assert_false(pmap_each_difference(a, b, &limit, check_difference, &none));
    arena_free(arena);
}

typedef struct {
    uint32_t last;
    int count;
} Order;

static void visit_ascending(void *context, uint32_t key, uint32_t value)
{
    Order *order = context;
    (void)value;
    if (order->count++ > 0) assert_true(order->last < key);
    order->last = key;
}

static void each_visits_keys_ascending(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    PMap map = NULL;
    for (int i = KEYS; i-- > 0;) map = pmap_set(arena, map, keys[i], 1);
    Order order = {0};
    pmap_each(map, visit_ascending, &order);
    assert_int_equal(order.count, KEYS);
    arena_free(arena);
}

// One side only: kept when the value is odd. Both: the sum, dropped when it is 5.
static bool combine_values(const uint32_t *in_a, const uint32_t *in_b, uint32_t *out)
{
    *out = in_a && in_b ? *in_a + *in_b : in_a ? *in_a : *in_b;
    return in_a && in_b ? *out != 5 : (*out & 1) != 0;
}

typedef struct {
    const Model *a, *b;
    int calls;
} Expected;

static bool combine(void *context, uint32_t key, const uint32_t *in_a, const uint32_t *in_b,
                    uint32_t *out)
{
    Expected *expected = context;
    expected->calls++;
    for (int i = 0; i < KEYS; i++) {
        if (keys[i] != key) continue;
        assert_int_equal(in_a != NULL, expected->a->has[i]);
        assert_int_equal(in_b != NULL, expected->b->has[i]);
        if (in_a) assert_int_equal(*in_a, expected->a->value[i]);
        if (in_b) assert_int_equal(*in_b, expected->b->value[i]);
        return combine_values(in_a, in_b, out);
    }
    fail_msg("a key of neither map");
    return false;
}

// What the merge must hold: agreement is kept unasked.
static Model merged_model(const Model *a, const Model *b)
{
    Model out = {0};
    for (int i = 0; i < KEYS; i++) {
        if (!a->has[i] && !b->has[i]) continue;
        bool agree = a->has[i] && b->has[i] && a->value[i] == b->value[i];
        out.value[i] = a->value[i];
        out.has[i] = agree || combine_values(a->has[i] ? &a->value[i] : NULL,
                                             b->has[i] ? &b->value[i] : NULL, &out.value[i]);
    }
    return out;
}

static void merges_agree_with_an_array(void **context)
{
    (void)context;
    uint64_t seed = 3;
    for (int round = 0; round < 2000; round++) {
        Arena *arena = arena_new("test");
        Model a = {0};
        PMap common = random_map(arena, &seed, &a, NULL, (int)(next_random(&seed) % 30));
        Model b = a;
        PMap map_a = random_map(arena, &seed, &a, common, (int)(next_random(&seed) % 8));
        PMap map_b = random_map(arena, &seed, &b, common, (int)(next_random(&seed) % 8));
        Expected expected = {.a = &a, .b = &b};
        Model merged = merged_model(&a, &b);
        check_same(pmap_merge(arena, map_a, map_b, combine, &expected), &merged);
        check_same(map_a, &a);
        check_same(map_b, &b);
        arena_free(arena);
    }
}

static bool take_first(void *context, uint32_t key, const uint32_t *in_a, const uint32_t *in_b,
                       uint32_t *out)
{
    int *calls = context;
    (void)key;
    ++*calls;
    *out = in_a ? *in_a : *in_b;
    return in_a != NULL;
}

static void merging_costs_what_differs(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    PMap map = NULL;
    for (uint32_t i = 0; i < 1000; i++) map = pmap_set(arena, map, i * 17, i);
    PMap changed = pmap_set(arena, map, 170, 99);
    int calls = 0;
    assert_ptr_equal(pmap_merge(arena, map, map, take_first, &calls), map);
    assert_int_equal(calls, 0);
    assert_ptr_equal(pmap_merge(arena, map, changed, take_first, &calls), map);
    assert_int_equal(calls, 1);
    arena_free(arena);
}

static void equality_is_by_bindings(void **context)
{
    (void)context;
    Arena *arena = arena_new("test");
    PMap up = NULL, down = NULL;
    for (int i = 0; i < KEYS; i++) up = pmap_set(arena, up, keys[i], (uint32_t)i);
    for (int i = KEYS; i-- > 0;) down = pmap_set(arena, down, keys[i], (uint32_t)i);
    assert_true(pmap_equal(up, down));
    assert_false(pmap_equal(up, pmap_remove(arena, down, 77)));
    assert_false(pmap_equal(up, pmap_set(arena, down, 77, 1000)));
    assert_false(pmap_equal(up, NULL));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_an_array),
        cmocka_unit_test(unchanged_maps_are_the_same_node),
        cmocka_unit_test(differences_are_what_two_maps_bind_differently),
        cmocka_unit_test(equal_maps_that_share_nothing_cost_the_limit),
        cmocka_unit_test(each_visits_keys_ascending),
        cmocka_unit_test(merges_agree_with_an_array),
        cmocka_unit_test(merging_costs_what_differs),
        cmocka_unit_test(equality_is_by_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
