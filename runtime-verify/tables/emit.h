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

// What is known of prototypes. `toolkit` may be NULL: then what lies in fields of structures is left
// out.
typedef struct {
    const Layout *toolkit;
    const Layout *libraries;
} Layouts;

// record/api.h's tables.
void emit_api(FILE *out, const Model *model, const ApiOrder *order, const Layouts *layouts);
// inject/callbacks.h's tables.
void emit_callbacks(FILE *out, const Model *model, const ApiOrder *order, const Layout *layout);
// What a table says of a model's effect; false for what a recorder does not see.
bool emit_is_recorded(const ModelEffect *effect, const LayoutName *prototype, uint32_t *offset);

// handles/wrap.h's functions: one for each function of a library that acquires or releases.
void emit_wrappers(FILE *out, const Model *model, const Layout *libraries);
// EXPORT(name) for each function of the driver API that the toolkit's headers declare.
void emit_exports(FILE *out, const Layout *toolkit);
// The functions of the libraries of which the name starts with `start`, simulated.
void emit_standin(FILE *out, const Model *model, const Layout *libraries, const char *start);

#endif
