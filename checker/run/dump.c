// SPDX-License-Identifier: MIT
// --dump: what a stage made of the files, as text. One process does it all: a crash here is to be
// seen, not survived. Each file is looked at by itself.
#include "run/run_p.h"

#include "engine/engine.h"
#include "ir/ir_text.h"

#include <string.h>

typedef struct Dump Dump;

typedef struct {
    const char *name;
    void (*print)(Dump *dump, Arena *arena, const IrUnit *unit);
} Stage;

struct Dump {
    const Analysis *analysis;
    const JobList *jobs;
    const Stage *stage;
    const char *function; // or NULL: all
    bool is_found;        // some file has that function
    FILE *out;
    Err *err;
    Status status;
};

static void dump_ir(Dump *dump, Arena *arena, const IrUnit *unit)
{
    (void)arena;
    ir_print(dump->out, unit, dump->function);
}

// ---- summaries ----------------------------------------------------------------------------------

typedef struct {
    const Dump *dump;
    Arena *arena;
} SummaryDump;

static void on_event(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t step_count)
{
    (void)context, (void)fn, (void)event, (void)steps, (void)step_count;
}

static void on_summary(void *context, const IrFunction *fn, const Summary *summary)
{
    const SummaryDump *it = context;
    if (it->dump->function != NULL && strcmp(fn->name, it->dump->function) != 0) return;
    summary_print(it->dump->out, it->arena, fn->name, summary);
}

static void dump_summary(Dump *dump, Arena *arena, const IrUnit *unit)
{
    SummaryDump context = {.dump = dump, .arena = arena};
    EngineInput input = {
        .unit = unit, .model = dump->analysis->model, .budget = engine_budget_default()};
    EngineSink sink = {.on_event = on_event, .on_summary = on_summary, .context = &context};
    EngineStats stats = {0};
    fprintf(dump->out, "unit \"%s\"\n", unit->file);
    engine_run(&input, &sink, &stats);
}

// ---- files --------------------------------------------------------------------------------------

static const Stage stages[] = {{"ir", dump_ir}, {"summary", dump_summary}};

static bool has_function(const Dump *dump, const IrUnit *unit)
{
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        if (strcmp(unit->functions.items[i]->name, dump->function) == 0) return true;
    }
    return false;
}

static Status dump_file(Dump *dump, const Job *job)
{
    if (job->status != ST_OK)
        return err_set(dump->err, job->status, "%s: %s", job->file, job->error);
    Arena *arena = arena_new("unit");
    IrUnit *unit = NULL;
    TuStats stats = {0};
    crash_context_set(job->file, NULL);
    TuInput input = {.file = job->file, .args = job->args};
    Status status = tu_lower_file(dump->analysis->parser, arena, &input, &unit, &stats, dump->err);
    bool is_wanted = status == ST_OK && (dump->function == NULL || has_function(dump, unit));
    dump->is_found |= is_wanted;
    if (is_wanted) dump->stage->print(dump, arena, unit);
    if (status != ST_OK) status = err_context(dump->err, status, "%s", job->file);
    arena_free(arena);
    return status;
}

static void *dump_all(void *context)
{
    Dump *dump = context;
    for (uint32_t i = 0; i < dump->jobs->len && dump->status == ST_OK; i++) {
        dump->status = dump_file(dump, &dump->jobs->items[i]);
    }
    return NULL;
}

Status dump_stage(Arena *arena, const Analysis *analysis, const JobList *jobs, const char *what,
                  FILE *out, Err *err)
{
    size_t len = strcspn(what, ":");
    const char *name = arena_strndup(arena, what, len);
    Dump dump = {.analysis = analysis, .jobs = jobs, .out = out, .err = err};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (strcmp(stages[i].name, name) == 0) dump.stage = &stages[i];
    }
    if (dump.stage == NULL)
        return err_set(err, ST_USAGE, "--dump has no stage '%s'; there are: ir, summary", name);
    if (what[len] == ':') dump.function = what + len + 1;
    Status status = stack_run(dump_all, &dump, err);
    if (status == ST_OK) status = dump.status;
    if (status == ST_OK && dump.function != NULL && !dump.is_found)
        return err_set(err, ST_USAGE, "--dump=%s: no function '%s' was analysed in these files",
                       what, dump.function);
    return status;
}
