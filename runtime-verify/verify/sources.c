// SPDX-License-Identifier: MIT
// Builds the sources, runs them as their comments say, and again with calls made to fail for what
// was not confirmed.
#include "verify/job.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static bool has_job(const JobList *jobs, const char *file)
{
    for (uint32_t i = 0; i < jobs->len; i++) {
        if (strcmp(jobs->items[i].source.file, file) == 0) return true;
    }
    return false;
}

static const char *const *run_command(Verify *verify, const Job *job, uint32_t run)
{
    WordList words = {0};
    vec_push(verify->arena, &words, job->program);
    for (uint32_t i = 0; run < job->source.runs.len && i < job->source.runs.items[run].len; i++)
        vec_push(verify->arena, &words, job->source.runs.items[run].items[i]);
    vec_push(verify->arena, &words, NULL);
    return words.items;
}

// The path as the name of one file.
static const char *file_name_of(Arena *arena, const char *path)
{
    while (str_starts_with(path, "./") || str_starts_with(path, "../"))
        path = strchr(path, '/') + 1;
    char *name = arena_strdup(arena, path);
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '/') *c = '+';
    }
    return name;
}

// NULL: it can run here.
static const char *why_not_run(const Verify *verify, const ProgramSource *source)
{
    bool is_simulated = verify->recorder.simulator != NULL;
    if (source->cannot_run != NULL) return source->cannot_run;
    if (source->cannot_simulate != NULL && is_simulated) return source->cannot_simulate;
    if (source->devices > verify->devices && !is_simulated)
        return arena_printf(verify->arena, "it needs %" PRIu32 " devices", source->devices);
    return source->runs.len == 0 ? "it has no comment \"// run: ARGS\"" : NULL;
}

static void add_job(Verify *verify, JobList *jobs, const char *file)
{
    Arena *arena = verify->arena;
    Job job = {0};
    Err err = {.arena = arena};
    if (has_job(jobs, file)) return;
    Status status = program_source_read(arena, file, &job.source, &err);
    const char *why = status == ST_OK ? why_not_run(verify, &job.source) : NULL;
    if (status != ST_OK)
        job.problem = (Verdict){.kind = VERDICT_NOT_BUILT, .evidence = err.message};
    else if (why != NULL)
        job.problem = (Verdict){.kind = VERDICT_NOT_RUN, .evidence = why};
    const char *builds = verify->options->builds;
    job.program = builds != NULL ? arena_printf(arena, "%s/%s", builds, file_name_of(arena, file))
                                 : arena_printf(arena, "%s/%" PRIu32, verify->folder, jobs->len);
    job.command = arena_printf(arena, "%s.command", job.program);
    job.records = arena_printf(arena, "%s/%" PRIu32 ".records", verify->folder, jobs->len);
    job.log = arena_printf(arena, "%s/%" PRIu32 ".log", verify->folder, jobs->len);
    job.build = build_command(verify, &job);
    job.run = run_command(verify, &job, 0);
    vec_push(arena, jobs, job);
}

static LaunchRequest make_run(const Verify *verify, const Job *job)
{
    Err err = {.arena = verify->arena};
    folder_create(job->records, &err); // without it nothing is recorded, which the verdict says
    return (LaunchRequest){.argv = job->run,
                           .records = job->records,
                           .records_calls = true,
                           .devices = job->source.devices,
                           .output = job->log,
                           .timeout_s = verify->options->timeout_s};
}

// Runs each job that has no problem, for the first time.
static void run_jobs(Verify *verify, const JobList *jobs, LaunchResult *results)
{
    LaunchRequest *requests = ARENA_ARRAY(verify->arena, LaunchRequest, jobs->len + 1);
    LaunchResult *ended = ARENA_ARRAY(verify->arena, LaunchResult, jobs->len + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < jobs->len; i++) {
        if (jobs->items[i].problem.kind == VERDICT_NONE)
            requests[count++] = make_run(verify, &jobs->items[i]);
    }
    launch_run_all(&verify->recorder, requests, ended, count, verify->options->jobs);
    for (uint32_t i = 0, at = 0; i < jobs->len; i++) {
        if (jobs->items[i].problem.kind == VERDICT_NONE) results[i] = ended[at++];
    }
}

