// SPDX-License-Identifier: MIT
// Graph algorithms on hand-made graphs, and on random ones against definitions computed the slow
// way.
#include "flow/flow.h"

#include "base/err.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    FlowGraph graph;
    FlowOrder order;
    FlowDom dom;
    FlowLoops loops;
} Case;

static Case open_case(uint32_t block_count, const FlowEdge *edges, uint32_t edge_count)
{
    Case it = {.arena = arena_new("test")};
    it.graph = flow_graph_new(it.arena, block_count, edges, edge_count);
    it.order = flow_order_compute(it.arena, &it.graph);
    it.dom = flow_dom_compute(it.arena, &it.graph, &it.order);
    it.loops = flow_loops_compute(it.arena, &it.graph);
    return it;
}

#define CASE(block_count, ...)                                                                     \
    open_case((block_count), (FlowEdge[]){__VA_ARGS__},                                            \
              sizeof((FlowEdge[]){__VA_ARGS__}) / sizeof(FlowEdge))

static void test_single_block(void **state)
{
    (void)state;
    Case it = open_case(1, NULL, 0);
    assert_int_equal(it.order.count, 1);
    assert_int_equal(it.order.blocks[0], 0);
    assert_int_equal(it.dom.idom[0], 0);
    assert_true(flow_dominates(&it.dom, 0, 0));
    assert_int_equal(it.loops.loops.len, 0);
    assert_int_equal(it.loops.depth[0], 0);
    arena_free(it.arena);
}

static void test_self_loop(void **state)
{
    (void)state;
    Case it = CASE(2, {0, 0}, {0, 1});
    assert_int_equal(it.loops.loops.len, 1);
    assert_int_equal(it.loops.loops.items[0].header, 0);
    assert_false(it.loops.loops.items[0].is_irreducible);
    assert_int_equal(it.loops.depth[0], 1);
    assert_int_equal(it.loops.depth[1], 0);
    assert_int_equal(it.loops.back_edges.len, 1);
    arena_free(it.arena);
}

static void test_doubled_edges_are_dropped(void **state)
{
    (void)state;
    Case it = CASE(3, {0, 1}, {0, 2}, {0, 1}, {1, 2}, {1, 2});
    assert_int_equal(it.graph.succ_start[1] - it.graph.succ_start[0], 2);
    assert_int_equal(it.graph.pred_start[2] - it.graph.pred_start[1], 1);
    assert_int_equal(it.graph.pred_start[3] - it.graph.pred_start[2], 2);
    arena_free(it.arena);
}

static void test_diamond(void **state)
{
    (void)state;
    Case it = CASE(4, {0, 1}, {0, 2}, {1, 3}, {2, 3});
    uint32_t expected[] = {0, 1, 2, 3}; // the true branch comes right after its condition
    for (int i = 0; i < 4; i++) assert_int_equal(it.order.blocks[i], expected[i]);
    assert_int_equal(it.dom.idom[3], 0);
    assert_false(flow_dominates(&it.dom, 1, 3));
    assert_true(flow_dominates(&it.dom, 0, 3));
    arena_free(it.arena);
}

static void test_unreachable_blocks(void **state)
{
    (void)state;
    // 2 and 3 are a loop that nothing reaches; it leads into 1.
    Case it = CASE(4, {0, 1}, {2, 3}, {2, 1}, {3, 2});
    assert_int_equal(it.order.count, 2);
    assert_int_equal(it.order.position[2], FLOW_NONE);
    assert_int_equal(it.dom.idom[3], FLOW_NONE);
    assert_false(flow_dominates(&it.dom, 2, 1));
    assert_false(flow_dominates(&it.dom, 0, 2));
    assert_int_equal(it.dom.idom[1], 0);
    assert_int_equal(it.loops.loops.len, 0);
    assert_int_equal(it.loops.depth[2], 0);
    arena_free(it.arena);
}

static void test_nested_loops(void **state)
{
    (void)state;
    // 1 is the outer header, 2 the inner; 3 continues the inner, 4 the outer; 5 is the exit.
    Case it = CASE(6, {0, 1}, {1, 2}, {1, 5}, {2, 3}, {2, 4}, {3, 2}, {4, 1});
    assert_int_equal(it.loops.loops.len, 2);
    assert_int_equal(it.loops.loops.items[0].header, 1);
    assert_int_equal(it.loops.loops.items[1].header, 2);
    assert_int_equal(it.loops.loops.items[1].parent, 0);
    uint32_t depths[] = {0, 1, 2, 2, 1, 0};
    for (int b = 0; b < 6; b++) assert_int_equal(it.loops.depth[b], depths[b]);
    assert_true(flow_loop_contains(&it.loops, 0, 3));
    assert_false(flow_loop_contains(&it.loops, 1, 4));
    assert_int_equal(it.loops.back_edges.len, 2);
    assert_int_equal(it.loops.back_edges.items[0].from, 3);
    arena_free(it.arena);
}

