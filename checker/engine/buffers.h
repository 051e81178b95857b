// SPDX-License-Identifier: MIT
// What the search for facts notes of a function's own memory, and of containers, that GPU work uses.
// Private to engine/.
#ifndef CUDALINT_ENGINE_BUFFERS_H
#define CUDALINT_ENGINE_BUFFERS_H

#include "engine/value.h"
#include "summary/summary.h"

// An instruction gives a variable's own memory to GPU work.
typedef struct {
    IrBlockId block;
    uint32_t point;
    LocId buffer; // a local variable, or a container in one
    SrcLoc loc;
} BufferUse;

// A call after which a container of the caller's may have its elements in other memory, with nothing
// before it that could have waited for work.
typedef struct {
    LocId container;
    bool is_growth; // only where it has no room; else certainly
    const char *api;
    SrcLoc loc;
    const SummaryCall *calls; // on the way there
} Refit;

#endif
