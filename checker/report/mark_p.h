// SPDX-License-Identifier: MIT
// Marks: what a source file says about the findings it is to have. See report_expect.
#ifndef CUDALINT_REPORT_MARK_P_H
#define CUDALINT_REPORT_MARK_P_H

#include "base/source.h"
#include "base/vec.h"

#include <stdbool.h>

typedef enum { MARK_FINDING, MARK_STEP, MARK_NOT_ANALYSED } MarkKind;

typedef struct {
    MarkKind kind;
    const char *rule;     // slug; of MARK_FINDING
    const char *fragment; // of the message, or NULL
    uint32_t line;        // where the finding is to be
    uint32_t written_at;  // line of the mark
    bool is_met;
} Mark;

typedef struct {
    uint32_t line;
    const char *text; // what is wrong with the mark
} MarkError;

typedef struct {
    Vec(Mark) marks;
    Vec(MarkError) errors;
} MarkList;

// Finds the marks in the file's comments; allocated in `arena`.
MarkList mark_list_read(Arena *arena, const SourceFile *file);

#endif
