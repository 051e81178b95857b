// SPDX-License-Identifier: MIT
// Builds the sources. A program that is kept from an earlier run is taken as it is, unless its build would be another
// or a file of its source is newer.
// On the simulated runtime no kernel is executed, and most sources have none: they are built by nvcc as C++, in a
// sixth of the time. Where that fails, as it is made to where a kernel is declared, they are built as CUDA.
#include "verify/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILD_TIMEOUT_S 300

// cuda_runtime.h leaves the first as they are when it is read as C++. The others, by which the host
// gets at the device's variables, are given names that no library has.
static const char *const host_only_flags[] = {
    "-x",
    "c++",
    "-D__global__=static_assert(false);",
    "-D__managed__=static_assert(false);",
    "-D__constant__=static_assert(false);",
    "-DcudaGetSymbolAddress=not_on_the_host",
    "-DcudaGetSymbolSize=not_on_the_host_size",
    "-DcudaMemcpyToSymbol=not_on_the_host_to",
    "-DcudaMemcpyFromSymbol=not_on_the_host_from",
    "-DcudaMemcpyToSymbolAsync=not_on_the_host_to_async",
    "-DcudaMemcpyFromSymbolAsync=not_on_the_host_from_async",
};

// Compiles the host's code alone, if the source has no other.
static const char *const *host_only_command(const Verify *verify, const Job *job)
{
    WordList words = {0};
    vec_push(verify->arena, &words, job->build[0]);
    for (size_t i = 0; i < sizeof host_only_flags / sizeof *host_only_flags; i++)
        vec_push(verify->arena, &words, host_only_flags[i]);
    for (const char *const *word = job->build + 1; word[-1] != NULL; word++)
        vec_push(verify->arena, &words, *word);
    return words.items;
}

// C sources would be taken for C++ as well.
static bool is_all_cuda(const Job *job)
{
    for (uint32_t i = 0; i < job->source.files.len; i++) {
        if (!str_ends_with(job->source.files.items[i], ".cu")) return false;
    }
    return true;
}

const char *const *build_command(Verify *verify, const Job *job)
{
    Arena *arena = verify->arena;
    WordList words = {0};
    vec_push(arena, &words, verify->options->nvcc);
    vec_push(arena, &words, "-g");
    vec_push(arena, &words, "-lineinfo");
    vec_push(arena, &words, "-std=c++17");
    vec_push(arena, &words, "-DCUDALINT_RUN"); // what a fixture hides from the analysis
    vec_push(arena, &words, verify->recorder.simulator != NULL ? "-cudart=shared" : "-arch=native");
    vec_push(arena, &words, "-o");
    vec_push(arena, &words, job->program);
    for (uint32_t i = 0; i < job->source.files.len; i++)
        vec_push(arena, &words, job->source.files.items[i]);
    for (uint32_t i = 0; i < job->source.flags.len; i++)
        vec_push(arena, &words, job->source.flags.items[i]);
    vec_push(arena, &words, NULL);
    return words.items;
}

static const char *command_text(Arena *arena, const char *const *words)
{
    StrBuf text = {.arena = arena};
    for (; *words != NULL; words++) strbuf_printf(&text, "%s\n", *words);
    return strbuf_text(&text);
}

// Is the file missing or not older than the other?
static bool is_newer(const char *path, const struct stat *than)
{
    struct stat info;
    return stat(path, &info) != 0 || info.st_mtime >= than->st_mtime;
}

static bool is_current(Verify *verify, const Job *job, const char *const *command)
{
    struct stat program;
    if (stat(job->program, &program) != 0) return false;
    for (uint32_t i = 0; i < job->source.parts.len; i++) {
        if (is_newer(job->source.parts.items[i], &program)) return false;
    }
    const SourceFile *kept = source_file(source_cache_new(verify->arena), job->command);
    return kept != NULL && strcmp(kept->text, command_text(verify->arena, command)) == 0;
}

static void keep_command(Verify *verify, const Job *job, const char *const *command)
{
    FILE *out = fopen(job->command, "w");
    if (out == NULL) return; // it is built again next time
    fputs(command_text(verify->arena, command), out);
    fclose(out);
}

// What nvcc said first that is an error.
static const char *first_error(Verify *verify, const Job *job)
{
    const SourceFile *log = source_file(source_cache_new(verify->arena), job->log);
    for (uint32_t i = 1; log != NULL && i <= log->line_count; i++) {
        SourceLine line = source_line(log, i);
        const char *text = arena_strndup(verify->arena, line.text, line.len);
        if (strstr(text, "error") != NULL || strstr(text, "fatal") != NULL ||
            strstr(text, "undefined reference") != NULL)
            return text;
    }
    return "no message";
}

static const char *why_not_built(Verify *verify, const Job *job, const LaunchResult *result)
{
    if (result->start_error != 0)
        return arena_printf(verify->arena, "cannot run '%s': %s", job->build[0],
                            strerror(result->start_error));
    if (result->timed_out) return "nvcc did not end in time";
    return arena_printf(verify->arena, "nvcc rejects it: %s", first_error(verify, job));
}

static void note_build(Verify *verify, Job *job, const LaunchRequest *request,
                       const LaunchResult *result)
{
    job->is_built = result->start_error == 0 && result->exit_code == 0 && result->signal == 0 &&
                    access(job->program, X_OK) == 0;
    if (job->is_built)
        keep_command(verify, job, request->argv);
    else if (request->argv == job->build)
        job->problem =
            (Verdict){.kind = VERDICT_NOT_BUILT, .evidence = why_not_built(verify, job, result)};
}

// What builds the job in this round, NULL: nothing.
static const char *const *command_in_round(Verify *verify, const Job *job, bool is_host_only)
{
    if (job->problem.kind != VERDICT_NONE || job->is_built) return NULL;
    if (!is_host_only) return job->build;
    return is_all_cuda(job) ? host_only_command(verify, job) : NULL;
}

static void build_round(Verify *verify, JobList *jobs, bool is_host_only)
{
    LaunchRequest *requests = ARENA_ARRAY(verify->arena, LaunchRequest, jobs->len + 1);
    LaunchResult *results = ARENA_ARRAY(verify->arena, LaunchResult, jobs->len + 1);
    Job **built = ARENA_ARRAY(verify->arena, Job *, jobs->len + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < jobs->len; i++) {
        Job *job = &jobs->items[i];
        const char *const *command = command_in_round(verify, job, is_host_only);
        if (command == NULL) continue;
        unlink(job->program);
        built[count] = job;
        requests[count++] =
            (LaunchRequest){.argv = command, .output = job->log, .timeout_s = BUILD_TIMEOUT_S};
    }
    launch_run_all(&verify->recorder, requests, results, count, verify->options->jobs);
    for (size_t i = 0; i < count; i++) note_build(verify, built[i], &requests[i], &results[i]);
}

static void find_kept(Verify *verify, JobList *jobs)
{
    bool is_simulated = verify->recorder.simulator != NULL;
    for (uint32_t i = 0; i < jobs->len; i++) {
        Job *job = &jobs->items[i];
        job->is_built = is_current(verify, job, job->build) ||
                        (is_simulated && is_current(verify, job, host_only_command(verify, job)));
    }
}

void build_all(Verify *verify, JobList *jobs)
{
    find_kept(verify, jobs);
    if (verify->recorder.simulator != NULL) build_round(verify, jobs, true);
    build_round(verify, jobs, false);
}
