// SPDX-License-Identifier: MIT
// Streams and events, apart from what may concern the default stream: making and ending them, and
// waiting for events.
#include "runtime.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static SimError create_stream(Call *call, cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || flags & ~(unsigned)cudaStreamNonBlocking) return SIM_INVALID_VALUE;
    SimStream *stream =
        sim_stream_new(call->sim, call->thread->device, !(flags & cudaStreamNonBlocking));
    stream->flags = flags;
    if (priority > LEAST_PRIORITY) priority = LEAST_PRIORITY;
    stream->priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    *out = (cudaStream_t)stream->object.handle;
    return SIM_OK;
}

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    Call call = CALL(WORD(out));
    if (call.runs) call.error = create_stream(&call, out, 0, 0);
    return call_end(&call);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    Call call = CALL(WORD(out), flags);
    if (call.runs) call.error = create_stream(&call, out, flags, 0);
    return call_end(&call);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    Call call = CALL(WORD(out), flags, WORD(priority));
    if (call.runs) call.error = create_stream(&call, out, flags, priority);
    return call_end(&call);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    Call call = CALL(WORD(least), WORD(greatest));
    if (call.runs && least) *least = LEAST_PRIORITY;
    if (call.runs && greatest) *greatest = GREATEST_PRIORITY;
    return call_end(&call);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    Call call = CALL(WORD(handle));
    SimStream *stream = call.runs ? sim_object_find(call.sim, WORD(handle), SIM_STREAM) : NULL;
    if (stream && !stream->is_legacy)
        sim_object_delete(call.sim, stream);
    else if (call.runs)
        call.error = SIM_INVALID_HANDLE;
    return call_end(&call);
}

// ---- events ----

static SimError create_event(Call *call, cudaEvent_t *out, unsigned flags)
{
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || flags & ~known) return SIM_INVALID_VALUE;
    *out = (cudaEvent_t)sim_event_new(call->sim, call->thread->device, flags)->object.handle;
    return SIM_OK;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    Call call = CALL(WORD(out));
    if (call.runs) call.error = create_event(&call, out, 0);
    return call_end(&call);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    Call call = CALL(WORD(out), flags);
    if (call.runs) call.error = create_event(&call, out, flags);
    return call_end(&call);
}

static SimEvent *event_of(Call *call, cudaEvent_t handle)
{
    SimEvent *event = call->runs ? sim_object_find(call->sim, WORD(handle), SIM_EVENT) : NULL;
    if (call->runs && !event) call->error = SIM_INVALID_HANDLE;
    return event;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    Call call = CALL(WORD(handle));
    SimEvent *event = event_of(&call, handle);
    if (event) sim_object_delete(call.sim, event);
    return call_end(&call);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
    Call call = CALL(WORD(handle));
    SimEvent *event = event_of(&call, handle);
    if (event && event->capture)
        call.error = sim_capture_invalidate(call.sim, event->capture, SIM_CAPTURED_EVENT);
    else if (event)
        sim_wait_work(call.sim, event->work);
    return call_end(&call);
}

cudaError_t cudaEventQuery(cudaEvent_t handle)
{
    Call call = CALL(WORD(handle));
    SimEvent *event = event_of(&call, handle);
    if (event) call.error = sim_event_query(call.sim, event);
    return call_end(&call);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    Call call = CALL(WORD(ms), WORD(start), WORD(stop));
    const SimEvent *first = event_of(&call, start);
    const SimEvent *last = first ? event_of(&call, stop) : NULL;
    if (last) call.error = ms ? sim_event_elapsed(call.sim, first, last, ms) : SIM_INVALID_VALUE;
    return call_end(&call);
}
