// SPDX-License-Identifier: MIT
// Which element of an array a loop works on. A family of elements (LOC_ANY) has one value for all of
// them; what one round put into its own element does not lie in that of another round.
#ifndef CUDALINT_ENGINE_ELEMENT_H
#define CUDALINT_ENGINE_ELEMENT_H

#include "engine/search.h"

typedef struct ElementNames ElementNames;

ElementNames *element_names_new(EngineFn *ef);
// The current instruction names an element of `array`, a LOC_ANY, by an index that is not constant.
// Returns the array's family; where the resource was put into an element that another index names,
// the location of another element.
LocId element_named(EngineFn *ef, State *state, LocId array, IrExprId index);
// The edge from the current block to `to` may leave the loop whose rounds put it there: all elements
// were visited, and whichever is named next may hold it.
void element_leave_loop(const EngineFn *ef, State *state, IrBlockId to);

// ---- for state*.c ----
// Instruction `point` stores the resource at `loc`, some element of an array, or behind one.
void element_note_placed(StateSpace *space, State *state, LocId loc, uint32_t point);
// `loc` is given a value.
void element_note_write(const StateSpace *space, State *state, LocId loc);
// What both states know stays; true if `state` changed.
bool element_merge(State *state, const State *incoming);

#endif
