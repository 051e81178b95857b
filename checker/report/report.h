// SPDX-License-Identifier: MIT
// Output formats: one table of writers. Findings come sorted and filtered; writers only print.
#ifndef CUDALINT_REPORT_REPORT_H
#define CUDALINT_REPORT_REPORT_H

#include "base/err.h"
#include "finding/finding.h"

#include <stdbool.h>
#include <stdio.h>

// What a writer must know of a rule; filled from the registry by the caller (report/ does not see
// rule/).
typedef struct {
    const char *slug, *title, *category, *precision, *guideline;
    const char *page; // rule.md
    Severity severity;
    int cwe;
} ReportRule;

// What files learnt of each other's functions.
typedef struct {
    uint32_t offered, known,
        disputed;              // functions: that can be named, were told, are defined unlike
    uint32_t circles;          // of calls through several files, broken
    uint32_t rounds, requests; // after the first, and files that went on in them
} ReportExchange;

typedef struct {
    const UnitResult *units; // in the order of the command line
    uint32_t unit_count;
    FindingList findings;      // of all units, sorted, without duplicates and those below the level
    SuppressedList suppressed; // findings that somebody silenced
    uint32_t unchanged;        // findings left out because nothing changed there
    const ReportRule *rules;   // all rules, sorted by slug
    uint32_t rule_count;
    const char *tool_version; // "0.1.0"
    const char *command_line; // as given, for SARIF invocations
    bool colour;              // text only
    bool verbose;             // -v: name what was not analysed in the text
    bool stats;               // --stats: time and memory per stage
    ReportExchange exchange;
    int exit_code; // what the run will exit with
} Report;

typedef struct {
    const char *name; // "text", "sarif", …
    Status (*write)(FILE *out, const Report *report, Err *err);
} ReportWriter;

// NULL if there is no such format.
const ReportWriter *report_writer_find(const char *name);
// "text, concise, …", for messages.
const char *report_writer_names(void);

// What the caller prints on standard error after the findings: files that failed, then one line of
// counts. With report->verbose also what was not analysed, parse errors and cut searches, one a
// line; with report->stats a table of time per stage and of memory.
void report_summary(FILE *out, const Report *report);

// `cudalint --expect FILE`: compares marks in the source with the findings (notes included). Prints
// every difference with a ready-to-paste mark; returns how many there are. What was not analysed in
// the file is a difference too, unless it is marked: a fixture must not pass because nobody looked.
// Marks open a comment: `// expect: rule[, rule]` on the line, `// expect@-1: rule` for the line
// above (any offset), optionally a quoted fragment of the message after the rule: `// expect: leak
// "d_a"`. `note "text"` stands for a step of some finding's path, `not-analysed "reason"` for a
// function. A remark may follow after ` -- `.
uint32_t report_expect(FILE *out, const Report *report, const char *file, Err *err);

#endif
