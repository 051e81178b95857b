// SPDX-License-Identifier: MIT
// Config: what a project says in .cudalint.yaml. The nearest file at or above a source wins; what it
// does not say, the next one above does. config.def lists the keys.
#ifndef CUDALINT_CONFIG_CONFIG_H
#define CUDALINT_CONFIG_CONFIG_H

#include "config/options.h"
#include "finding/finding.h"

#define CONFIG_NAME ".cudalint.yaml"

typedef struct {
    const char *rule; // or a pattern; of several that match, the last holds
    Severity severity;
    uint32_t line, column;
} ConfigLevel;

typedef struct {
    TextList paths; // patterns
    TextList rules; // or patterns of them; empty: all
    const char *reason;
    uint32_t line, column;
} ConfigSuppression;

// A setting that is a command-line option.
typedef struct {
    const char *option;
    const char *value;
    uint32_t line, column;
    bool is_path; // relative to the file's folder
} ConfigSetting;

typedef struct Config Config;

struct Config {
    const char *path;     // of the file, as it is shown
    const char *folder;   // that holds it; absolute
    const Config *parent; // the next one above, or NULL
    bool is_root;
    Vec(ConfigLevel) levels;
    TextList include, exclude;
    Vec(ConfigSuppression) suppressions;
    TextList compiler_args;
    bool has_compiler_args; // or an empty list
    Vec(ConfigSetting) settings;
};

// Reads the text of a configuration; mistakes are ST_SYNTAX with file, line and column. Allocated in
// `arena`.
Status config_parse(Arena *arena, const char *path, const char *text, size_t len,
                    const Config **config, Err *err);

// ---- finding them (config_find.c) ---------------------------------------------------------------

// The configurations of a run, each read once.
typedef struct ConfigTree ConfigTree;

// `given` (--config) is the only one, for all files; NULL: they are searched for. With `is_off` there
// are none.
ConfigTree *config_tree_new(Arena *arena, const char *given, bool is_off);
// The nearest configuration of a folder; NULL where there is none.
Status config_tree_get(ConfigTree *tree, const char *folder, const Config **config, Err *err);
// All that were read so far, in the order of reading.
uint32_t config_tree_count(const ConfigTree *tree);
const Config *config_tree_at(const ConfigTree *tree, uint32_t index);

// ---- asking them; `config` may be NULL, `path` is absolute and plain ----------------------------

// The level that the nearest one gives to the rule, or `otherwise`.
Severity config_level(const Config *config, const char *rule, Severity otherwise);
// Whether the file is to be looked at. `*by` is who says no.
bool config_wants(const Config *config, const char *path, const Config **by);
// The first suppression that means the rule in the file, or NULL; `*by` holds it.
const ConfigSuppression *config_suppression(const Config *config, const char *path,
                                            const char *rule, const Config **by);
// Sets the options that the configurations set, the nearest last.
Status config_apply(Arena *arena, const Config *config, Options *options, Err *err);

#endif
