// SPDX-License-Identifier: MIT
// The index behind leap.h, shared by leap.c and leap_index.c alone.
#ifndef CUDALINT_ENGINE_LEAP_P_H
#define CUDALINT_ENGINE_LEAP_P_H

#include "engine/facts.h"
#include "engine/leap.h"

// Ascending numbers: of blocks as the dominator tree is entered, or of instructions (points).
typedef Vec(uint32_t) Places;

// An edge into a block that its source does not dominate immediately.
typedef struct {
    uint32_t from; // number of the source
    IrBlockId to;
    uint32_t part; // of the facts there
} JoinEdge;

typedef struct LeapIndex {
    IrBlockId *block_at; // by number
    Places *mentions;    // by variable: blocks that mention it
    Places *points;      // by variable: instructions of long blocks that mention it
    // By point, of long blocks: the next instruction of the block that is not quiet.
    uint32_t *next_loud;
    Places loud;         // blocks whose effect on a resource does not show by what they mention
    Places returns;      // blocks that return and are reached
    Vec(JoinEdge) edges; // ascending
    BitSet lent;         // variables whose address may be kept
} LeapIndex;

// Index of the first place that is not less than `from`.
uint32_t places_from(const Places *places, uint32_t from);

#endif
