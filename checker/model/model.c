// SPDX-License-Identifier: MIT
// The store: resource kinds and function entries, found by name. Input: what model_load.c reads.
// The entries of one name are kept in the order in which they are tried.
#include "model/model.h"

#include "base/embed.h"
#include "base/log.h"
#include "base/str.h"
#include "model/model_p.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    const char *name;
    Vec(ModelFunction *) variants;
} ModelName;

struct Model {
    Arena *arena;
    Vec(ModelResource) resources;
    Vec(ModelLibrary) libraries;
    Vec(ModelFunction *) functions; // every variant of every name, in load order
    Vec(ModelName) names;
    uint32_t *buckets;     // hash table with linear probing: index + 1 into `names`, 0 is free
    uint32_t bucket_count; // a power of two, at least twice the number of names
    uint64_t fingerprint;
};

static uint64_t hash_bytes(uint64_t hash, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}
static const uint64_t hash_seed = UINT64_C(0xcbf29ce484222325);

Model *model_new_empty(Arena *arena)
{
    Model *model = ARENA_NEW(arena, Model);
    model->arena = arena;
    model->fingerprint = hash_seed;
    return model;
}

Model *model_new(Arena *arena)
{
    Model *model = model_new_empty(arena);
    ModelSource *sources = ARENA_ARRAY(arena, ModelSource, embed_model_data_count);
    for (size_t i = 0; i < embed_model_data_count; i++) {
        const EmbeddedFile *file = &embed_model_data[i];
        sources[i] = (ModelSource){.name = file->path, .text = file->text, .len = file->len};
    }
    Err err = {.arena = arena};
    Status status = model_load_sources(model, sources, embed_model_data_count, &err);
    if (status != ST_OK) log_error("%s", err.message);
    BUG_ON(status != ST_OK);
    return model;
}

Arena *model_arena(const Model *model)
{
    return model->arena;
}

void model_fingerprint_add(Model *model, const char *text, size_t len)
{
    // The length keeps two loads apart from one of the joined text.
    model->fingerprint = hash_bytes(model->fingerprint, (const char *)&len, sizeof len);
    model->fingerprint = hash_bytes(model->fingerprint, text, len);
}

uint64_t model_fingerprint(const Model *model)
{
    return model->fingerprint;
}

// ---- names --------------------------------------------------------------------------------------

// The bucket that holds the name, or the free one where it belongs. There must be a free one.
static uint32_t *names_bucket(const Model *model, const char *name, size_t len)
{
    uint32_t mask = model->bucket_count - 1;
    for (uint32_t at = (uint32_t)hash_bytes(hash_seed, name, len) & mask;; at = (at + 1) & mask) {
        uint32_t index = model->buckets[at];
        if (index == 0) return &model->buckets[at];
        const char *known = model->names.items[index - 1].name;
        if (strncmp(known, name, len) == 0 && known[len] == '\0') return &model->buckets[at];
    }
}

static void names_grow(Model *model)
{
    model->bucket_count = model->bucket_count == 0 ? 256 : model->bucket_count * 2;
    model->buckets = ARENA_ARRAY(model->arena, uint32_t, model->bucket_count);
    for (uint32_t i = 0; i < model->names.len; i++) {
        const char *name = model->names.items[i].name;
        *names_bucket(model, name, strlen(name)) = i + 1;
    }
}

static const ModelName *names_find(const Model *model, const char *name, size_t len)
{
    if (model->bucket_count == 0) return NULL;
    uint32_t index = *names_bucket(model, name, len);
    return index != 0 ? &model->names.items[index - 1] : NULL;
}

static ModelName *names_get(Model *model, const char *name)
{
    if (model->names.len * 2 >= model->bucket_count) names_grow(model);
    uint32_t *bucket = names_bucket(model, name, strlen(name));
    if (*bucket == 0) {
        ModelName added = {.name = arena_strdup(model->arena, name)};
        vec_push(model->arena, &model->names, added);
        *bucket = model->names.len;
    }
    return &model->names.items[*bucket - 1];
}

