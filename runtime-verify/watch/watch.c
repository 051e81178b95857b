// SPDX-License-Identifier: MIT
// `cudalint watch`: runs the program under the recorder, tells what was wrong; once, or once for
// each call that can fail.
#include "watch/watch.h"

#include "base/log.h"
#include "launch/fail_place.h"
#include "launch/number.h"
#include "watch/watch_p.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *page, *json;
    const char *fail;
    uint32_t timeout_s;
    bool walks_errors, walks_calls, simulated, help;
    char **program;
} WatchOptions;

static void print_help(void)
{
    puts(
        "usage: cudalint watch [OPTIONS] -- PROGRAM ARGS...\n"
        "\n"
        "Runs PROGRAM and reports the GPU resources that it did not release, by call site, and "
        "the\n"
        "ones that it released wrongly, twice, or used afterwards. PROGRAM needs no change; built\n"
        "with -g it gives lines. Handles of cuBLAS, cuFFT, cuDNN, NCCL, ... are seen where these\n"
        "are shared libraries. Exit code: 0 nothing wrong, 1 something, 2 it could not look.\n"
        "\n"
        "  --html FILE        write a page with stacks and memory over time\n"
        "  --fail WHICH       make calls fail: K (the K-th that can), FUNCTION, FUNCTION:K or\n"
        "                     FUNCTION@FILE:LINE\n"
        "  --json FILE        write what leaked, one line each\n"
        "  --errors           run once more for each place that makes a call that can fail, with\n"
        "                     that call failing; --errors=calls: for each call\n"
        "  --timeout SECONDS  end a run after so long (with --errors: 60)\n"
        "  --simulated        on the simulated runtime; PROGRAM must use the shared runtime\n"
        "                     library (nvcc -cudart shared)\n"
        "  -h, --help         print this text");
}

