// SPDX-License-Identifier: MIT
// Builds the sources. A program that is kept from an earlier run is taken as it is, unless its build would be another
// or a file of its source is newer.
#include "verify/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILD_TIMEOUT_S 300

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

static bool is_current(Verify *verify, const Job *job)
{
    struct stat program;
    if (stat(job->program, &program) != 0) return false;
    for (uint32_t i = 0; i < job->source.parts.len; i++) {
        if (is_newer(job->source.parts.items[i], &program)) return false;
    }
    const SourceFile *kept = source_file(source_cache_new(verify->arena), job->command);
    return kept != NULL && strcmp(kept->text, command_text(verify->arena, job->build)) == 0;
}

static void keep_command(Verify *verify, const Job *job)
{
    FILE *out = fopen(job->command, "w");
    if (out == NULL) return; // it is built again next time
    fputs(command_text(verify->arena, job->build), out);
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

static void note_build(Verify *verify, Job *job, const LaunchResult *result)
{
    bool is_built = result->start_error == 0 && result->exit_code == 0 && result->signal == 0 &&
                    access(job->program, X_OK) == 0;
    if (is_built) {
        keep_command(verify, job);
        return;
    }
    const char *why = arena_printf(verify->arena, "nvcc rejects it: %s", first_error(verify, job));
    if (result->start_error != 0)
        why = arena_printf(verify->arena, "cannot run '%s': %s", job->build[0],
                           strerror(result->start_error));
    if (result->timed_out) why = "nvcc did not end in time";
    job->problem = (Verdict){.kind = VERDICT_NOT_BUILT, .evidence = why};
}

void build_all(Verify *verify, JobList *jobs)
{
    LaunchRequest *requests = ARENA_ARRAY(verify->arena, LaunchRequest, jobs->len + 1);
    LaunchResult *results = ARENA_ARRAY(verify->arena, LaunchResult, jobs->len + 1);
    Job **built = ARENA_ARRAY(verify->arena, Job *, jobs->len + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < jobs->len; i++) {
        Job *job = &jobs->items[i];
        if (job->problem.kind != VERDICT_NONE || is_current(verify, job)) continue;
        unlink(job->program);
        built[count] = job;
        requests[count++] =
            (LaunchRequest){.argv = job->build, .output = job->log, .timeout_s = BUILD_TIMEOUT_S};
    }
    launch_run_all(&verify->recorder, requests, results, count, verify->options->jobs);
    for (size_t i = 0; i < count; i++) note_build(verify, built[i], &results[i]);
}
