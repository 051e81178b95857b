// SPDX-License-Identifier: MIT
// Dominators, by Cooper, Harvey and Kennedy: "A Simple, Fast Dominance Algorithm" (2001). Immediate
// dominators are refined in reverse post-order until nothing changes; the tree is then numbered so
// that dominance is one comparison.
#include "flow/flow.h"

// The nearest common dominator of two blocks, as known so far.
static uint32_t intersect(const FlowOrder *order, const uint32_t *idom, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (order->position[a] > order->position[b]) a = idom[a];
        while (order->position[b] > order->position[a]) b = idom[b];
    }
    return a;
}

static bool refine(const FlowGraph *graph, const FlowOrder *order, uint32_t *idom, uint32_t block)
{
    uint32_t common = FLOW_NONE;
    // Latest first: the many early exits of one long function share a block, and the common
    // dominator then climbs the chain once in all instead of once for each of them.
    for (uint32_t i = graph->pred_start[block + 1]; i-- > graph->pred_start[block];) {
        uint32_t pred = graph->pred[i];
        if (order->position[pred] == FLOW_NONE || idom[pred] == FLOW_NONE) continue;
        common = common == FLOW_NONE ? pred : intersect(order, idom, common, pred);
    }
    if (idom[block] == common) return false;
    idom[block] = common;
    return true;
}

// Children of each block in the tree, as first child and next sibling.
typedef struct {
    uint32_t *child;
    uint32_t *sibling;
} Tree;

static Tree tree_of(Arena *arena, const FlowGraph *graph, const FlowOrder *order,
                    const uint32_t *idom)
{
    Tree tree = {.child = ARENA_ARRAY(arena, uint32_t, graph->block_count + 1),
                 .sibling = ARENA_ARRAY(arena, uint32_t, graph->block_count + 1)};
    for (uint32_t b = 0; b < graph->block_count; b++) tree.child[b] = tree.sibling[b] = FLOW_NONE;
    for (uint32_t i = order->count; i-- > 1;) {
        uint32_t block = order->blocks[i];
        tree.sibling[block] = tree.child[idom[block]];
        tree.child[idom[block]] = block;
    }
    return tree;
}

static void number_tree(FlowDom *dom, const Tree *tree)
{
    uint32_t time = 0, at = 0;
    dom->enter[0] = time++;
    for (;;) {
        if (tree->child[at] != FLOW_NONE) {
            at = tree->child[at];
            dom->enter[at] = time++;
            continue;
        }
        dom->leave[at] = time++;
        while (at != 0 && tree->sibling[at] == FLOW_NONE) {
            at = dom->idom[at];
            dom->leave[at] = time++;
        }
        if (at == 0) return;
        at = tree->sibling[at];
        dom->enter[at] = time++;
    }
}

FlowDom flow_dom_compute(Arena *arena, const FlowGraph *graph, const FlowOrder *order)
{
    uint32_t count = graph->block_count;
    FlowDom dom = {.idom = ARENA_ARRAY(arena, uint32_t, count + 1),
                   .enter = ARENA_ARRAY(arena, uint32_t, count + 1),
                   .leave = ARENA_ARRAY(arena, uint32_t, count + 1)};
    for (uint32_t b = 0; b < count; b++) dom.idom[b] = FLOW_NONE;
    if (count == 0) return dom;
    dom.idom[0] = 0;
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (uint32_t i = 1; i < order->count; i++) {
            if (refine(graph, order, dom.idom, order->blocks[i])) has_changed = true;
        }
    }
    Tree tree = tree_of(arena, graph, order, dom.idom);
    number_tree(&dom, &tree);
    return dom;
}

bool flow_dominates(const FlowDom *dom, uint32_t a, uint32_t b)
{
    if (dom->idom[a] == FLOW_NONE || dom->idom[b] == FLOW_NONE) return false;
    return dom->enter[a] <= dom->enter[b] && dom->leave[b] <= dom->leave[a];
}