// ---- functions ----------------------------------------------------------------------------------

const char *model_function_forget(Model *model, const char *name)
{
    ModelName *known = names_get(model, name);
    if (known->variants.len == 0) return NULL;
    const char *file = known->variants.items[0]->file;
    known->variants.len = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < model->functions.len; i++) {
        ModelFunction *function = model->functions.items[i];
        if (strcmp(function->name, name) != 0) model->functions.items[kept++] = function;
    }
    model->functions.len = kept;
    return file;
}

void model_function_add(Model *model, const ModelFunction *function)
{
    ModelName *name = names_get(model, function->name);
    ModelFunction *added = ARENA_NEW(model->arena, ModelFunction);
    *added = *function;
    added->name = name->name;
    vec_push(model->arena, &name->variants, added);
    vec_push(model->arena, &model->functions, added);
}

static const ModelFunction *pick_variant(const ModelName *name, int arg_count)
{
    for (uint32_t i = 0; i < name->variants.len; i++) {
        const ModelFunction *function = name->variants.items[i];
        if (function->min_args <= arg_count && arg_count <= function->max_args) return function;
    }
    return NULL;
}

// The length of the name without one version suffix (_v2, _ptds, _ptsz), or `len` when it has none.
static size_t strip_version(const char *name, size_t len)
{
    static const size_t ptds_len = sizeof "_ptds" - 1;
    if (len > ptds_len) {
        const char *tail = name + len - ptds_len;
        if (memcmp(tail, "_ptds", ptds_len) == 0 || memcmp(tail, "_ptsz", ptds_len) == 0)
            return len - ptds_len;
    }
    size_t digits = 0;
    while (digits < len && isdigit((unsigned char)name[len - 1 - digits])) digits++;
    bool is_version =
        digits > 0 && len > digits + 2 && memcmp(name + len - digits - 2, "_v", 2) == 0;
    return is_version ? len - digits - 2 : len;
}

static const ModelFunction *find_toolkit_name(const Model *model, const char *name, int arg_count)
{
    size_t len = strlen(name);
    for (;;) {
        const ModelName *found = names_find(model, name, len);
        if (found != NULL && found->variants.len != 0) return pick_variant(found, arg_count);
        size_t shorter = strip_version(name, len);
        if (shorter == len) return NULL;
        len = shorter;
    }
}

// Library versions are inline namespaces of std whose names start with two underscores.
static const ModelFunction *find_std_name(const Model *model, const char *name, int arg_count)
{
    const char *rest = name + sizeof "std::" - 1;
    const char *end = str_starts_with(rest, "__") ? strstr(rest, "::") : NULL;
    if (end == NULL) return NULL;
    char plain[128];
    size_t len = strlen(end);
    if (len + sizeof "std" > sizeof plain) return NULL;
    memcpy(plain, "std", sizeof "std" - 1);
    memcpy(plain + sizeof "std" - 1, end, len + 1);
    return model_find(model, plain, arg_count);
}

const ModelFunction *model_find(const Model *model, const char *qualified, int arg_count)
{
    if (strstr(qualified, "::") == NULL) return find_toolkit_name(model, qualified, arg_count);
    const ModelName *found = names_find(model, qualified, strlen(qualified));
    if (found != NULL && found->variants.len != 0) return pick_variant(found, arg_count);
    return str_starts_with(qualified, "std::") ? find_std_name(model, qualified, arg_count) : NULL;
}

static bool effect_releases(const ModelEffect *effect, uint32_t resource)
{
    for (uint32_t i = 0; i < effect->resources.len; i++) {
        if (effect->resources.items[i] == resource) return true;
    }
    return false;
}

static void close_effect(Model *model, ModelEffect *effect)
{
    for (uint32_t i = 0; i < model->resources.len; i++) {
        uint32_t base = model->resources.items[i].same_as;
        if (base == UINT32_MAX || !effect_releases(effect, base) || effect_releases(effect, i))
            continue;
        vec_push(model->arena, &effect->resources, i);
    }
}

