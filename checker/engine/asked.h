// SPDX-License-Identifier: MIT
// Values that may decide what a function does with its caller's resource: arguments, and numbers in
// the objects that it is given, as they were when it was called.
#ifndef CUDALINT_ENGINE_ASKED_H
#define CUDALINT_ENGINE_ASKED_H

#include "engine/search.h"

typedef struct {
    uint32_t argument;
    bool is_member;
    SummaryPath place; // of a member
    SymId value;       // at the entry
} Asked;

typedef Vec(Asked) AskedList;

// The function's parameters as a call numbers them: the object comes first, also that of a lambda,
// whose body has no `this` (IR_NONE).
uint32_t asked_first_parameter(const EngineFn *ef);
uint32_t asked_argument_count(const EngineFn *ef);
IrVarId asked_parameter(const EngineFn *ef, uint32_t argument);

void asked_find_arguments(EngineFn *ef, AskedList *asked);
// Adds the members of which the state knows something.
void asked_find_members(EngineFn *ef, const State *state, AskedList *asked);
// Adds the condition that the value is in the range, where that says anything and there is room.
void asked_add(Arena *arena, const Asked *asked, const Range *range, SummaryEffect *effect);

#endif
