// SPDX-License-Identifier: MIT
// Calls that move a block of host memory. Private to engine/.
#ifndef CUDALINT_ENGINE_RESIZE_H
#define CUDALINT_ENGINE_RESIZE_H

#include "engine/search.h"

// Before the effects of a library function: it may move a block of memory with all that is in it.
void engine_move_block(EngineFn *ef, State *state, CallSite *site);

#endif
