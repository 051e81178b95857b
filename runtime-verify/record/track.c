// SPDX-License-Identifier: MIT
// Follows calls from enter to exit: numbers them, decides which fail, records what they acquire.
#include "record/track.h"

#include "record/track_p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the program sees of a call that is made to fail, in the runtime and the driver alike.
enum { CODE_OUT_OF_MEMORY = 2, CODE_NOT_READY = 600, CODE_UNKNOWN = 999 };

Tracker *track_open(const TrackBackend *backend)
{
    Writer writer = {.by = backend->by,
                     .driver_version = backend->driver_version,
                     .runtime_version = backend->runtime_version};
    if (!writer_init(&writer)) return NULL;
    Arena *arena = arena_new("records");
    Tracker *tracker = ARENA_NEW(arena, Tracker);
    tracker->arena = arena;
    tracker->backend = *backend;
    tracker->writer = writer;
    tracker->stacks = (Stacks){.arena = arena, .writer = &tracker->writer};
    pthread_mutex_init(&tracker->lock, NULL);
    pthread_key_create(&tracker->thread_key, free);
    const char *calls = getenv("CUDALINT_RECORD_CALLS");
    tracker->records_calls = calls != NULL && strcmp(calls, "1") == 0;
    const char *fail = getenv("CUDALINT_FAIL");
    Err err = {.arena = arena};
    if (fail_parse(arena, fail != NULL ? fail : "", &tracker->fail, &err) != ST_OK)
        fprintf(stderr, "cudalint: error: CUDALINT_FAIL: %s\n", err.message);
    return tracker;
}

bool track_numbers_calls(const Tracker *tracker)
{
    return tracker->records_calls || fail_is_set(&tracker->fail);
}

ThreadState *track_thread(Tracker *tracker)
{
    ThreadState *state = pthread_getspecific(tracker->thread_key);
    if (state != NULL) return state;
    state = calloc(1, sizeof *state);
    if (state == NULL) abort();
    state->tid = atomic_fetch_add(&tracker->threads, 1) + 1;
    pthread_setspecific(tracker->thread_key, state);
    return state;
}

// An int may be a handle although it is 0: a bit that no int has makes it something.
#define INT_HANDLE (UINT64_C(1) << 32)

bool track_slot(const ApiEffect *effect, const TrackCall *call, uint64_t *value)
{
    if (effect->arg < 1 || (uint32_t)effect->arg > call->arg_count || effect->elements)
        return false;
    *value = call->args[effect->arg - 1];
    if (effect->pointee) {
        if (*value == 0) return false;
        memcpy(value, (const char *)(uintptr_t)*value + effect->offset, sizeof *value);
    }
    if (effect->is_int) *value = INT_HANDLE | (uint32_t)*value;
    return true;
}

// The handle that stands for each thread's own default stream.
#define STREAM_PER_THREAD 2

static bool read_stream(const TrackCall *call, uint64_t *stream)
{
    const ApiFunction *function = call->function;
    *stream = 0;
    if (function->stream_arg == MODEL_STREAM_DEFAULT) return true;
    if (function->stream_arg < 1) return false;
    if ((uint32_t)function->stream_arg > call->arg_count) return true; // left out: the default one
    *stream = call->args[function->stream_arg - 1];
    if (!function->stream_in_pointee) return true;
    if (*stream == 0) return false;
    memcpy(stream, (const char *)(uintptr_t)*stream + function->stream_offset, sizeof *stream);
    return true;
}

bool track_stream(const TrackCall *call, uint64_t *stream)
{
    bool has_stream = read_stream(call, stream);
    if (*stream == 0 && call->is_per_thread) *stream = STREAM_PER_THREAD;
    return has_stream;
}

void track_check_process(Tracker *tracker)
{
    if (!writer_is_foreign(&tracker->writer)) return;
    tracker->stacks = (Stacks){.arena = tracker->arena, .writer = &tracker->writer};
    tracker->launch_keys = (IdTable){0};
    atomic_store(&tracker->devices_described, 0);
}

