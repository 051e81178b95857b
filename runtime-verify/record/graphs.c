// SPDX-License-Identifier: MIT
// Which blocks the work of a graph uses: what was queued on streams while they were captured into it. Captures go
// from one stream to others by events. Graphs that are built node by node use nothing that is known.
#include "record/track_p.h"

static void add_block(Arena *arena, BlockKeys *list, BlockKey key)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->items[i].space == key.space && list->items[i].handle == key.handle) return;
    }
    vec_push(arena, list, key);
}

void track_capture_use(Tracker *tracker, const StreamWork *work, const Block *block)
{
    BlockKeys *list = &tracker->captures.items[work->capture - 1];
    add_block(tracker->arena, list, (BlockKey){block->space, block->handle});
}

static GraphWork *find_graph(Tracker *tracker, uint64_t handle)
{
    uint32_t cursor = 0, id;
    bool is_known = idtable_next(&tracker->graph_ids, hash_mix(1, handle), &cursor, &id);
    return is_known ? &tracker->graphs.items[id] : NULL;
}

// A handle may have been another graph's before.
static void set_graph(Tracker *tracker, uint64_t handle, BlockKeys uses)
{
    GraphWork *graph = find_graph(tracker, handle);
    if (graph == NULL) {
        idtable_add(tracker->arena, &tracker->graph_ids, hash_mix(1, handle), tracker->graphs.len);
        vec_push(tracker->arena, &tracker->graphs, (GraphWork){0});
        graph = vec_last(&tracker->graphs);
    }
    graph->uses = uses;
}

static uint64_t graph_of(const TrackCall *call)
{
    int arg = call->function->graph_arg;
    return arg >= 1 && (uint32_t)arg <= call->arg_count ? call->args[arg - 1] : 0;
}

const BlockKeys *track_graph_uses(Tracker *tracker, const TrackCall *call)
{
    const GraphWork *graph = find_graph(tracker, graph_of(call));
    return graph != NULL ? &graph->uses : NULL;
}

static void begin_capture(Tracker *tracker, uint64_t stream)
{
    vec_push(tracker->arena, &tracker->captures, (BlockKeys){0});
    track_stream_work(tracker, stream)->capture = tracker->captures.len;
}

// All streams that were drawn into the capture work again. Returns what it used.
static BlockKeys end_capture(Tracker *tracker, uint64_t stream)
{
    uint32_t capture = track_stream_work(tracker, stream)->capture;
    if (capture == 0) return (BlockKeys){0};
    for (uint32_t i = 0; i < tracker->streams.len; i++) {
        if (tracker->streams.items[i].capture == capture) tracker->streams.items[i].capture = 0;
    }
    for (uint32_t i = 0; i < tracker->events.len; i++) {
        if (tracker->events.items[i].capture == capture) tracker->events.items[i].capture = 0;
    }
    return tracker->captures.items[capture - 1];
}

void track_graphs_after(Tracker *tracker, const TrackCall *call, bool has_failed)
{
    const ApiFunction *function = call->function;
    const BlockKeys *of_graph = track_graph_uses(tracker, call);
    BlockKeys uses = of_graph != NULL ? *of_graph : (BlockKeys){0};
    bool makes_graph = function->graph_arg != 0;
    for (size_t i = 0; i < function->effect_count; i++) {
        const ApiEffect *effect = &function->effects[i];
        uint64_t handle;
        if (effect->resource == API_NONE || !track_slot(effect, call, &handle)) continue;
        bool is_capture = api_resources[effect->resource].defers_work;
        if (is_capture && effect->kind == MODEL_ATTACH && !has_failed)
            begin_capture(tracker, handle);
        if (is_capture && effect->kind == MODEL_DETACH) {
            uses = end_capture(tracker, handle);
            makes_graph = true;
        }
    }
    for (size_t i = 0; makes_graph && !has_failed && i < function->effect_count; i++) {
        const ApiEffect *effect = &function->effects[i];
        uint64_t handle;
        if (effect->kind == MODEL_ACQUIRE && track_slot(effect, call, &handle))
            set_graph(tracker, handle, uses);
    }
}
