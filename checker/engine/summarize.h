// SPDX-License-Identifier: MIT
// Computing summaries from finished searches, and applying them at calls. Private to engine/.
#ifndef CUDALINT_ENGINE_SUMMARIZE_H
#define CUDALINT_ENGINE_SUMMARIZE_H

#include "engine/search.h"

// The location as a caller sees it; false when no caller can.
bool summarize_path(const EngineFn *ef, LocId loc, SummaryPath *path);
// Adds what the finished search of an acquiring site says: which outcomes hand the resource to the
// caller, and where.
void summarize_acquisition(Arena *arena, EngineFn *ef, const Site *site, Summary *summary);
// Adds what the finished search of a SITE_ENTRY says about the caller's resource.
void summarize_entry(Arena *arena, EngineFn *ef, const Site *site, Summary *summary);

#endif
