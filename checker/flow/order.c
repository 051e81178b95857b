// SPDX-License-Identifier: MIT
// Depth-first search and reverse post-order. Iterative, with a stack of blocks and of how many of
// each block's successors are left.
#include "flow/flow_p.h"

static void enter(FlowSearch *search, uint32_t block)
{
    search->number[block] = search->count;
    search->block_at[search->count++] = block;
}

FlowSearch flow_search(Arena *arena, const FlowGraph *graph)
{
    uint32_t count = graph->block_count, depth = 0, left = 0;
    FlowSearch search = {.number = ARENA_ARRAY(arena, uint32_t, count + 1),
                         .block_at = ARENA_ARRAY(arena, uint32_t, count + 1),
                         .last = ARENA_ARRAY(arena, uint32_t, count + 1),
                         .postorder = ARENA_ARRAY(arena, uint32_t, count + 1)};
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, count + 1);
    uint32_t *next =
        ARENA_ARRAY(arena, uint32_t, count + 1); // by block: end of the successors not searched yet
    for (uint32_t b = 0; b < count; b++) search.number[b] = FLOW_NONE;
    for (uint32_t b = 0; b < count; b++) next[b] = graph->succ_start[b + 1];
    if (count == 0) return search;
    enter(&search, 0);
    stack[depth++] = 0;
    while (depth != 0) {
        uint32_t block = stack[depth - 1];
        if (next[block] == graph->succ_start[block]) {
            search.last[block] = search.count - 1;
            search.postorder[left++] = block;
            depth--;
            continue;
        }
        uint32_t successor = graph->succ[--next[block]];
        if (search.number[successor] != FLOW_NONE) continue;
        enter(&search, successor);
        stack[depth++] = successor;
    }
    return search;
}

FlowOrder flow_order_compute(Arena *arena, const FlowGraph *graph)
{
    FlowSearch search = flow_search(arena, graph);
    FlowOrder order = {.count = search.count,
                       .blocks = ARENA_ARRAY(arena, uint32_t, graph->block_count + 1),
                       .position = ARENA_ARRAY(arena, uint32_t, graph->block_count + 1)};
    for (uint32_t b = 0; b < graph->block_count; b++) order.position[b] = FLOW_NONE;
    for (uint32_t i = 0; i < order.count; i++) {
        order.blocks[i] = search.postorder[order.count - 1 - i];
        order.position[order.blocks[i]] = i;
    }
    return order;
}
