// SPDX-License-Identifier: MIT
// One call under execution, with what becomes known of it. Private to engine/.
#ifndef CUDALINT_ENGINE_CALL_SITE_H
#define CUDALINT_ENGINE_CALL_SITE_H

#include "base/vec.h"
#include "engine/state.h"
#include "model/model.h"
#include "summary/summary.h"

// A field of what a call returns.
typedef struct {
    const char *name;
    SymId value;
} FieldValue;

typedef struct {
    const IrCall *call;
    const IrCallee *callee;     // NULL: unknown target
    const ModelFunction *model; // NULL: not modelled
    State *before;              // of a call of a user's function: the state in which it was called
    SymId *args;
    uint32_t count;
    uint32_t first;                // args index of the model's argument 1
    SymId result;                  // decided by effects; IR_NONE: unknown
    bool result_stored;            // the result was written already
    Vec(FieldValue) result_fields; // of a returned object: what is known of it
    // What the callee releases far away, through pointers inside what it is given, and where that lay
    // when it was called; NULL: nothing of ours.
    const SummaryEffect *distant;
    LocId distant_place;
    Vec(SymId) captured; // values and addresses captured by closures among the arguments
} CallSite;

#endif