static bool parse(int argc, char **argv, WatchOptions *options)
{
    static const struct option table[] = {
        {"html", required_argument, NULL, 'H'},    {"fail", required_argument, NULL, 'F'},
        {"json", required_argument, NULL, 'J'},    {"errors", optional_argument, NULL, 'E'},
        {"timeout", required_argument, NULL, 'T'}, {"simulated", no_argument, NULL, 'S'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    *options = (WatchOptions){0};
    for (int option; (option = getopt_long(argc, argv, "+h", table, NULL)) != -1;) {
        if (option == 'H') options->page = optarg;
        if (option == 'F') options->fail = optarg;
        if (option == 'J') options->json = optarg;
        if (option == 'E') options->walks_errors = true;
        if (option == 'E' && optarg != NULL) {
            options->walks_calls = strcmp(optarg, "calls") == 0;
            if (!options->walks_calls && strcmp(optarg, "places") != 0) {
                log_error("watch: --errors=%s: 'places' or 'calls' is expected", optarg);
                return false;
            }
        }
        if (option == 'T' && !number_option("watch", "--timeout", optarg, &options->timeout_s))
            return false;
        if (option == 'S') options->simulated = true;
        if (option == 'h') options->help = true;
        if (option == '?') return false;
    }
    options->program = argv + optind;
    if (options->help || options->program[0] != NULL) return true;
    log_error("watch: which program? cudalint watch -- PROGRAM ARGS...");
    return false;
}

// One run and what it showed.
typedef struct {
    LaunchResult result;
    WatchedList list;
} Run;

typedef struct {
    Reading reading;
    Recorder recorder;
    const WatchOptions *options;
    Err *err;
} Watch;

// How the program is run.
typedef struct {
    const char *fail;   // or NULL
    bool records_calls; // each one
    bool is_quiet;      // what the program prints is nobody's concern
} Way;

#define WALK_TIMEOUT_S 60

static Status run_once(const Watch *watch, Way way, Run *run)
{
    Arena *arena = watch->reading.arena;
    bool has_limit = watch->options->timeout_s != 0 || !watch->options->walks_errors;
    LaunchRequest request = {.argv = (const char *const *)watch->options->program,
                             .fail = way.fail,
                             .records_calls = way.records_calls,
                             .output = way.is_quiet ? "/dev/null" : NULL,
                             .timeout_s = has_limit ? watch->options->timeout_s : WALK_TIMEOUT_S};
    *run = (Run){0};
    Status status = folder_make(arena, &request.records, watch->err);
    if (status != ST_OK) return status;
    RecordingList *recordings = ARENA_NEW(arena, RecordingList);
    status = launch_run(&watch->recorder, &request, &run->result, watch->err);
    if (status == ST_OK)
        status = recording_read_folder(arena, watch->reading.strings, request.records, recordings,
                                       watch->err);
    for (uint32_t i = 0; status == ST_OK && i < recordings->len; i++) {
        Watched watched = {.story =
                               story_tell(arena, watch->reading.symbols, &recordings->items[i])};
        watched.leaks = leaks_by_site(arena, &watched.story);
        vec_push(arena, &run->list, watched);
    }
    folder_remove(request.records);
    return status;
}

static int no_records(const Watch *watch, const Run *run)
{
    Err reason = {.arena = watch->reading.arena};
    uint32_t devices;
    const char *why = "it made no CUDA call";
    if (watch->recorder.simulator != NULL)
        why = "it made no CUDA call, or was not built with 'nvcc -cudart shared'";
    else if (gpu_probe(&devices, &reason) != ST_OK)
        why = reason.message;
    log_error("watch: nothing was recorded of %s (%s): %s", watch->options->program[0],
              launch_result_text(watch->reading.arena, &run->result), why);
    return 2;
}

static bool write_file(const Watch *watch, const char *path, const Run *run, bool is_page)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        log_error("watch: cannot write '%s'", path);
        return false;
    }
    if (is_page)
        watch_print_page(out, &watch->reading, &run->list, watch->options->program[0]);
    else
        watch_print_json(out, &watch->reading, &run->list);
    bool is_whole = ferror(out) == 0;
    is_whole = fclose(out) == 0 && is_whole;
    if (!is_whole) log_error("watch: cannot write '%s'", path);
    return is_whole;
}

static bool write_files(const Watch *watch, const Run *run)
{
    const WatchOptions *options = watch->options;
    return (options->page == NULL || write_file(watch, options->page, run, true)) &&
           (options->json == NULL || write_file(watch, options->json, run, false));
}

static const Record *first_injection(const WatchedList *list, const Recording **recording)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->items[i].story.injected.len == 0) continue;
        *recording = list->items[i].story.recording;
        return list->items[i].story.injected.items[0];
    }
    return NULL;
}

static bool has_crash(const WatchedList *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->items[i].story.crash != NULL) return true;
    }
    return false;
}

// Is it the first fallible call of its function with that stack?
static bool is_new_place(const Recording *recording, uint32_t at)
{
    const Record *call = &recording->records.items[at];
    for (uint32_t i = 0; i < at; i++) {
        const Record *other = &recording->records.items[i];
        if (other->type == RECORD_CALL && other->k != 0 && other->stack == call->stack &&
            strcmp(other->function, call->function) == 0)
            return false;
    }
    return true;
}

typedef Vec(uint64_t) CallNumbers;

// The fallible calls that are worth a run: each, or one for each place. Of the process that made the most of them.
static CallNumbers list_calls(const Watch *watch, const WatchedList *list)
{
    CallNumbers all = {0};
    for (uint32_t p = 0; p < list->len; p++) {
        const Recording *recording = list->items[p].story.recording;
        CallNumbers own = {0};
        for (uint32_t i = 0; i < recording->records.len; i++) {
            const Record *record = &recording->records.items[i];
            if (record->type != RECORD_CALL || record->k == 0) continue;
            if (watch->options->walks_calls || is_new_place(recording, i))
                vec_push(watch->reading.arena, &own, record->k);
        }
        if (own.len > all.len) all = own;
    }
    return all;
}

