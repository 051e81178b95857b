// SPDX-License-Identifier: MIT
// The frame around every call: the lock, errors that stay, the last error of the thread, and the
// records. The tracker is told of a call outside the lock, because it asks back.
#include "runtime.h"

#include <stdio.h>
#include <string.h>

static SimError error_before(const Runtime *runtime)
{
    if (runtime->sim->device_count == 0) return (SimError)cudaErrorNoDevice;
    return runtime->sim->fault;
}

static bool is_driver(const char *function)
{
    return strncmp(function, "cuda", strlen("cuda")) != 0;
}

static void enter(Tracker *tracker, TrackCall *track, const char *function, const uint64_t *args,
                  size_t count)
{
    track->function = api_find(function, (int)count);
    if (!track->function || count > TRACK_MAX_ARGS) {
        track->function = NULL;
        return;
    }
    if (count > 0) memcpy(track->args, args + 1, count * sizeof *args);
    track->arg_count = (uint32_t)count;
    track->is_driver = is_driver(function);
    track->is_per_thread = strstr(function, "_ptsz") != NULL || strstr(function, "_ptds") != NULL;
    track_enter(tracker, track);
}

Call call_begin(const char *function, const uint64_t *args, size_t count)
{
    Runtime *runtime = runtime_get();
    Call call = {.runtime = runtime, .sim = runtime->sim, .thread = thread_get()};
    // What the driver API does by functions of the runtime is one call.
    bool is_outermost = call.thread->driver_depth == 0;
    if (runtime->tracker && is_outermost)
        enter(runtime->tracker, &call.track, function, args, count);
    pthread_mutex_lock(&runtime->lock);
    if (is_outermost && !is_driver(function)) driver_use_primary(&call);
    call.error = error_before(runtime);
    call.runs = call.error == SIM_OK;
    return call;
}

// What the program sees: the tracker may have made the call fail.
static cudaError_t leave(Call *call)
{
    pthread_mutex_unlock(&call->runtime->lock);
    if (!call->track.function) return (cudaError_t)call->error;
    return (cudaError_t)track_exit(call->runtime->tracker, &call->track, (int32_t)call->error);
}

cudaError_t call_end(Call *call)
{
    // Work that faulted while this call waited is this call's error.
    if (call->error == SIM_OK) call->error = call->sim->fault;
    cudaError_t error = leave(call);
    if (error) call->thread->last_error = error;
    return error;
}

cudaError_t call_end_with_last_error(Call *call, bool clears)
{
    call->error = call->sim->fault ? call->sim->fault : (SimError)call->thread->last_error;
    if (clears) call->thread->last_error = cudaSuccess;
    return leave(call);
}

cudaError_t call_not_simulated(const char *function)
{
    Runtime *runtime = runtime_get();
    if (runtime->tracker) track_unsupported(runtime->tracker, function);
    fprintf(stderr, "simulated CUDA runtime: %s is not simulated: it fails\n", function);
    thread_get()->last_error = cudaErrorNotSupported;
    return cudaErrorNotSupported;
}

void call_launch(Call *call, const KernelLaunch *launch, const SimStream *stream)
{
    if (!call->track.function) return;
    uint64_t handle = runtime_stream_handle(call->thread, stream);
    track_launch(call->runtime->tracker, &call->track, launch->kernel->name, handle, launch->words,
                 launch->word_count);
}
