// SPDX-License-Identifier: MIT
// What the writers share.
#ifndef CUDALINT_REPORT_REPORT_P_H
#define CUDALINT_REPORT_REPORT_P_H

#include "base/source.h"
#include "report/report.h"

typedef struct {
    uint32_t errors, warnings, notes; // findings
    uint32_t analysed, not_analysed;  // functions
    uint32_t files;                   // each once, however often it is compiled
    uint32_t failures;                // files, each way they are compiled
    uint32_t untold;                  // findings for which others speak
    uint32_t budget_hits;             // functions
} ReportCounts;

ReportCounts report_count(const Report *report);

// The step's text, with the macro it is in; allocated in `arena`.
const char *report_step_text(Arena *arena, const FindingStep *step);

// Flushes `out`; ST_IO if anything written to it was lost.
Status report_flush(FILE *out, Err *err);

Status report_write_text(FILE *out, const Report *report, Err *err);
Status report_write_concise(FILE *out, const Report *report, Err *err);
Status report_write_github(FILE *out, const Report *report, Err *err);
Status report_write_gitlab(FILE *out, const Report *report, Err *err);
Status report_write_junit(FILE *out, const Report *report, Err *err);
Status report_write_json(FILE *out, const Report *report, Err *err);
Status report_write_sarif(FILE *out, const Report *report, Err *err);

// ---- snippet.c ----

// Prints the text with what a terminal must not see (controls, bytes that are not UTF-8) spelled
// out.
void snippet_print_text(FILE *out, const char *text);

// Prints a source line behind its number and, below it, a caret under each of the byte columns, as
// clang does: tabs expanded, a long line cut around the first caret. Nothing for a missing line.
typedef struct {
    SourceLine line;
    uint32_t number;
    const uint32_t *columns; // from 1
    uint32_t column_count;
    bool colour;
} Snippet;

void snippet_print(FILE *out, const Snippet *snippet);

#endif
