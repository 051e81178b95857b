// SPDX-License-Identifier: MIT
// Releases: what the handle was, and what was still running on the device.
#include "record/track_p.h"

// What is known of a handle before it is released.
typedef struct {
    const char *state;
    Block *block; // NULL when unknown
} Known;

// Locked.
static Known look_up(Tracker *tracker, const ApiEffect *effect, uint64_t handle)
{
    if (handle == 0) return (Known){.state = "null"};
    Block *released = NULL;
    for (size_t i = 0; i < effect->fits_count; i++) {
        Block *block = blocks_at(&tracker->blocks, block_space(effect->fits[i]), handle);
        if (block == NULL || block->handle != handle) continue;
        if (block->is_live && api_fits(effect, block->resource))
            return (Known){.state = "live", .block = block};
        if (!block->is_live) released = block;
    }
    Block *block = blocks_with_handle(&tracker->blocks, handle);
    if (block != NULL && block->is_live) {
        bool is_lent = api_resources[block->resource].borrowed;
        return (Known){.state = is_lent ? "borrowed" : "wrong", .block = block};
    }
    block = blocks_at(&tracker->blocks, 0, handle);
    if (block != NULL && block->is_live && block->handle != handle)
        return (Known){.state = "inside", .block = block};
    if (released == NULL) released = blocks_with_handle(&tracker->blocks, handle);
    return released != NULL ? (Known){.state = "released", .block = released}
                            : (Known){.state = "unknown"};
}

// One stream whose work used a block.
typedef struct {
    BlockUse use;
    uint64_t later;
} Pending;

// The streams that got work that uses the block, still may be asked, and that the release is not ordered
// behind. Locked.
static uint32_t list_streams(Tracker *tracker, const TrackCall *call, const Block *block,
                             Pending pending[BLOCK_USES])
{
    uint64_t own;
    bool is_ordered = call->queued && track_stream(call, &own);
    uint32_t count = 0;
    for (uint8_t i = 0; block != NULL && i < block->use_count; i++) {
        const StreamWork *work = track_stream_work(tracker, block->uses[i].stream);
        const StreamWork *release = is_ordered ? track_stream_work(tracker, own) : NULL;
        if (work->is_gone || track_is_behind(tracker, release, work, block->uses[i].number))
            continue;
        pending[count++] = (Pending){block->uses[i], work->queued - block->uses[i].number};
    }
    return count;
}

// Keeps the streams that are busy. Not locked: the other side is asked.
static uint32_t keep_busy(const TrackBackend *backend, Pending *pending, uint32_t count)
{
    uint32_t busy = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (backend->stream_is_busy(backend->context, pending[i].use.stream))
            pending[busy++] = pending[i];
    }
    return busy;
}

static void add_pending(Line *line, const Pending *pending, uint32_t count)
{
    if (count == 0) return;
    line_list_begin(line, "pending");
    for (uint32_t i = 0; i < count; i++) {
        line_open(line, '{');
        line_address(line, "stream", pending[i].use.stream);
        line_number(line, "n", (int64_t)pending[i].use.n);
        line_number(line, "later", (int64_t)pending[i].later);
        line_close(line, '{');
    }
    line_list_end(line);
}

// What a library's function releases, it releases by calls of its own.
static bool is_part_of_release(Tracker *tracker, uint64_t handle)
{
    const TrackCall *library = track_thread(tracker)->library;
    return library != NULL && library->released != 0 && library->released_handle == handle;
}

void track_release(Tracker *tracker, TrackCall *call, const ApiEffect *effect, uint64_t handle)
{
    if (is_part_of_release(tracker, handle)) return;
    const TrackBackend *backend = &tracker->backend;
    Pending pending[BLOCK_USES];
    track_stack(tracker, call);
    pthread_mutex_lock(&tracker->lock);
    uint32_t count = list_streams(tracker, call, look_up(tracker, effect, handle).block, pending);
    pthread_mutex_unlock(&tracker->lock);
    count = keep_busy(backend, pending, count);
    int device = backend->current_device(backend->context);

    Line line;
    uint64_t stream;
    pthread_mutex_lock(&tracker->lock);
    Known known = look_up(tracker, effect, handle);
    if (known.block == NULL && handle != 0 && effect->may_be_unseen) {
        pthread_mutex_unlock(&tracker->lock);
        return;
    }
    track_begin(tracker, &line, "release", call);
    line_address(&line, "h", handle);
    if (known.block != NULL) line_number(&line, "of", (int64_t)known.block->n);
    line_text(&line, "state", known.state);
    if (track_stream(call, &stream)) line_address(&line, "stream", stream);
    add_pending(&line, pending, count);
    line_number(&line, "dev", device);
    track_put(tracker, &line, call);
    bool is_taken = known.state[0] == 'l' || known.state[0] == 'w'; // live, wrong
    if (is_taken) {
        call->released = known.block->n;
        call->released_handle = handle;
        known.block->is_live = known.block->references != 0;
        if (known.block->is_live)
            known.block->references--;
        else if (known.block->space != 0 &&
                 effect->kind == MODEL_RELEASE) // not what was attached to it
            track_stream_is_gone(tracker, handle);
    }
    pthread_mutex_unlock(&tracker->lock);
}

void track_release_failed(Tracker *tracker, const TrackCall *call)
{
    if (call->released == 0) return;
    pthread_mutex_lock(&tracker->lock);
    Block *block = blocks_acquired_by(&tracker->blocks, call->released, call->released_handle);
    if (block != NULL && block->is_live)
        block->references++;
    else if (block != NULL)
        block->is_live = true;
    pthread_mutex_unlock(&tracker->lock);
}

void track_reset(Tracker *tracker, TrackCall *call)
{
    int device = tracker->backend.current_device(tracker->backend.context);
    track_stack(tracker, call);
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_begin(tracker, &line, "reset", call);
    line_number(&line, "dev", device);
    track_put(tracker, &line, call);
    for (uint32_t i = 0; i < tracker->blocks.blocks.len; i++) {
        Block *block = &tracker->blocks.blocks.items[i];
        if (!block->is_live || block->device != device) continue;
        if (!api_resources[block->resource].released_by_reset) continue;
        block->is_live = false;
        if (block->space != 0) track_stream_is_gone(tracker, block->handle);
    }
    pthread_mutex_unlock(&tracker->lock);
}
