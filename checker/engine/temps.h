// SPDX-License-Identifier: MIT
// Temporaries that are needed no more leave the state: what they held would keep states apart that
// differ in nothing else. Private to engine/.
#ifndef CUDALINT_ENGINE_TEMPS_H
#define CUDALINT_ENGINE_TEMPS_H

#include "engine/search.h"

// Where each temporary is needed; made once for each function, when blocks and loops are known.
struct Temps *temps_new(EngineFn *ef);
// The path goes on from one block to the other.
void temps_drop_dead(EngineFn *ef, State *state, IrBlockId from, IrBlockId to);

#endif
