// SPDX-License-Identifier: MIT
// Private to run/: the stages between the command line and the report.
#ifndef CUDALINT_RUN_RUN_P_H
#define CUDALINT_RUN_RUN_P_H

#include "config/options.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rule/registry.h"
#include "tu/tu.h"

#include <signal.h>

// ---- plan.c: operands to files ------------------------------------------------------------------

typedef struct {
    const char *file;
    Status status;      // not ST_OK: it cannot be analysed, for the reason in `error`
    const char *error;  // or NULL
    const TuArgs *args; // how it is compiled; NULL: nobody says
} Job;

typedef Vec(Job) JobList;

// One job a file, in the order of the command line, without arguments; folders stand for the sources below them,
// sorted by name. A file named twice is done once. Allocated in `arena`.
JobList plan_jobs(Arena *arena, const TextList *operands);

// ---- commands.c: how each file is compiled ------------------------------------------------------

// Gives each job its arguments, from the command line or a compile database: one job for each way
// in which the file is compiled. Without operands all files of the database that have to do with
// CUDA are planned. A database that was found and cannot be read becomes a failed job; one that was
// asked for is a failure.
Status plan_commands(Arena *arena, const Options *options, TuParser *parser, JobList *jobs,
                     Err *err);

// ---- job.c: one file ----------------------------------------------------------------------------

// What all jobs share, and none changes.
typedef struct {
    TuParser *parser;
    const Model *model;
    RuleLevels levels;
} Analysis;

// Makes it from the options (set_up.c); allocated in `arena`.
Status analysis_set_up(Arena *arena, const Options *options, Analysis *analysis, Err *err);
// Builds what the workers will read, once for each kind of file. Without it they still work,
// slower.
void analysis_prepare(Arena *arena, const Analysis *analysis, const JobList *jobs);

// Parses, lowers, runs the engine, asks the rules. Allocated in `arena`.
void job_run(const Analysis *analysis, Arena *arena, const Job *job, UnitResult *result);

// ---- worker.c: many files -----------------------------------------------------------------------

typedef struct {
    uint32_t workers;         // processes at once
    uint32_t timeout_seconds; // for one file
} WorkerLimits;

// Does the jobs in worker processes. `results` has one element a job, in the same order. A worker
// that dies or takes too long costs its file alone. Fails only when no worker can be started at
// all.
Status workers_run(Arena *arena, StrPool *strings, const Analysis *analysis, WorkerLimits limits,
                   const JobList *jobs, UnitResult *results, Err *err);

// Serves jobs until `jobs_fd` ends, then leaves the process: a worker's whole life
// (worker_child.c).
_Noreturn void worker_serve(const Analysis *analysis, const JobList *jobs, int jobs_fd,
                            int results_fd);

// How a result travels: its length, then the bytes of unit_result_write.
typedef uint64_t RecordLength;

// ---- stack.c: deep recursion --------------------------------------------------------------------

// Calls `run(context)` on a stack large enough for deeply nested sources, and waits for its end.
Status stack_run(void *(*run)(void *), void *context, Err *err);

// ---- merge.c: many results to one report --------------------------------------------------------

// The findings of all units: sorted, duplicates dropped, fingerprints set.
FindingList merge_findings(Arena *arena, const UnitResult *units, uint32_t unit_count);
// Those at or above `lowest`.
FindingList merge_filter(Arena *arena, const FindingList *findings, Severity lowest);
// Files that could not be analysed whole.
uint32_t merge_failures(const UnitResult *units, uint32_t unit_count);

// ---- output.c: where the report goes ------------------------------------------------------------

typedef struct {
    const char *path; // as the user named it; NULL: standard output
    const char *temp; // what is renamed to `target` in the end; NULL: written in place
    const char *target;
    FILE *file;
    sigset_t held_before; // signals blocked when it was opened
} Output;

// Whether a report could be written there, asked before the work is done.
Status output_check(Arena *arena, const char *path, Err *err);
// Refuses to replace a file that is to be analysed, under whatever name.
Status output_spare_sources(const char *path, const JobList *jobs, Err *err);
Status output_open(Arena *arena, const char *path, Output *output, Err *err);
// Completes the report: it is there whole, or the result is a failure and nothing has changed.
Status output_close(Output *output, Err *err);
void output_discard(Output *output);

// ---- dump.c: --dump -----------------------------------------------------------------------------

// Prints what the stage made of each file.
Status dump_stage(Arena *arena, const Analysis *analysis, const JobList *jobs, const char *what,
                  FILE *out, Err *err);

#endif
