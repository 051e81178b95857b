// SPDX-License-Identifier: MIT
// MentionIndex: which locations and which constrained values speak of a fresh value, so that making
// it anew costs no search through whole states. The index only grows and covers all states of a
// function.
#ifndef CUDALINT_ENGINE_MENTION_H
#define CUDALINT_ENGINE_MENTION_H

#include "base/idtable.h"
#include "engine/value.h"

typedef struct {
    Vec(uint32_t)
        locs; // locations once bound to a value that mentions it, or that lie in memory it points to
    Vec(uint32_t) syms; // values once constrained that mention it
} Mentions;

typedef struct MentionIndex {
    Arena *arena;
    Values *values;
    Vec(Mentions) by_sym;
    Vec(bool) joined; // by value: its binding to the location that it was made for is recorded
    IdTable seen;     // pairs already recorded
    Vec(uint64_t) pairs;
} MentionIndex;

MentionIndex *mentions_new(Arena *arena, Values *values);
void mentions_add_binding(MentionIndex *index, LocId loc, SymId value);
// The location is bound to the fresh value that was made for it.
void mentions_add_join(MentionIndex *index, SymId join);
void mentions_add_constraint(MentionIndex *index, SymId sym);
// NULL when nothing mentions it.
const Mentions *mentions_of(const MentionIndex *index, SymId fresh);

#endif
