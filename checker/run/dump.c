// SPDX-License-Identifier: MIT
// --dump: what a stage made of the files, as text. One process does it all: a crash here is to be seen, not survived.
#include "run/run_p.h"

#include "ir/ir_text.h"

#include <string.h>

typedef struct {
    const Analysis *analysis;
    const JobList *jobs;
    const char *function; // or NULL: all
    FILE *out;
    Err *err;
    Status status;
} Dump;

static Status dump_ir(Dump *dump, const Job *job)
{
    if (job->status != ST_OK)
        return err_set(dump->err, job->status, "%s: %s", job->file, job->error);
    Arena *arena = arena_new("unit");
    IrUnit *unit = NULL;
    TuStats stats = {0};
    crash_context_set(job->file, NULL);
    TuInput input = {.file = job->file, .args = job->args};
    Status status = tu_lower_file(dump->analysis->parser, arena, &input, &unit, &stats, dump->err);
    if (status == ST_OK)
        ir_print(dump->out, unit, dump->function);
    else
        status = err_context(dump->err, status, "%s", job->file);
    arena_free(arena);
    return status;
}

static void *dump_all(void *context)
{
    Dump *dump = context;
    for (uint32_t i = 0; i < dump->jobs->len && dump->status == ST_OK; i++) {
        dump->status = dump_ir(dump, &dump->jobs->items[i]);
    }
    return NULL;
}

Status dump_stage(Arena *arena, const Analysis *analysis, const JobList *jobs, const char *what,
                  FILE *out, Err *err)
{
    size_t len = strcspn(what, ":");
    const char *stage = arena_strndup(arena, what, len);
    if (strcmp(stage, "ir") != 0)
        return err_set(err, ST_USAGE, "--dump has no stage '%s'; there is: ir", stage);
    Dump dump = {.analysis = analysis, .jobs = jobs, .out = out, .err = err};
    if (what[len] == ':') dump.function = what + len + 1;
    Status status = stack_run(dump_all, &dump, err);
    return status != ST_OK ? status : dump.status;
}
