// SPDX-License-Identifier: MIT
// Finds configurations and asks them. Input: folders and files; output: what the nearest
// configuration says, else the next one above. The search upwards ends at the root of a repository,
// at a configuration that says `root: true`, or at the root of the file system.
#include "config/config.h"

#include "base/path.h"
#include "base/str.h"
#include "base/yaml.h"
#include "config/pattern.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

// What is known of a folder.
typedef struct {
    const char *folder; // interned
    const Config *config;
} ConfigFolder;

struct ConfigTree {
    Arena *arena;
    StrPool *names;
    const char *working;
    const char *given;
    bool is_off;
    Vec(ConfigFolder) folders;
    Vec(const Config *) configs;
};

ConfigTree *config_tree_new(Arena *arena, const char *given, bool is_off)
{
    ConfigTree *tree = ARENA_NEW(arena, ConfigTree);
    *tree = (ConfigTree){.arena = arena,
                         .names = str_pool_new(arena),
                         .working = path_working(arena),
                         .given = given,
                         .is_off = is_off};
    return tree;
}

static Status load(ConfigTree *tree, const char *path, const Config *above, const Config **out,
                   Err *err)
{
    const char *text = NULL;
    size_t len = 0;
    const char *shown = path_short(tree->arena, tree->working, path);
    Status status = yaml_read_file(tree->arena, shown, &text, &len, err);
    const Config *parsed = NULL;
    if (status == ST_OK) status = config_parse(tree->arena, shown, text, len, &parsed, err);
    if (status != ST_OK) return status;
    Config *config = ARENA_NEW(tree->arena, Config);
    *config = *parsed;
    config->folder = path_parent(tree->arena, path_plain(tree->arena, tree->working, path));
    // One that is named may lie anywhere: its paths start where the user is.
    if (tree->given != NULL && tree->working != NULL) config->folder = tree->working;
    config->parent = config->is_root ? NULL : above;
    vec_push(tree->arena, &tree->configs, (const Config *)config);
    *out = config;
    return ST_OK;
}

// `folder` is plain and absolute.
static Status look_up(ConfigTree *tree, const char *folder, const Config **out, Err *err)
{
    const char *name = str_intern(tree->names, folder);
    for (uint32_t i = tree->folders.len; i-- > 0;) {
        if (tree->folders.items[i].folder != name) continue;
        *out = tree->folders.items[i].config;
        return ST_OK;
    }
    const Config *config = NULL;
    Status status = ST_OK;
    bool is_top = strcmp(name, "/") == 0 || name[0] != '/' ||
                  access(path_join(tree->arena, name, ".git"), F_OK) == 0;
    if (!is_top) status = look_up(tree, path_parent(tree->arena, name), &config, err);
    const char *path = path_join(tree->arena, name, CONFIG_NAME);
    if (status == ST_OK && access(path, F_OK) == 0) status = load(tree, path, config, &config, err);
    ConfigFolder known = {.folder = name, .config = config};
    if (status == ST_OK) vec_push(tree->arena, &tree->folders, known);
    *out = config;
    return status;
}

Status config_tree_get(ConfigTree *tree, const char *folder, const Config **config, Err *err)
{
    *config = NULL;
    if (tree->is_off) return ST_OK;
    if (tree->given == NULL)
        return look_up(tree, path_plain(tree->arena, tree->working, folder), config, err);
    if (tree->configs.len == 0) return load(tree, tree->given, NULL, config, err);
    *config = tree->configs.items[0];
    return ST_OK;
}

uint32_t config_tree_count(const ConfigTree *tree)
{
    return tree->configs.len;
}

const Config *config_tree_at(const ConfigTree *tree, uint32_t index)
{
    return tree->configs.items[index];
}

// ---- asking -------------------------------------------------------------------------------------

Severity config_level(const Config *config, const char *rule, Severity otherwise)
{
    for (; config != NULL; config = config->parent) {
        for (uint32_t i = config->levels.len; i-- > 0;)
            if (fnmatch(config->levels.items[i].rule, rule, 0) == 0)
                return config->levels.items[i].severity;
    }
    return otherwise;
}

static bool is_any(const TextList *patterns, const Config *config, const char *path)
{
    const char *below = path_below(config->folder, path);
    for (uint32_t i = 0; i < patterns->len && below != NULL; i++)
        if (pattern_means(patterns->items[i], below)) return true;
    return false;
}

bool config_wants(const Config *config, const char *path, const Config **by)
{
    for (; config != NULL; config = config->parent) {
        *by = config;
        if (is_any(&config->exclude, config, path)) return false;
        if (config->include.len != 0) return is_any(&config->include, config, path);
    }
    return true;
}

static bool means_rule(const ConfigSuppression *suppression, const char *rule)
{
    for (uint32_t i = 0; i < suppression->rules.len; i++)
        if (fnmatch(suppression->rules.items[i], rule, 0) == 0) return true;
    return suppression->rules.len == 0;
}

const ConfigSuppression *config_suppression(const Config *config, const char *path,
                                            const char *rule, const Config **by)
{
    for (; config != NULL; config = config->parent) {
        for (uint32_t i = 0; i < config->suppressions.len; i++) {
            const ConfigSuppression *suppression = &config->suppressions.items[i];
            if (!means_rule(suppression, rule)) continue;
            if (!is_any(&suppression->paths, config, path)) continue;
            *by = config;
            return suppression;
        }
    }
    return NULL;
}

Status config_apply(Arena *arena, const Config *config, Options *options, Err *err)
{
    if (config == NULL) return ST_OK;
    Status status = config_apply(arena, config->parent, options, err);
    if (config->has_compiler_args) {
        options->added_args = config->compiler_args;
        options->added_args_folder = config->folder;
    }
    for (uint32_t i = 0; i < config->settings.len && status == ST_OK; i++) {
        const ConfigSetting *setting = &config->settings.items[i];
        const char *value = setting->value;
        if (setting->is_path) {
            const char *working = path_working(arena);
            value = path_short(arena, working, path_join(arena, config->folder, value));
        }
        status = options_set(arena, options, setting->option, value, err);
        if (status != ST_OK)
            err_context(err, status, "%s:%u:%u", config->path, (unsigned)setting->line,
                        (unsigned)setting->column);
    }
    return status;
}