void model_close_families(Model *model)
{
    for (uint32_t i = 0; i < model->functions.len; i++) {
        ModelFunction *function = model->functions.items[i];
        for (uint32_t j = 0; j < function->effects.len; j++) {
            if (function->effects.items[j].kind == MODEL_RELEASE)
                close_effect(model, &function->effects.items[j]);
        }
    }
}

uint32_t model_function_count(const Model *model)
{
    return model->functions.len;
}

const ModelFunction *model_function_at(const Model *model, uint32_t index)
{
    BUG_ON(index >= model->functions.len);
    return model->functions.items[index];
}

// ---- resources ----------------------------------------------------------------------------------

uint32_t model_resource_set(Model *model, ModelResource resource)
{
    uint32_t index = model_resource_find(model, resource.name);
    if (index != UINT32_MAX) {
        model->resources.items[index] = resource;
        return index;
    }
    vec_push(model->arena, &model->resources, resource);
    return model->resources.len - 1;
}

const ModelResource *model_resource(const Model *model, uint32_t index)
{
    BUG_ON(index >= model->resources.len);
    return &model->resources.items[index];
}

uint32_t model_resource_count(const Model *model)
{
    return model->resources.len;
}

uint32_t model_resource_find(const Model *model, const char *name)
{
    for (uint32_t i = 0; i < model->resources.len; i++) {
        if (strcmp(model->resources.items[i].name, name) == 0) return i;
    }
    return UINT32_MAX;
}

// ---- libraries ----------------------------------------------------------------------------------

void model_library_set(Model *model, ModelLibrary library)
{
    for (uint32_t i = 0; i < model->libraries.len; i++) {
        if (strcmp(model->libraries.items[i].name, library.name) != 0) continue;
        model->libraries.items[i] = library;
        return;
    }
    vec_push(model->arena, &model->libraries, library);
}

const ModelLibrary *model_library_of(const Model *model, const char *function)
{
    const ModelLibrary *found = NULL;
    for (uint32_t i = 0; i < model->libraries.len; i++) {
        const ModelLibrary *library = &model->libraries.items[i];
        if (!str_starts_with(function, library->name)) continue;
        if (found == NULL || strlen(library->name) > strlen(found->name)) found = library;
    }
    return found;
}

// ---- words --------------------------------------------------------------------------------------

const char *model_effect_text(ModelEffectKind kind)
{
    switch (kind) {
    case MODEL_ACQUIRE:
        return "acquires";
    case MODEL_RELEASE:
        return "releases";
    case MODEL_BORROW:
        return "borrows";
    case MODEL_RELEASE_ALL:
        return "release_all";
    case MODEL_ATTACH:
        return "attaches";
    case MODEL_DETACH:
        return "detaches";
    case MODEL_USE_READ:
        return "reads";
    case MODEL_USE_WRITE:
        return "writes";
    case MODEL_WRITE_OUT:
        return "writes_out";
    case MODEL_KEEP:
        return "keeps";
    case MODEL_COPY:
        return "copies";
    case MODEL_CLEAR_ELEMENTS:
        return "clears";
    case MODEL_SIZE:
        return "size_of";
    case MODEL_EMPTY:
        return "empty_of";
    case MODEL_MAPPED:
        return "mapped";
    case MODEL_DROP_ELEMENTS:
        return "drops";
    case MODEL_GROW:
        return "grows";
    case MODEL_RESERVE:
        return "reserves";
    case MODEL_REPLACE:
        return "replaces";
    case MODEL_EXCHANGE:
        return "exchanges";
    }
    return "";
}

const char *model_order_text(ModelOrder order)
{
    switch (order) {
#define ORDER(name, text, meaning)                                                                 \
    case name:                                                                                     \
        return text;
#include "model/order.def"
#undef ORDER
    }
    return "";
}
