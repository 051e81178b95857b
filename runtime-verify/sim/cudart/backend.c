// SPDX-License-Identifier: MIT
// What the tracker asks of the simulator.
#include "runtime.h"

#include <stdio.h>

static SimStream *stream_of(Runtime *runtime, uint64_t handle)
{
    Call call = {.runtime = runtime, .sim = runtime->sim, .thread = thread_get()};
    return call_stream(&call, (cudaStream_t)handle);
}

static bool stream_is_busy(void *context, uint64_t handle)
{
    Runtime *runtime = context;
    pthread_mutex_lock(&runtime->lock);
    const SimStream *stream = stream_of(runtime, handle);
    bool is_busy = stream && sim_stream_is_busy(runtime->sim, stream);
    pthread_mutex_unlock(&runtime->lock);
    return is_busy;
}

static int32_t wait(void *context)
{
    Runtime *runtime = context;
    pthread_mutex_lock(&runtime->lock);
    for (int device = 0; device < runtime->sim->device_count; device++)
        sim_wait_device(runtime->sim, device);
    int32_t fault = (int32_t)runtime->sim->fault;
    pthread_mutex_unlock(&runtime->lock);
    return fault;
}

static int current_device(void *context)
{
    (void)context;
    return thread_get()->device;
}

static void describe_device(void *context, int device, char name[static 64], uint64_t *bytes)
{
    const Runtime *runtime = context;
    snprintf(name, 64, "Simulated device %d", device);
    *bytes = runtime->sim->device_bytes;
}

static uint64_t size_of(void *context, uint16_t resource, uint64_t handle)
{
    Runtime *runtime = context;
    (void)resource;
    pthread_mutex_lock(&runtime->lock);
    const SimBlock *block = sim_memory_find(runtime->sim, handle);
    const Array *array = block ? NULL : array_find(runtime->sim, (cudaArray_const_t)handle);
    if (array) block = array->block;
    uint64_t size = block ? block->size : 0;
    pthread_mutex_unlock(&runtime->lock);
    return size;
}

static void end_object(Sim *sim, SimObject *object)
{
    SimHandle graph = 0;
    if (object->kind == SIM_MEMPOOL)
        sim_pool_delete(sim, (SimPool *)object);
    else if (object->kind == SIM_STREAM && ((SimStream *)object)->capture)
        sim_capture_end(sim, (SimStream *)object,
                        &graph); // what was acquired is the capture, not its stream
    else
        sim_object_delete(sim, object);
    SimGraph *captured = sim_object_find(sim, graph, SIM_GRAPH);
    if (captured) sim_object_delete(sim, captured);
}

static void undo(void *context, uint16_t resource, uint64_t handle)
{
    Runtime *runtime = context;
    (void)resource;
    pthread_mutex_lock(&runtime->lock);
    SimBlock *block = sim_memory_find(runtime->sim, handle);
    SimObject *object = NULL;
    HASH_FIND(hh, runtime->sim->objects, &handle, sizeof handle, object);
    if (block && block->space == SIM_POOL)
        sim_pool_free(runtime->sim, block, NULL);
    else if (block)
        sim_memory_release(runtime->sim, block);
    else if (object)
        end_object(runtime->sim, object);
    pthread_mutex_unlock(&runtime->lock);
}

Tracker *backend_open(Runtime *runtime)
{
    const TrackBackend backend = {.by = "simulator",
                                  .runtime_version = CUDART_VERSION,
                                  .driver_version = CUDART_VERSION,
                                  .stream_is_busy = stream_is_busy,
                                  .wait = wait,
                                  .current_device = current_device,
                                  .describe_device = describe_device,
                                  .size_of = size_of,
                                  .undo = undo,
                                  .context = runtime};
    return track_open(&backend);
}
