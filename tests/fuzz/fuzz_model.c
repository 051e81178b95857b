// SPDX-License-Identifier: MIT
// Fuzzes the model reader, and with it the YAML reader: whatever the text, loading it ends with a
// model that can be asked or with a message. checker/model/data is a good corpus.
#include "model/model.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const Model *model)
{
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        const ModelFunction *found = model_find(model, function->name, function->min_args);
        BUG_ON(found == NULL);
        for (uint32_t j = 0; j < function->effects.len; j++) {
            const ModelEffect *effect = &function->effects.items[j];
            if (effect->resource != UINT32_MAX) model_resource(model, effect->resource);
            for (uint32_t k = 0; k < effect->resources.len; k++)
                model_resource(model, effect->resources.items[k]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    Model *model = model_new_empty(arena);
    // Twice: the second load replaces what the first one brought.
    for (int i = 0; i < 2; i++) {
        Status status = model_load_text(model, "fuzz.yaml", (const char *)data, size, &err);
        BUG_ON(status != ST_OK && strncmp(err.message, "fuzz.yaml:", 10) != 0);
        ask(model);
    }
    arena_free(arena);
    return 0;
}
