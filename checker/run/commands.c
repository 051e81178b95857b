// SPDX-License-Identifier: MIT
// How each file is compiled. Input: jobs without arguments, and what the user said; output: jobs
// with them. Arguments after `--` hold for every file; else the compile database given by -p, or
// the nearest one found from each file upwards; else nothing, and headers are searched for when the
// file is parsed. What is assumed is said with -v.
#include "run/run_p.h"

#include "base/log.h"
#include "base/path.h"
#include "compile/compdb.h"

#include <string.h>

// The database for the files of a folder.
typedef struct {
    const char *folder;  // interned
    const CompileDb *db; // NULL: there is none, or it is broken
} FolderDb;

typedef struct {
    Arena *arena;
    const Options *options;
    const Analysis *analysis;
    StrPool *names;
    const char *working;
    const TuArgs *given;        // of `--`; NULL: none
    const TuCommand *added;     // of the configuration; NULL: none
    const TuArgs *added_alone;  // the same of files that have no options of their own
    const CompileDb *chosen;    // of -p; NULL: none
    const CompileDb *last_used; // by a file
    Vec(FolderDb) folders;
    Vec(const CompileDb *) loaded;
    TextList broken;  // paths of databases that could not be read
    TextList unknown; // options said to be dropped; interned
    uint32_t assumed; // files of which nobody says how they are compiled
    JobList jobs;
} Commands;

static void on_unknown_option(void *context, const char *option)
{
    Commands *commands = context;
    const char *name = str_intern(commands->names, option);
    for (uint32_t i = 0; i < commands->unknown.len; i++)
        if (commands->unknown.items[i] == name) return;
    vec_push(commands->arena, &commands->unknown, name);
    log_note("compiler option '%s' does not matter here: dropped", option);
}

// ---- which database -----------------------------------------------------------------------------

static void add_broken(Commands *commands, const char *path, Status status, const char *error)
{
    if (str_starts_with(error, path)) error += strlen(path) + strspn(error + strlen(path), ": ");
    Job job = {.file = path, .status = status, .error = error};
    vec_push(commands->arena, &commands->jobs, job);
    vec_push(commands->arena, &commands->broken, path);
}

// Loads a database once, however many folders lead to it; NULL if it is broken.
static const CompileDb *load_found(Commands *commands, const char *path)
{
    for (uint32_t i = 0; i < commands->loaded.len; i++)
        if (strcmp(commands->loaded.items[i]->path, path) == 0) return commands->loaded.items[i];
    for (uint32_t i = 0; i < commands->broken.len; i++)
        if (strcmp(commands->broken.items[i], path) == 0) return NULL;
    CompileDb *db = NULL;
    Err err = {.arena = commands->arena};
    Status status = compile_db_load(commands->arena, path, &db, &err);
    if (status != ST_OK) {
        add_broken(commands, path, status, err.message);
        return NULL;
    }
    vec_push(commands->arena, &commands->loaded, db);
    return db;
}

static const CompileDb *db_for(Commands *commands, const char *file)
{
    if (commands->chosen != NULL) return commands->chosen;
    const char *folder = str_intern(commands->names, path_parent(commands->arena, file));
    for (uint32_t i = commands->folders.len; i-- > 0;)
        if (commands->folders.items[i].folder == folder) return commands->folders.items[i].db;
    const char *path = compile_db_find(commands->arena, folder);
    FolderDb entry = {.folder = folder, .db = path != NULL ? load_found(commands, path) : NULL};
    vec_push(commands->arena, &commands->folders, entry);
    return entry.db;
}

// ---- arguments of one file ----------------------------------------------------------------------

static Status translate(Commands *commands, const CompileCommand *command, const TuArgs **args,
                        Err *err)
{
    TuCommand line = {.args = command->args.items,
                      .count = command->args.len,
                      .directory = command->directory,
                      .is_nvcc = command->is_nvcc,
                      .added = commands->added};
    return tu_args_translate(commands->arena, &line, on_unknown_option, commands, args, err);
}

// Adds the job unless one of the same file, from `first` on, has equal arguments.
static void add_job(Commands *commands, uint32_t first, Job job)
{
    for (uint32_t i = first; i < commands->jobs.len; i++) {
        const Job *other = &commands->jobs.items[i];
        if (other->file == job.file && other->args != NULL && job.args != NULL &&
            tu_args_equal(other->args, job.args))
            return;
    }
    vec_push(commands->arena, &commands->jobs, job);
}

static void add_commands(Commands *commands, Job job, const char *db_path, CompileCommands found)
{
    uint32_t first = commands->jobs.len;
    for (uint32_t i = 0; i < found.len; i++) {
        Err err = {.arena = commands->arena};
        job.status = translate(commands, &found.items[i], &job.args, &err);
        if (job.status != ST_OK) {
            job.error = arena_printf(commands->arena, "%s: entry %u: %s", db_path,
                                     (unsigned)found.items[i].number + 1, err.message);
            job.args = NULL;
        }
        add_job(commands, first, job);
    }
}

