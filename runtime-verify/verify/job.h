// SPDX-License-Identifier: MIT
// A source that is built and run.
#ifndef RUNTIME_VERIFY_VERIFY_JOB_H
#define RUNTIME_VERIFY_VERIFY_JOB_H

#include "base/source.h"
#include "verify/verify_p.h"

typedef struct {
    ProgramSource source;
    const char *program, *command, *log, *records; // files and a folder of ours
    const char *const *build;                      // command lines, ending with NULL
    const char *const *run;                        // the first of the runs
    bool is_built;
    Verdict problem; // what kept it from running
} Job;

typedef Vec(Job) JobList;

const char *const *build_command(Verify *verify, const Job *job);
// Builds those that have no problem yet; what cannot be built gets one.
void build_all(Verify *verify, JobList *jobs);

#endif
