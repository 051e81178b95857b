// SPDX-License-Identifier: MIT
// The inside of a model, shared by model.c (the store) and model_load.c (the reader).
#ifndef CUDALINT_MODEL_MODEL_P_H
#define CUDALINT_MODEL_MODEL_P_H

#include "model/model.h"

typedef struct {
    const char *name; // for messages
    const char *text; // YAML
    size_t len;
    bool is_project; // a project's own, not embedded
} ModelSource;

// Loads files that may name each other's resource kinds.
Status model_load_sources(Model *model, const ModelSource *sources, size_t count, Err *err);

// Returns the index of a resource kind after adding it, or replacing the one of that name.
uint32_t model_resource_set(Model *model, ModelResource resource);
void model_library_set(Model *model, ModelLibrary library);
// Forgets the entries of a function; then the caller adds its variants in the order in which they
// are tried. Returns the file that the forgotten ones came from, or NULL.
const char *model_function_forget(Model *model, const char *name);
void model_function_add(Model *model, const ModelFunction *function);
// Lets functions that release a kind release the kinds that are the same as it; at the end of each
// load.
void model_close_families(Model *model);
// Counts a text that was loaded into the fingerprint.
void model_fingerprint_add(Model *model, const char *text, size_t len);
Arena *model_arena(const Model *model);

#endif
