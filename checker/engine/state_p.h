// SPDX-License-Identifier: MIT
// Shared by state.c, state_merge.c and assume.c alone.
#ifndef CUDALINT_ENGINE_STATE_P_H
#define CUDALINT_ENGINE_STATE_P_H

#include "engine/state.h"

// Id of an interned range.
uint32_t space_range_id(StateSpace *space, const Range *range);
// Forgets what is known of `sym` and of every value that mentions it.
void state_drop_constraints(StateSpace *space, State *state, SymId sym);

#endif
