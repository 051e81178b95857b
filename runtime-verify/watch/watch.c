// SPDX-License-Identifier: MIT
// `cudalint watch`: runs the program under the recorder, tells what was wrong; once, or once for
// each call that can fail.
#include "watch/watch.h"

#include "base/log.h"
#include "launch/fail_place.h"
#include "watch/watch_p.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *page;
    const char *fail;
    uint32_t timeout_s;
    bool walks_errors, simulated, help;
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
        "with -g it gives lines. Exit code: 0 nothing wrong, 1 something, 2 it could not look.\n"
        "\n"
        "  --html FILE        write a page with stacks and memory over time\n"
        "  --fail WHICH       make calls fail: K (the K-th that can), FUNCTION, FUNCTION:K or\n"
        "                     FUNCTION@FILE:LINE\n"
        "  --errors           run once more for each call that can fail, with that one failing\n"
        "  --timeout SECONDS  end a run after so long\n"
        "  --simulated        on the simulated runtime; PROGRAM must use the shared runtime\n"
        "                     library (nvcc -cudart shared)\n"
        "  -h, --help         print this text");
}

static bool parse(int argc, char **argv, WatchOptions *options)
{
    static const struct option table[] = {
        {"html", required_argument, NULL, 'H'},
        {"fail", required_argument, NULL, 'F'},
        {"errors", no_argument, NULL, 'E'},
        {"timeout", required_argument, NULL, 'T'},
        {"simulated", no_argument, NULL, 'S'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (WatchOptions){0};
    for (int option; (option = getopt_long(argc, argv, "+h", table, NULL)) != -1;) {
        if (option == 'H') options->page = optarg;
        if (option == 'F') options->fail = optarg;
        if (option == 'E') options->walks_errors = true;
        if (option == 'T') options->timeout_s = (uint32_t)strtoul(optarg, NULL, 10);
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

static Status run_once(const Watch *watch, const char *fail, bool records_calls, Run *run)
{
    Arena *arena = watch->reading.arena;
    LaunchRequest request = {.argv = (const char *const *)watch->options->program,
                             .fail = fail,
                             .records_calls = records_calls,
                             .timeout_s = watch->options->timeout_s};
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
    log_error("watch: nothing was recorded: %s made no CUDA call (%s)", watch->options->program[0],
              launch_result_text(watch->reading.arena, &run->result));
    if (watch->recorder.simulator == NULL && gpu_probe(&reason) != ST_OK)
        log_error("watch: %s", reason.message);
    return 2;
}

static bool write_page(const Watch *watch, const Run *run)
{
    const char *path = watch->options->page;
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        log_error("watch: cannot write '%s'", path);
        return false;
    }
    watch_print_page(out, &watch->reading, &run->list, watch->options->program[0]);
    bool is_whole = ferror(out) == 0;
    return fclose(out) == 0 && is_whole;
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

// Fails each call in turn. Returns how many paths showed something wrong; -1 when it could not.
static int walk_errors(const Watch *watch)
{
    int wrong = 0;
    for (uint64_t k = 1;; k++) {
        Run run;
        const char *fail = arena_printf(watch->reading.arena, "%" PRIu64, k);
        if (run_once(watch, fail, false, &run) != ST_OK) return -1;
        const Recording *recording = NULL;
        const Record *injection = first_injection(&run.list, &recording);
        if (injection == NULL) break; // there are no more calls
        uint32_t leaks = watched_count_leaks(&run.list), misuses = watched_count_misuses(&run.list);
        bool is_bad = leaks + misuses != 0 || has_crash(&run.list);
        printf("== call %" PRIu64 " fails: %s at %s: %s, %" PRIu32 " leaks, %" PRIu32 " wrong\n", k,
               injection->function, place_text(&watch->reading, recording, injection),
               launch_result_text(watch->reading.arena, &run.result), leaks, misuses);
        if (is_bad) watch_print(stdout, &watch->reading, &run.list);
        wrong += is_bad;
    }
    return wrong;
}

static int watch_program(const Watch *watch, const char *fail)
{
    Run run;
    if (run_once(watch, fail, false, &run) != ST_OK) {
        log_error("watch: %s", watch->err->message);
        return 2;
    }
    if (run.list.len == 0) return no_records(watch, &run);
    uint32_t leaks = watched_count_leaks(&run.list), misuses = watched_count_misuses(&run.list);
    watch_print(stdout, &watch->reading, &run.list);
    printf("cudalint watch: %" PRIu32 " leaked, %" PRIu32 " released or used wrongly; %s: %s\n",
           leaks, misuses, watch->options->program[0],
           launch_result_text(watch->reading.arena, &run.result));
    if (watch->options->page != NULL && !write_page(watch, &run)) return 2;
    int wrong = watch->options->walks_errors ? walk_errors(watch) : 0;
    if (wrong < 0) {
        log_error("watch: %s", watch->err->message);
        return 2;
    }
    return leaks + misuses != 0 || wrong != 0 || has_crash(&run.list) ? 1 : 0;
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
