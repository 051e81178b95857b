// SPDX-License-Identifier: MIT
// Puts configuration and command line together. Input: both; output: Options, in which the command
// line has the last word.
#include "config/settings.h"

#include "base/path.h"
#include "base/str.h"
#include "config/config_p.h"

#include <string.h>
#include <sys/stat.h>

static const char *folder_of(Arena *arena, const char *working, const char *operand)
{
    struct stat info;
    const char *plain = path_plain(arena, working, operand);
    bool is_folder = stat(operand, &info) == 0 && S_ISDIR(info.st_mode);
    return is_folder ? plain : path_parent(arena, plain);
}

const char *settings_folder(Arena *arena, const TextList *operands)
{
    const char *working = path_working(arena);
    if (operands->len == 0) return working != NULL ? working : "/";
    const char *common = folder_of(arena, working, operands->items[0]);
    for (uint32_t i = 1; i < operands->len; i++) {
        const char *folder = folder_of(arena, working, operands->items[i]);
        while (path_below(common, folder) == NULL && strcmp(common, "/") != 0)
            common = path_parent(arena, common);
    }
    return common;
}

Status settings_read(Arena *arena, int argc, char **argv, Options *options, ConfigTree **tree,
                     Err *err)
{
    *tree = config_tree_new(arena, options->config, options->no_config);
    const Config *config = NULL;
    const char *folder = settings_folder(arena, &options->operands);
    Status status = config_tree_get(*tree, folder, &config, err);
    if (status != ST_OK || config == NULL) return status;
    Options settings;
    options_init(&settings);
    status = config_apply(arena, config, &settings, err);
    if (status != ST_OK) return status;
    // The command line says it in another way.
    if (options->compiler_args.len != 0) {
        settings.build = NULL;
        settings.added_args.len = 0;
    }
    if (options->write_baseline != NULL) settings.baseline = NULL;
    *options = settings;
    return options_parse_over(arena, argc, argv, options, err);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_text(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_list(const TextList *list, FILE *out)
{
    fputc('[', out);
    for (uint32_t i = 0; i < list->len; i++) {
        if (i != 0) fputs(", ", out);
        print_text(list->items[i], out);
    }
    fputs("]\n", out);
}

static void print_setting(const ConfigKey *key, const Options *options, FILE *out)
{
    TextList values = {0};
    Arena *arena = arena_new("setting");
    if (key->shape == SHAPE_ARGS)
        values = options->added_args;
    else
        options_get(arena, options, key->option, &values);
    // What nobody set is there for the reader, but says nothing.
    fprintf(out, "%s%s: ", values.len == 0 ? "# " : "", key->name);
    if (key->shape == SHAPE_PATHS || key->shape == SHAPE_ARGS)
        print_list(&values, out);
    else if (values.len == 0)
        fprintf(out, "(%s)\n", key->help);
    else if (key->shape == SHAPE_FLAG || key->shape == SHAPE_NUMBER)
        fprintf(out, "%s\n", values.items[0]);
    else
        print_text(values.items[0], out), fputc('\n', out);
    arena_free(arena);
}

static void print_levels(const Config *config, FILE *out)
{
    if (config == NULL) return;
    fputs("rules:\n", out);
    for (const Config *at = config; at != NULL; at = at->parent) {
        for (uint32_t i = 0; i < at->levels.len; i++) {
            const ConfigLevel *level = &at->levels.items[i];
            bool is_overruled = false;
            for (const Config *nearer = config; nearer != at; nearer = nearer->parent)
                for (uint32_t k = 0; k < nearer->levels.len; k++)
                    is_overruled |= strcmp(nearer->levels.items[k].rule, level->rule) == 0;
            fprintf(out, "  %s%s: %s # %s:%u\n", is_overruled ? "# overruled: " : "", level->rule,
                    severity_text(level->severity), at->path, (unsigned)level->line);
        }
    }
}

// Patterns with a slash, as seen from the working folder, where --config would start them.
static const char *moved_pattern(Arena *arena, const Config *config, const char *pattern)
{
    const char *slash = strchr(pattern, '/');
    if (slash == NULL || slash[1] == '\0') return pattern;
    const char *rest = pattern + strspn(pattern, "/");
    return path_short(arena, path_working(arena), path_join(arena, config->folder, rest));
}

static void print_patterns(Arena *arena, const Config *config, FILE *out)
{
    TextList include = {0}, exclude = {0};
    for (; config != NULL; config = config->parent) {
        bool is_first = include.len == 0;
        for (uint32_t i = 0; i < config->include.len && is_first; i++)
            vec_push(arena, &include, moved_pattern(arena, config, config->include.items[i]));
        for (uint32_t i = 0; i < config->exclude.len; i++)
            vec_push(arena, &exclude, moved_pattern(arena, config, config->exclude.items[i]));
    }
    if (include.len != 0) fputs("include: ", out), print_list(&include, out);
    if (exclude.len != 0) fputs("exclude: ", out), print_list(&exclude, out);
}

static void print_suppressions(Arena *arena, const Config *config, FILE *out)
{
    bool is_first = true;
    for (; config != NULL; config = config->parent) {
        for (uint32_t i = 0; i < config->suppressions.len; i++) {
            const ConfigSuppression *suppression = &config->suppressions.items[i];
            TextList paths = {0};
            for (uint32_t k = 0; k < suppression->paths.len; k++)
                vec_push(arena, &paths, moved_pattern(arena, config, suppression->paths.items[k]));
            fprintf(out, "%s  - paths: ", is_first ? "suppress:\n" : "");
            print_list(&paths, out);
            if (suppression->rules.len != 0)
                fputs("    rules: ", out), print_list(&suppression->rules, out);
            if (suppression->reason[0] != '\0')
                fputs("    reason: ", out), print_text(suppression->reason, out), fputc('\n', out);
            is_first = false;
        }
    }
}

Status settings_print(Arena *arena, const Options *options, const Config *config, FILE *out)
{
    const char *working = path_working(arena);
    fprintf(out, "# Configuration of %s, nearest first:",
            path_short(arena, working, settings_folder(arena, &options->operands)));
    for (const Config *at = config; at != NULL; at = at->parent) fprintf(out, " %s", at->path);
    fprintf(out, "%s\n", config == NULL ? " none" : "");
    for (uint32_t i = 0; i < config_key_count; i++)
        if (config_keys[i].option != NULL || config_keys[i].shape == SHAPE_ARGS)
            print_setting(&config_keys[i], options, out);
    bool has_levels = false;
    for (const Config *at = config; at != NULL; at = at->parent) has_levels |= at->levels.len != 0;
    if (has_levels) print_levels(config, out);
    print_patterns(arena, config, out);
    print_suppressions(arena, config, out);
    return ferror(out) ? ST_IO : ST_OK;
}
