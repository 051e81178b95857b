// SPDX-License-Identifier: MIT
// The part of the reader that turns "acquires: {"*1": device_memory}" and its like into effects of
// an entry. Resource kinds are known before any effect is read.
#include "model/model_load_p.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

// ---- slots --------------------------------------------------------------------------------------

static bool is_field_path(const char *text)
{
    bool at_start = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '.') {
            if (at_start) return false;
            at_start = true;
            continue;
        }
        if (!(isalpha((unsigned char)*c) || *c == '_' || (!at_start && isdigit((unsigned char)*c))))
            return false;
        at_start = false;
    }
    return !at_start;
}

// this | 0 | [*] N [ [] ] [ .field ]
static bool parse_slot(Arena *arena, const char *text, ModelSlot *slot)
{
    *slot = (ModelSlot){.arg = MODEL_SLOT_THIS};
    const char *rest = text;
    if (str_starts_with(text, "this")) {
        rest += sizeof "this" - 1;
    } else {
        slot->pointee = *rest == '*';
        rest += slot->pointee;
        if (!isdigit((unsigned char)*rest)) return false;
        slot->arg = 0;
        for (; isdigit((unsigned char)*rest); rest++) {
            slot->arg = slot->arg * 10 + (*rest - '0');
            if (slot->arg > MODEL_MAX_ARGUMENT) return false;
        }
    }
    slot->elements = str_starts_with(rest, "[]");
    if (slot->elements && !slot->pointee) return false;
    rest += slot->elements ? 2 : 0;
    if (*rest == '\0') return true;
    if (*rest != '.' || !is_field_path(rest + 1)) return false;
    slot->field = arena_strdup(arena, rest + 1);
    return true;
}

Status model_read_slot(const Loader *loader, const YamlNode *node, ModelSlot *slot)
{
    if (node->kind == YAML_SCALAR && parse_slot(loader->arena, node->text, slot)) return ST_OK;
    return FAIL(loader, node, "'%s' is no slot: write 0, N, N.field, *N, *N[], *N.field or this",
                node->kind == YAML_SCALAR ? node->text : "...");
}

// ---- effects ------------------------------------------------------------------------------------

static Status read_kind(const Loader *loader, const YamlNode *node, uint32_t *index)
{
    if (node->kind != YAML_SCALAR) return FAIL(loader, node, "a resource kind must be a name");
    *index = model_resource_find(loader->model, node->text);
    return *index != UINT32_MAX ? ST_OK : FAIL(loader, node, "unknown resource '%s'", node->text);
}

ModelEffect model_effect_new(ModelEffectKind kind)
{
    ModelSlot none = {.arg = MODEL_SLOT_NONE};
    return (ModelEffect){
        .kind = kind, .slot = none, .resource = UINT32_MAX, .owner = none, .from = none};
}

static Status read_released_kinds(const Loader *loader, const YamlNode *node, ModelEffect *effect)
{
    uint32_t count = node->kind == YAML_SEQUENCE ? node->items.len : 1;
    if (count == 0) return FAIL(loader, node, "releases needs at least one resource");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = 0;
        const YamlNode *item = node->kind == YAML_SEQUENCE ? node->items.items[i] : node;
        Status status = read_kind(loader, item, &index);
        if (status != ST_OK) return status;
        vec_push(loader->arena, &effect->resources, index);
    }
    return ST_OK;
}

// KIND, or {kind: KIND, owner: SLOT}
static Status read_borrow(const Loader *loader, const YamlNode *node, ModelEffect *effect)
{
    const YamlNode *kind = node;
    if (node->kind == YAML_MAPPING) {
        kind = yaml_get(node, "kind");
        if (kind == NULL) return FAIL(loader, node, "borrows needs a kind");
        for (uint32_t i = 0; i < node->pairs.len; i++) {
            const YamlPair *pair = &node->pairs.items[i];
            bool is_owner = strcmp(pair->key->text, "owner") == 0;
            if (!is_owner && strcmp(pair->key->text, "kind") != 0)
                return FAIL(loader, pair->key, "unknown key '%s' of borrows", pair->key->text);
            Status status = is_owner ? model_read_slot(loader, pair->value, &effect->owner) : ST_OK;
            if (status != ST_OK) return status;
        }
    }
    Status status = read_kind(loader, kind, &effect->resource);
    if (status == ST_OK && !model_resource(loader->model, effect->resource)->borrowed)
        return FAIL(loader, kind, "resource '%s' is not borrowed", kind->text);
    return status;
}

