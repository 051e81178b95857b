// SPDX-License-Identifier: MIT
// Streams and events. A query finds unfinished work unfinished a few times, then it is done: so a
// program that polls ends, and one that asks once sees the work pending.
#include "sim.h"

#include "graph.h"

#include <stdlib.h>

enum { EVENT_WITHOUT_TIMING = 2 };

static void end_stream(Sim *sim, void *object)
{
    for (size_t i = 0; i < sim->stream_count; i++)
        if (sim->streams[i] == object) sim->streams[i] = sim->streams[--sim->stream_count];
}

SimStream *sim_stream_new(Sim *sim, int device, bool is_blocking)
{
    SimStream *stream = sim_object_new(sim, SIM_STREAM, sizeof *stream, device);
    stream->object.end = end_stream;
    stream->is_blocking = is_blocking;
    sim->streams = sim_grow((void *)sim->streams, sim->stream_count, &sim->stream_capacity,
                            sizeof(SimStream *));
    sim->streams[sim->stream_count++] = stream;
    return stream;
}

void sim_stream_delete(Sim *sim, SimStream *stream)
{
    // What is queued goes on without its stream, in the same order.
    sim_object_delete(sim, stream);
}

SimEvent *sim_event_new(Sim *sim, int device, unsigned flags)
{
    SimEvent *event = sim_object_new(sim, SIM_EVENT, sizeof *event, device);
    event->flags = flags;
    return event;
}

SimError sim_event_record(Sim *sim, SimEvent *event, SimStream *stream)
{
    if (event->object.device != stream->object.device) return SIM_INVALID_HANDLE;
    event->queries = 0;
    event->capture = stream->capture;
    event->node = stream->tail;
    event->stream = stream->object.handle;
    if (stream->capture) return SIM_OK;
    SimWork *work = sim_work_new(SIM_WORK_MARK);
    work->event = event->object.handle;
    sim_work_queue(sim, stream, work);
    event->work = work->number;
    return SIM_OK;
}

SimError sim_stream_wait_event(Sim *sim, SimStream *stream, const SimEvent *event)
{
    if (event->capture) return sim_capture_wait(sim, stream, event);
    if (stream->capture) return event->work ? SIM_CAPTURE_ISOLATION : SIM_OK;
    if (sim_work_is_done(sim, event->work)) return SIM_OK;
    SimWork *work = sim_work_new(SIM_WORK_MARK);
    sim_work_comes_after(work, event->work);
    sim_work_queue(sim, stream, work);
    return SIM_OK;
}

SimError sim_event_elapsed(const Sim *sim, const SimEvent *start, const SimEvent *stop, float *ms)
{
    if ((start->flags | stop->flags) & EVENT_WITHOUT_TIMING) return SIM_INVALID_HANDLE;
    if (!start->work || !stop->work) return SIM_INVALID_HANDLE;
    if (!sim_work_is_done(sim, start->work) || !sim_work_is_done(sim, stop->work))
        return SIM_NOT_READY;
    *ms = (float)(stop->time_ms - start->time_ms);
    return SIM_OK;
}

SimError sim_stream_query(Sim *sim, SimStream *stream)
{
    if (stream->capture)
        return sim_capture_invalidate(sim, stream->capture, SIM_CAPTURE_UNSUPPORTED);
    if (!sim_stream_is_busy(sim, stream)) return SIM_OK;
    if (stream->queries++ < sim->busy_answers) return SIM_NOT_READY;
    sim_wait_stream(sim, stream);
    return SIM_OK;
}

SimError sim_event_query(Sim *sim, SimEvent *event)
{
    if (event->capture) return sim_capture_invalidate(sim, event->capture, SIM_CAPTURED_EVENT);
    if (sim_work_is_done(sim, event->work)) return SIM_OK;
    if (event->queries++ < sim->busy_answers) return SIM_NOT_READY;
    sim_wait_work(sim, event->work);
    return SIM_OK;
}
