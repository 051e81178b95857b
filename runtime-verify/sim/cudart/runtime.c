// SPDX-License-Identifier: MIT
// The one Runtime of the process, made from the environment at first use, and what each thread has
// of its own.
//   CUDALINT_SIM_DEVICES  number of devices (1)
//   CUDALINT_SIM_MEMORY   memory of each, in MiB (143771)
//   CUDALINT_SIM_BUSY     so many queries in a row find unfinished work unfinished (1)
#define _GNU_SOURCE
#include "runtime.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static long setting(const char *name, long fallback, long most)
{
    const char *text = getenv(name);
    if (!text || !*text) return fallback;
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (*end == '\0' && value >= 0 && value <= most) return value;
    fprintf(stderr, "simulated CUDA runtime: %s=%s: a number from 0 to %ld is expected\n", name,
            text, most);
    exit(2);
}

static void start(Runtime *runtime)
{
    enum { DEVICES_MOST = 64, DEFAULT_MIB = 143771 };
    int devices = (int)setting("CUDALINT_SIM_DEVICES", 1, DEVICES_MOST);
    uint64_t mib = (uint64_t)setting("CUDALINT_SIM_MEMORY", DEFAULT_MIB, INT_MAX);
    int busy = (int)setting("CUDALINT_SIM_BUSY", 1, INT_MAX);
    runtime->sim = sim_new(devices, mib << 20, busy);
    size_t room = (size_t)devices + 1;
    runtime->peers = sim_allocate(room * room);
    runtime->pools = sim_allocate(room * sizeof *runtime->pools);
    runtime->default_pools = sim_allocate(room * sizeof *runtime->default_pools);
    runtime->primary_contexts = sim_allocate(room * sizeof *runtime->primary_contexts);
    for (int device = 0; device < devices; device++) {
        SimPool *pool = sim_pool_new(runtime->sim, device);
        pool->is_default = true;
        runtime->pools[device] = runtime->default_pools[device] = pool->object.handle;
    }
    runtime->tracker = backend_open(runtime);
    if (runtime->tracker) track_catch_crashes(runtime->tracker);
}

// Registered first, so run last: after the program's destructors.
static void end(void)
{
    const Runtime *runtime = runtime_get();
    if (runtime->tracker) track_end(runtime->tracker);
}

Runtime *runtime_get(void)
{
    // The interface that is simulated has no handle for itself, so this is where the process's
    // state is.
    static Runtime runtime = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
    pthread_mutex_lock(&runtime.lock);
    if (!runtime.sim) {
        start(&runtime);
        if (runtime.tracker) atexit(end);
    }
    pthread_mutex_unlock(&runtime.lock);
    return &runtime;
}

const LibraryRecorder *cudalint_library_recorder(void)
{
    static LibraryRecorder recorder = {.enter = track_library_enter, .leave = track_library_leave};
    Runtime *runtime = runtime_get();
    pthread_mutex_lock(&runtime->lock);
    recorder.tracker = runtime->tracker;
    pthread_mutex_unlock(&runtime->lock);
    return recorder.tracker != NULL ? &recorder : NULL;
}

Thread *thread_get(void)
{
    static _Thread_local Thread thread;
    return &thread;
}

SimStream *runtime_per_thread_stream(Runtime *runtime, Thread *thread)
{
    Sim *sim = runtime->sim;
    if (!thread->streams)
        thread->streams = sim_allocate((size_t)sim->device_count * sizeof *thread->streams);
    SimHandle *handle = &thread->streams[thread->device];
    SimStream *stream = sim_object_find(sim, *handle, SIM_STREAM);
    if (stream) return stream;
    stream = sim_stream_new(sim, thread->device, true);
    *handle = stream->object.handle;
    return stream;
}

uint64_t runtime_stream_handle(const Thread *thread, const SimStream *stream)
{
    if (stream->is_legacy) return 0;
    bool is_per_thread =
        thread->streams && thread->streams[thread->device] == stream->object.handle;
    return is_per_thread ? WORD(cudaStreamPerThread) : stream->object.handle;
}

SimStream *call_stream(Call *call, cudaStream_t handle)
{
    if (!handle || handle == cudaStreamLegacy) return call->sim->legacy[call->thread->device];
    if (handle == cudaStreamPerThread)
        return runtime_per_thread_stream(call->runtime, call->thread);
    SimStream *stream = sim_object_find(call->sim, WORD(handle), SIM_STREAM);
    if (!stream) call->error = SIM_INVALID_HANDLE;
    return stream;
}

bool call_may_wait(Call *call)
{
    if (call->thread->capture_mode == cudaStreamCaptureModeRelaxed) return true;
    for (size_t i = 0; i < call->sim->stream_count; i++) {
        SimGraph *graph = sim_object_find(call->sim, call->sim->streams[i]->capture, SIM_GRAPH);
        if (!graph || graph->is_relaxed) continue;
        graph->is_invalid = true;
        call->error = SIM_CAPTURE_UNSUPPORTED;
        return false;
    }
    return true;
}
