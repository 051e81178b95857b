// SPDX-License-Identifier: MIT
// The parts of `cudalint verify`.
#ifndef RUNTIME_VERIFY_VERIFY_VERIFY_P_H
#define RUNTIME_VERIFY_VERIFY_VERIFY_P_H

#include "launch/launch.h"
#include "verify/findings.h"
#include "verify/judge.h"
#include "verify/source.h"

#include <stdio.h>

typedef struct {
    const char *output, *page, *evidence; // files to write, or NULL
    const char *nvcc;
    const char *builds; // folder that programs are kept in, or NULL
    uint32_t jobs, timeout_s;
    bool walks_errors, simulated, strict, help;
    WordList operands;
    char **program; // NULL: sources are built and run
} VerifyOptions;

// A source without findings, which must run clean.
typedef struct {
    const char *file;
    Verdict verdict;
} CheckedSource;

typedef struct {
    Arena *arena;
    StrPool *strings;
    Symbols *symbols;
    const VerifyOptions *options;
    Recorder recorder;
    uint32_t devices;   // that are here; 0: not asked, the runtime is simulated
    const char *folder; // of our own: builds and records
    Findings findings;
    Vec(CheckedSource) clean;
    // What ran it, from the first recording that told.
    const char *device, *time;
    const char *toolkit,
        *module; // versions of nvcc and of the driver's kernel module, for evidence; or NULL
    int64_t driver;
    Err *err;
} Verify;

// Why nothing can be run here; NULL when it can.
const char *verify_cannot_run(Verify *verify);

// Asks for what evidence says of the machine.
void verify_note_machine(Verify *verify);
// Builds and runs the sources of all findings and those that must be clean.
void verify_sources(Verify *verify);
// Runs the user's program for all findings.
Status verify_program(Verify *verify);

typedef struct {
    const char *records; // folder
    const char *program; // the source it was built from; NULL: the user's program
    const char *fail;    // the call that was made to fail, or NULL
    const LaunchResult *result;
} VerifyRun;

// Reads what a run recorded and judges by it. Returns whether a call was made to fail.
bool verify_judge(Verify *verify, const VerifyRun *run);

// "NVIDIA H200, driver 13000, 2026-11-30T11:57:04Z", or who else ran it.
const char *verify_where(Verify *verify);
void verify_print(FILE *out, Verify *verify);
Status verify_write_page(Verify *verify, const char *path);
Status verify_write_evidence(Verify *verify, const char *path);

#endif
