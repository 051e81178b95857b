// SPDX-License-Identifier: MIT
// All rules, from the list that CMake generates out of rules/*/; dispatch of engine events to the
// rules that want them.
#ifndef CUDALINT_RULE_REGISTRY_H
#define CUDALINT_RULE_REGISTRY_H

#include "cudalint/rule.h"

uint32_t rule_count(void);
const Rule *rule_at(uint32_t index);     // sorted by slug
const Rule *rule_find(const char *slug); // NULL if there is none
const char *rule_page(
    const char *slug); // the text of rules/<slug>/rule.md, embedded; NULL if there is no such rule

// Fails with "there is no such rule" and what may have been meant.
Status rule_unknown(const char *slug, Err *err);

// Severity per rule as the user set it.
typedef struct {
    Severity *severities; // by rule index
    bool *is_set;         // by rule index: on the command line, which nothing overrules
} RuleLevels;

// The rules' own severities; allocated in `arena`.
RuleLevels rule_levels_default(Arena *arena);
Status rule_levels_set(RuleLevels *levels, const char *pattern, Severity severity, Err *err);

// Hands one event to every rule that wants it and is not off; reports are appended to `out`,
// their strings allocated in `arena`.
void rule_dispatch(Arena *arena, const RuleLevels *levels, const char *function, const Event *event,
                   const FindingStep *steps, uint32_t step_count, FindingList *out);

#endif
