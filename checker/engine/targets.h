// SPDX-License-Identifier: MIT
// Which functions a call that is dispatched at run time may reach, and what they do between them.
#ifndef CUDALINT_ENGINE_TARGETS_H
#define CUDALINT_ENGINE_TARGETS_H

#include "ir/ir.h"
#include "summary/summary.h"

typedef struct Targets Targets;
typedef Vec(IrCalleeId) CalleeList;

// `summaries` are the unit's, by callee; they fill while the unit is analysed. All in `arena`.
Targets *targets_new(Arena *arena, const IrUnit *unit, const Summary *const *summaries);
// The method and whatever overrides it, as far as the unit shows; none when there are too many.
CalleeList targets_of(const Targets *targets, Arena *arena, IrCalleeId method);
// What a dispatched call of the method does; NULL: unknown.
const Summary *targets_summary(Targets *targets, IrCalleeId method);

#endif
