// SPDX-License-Identifier: MIT
// Leaps: in a long function most blocks do not concern the resource that is tracked. The search
// for facts has been through them already; a search for a resource goes straight to the block
// behind them and takes what holds there from the facts. That keeps the cost of a function with
// many resources near linear. Private to engine/.
#ifndef CUDALINT_ENGINE_LEAP_H
#define CUDALINT_ENGINE_LEAP_H

#include "engine/search.h"

// Shorter stretches are walked: the path shows what happens there.
#define LEAP_MIN_BLOCKS 8
#define LEAP_MIN_INSTRS 32
// Bindings that one search may compare with the facts, and some more for each variable.
#define LEAP_COMPARISONS 4096

// Where the function mentions what. Made once the facts are known; allocated in the function's
// arena. NULL for functions that are too short to leap in.
struct LeapIndex *leap_index_new(EngineFn *ef);

// Goes from the entry of `block` over everything that does not concern the resource: queues the
// state where it matters next, and notes the returns passed on the way. False if the block is to
// be executed.
bool leap_blocks(EngineFn *ef, IrBlockId block, const State *state);
// The next instruction of `block` from number `from` on that concerns the resource or the state.
uint32_t leap_instrs(EngineFn *ef, IrBlockId block, uint32_t from, const State *state);

#endif
