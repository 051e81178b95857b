// SPDX-License-Identifier: MIT
// Baseline: findings that were there before, by fingerprint. They are silenced until they are gone.
#ifndef CUDALINT_FILTER_BASELINE_H
#define CUDALINT_FILTER_BASELINE_H

#include "finding/finding.h"

typedef struct {
    uint64_t fingerprint;
    const char *file; // where it was
    bool is_met;      // it is still there
} BaselineEntry;

typedef struct {
    const char *path;
    Vec(BaselineEntry) entries; // sorted by fingerprint
} Baseline;

// Reads the text of a baseline; what is malformed is ST_SYNTAX. Allocated in `arena`.
Status baseline_parse(Arena *arena, const char *path, const char *text, size_t len,
                      Baseline **baseline, Err *err);
Status baseline_load(Arena *arena, const char *path, Baseline **baseline, Err *err);
// Whether the finding is listed; marks its entry.
bool baseline_has(Baseline *baseline, const Finding *finding);
// The text of a baseline of these findings: sorted, one a line, nothing that depends on where lines
// are.
void baseline_write(StrBuf *out, const FindingList *findings);

#endif