void track_begin(Tracker *tracker, Line *line, const char *type, const TrackCall *call)
{
    line_begin(line, type);
    line_number(line, "n", (int64_t)call->n);
    line_number(line, "us", writer_now(&tracker->writer));
    line_number(line, "tid", track_thread(tracker)->tid);
    line_text(line, "fn", call->function->name);
    if (call->is_driver) line_text(line, "api", "driver");
    if (call->is_library) line_text(line, "api", "library");
    const TrackCall *library = track_thread(tracker)->library;
    if (library != NULL && library != call) line_number(line, "in", (int64_t)library->n);
}

void track_stack(Tracker *tracker, TrackCall *call)
{
    if (call->stack != 0) return;
    RawStack stack;
    stack_capture(&stack);
    pthread_mutex_lock(&tracker->lock);
    track_check_process(tracker);
    call->stack = stacks_intern(&tracker->stacks, &stack);
    pthread_mutex_unlock(&tracker->lock);
}

void track_put(Tracker *tracker, Line *line, const TrackCall *call)
{
    if (call->stack != 0) line_number(line, "stack", call->stack);
    writer_put(&tracker->writer, line);
}

// Is the call's place one of those that are to fail? That is where the innermost frame of a
// module that the ranges name returns to.
static bool comes_from(Tracker *tracker)
{
    if (tracker->fail.ranges.len == 0) return true;
    RawStack stack;
    stack_capture(&stack);
    bool is_in = false, is_decided = false;
    pthread_mutex_lock(&tracker->lock);
    track_check_process(tracker);
    for (uint32_t i = 0; i < stack.count && !is_decided; i++) {
        const Module *module = stacks_module(&tracker->stacks, stack.pcs[i]);
        for (uint32_t k = 0; module != NULL && k < tracker->fail.ranges.len; k++) {
            const FailRange *range = &tracker->fail.ranges.items[k];
            uint64_t address = stack.pcs[i] - module->bias;
            if (strcmp(range->module, module->name) != 0) continue;
            is_in |= address > range->low && address <= range->high;
        }
        is_decided = is_in;
    }
    pthread_mutex_unlock(&tracker->lock);
    return is_in;
}

static bool decide_to_fail(Tracker *tracker, const TrackCall *call)
{
    const FailSpec *fail = &tracker->fail;
    if (!fail_is_set(fail)) return false;
    if (fail->function == NULL) return call->k == fail->number;
    if (strcmp(fail->function, call->function->name) != 0 || !comes_from(tracker)) return false;
    uint64_t number = atomic_fetch_add(&tracker->failing_function_calls, 1) + 1;
    return fail->number == 0 || fail->number == number;
}

static void add_busy(Line *line, const BusyWork *busy, uint32_t count)
{
    if (count == 0) return;
    line_list_begin(line, "busy");
    for (uint32_t i = 0; i < count; i++) {
        line_open(line, '{');
        line_address(line, "stream", busy[i].stream);
        line_number(line, "n", (int64_t)busy[i].n);
        line_close(line, '{');
    }
    line_list_end(line);
}

static void record_call(Tracker *tracker, TrackCall *call)
{
    BusyWork busy[BUSY_MAX];
    uint64_t stream;
    uint32_t busy_count = track_busy_streams(tracker, busy);
    track_stack(tracker, call);
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_begin(tracker, &line, "call", call);
    if (call->k != 0) line_number(&line, "k", (int64_t)call->k);
    if (track_stream(call, &stream)) line_address(&line, "stream", stream);
    if (track_event_is_unrecorded(tracker, call)) line_text(&line, "event", "unrecorded");
    add_busy(&line, busy, busy_count);
    track_put(tracker, &line, call);
    pthread_mutex_unlock(&tracker->lock);
}

void track_enter(Tracker *tracker, TrackCall *call)
{
    const ApiFunction *function = call->function;
    call->n = atomic_fetch_add(&tracker->calls, 1) + 1;
    call->k = 0;
    call->stack = 0;
    call->fails = false;
    call->released = 0;
    call->queued = false;
    if (function->is_fallible) {
        call->k = atomic_fetch_add(&tracker->fallible_calls, 1) + 1;
        call->fails = decide_to_fail(tracker, call);
    }
    if (tracker->records_calls) record_call(tracker, call);
    track_uses(tracker, call);
    for (size_t i = 0; i < function->effect_count; i++) {
        const ApiEffect *effect = &function->effects[i];
        uint64_t handle;
        if (effect->kind == MODEL_RELEASE_ALL)
            track_reset(tracker, call);
        else if (effect->kind != MODEL_RELEASE && effect->kind != MODEL_DETACH)
            continue;
        else if (track_slot(effect, call, &handle) && !(handle == 0 && function->null_ok))
            track_release(tracker, call, effect, handle);
    }
}

