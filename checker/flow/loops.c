// SPDX-License-Identifier: MIT
// Loops and their nesting, by Havlak: "Nesting of Reducible and Irreducible Loops" (1997). Headers
// are taken innermost first; a loop that is found collapses into its header (union-find), so each
// block is gathered once. A cycle with several entries is a loop too: its header is the entry that
// the search met first.
#include "flow/flow_p.h"

typedef Vec(uint32_t) BlockList;

typedef struct {
    Arena *arena;
    const FlowGraph *graph;
    FlowSearch search;
    uint32_t *header;      // by block: header of the innermost loop found around it, FLOW_NONE none
    uint32_t *collapsed;   // union-find parent: the header of the loop that swallowed the block
    uint32_t *gathered_by; // by block: 1 + header whose body it was gathered for last
    // By header: blocks that enter its loop elsewhere, seen as entering the header.
    BlockList *entries;
    bool *is_header;
    bool *is_irreducible; // by header
} Finder;

static uint32_t find(Finder *finder, uint32_t block)
{
    uint32_t root = block;
    while (finder->collapsed[root] != root) root = finder->collapsed[root];
    while (finder->collapsed[block] != root) {
        uint32_t next = finder->collapsed[block];
        finder->collapsed[block] = root;
        block = next;
    }
    return root;
}

static bool is_ancestor(const Finder *finder, uint32_t a, uint32_t b)
{
    const FlowSearch *search = &finder->search;
    return search->number[a] <= search->number[b] && search->number[b] <= search->last[a];
}

// Takes a block into the body of the header's loop. A block that lies outside the header's subtree
// enters the loop past the header.
static void gather(Finder *finder, uint32_t header, uint32_t from, BlockList *body)
{
    if (finder->search.number[from] == FLOW_NONE) return;
    uint32_t block = find(finder, from);
    if (!is_ancestor(finder, header, block)) {
        finder->is_irreducible[header] = true;
        vec_push(finder->arena, &finder->entries[header], block);
        return;
    }
    if (block == header || finder->gathered_by[block] == header + 1) return;
    finder->gathered_by[block] = header + 1;
    vec_push(finder->arena, body, block);
}

// Gathers what precedes a block of the body by edges that do not go back to an ancestor's header.
static void gather_before(Finder *finder, uint32_t header, uint32_t block, BlockList *body)
{
    const FlowGraph *graph = finder->graph;
    for (uint32_t i = graph->pred_start[block]; i < graph->pred_start[block + 1]; i++) {
        uint32_t pred = graph->pred[i];
        bool is_reachable = finder->search.number[pred] != FLOW_NONE;
        if (is_reachable && !is_ancestor(finder, block, pred)) gather(finder, header, pred, body);
    }
    for (uint32_t i = 0; i < finder->entries[block].len; i++) {
        gather(finder, header, finder->entries[block].items[i], body);
    }
}

static void find_loop(Finder *finder, uint32_t header)
{
    const FlowGraph *graph = finder->graph;
    BlockList body = {0};
    for (uint32_t i = graph->pred_start[header]; i < graph->pred_start[header + 1]; i++) {
        uint32_t pred = graph->pred[i];
        bool is_reachable = finder->search.number[pred] != FLOW_NONE;
        if (!is_reachable || !is_ancestor(finder, header, pred)) continue;
        finder->is_header[header] = true;
        gather(finder, header, pred, &body);
    }
    for (uint32_t i = 0; i < body.len; i++) gather_before(finder, header, body.items[i], &body);
    for (uint32_t i = 0; i < body.len; i++) {
        finder->header[body.items[i]] = header;
        finder->collapsed[body.items[i]] = header;
    }
}

// Turns headers into numbered loops, outer ones first: a header is entered before the headers
// inside its loop.
static void number_loops(Finder *finder, FlowLoops *loops)
{
    for (uint32_t n = 0; n < finder->search.count; n++) {
        uint32_t block = finder->search.block_at[n];
        uint32_t outer =
            finder->header[block] == FLOW_NONE ? FLOW_NONE : loops->loop_of[finder->header[block]];
        loops->loop_of[block] = outer;
        loops->depth[block] = outer == FLOW_NONE ? 0 : loops->loops.items[outer].depth;
        if (!finder->is_header[block]) continue;
        FlowLoop loop = {.header = block,
                         .parent = outer,
                         .depth = loops->depth[block] + 1,
                         .is_irreducible = finder->is_irreducible[block]};
        vec_push(finder->arena, &loops->loops, loop);
        loops->loop_of[block] = loops->loops.len - 1;
        loops->depth[block] = loop.depth;
    }
}

static void find_back_edges(Finder *finder, FlowLoops *loops)
{
    const FlowGraph *graph = finder->graph;
    for (uint32_t from = 0; from < graph->block_count; from++) {
        if (finder->search.number[from] == FLOW_NONE) continue;
        for (uint32_t i = graph->succ_start[from]; i < graph->succ_start[from + 1]; i++) {
            FlowEdge edge = {.from = from, .to = graph->succ[i]};
            if (is_ancestor(finder, edge.to, from))
                vec_push(finder->arena, &loops->back_edges, edge);
        }
    }
}

FlowLoops flow_loops_compute(Arena *arena, const FlowGraph *graph)
{
    uint32_t count = graph->block_count;
    Finder finder = {.arena = arena,
                     .graph = graph,
                     .search = flow_search(arena, graph),
                     .header = ARENA_ARRAY(arena, uint32_t, count + 1),
                     .collapsed = ARENA_ARRAY(arena, uint32_t, count + 1),
                     .gathered_by = ARENA_ARRAY(arena, uint32_t, count + 1),
                     .entries = ARENA_ARRAY(arena, BlockList, count + 1),
                     .is_header = ARENA_ARRAY(arena, bool, count + 1),
                     .is_irreducible = ARENA_ARRAY(arena, bool, count + 1)};
    FlowLoops loops = {.loop_of = ARENA_ARRAY(arena, uint32_t, count + 1),
                       .depth = ARENA_ARRAY(arena, uint32_t, count + 1)};
    for (uint32_t b = 0; b < count; b++) {
        finder.header[b] = FLOW_NONE;
        finder.collapsed[b] = b;
        loops.loop_of[b] = FLOW_NONE;
    }
    for (uint32_t n = finder.search.count; n-- > 0;) find_loop(&finder, finder.search.block_at[n]);
    number_loops(&finder, &loops);
    find_back_edges(&finder, &loops);
    return loops;
}

bool flow_loop_contains(const FlowLoops *loops, uint32_t loop, uint32_t block)
{
    uint32_t at = loops->loop_of[block];
    while (at != FLOW_NONE && at != loop) at = loops->loops.items[at].parent;
    return at == loop;
}
