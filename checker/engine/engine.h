// SPDX-License-Identifier: MIT
// The engine: property simulation, one resource at a time, over each function of a unit. Input: IR
// and model. Output: events with the path that leads to them. It knows no rule and prints nothing.
#ifndef CUDALINT_ENGINE_ENGINE_H
#define CUDALINT_ENGINE_ENGINE_H

#include "cudalint/rule.h"
#include "ir/ir.h"
#include "model/model.h"
#include "summary/summary.h"

typedef struct {
    // Distinct states of one resource at one block before the search gives up on it.
    uint32_t max_states_per_block;
    uint32_t max_steps;          // visits of a block, or of its rest, for one resource
    uint64_t max_function_steps; // block visits in one function, all resources together
    size_t max_bytes;            // of one search's memory
} EngineBudget;

EngineBudget engine_budget_default(void);

// What the engine works on. Everything is borrowed.
typedef struct {
    const IrUnit *unit;
    const Model *model;
    EngineBudget budget;
} EngineInput;

// Receives what the engine finds. Everything passed is borrowed until the function returns.
typedef struct {
    // Each event; `steps` is the path, in execution order.
    void (*on_event)(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t step_count);
    // A function in which a budget was hit. May be NULL.
    void (*on_budget)(void *context, const IrFunction *fn, const char *why);
    // Each function's summary, callees before their callers. May be NULL.
    void (*on_summary)(void *context, const IrFunction *fn, const Summary *summary);
    void *context;
} EngineSink;

typedef struct {
    uint64_t block_visits;
    uint32_t sites;       // resources tracked
    uint32_t budget_hits; // functions in which a budget cut the search
    uint32_t functions;
} EngineStats;

// The USR of the global that stands for the error that a function is entered with.
#define ENGINE_LAST_ERROR "#last error"

// Where a query of the last error comes right behind the call that set it, the unit is changed so that both have one
// status. For once, before the engine sees the unit.
void engine_tie_last_errors(IrUnit *unit, const Model *model);

// Analyses every function of the unit. Work memory is taken from an arena of its own and freed.
void engine_run(const EngineInput *input, const EngineSink *sink, EngineStats *stats);

// ---- a unit among others ------------------------------------------------------------------------

// The analysis of a unit that waits for what other files say of the functions it calls. What comes
// out does not depend on how soon they say it.
typedef struct EngineSession EngineSession;

// `input` is copied, what it refers to is borrowed until the session is closed.
EngineSession *engine_open(const EngineInput *input);
void engine_close(EngineSession *session);
// Functions that mention the callee are left until engine_resolve says what it does.
void engine_wait_for(EngineSession *session, IrCalleeId callee);
bool engine_waits_for(const EngineSession *session, IrCalleeId callee);
// NULL: nothing is known of it. Borrowed until the session is closed.
void engine_resolve(EngineSession *session, IrCalleeId callee, const Summary *summary);
// Analyses the functions that wait for nothing, and were not yet.
void engine_advance(EngineSession *session, const EngineSink *sink, EngineStats *stats);
// The callee that the function waits for, itself or through what it calls, in the unit: of several
// the one whose USR comes first; IR_NONE: it was analysed.
IrCalleeId engine_obstacle(const EngineSession *session, IrFuncId function);
// Bytes that the session holds between calls.
size_t engine_session_bytes(const EngineSession *session);

#endif
