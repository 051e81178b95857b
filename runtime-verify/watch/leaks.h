// SPDX-License-Identifier: MIT
// Leaks of a story, gathered by call site.
#ifndef RUNTIME_VERIFY_WATCH_LEAKS_H
#define RUNTIME_VERIFY_WATCH_LEAKS_H

#include "read/story.h"

typedef struct {
    const Life *first; // one of them: its stack stands for all
    uint32_t count;
    uint64_t bytes;
} LeakSite;

typedef Vec(LeakSite) LeakSites;

// What is live at the end and must be released, the most bytes first. Allocated in `arena`.
LeakSites leaks_by_site(Arena *arena, const Story *story);

#endif
