// SPDX-License-Identifier: MIT
// The reader: YAML in the vocabulary of docs/models.md to resource kinds and function entries in
// the store. Resource kinds of all files of one load are read first, so that files may name each
// other's. Everything that the vocabulary does not know is an error with its place.
#include "model/model.h"

#include "model/model_load_p.h"
#include "model/model_p.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

// ---- resource kinds -----------------------------------------------------------------------------

static Status read_resource_key(const Loader *loader, const YamlPair *pair, ModelResource *resource)
{
    const char *key = pair->key->text;
    struct {
        const char *key;
        bool *flag;
    } flags[] = {
        {"must_release", &resource->must_release}, {"borrowed", &resource->borrowed},
        {"memory", &resource->is_memory},          {"host", &resource->host_accessible},
        {"device", &resource->device_accessible},  {"reset", &resource->released_by_reset},
        {"counted", &resource->is_counted},        {"stream_ordered", &resource->is_stream_ordered},
        {"pinned", &resource->is_pinned},          {"defers", &resource->defers_work},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(key, flags[i].key) == 0)
            return yaml_bool(pair->value, loader->file, key, flags[i].flag, loader->err);
    }
    const char **text = NULL;
    if (strcmp(key, "title") == 0) text = &resource->title;
    if (strcmp(key, "release") == 0) text = &resource->release_hint;
    if (text == NULL) return FAIL(loader, pair->key, "unknown key '%s' of a resource", key);
    Status status = yaml_text(pair->value, loader->file, key, text, loader->err);
    if (status == ST_OK) *text = arena_strdup(loader->arena, *text);
    return status;
}

// Starts from the kind that `as` names, so that only the differences need saying.
static Status read_resource_base(const Loader *loader, const YamlNode *as, ModelResource *resource)
{
    uint32_t base =
        as->kind == YAML_SCALAR ? model_resource_find(loader->model, as->text) : UINT32_MAX;
    if (base == UINT32_MAX) return FAIL(loader, as, "as must name a known resource");
    const char *name = resource->name;
    *resource = *model_resource(loader->model, base);
    if (strcmp(resource->name, name) == 0)
        return FAIL(loader, as, "resource '%s' is as itself", name);
    if (resource->same_as == UINT32_MAX) resource->same_as = base;
    resource->name = name;
    return ST_OK;
}

static Status read_resource(const Loader *loader, const YamlPair *pair)
{
    const YamlNode *node = pair->value;
    const YamlNode *as = yaml_get(node, "as"), *borrowed = yaml_get(node, "borrowed");
    ModelResource resource = {.name = arena_strdup(loader->arena, pair->key->text),
                              .same_as = UINT32_MAX};
    // Owned things must be released unless the entry says otherwise.
    resource.must_release =
        borrowed == NULL || borrowed->kind != YAML_SCALAR || strcmp(borrowed->text, "true") != 0;
    Status status = as != NULL ? read_resource_base(loader, as, &resource) : ST_OK;
    for (uint32_t i = 0; i < node->pairs.len && status == ST_OK; i++) {
        const YamlPair *item = &node->pairs.items[i];
        if (item->value != as) status = read_resource_key(loader, item, &resource);
    }
    if (status != ST_OK) return status;
    resource.is_project = loader->is_project;
    resource.file = loader->file;
    resource.line = pair->key->line;
    resource.column = pair->key->column;
    if (resource.title == NULL)
        return FAIL(loader, pair->key, "resource '%s' has no title", resource.name);
    if (resource.borrowed && resource.must_release)
        return FAIL(loader, pair->key, "resource '%s' is borrowed: nobody must release it",
                    resource.name);
    model_resource_set(loader->model, resource);
    return ST_OK;
}

// ---- functions ----------------------------------------------------------------------------------

static Status read_count(const Loader *loader, const YamlNode *node, const char *key, int *out)
{
    int64_t value = 0;
    Status status = yaml_int(node, loader->file, key, &value, loader->err);
    if (status == ST_OK && (value < 0 || value > MODEL_MAX_ARGUMENT))
        return FAIL(loader, node, "%s must be between 0 and %d", key, MODEL_MAX_ARGUMENT);
    *out = (int)value;
    return status;
}

