// SPDX-License-Identifier: MIT
// What the search for facts keeps for leaps: at each block outside loops the states in which paths
// arrived there, merged so that the facts of any neighbouring edges can be had. Private to engine/.
#ifndef CUDALINT_ENGINE_FACTS_H
#define CUDALINT_ENGINE_FACTS_H

#include "engine/search.h"

// An edge that the search for facts took. Blocks have numbers: those of a walk over the dominator
// tree (FlowDom.enter).
typedef struct TakenEdge {
    IrBlockId from, to;
    uint32_t part; // of the meeting at `to`
} TakenEdge;

// States that no flag tells apart, by ascending number of the block they came from.
typedef struct {
    Vec(uint32_t) sources;
    // level 0: the states; each further level merges two neighbours of the one before
    Vec(State *) levels;
    // from each state on, all merged; made when first asked for, from the end on
    State *tails;
    uint32_t first_tail;
} MeetingPart;

typedef struct Meeting {
    MeetingPart parts[ENGINE_STATES_APART];
    uint32_t count;
} Meeting;

// Takes note of the edge from the current block; true when the state is kept for facts_meet.
bool facts_arrive(EngineFn *ef, IrBlockId block, State state);
// The two states merge at the block: if some flag tells them apart, facts there are blurred.
void facts_note_flags(EngineFn *ef, IrBlockId block, const State *a, const State *b);
// Merges all that arrived at the block into the one state that is known there.
void facts_meet(EngineFn *ef, IrBlockId block);
// Merges the states that came from blocks numbered `low` to `high` into `*merged`, or sets it when
// `!*found`.
void facts_between(EngineFn *ef, IrBlockId block, uint32_t part, uint32_t low, uint32_t high,
                   State *merged, bool *found);
// Facts at the block are as good as what a search for a resource would find there.
bool facts_are_exact(const EngineFn *ef, IrBlockId block);

#endif
