// SPDX-License-Identifier: MIT
// Writes api_resources and api_functions: the models, flattened.
#include "tables/emit.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// By name; variants keep the order in which the model tries them.
static int compare_functions(const void *a, const void *b)
{
    const ModelFunction *x = *(const ModelFunction *const *)a;
    const ModelFunction *y = *(const ModelFunction *const *)b;
    int names = strcmp(x->name, y->name);
    return names != 0 ? names : (x > y) - (x < y);
}

ApiOrder emit_order(Arena *arena, const Model *model)
{
    ApiOrder order = {0};
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        // C++ functions and operators have no name that a library exports as it is.
        if (strpbrk(function->name, ": ") == NULL) vec_push(arena, &order, function);
    }
    qsort(order.items, order.len, sizeof *order.items, compare_functions);
    return order;
}

static void emit_text(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("NULL", out);
    else
        fprintf(out, "\"%s\"", text);
}

static const char *bool_text(bool value)
{
    return value ? "true" : "false";
}

static uint32_t none_or(uint32_t resource)
{
    return resource == UINT32_MAX ? UINT16_MAX : resource;
}

typedef struct {
    FILE *out;
    const Model *model;
    const Layouts *layouts;
} Emitter;

// What is known of a function's arguments; NULL when nothing is.
static const LayoutName *prototype_of(const Emitter *emitter, const ModelFunction *function)
{
    const Layouts *layouts = emitter->layouts;
    const LayoutName *prototype =
        layouts->toolkit != NULL ? layout_function(layouts->toolkit, function->name) : NULL;
    return prototype != NULL ? prototype : layout_function(layouts->libraries, function->name);
}

static void emit_resources(FILE *out, const Model *model)
{
    fputs("const ApiResource api_resources[] = {\n", out);
    for (uint32_t i = 0; i < model_resource_count(model); i++) {
        const ModelResource *resource = model_resource(model, i);
        fprintf(out, "    {\"%s\", \"%s\", ", resource->name, resource->title);
        emit_text(out, resource->release_hint);
        fprintf(out, ", %" PRIu32 ", %s, %s, %s, %s, %s, %s, %s},\n", none_or(resource->same_as),
                bool_text(resource->must_release), bool_text(resource->borrowed),
                bool_text(resource->is_memory), bool_text(resource->released_by_reset),
                bool_text(resource->is_counted), bool_text(resource->is_stream_ordered),
                bool_text(resource->defers_work));
    }
    fprintf(out, "};\nconst size_t api_resource_count = %" PRIu32 ";\n\n",
            model_resource_count(model));
}

static const char *effect_constant(ModelEffectKind kind)
{
    switch (kind) {
    case MODEL_ACQUIRE:
        return "MODEL_ACQUIRE";
    case MODEL_RELEASE:
        return "MODEL_RELEASE";
    case MODEL_BORROW:
        return "MODEL_BORROW";
    case MODEL_RELEASE_ALL:
        return "MODEL_RELEASE_ALL";
    case MODEL_ATTACH:
        return "MODEL_ATTACH";
    case MODEL_DETACH:
        return "MODEL_DETACH";
    case MODEL_USE_READ:
        return "MODEL_USE_READ";
    case MODEL_USE_WRITE:
        return "MODEL_USE_WRITE";
    case MODEL_WRITE_OUT:
    case MODEL_KEEP:
    case MODEL_COPY:
    case MODEL_CLEAR_ELEMENTS:
    case MODEL_SIZE:
    case MODEL_EMPTY:
    case MODEL_MAPPED:
    case MODEL_DROP_ELEMENTS:
    case MODEL_GROW:
    case MODEL_RESERVE:
    case MODEL_REPLACE:
    case MODEL_EXCHANGE:
        return NULL; // nothing that a recorder sees
    }
    return NULL;
}

// Offset of a slot's field; false when it cannot be told.
static bool slot_offset(const ModelSlot *slot, const LayoutName *prototype, uint32_t *offset)
{
    *offset = 0;
    if (slot->field == NULL) return true;
    return prototype != NULL && layout_field_offset(prototype, slot->arg, slot->field, offset);
}