// Describes a device the first time that it is used.
static void put_device(Tracker *tracker, int device)
{
    if (device < 0 || device > 63) return;
    uint64_t bit = UINT64_C(1) << device;
    if ((atomic_fetch_or(&tracker->devices_described, bit) & bit) != 0) return;
    char name[64] = "";
    uint64_t bytes = 0;
    tracker->backend.describe_device(tracker->backend.context, device, name, &bytes);
    Line line;
    line_begin(&line, "device");
    line_number(&line, "dev", device);
    line_text(&line, "name", name);
    line_number(&line, "bytes", (int64_t)bytes);
    pthread_mutex_lock(&tracker->lock);
    writer_put(&tracker->writer, &line);
    pthread_mutex_unlock(&tracker->lock);
}

// Another reference to what is live already. Locked.
static void count_reference(Tracker *tracker, Block *block)
{
    if (!api_resources[block->resource].is_counted) return;
    const Block *known = blocks_at(&tracker->blocks, block->space, block->handle);
    if (known != NULL && known->is_live && known->handle == block->handle)
        block->references = known->references + 1;
}

static void record_acquire(Tracker *tracker, TrackCall *call, Block *block, uint64_t bytes)
{
    track_stack(tracker, call);
    put_device(tracker, block->device);
    Line line;
    uint64_t stream;
    pthread_mutex_lock(&tracker->lock);
    count_reference(tracker, block);
    blocks_add(tracker->arena, &tracker->blocks, block);
    track_begin(tracker, &line, "acquire", call);
    line_text(&line, "res", api_resources[block->resource].name);
    line_address(&line, "h", block->handle);
    line_number(&line, "bytes", (int64_t)bytes);
    line_number(&line, "dev", block->device);
    if (track_stream(call, &stream)) line_address(&line, "stream", stream);
    track_put(tracker, &line, call);
    pthread_mutex_unlock(&tracker->lock);
}

static void acquire(Tracker *tracker, TrackCall *call, const ApiEffect *effect, uint64_t handle)
{
    const TrackBackend *backend = &tracker->backend;
    Block block = {.space = block_space(effect->resource),
                   .handle = handle,
                   .bytes = 1,
                   .n = call->n,
                   .resource = effect->resource,
                   .is_live = true};
    if (effect->kind == MODEL_BORROW) {
        // Lent memory is known only where nobody owns the address.
        pthread_mutex_lock(&tracker->lock);
        const Block *owner = blocks_at(&tracker->blocks, block.space, handle);
        if (owner == NULL || !owner->is_live) blocks_add(tracker->arena, &tracker->blocks, &block);
        pthread_mutex_unlock(&tracker->lock);
        return;
    }
    block.device = (int16_t)backend->current_device(backend->context);
    uint64_t bytes = backend->size_of(backend->context, effect->resource, handle), stream;
    if (block.space == 0 && bytes > 1) block.bytes = bytes;
    pthread_mutex_lock(&tracker->lock);
    if (block.space != 0 && effect->kind == MODEL_ACQUIRE) // what is attached to was there before
        track_handle_is_new(tracker, call, handle);
    if (call->queued && track_stream(call, &stream))
        block_use(&block, stream, call->n, track_stream_work(tracker, stream)->queued);
    pthread_mutex_unlock(&tracker->lock);
    record_acquire(tracker, call, &block, bytes);
}

static void record_error(Tracker *tracker, TrackCall *call, const char *type, int32_t code)
{
    track_stack(tracker, call);
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_begin(tracker, &line, type, call);
    if (type[0] == 'i') line_number(&line, "k", (int64_t)call->k);
    line_number(&line, "code", code);
    track_put(tracker, &line, call);
    pthread_mutex_unlock(&tracker->lock);
}

static bool is_acquisition(const ApiEffect *effect)
{
    return effect->kind == MODEL_ACQUIRE || effect->kind == MODEL_ATTACH;
}

// Nothing was done yet that could be undone.
static int32_t refuse(Tracker *tracker, TrackCall *call)
{
    int32_t code = call->function->out_of_memory;
    record_error(tracker, call, "inject", code);
    record_error(tracker, call, "error", code);
    return code;
}