static void plan_one(Commands *commands, Job job)
{
    if (job.status != ST_OK || commands->given != NULL) {
        job.args = commands->given;
        vec_push(commands->arena, &commands->jobs, job);
        return;
    }
    const CompileDb *db = db_for(commands, job.file);
    CompileCommands found = {0};
    if (db != NULL) found = compile_db_commands(commands->arena, db, job.file);
    if (db != NULL && found.len == 0) {
        const CompileCommand *nearest = compile_db_nearest(commands->arena, db, job.file);
        if (nearest != NULL) {
            log_note("%s: not in %s: read with the options of %s", job.file, db->path,
                     path_short(commands->arena, commands->working, nearest->file));
            found = (CompileCommands){.items = nearest, .len = 1};
        }
    }
    if (found.len == 0) {
        commands->assumed++;
        job.args = commands->added_alone;
        vec_push(commands->arena, &commands->jobs, job);
        return;
    }
    if (db != commands->last_used) log_note("compiler options from %s", db->path);
    commands->last_used = db;
    add_commands(commands, job, db->path, found);
}

// ---- all files of the database ------------------------------------------------------------------

static bool has_to_do_with_cuda(Commands *commands, const Job *job)
{
    if (str_ends_with(job->file, ".cu") || job->status != ST_OK) return true;
    if (job->args != NULL && tu_args_name_cuda(job->args)) return true;
    TuInput input = {.file = job->file, .args = job->args};
    return tu_sees_cuda(commands->analysis->parser, &input);
}

// The same file in two entries is one operand.
static Status plan_database(Commands *commands, const CompileDb *db, Err *err)
{
    TextList files = {0};
    for (uint32_t i = 0; i < db->commands.len; i++) {
        const char *file = db->commands.items[i].file;
        if (i != 0 && strcmp(file, db->commands.items[i - 1].file) == 0) continue;
        file = path_short(commands->arena, commands->working, file);
        vec_push(commands->arena, &files, file);
    }
    JobList planned = plan_jobs(commands->arena, &files);
    Status status = configure_jobs(commands->arena, commands->analysis->configs,
                                   &commands->options->operands, &planned, err);
    if (status != ST_OK) return status;
    for (uint32_t i = 0; i < planned.len; i++) plan_one(commands, planned.items[i]);
    JobList kept = {0};
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < commands->jobs.len; i++) {
        const Job *job = &commands->jobs.items[i];
        if (has_to_do_with_cuda(commands, job)) {
            vec_push(commands->arena, &kept, *job);
            continue;
        }
        left_out++;
        log_note("%s: includes no header of CUDA's: left out", job->file);
    }
    if (left_out != 0)
        log_note("%s: %u of %u entries have nothing to do with CUDA", db->path, (unsigned)left_out,
                 (unsigned)commands->jobs.len);
    commands->jobs = kept;
    if (kept.len != 0) return ST_OK;
    return err_set(err, ST_USAGE, "%s: no entry that is not left out has to do with CUDA",
                   db->path);
}

static Status take_given(Commands *commands, Err *err)
{
    const TextList *given = &commands->options->compiler_args;
    if (given->len == 0) return ST_OK;
    TuCommand line = {.args = given->items, .count = given->len};
    return tu_args_translate(commands->arena, &line, on_unknown_option, commands, &commands->given,
                             err);
}

// compiler-args of the configuration.
static Status take_added(Commands *commands, Err *err)
{
    const Options *options = commands->options;
    if (options->added_args.len == 0) return ST_OK;
    TuCommand *added = ARENA_NEW(commands->arena, TuCommand);
    *added = (TuCommand){.args = options->added_args.items,
                         .count = options->added_args.len,
                         .directory = options->added_args_folder};
    commands->added = added;
    Status status = tu_args_translate(commands->arena, added, on_unknown_option, commands,
                                      &commands->added_alone, err);
    return status == ST_OK ? ST_OK : err_context(err, status, "compiler-args");
}

Status plan_commands(Arena *arena, const Options *options, const Analysis *analysis, JobList *jobs,
                     Err *err)
{
    Commands commands = {.arena = arena,
                         .options = options,
                         .analysis = analysis,
                         .names = str_pool_new(arena),
                         .working = path_working(arena)};
    Status status = take_given(&commands, err);
    if (status == ST_OK) status = take_added(&commands, err);
    if (status != ST_OK) return status;
    if (options->build != NULL) {
        CompileDb *db = NULL;
        status = compile_db_load(arena, options->build, &db, err);
        if (status != ST_OK) return status;
        commands.chosen = db;
    }
    if (options->operands.len == 0 && commands.chosen != NULL) {
        status = plan_database(&commands, commands.chosen, err);
        if (status != ST_OK) return status;
    }
    for (uint32_t i = 0; i < jobs->len; i++) plan_one(&commands, jobs->items[i]);
    if (commands.assumed != 0)
        log_note("no compile_commands.json says how %u file%s compiled: assumed C++17 or C17 as "
                 "the name says, no macros, and headers where the project has them",
                 (unsigned)commands.assumed, commands.assumed == 1 ? " is" : "s are");
    *jobs = commands.jobs;
    return ST_OK;
}