// N, or [MIN, MAX]
static Status read_args(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    if (node->kind != YAML_SEQUENCE) {
        Status status = read_count(loader, node, "args", &function->min_args);
        function->max_args = function->min_args;
        return status;
    }
    if (node->items.len != 2) return FAIL(loader, node, "args must be a number or [least, most]");
    Status status = read_count(loader, node->items.items[0], "args", &function->min_args);
    if (status == ST_OK)
        status = read_count(loader, node->items.items[1], "args", &function->max_args);
    if (status == ST_OK && function->min_args > function->max_args)
        return FAIL(loader, node, "args: the least is more than the most");
    return status;
}

// N, or [N, M] for their product
static Status read_bytes(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    if (node->kind != YAML_SEQUENCE)
        return read_count(loader, node, "bytes", &function->bytes_args[0]);
    if (node->items.len != MODEL_BYTES_FACTORS)
        return FAIL(loader, node, "bytes must be an argument, or two whose product it is");
    Status status = ST_OK;
    for (int i = 0; i < MODEL_BYTES_FACTORS && status == ST_OK; i++)
        status = read_count(loader, node->items.items[i], "bytes", &function->bytes_args[i]);
    return status;
}

static Status read_result(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    static const struct {
        const char *text;
        ModelResult result;
    } results[] = {{"status", MODEL_RESULT_STATUS},
                   {"pointer", MODEL_RESULT_POINTER},
                   {"other", MODEL_RESULT_OTHER}};
    for (size_t i = 0; node->kind == YAML_SCALAR && i < sizeof results / sizeof *results; i++) {
        if (strcmp(node->text, results[i].text) != 0) continue;
        function->result = results[i].result;
        return ST_OK;
    }
    return FAIL(loader, node, "result must be status, pointer or other");
}

static Status read_order(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    static const ModelOrder orders[] = {
#define ORDER(name, text, meaning) name,
#include "model/order.def"
#undef ORDER
    };
    for (size_t i = 0; node->kind == YAML_SCALAR && i < sizeof orders / sizeof *orders; i++) {
        if (strcmp(node->text, model_order_text(orders[i])) != 0) continue;
        function->order = orders[i];
        return ST_OK;
    }
    return FAIL(loader, node, "unknown order '%s'", node->kind == YAML_SCALAR ? node->text : "...");
}

static Status read_last_error(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    if (strcmp(text, "peek") != 0 && strcmp(text, "take") != 0)
        return FAIL(loader, node, "last_error must be peek or take");
    function->last_error = text[0] == 'p' ? MODEL_LAST_ERROR_PEEK : MODEL_LAST_ERROR_TAKE;
    return ST_OK;
}

// default, N, or *N.field
static Status read_stream(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    if (node->kind == YAML_SCALAR && strcmp(node->text, "default") == 0) {
        function->stream_arg = MODEL_STREAM_DEFAULT;
        return ST_OK;
    }
    ModelSlot slot;
    Status status = model_read_slot(loader, node, &slot);
    if (status != ST_OK) return status;
    if (slot.arg < 1 || slot.elements || slot.pointee != (slot.field != NULL))
        return FAIL(loader, node, "stream must be default, N or *N.field");
    function->stream_arg = slot.arg;
    function->stream_field = slot.field;
    return ST_OK;
}

// "MAJOR.MINOR" as CUDART_VERSION counts.
static Status read_version(const Loader *loader, const YamlNode *node, const char *key, int *out)
{
    int major = 0, minor = 0;
    const char *c = node->kind == YAML_SCALAR ? node->text : "";
    const char *start = c;
    for (; isdigit((unsigned char)*c) && c - start < 3; c++) major = major * 10 + (*c - '0');
    bool is_good = c != start && *c == '.' && isdigit((unsigned char)c[1]) && c[2] == '\0';
    if (!is_good) return FAIL(loader, node, "%s must be a toolkit version such as 11.2", key);
    minor = c[1] - '0';
    *out = major * 1000 + minor * 10;
    return ST_OK;
}

static Status read_note(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    Status status = yaml_text(node, loader->file, "note", &function->note, loader->err);
    if (status == ST_OK) function->note = arena_strdup(loader->arena, function->note);
    return status;
}

