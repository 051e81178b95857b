// SPDX-License-Identifier: MIT
// One file from source to findings. Input: the file, what all jobs share, and what other files know
// of the functions it calls. Output: a UnitResult, findings unsorted and unfiltered, and everything
// that was not looked at; and what this file knows of its own functions.
#include "run/run_p.h"

#include "engine/engine.h"
#include "ir/ir_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    const Analysis *analysis;
    const IrUnit *unit;
    Arena *arena;
    UnitResult *result;
    SummaryExports *exports;
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
    rule_dispatch(job->arena, &job->analysis->levels, fn ? fn->name : NULL, event, steps,
                  step_count, findings);
    for (uint32_t i = before; fn && i < findings->len; i++) set_extent(&findings->items[i], fn);
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

// ---- what others may know, and what they are asked ----------------------------------------------

// Another file can name the function.
static bool is_shared(const IrCallee *callee)
{
    return !callee->is_internal && summary_is_shared_usr(callee->usr);
}

static bool is_offered(const IrUnit *unit, const IrFunction *fn)
{
    return !fn->is_main && is_shared(&unit->callees.items[fn->callee]);
}

// It is defined here, but was not analysed.
static bool is_skipped(const IrUnit *unit, const IrCallee *callee)
{
    for (uint32_t i = 0; i < unit->skipped.len; i++) {
        const char *usr = unit->skipped.items[i].usr;
        if (usr != NULL && strcmp(usr, callee->usr) == 0) return true;
    }
    return false;
}

// It is called here, and the user may have defined it in another file.
static bool is_wanted(const IrUnit *unit, const IrCallee *callee)
{
    return callee->body == IR_NONE && !callee->in_system_header && !callee->is_kernel &&
           !callee->is_device_only && is_shared(callee) && !is_skipped(unit, callee);
}

static void on_summary(void *context, const IrFunction *fn, const Summary *summary)
{
    const JobContext *job = context;
    if (!job->analysis->exchanges || !is_offered(job->unit, fn)) return;
    const char *usr = job->unit->callees.items[fn->callee].usr;
    vec_push(job->arena, &job->exports->functions,
             summary_encode(job->arena, job->analysis->model, usr, summary));
}

static int compare_usrs(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Of what was not analysed, nothing is known: also when another file defines it, too.
static void offer_skipped(const JobContext *job)
{
    for (uint32_t i = 0; i < job->unit->skipped.len; i++) {
        const char *usr = job->unit->skipped.items[i].usr;
        if (usr == NULL || !summary_is_shared_usr(usr)) continue;
        vec_push(job->arena, &job->exports->defines, usr);
        vec_push(job->arena, &job->exports->functions,
                 summary_encode(job->arena, job->analysis->model, usr, &(Summary){0}));
    }
}

static void introduce(const JobContext *job)
{
    const IrUnit *unit = job->unit;
    Arena *arena = job->arena;
    SummaryExports *exports = job->exports;
    offer_skipped(job);
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        const IrFunction *fn = unit->functions.items[i];
        if (is_offered(unit, fn))
            vec_push(arena, &exports->defines, unit->callees.items[fn->callee].usr);
    }
    for (uint32_t i = 0; i < unit->callees.len; i++) {
        if (is_wanted(unit, &unit->callees.items[i]))
            vec_push(arena, &exports->wants, unit->callees.items[i].usr);
    }
    if (exports->wants.len != 0)
        qsort(exports->wants.items, exports->wants.len, sizeof *exports->wants.items, compare_usrs);
}

static void list_waits(const ParsedFile *parsed, Arena *arena, SummaryExports *exports)
{
    const IrUnit *unit = parsed->unit;
    exports->is_complete = true;
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        IrCalleeId obstacle = engine_obstacle(parsed->session, i);
        if (obstacle == IR_NONE) continue;
        exports->is_complete = false;
        const IrFunction *fn = unit->functions.items[i];
        if (!is_offered(unit, fn)) continue;
        SummaryWait wait = {.usr = unit->callees.items[fn->callee].usr,
                            .obstacle = unit->callees.items[obstacle].usr};
        vec_push(arena, &exports->waits, wait);
    }
}

