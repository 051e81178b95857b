// SPDX-License-Identifier: MIT
// Private to flow/: the depth-first search that order and loops share.
#ifndef CUDALINT_FLOW_FLOW_P_H
#define CUDALINT_FLOW_FLOW_P_H

#include "flow/flow.h"

// Numbers of a depth-first search from the entry. Block a is an ancestor of b in the search tree
// when number[a] <= number[b] <= last[a].
typedef struct {
    uint32_t count;      // reachable blocks
    uint32_t *number;    // by block: when it was entered, FLOW_NONE when unreachable
    uint32_t *block_at;  // by number
    uint32_t *last;      // by block: the greatest number in its subtree
    uint32_t *postorder; // blocks in the order in which they were left
} FlowSearch;

// The last successor is searched first, so that in reverse post-order the first one follows its
// block.
FlowSearch flow_search(Arena *arena, const FlowGraph *graph);

#endif