static void test_two_back_edges_are_one_loop(void **state)
{
    (void)state;
    Case it = CASE(5, {0, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 4});
    assert_int_equal(it.loops.loops.len, 1);
    assert_int_equal(it.loops.depth[2], 1);
    assert_int_equal(it.loops.depth[3], 1);
    assert_int_equal(it.loops.depth[4], 0);
    arena_free(it.arena);
}

static void test_irreducible_pair(void **state)
{
    (void)state;
    Case it = CASE(4, {0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3});
    assert_int_equal(it.loops.loops.len, 1);
    assert_true(it.loops.loops.items[0].is_irreducible);
    assert_int_equal(it.loops.depth[1], 1);
    assert_int_equal(it.loops.depth[2], 1);
    assert_int_equal(it.loops.depth[3], 0);
    assert_int_equal(it.dom.idom[1], 0);
    assert_int_equal(it.dom.idom[2], 0);
    arena_free(it.arena);
}

static void test_irreducible_inside_loop(void **state)
{
    (void)state;
    // 1..4 are a natural loop with header 1; 2 and 3 a cycle in it, entered at both.
    Case it = CASE(6, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {4, 5});
    assert_int_equal(it.loops.loops.len, 2);
    assert_int_equal(it.loops.loops.items[0].header, 1);
    assert_false(it.loops.loops.items[0].is_irreducible);
    assert_true(it.loops.loops.items[1].is_irreducible);
    assert_int_equal(it.loops.loops.items[1].parent, 0);
    uint32_t depths[] = {0, 1, 2, 2, 1, 0};
    for (int b = 0; b < 6; b++) assert_int_equal(it.loops.depth[b], depths[b]);
    arena_free(it.arena);
}

// ---- large ------------------------------------------------------------------------------------

#define LONG_CHAIN 100000u

static void test_long_chain(void **state)
{
    (void)state;
    Arena *edges_arena = arena_new("edges");
    Vec(FlowEdge) edges = {0};
    for (uint32_t b = 0; b + 1 < LONG_CHAIN; b++)
        vec_push(edges_arena, &edges, ((FlowEdge){b, b + 1}));
    vec_push(edges_arena, &edges, ((FlowEdge){LONG_CHAIN - 1, 1}));
    Case it = open_case(LONG_CHAIN, edges.items, edges.len);
    assert_int_equal(it.order.count, LONG_CHAIN);
    assert_int_equal(it.order.position[LONG_CHAIN - 1], LONG_CHAIN - 1);
    assert_int_equal(it.dom.idom[LONG_CHAIN - 1], LONG_CHAIN - 2);
    assert_true(flow_dominates(&it.dom, 5, LONG_CHAIN - 1));
    assert_int_equal(it.loops.loops.len, 1);
    assert_int_equal(it.loops.depth[LONG_CHAIN / 2], 1);
    arena_free(it.arena);
    arena_free(edges_arena);
}

// Each block of a long chain may leave to one common exit, as unwind edges do.
static void test_long_chain_with_common_exit(void **state)
{
    (void)state;
    Arena *edges_arena = arena_new("edges");
    Vec(FlowEdge) edges = {0};
    uint32_t exit = LONG_CHAIN - 1;
    for (uint32_t b = 0; b + 1 < exit; b++) {
        vec_push(edges_arena, &edges, ((FlowEdge){b, b + 1}));
        vec_push(edges_arena, &edges, ((FlowEdge){b, exit}));
    }
    Case it = open_case(LONG_CHAIN, edges.items, edges.len);
    assert_int_equal(it.dom.idom[exit], 0);
    assert_int_equal(it.order.position[exit], exit);
    arena_free(it.arena);
    arena_free(edges_arena);
}

static void test_deeply_nested_loops(void **state)
{
    (void)state;
    uint32_t depth = 500;
    Arena *edges_arena = arena_new("edges");
    Vec(FlowEdge) edges = {0};
    for (uint32_t b = 0; b < 2 * depth; b++) {
        vec_push(edges_arena, &edges, ((FlowEdge){b, b + 1}));
        // Block 2 * depth - 1 - h goes back to header h.
        if (b >= depth) vec_push(edges_arena, &edges, ((FlowEdge){b, 2 * depth - 1 - b}));
    }
    Case it = open_case(2 * depth + 1, edges.items, edges.len);
    assert_int_equal(it.loops.loops.len, depth);
    assert_int_equal(it.loops.depth[depth - 1], depth);
    assert_int_equal(it.loops.depth[depth], depth);
    assert_int_equal(it.loops.depth[2 * depth], 0);
    arena_free(it.arena);
    arena_free(edges_arena);
}

// ---- random, against the definitions ----------------------------------------------------------

#define MAX_RANDOM 10

// Marks what can be reached from `from` without entering `barred`.
static void reach(const FlowGraph *graph, uint32_t from, uint32_t barred, bool *seen)
{
    if (from == barred || seen[from]) return;
    seen[from] = true;
    for (uint32_t i = graph->succ_start[from]; i < graph->succ_start[from + 1]; i++) {
        reach(graph, graph->succ[i], barred, seen);
    }
}

static bool is_on_cycle(const FlowGraph *graph, uint32_t block)
{
    bool seen[MAX_RANDOM] = {false};
    for (uint32_t i = graph->succ_start[block]; i < graph->succ_start[block + 1]; i++) {
        reach(graph, graph->succ[i], FLOW_NONE, seen);
    }
    return seen[block];
}

