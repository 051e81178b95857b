// SPDX-License-Identifier: MIT
// The table of all rules. Input: rule_list.inc, which CMake generates out of rules/*/rule.c, sorted
// by folder name, and the embedded pages. Output: look-ups by index and slug, and severities per
// rule. Order is the slugs'.
#include "rule/registry.h"

#include "base/embed.h"
#include "config/nearest.h"

#include <fnmatch.h>
#include <string.h>

#define RULE(name) extern const Rule rule_##name;
#include "rule_list.inc"
#undef RULE

static const Rule *const all_rules[] = {
#define RULE(name) &rule_##name,
#include "rule_list.inc"
#undef RULE
    NULL, // so that a tree without rules is valid C
};

uint32_t rule_count(void)
{
    return (uint32_t)(sizeof all_rules / sizeof all_rules[0]) - 1;
}

const Rule *rule_at(uint32_t index)
{
    BUG_ON(index >= rule_count());
    return all_rules[index];
}

// Index of the rule, or rule_count().
static uint32_t rule_index(const char *slug)
{
    uint32_t index = 0;
    while (index < rule_count() && strcmp(all_rules[index]->slug, slug) != 0) index++;
    return index;
}

const Rule *rule_find(const char *slug)
{
    return all_rules[rule_index(slug)]; // the sentinel when there is none
}

const char *rule_page(const char *slug)
{
    size_t len = strlen(slug);
    for (size_t i = 0; i < embed_rule_pages_count; i++) {
        const char *path = embed_rule_pages[i].path;
        if (strncmp(path, slug, len) == 0 && strcmp(path + len, "/rule.md") == 0) {
            return embed_rule_pages[i].text;
        }
    }
    return NULL;
}

RuleLevels rule_levels_default(Arena *arena)
{
    RuleLevels levels = {.severities = ARENA_ARRAY(arena, Severity, rule_count() + 1),
                         .is_set = ARENA_ARRAY(arena, bool, rule_count() + 1)};
    for (uint32_t i = 0; i < rule_count(); i++) levels.severities[i] = all_rules[i]->severity;
    return levels;
}

Status rule_unknown(const char *slug, Err *err)
{
    const char *slugs[sizeof all_rules / sizeof all_rules[0]];
    for (uint32_t i = 0; i < rule_count(); i++) slugs[i] = all_rules[i]->slug;
    const char *near = nearest_word(slug, slugs, rule_count());
    if (near != NULL)
        return err_set(err, ST_USAGE, "there is no rule '%s'; did you mean '%s'?", slug, near);
    return err_set(err, ST_USAGE, "there is no rule '%s'; 'cudalint rules' lists them", slug);
}

Status rule_levels_set(RuleLevels *levels, const char *pattern, Severity severity, Err *err)
{
    bool is_any = false;
    for (uint32_t i = 0; i < rule_count(); i++) {
        if (fnmatch(pattern, rule_at(i)->slug, 0) != 0) continue;
        levels->severities[i] = severity;
        levels->is_set[i] = is_any = true;
    }
    return is_any ? ST_OK : rule_unknown(pattern, err);
}
