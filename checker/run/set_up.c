// SPDX-License-Identifier: MIT
// What all jobs share, made before any starts. Input: options. Output: an Analysis. Reading the
// models and looking at the machine take about as long as analysing a small file, so they are done
// side by side.
#include "run/run_p.h"

#include "base/log.h"

#include <pthread.h>
#include <string.h>

// `setting` is RULE=LEVEL.
static Status set_level(Arena *arena, RuleLevels *levels, const char *setting, Err *err)
{
    size_t len = strcspn(setting, "=");
    const char *slug = arena_strndup(arena, setting, len);
    Severity severity;
    if (setting[len] != '=' || severity_parse(setting + len + 1, &severity) != ST_OK) {
        return err_set(err, ST_USAGE, "--level wants RULE=error, warning, note or off, not '%s'",
                       setting);
    }
    return rule_levels_set(levels, slug, severity, err);
}

static Status set_up_levels(Arena *arena, const Options *options, Analysis *analysis, Err *err)
{
    analysis->levels = rule_levels_default(arena);
    for (uint32_t i = 0; i < options->levels.len; i++) {
        Status status = set_level(arena, &analysis->levels, options->levels.items[i], err);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

// Reading of the models, in an arena of its own because another thread may do it.
typedef struct {
    Arena *arena;
    const TextList *files; // of --model
    Model *model;
    Status status;
    Err err;
} ModelLoad;

static void *load_models(void *context)
{
    ModelLoad *load = context;
    load->model = model_new(load->arena);
    for (uint32_t i = 0; i < load->files->len && load->status == ST_OK; i++) {
        load->status = model_load_file(load->model, load->files->items[i], &load->err);
    }
    return NULL;
}

static void close_arena(void *arena)
{
    arena_free(arena);
}

static void say_progress(void *progress, const char *what)
{
    progress_say(progress, what);
}

static Status set_up_parser(Arena *arena, const Options *options, Analysis *analysis, Err *err)
{
    TuOptions *tu = ARENA_NEW(arena, TuOptions);
    *tu = (TuOptions){
        .cuda_path = options->cuda_path,
        .cache_dir = options->cache_dir,
        .on_long = say_progress,
        .context = analysis->progress,
    };
    return tu_parser_new(arena, tu, &analysis->parser, err);
}

static void warn(void *context, const char *text)
{
    (void)context;
    log_warning("%s", text);
}

static Status set_up_model_and_parser(Arena *arena, const Options *options, Analysis *analysis,
                                      Err *err)
{
    Arena *model_arena = arena_new("model");
    arena_defer(arena, close_arena, model_arena);
    ModelLoad load = {
        .arena = model_arena, .files = &options->models, .err = {.arena = model_arena}};
    pthread_t thread;
    bool is_apart = pthread_create(&thread, NULL, load_models, &load) == 0;
    Status status = set_up_parser(arena, options, analysis, err);
    if (is_apart)
        pthread_join(thread, NULL);
    else
        load_models(&load);
    analysis->model = load.model;
    if (load.status == ST_OK) model_check_project(load.model, warn, NULL);
    if (status != ST_OK || load.status == ST_OK) return status;
    return err_set(err, load.status, "%s", load.err.message);
}

Status analysis_set_up(Arena *arena, const Options *options, Analysis *analysis, Err *err)
{
    Status status = set_up_levels(arena, options, analysis, err);
    return status == ST_OK ? set_up_model_and_parser(arena, options, analysis, err) : status;
}

void analysis_prepare(Arena *arena, const Analysis *analysis, const JobList *jobs)
{
    const char *said = NULL; // the last message, not to repeat it for every file
    for (uint32_t i = 0; i < jobs->len; i++) {
        const Job *job = &jobs->items[i];
        if (job->status != ST_OK) continue;
        Err err = {.arena = arena};
        TuInput input = {.file = job->file, .args = job->args};
        Status status = tu_parser_prepare(analysis->parser, &input, &err);
        if (status == ST_OK) continue;
        const char *message = err.message != NULL ? err.message : status_text(status);
        if (said == NULL || strcmp(said, message) != 0)
            log_warning("no precompiled header: %s", message);
        said = message;
    }
}
