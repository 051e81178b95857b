// SPDX-License-Identifier: MIT
// Shared by the files that read a model: model_load.c (documents, resource kinds, function
// entries), model_effects.c (slots, effects) and model_libraries.c.
#ifndef CUDALINT_MODEL_MODEL_LOAD_P_H
#define CUDALINT_MODEL_MODEL_LOAD_P_H

#include "base/yaml.h"
#include "model/model.h"

typedef struct {
    Model *model;
    Arena *arena;     // the model's: what is kept is allocated here
    const char *file; // for messages
    Err *err;
    const char *const *files; // of this load; a function may be in one of them only
    size_t file_count;
    bool is_project;
} Loader;

// Records "file:line:column: ..." at a node and yields ST_SYNTAX.
#define FAIL(loader, node, ...) yaml_error((node), (loader)->file, (loader)->err, __VA_ARGS__)

// The highest argument a slot may name.
enum { MODEL_MAX_ARGUMENT = 64 };

Status model_read_slot(const Loader *loader, const YamlNode *node, ModelSlot *slot);
// Reads the section `libraries` of a document.
Status model_read_libraries(const Loader *loader, const YamlNode *root);
// An effect of that kind whose slots name nothing.
ModelEffect model_effect_new(ModelEffectKind kind);
// Sets `is_effect` when the key names an effect, and then adds the effects of its value.
Status model_read_effect(const Loader *loader, const YamlPair *pair, ModelFunction *function,
                         bool *is_effect);

#endif
