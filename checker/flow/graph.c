// SPDX-License-Identifier: MIT
// The plain graph that the algorithms work on, from a list of edges or from a function's blocks.
#include "flow/flow.h"

#include "base/err.h"

// Fills `succ` with the edges, each once. Offsets and targets come out in the order of the edges.
static void fill_successors(Arena *arena, FlowGraph *graph, const FlowEdge *edges,
                            uint32_t edge_count)
{
    uint32_t count = graph->block_count, used = 0, at = 0;
    graph->succ_start = ARENA_ARRAY(arena, uint32_t, count + 1);
    graph->succ = ARENA_ARRAY(arena, uint32_t, edge_count + 1);
    uint32_t *seen_from =
        ARENA_ARRAY(arena, uint32_t, count + 1); // by target: 1 + last block with an edge to it
    for (uint32_t block = 0; block < count; block++) {
        graph->succ_start[block] = used;
        for (; at < edge_count && edges[at].from == block; at++) {
            uint32_t to = edges[at].to;
            BUG_ON(to >= count);
            if (seen_from[to] == block + 1) continue;
            seen_from[to] = block + 1;
            graph->succ[used++] = to;
        }
    }
    BUG_ON(at != edge_count);
    graph->succ_start[count] = used;
}

static void fill_predecessors(Arena *arena, FlowGraph *graph)
{
    uint32_t count = graph->block_count, edges = graph->succ_start[count];
    graph->pred_start = ARENA_ARRAY(arena, uint32_t, count + 1);
    graph->pred = ARENA_ARRAY(arena, uint32_t, edges + 1);
    for (uint32_t i = 0; i < edges; i++) graph->pred_start[graph->succ[i] + 1]++;
    for (uint32_t b = 0; b < count; b++) graph->pred_start[b + 1] += graph->pred_start[b];
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t b = 0; b < count; b++) next[b] = graph->pred_start[b];
    for (uint32_t from = 0; from < count; from++) {
        for (uint32_t i = graph->succ_start[from]; i < graph->succ_start[from + 1]; i++) {
            graph->pred[next[graph->succ[i]]++] = from;
        }
    }
}

FlowGraph flow_graph_new(Arena *arena, uint32_t block_count, const FlowEdge *edges,
                         uint32_t edge_count)
{
    FlowGraph graph = {.block_count = block_count};
    fill_successors(arena, &graph, edges, edge_count);
    fill_predecessors(arena, &graph);
    return graph;
}

typedef struct {
    Arena *arena;
    Vec(FlowEdge) edges;
    uint32_t from;
} Collector;

static void collect(void *context, IrBlockId successor)
{
    Collector *collector = context;
    FlowEdge edge = {.from = collector->from, .to = successor};
    vec_push(collector->arena, &collector->edges, edge);
}

FlowGraph flow_graph_of(Arena *arena, const IrFunction *fn)
{
    Collector collector = {.arena = arena};
    for (; collector.from < fn->blocks.len; collector.from++) {
        ir_successors(fn, collector.from, collect, &collector);
    }
    return flow_graph_new(arena, fn->blocks.len, collector.edges.items, collector.edges.len);
}