static void check_dominators(const Case *it, const bool *reachable)
{
    for (uint32_t a = 0; a < it->graph.block_count; a++) {
        bool without[MAX_RANDOM] = {false};
        reach(&it->graph, 0, a, without);
        for (uint32_t b = 0; b < it->graph.block_count; b++) {
            bool expected = reachable[a] && reachable[b] && !without[b];
            assert_int_equal(flow_dominates(&it->dom, a, b), expected);
        }
    }
}

static void check_loops(const Case *it, const bool *reachable)
{
    for (uint32_t b = 0; b < it->graph.block_count; b++) {
        assert_int_equal(it->loops.depth[b] != 0, reachable[b] && is_on_cycle(&it->graph, b));
    }
    for (uint32_t l = 0; l < it->loops.loops.len; l++) {
        const FlowLoop *loop = &it->loops.loops.items[l];
        bool is_dominated = true;
        for (uint32_t b = 0; b < it->graph.block_count; b++) {
            bool is_inside = flow_loop_contains(&it->loops, l, b);
            if (is_inside && !flow_dominates(&it->dom, loop->header, b)) is_dominated = false;
        }
        assert_int_equal(is_dominated, !loop->is_irreducible);
        if (loop->parent != FLOW_NONE) assert_true(loop->parent < l);
    }
    // An edge that goes back to a dominator lies in the loop of that header.
    for (uint32_t i = 0; i < it->loops.back_edges.len; i++) {
        FlowEdge edge = it->loops.back_edges.items[i];
        uint32_t loop = it->loops.loop_of[edge.to];
        assert_int_equal(it->loops.loops.items[loop].header, edge.to);
        assert_true(flow_loop_contains(&it->loops, loop, edge.from));
    }
}

static void check_order(const Case *it)
{
    for (uint32_t i = 0; i < it->order.count; i++) {
        uint32_t block = it->order.blocks[i];
        assert_int_equal(it->order.position[block], i);
        if (i == 0) continue;
        assert_true(it->order.position[it->dom.idom[block]] < i);
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    uint64_t seed = 12345;
    for (int round = 0; round < 3000; round++) {
        FlowEdge edges[MAX_RANDOM * 3];
        uint32_t edge_count = 0, block_count = 2 + (uint32_t)round % (MAX_RANDOM - 1);
        for (uint32_t from = 0; from < block_count; from++) {
            for (int k = 0; k < 3; k++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                uint32_t to = (uint32_t)(seed >> 33) % (block_count * 2);
                if (to < block_count) edges[edge_count++] = (FlowEdge){from, to};
            }
        }
        Case it = open_case(block_count, edges, edge_count);
        bool reachable[MAX_RANDOM] = {false};
        reach(&it.graph, 0, FLOW_NONE, reachable);
        for (uint32_t b = 0; b < block_count; b++) {
            assert_int_equal(it.order.position[b] != FLOW_NONE, reachable[b]);
        }
        check_order(&it);
        check_dominators(&it, reachable);
        check_loops(&it, reachable);
        arena_free(it.arena);
    }
}

// ---- from a function --------------------------------------------------------------------------

static void test_graph_of_function(void **state)
{
    (void)state;
    static const char text[] =
        "callee f() -> int\n"
        "func run(n: int) -> void {\n"
        "b0:\n  call f() unwind b4\n  switch n [1: b1, 2: b1, 3: b2] else b3\n"
        "b1:\n  throw n to b4\n"
        "b2:\n  branch n == 0 ? b0 : b3\n"
        "b3:\n  return\n"
        "b4:\n  resume\n"
        "}\n";
    Arena *arena = arena_new("test");
    Err err = {.arena = arena};
    IrUnit *unit = NULL;
    assert_int_equal(ir_parse(arena, text, &unit, &err), ST_OK);
    FlowGraph graph = flow_graph_of(arena, unit->functions.items[0]);
    assert_int_equal(graph.block_count, 5);
    uint32_t expected[] = {
        1, 2, 3, 4}; // the case that is there twice counts once; the call's unwind edge counts
    assert_int_equal(graph.succ_start[1], 4);
    for (int i = 0; i < 4; i++) assert_int_equal(graph.succ[i], expected[i]);
    assert_int_equal(graph.pred_start[5] - graph.pred_start[4], 2);
    FlowLoops loops = flow_loops_compute(arena, &graph);
    assert_int_equal(loops.depth[2], 1);
    assert_int_equal(loops.depth[3], 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_block),
        cmocka_unit_test(test_self_loop),
        cmocka_unit_test(test_doubled_edges_are_dropped),
        cmocka_unit_test(test_diamond),
        cmocka_unit_test(test_unreachable_blocks),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_two_back_edges_are_one_loop),
        cmocka_unit_test(test_irreducible_pair),
        cmocka_unit_test(test_irreducible_inside_loop),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_long_chain_with_common_exit),
        cmocka_unit_test(test_deeply_nested_loops),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_graph_of_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
