// SPDX-License-Identifier: MIT
// Finding: one defect as rules report it and writers print it. Findings order by place and rule, so
// that output is the same for any number of workers.
#ifndef CUDALINT_FINDING_FINDING_H
#define CUDALINT_FINDING_FINDING_H

#include "base/arena.h"
#include "base/err.h"
#include "base/loc.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { SEV_OFF, SEV_NOTE, SEV_WARNING, SEV_ERROR } Severity;

const char *severity_text(Severity severity); // "error", "warning", "note", "off"
// Parses such a text; ST_USAGE when it is none.
Status severity_parse(const char *text, Severity *severity);

typedef struct {
    SrcLoc loc;
    const char *text; // "allocated here", "taking true branch", "returns here without freeing"
    uint32_t depth;   // calls stepped into
    bool is_key;      // what the message speaks of (acquired, released); false: how one gets there
} FindingStep;

typedef struct {
    const char *rule; // slug
    Severity severity;
    SrcLoc loc;
    const char *message;    // first sentence is the title; no full stop needed
    const char *function;   // qualified name of the function it is in, or NULL
    uint32_t first_line;    // of that function, in the file of `loc`; 0: unknown
    uint32_t last_line;     // of it
    const char *subject;    // the resource in words of the source ("d_a"), or NULL
    uint32_t more;          // findings like this that are not told; its message speaks of them
    Vec(FindingStep) steps; // the path, in execution order, the last step at or near `loc`
    uint64_t fingerprint;   // see finding_fingerprint
} Finding;

typedef Vec(Finding) FindingList;

// A finding that is not shown, and why.
typedef enum {
    SUPPRESSED_IN_SOURCE, // by a comment at `by`
    SUPPRESSED_BY_CONFIG, // by its path; `by` is in the configuration
    SUPPRESSED_BASELINE,  // it was there before
} SuppressedKind;

typedef struct {
    Finding finding;
    SuppressedKind kind;
    const char *reason; // in the user's words; "" when none is given
    SrcLoc by;
} SuppressedFinding;

typedef Vec(SuppressedFinding) SuppressedList;

// Order by file, line, column, rule, message.
int finding_compare(const void *a, const void *b);
// Sorts and drops duplicates: findings that say the same of the same place, from a header seen by
// two translation units or from two instantiations of a template; there the message may differ, if
// rule, subject and path are the same. The first message in order stays, with its shortest
// path.
void finding_list_sort(FindingList *list);
// Deep copy with strings interned in `strings`; steps allocated in `arena`.
Finding finding_copy_to(Arena *arena, StrPool *strings, const Finding *finding);
// A number that stays when lines move: of rule, file name, function, subject and the text of the
// line. `line_text` is the source line at loc ("" if unknown), `occurrence` counts equal ones
// before it.
uint64_t finding_fingerprint(const Finding *finding, const char *line_text, uint32_t occurrence);

// Sets the fingerprints of all findings of a run, sorted: those that are alike in everything but the
// line are numbered in their order, so that each has one of its own.
void finding_list_set_fingerprints(FindingList *list);

// One translation unit's outcome, as workers send it to the parent.
typedef struct {
    const char *name;
    SrcLoc loc;
    const char *reason;
} NotAnalysed;

typedef struct {
    const char *file;
    Status status;     // ST_OK: parsed (perhaps with skipped functions)
    const char *error; // message when not ST_OK, or NULL
    FindingList findings;
    Vec(NotAnalysed) not_analysed;
    Vec(const char *) diagnostics; // parse errors outside function bodies: "file:line:col: message"
    uint32_t host_functions;       // seen
    uint32_t analysed;             // of those
    uint32_t budget_hits;          // functions in which a budget cut the search short
    double parse_ms, lower_ms, engine_ms;
    uint64_t peak_bytes;   // arenas of this unit
    uint64_t peak_rss_kib; // of the worker process
} UnitResult;

// Writes and reads a result as length-prefixed bytes with a checksum, for pipes and the cache.
// Reading takes any bytes: what is cut off, altered or of another version is ST_SYNTAX.
void unit_result_write(StrBuf *out, const UnitResult *result);
Status unit_result_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                        UnitResult *result, Err *err);

#endif
