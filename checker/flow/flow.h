// SPDX-License-Identifier: MIT
// Graph algorithms over control flow: order of visits, dominators, loops. Input: an IrFunction's
// blocks or any edges; all results are allocated in the arena given. Every walk is iterative:
// functions may have 100,000 blocks.
#ifndef CUDALINT_FLOW_FLOW_H
#define CUDALINT_FLOW_FLOW_H

#include "base/bits.h"
#include "base/vec.h"
#include "ir/ir.h"

#define FLOW_NONE UINT32_MAX

// Block 0 is the entry. The neighbours of block b are targets[start[b]] up to before
// targets[start[b + 1]], each once.
typedef struct {
    uint32_t block_count;
    uint32_t *succ_start; // block_count + 1 offsets into `succ`
    uint32_t *succ;       // in the order of the edges given
    uint32_t *pred_start; // likewise
    uint32_t *pred;       // by ascending block
} FlowGraph;

typedef struct {
    uint32_t from, to;
} FlowEdge;

// The edges must be grouped by `from`, ascending; doubles are dropped.
FlowGraph flow_graph_new(Arena *arena, uint32_t block_count, const FlowEdge *edges,
                         uint32_t edge_count);
// Edges of branches, switches and exceptions.
FlowGraph flow_graph_of(Arena *arena, const IrFunction *fn);

// Reverse post-order: but for back edges every block comes after its predecessors.
typedef struct {
    uint32_t count;     // reachable blocks
    uint32_t *blocks;   // the reachable blocks in order; room for all
    uint32_t *position; // by block: where it stands, FLOW_NONE when unreachable
} FlowOrder;

FlowOrder flow_order_compute(Arena *arena, const FlowGraph *graph);

// Dominator tree.
typedef struct {
    // By block: immediate dominator; the entry's is itself; FLOW_NONE when unreachable.
    uint32_t *idom;
    uint32_t *enter; // by block: numbers of a walk over the tree, for flow_dominates
    uint32_t *leave;
} FlowDom;

FlowDom flow_dom_compute(Arena *arena, const FlowGraph *graph, const FlowOrder *order);
// Whether every path from the entry to `b` passes `a`; false when either is unreachable.
bool flow_dominates(const FlowDom *dom, uint32_t a, uint32_t b);

typedef struct {
    uint32_t header;     // the block that is entered first
    uint32_t parent;     // enclosing loop, FLOW_NONE for outermost
    uint32_t depth;      // 1 for outermost
    bool is_irreducible; // can also be entered elsewhere: `header` does not dominate the body
} FlowLoop;

// Loops, nested. Every block on a cycle is in a loop, whatever the graph.
typedef struct {
    Vec(FlowLoop) loops;      // enclosing ones before those they hold
    uint32_t *loop_of;        // by block: innermost loop, FLOW_NONE outside loops
    uint32_t *depth;          // by block: how many loops it is in
    Vec(FlowEdge) back_edges; // into headers, by ascending source
} FlowLoops;

FlowLoops flow_loops_compute(Arena *arena, const FlowGraph *graph);
// Whether the loop holds the block, directly or in an inner loop.
bool flow_loop_contains(const FlowLoops *loops, uint32_t loop, uint32_t block);

#endif
