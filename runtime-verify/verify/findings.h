// SPDX-License-Identifier: MIT
// Findings of a SARIF file, to be judged, and the file again with the verdicts in it.
#ifndef RUNTIME_VERIFY_VERIFY_FINDINGS_H
#define RUNTIME_VERIFY_VERIFY_FINDINGS_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "read/symbols.h"

#include <cjson/cJSON.h>
#include <stdint.h>

typedef enum {
    VERDICT_NONE,        // not judged yet
    VERDICT_CONFIRMED,   // it happened
    VERDICT_REFUTED,     // it was reached, and did not happen
    VERDICT_NOT_REACHED, // no run came there, or took that path
    VERDICT_NO_SYMPTOM,  // the rule claims nothing that a run could show
    VERDICT_NOT_RUN,     // the source says that it cannot run
    VERDICT_NOT_BUILT,
    VERDICT_TIMEOUT,
    VERDICT_NO_GPU,
    VERDICT_CLEAN,     // of a source without findings: nothing wrong was seen
    VERDICT_NOT_CLEAN, // something was
} VerdictKind;

const char *verdict_text(VerdictKind kind);

typedef struct {
    VerdictKind kind;
    const char *evidence; // one sentence
    const char *fail;     // which call was made to fail for it, or NULL
    FrameList frames;     // of the record that shows it; empty: none
} Verdict;

typedef struct {
    const char *file;
    int line;
} Place;

typedef struct {
    const char *rule;
    const char *file; // as the SARIF file has it, percent-decoded, relative
    const char
        *program; // the source that is built and run for it: the file, or a folder that it is in
    int line;
    const char *function; // that it is in, qualified, or NULL
    const char *message;
    bool is_note;     // advice
    Vec(Place) steps; // key steps on the way there
    // The first key step: where the resource was acquired; the finding's own place otherwise.
    const char *acquired_file;
    int acquired_line;
    Verdict verdict;
    cJSON *result; // borrowed from `root`
} CheckedFinding;

typedef struct {
    cJSON *root;
    Vec(CheckedFinding) items;
} Findings;

// Reads a SARIF file, allocated in `arena`, which frees its tree. If `findings` holds those of another already, the
// runs of this one are added to them.
Status findings_read(Arena *arena, StrPool *strings, const char *path, Findings *findings,
                     Err *err);
Status findings_parse(Arena *arena, StrPool *strings, const char *text, size_t len,
                      Findings *findings, Err *err);
// Writes it with the verdicts in `properties` and in the messages; `where` says what ran it
// ("NVIDIA H200, driver 13000, 2026-11-30T11:57:04Z").
Status findings_write(Arena *arena, const Findings *findings, const char *path, const char *where,
                      Err *err);

#endif
