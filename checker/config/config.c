// SPDX-License-Identifier: MIT
// Reads .cudalint.yaml. Input: its text; output: a Config, or what is wrong and where. Rules' names
// are checked by whoever knows the rules.
#include "config/config.h"

#include "base/yaml.h"
#include "config/config_p.h"
#include "config/nearest.h"

#include <string.h>

const ConfigKey config_keys[] = {
#define CONFIG_KEY(name, shape, option, help) {name, shape, option, help},
#include "config/config.def"
#undef CONFIG_KEY
};
const uint32_t config_key_count = sizeof config_keys / sizeof config_keys[0];

typedef struct {
    Arena *arena;
    Config *config;
    Err *err;
} Reader;

static Status unknown_key(Reader *reader, const YamlNode *key, const char *const *names,
                          uint32_t count)
{
    const char *near = nearest_word(key->text, names, count);
    if (near != NULL)
        return yaml_error(key, reader->config->path, reader->err,
                          "unknown key '%s'; did you mean '%s'?", key->text, near);
    return yaml_error(key, reader->config->path, reader->err, "unknown key '%s'", key->text);
}

// ---- values -------------------------------------------------------------------------------------

static Status read_text(Reader *reader, const YamlNode *node, const char *key, const char **out)
{
    return yaml_text(node, reader->config->path, key, out, reader->err);
}

// A list of texts, or one text.
static Status read_texts(Reader *reader, const YamlNode *node, const char *key, TextList *out)
{
    const char *text;
    if (node->kind == YAML_SCALAR) {
        Status status = read_text(reader, node, key, &text);
        if (status == ST_OK) vec_push(reader->arena, out, text);
        return status;
    }
    if (node->kind != YAML_SEQUENCE)
        return yaml_error(node, reader->config->path, reader->err, "%s must be a list of texts",
                          key);
    for (uint32_t i = 0; i < node->items.len; i++) {
        Status status = read_text(reader, node->items.items[i], key, &text);
        if (status != ST_OK) return status;
        vec_push(reader->arena, out, text);
    }
    return ST_OK;
}

static Status read_levels(Reader *reader, const YamlNode *node, const char *key)
{
    const char *path = reader->config->path;
    if (node->kind != YAML_MAPPING)
        return yaml_error(node, path, reader->err, "%s must be a list of RULE: LEVEL", key);
    for (uint32_t i = 0; i < node->pairs.len; i++) {
        const YamlNode *rule = node->pairs.items[i].key, *value = node->pairs.items[i].value;
        ConfigLevel level = {.rule = rule->text, .line = rule->line, .column = rule->column};
        if (value->kind != YAML_SCALAR || severity_parse(value->text, &level.severity) != ST_OK)
            return yaml_error(value, path, reader->err,
                              "the level of '%s' must be error, warning, note or off", rule->text);
        vec_push(reader->arena, &reader->config->levels, level);
    }
    return ST_OK;
}

static Status read_suppression(Reader *reader, const YamlNode *node)
{
    static const char *const names[] = {"paths", "rules", "reason"};
    ConfigSuppression suppression = {.reason = "", .line = node->line, .column = node->column};
    if (node->kind != YAML_MAPPING)
        return yaml_error(node, reader->config->path, reader->err,
                          "a suppression must have paths, and may have rules and a reason");
    Status status = ST_OK;
    for (uint32_t i = 0; i < node->pairs.len && status == ST_OK; i++) {
        const YamlNode *key = node->pairs.items[i].key, *value = node->pairs.items[i].value;
        if (strcmp(key->text, "paths") == 0)
            status = read_texts(reader, value, key->text, &suppression.paths);
        else if (strcmp(key->text, "rules") == 0)
            status = read_texts(reader, value, key->text, &suppression.rules);
        else if (strcmp(key->text, "reason") == 0)
            status = read_text(reader, value, key->text, &suppression.reason);
        else
            status = unknown_key(reader, key, names, sizeof names / sizeof *names);
    }
    if (status == ST_OK && suppression.paths.len == 0)
        status = yaml_error(node, reader->config->path, reader->err, "a suppression wants paths");
    if (status == ST_OK) vec_push(reader->arena, &reader->config->suppressions, suppression);
    return status;
}

static Status read_suppressions(Reader *reader, const YamlNode *node, const char *key)
{
    if (node->kind != YAML_SEQUENCE)
        return yaml_error(node, reader->config->path, reader->err,
                          "%s must be a list of paths, rules and reasons", key);
    Status status = ST_OK;
    for (uint32_t i = 0; i < node->items.len && status == ST_OK; i++)
        status = read_suppression(reader, node->items.items[i]);
    return status;
}

