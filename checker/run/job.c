// SPDX-License-Identifier: MIT
// One file from source to findings. Input: the file, what all jobs share, and what other files know
// of the functions it calls. Output: a UnitResult, findings unsorted and unfiltered, and everything
// that was not looked at; and what this file knows of its own functions.
#include "run/run_p.h"

#include <string.h>

#include "engine/engine.h"
#include "ir/ir_build.h"

#include <sys/resource.h>
#include <time.h>

typedef struct {
    const Analysis *analysis;
    const IrUnit *unit;
    Arena *arena;
    UnitResult *result;
    SummaryPack *exports; // or NULL: nobody asks
} JobContext;

// The lines from the function's name to its last instruction.
static void set_extent(Finding *finding, const IrFunction *fn)
{
    if (!loc_is_valid(fn->loc) || strcmp(fn->loc.file, finding->loc.file) != 0) return;
    finding->first_line = fn->loc.line;
    finding->last_line = fn->loc.line;
    for (uint32_t i = 0; i < fn->blocks.len; i++) {
        const IrBlock *block = &fn->blocks.items[i];
        for (uint32_t k = 0; k < block->instrs.len; k++) {
            SrcLoc loc = block->instrs.items[k].loc;
            if (!loc_is_valid(loc) || strcmp(loc.file, fn->loc.file) != 0) continue;
            if (loc.line > finding->last_line) finding->last_line = loc.line;
        }
    }
}

static void on_event(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t step_count)
{
    JobContext *job = context;
    FindingList *findings = &job->result->findings;
    uint32_t before = findings->len;
    rule_dispatch(job->arena, &job->analysis->levels, fn->name, event, steps, step_count, findings);
    for (uint32_t i = before; i < findings->len; i++) set_extent(&findings->items[i], fn);
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

static void on_summary(void *context, const IrFunction *fn, const Summary *summary)
{
    const JobContext *job = context;
    const IrCallee *callee = &job->unit->callees.items[fn->callee];
    if (callee->is_internal || fn->is_main || !summary_is_shared_usr(callee->usr)) return;
    SummaryRecord record = summary_encode(job->arena, job->analysis->model, callee->usr, summary);
    vec_push(job->arena, &job->exports->functions, record);
}

// What is called here, and defined by the user elsewhere.
static void list_wants(JobContext *job)
{
    for (uint32_t i = 0; i < job->unit->callees.len; i++) {
        const IrCallee *callee = &job->unit->callees.items[i];
        bool is_elsewhere = callee->body == IR_NONE && !callee->is_internal &&
                            !callee->in_system_header && !callee->is_kernel &&
                            !callee->is_device_only;
        if (is_elsewhere && summary_is_shared_usr(callee->usr))
            vec_push(job->arena, &job->exports->wants, callee->usr);
    }
}

static void run_engine(JobContext *job, const SummaryTable *imports)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    EngineInput input = {.unit = job->unit,
                         .model = job->analysis->model,
                         .budget = engine_budget_default(),
                         .imports = imports};
    EngineSink sink = {.on_event = on_event,
                       .on_budget = on_budget,
                       .on_summary = job->exports != NULL ? on_summary : NULL,
                       .context = job};
    EngineStats stats = {0};
    engine_run(&input, &sink, &stats);
    job->result->budget_hits = stats.budget_hits;
    job->result->engine_ms += milliseconds_since(start);
}

static void take_unit(Arena *arena, const IrUnit *unit, UnitResult *result)
{
    result->host_functions = unit->host_functions;
    result->analysed = unit->functions.len;
    for (uint32_t i = 0; i < unit->skipped.len; i++) {
        const IrSkipped *skipped = &unit->skipped.items[i];
        NotAnalysed entry = {.name = skipped->name, .loc = skipped->loc, .reason = skipped->reason};
        vec_push(arena, &result->not_analysed, entry);
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

static void take_diagnostics(Arena *arena, const TuStats *stats, UnitResult *result)
{
    result->parse_ms = stats->parse_ms;
    result->lower_ms = stats->lower_ms;
    for (uint32_t i = 0; i < stats->diagnostics.len; i++)
        vec_push(arena, &result->diagnostics, stats->diagnostics.items[i]);
}

void job_parse(const Analysis *analysis, Arena *arena, const Job *job, ParsedFile *parsed)
{
    *parsed = (ParsedFile){.arena = arena, .result = {.file = job->file}};
    UnitResult *result = &parsed->result;
    crash_context_set(job->file, NULL);
    Err err = {.arena = arena};
    TuStats stats = {0};
    IrUnit *unit = NULL;
    TuInput input = {.file = job->file, .args = job->args};
    result->status = tu_lower_file(analysis->parser, arena, &input, &unit, &stats, &err);
    take_diagnostics(arena, &stats, result);
    if (result->status == ST_OK) {
        parsed->unit = unit;
        take_unit(arena, unit, result);
        ir_inline_calls(unit);
        if (stats.error_count != 0) { // what is whole is analysed, but the file is not done
            result->status = ST_PARSE;
            set_parse_error(&err, &stats);
        }
    }
    if (result->status != ST_OK)
        result->error = err.message != NULL ? err.message : status_text(result->status);
}

void job_analyse(const Analysis *analysis, Arena *arena, ParsedFile *parsed,
                 const SummaryTable *imports, FileAnalysis *out)
{
    *out = (FileAnalysis){.result = parsed->result};
    UnitResult *result = &out->result;
    if (parsed->unit != NULL) {
        JobContext job = {.analysis = analysis,
                          .unit = parsed->unit,
                          .arena = arena,
                          .result = result,
                          .exports = analysis->exchanges ? &out->exports : NULL};
        run_engine(&job, imports);
        if (job.exports != NULL) list_wants(&job);
    }
    parsed->result.engine_ms = result->engine_ms;
    result->peak_bytes = arena_peak_bytes(parsed->arena) + arena_peak_bytes(arena);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) result->peak_rss_kib = (uint64_t)usage.ru_maxrss;
}