// Takes in what is settled of the functions that the file waits for.
static void resolve(const Analysis *analysis, const ParsedFile *parsed,
                    const SummaryImports *imports)
{
    Err err = {.arena = parsed->arena};
    for (uint32_t i = 0; i < parsed->unit->callees.len; i++) {
        if (!engine_waits_for(parsed->session, i)) continue;
        const char *usr = parsed->unit->callees.items[i].usr;
        const SummaryRecord *record = summary_imports_find(imports, usr);
        if (record != NULL) {
            Summary *summary = ARENA_NEW(parsed->arena, Summary);
            Status status = summary_decode(parsed->arena, parsed->unit->strings, analysis->model,
                                           record, summary, &err);
            BUG_ON(status != ST_OK); // another worker of this run wrote it
            engine_resolve(parsed->session, i, summary);
        } else if (summary_imports_is_unknown(imports, usr)) {
            engine_resolve(parsed->session, i, NULL);
        }
    }
}

static void run_engine(JobContext *job, const ParsedFile *parsed)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    EngineSink sink = {
        .on_event = on_event, .on_budget = on_budget, .on_summary = on_summary, .context = job};
    EngineStats stats = {0};
    engine_advance(parsed->session, &sink, &stats);
    job->result->budget_hits = stats.budget_hits;
    job->result->engine_ms = milliseconds_since(start);
}

// ---- parsing ------------------------------------------------------------------------------------

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
static void set_parse_error(Err *err, const TuStats *stats, const char *toolkit)
{
    uint32_t count = stats->error_count;
    const char *advice = "";
    if (toolkit != NULL)
        advice = arena_printf(
            err->arena, "; '--cuda-path %s' reads that toolkit's headers, not the bundled ones",
            toolkit);
    if (stats->loose_count == 0) {
        err_set(err, ST_PARSE, "parsed in part: %u error%s inside functions%s", count,
                count == 1 ? "" : "s", advice);
        return;
    }
    const char *first = stats->diagnostics.items[0];
    const char *more = count < 2 ? "" : arena_printf(err->arena, " (and %u more)", count - 1);
    bool is_header = strstr(first, "file not found") != NULL;
    err_set(err, ST_PARSE, "parsed in part: %s%s%s", first, more,
            is_header ? "; name include folders after '--': -- -IDIR" : advice);
}

static void take_diagnostics(Arena *arena, const TuStats *stats, UnitResult *result)
{
    result->parse_ms = stats->parse_ms;
    result->lower_ms = stats->lower_ms;
    for (uint32_t i = 0; i < stats->diagnostics.len; i++)
        vec_push(arena, &result->diagnostics, stats->diagnostics.items[i]);
}

static void close_session(void *session)
{
    engine_close(session);
}

void job_begin(const Analysis *analysis, ParsedFile *parsed)
{
    EngineInput input = {
        .unit = parsed->unit, .model = analysis->model, .budget = engine_budget_default()};
    parsed->session = engine_open(&input);
    arena_defer(parsed->arena, close_session, parsed->session);
    for (uint32_t i = 0; analysis->exchanges && i < parsed->unit->callees.len; i++) {
        if (is_wanted(parsed->unit, &parsed->unit->callees.items[i]))
            engine_wait_for(parsed->session, i);
    }
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
        job_begin(analysis, parsed);
        take_unit(arena, unit, result);
        ir_inline_calls(unit);
        ir_split_blocks(unit);
        engine_tie_last_errors(unit, analysis->model);
        if (stats.error_count != 0) { // what is whole is analysed, but the file is not done
            result->status = ST_PARSE;
            set_parse_error(&err, &stats, tu_toolkit_unread(analysis->parser, job->args));
        }
    }
    if (result->status != ST_OK)
        result->error = err.message != NULL ? err.message : status_text(result->status);
}

// ---- analysing ----------------------------------------------------------------------------------

void job_analyse(const Analysis *analysis, Arena *arena, ParsedFile *parsed,
                 const SummaryImports *imports, FileAnalysis *out)
{
    bool is_first = !parsed->is_begun;
    parsed->is_begun = true;
    *out = (FileAnalysis){.result = parsed->result};
    UnitResult *result = &out->result;
    if (!is_first) // the rest was said before
        *result =
            (UnitResult){.file = result->file, .status = result->status, .error = result->error};
    out->exports = (SummaryExports){.is_whole = is_first, .is_complete = true};
    if (parsed->unit != NULL) {
        JobContext job = {.analysis = analysis,
                          .unit = parsed->unit,
                          .arena = arena,
                          .result = result,
                          .exports = &out->exports};
        if (is_first && analysis->exchanges) introduce(&job);
        resolve(analysis, parsed, imports);
        run_engine(&job, parsed);
        list_waits(parsed, arena, &out->exports);
        result->peak_bytes = engine_session_bytes(parsed->session);
    }
    result->peak_bytes += arena_peak_bytes(parsed->arena) + arena_peak_bytes(arena);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) result->peak_rss_kib = (uint64_t)usage.ru_maxrss;
}
