// SPDX-License-Identifier: MIT
// A unit's analysis from its first function to its last. Private to engine/.
#ifndef CUDALINT_ENGINE_SESSION_H
#define CUDALINT_ENGINE_SESSION_H

#include "engine/hold.h"
#include "engine/search.h"
#include "engine/targets.h"

struct EngineSession {
    EngineInput input;
    Arena *arena;
    Summary *own;              // by function
    const Summary **summaries; // by callee: `own` of its body, else what another file says; or NULL
    Targets *targets;          // of dispatched calls
    CalleeList *mentions;      // by function: what it may call or takes the address of
    IrFuncId *order;           // callees before their callers
    BitSet done;               // functions
    BitSet awaited;            // callees
    IrCalleeId *obstacles;     // by function, as of the last advance
    HeldEvents held;           // until every function is analysed
    bool is_finished;          // they were sent
    // while advancing
    const EngineSink *sink;
    EngineStats *stats;
};

// ---- engine.c ----
// Analyses one function and fills its summary.
void engine_analyse(EngineSession *run, const IrFunction *fn);

#endif
