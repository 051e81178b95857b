// SPDX-License-Identifier: MIT
// How far calls write, by their number of bytes.
#ifndef CUDALINT_ENGINE_EXTENT_H
#define CUDALINT_ENGINE_EXTENT_H

#include "engine/search.h"

// The call copied an element from one array to another: those behind it that it copied as well.
void engine_copy_elements(EngineFn *ef, State *state, const CallSite *site, LocId to, LocId from);

// How many bytes the call acquires, reads or writes; IR_NONE when its entry does not say.
SymId engine_bytes_of(EngineFn *ef, const CallSite *site);
// Argument number `index` leads to where the call writes: what lies around the object named there
// may be written, too, as far as the number of bytes tells.
void engine_write_beyond(EngineFn *ef, State *state, const CallSite *site, uint32_t index);
// The call fills whole objects with zeroes.
void engine_fill(EngineFn *ef, State *state, const CallSite *site);

#endif