// Flags that belong to an entry's effects and are applied once all of them are known.
typedef struct {
    bool on_success;
} EntryFlags;

static Status read_function_key(const Loader *loader, const YamlPair *pair, ModelFunction *function,
                                EntryFlags *flags)
{
    const char *key = pair->key->text;
    const YamlNode *value = pair->value;
    bool is_effect = false;
    Status status = model_read_effect(loader, pair, function, &is_effect);
    if (is_effect) return status;
    if (strcmp(key, "result") == 0) return read_result(loader, value, function);
    if (strcmp(key, "args") == 0) return read_args(loader, value, function);
    if (strcmp(key, "last_error") == 0) return read_last_error(loader, value, function);
    if (strcmp(key, "order") == 0) return read_order(loader, value, function);
    if (strcmp(key, "stream") == 0) return read_stream(loader, value, function);
    if (strcmp(key, "event") == 0) return read_count(loader, value, key, &function->event_arg);
    if (strcmp(key, "handle") == 0) return read_count(loader, value, key, &function->handle_arg);
    if (strcmp(key, "kernel") == 0) return read_count(loader, value, key, &function->kernel_arg);
    if (strcmp(key, "kernel_array") == 0)
        return read_count(loader, value, key, &function->kernel_array_arg);
    if (strcmp(key, "kernel_values") == 0)
        return read_count(loader, value, key, &function->kernel_values_arg);
    if (strcmp(key, "nonblocking") == 0)
        return read_count(loader, value, key, &function->nonblocking_arg);
    if (strcmp(key, "direction") == 0)
        return read_count(loader, value, key, &function->direction_arg);
    if (strcmp(key, "graph") == 0) return read_count(loader, value, key, &function->graph_arg);
    if (strcmp(key, "elements") == 0)
        return read_count(loader, value, key, &function->elements_arg);
    if (strcmp(key, "fill") == 0) return read_count(loader, value, key, &function->fill_arg);
    if (strcmp(key, "bytes") == 0) return read_bytes(loader, value, function);
    if (strcmp(key, "not_ready") == 0)
        return yaml_int(value, loader->file, key, &function->not_ready, loader->err);
    if (strcmp(key, "since") == 0) return read_version(loader, value, key, &function->since);
    if (strcmp(key, "until") == 0) return read_version(loader, value, key, &function->until);
    if (strcmp(key, "note") == 0) return read_note(loader, value, function);
    if (strcmp(key, "null_ok") == 0)
        return yaml_bool(value, loader->file, key, &function->null_ok, loader->err);
    if (strcmp(key, "null_on_failure") == 0)
        return yaml_bool(value, loader->file, key, &function->null_on_failure, loader->err);
    if (strcmp(key, "null_when_released") == 0)
        return yaml_bool(value, loader->file, key, &function->null_when_released, loader->err);
    if (strcmp(key, "recorded_elsewhere") == 0)
        return yaml_bool(value, loader->file, key, &function->recorded_elsewhere, loader->err);
    if (strcmp(key, "unset") == 0)
        return yaml_bool(value, loader->file, key, &function->unset, loader->err);
    if (strcmp(key, "on_success") == 0)
        return yaml_bool(value, loader->file, key, &flags->on_success, loader->err);
    return FAIL(loader, pair->key, "unknown key '%s' of a function", key);
}

static bool has_read(const ModelFunction *function, int arg)
{
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        if (effect->kind != MODEL_USE_READ) continue;
        if (effect->slot.arg == arg && !effect->slot.pointee && effect->slot.field == NULL)
            return true;
    }
    return false;
}

// A stream or event that a call names is used by it.
static void add_use(const Loader *loader, ModelFunction *function, int arg)
{
    if (arg < 1 || has_read(function, arg)) return;
    ModelEffect effect = model_effect_new(MODEL_USE_READ);
    effect.slot.arg = arg;
    vec_push(loader->arena, &function->effects, effect);
}

