// SPDX-License-Identifier: MIT
// A tracker whose other side is no GPU, for tests from calls to verdicts.
#ifndef RUNTIME_VERIFY_TESTS_BENCH_H
#define RUNTIME_VERIFY_TESTS_BENCH_H

#include "launch/launch.h"
#include "record/track.h"
#include "verify/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What the pretended device did when it was asked.
typedef struct {
    bool is_busy;
    uint64_t undone;
    int32_t fault; // of a kernel
} Device;

typedef struct {
    Arena *arena;
    StrPool *strings;
    Symbols *symbols;
    const char *folder;
    Device device;
    Tracker *tracker;
    RecordingList recordings;
} Bench;

static inline bool is_busy(void *context, uint64_t stream)
{
    (void)stream;
    return ((Device *)context)->is_busy;
}

static inline int current_device(void *context)
{
    (void)context;
    return 0;
}

static inline int32_t wait_for_all(void *context)
{
    return ((Device *)context)->fault;
}

static inline void describe(void *context, int device, char name[static 64], uint64_t *bytes)
{
    (void)context;
    (void)device;
    strcpy(name, "no device");
    *bytes = 1 << 20;
}

static inline uint64_t size_of(void *context, uint16_t resource, uint64_t handle)
{
    (void)context;
    (void)handle;
    return api_resources[resource].is_memory ? 256 : 0;
}

static inline void undo(void *context, uint16_t resource, uint64_t handle)
{
    (void)resource;
    ((Device *)context)->undone = handle;
}

static inline void open_tracker(Bench *bench, const char *fail)
{
    TrackBackend backend = {.by = "test",
                            .stream_is_busy = is_busy,
                            .wait = wait_for_all,
                            .current_device = current_device,
                            .describe_device = describe,
                            .size_of = size_of,
                            .undo = undo,
                            .context = &bench->device};
    setenv("CUDALINT_RECORDS", bench->folder, 1);
    if (fail != NULL)
        setenv("CUDALINT_FAIL", fail, 1);
    else
        unsetenv("CUDALINT_FAIL");
    bench->tracker = track_open(&backend);
    assert_non_null(bench->tracker);
}

static inline int make_bench(void **state)
{
    Arena *arena = arena_new("test");
    Bench *bench = ARENA_NEW(arena, Bench);
    Err err = {.arena = arena};
    bench->arena = arena;
    bench->strings = str_pool_new(arena);
    bench->symbols = symbols_new(arena, bench->strings);
    if (folder_make(arena, &bench->folder, &err) != ST_OK) return -1;
    *state = bench;
    return 0;
}

static inline int drop_bench(void **state)
{
    Bench *bench = *state;
    if (bench->tracker != NULL) track_close(bench->tracker);
    folder_remove(bench->folder);
    arena_free(bench->arena);
    return 0;
}

// A call with up to four arguments; `handle` is what it stores through the first, if it acquires.
static inline int call(Bench *bench, const char *name, const uint64_t args[4], uint32_t count,
                       uint64_t handle, int result)
{
    TrackCall call = {.function = api_find(name, (int)count), .arg_count = count};
    assert_non_null(call.function);
    memcpy(call.args, args, 4 * sizeof *args);
    track_enter(bench->tracker, &call);
    if (handle != 0) memcpy((void *)(uintptr_t)args[0], &handle, sizeof handle);
    return track_exit(bench->tracker, &call, result);
}

static inline int acquire(Bench *bench, const char *name, uint64_t *slot, uint64_t handle)
{
    return call(bench, name, (uint64_t[4]){(uint64_t)(uintptr_t)slot, 256}, 2, handle, 0);
}

static inline int release(Bench *bench, const char *name, uint64_t handle, int result)
{
    return call(bench, name, (uint64_t[4]){handle}, 1, 0, result);
}

static inline Trial finish(Bench *bench)
{
    Err err = {.arena = bench->arena};
    track_end(bench->tracker);
    assert_int_equal(recording_read_folder(bench->arena, bench->strings, bench->folder,
                                           &bench->recordings, &err),
                     ST_OK);
    assert_int_equal(bench->recordings.len, 1);
    assert_int_equal(bench->recordings.items[0].unreadable, 0);
    assert_true(bench->recordings.items[0].has_end);
    return trial_new(bench->arena, bench->symbols, &bench->recordings.items[0]);
}

static inline CheckedFinding finding_at(const char *rule, const char *file, int acquired, int line)
{
    return (CheckedFinding){
        .rule = rule, .file = file, .line = line, .acquired_file = file, .acquired_line = acquired};
}

#endif
