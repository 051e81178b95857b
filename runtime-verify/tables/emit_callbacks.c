// SPDX-License-Identifier: MIT
// Writes the tables of CUPTI's callbacks: which model function each stands for and where its
// arguments lie, and for each kind of resource how it is released when its acquisition is undone.
#include "tables/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

// The name without the version that CUPTI appends to each: "cudaMalloc_v3020".
static const char *plain_name(Arena *arena, const char *name)
{
    size_t len = strlen(name);
    while (len > 0 && isdigit((unsigned char)name[len - 1])) len--;
    bool has_version = len > 2 && name[len - 1] == 'v' && name[len - 2] == '_' && name[len] != '\0';
    return has_version ? arena_strndup(arena, name, len - 2) : name;
}

// One of a program whose default stream is one for each thread: "cudaMemcpyAsync_ptsz_v7000", "cudaMemcpy_ptds_v7000".
static bool is_per_thread(const char *name)
{
    return strstr(name, "_ptsz") != NULL || strstr(name, "_ptds") != NULL;
}

static int find_in_order(const ApiOrder *order, const ModelFunction *function)
{
    for (uint32_t i = 0; i < order->len; i++) {
        if (order->items[i] == function) return (int)i;
    }
    return -1;
}

// The outputs of one domain.
typedef struct {
    FILE *out;
    const Model *model;
    const ApiOrder *order;
    const Layout *layout;
} Emitter;

// Number of the model function that a callback stands for, -1 when the models do not know it.
static int callback_function(const Emitter *emitter, const char *callback, LayoutFields *fields)
{
    layout_callback_fields(emitter->layout, callback, fields);
    const char *name = plain_name(emitter->layout->arena, callback);
    const ModelFunction *function = model_find(emitter->model, name, (int)fields->len);
    return function != NULL ? find_in_order(emitter->order, function) : -1;
}

static void emit_domain(const Emitter *emitter, const char *symbol, const LayoutNames *calls)
{
    LayoutFields fields;
    FILE *out = emitter->out;
    for (uint32_t i = 0; i < calls->len; i++) {
        if (callback_function(emitter, calls->items[i].name, &fields) < 0 || fields.len == 0)
            continue;
        fprintf(out, "static const CallbackField %s_fields_%" PRIu32 "[] = {", symbol, i);
        for (uint32_t f = 0; f < fields.len; f++) {
            fprintf(out, "{%" PRIu32 ", %" PRIu32 ", %s}, ", fields.items[f].offset,
                    fields.items[f].size, fields.items[f].is_structure ? "true" : "false");
        }
        fputs("};\n", out);
    }
    fprintf(out, "const Callback callbacks_%s[] = {\n", symbol);
    long long last = 0;
    for (uint32_t i = 0; i < calls->len; i++) {
        int function = callback_function(emitter, calls->items[i].name, &fields);
        if (function < 0) continue;
        long long id = clang_getEnumConstantDeclValue(calls->items[i].cursor);
        last = id > last ? id : last;
        fprintf(out, "    [%lld] = {&api_functions[%d], %s, %" PRIu32 ", ", id, function,
                is_per_thread(calls->items[i].name) ? "true" : "false", fields.len);
        if (fields.len == 0)
            fputs("NULL},\n", out);
        else
            fprintf(out, "%s_fields_%" PRIu32 "},\n", symbol, i);
    }
    fprintf(out, "};\nconst size_t callbacks_%s_count = %lld;\n\n", symbol, last + 1);
}

// Does the function release, by the value of its first argument, that kind?
static bool releases_by_value(const ModelFunction *function, const Model *model, uint32_t resource)
{
    if (function == NULL || function->result != MODEL_RESULT_STATUS) return false;
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        bool is_release = effect->kind == MODEL_RELEASE || effect->kind == MODEL_DETACH;
        if (!is_release || effect->slot.arg != 1 || effect->slot.pointee || effect->slot.elements)
            continue;
        if (effect->kind == MODEL_DETACH) return effect->resource == resource;
        for (uint32_t k = 0; k < effect->resources.len; k++) {
            for (uint32_t kind = resource; kind != UINT32_MAX;
                 kind = model_resource(model, kind)->same_as) {
                if (effect->resources.items[k] == kind) return true;
            }
        }
    }
    return false;
}

static bool emit_undo(const Emitter *emitter, uint32_t resource)
{
    const char *release = model_resource(emitter->model, resource)->release_hint;
    if (release == NULL) return false;
    const LayoutName *prototype = layout_function(emitter->layout, release);
    if (prototype == NULL) return false;
    int args = layout_argument_count(prototype);
    const ModelFunction *function = model_find(emitter->model, release, args);
    if (!releases_by_value(function, emitter->model, resource)) return false;
    fprintf(emitter->out,
            "static int undo_%" PRIu32 "(uint64_t handle)\n{\n    return (int)%s((%s)handle",
            resource, release, layout_argument_type(emitter->layout, prototype, 1));
    for (int i = 1; i < args; i++) fputs(", 0", emitter->out);
    fputs(");\n}\n", emitter->out);
    return true;
}

void emit_callbacks(FILE *out, const Model *model, const ApiOrder *order, const Layout *layout)
{
    Emitter emitter = {.out = out, .model = model, .order = order, .layout = layout};
    fputs(
        "// Generated by runtime-verify/tables from checker/model/data and the toolkit's headers.\n"
        "#include \"inject/callbacks.h\"\n\n#include <cuda.h>\n#include <cuda_runtime_api.h>\n\n",
        out);
    emit_domain(&emitter, "runtime", &layout->runtime_calls);
    emit_domain(&emitter, "driver", &layout->driver_calls);
    uint32_t count = model_resource_count(model);
    bool *has_undo = arena_alloc(layout->arena, count * sizeof *has_undo);
    for (uint32_t i = 0; i < count; i++) has_undo[i] = emit_undo(&emitter, i);
    fputs("int (*const callbacks_undo[])(uint64_t) = {\n", out);
    for (uint32_t i = 0; i < count; i++) {
        if (has_undo[i])
            fprintf(out, "    undo_%" PRIu32 ",\n", i);
        else
            fputs("    NULL,\n", out);
    }
    fputs("};\n", out);
}