// A call uses what it is given, then lets go, then hands out, and what it keeps may be what it
// handed out.
static int effect_rank(ModelEffectKind kind)
{
    switch (kind) {
    case MODEL_USE_READ:
    case MODEL_USE_WRITE:
        return 0;
    case MODEL_RELEASE:
    case MODEL_DETACH:
        return 1;
    case MODEL_RELEASE_ALL:
        return 2;
    case MODEL_WRITE_OUT:
    case MODEL_COPY:
    case MODEL_CLEAR_ELEMENTS:
    case MODEL_DROP_ELEMENTS:
    case MODEL_GROW:
    case MODEL_RESERVE:
    case MODEL_REPLACE:
    case MODEL_EXCHANGE:
        return 3;
    case MODEL_ACQUIRE:
    case MODEL_BORROW:
    case MODEL_ATTACH:
        return 4;
    case MODEL_KEEP:
    case MODEL_SIZE:
    case MODEL_EMPTY:
    case MODEL_MAPPED:
        return 5;
    }
    return 0;
}

// The keys of a mapping have no order of their own: effects come in the order in which they happen.
static void sort_effects(ModelFunction *function)
{
    ModelEffect *effects = function->effects.items;
    for (uint32_t i = 1; i < function->effects.len; i++) {
        ModelEffect moved = effects[i];
        uint32_t at = i;
        for (; at > 0 && effect_rank(effects[at - 1].kind) > effect_rank(moved.kind); at--)
            effects[at] = effects[at - 1];
        effects[at] = moved;
    }
}

static Status read_variant(const Loader *loader, const YamlNode *node, ModelFunction *function)
{
    if (node->kind != YAML_MAPPING)
        return FAIL(loader, node, "a function must be a mapping, or a list of them");
    *function = (ModelFunction){.max_args = INT_MAX,
                                .file = loader->file,
                                .is_project = loader->is_project,
                                .line = (int)node->line};
    EntryFlags flags = {0};
    for (uint32_t i = 0; i < node->pairs.len; i++) {
        Status status = read_function_key(loader, &node->pairs.items[i], function, &flags);
        if (status != ST_OK) return status;
    }
    for (uint32_t i = 0; i < function->effects.len; i++) {
        ModelEffect *effect = &function->effects.items[i];
        if (effect->kind == MODEL_RELEASE || effect->kind == MODEL_DETACH)
            effect->on_success = flags.on_success;
        if (effect->slot.arg != MODEL_SLOT_NONE && effect->slot.arg > function->max_args)
            return FAIL(loader, node, "a slot names argument %d, but there are at most %d",
                        effect->slot.arg, function->max_args);
    }
    if (function->stream_field == NULL) add_use(loader, function, function->stream_arg);
    add_use(loader, function, function->event_arg);
    sort_effects(function);
    return ST_OK;
}

static bool is_in_this_load(const Loader *loader, const char *file)
{
    for (size_t i = 0; i < loader->file_count; i++) {
        if (loader->files[i] == file) return true;
    }
    return false;
}

// The names of a key: "A, B, C".
static Status read_names(const Loader *loader, const YamlNode *key, const YamlNode *value)
{
    uint32_t count = value->kind == YAML_SEQUENCE ? value->items.len : 1;
    if (count == 0) return FAIL(loader, value, "a list of variants may not be empty");
    ModelFunction *variants = ARENA_ARRAY(loader->arena, ModelFunction, count);
    for (uint32_t i = 0; i < count; i++) {
        const YamlNode *node = value->kind == YAML_SEQUENCE ? value->items.items[i] : value;
        Status status = read_variant(loader, node, &variants[i]);
        if (status != ST_OK) return status;
    }
    for (const char *at = key->text; at != NULL;) {
        const char *comma = strchr(at, ',');
        size_t len = comma != NULL ? (size_t)(comma - at) : strlen(at);
        while (len > 0 && at[0] == ' ') at++, len--;
        while (len > 0 && at[len - 1] == ' ') len--;
        if (len == 0) return FAIL(loader, key, "a function's name is empty");
        const char *name = arena_strndup(loader->arena, at, len);
        const char *earlier = model_function_forget(loader->model, name);
        if (is_in_this_load(loader, earlier))
            return FAIL(loader, key, "function '%s' has an entry already in %s", name, earlier);
        for (uint32_t i = 0; i < count; i++) {
            variants[i].name = name;
            model_function_add(loader->model, &variants[i]);
        }
        at = comma != NULL ? comma + 1 : NULL;
    }
    return ST_OK;
}

