// SPDX-License-Identifier: MIT
// Phases: where in a cycle of a few rounds a loop is. Buffers that take turns are chosen by `i % 2`, by
// `i & 1`, or by a variable that each round turns over: `cur ^= 1`, `cur = (cur + 1) % 3`. Which rounds
// can follow each other is known where each phase is.
#ifndef CUDALINT_ENGINE_PHASE_H
#define CUDALINT_ENGINE_PHASE_H

#include "engine/search.h"

// The current instruction evaluates a binary expression in a loop: takes note of `i % 2`.
void phase_note_residue(EngineFn *ef, const IrExpr *expr, SymId left, SymId right);
// Likewise an assignment: takes note of `cur = 1 - cur`.
void phase_note_turn(EngineFn *ef, IrPlaceId to, IrExprId value);
// The value says in which phase a loop is.
bool phase_decides(const StateSpace *space, SymId value);
// The two states are in different rounds of a cycle.
bool phase_differs(StateSpace *space, const State *a, const State *b);
// At the loop header it is not known which round of a cycle begins: a later one may not be able to follow
// those that are behind.
bool phase_is_lost(EngineFn *ef, const State *state, IrBlockId header);

// ---- for state_merge.c ----
// Carries what is known of phases over to the values that the merge gave.
void phase_merge(StateSpace *space, State *merged, const State *old, const State *incoming);

#endif
