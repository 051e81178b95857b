// SPDX-License-Identifier: MIT
// Which work comes behind which: by streams, events, the legacy default stream, and what the host has waited for.
// It is kept as numbers: of each stream, how much work a stream's next work is certain to come behind.
#include "record/track_p.h"

// The handles of the legacy default stream.
static bool is_legacy(uint64_t stream)
{
    return stream <= 1;
}

StreamWork *track_stream_work(Tracker *tracker, uint64_t stream)
{
    uint64_t hash = hash_mix(1, is_legacy(stream) ? 0 : stream);
    uint32_t cursor = 0, id;
    if (idtable_next(&tracker->stream_ids, hash, &cursor, &id)) return &tracker->streams.items[id];
    idtable_add(tracker->arena, &tracker->stream_ids, hash, tracker->streams.len);
    StreamWork work = {.handle = stream};
    vec_push(tracker->arena, &tracker->streams, work);
    return vec_last(&tracker->streams);
}

static StreamWork *find_stream(Tracker *tracker, uint64_t handle)
{
    uint32_t cursor = 0, id;
    bool is_known = idtable_next(&tracker->stream_ids, hash_mix(1, handle), &cursor, &id);
    return is_known ? &tracker->streams.items[id] : NULL;
}

static EventWork *find_event(Tracker *tracker, uint64_t handle)
{
    uint32_t cursor = 0, id;
    bool is_known = idtable_next(&tracker->event_ids, hash_mix(1, handle), &cursor, &id);
    return is_known ? &tracker->events.items[id] : NULL;
}

static uint32_t index_of(const Tracker *tracker, const StreamWork *work)
{
    return (uint32_t)(work - tracker->streams.items);
}

static void raise(Arena *arena, OrderPoints *points, OrderPoint point)
{
    for (uint32_t i = 0; i < points->len; i++) {
        if (points->items[i].stream != point.stream) continue;
        if (points->items[i].number < point.number) points->items[i].number = point.number;
        return;
    }
    if (point.number != 0) vec_push(arena, points, point);
}

static void raise_all(Arena *arena, OrderPoints *points, const OrderPoints *by)
{
    for (uint32_t i = 0; i < by->len; i++) raise(arena, points, by->items[i]);
}

// Everything that is on the stream now, and what that comes behind.
static void add_stream(Tracker *tracker, OrderPoints *points, const StreamWork *work)
{
    OrderPoint all = {index_of(tracker, work), work->queued};
    raise(tracker->arena, points, all);
    raise_all(tracker->arena, points, &work->behind);
}

// The legacy default stream is ordered with every blocking stream, both ways.
static void order_with_legacy(Tracker *tracker, StreamWork *work)
{
    if (!is_legacy(work->handle)) {
        const StreamWork *legacy = find_stream(tracker, 0);
        if (legacy != NULL && !work->is_nonblocking) add_stream(tracker, &work->behind, legacy);
        return;
    }
    for (uint32_t i = 0; i < tracker->streams.len; i++) {
        const StreamWork *other = &tracker->streams.items[i];
        if (other != work && !other->is_nonblocking) add_stream(tracker, &work->behind, other);
    }
}

void track_queue(Tracker *tracker, StreamWork *work, uint64_t n)
{
    if (work->capture != 0) return;
    order_with_legacy(tracker, work);
    work->queued++;
    work->last = n;
}

bool track_is_behind(const Tracker *tracker, const StreamWork *work, const StreamWork *other,
                     uint64_t number)
{
    if (work == other || number <= other->done) return true;
    for (uint32_t i = 0; work != NULL && i < work->behind.len; i++) {
        const OrderPoint *point = &work->behind.items[i];
        if (point->stream == index_of(tracker, other)) return number <= point->number;
    }
    return false;
}

static void host_waited(Tracker *tracker, const OrderPoints *points)
{
    for (uint32_t i = 0; i < points->len; i++) {
        StreamWork *work = &tracker->streams.items[points->items[i].stream];
        if (work->done < points->items[i].number) work->done = points->items[i].number;
    }
}

static void host_waited_for_stream(Tracker *tracker, StreamWork *work)
{
    if (is_legacy(work->handle)) order_with_legacy(tracker, work);
    work->done = work->queued;
    host_waited(tracker, &work->behind);
}

