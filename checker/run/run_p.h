// SPDX-License-Identifier: MIT
// Private to run/: the stages between the command line and the report.
#ifndef CUDALINT_RUN_RUN_P_H
#define CUDALINT_RUN_RUN_P_H

#include "config/config.h"
#include "config/options.h"
#include "engine/engine.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rule/registry.h"
#include "summary/exchange.h"
#include "tu/tu.h"

#include <signal.h>

// ---- progress.c: what is seen meanwhile ---------------------------------------------------------

typedef struct {
    bool is_watched;            // there is a terminal, and nothing else to be seen on it
    uint32_t total, read, done; // files: read once, analysed to the end
    int64_t start_ms;
    int64_t shown_ms; // 0: nothing is shown
} Progress;

void progress_start(Progress *progress, const Options *options);
// Says what takes long now.
void progress_say(Progress *progress, const char *text);
// A file was read, or went on; shows how far the run is if that is due.
void progress_file(Progress *progress, bool is_done);
void progress_show(Progress *progress);
// Before anything else is printed.
void progress_clear(Progress *progress);

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

// What all jobs share, and none changes.
typedef struct {
    TuParser *parser;
    const Model *model;
    RuleLevels levels;
    ConfigTree *configs; // the parent's; workers do not ask
    Progress *progress;  // the parent's
    bool exchanges;      // files learn of each other's functions
} Analysis;

// ---- commands.c: how each file is compiled ------------------------------------------------------

// Gives each job its arguments, from the command line or a compile database: one job for each way
// in which the file is compiled. Without operands all files of the database that have to do with
// CUDA are planned. A database that was found and cannot be read becomes a failed job; one that was
// asked for is a failure.
Status plan_commands(Arena *arena, const Options *options, const Analysis *analysis, JobList *jobs,
                     Err *err);

// ---- configure.c: what configurations mean for the run ------------------------------------------

// Refuses names of rules that do not exist, sets the levels to those of the whole run's
// configuration (or NULL), and has every rule looked for that any configuration read so far wants.
Status configure_rules(ConfigTree *configs, const Config *whole, RuleLevels *levels, Err *err);
// Leaves out the jobs whose files are excluded; says so.
Status configure_jobs(Arena *arena, ConfigTree *configs, const TextList *operands, JobList *jobs,
                      Err *err);

// ---- job.c: one file ----------------------------------------------------------------------------

// Makes it from the options (set_up.c); allocated in `arena`.
Status analysis_set_up(Arena *arena, const Options *options, Analysis *analysis, Err *err);
// Builds what the workers will read, once for each kind of file. Without it they still work,
// slower.
void analysis_prepare(Arena *arena, const Analysis *analysis, const JobList *jobs);

// A file parsed and lowered, whose analysis may wait for others.
typedef struct {
    Arena *arena;       // that holds it
    const IrUnit *unit; // NULL: it could not be parsed
    UnitResult result;  // as far as parsing goes
    EngineSession *session;
    bool is_begun;
} ParsedFile;

typedef struct {
    UnitResult result;
    SummaryExports exports;
} FileAnalysis;

// Parses and lowers. Allocated in `arena`.
void job_parse(const Analysis *analysis, Arena *arena, const Job *job, ParsedFile *parsed);
// Opens the session of a file that was parsed; job_parse does.
void job_begin(const Analysis *analysis, ParsedFile *parsed);
// Goes on as far as what others say allows: runs the engine, asks the rules. The first time, `out`
// is the file's whole result so far, later what is new. Allocated in `arena`, and it refers to
// `parsed`.
void job_analyse(const Analysis *analysis, Arena *arena, ParsedFile *parsed,
                 const SummaryImports *imports, FileAnalysis *out);

// ---- worker.c: many files -----------------------------------------------------------------------

typedef struct {
    uint32_t workers;         // processes at once
    uint32_t timeout_seconds; // for one file
} WorkerLimits;

typedef struct Pool Pool;

// Starts worker processes for the jobs; they live until pool_close. Fails only when none can be
// started at all. `strings` is of `arena`.
Status pool_open(Arena *arena, StrPool *strings, const Analysis *analysis, WorkerLimits limits,
                 const JobList *jobs, Pool **pool, Err *err);
// What a worker is to do: go on with the file, given all that is settled of what it calls.
typedef struct {
    uint32_t job;
    SummaryImports imports;
} Request;
typedef Vec(Request) RequestList;
typedef struct {
    FileAnalysis analysis;
    bool is_held; // the worker keeps the parsed file: it can go on from here
} Reply;
// Does what is requested; `replies` has one element a job, in the same order. A worker that dies or
// takes too long costs its file alone, and those it holds are parsed again.
void pool_run(Pool *pool, const RequestList *requests, Reply *replies);
void pool_close(Pool *pool);

// ---- worker_child.c: a worker's life ------------------------------------------------------------

// Serves requests until `requests_fd` ends, then leaves the process.
_Noreturn void worker_serve(const Analysis *analysis, const JobList *jobs, int requests_fd,
                            int replies_fd);

// ---- message.c: what goes through the pipes -----------------------------------------------------

// A message is its length and then so many bytes.
typedef uint64_t MessageLength;

void request_write(StrBuf *out, const Request *request);
Status request_read(Arena *arena, StrPool *strings, const char *bytes, size_t len, Request *request,
                    Err *err);

void reply_write(StrBuf *out, const Reply *reply);
Status reply_read(Arena *arena, StrPool *strings, const char *bytes, size_t len, Reply *reply,
                  Err *err);

// ---- rounds.c: files that know of each other ----------------------------------------------------

// Analyses all files, round by round, as what they wait for becomes known.
Status rounds_run(Arena *arena, const Analysis *analysis, WorkerLimits limits, const JobList *jobs,
                  UnitResult *units, ExchangeStats *stats, Err *err);

// ---- stack.c: deep recursion --------------------------------------------------------------------

// Calls `run(context)` on a stack large enough for deeply nested sources, and waits for its end.
Status stack_run(void *(*run)(void *), void *context, Err *err);

// ---- merge.c: many results to one report --------------------------------------------------------

// Puts the results in the order of their files' names, so that nothing in the report depends on the order
// in which the files were named; results of one file stay in theirs.
void merge_order(Arena *arena, UnitResult *units, uint32_t unit_count);
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