// Makes one call fail and tells what that showed. Returns 1 if something was wrong, 0 if not; -1 when it could not run.
static int walk_one(const Watch *watch, uint64_t k)
{
    Run run;
    Way way = {.fail = arena_printf(watch->reading.arena, "%" PRIu64, k), .is_quiet = true};
    if (run_once(watch, way, &run) != ST_OK) return -1;
    const Recording *recording = NULL;
    const Record *injection = first_injection(&run.list, &recording);
    if (injection == NULL) {
        printf("== call %" PRIu64 ": this run did not come there: %s\n", k,
               launch_result_text(watch->reading.arena, &run.result));
        return 0;
    }
    uint32_t leaks = watched_count_leaks(&run.list), misuses = watched_count_misuses(&run.list);
    bool is_bad = leaks + misuses != 0 || has_crash(&run.list) || run.result.timed_out;
    printf("== call %" PRIu64 " fails: %s at %s: %s, %" PRIu32 " leaks, %" PRIu32 " wrong\n", k,
           injection->function, place_text(&watch->reading, recording, injection),
           launch_result_text(watch->reading.arena, &run.result), leaks, misuses);
    if (is_bad) watch_print(stdout, &watch->reading, &run.list);
    return is_bad;
}

// Fails call after call. Returns how many of these paths showed something wrong; -1 when it could not.
static int walk_errors(const Watch *watch, const Run *plain)
{
    int wrong = 0;
    CallNumbers calls = list_calls(watch, &plain->list);
    for (uint32_t i = 0; i < calls.len; i++) {
        int result = walk_one(watch, calls.items[i]);
        if (result < 0) return -1;
        wrong += result;
    }
    printf("cudalint watch: %" PRIu32
           " calls were made to fail, one a run: %d runs showed something wrong\n",
           calls.len, wrong);
    return wrong;
}

static int watch_program(const Watch *watch, const char *fail)
{
    Run run;
    Way way = {.fail = fail, .records_calls = watch->options->walks_errors};
    if (run_once(watch, way, &run) != ST_OK) {
        log_error("watch: %s", watch->err->message);
        return 2;
    }
    if (run.list.len == 0) return no_records(watch, &run);
    uint32_t leaks = watched_count_leaks(&run.list), misuses = watched_count_misuses(&run.list);
    watch_print(stdout, &watch->reading, &run.list);
    printf("cudalint watch: %" PRIu32 " leaked, %" PRIu32 " released or used wrongly; %s: %s\n",
           leaks, misuses, watch->options->program[0],
           launch_result_text(watch->reading.arena, &run.result));
    if (!write_files(watch, &run)) return 2;
    int wrong = watch->options->walks_errors ? walk_errors(watch, &run) : 0;
    if (wrong < 0) {
        log_error("watch: %s", watch->err->message);
        return 2;
    }
    bool is_bad =
        leaks + misuses != 0 || wrong != 0 || has_crash(&run.list) || run.result.timed_out;
    return is_bad ? 1 : 0;
}

int watch_main(Arena *arena, int argc, char **argv)
{
    WatchOptions options;
    Err err = {.arena = arena};
    if (!parse(argc, argv, &options)) return 2;
    if (options.help) return print_help(), 0;
    StrPool *strings = str_pool_new(arena);
    Watch watch = {
        .reading = {arena, strings, symbols_new(arena, strings)}, .options = &options, .err = &err};
    const char *fail = options.fail;
    Status status = recorder_find(arena, options.simulated, &watch.recorder, &err);
    if (status == ST_OK && fail != NULL)
        status = fail_resolve(arena, watch.reading.symbols, options.program[0], &fail, &err);
    if (status != ST_OK) {
        log_error("watch: %s", err.message);
        return 2;
    }
    return watch_program(&watch, fail);
}
