// SPDX-License-Identifier: MIT
// Functions that only ask. Private to engine/.
#ifndef CUDALINT_ENGINE_ASK_H
#define CUDALINT_ENGINE_ASK_H

#include "engine/search.h"

// What the call answers where its function only asks: the same value for the same question; IR_NONE.
SymId engine_answer(EngineFn *ef, State *state, const CallSite *site);
// The function is such a one.
bool engine_only_asks(const EngineFn *ef);

#endif