// An effect that can be recorded, or false: results are seen as statuses only, and objects of
// methods not at all.
bool emit_is_recorded(const ModelEffect *effect, const LayoutName *prototype, uint32_t *offset)
{
    *offset = 0;
    if (effect_constant(effect->kind) == NULL) return false;
    if (effect->kind == MODEL_RELEASE_ALL) return true;
    return effect->slot.arg >= 1 && slot_offset(&effect->slot, prototype, offset);
}

static void emit_fits(FILE *out, const ModelEffect *effect, uint32_t function, uint32_t index)
{
    if (effect->kind == MODEL_RELEASE && effect->resources.len != 0) {
        fprintf(out, "static const uint16_t fits_%" PRIu32 "_%" PRIu32 "[] = {", function, index);
        for (uint32_t i = 0; i < effect->resources.len; i++)
            fprintf(out, "%" PRIu32 ", ", effect->resources.items[i]);
        fputs("};\n", out);
    } else if (effect->kind == MODEL_DETACH) {
        fprintf(out, "static const uint16_t fits_%" PRIu32 "_%" PRIu32 "[] = {%" PRIu32 "};\n",
                function, index, effect->resource);
    }
}

// Does a library's function acquire the kind where recorders do not look: in the elements of an
// array, as its result?
static bool is_acquired_unseen(const Model *model, uint32_t resource)
{
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        if (model_library_of(model, function->name) == NULL) continue;
        for (uint32_t k = 0; k < function->effects.len; k++) {
            const ModelEffect *effect = &function->effects.items[k];
            if (effect->kind != MODEL_ACQUIRE || effect->resource != resource) continue;
            if (effect->slot.elements || effect->slot.arg < 1) return true;
        }
    }
    return false;
}

static bool may_be_unseen(const Model *model, const ModelEffect *effect)
{
    for (uint32_t i = 0; effect->kind == MODEL_RELEASE && i < effect->resources.len; i++) {
        if (is_acquired_unseen(model, effect->resources.items[i])) return true;
    }
    return false;
}

static void emit_effect(const Emitter *emitter, const ModelEffect *effect,
                        const LayoutName *prototype, uint32_t offset)
{
    bool has_type = prototype != NULL && effect->kind != MODEL_RELEASE_ALL;
    int arg = effect->kind == MODEL_RELEASE_ALL ? 0 : effect->slot.arg;
    bool is_handle = has_type && !effect->slot.pointee && layout_argument_is_handle(prototype, arg);
    bool is_owned = effect->kind == MODEL_ACQUIRE || effect->kind == MODEL_RELEASE;
    bool is_int = has_type && is_owned && effect->slot.field == NULL &&
                  layout_argument_is_int(prototype, arg, effect->slot.pointee);
    fprintf(emitter->out, "    {%s, %d, %s, %s, %s, %s, %s, %" PRIu32 ", %" PRIu32 ", ",
            effect_constant(effect->kind), arg, bool_text(effect->slot.pointee),
            bool_text(effect->slot.elements), bool_text(is_handle), bool_text(is_int),
            bool_text(may_be_unseen(emitter->model, effect)), offset, none_or(effect->resource));
}

// Writes the effects of a function; returns how many.
static uint32_t emit_effects(const Emitter *emitter, const ModelFunction *function, uint32_t number)
{
    FILE *out = emitter->out;
    const LayoutName *prototype = prototype_of(emitter, function);
    uint32_t count = 0, offset;
    for (uint32_t i = 0; i < function->effects.len; i++) {
        if (!emit_is_recorded(&function->effects.items[i], prototype, &offset)) continue;
        emit_fits(out, &function->effects.items[i], number, i);
        count++;
    }
    if (count == 0) return 0;
    fprintf(out, "static const ApiEffect effects_%" PRIu32 "[] = {\n", number);
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        if (!emit_is_recorded(effect, prototype, &offset)) continue;
        emit_effect(emitter, effect, prototype, offset);
        uint32_t fits = effect->kind == MODEL_RELEASE  ? effect->resources.len
                        : effect->kind == MODEL_DETACH ? 1
                                                       : 0;
        if (fits == 0)
            fputs("NULL, 0},\n", out);
        else
            fprintf(out, "fits_%" PRIu32 "_%" PRIu32 ", %" PRIu32 "},\n", number, i, fits);
    }
    fputs("};\n", out);
    return count;
}