// ---- documents ----------------------------------------------------------------------------------

static Status check_sections(const Loader *loader, const YamlNode *root)
{
    if (root->kind != YAML_MAPPING) return FAIL(loader, root, "a model must be a mapping");
    for (uint32_t i = 0; i < root->pairs.len; i++) {
        const YamlPair *pair = &root->pairs.items[i];
        bool is_known = strcmp(pair->key->text, "resources") == 0 ||
                        strcmp(pair->key->text, "functions") == 0 ||
                        strcmp(pair->key->text, "libraries") == 0;
        if (!is_known)
            return FAIL(loader, pair->key,
                        "unknown section '%s': write resources, functions or libraries",
                        pair->key->text);
        if (pair->value->kind != YAML_MAPPING)
            return FAIL(loader, pair->value, "%s must be a mapping", pair->key->text);
    }
    return ST_OK;
}

// Kinds that stand alone, or those that are `as` another: these come after all of the former, of
// any file.
static Status load_resources(const Loader *loader, const YamlNode *root, bool derived)
{
    const YamlNode *section = yaml_get(root, "resources");
    for (uint32_t i = 0; section != NULL && i < section->pairs.len; i++) {
        const YamlPair *pair = &section->pairs.items[i];
        if (pair->value->kind != YAML_MAPPING)
            return FAIL(loader, pair->value, "resource '%s' must be a mapping", pair->key->text);
        if ((yaml_get(pair->value, "as") != NULL) != derived) continue;
        Status status = read_resource(loader, pair);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static Status load_functions(const Loader *loader, const YamlNode *root)
{
    Status status = ST_OK;
    const YamlNode *section = yaml_get(root, "functions");
    for (uint32_t i = 0; section != NULL && i < section->pairs.len && status == ST_OK; i++)
        status = read_names(loader, section->pairs.items[i].key, section->pairs.items[i].value);
    return status;
}

Status model_load_sources(Model *model, const ModelSource *sources, size_t count, Err *err)
{
    Arena *arena = model_arena(model);
    Arena *trees = arena_new("model yaml");
    const YamlNode **roots = ARENA_ARRAY(trees, const YamlNode *, count);
    Loader *loaders = ARENA_ARRAY(trees, Loader, count);
    const char **files = ARENA_ARRAY(trees, const char *, count);
    Status status = ST_OK;
    for (size_t i = 0; i < count && status == ST_OK; i++) {
        const char *file = files[i] = arena_strdup(arena, sources[i].name);
        loaders[i] = (Loader){.model = model,
                              .arena = arena,
                              .file = file,
                              .is_project = sources[i].is_project,
                              .err = err,
                              .files = files,
                              .file_count = count};
        model_fingerprint_add(model, sources[i].text, sources[i].len);
        status = yaml_parse(trees, file, sources[i].text, sources[i].len, &roots[i], err);
        if (status == ST_OK) status = check_sections(&loaders[i], roots[i]);
        if (status == ST_OK) status = model_read_libraries(&loaders[i], roots[i]);
        if (status == ST_OK) status = load_resources(&loaders[i], roots[i], false);
    }
    for (size_t i = 0; i < count && status == ST_OK; i++)
        status = load_resources(&loaders[i], roots[i], true);
    for (size_t i = 0; i < count && status == ST_OK; i++)
        status = load_functions(&loaders[i], roots[i]);
    arena_free(trees);
    model_close_families(model);
    return status;
}

Status model_load_text(Model *model, const char *name, const char *text, size_t len, Err *err)
{
    ModelSource source = {.name = name, .text = text, .len = len, .is_project = true};
    return model_load_sources(model, &source, 1, err);
}

Status model_load_file(Model *model, const char *path, Err *err)
{
    const char *text = NULL;
    size_t len = 0;
    Arena *scratch = arena_new("model file");
    Status status = yaml_read_file(scratch, path, &text, &len, err);
    if (status == ST_OK) status = model_load_text(model, path, text, len, err);
    arena_free(scratch);
    return status;
}
