// SPDX-License-Identifier: MIT
// The engine: property simulation, one resource at a time, over each function of a unit. Input: IR
// and model. Output: events with the path that leads to them. It knows no rule and prints nothing.
#ifndef CUDALINT_ENGINE_ENGINE_H
#define CUDALINT_ENGINE_ENGINE_H

#include "cudalint/rule.h"
#include "ir/ir.h"
#include "model/model.h"

typedef struct {
    uint32_t
        max_states_per_block; // distinct states of one resource at one block before the search gives up on it
    uint32_t max_steps;          // block visits for one resource before the search gives up on it
    uint64_t max_function_steps; // block visits in one function, all resources together
} EngineBudget;

EngineBudget engine_budget_default(void);

typedef struct {
    // Receives each event; `steps` is the path, in execution order. Everything is borrowed until it
    // returns.
    void (*on_event)(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t step_count);
    void *context;
} EngineSink;

typedef struct {
    uint64_t block_visits;
    uint32_t sites;       // resources tracked
    uint32_t budget_hits; // functions in which a budget cut the search
    uint32_t functions;
} EngineStats;

// Analyses every function of the unit. Work memory is taken from an arena of its own and freed.
// A function in which a budget was hit is named through `on_budget` (may be NULL).
void engine_run(const IrUnit *unit, const Model *model, EngineBudget budget, EngineSink sink,
                void (*on_budget)(void *context, const IrFunction *fn, const char *why),
                EngineStats *stats);

#endif