static uint64_t event_of(const TrackCall *call)
{
    int arg = call->function->event_arg;
    return arg >= 1 && (uint32_t)arg <= call->arg_count ? call->args[arg - 1] : 0;
}

static void record_event(Tracker *tracker, uint64_t handle, StreamWork *work)
{
    EventWork *event = find_event(tracker, handle);
    if (event == NULL) {
        idtable_add(tracker->arena, &tracker->event_ids, hash_mix(1, handle), tracker->events.len);
        vec_push(tracker->arena, &tracker->events, (EventWork){0});
        event = vec_last(&tracker->events);
    }
    order_with_legacy(tracker, work);
    event->is_recorded = true;
    event->capture = work->capture;
    event->covers.len = 0;
    add_stream(tracker, &event->covers, work);
}

// An event of a captured stream draws the waiting one into the capture.
static void wait_for_event(Tracker *tracker, StreamWork *work, const EventWork *event)
{
    if (event->capture != 0) work->capture = event->capture;
    raise_all(tracker->arena, &work->behind, &event->covers);
}

void track_order_after(Tracker *tracker, const TrackCall *call)
{
    uint64_t stream = 0;
    const EventWork *event = find_event(tracker, event_of(call));
    bool has_stream = track_stream(call, &stream);
    switch (call->function->order) {
    case ORDER_RECORD_EVENT:
        if (has_stream) record_event(tracker, event_of(call), track_stream_work(tracker, stream));
        break;
    case ORDER_WAIT_EVENT:
        if (has_stream && event != NULL)
            wait_for_event(tracker, track_stream_work(tracker, stream), event);
        break;
    case ORDER_SYNC_STREAM:
    case ORDER_QUERY_STREAM:
        if (has_stream) host_waited_for_stream(tracker, track_stream_work(tracker, stream));
        break;
    case ORDER_SYNC_EVENT:
    case ORDER_QUERY_EVENT:
        if (event != NULL) host_waited(tracker, &event->covers);
        break;
    case ORDER_SYNC_DEVICE:
        for (uint32_t i = 0; i < tracker->streams.len; i++)
            tracker->streams.items[i].done = tracker->streams.items[i].queued;
        break;
    default:
        break;
    }
}

bool track_event_is_unrecorded(Tracker *tracker, const TrackCall *call)
{
    uint64_t handle = event_of(call);
    if (handle == 0 || call->function->order == ORDER_RECORD_EVENT) return false;
    const EventWork *event = find_event(tracker, handle);
    return event == NULL || !event->is_recorded;
}

void track_stream_is_gone(Tracker *tracker, uint64_t handle)
{
    StreamWork *work = find_stream(tracker, handle);
    if (work != NULL) work->is_gone = true;
}

void track_handle_is_new(Tracker *tracker, const TrackCall *call, uint64_t handle)
{
    EventWork *event = find_event(tracker, handle);
    if (event != NULL) event->is_recorded = false;
    int arg = call->function->nonblocking_arg;
    bool is_nonblocking =
        arg >= 1 && (uint32_t)arg <= call->arg_count && (call->args[arg - 1] & 1) != 0;
    StreamWork *work = find_stream(tracker, handle);
    if (work == NULL && is_nonblocking) work = track_stream_work(tracker, handle);
    if (work == NULL) return;
    work->is_gone = false;
    work->is_nonblocking = is_nonblocking;
    work->done = work->queued;
    work->capture = 0;
    work->behind.len = 0;
}

uint32_t track_busy_streams(Tracker *tracker, BusyWork busy[static BUSY_MAX])
{
    const TrackBackend *backend = &tracker->backend;
    uint32_t count = 0, kept = 0;
    pthread_mutex_lock(&tracker->lock);
    for (uint32_t i = 0; i < tracker->streams.len && count < BUSY_MAX; i++) {
        const StreamWork *work = &tracker->streams.items[i];
        if (work->is_gone || work->queued == work->done) continue;
        busy[count++] = (BusyWork){work->handle, work->last};
    }
    pthread_mutex_unlock(&tracker->lock);
    // Not locked: the other side is asked.
    for (uint32_t i = 0; i < count; i++) {
        if (backend->stream_is_busy(backend->context, busy[i].stream)) busy[kept++] = busy[i];
    }
    return kept;
}