static bool order_may_fail(ModelOrder order)
{
    switch (order) {
    case ORDER_ENQUEUE:
    case ORDER_HINT:
    case ORDER_COPY:
    case ORDER_COPY_ASYNC:
    case ORDER_SET:
    case ORDER_SYNC_STREAM:
    case ORDER_SYNC_EVENT:
    case ORDER_SYNC_DEVICE:
    case ORDER_RECORD_EVENT:
    case ORDER_WAIT_EVENT:
    case ORDER_CALLBACK:
    case ORDER_COLLECTIVE:
        return true;
    case ORDER_NONE:
    case ORDER_HOST:
    case ORDER_MAY_SYNC:
    case ORDER_QUERY_STREAM:
    case ORDER_QUERY_EVENT:
    case ORDER_NEEDS_EVENT:
    case ORDER_BIND_STREAM:
        return false;
    }
    return false;
}

// Fallible: hands something out or does something on the device, and lets go of nothing, since a
// release cannot be undone.
static bool is_fallible(const ModelFunction *function)
{
    bool hands_out = false;
    for (uint32_t i = 0; i < function->effects.len; i++) {
        ModelEffectKind kind = function->effects.items[i].kind;
        if (kind == MODEL_RELEASE || kind == MODEL_DETACH || kind == MODEL_RELEASE_ALL)
            return false;
        hands_out |= kind == MODEL_ACQUIRE || kind == MODEL_ATTACH || kind == MODEL_BORROW;
    }
    return function->result == MODEL_RESULT_STATUS &&
           (hands_out || order_may_fail(function->order));
}

static const char *last_error_constant(ModelLastError last_error)
{
    switch (last_error) {
    case MODEL_LAST_ERROR_NONE:
        return "MODEL_LAST_ERROR_NONE";
    case MODEL_LAST_ERROR_PEEK:
        return "MODEL_LAST_ERROR_PEEK";
    case MODEL_LAST_ERROR_TAKE:
        return "MODEL_LAST_ERROR_TAKE";
    }
    return "MODEL_LAST_ERROR_NONE";
}

static const char *order_constant(ModelOrder order)
{
    switch (order) {
#define ORDER(name, text, meaning)                                                                 \
    case name:                                                                                     \
        return #name;
#include "model/order.def"
#undef ORDER
    }
    return "ORDER_NONE";
}

static void emit_function(const Emitter *emitter, const ModelFunction *function, uint32_t number,
                          uint32_t effects)
{
    FILE *out = emitter->out;
    const ModelLibrary *library = model_library_of(emitter->model, function->name);
    ModelSlot stream = {.arg = function->stream_arg, .field = function->stream_field};
    uint32_t offset;
    bool has_stream = slot_offset(&stream, prototype_of(emitter, function), &offset);
    fprintf(out, "    {\"%s\", %d, %d, ", function->name, function->min_args, function->max_args);
    if (effects == 0)
        fputs("NULL, 0", out);
    else
        fprintf(out, "effects_%" PRIu32 ", %" PRIu32, number, effects);
    fprintf(out, ", %s, %s, %s, %s, %s, %s, %d, %s, %" PRIu32 ", %d, %" PRId64 ", %d, %d},\n",
            bool_text(function->result == MODEL_RESULT_STATUS), bool_text(is_fallible(function)),
            bool_text(function->null_ok), bool_text(function->null_on_failure),
            last_error_constant(function->last_error), order_constant(function->order),
            has_stream ? function->stream_arg : 0, bool_text(function->stream_field != NULL),
            offset, function->event_arg, library != NULL ? library->out_of_memory : 0,
            function->graph_arg, function->nonblocking_arg);
}

void emit_api(FILE *out, const Model *model, const ApiOrder *order, const Layouts *layouts)
{
    Emitter emitter = {.out = out, .model = model, .layouts = layouts};
    fputs("// Generated by runtime-verify/tables from checker/model/data.\n"
          "#include \"record/api.h\"\n\n",
          out);
    emit_resources(out, model);
    uint32_t *effects = calloc(order->len, sizeof *effects);
    if (effects == NULL) abort();
    for (uint32_t i = 0; i < order->len; i++)
        effects[i] = emit_effects(&emitter, order->items[i], i);
    fputs("\nconst ApiFunction api_functions[] = {\n", out);
    for (uint32_t i = 0; i < order->len; i++)
        emit_function(&emitter, order->items[i], i, effects[i]);
    fprintf(out, "};\nconst size_t api_function_count = %" PRIu32 ";\n", order->len);
    free(effects);
}
