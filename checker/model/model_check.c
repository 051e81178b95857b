// SPDX-License-Identifier: MIT
// Entries of a project's model files that can have no effect.
#include "model/model_p.h"

#include <string.h>

static bool concerns(const ModelEffect *effect, uint32_t resource)
{
    if (effect->resource == resource) return true;
    for (uint32_t i = 0; i < effect->resources.len; i++)
        if (effect->resources.items[i] == resource) return true;
    return false;
}

static bool has_begin(const ModelFunction *function, uint32_t resource)
{
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        bool begins = effect->kind == MODEL_ACQUIRE || effect->kind == MODEL_ATTACH ||
                      effect->kind == MODEL_BORROW;
        if (begins && concerns(effect, resource)) return true;
    }
    return false;
}

static bool has_end(const ModelFunction *function, uint32_t resource)
{
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        bool ends = effect->kind == MODEL_RELEASE || effect->kind == MODEL_DETACH;
        if (ends && concerns(effect, resource)) return true;
    }
    return false;
}

static bool is_acquired(const Model *model, uint32_t resource)
{
    for (uint32_t i = 0; i < model_function_count(model); i++)
        if (has_begin(model_function_at(model, i), resource)) return true;
    return false;
}

// The function that messages name does release the kind, or the one that the kind is like.
static bool is_released_as_said(const Model *model, uint32_t index)
{
    const ModelResource *resource = model_resource(model, index);
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        if (strcmp(function->name, resource->release_hint) != 0) continue;
        if (has_end(function, index)) return true;
        if (resource->same_as != UINT32_MAX && has_end(function, resource->same_as)) return true;
    }
    return false;
}

void model_check_project(const Model *model, void (*tell)(void *context, const char *text),
                         void *context)
{
    Arena *arena = arena_new("model check");
    for (uint32_t i = 0; i < model_resource_count(model); i++) {
        const ModelResource *resource = model_resource(model, i);
        if (!resource->is_project) continue;
        const char *place = arena_printf(arena, "%s:%u:%u", resource->file,
                                         (unsigned)resource->line, (unsigned)resource->column);
        if (!is_acquired(model, i))
            tell(context,
                 arena_printf(arena, "%s: no function acquires '%s'", place, resource->name));
        else if (resource->release_hint && !is_released_as_said(model, i))
            tell(context,
                 arena_printf(
                     arena,
                     "%s: '%s' is to be released by '%s', but no entry of that name releases it",
                     place, resource->name, resource->release_hint));
    }
    arena_free(arena);
}
