// SPDX-License-Identifier: MIT
// Work: which blocks launches and copies use, and how much is queued on each stream.
#include "record/track_p.h"

static void add_use(uint64_t *list, uint32_t *count, uint64_t n)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (list[i] == n) return;
    }
    if (*count < USES_MAX) list[(*count)++] = n;
}

// Work that is being registered on a stream; `work` is NULL when none is queued.
typedef struct {
    StreamWork *work;
    uint64_t stream, n;
} Queued;

// Notes the block at an address or under a handle. Locked.
static void note_use(Tracker *tracker, Uses *uses, uint32_t space, uint64_t address,
                     const Queued *queued)
{
    Block *block = blocks_at(&tracker->blocks, space, address);
    if (block == NULL || api_resources[block->resource].borrowed) return;
    if (!block->is_live) {
        add_use(uses->stale, &uses->stale_count, block->n);
        return;
    }
    add_use(uses->live, &uses->live_count, block->n);
    if (queued->work == NULL) return;
    if (queued->work->capture != 0) {
        track_capture_use(tracker, queued->work, block);
        return;
    }
    for (uint8_t i = 0; i < block->use_count; i++) {
        const StreamWork *other = track_stream_work(tracker, block->uses[i].stream);
        if (!track_is_behind(tracker, queued->work, other, block->uses[i].number))
            add_use(uses->unordered, &uses->unordered_count, block->uses[i].n);
    }
    block_use(block, queued->stream, queued->n, queued->work->queued);
}

static void add_uses(Line *line, const char *key, const uint64_t *list, uint32_t count)
{
    if (count == 0) return;
    line_list_begin(line, key);
    for (uint32_t i = 0; i < count && line_has_room(line); i++)
        line_element(line, (int64_t)list[i]);
    line_list_end(line);
}

static void add_all_uses(Line *line, const Uses *uses)
{
    add_uses(line, "uses", uses->live, uses->live_count);
    add_uses(line, "stale", uses->stale, uses->stale_count);
    add_uses(line, "unordered", uses->unordered, uses->unordered_count);
}

// Has this kernel been recorded on this stream with these blocks? It has from now on. Locked.
static bool is_new_launch(Tracker *tracker, const char *kernel, uint64_t stream, const Uses *uses)
{
    uint64_t hash = hash_mix(hash_mix(2, (uint64_t)(uintptr_t)kernel), stream);
    for (uint32_t i = 0; i < uses->live_count; i++) hash = hash_mix(hash, uses->live[i]);
    if (hash == 0) hash = 1;
    uint32_t cursor = 0, id;
    if (idtable_next(&tracker->launch_keys, hash, &cursor, &id)) return false;
    idtable_add(tracker->arena, &tracker->launch_keys, hash, 0);
    return true;
}

// Does the function queue work on its stream?
static bool queues_work(const ApiFunction *function)
{
    switch (function->order) {
    case ORDER_ENQUEUE:
    case ORDER_HINT:
    case ORDER_COPY:
    case ORDER_COPY_ASYNC:
    case ORDER_SET:
    case ORDER_CALLBACK:
    case ORDER_COLLECTIVE:
        return true;
    case ORDER_NONE:
    case ORDER_HOST:
    case ORDER_MAY_SYNC:
    case ORDER_SYNC_STREAM:
    case ORDER_SYNC_EVENT:
    case ORDER_SYNC_DEVICE:
    case ORDER_QUERY_STREAM:
    case ORDER_QUERY_EVENT:
    case ORDER_NEEDS_EVENT:
    case ORDER_RECORD_EVENT:
    case ORDER_WAIT_EVENT:
    case ORDER_BIND_STREAM:
        return false;
    }
    return false;
}

void track_launch(Tracker *tracker, TrackCall *call, const char *kernel, uint64_t stream,
                  const uint64_t *words, size_t count)
{
    Uses uses = {.live_count = 0};
    atomic_fetch_add(&tracker->launches, 1);
    pthread_mutex_lock(&tracker->lock);
    Queued queued = {track_stream_work(tracker, stream), stream, call->n};
    uint64_t noted;
    bool is_noted = call->queued && track_stream(call, &noted) && noted == stream;
    if (!is_noted) track_queue(tracker, queued.work, call->n);
    call->queued = true;
    for (size_t i = 0; i < count; i++) {
        if (words[i] >= 4096) note_use(tracker, &uses, 0, words[i], &queued);
    }
    bool is_recorded = uses.stale_count != 0 || is_new_launch(tracker, kernel, stream, &uses) ||
                       (tracker->records_calls && uses.unordered_count != 0);
    pthread_mutex_unlock(&tracker->lock);
    if (!is_recorded) return;
    track_stack(tracker, call);
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_begin(tracker, &line, "launch", call);
    line_text(&line, "kernel", kernel);
    line_address(&line, "stream", stream);
    add_all_uses(&line, &uses);
    track_put(tracker, &line, call);
    pthread_mutex_unlock(&tracker->lock);
}

// Handles and addresses that the function's words name, of whatever kind they are. Locked.
static void note_slots(Tracker *tracker, const TrackCall *call, Uses *uses, const Queued *queued)
{
    for (size_t i = 0; i < call->function->effect_count; i++) {
        const ApiEffect *effect = &call->function->effects[i];
        uint64_t value;
        if (effect->kind != MODEL_USE_READ && effect->kind != MODEL_USE_WRITE) continue;
        if (!track_slot(effect, call, &value) || value < 4096) continue;
        const Block *block = effect->is_handle ? blocks_with_handle(&tracker->blocks, value) : NULL;
        if (!effect->is_handle)
            note_use(tracker, uses, 0, value, queued);
        else if (block != NULL && block->space != 0)
            note_use(tracker, uses, block->space, value, queued);
    }
}

void track_uses(Tracker *tracker, TrackCall *call)
{
    Uses uses = {.live_count = 0};
    Queued queued = {.n = call->n};
    bool has_slots = false, has_blocks = false;
    for (size_t i = 0; i < call->function->effect_count; i++) {
        ModelEffectKind kind = call->function->effects[i].kind;
        has_slots |= kind == MODEL_USE_READ || kind == MODEL_USE_WRITE;
        has_blocks |= kind == MODEL_ACQUIRE || kind == MODEL_RELEASE;
    }
    if (!has_slots && !has_blocks) return;
    bool is_work = queues_work(call->function);
    pthread_mutex_lock(&tracker->lock);
    if (is_work && track_stream(call, &queued.stream)) {
        queued.work = track_stream_work(tracker, queued.stream);
        track_queue(tracker, queued.work, call->n);
        call->queued = true;
    }
    note_slots(tracker, call, &uses, &queued);
    const BlockKeys *in_graph = queued.work != NULL ? track_graph_uses(tracker, call) : NULL;
    for (uint32_t i = 0; in_graph != NULL && i < in_graph->len; i++)
        note_use(tracker, &uses, in_graph->items[i].space, in_graph->items[i].handle, &queued);
    pthread_mutex_unlock(&tracker->lock);
    bool is_recorded = uses.stale_count != 0 || (tracker->records_calls && uses.live_count != 0);
    if (!is_recorded) return;
    track_stack(tracker, call);
    Line line;
    pthread_mutex_lock(&tracker->lock);
    track_begin(tracker, &line, "use", call);
    if (queued.work != NULL) line_address(&line, "stream", queued.stream);
    add_all_uses(&line, &uses);
    track_put(tracker, &line, call);
    pthread_mutex_unlock(&tracker->lock);
}