// Takes back what the call did, as far as that can be done.
static int32_t undo(Tracker *tracker, TrackCall *call)
{
    const ApiFunction *function = call->function;
    int32_t code = CODE_UNKNOWN;
    for (size_t i = 0; i < function->effect_count; i++) {
        const ApiEffect *effect = &function->effects[i];
        uint64_t handle;
        if (!is_acquisition(effect) || !track_slot(effect, call, &handle)) continue;
        code = CODE_OUT_OF_MEMORY;
        if (handle != 0) tracker->backend.undo(tracker->backend.context, effect->resource, handle);
        if (!effect->pointee || !function->null_on_failure) continue;
        char *slot = (char *)(uintptr_t)call->args[effect->arg - 1];
        memset(slot + effect->offset, 0, sizeof handle);
    }
    record_error(tracker, call, "inject", code);
    record_error(tracker, call, "error", code);
    track_thread(tracker)->last_error = code;
    return code;
}

static int32_t see_last_error(Tracker *tracker, const TrackCall *call, int32_t result)
{
    ThreadState *thread = track_thread(tracker);
    if (result == 0) result = thread->last_error;
    if (call->function->last_error == MODEL_LAST_ERROR_TAKE) thread->last_error = 0;
    return result;
}

int32_t track_exit(Tracker *tracker, TrackCall *call, int32_t result)
{
    const ApiFunction *function = call->function;
    if (function->last_error != MODEL_LAST_ERROR_NONE) return see_last_error(tracker, call, result);
    if (!function->returns_status) result = 0;
    if (result != 0) {
        bool is_query =
            function->order == ORDER_QUERY_STREAM || function->order == ORDER_QUERY_EVENT;
        if (is_query && result == CODE_NOT_READY) return result; // an answer, not an error
        record_error(tracker, call, "error", result);
        track_release_failed(tracker, call);
        pthread_mutex_lock(&tracker->lock);
        track_graphs_after(tracker, call, true);
        pthread_mutex_unlock(&tracker->lock);
        return result;
    }
    if (call->fails) return call->is_library ? refuse(tracker, call) : undo(tracker, call);
    pthread_mutex_lock(&tracker->lock);
    track_order_after(tracker, call);
    track_graphs_after(tracker, call, false);
    pthread_mutex_unlock(&tracker->lock);
    for (size_t i = 0; i < function->effect_count; i++) {
        const ApiEffect *effect = &function->effects[i];
        uint64_t handle;
        if (!is_acquisition(effect) && effect->kind != MODEL_BORROW) continue;
        if (track_slot(effect, call, &handle) && handle != 0)
            acquire(tracker, call, effect, handle);
    }
    return result;
}

void track_unsupported(Tracker *tracker, const char *function)
{
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_check_process(tracker);
    line_begin(&line, "unsupported");
    line_number(&line, "us", writer_now(&tracker->writer));
    line_text(&line, "fn", function);
    writer_put(&tracker->writer, &line);
    pthread_mutex_unlock(&tracker->lock);
}

void track_end(Tracker *tracker)
{
    BusyWork busy[BUSY_MAX];
    uint32_t busy_count = 0;
    int32_t fault = 0;
    if (tracker->records_calls) {
        busy_count = track_busy_streams(tracker, busy);
        fault = tracker->backend.wait(tracker->backend.context);
    }
    Line line;
    pthread_mutex_lock(&tracker->lock);
    line_begin(&line, "end");
    line_number(&line, "us", writer_now(&tracker->writer));
    line_number(&line, "tid", track_thread(tracker)->tid);
    add_busy(&line, busy, busy_count);
    if (fault != 0) line_number(&line, "code", fault);
    line_number(&line, "calls", (int64_t)atomic_load(&tracker->calls));
    line_number(&line, "launches", (int64_t)atomic_load(&tracker->launches));
    writer_put(&tracker->writer, &line);
    pthread_mutex_unlock(&tracker->lock);
}

void track_close(Tracker *tracker)
{
    free(pthread_getspecific(tracker->thread_key));
    pthread_key_delete(tracker->thread_key);
    pthread_mutex_destroy(&tracker->lock);
    writer_close(&tracker->writer);
    arena_free(tracker->arena);
}