static Status read_effect_value(const Loader *loader, const YamlNode *node, ModelEffect *effect)
{
    Status status;
    switch (effect->kind) {
    case MODEL_RELEASE:
        return read_released_kinds(loader, node, effect);
    case MODEL_BORROW:
        return read_borrow(loader, node, effect);
    case MODEL_COPY:
        return model_read_slot(loader, node, &effect->from);
    case MODEL_ACQUIRE:
    case MODEL_ATTACH:
    case MODEL_DETACH:
        status = read_kind(loader, node, &effect->resource);
        if (status == ST_OK && model_resource(loader->model, effect->resource)->borrowed)
            return FAIL(loader, node, "resource '%s' is borrowed: it cannot be acquired",
                        node->text);
        return status;
    case MODEL_RELEASE_ALL:
    case MODEL_USE_READ:
    case MODEL_USE_WRITE:
    case MODEL_WRITE_OUT:
    case MODEL_KEEP:
    case MODEL_CLEAR_ELEMENTS:
    case MODEL_SIZE:
    case MODEL_EMPTY:
    case MODEL_MAPPED:
    case MODEL_DROP_ELEMENTS:
    case MODEL_GROW:
    case MODEL_RESERVE:
    case MODEL_REPLACE:
    case MODEL_EXCHANGE:
        break;
    }
    return ST_OK;
}

// {SLOT: value, ...}
static Status read_effect_map(const Loader *loader, const YamlPair *pair, ModelEffectKind kind,
                              ModelFunction *function)
{
    const YamlNode *node = pair->value;
    if (node->kind != YAML_MAPPING || node->pairs.len == 0)
        return FAIL(loader, node, "%s must be a mapping of slots", pair->key->text);
    for (uint32_t i = 0; i < node->pairs.len; i++) {
        ModelEffect effect = model_effect_new(kind);
        Status status = model_read_slot(loader, node->pairs.items[i].key, &effect.slot);
        if (status == ST_OK)
            status = read_effect_value(loader, node->pairs.items[i].value, &effect);
        if (status != ST_OK) return status;
        vec_push(loader->arena, &function->effects, effect);
    }
    return ST_OK;
}

// SLOT, or [SLOT, ...]
static Status read_effect_list(const Loader *loader, const YamlPair *pair, ModelEffectKind kind,
                               ModelFunction *function)
{
    const YamlNode *node = pair->value;
    uint32_t count = node->kind == YAML_SEQUENCE ? node->items.len : 1;
    if (count == 0) return FAIL(loader, node, "%s needs at least one slot", pair->key->text);
    for (uint32_t i = 0; i < count; i++) {
        ModelEffect effect = model_effect_new(kind);
        const YamlNode *item = node->kind == YAML_SEQUENCE ? node->items.items[i] : node;
        Status status = model_read_slot(loader, item, &effect.slot);
        if (status != ST_OK) return status;
        vec_push(loader->arena, &function->effects, effect);
    }
    return ST_OK;
}

static Status read_release_all(const Loader *loader, const YamlPair *pair, ModelFunction *function)
{
    bool is_on = false;
    Status status = yaml_bool(pair->value, loader->file, pair->key->text, &is_on, loader->err);
    ModelEffect effect = model_effect_new(MODEL_RELEASE_ALL);
    if (is_on) vec_push(loader->arena, &function->effects, effect);
    return status;
}

typedef enum { SHAPE_MAP, SHAPE_LIST, SHAPE_FLAG } EffectShape;

Status model_read_effect(const Loader *loader, const YamlPair *pair, ModelFunction *function,
                         bool *is_effect)
{
    static const struct {
        ModelEffectKind kind;
        EffectShape shape;
    } effects[] = {
        {MODEL_ACQUIRE, SHAPE_MAP},         {MODEL_RELEASE, SHAPE_MAP},
        {MODEL_BORROW, SHAPE_MAP},          {MODEL_ATTACH, SHAPE_MAP},
        {MODEL_DETACH, SHAPE_MAP},          {MODEL_COPY, SHAPE_MAP},
        {MODEL_USE_READ, SHAPE_LIST},       {MODEL_USE_WRITE, SHAPE_LIST},
        {MODEL_WRITE_OUT, SHAPE_LIST},      {MODEL_KEEP, SHAPE_LIST},
        {MODEL_CLEAR_ELEMENTS, SHAPE_LIST}, {MODEL_DROP_ELEMENTS, SHAPE_LIST},
        {MODEL_SIZE, SHAPE_LIST},           {MODEL_EMPTY, SHAPE_LIST},
        {MODEL_GROW, SHAPE_LIST},           {MODEL_RESERVE, SHAPE_LIST},
        {MODEL_REPLACE, SHAPE_LIST},        {MODEL_EXCHANGE, SHAPE_LIST},
        {MODEL_MAPPED, SHAPE_LIST},         {MODEL_RELEASE_ALL, SHAPE_FLAG},
    };
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        if (strcmp(pair->key->text, model_effect_text(effects[i].kind)) != 0) continue;
        *is_effect = true;
        switch (effects[i].shape) {
        case SHAPE_MAP:
            return read_effect_map(loader, pair, effects[i].kind, function);
        case SHAPE_LIST:
            return read_effect_list(loader, pair, effects[i].kind, function);
        case SHAPE_FLAG:
            return read_release_all(loader, pair, function);
        }
    }
    return ST_OK;
}
