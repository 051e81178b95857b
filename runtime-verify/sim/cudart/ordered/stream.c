// SPDX-License-Identifier: MIT
// What is done on or with a stream that may be the default stream. Compiled twice: runtime.h.
#include "../runtime.h"

#include <stdlib.h>

static SimError synchronize(Call *call, SimStream *stream)
{
    if (!stream) return call->error;
    if (stream->capture || (stream->is_legacy && !call_may_wait(call))) {
        SimGraph *graph = sim_object_find(call->sim, stream->capture, SIM_GRAPH);
        if (graph) graph->is_invalid = true;
        return SIM_CAPTURE_UNSUPPORTED;
    }
    sim_wait_stream(call->sim, stream);
    return SIM_OK;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    Call call = CALL(WORD(handle));
    if (call.runs) call.error = synchronize(&call, STREAM_OF(&call, handle));
    return call_end(&call);
}

cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    Call call = CALL(WORD(handle));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream) call.error = sim_stream_query(call.sim, stream);
    return call_end(&call);
}

static SimEvent *event_of(Call *call, cudaEvent_t handle)
{
    SimEvent *event = sim_object_find(call->sim, WORD(handle), SIM_EVENT);
    if (!event) call->error = SIM_INVALID_HANDLE;
    return event;
}

static SimError record(Call *call, cudaEvent_t handle, SimStream *stream)
{
    SimEvent *event = stream ? event_of(call, handle) : NULL;
    return event ? sim_event_record(call->sim, event, stream) : call->error;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    Call call = CALL(WORD(event), WORD(stream));
    if (call.runs) call.error = record(&call, event, STREAM_OF(&call, stream));
    return call_end(&call);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    Call call = CALL(WORD(event), WORD(stream), flags);
    if (call.runs) call.error = record(&call, event, STREAM_OF(&call, stream));
    return call_end(&call);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags)
{
    Call call = CALL(WORD(handle), WORD(event_handle), flags);
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    const SimEvent *event = stream ? event_of(&call, event_handle) : NULL;
    if (event) call.error = sim_stream_wait_event(call.sim, stream, event);
    return call_end(&call);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data)
{
    Call call = CALL(WORD(handle), WORD(function), WORD(data));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream && !function)
        call.error = SIM_INVALID_VALUE;
    else if (stream) {
        SimWork *work = sim_work_new(SIM_WORK_HOST);
        work->host_function = function;
        work->host_data = data;
        sim_work_queue(call.sim, stream, work);
    }
    return call_end(&call);
}

typedef struct {
    cudaStream_t stream;
    cudaStreamCallback_t callback;
    void *data;
} StreamCallback;

static void run_callback(void *data)
{
    StreamCallback *callback = data;
    callback->callback(callback->stream, cudaSuccess, callback->data);
    free(callback);
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void *data,
                                  unsigned flags)
{
    Call call = CALL(WORD(handle), WORD(function), WORD(data), flags);
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream && (!function || flags))
        call.error = SIM_INVALID_VALUE;
    else if (stream && stream->capture)
        call.error = SIM_CAPTURE_UNSUPPORTED;
    else if (stream) {
        StreamCallback *callback = sim_allocate(sizeof *callback);
        *callback = (StreamCallback){.stream = handle, .callback = function, .data = data};
        SimWork *work = sim_work_new(SIM_WORK_HOST);
        work->host_function = run_callback;
        work->host_data = callback;
        sim_work_queue(call.sim, stream, work);
    }
    return call_end(&call);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *memory, size_t length,
                                     unsigned flags)
{
    Call call = CALL(WORD(handle), WORD(memory), length, flags);
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    const SimBlock *block = stream ? sim_memory_find(call.sim, WORD(memory)) : NULL;
    if (stream && (!block || block->space != SIM_MANAGED))
        call.error = SIM_INVALID_VALUE;
    else if (stream)
        sim_work_queue(call.sim, stream, sim_work_new(SIM_WORK_MARK));
    return call_end(&call);
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t handle)
{
    Call call = CALL(WORD(memory), size, WORD(&location), flags, WORD(handle));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    const SimBlock *block = stream ? sim_memory_find(call.sim, WORD(memory)) : NULL;
    if (stream && (!block || block->space != SIM_MANAGED))
        call.error = SIM_INVALID_VALUE;
    else if (stream)
        sim_work_queue(call.sim, stream, sim_work_new(SIM_WORK_MARK));
    return call_end(&call);
}

// ---- asking about a stream ----

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    Call call = CALL(WORD(handle), WORD(flags));
    const SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream) *flags = stream->flags;
    return call_end(&call);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    Call call = CALL(WORD(handle), WORD(priority));
    const SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream) *priority = stream->priority;
    return call_end(&call);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    Call call = CALL(WORD(handle), WORD(device));
    const SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream) *device = stream->object.device;
    return call_end(&call);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    Call call = CALL(WORD(handle), WORD(id));
    const SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream) *id = stream->object.handle;
    return call_end(&call);
}
