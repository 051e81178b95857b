// SPDX-License-Identifier: MIT
// Shared by state.c, state_merge.c, assume.c, choice.c and decide.c alone.
#ifndef CUDALINT_ENGINE_STATE_P_H
#define CUDALINT_ENGINE_STATE_P_H

#include "engine/state.h"

// Id of an interned range.
uint32_t space_range_id(StateSpace *space, const Range *range);
// Forgets what is known of `sym` and of every value that mentions it.
void state_drop_constraints(StateSpace *space, State *state, SymId sym);

// The value by which it is kept what is known of `a % 2` and the like.
SymId state_residue_kept_as(StateSpace *space, const State *state, SymId residue);

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
// The choice is followed from now on; false when there are too many.
bool choice_keep(StateSpace *space, SymId choice);
// Adds what the range says of the value, unless `other` says the same.
void choice_note(StateSpace *space, ChoiceSide *side, SymId id, uint32_t range_id,
                 const State *other);
// Behind the join something of `a` or something of `b` holds.
void choice_join(StateSpace *space, State *merged, const ChoiceSide *a, const ChoiceSide *b);
// More is known of the value: where that rules out one side of a choice, the other side holds. False
// when that cannot be.
bool choice_follow(StateSpace *space, State *state, SymId about);

// ---- decide.c ----
// A value of which two paths that meet know different things: what it is tells which one was taken.
typedef struct {
    uint32_t point; // of the join
    SymId of;       // IR_NONE: none was found yet
    Range here, there;
} Decider;

// The value decides if what is known of it here and there rules each other out.
void decider_note(StateSpace *space, Decider *decider, SymId id, const State *here,
                  const State *there);
// What is `here` on one path and `there` on the other, as a choice by the decider; IR_NONE: there is
// none.
SymId decider_select(StateSpace *space, const Decider *decider, SymId here, const State *in_there,
                     SymId there);

#endif
