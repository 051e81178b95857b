// SPDX-License-Identifier: MIT
// What configurations mean for a run. Input: the tree of them; output: the rules that are looked
// for, and the files that are left out.
#include "run/run_p.h"

#include "base/log.h"
#include "base/path.h"

#include <fnmatch.h>
#include <string.h>

// ---- rules --------------------------------------------------------------------------------------

static Status at_place(Err *err, const Config *config, uint32_t line, uint32_t column)
{
    err_context(err, ST_USAGE, "%s:%u:%u", config->path, (unsigned)line, (unsigned)column);
    return ST_USAGE;
}

static bool means_any_rule(const char *pattern)
{
    for (uint32_t i = 0; i < rule_count(); i++)
        if (fnmatch(pattern, rule_at(i)->slug, 0) == 0) return true;
    return false;
}

static Status check_names(const Config *config, Err *err)
{
    for (uint32_t i = 0; i < config->levels.len; i++) {
        const ConfigLevel *level = &config->levels.items[i];
        if (means_any_rule(level->rule)) continue;
        rule_unknown(level->rule, err);
        return at_place(err, config, level->line, level->column);
    }
    for (uint32_t i = 0; i < config->suppressions.len; i++) {
        const ConfigSuppression *suppression = &config->suppressions.items[i];
        for (uint32_t k = 0; k < suppression->rules.len; k++) {
            if (means_any_rule(suppression->rules.items[k])) continue;
            rule_unknown(suppression->rules.items[k], err);
            return at_place(err, config, suppression->line, suppression->column);
        }
    }
    return ST_OK;
}

// A rule that any configuration wants must be looked for; what is shown is decided file by file.
static void look_for(const Config *config, RuleLevels *levels)
{
    for (uint32_t i = 0; i < rule_count(); i++) {
        if (levels->is_set[i] || levels->severities[i] != SEV_OFF) continue;
        levels->severities[i] = config_level(config, rule_at(i)->slug, SEV_OFF);
    }
}

Status configure_rules(ConfigTree *configs, const Config *whole, RuleLevels *levels, Err *err)
{
    for (uint32_t i = 0; i < rule_count(); i++) {
        if (levels->is_set[i]) continue;
        levels->severities[i] = config_level(whole, rule_at(i)->slug, levels->severities[i]);
    }
    for (uint32_t i = 0; i < config_tree_count(configs); i++) {
        const Config *config = config_tree_at(configs, i);
        Status status = check_names(config, err);
        if (status != ST_OK) return status;
        look_for(config, levels);
    }
    return ST_OK;
}

// ---- files --------------------------------------------------------------------------------------

static bool is_operand(const TextList *operands, const char *file)
{
    for (uint32_t i = 0; i < operands->len; i++)
        if (strcmp(operands->items[i], file) == 0) return true;
    return false;
}

Status configure_jobs(Arena *arena, ConfigTree *configs, const TextList *operands, JobList *jobs,
                      Err *err)
{
    const char *working = path_working(arena);
    JobList kept = {0};
    for (uint32_t i = 0; i < jobs->len; i++) {
        const Job *job = &jobs->items[i];
        const Config *config = NULL, *by = NULL;
        const char *plain = path_plain(arena, working, job->file);
        Status status = config_tree_get(configs, path_parent(arena, plain), &config, err);
        if (status != ST_OK) return status;
        if (config_wants(config, plain, &by)) {
            vec_push(arena, &kept, *job);
        } else if (is_operand(operands, job->file)) {
            log_warning("%s: not analysed: left out by %s", job->file, by->path);
        } else {
            log_note("%s: not analysed: left out by %s", job->file, by->path);
        }
    }
    *jobs = kept;
    return ST_OK;
}
