// SPDX-License-Identifier: MIT
// Doubtful branches. The status of the acquiring call went to a function that does not say what it
// makes of it (`if (report(cudaMalloc(&p, n))) return;`), or is an object of which nothing is known
// (`std::string error = create(&p)`), and what came of that is tested. The status is that of success,
// but which way success takes is not known: both are followed. That a resource
// is lost on one of them is believed only if there, and behind that very branch, some path uses it,
// releases it or hands it over.
// Private to engine/.
#ifndef CUDALINT_ENGINE_DOUBT_H
#define CUDALINT_ENGINE_DOUBT_H

#include "engine/search.h"

// The resource begins with a call whose result tells of it, but not in words.
void engine_doubt_result(EngineFn *ef);
// A call was executed that may make something of the status, or of what others made of it.
void engine_doubt_call(EngineFn *ef, const State *state, const CallSite *site);
// The path goes on to `to` because of what `value` was found to be; others go elsewhere.
void engine_doubt_branch(const EngineFn *ef, State *state, SymId value, IrBlockId to);
// The path has the resource: it uses it, releases it or hands it over.
void engine_settle_doubt(EngineFn *ef, const State *state);
// The branch that the state came by was doubtful, and no path behind it shows that it has the resource.
bool engine_is_in_doubt(const Site *site, uint32_t doubt);

#endif
