// SPDX-License-Identifier: MIT
// Writes the tables as C.
#ifndef RUNTIME_VERIFY_TABLES_EMIT_H
#define RUNTIME_VERIFY_TABLES_EMIT_H

#include "model/model.h"
#include "tables/layout.h"

#include <stdio.h>

// The functions in the order of the table, allocated in `arena`.
typedef Vec(const ModelFunction *) ApiOrder;
ApiOrder emit_order(Arena *arena, const Model *model);

// record/api.h's tables. `layout` may be NULL: then what lies in fields of structures is left out.
void emit_api(FILE *out, const Model *model, const ApiOrder *order, const Layout *layout);
// inject/callbacks.h's tables.
void emit_callbacks(FILE *out, const Model *model, const ApiOrder *order, const Layout *layout);

#endif
