// SPDX-License-Identifier: MIT
// One file from source to findings. Input: the file and what all jobs share. Output: a UnitResult
// in the job's arena: findings unsorted and unfiltered, and everything that was not looked at.
#include "run/run_p.h"

#include <string.h>

#include "engine/engine.h"

#include <sys/resource.h>
#include <time.h>

typedef struct {
    const Analysis *analysis;
    Arena *arena;
    UnitResult *result;
} JobContext;

static void on_event(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t step_count)
{
    JobContext *job = context;
    rule_dispatch(job->arena, &job->analysis->levels, fn->name, event, steps, step_count,
                  &job->result->findings);
}

// Said by the parent, in the order of the files, and kept in every format.
static void on_budget(void *context, const IrFunction *fn, const char *why)
{
    const JobContext *job = context;
    const char *text =
        arena_printf(job->arena, "%s:%u:%u: the search in '%s' was cut short: %s", fn->loc.file,
                     (unsigned)fn->loc.line, (unsigned)fn->loc.column, fn->name, why);
    vec_push(job->arena, &job->result->diagnostics, text);
}

static double milliseconds_since(struct timespec start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start.tv_sec) * 1e3 + (double)(now.tv_nsec - start.tv_nsec) / 1e6;
}

static void run_engine(JobContext *job, const IrUnit *unit)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    EngineInput input = {
        .unit = unit, .model = job->analysis->model, .budget = engine_budget_default()};
    EngineSink sink = {.on_event = on_event, .on_budget = on_budget, .context = job};
    EngineStats stats = {0};
    engine_run(&input, &sink, &stats);
    job->result->budget_hits = stats.budget_hits;
    job->result->engine_ms = milliseconds_since(start);
}

static void take_unit(JobContext *job, const IrUnit *unit)
{
    UnitResult *result = job->result;
    result->host_functions = unit->host_functions;
    result->analysed = unit->functions.len;
    for (uint32_t i = 0; i < unit->skipped.len; i++) {
        const IrSkipped *skipped = &unit->skipped.items[i];
        NotAnalysed entry = {.name = skipped->name, .loc = skipped->loc, .reason = skipped->reason};
        vec_push(job->arena, &result->not_analysed, entry);
    }
}

// The first error says most: usually a header that was not found.
static void set_parse_error(Err *err, const TuStats *stats)
{
    uint32_t count = stats->error_count;
    if (stats->diagnostics.len == 0) {
        err_set(err, ST_PARSE, "parsed in part: %u error%s inside functions", count,
                count == 1 ? "" : "s");
        return;
    }
    const char *first = stats->diagnostics.items[0];
    const char *more = count < 2 ? "" : arena_printf(err->arena, " (and %u more)", count - 1);
    bool is_header = strstr(first, "file not found") != NULL;
    err_set(err, ST_PARSE, "parsed in part: %s%s%s", first, more,
            is_header ? "; name include folders after '--': -- -IDIR" : "");
}

static void take_diagnostics(JobContext *job, const TuStats *stats)
{
    UnitResult *result = job->result;
    result->parse_ms = stats->parse_ms;
    result->lower_ms = stats->lower_ms;
    for (uint32_t i = 0; i < stats->diagnostics.len; i++) {
        vec_push(job->arena, &result->diagnostics, stats->diagnostics.items[i]);
    }
}

void job_run(const Analysis *analysis, Arena *arena, const Job *planned, UnitResult *result)
{
    *result = (UnitResult){.file = planned->file};
    JobContext job = {.analysis = analysis, .arena = arena, .result = result};
    crash_context_set(planned->file, NULL);

    Err err = {.arena = arena};
    IrUnit *unit = NULL;
    TuStats stats = {0};
    TuInput input = {.file = planned->file, .args = planned->args};
    result->status = tu_lower_file(analysis->parser, arena, &input, &unit, &stats, &err);
    take_diagnostics(&job, &stats);
    if (result->status == ST_OK) {
        take_unit(&job, unit);
        run_engine(&job, unit);
        if (stats.error_count != 0) { // what is whole was analysed, but the file is not done
            result->status = ST_PARSE;
            set_parse_error(&err, &stats);
        }
    }
    if (result->status != ST_OK)
        result->error = err.message != NULL ? err.message : status_text(result->status);

    result->peak_bytes = arena_peak_bytes(arena);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) result->peak_rss_kib = (uint64_t)usage.ru_maxrss;
}