// Gives everything of a file a verdict that no run gave.
static void set_verdicts(Verify *verify, const char *file, Verdict verdict)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        CheckedFinding *finding = &verify->findings.items.items[i];
        if (strcmp(finding->program, file) == 0)
            finding->verdict = verdict_better(finding->verdict, verdict);
    }
    for (uint32_t i = 0; i < verify->clean.len; i++) {
        CheckedSource *source = &verify->clean.items[i];
        if (strcmp(source->file, file) == 0)
            source->verdict = verdict_better(source->verdict, verdict);
    }
}

// Is a finding of the file still open, which another path could confirm?
static bool is_open(const Verify *verify, const char *file)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        const CheckedFinding *finding = &verify->findings.items.items[i];
        VerdictKind kind = finding->verdict.kind;
        if (strcmp(finding->program, file) != 0) continue;
        if (kind == VERDICT_REFUTED || kind == VERDICT_NOT_REACHED) return true;
    }
    return false;
}

// The most calls of one program that are made to fail.
#define MAX_FAILURES 200

// Runs it again, with no call failing (k = 0) or the k-th. Says whether one was made to fail.
static bool run_again(Verify *verify, const Job *job, uint32_t run, uint32_t k)
{
    folder_remove(job->records);
    LaunchRequest request = make_run(verify, job);
    LaunchResult result;
    request.argv = run_command(verify, job, run);
    if (k != 0) request.fail = arena_printf(verify->arena, "%" PRIu32, k);
    launch_run_all(&verify->recorder, &request, &result, 1, 1);
    if (result.timed_out && k == 0)
        set_verdicts(verify, job->source.file,
                     (Verdict){.kind = VERDICT_TIMEOUT, .evidence = "did not end in time"});
    VerifyRun judged = {job->records, job->source.file, request.fail, &result};
    return verify_judge(verify, &judged);
}

static void walk_errors(Verify *verify, const Job *job, uint32_t run)
{
    for (uint32_t k = 1; k <= MAX_FAILURES && is_open(verify, job->source.file); k++) {
        if (!run_again(verify, job, run, k)) return;
    }
}

static void judge_job(Verify *verify, const Job *job, const LaunchResult *result)
{
    const char *file = job->source.file;
    if (job->problem.kind != VERDICT_NONE) {
        set_verdicts(verify, file, job->problem);
        return;
    }
    verify_judge(verify, &(VerifyRun){job->records, file, NULL, result});
    if (result->timed_out) run_again(verify, job, 0, 0); // alone now
    for (uint32_t run = 1; run < job->source.runs.len; run++) run_again(verify, job, run, 0);
    for (uint32_t run = 0; run < job->source.runs.len; run++) walk_errors(verify, job, run);
    // A source that made no call at all.
    set_verdicts(verify, file,
                 (Verdict){.kind = VERDICT_NOT_REACHED, .evidence = "nothing was recorded"});
}

void verify_sources(Verify *verify)
{
    JobList jobs = {0};
    for (uint32_t i = 0; i < verify->findings.items.len; i++)
        add_job(verify, &jobs, verify->findings.items.items[i].program);
    for (uint32_t i = 0; i < verify->clean.len; i++)
        add_job(verify, &jobs, verify->clean.items[i].file);
    LaunchResult *results = ARENA_ARRAY(verify->arena, LaunchResult, jobs.len + 1);
    build_all(verify, &jobs);
    run_jobs(verify, &jobs, results);
    for (uint32_t i = 0; i < jobs.len; i++) judge_job(verify, &jobs.items[i], &results[i]);
}
