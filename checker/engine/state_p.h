// SPDX-License-Identifier: MIT
// Shared by state.c, state_merge.c and assume.c alone.
#ifndef CUDALINT_ENGINE_STATE_P_H
#define CUDALINT_ENGINE_STATE_P_H

#include "engine/state.h"

// Id of an interned range.
uint32_t space_range_id(StateSpace *space, const Range *range);
// Forgets what is known of `sym` and of every value that mentions it.
void state_drop_constraints(StateSpace *space, State *state, SymId sym);

// The other side of `a & b` that is false, or `a | b` that is true, where one side alone would not
// make it so.
bool state_assume_other_side(StateSpace *space, State *state, const Sym *sym, bool truth);

// ---- choice.c ----
#define CHOICE_CONDITIONS 3

// What holds on one of two paths that meet, and is not known to hold on the other.
typedef struct {
    SymId of[CHOICE_CONDITIONS]; // the values that the conditions are about
    SymId conditions[CHOICE_CONDITIONS];
    uint32_t count;
} ChoiceSide;

// The value is a choice of two conditions.
bool choice_is(const StateSpace *space, SymId id);
// Adds what the range says of the value, unless `other` says the same.
void choice_note(StateSpace *space, ChoiceSide *side, SymId id, uint32_t range_id,
                 const State *other);
// Behind the join something of `a` or something of `b` holds.
void choice_join(StateSpace *space, State *merged, const ChoiceSide *a, const ChoiceSide *b);
// More is known of the value: where that rules out one side of a choice, the other side holds. False
// when that cannot be.
bool choice_follow(StateSpace *space, State *state, SymId about);

#endif
