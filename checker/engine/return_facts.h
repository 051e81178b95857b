// SPDX-License-Identifier: MIT
// Return facts: computed when the search for facts is done, applied at calls. Private to engine/.
#ifndef CUDALINT_ENGINE_RETURN_FACTS_H
#define CUDALINT_ENGINE_RETURN_FACTS_H

#include "engine/search.h"

// Reads the facts off a finished facts search; allocated in `arena`.
void return_facts_compute(Arena *arena, EngineFn *ef, ReturnFacts *facts);
// Applies the callee's facts to a call: may end the path, and decides the result. `before` is the
// state that the callee found.
void engine_apply_return_facts(EngineFn *ef, State *state, State *before, CallSite *site);

#endif
