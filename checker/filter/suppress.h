// SPDX-License-Identifier: MIT
// Suppressions: comments that silence findings.
//   // cudalint: allow(RULE, ...) reason   behind code: its statement, up to this line
//                                          on its own: the statement, block or function that follows
//   // NOLINT, NOLINTNEXTLINE, NOLINTBEGIN ... NOLINTEND, with (cudalint-RULE, ...) or for all tools
// RULE may hold '*'.
#ifndef CUDALINT_FILTER_SUPPRESS_H
#define CUDALINT_FILTER_SUPPRESS_H

#include "base/source.h"
#include "base/vec.h"
#include "finding/finding.h"

typedef struct {
    const char *rule;     // or a pattern: "*", "leak*"
    const char *reason;   // "" when none is given
    uint32_t line;        // of the comment
    uint32_t column;      // of it
    uint32_t first, last; // lines it covers
    bool is_for_all;      // names no tool: may well be meant for another one
    bool is_used;         // set by whoever asks
} Suppression;

typedef struct {
    uint32_t line, column;
    const char *text; // what is wrong with the comment
} SuppressionError;

typedef struct {
    Vec(Suppression) items;
    Vec(SuppressionError) errors;
} SuppressionList;

// The suppressions in a file's comments; allocated in `arena`.
SuppressionList suppression_list_read(Arena *arena, const SourceFile *file);
// Whether it silences this rule on this line.
bool suppression_covers(const Suppression *suppression, const char *rule, uint32_t line);

#endif