// ---- settings that are options ------------------------------------------------------------------

static Status add_setting(Reader *reader, const YamlNode *node, const ConfigKey *key,
                          const char *value)
{
    ConfigSetting setting = {.option = key->option,
                             .value = value,
                             .line = node->line,
                             .column = node->column,
                             .is_path = key->shape == SHAPE_PATH || key->shape == SHAPE_PATHS};
    // Tried out here, so that a wrong value is said even where the command line overrules it.
    Options scratch;
    Err err = {.arena = reader->arena};
    options_init(&scratch);
    if (options_set(reader->arena, &scratch, key->option, value, &err) != ST_OK) {
        const char *message = err.message + strspn(err.message, "-");
        return yaml_error(node, reader->config->path, reader->err, "%s", message);
    }
    vec_push(reader->arena, &reader->config->settings, setting);
    return ST_OK;
}

static Status read_flag(Reader *reader, const YamlNode *node, const ConfigKey *key)
{
    bool value = false;
    Status status = yaml_bool(node, reader->config->path, key->name, &value, reader->err);
    if (status != ST_OK) return status;
    if (key->option != NULL) return add_setting(reader, node, key, value ? "true" : "false");
    reader->config->is_root = value; // the one flag that is no option
    return ST_OK;
}

static Status read_paths(Reader *reader, const YamlNode *node, const ConfigKey *key)
{
    TextList paths = {0};
    Status status = read_texts(reader, node, key->name, &paths);
    for (uint32_t i = 0; i < paths.len && status == ST_OK; i++)
        status = add_setting(reader, node, key, paths.items[i]);
    return status;
}

static Status read_value(Reader *reader, const YamlNode *node, const ConfigKey *key)
{
    const char *text = NULL;
    int64_t number = 0;
    Status status = ST_OK;
    switch (key->shape) {
    case SHAPE_FLAG:
        return read_flag(reader, node, key);
    case SHAPE_NUMBER:
        status = yaml_int(node, reader->config->path, key->name, &number, reader->err);
        return status == ST_OK ? add_setting(reader, node, key, node->text) : status;
    case SHAPE_TEXT:
    case SHAPE_PATH:
        status = read_text(reader, node, key->name, &text);
        return status == ST_OK ? add_setting(reader, node, key, text) : status;
    case SHAPE_PATHS:
        return read_paths(reader, node, key);
    case SHAPE_PATTERNS:
        return read_texts(reader, node, key->name,
                          strcmp(key->name, "include") == 0 ? &reader->config->include
                                                            : &reader->config->exclude);
    case SHAPE_RULES:
        return read_levels(reader, node, key->name);
    case SHAPE_SUPPRESS:
        return read_suppressions(reader, node, key->name);
    case SHAPE_ARGS:
        reader->config->has_compiler_args = true;
        return read_texts(reader, node, key->name, &reader->config->compiler_args);
    }
    return status;
}

static Status read_pair(Reader *reader, const YamlPair *pair)
{
    const char *names[sizeof config_keys / sizeof config_keys[0]];
    for (uint32_t i = 0; i < config_key_count; i++) {
        names[i] = config_keys[i].name;
        if (strcmp(pair->key->text, names[i]) == 0)
            return read_value(reader, pair->value, &config_keys[i]);
    }
    return unknown_key(reader, pair->key, names, config_key_count);
}

// A mark of the byte order that some editors write.
static void skip_mark(const char **text, size_t *len)
{
    if (*len < 3 || memcmp(*text, "\xEF\xBB\xBF", 3) != 0) return;
    *text += 3;
    *len -= 3;
}

Status config_parse(Arena *arena, const char *path, const char *text, size_t len,
                    const Config **out, Err *err)
{
    Config *config = ARENA_NEW(arena, Config);
    config->path = path;
    *out = config;
    skip_mark(&text, &len);
    const YamlNode *root = NULL;
    Status status = yaml_parse(arena, path, text, len, &root, err);
    if (status != ST_OK) return status;
    if (root->kind != YAML_MAPPING)
        return yaml_error(root, path, err, "a configuration is a list of KEY: VALUE");
    Reader reader = {.arena = arena, .config = config, .err = err};
    for (uint32_t i = 0; i < root->pairs.len && status == ST_OK; i++)
        status = read_pair(&reader, &root->pairs.items[i]);
    return status;
}
