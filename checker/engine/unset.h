// SPDX-License-Identifier: MIT
// Members of new objects that a call of the library is to give their first value. Private to
// engine/.
#ifndef CUDALINT_ENGINE_UNSET_H
#define CUDALINT_ENGINE_UNSET_H

#include "engine/search.h"

// Adds a site for each of them.
void engine_find_unset_members(EngineFn *ef, SiteList *sites);
// The call allocated the object whose member is tracked.
void engine_start_unset(EngineFn *ef, State *state);
// The call fails to acquire what it was to store at `loc`, which stays without a value; false: that
// is not what is tracked.
bool engine_fail_to_set(EngineFn *ef, State *state, CallSite *site, LocId loc);
// The function returns `value`.
void engine_check_left_unset(EngineFn *ef, const State *state, SymId value);

#endif
