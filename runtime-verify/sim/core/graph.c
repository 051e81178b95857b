// SPDX-License-Identifier: MIT
// Graphs: nodes that hold work, edges that order it, and capture, which makes nodes of what would
// be queued. A launch queues the work in the stream, in an order that keeps the edges.
#include "graph.h"

#include <stdlib.h>

// ---- graphs ----

static void end_graph(Sim *sim, void *object)
{
    SimGraph *graph = object;
    for (size_t i = 0; i < graph->node_count; i++) {
        SimNode *node = sim_object_find(sim, graph->nodes[i], SIM_GRAPH_NODE);
        if (node) sim_object_delete(sim, node);
    }
    free(graph->nodes);
    sim_keeps_end(sim, &graph->keeps);
}

static void end_node(Sim *sim, void *object)
{
    SimNode *node = object;
    SimGraph *child = sim_object_find(sim, node->child, SIM_GRAPH);
    if (child) sim_object_delete(sim, child);
    if (node->work) sim_work_delete(node->work);
    free(node->after);
}

static void end_exec(Sim *sim, void *object)
{
    SimGraphExec *exec = object;
    sim_keeps_end(sim, &exec->keeps);
    for (size_t i = 0; i < exec->work_count; i++) sim_work_delete(exec->works[i]);
    free((void *)exec->works);
}

SimGraph *sim_graph_new(Sim *sim, int device)
{
    SimGraph *graph = sim_object_new(sim, SIM_GRAPH, sizeof *graph, device);
    graph->object.end = end_graph;
    return graph;
}

static SimNode *node_of(const Sim *sim, const SimGraph *graph, SimHandle handle)
{
    SimNode *node = sim_object_find(sim, handle, SIM_GRAPH_NODE);
    return node && node->graph == graph->object.handle ? node : NULL;
}

static void add_after(SimNode *node, SimHandle before)
{
    node->after =
        sim_grow(node->after, node->after_count, &node->after_capacity, sizeof *node->after);
    node->after[node->after_count++] = before;
}

SimNode *sim_graph_add(Sim *sim, SimGraph *graph, SimWork *work, const SimHandle *after,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (node_of(sim, graph, after[i])) continue;
        if (work) sim_work_delete(work);
        return NULL;
    }
    SimNode *node = sim_object_new(sim, SIM_GRAPH_NODE, sizeof *node, graph->object.device);
    node->object.end = end_node;
    node->graph = graph->object.handle;
    node->work = work;
    if (work) sim_work_hold(work);
    for (size_t i = 0; i < count; i++) add_after(node, after[i]);
    graph->nodes =
        sim_grow(graph->nodes, graph->node_count, &graph->node_capacity, sizeof *graph->nodes);
    graph->nodes[graph->node_count++] = node->object.handle;
    return node;
}

SimError sim_graph_add_edge(Sim *sim, SimGraph *graph, SimHandle from, SimHandle to)
{
    SimNode *node = node_of(sim, graph, to);
    if (!node || !node_of(sim, graph, from) || from == to) return SIM_INVALID_VALUE;
    add_after(node, from);
    return SIM_OK;
}

// The node of the copy that stands at the place of `handle` in the original.
static SimHandle counterpart(const SimGraph *original, const SimGraph *copy, SimHandle handle)
{
    for (size_t i = 0; i < original->node_count; i++)
        if (original->nodes[i] == handle) return copy->nodes[i];
    return 0;
}

SimGraph *sim_graph_clone(Sim *sim, const SimGraph *graph)
{
    SimGraph *copy = sim_graph_new(sim, graph->object.device);
    for (size_t i = 0; i < graph->node_count; i++) {
        const SimNode *node = node_of(sim, graph, graph->nodes[i]);
        SimNode *twin = sim_graph_add(
            sim, copy, node && node->work ? sim_work_copy(node->work) : NULL, NULL, 0);
        const SimGraph *child = node ? sim_object_find(sim, node->child, SIM_GRAPH) : NULL;
        if (child) twin->child = sim_graph_clone(sim, child)->object.handle;
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        const SimNode *node = node_of(sim, graph, graph->nodes[i]);
        SimNode *twin = node_of(sim, copy, copy->nodes[i]);
        for (size_t k = 0; node && k < node->after_count; k++)
            add_after(twin, counterpart(graph, copy, node->after[k]));
        if (!node) sim_object_delete(sim, twin);
    }
    sim_keeps_copy(sim, &copy->keeps, &graph->keeps);
    return copy;
}

SimNode *sim_graph_add_child(Sim *sim, SimGraph *graph, const SimGraph *child,
                             const SimHandle *after, size_t count)
{
    SimNode *node = sim_graph_add(sim, graph, NULL, after, count);
    if (node) node->child = sim_graph_clone(sim, child)->object.handle;
    return node;
}

// ---- executable graphs ----

// All nodes that it comes after have their place in the order, or are gone.
static bool is_ready(const Sim *sim, const SimGraph *graph, const SimNode *node)
{
    for (size_t i = 0; i < node->after_count; i++) {
        const SimNode *before = node_of(sim, graph, node->after[i]);
        if (before && !before->has_place) return false;
    }
    return true;
}

static void append_work(SimGraphExec *exec, const SimWork *work)
{
    exec->works =
        sim_grow((void *)exec->works, exec->work_count, &exec->work_capacity, sizeof(SimWork *));
    exec->works[exec->work_count++] = sim_work_copy(work);
}

static bool place_all(Sim *sim, const SimGraph *graph, SimGraphExec *exec);

// Gives a place to each node that is ready; returns how many.
static size_t place_ready(Sim *sim, const SimGraph *graph, SimGraphExec *exec)
{
    size_t placed = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        SimNode *node = node_of(sim, graph, graph->nodes[i]);
        if (!node || node->has_place || !is_ready(sim, graph, node)) continue;
        const SimGraph *child = sim_object_find(sim, node->child, SIM_GRAPH);
        if (node->work) append_work(exec, node->work);
        if (child && !place_all(sim, child, exec)) return 0;
        node->has_place = true;
        placed++;
    }
    return placed;
}

// False when the edges have a cycle.
static bool place_all(Sim *sim, const SimGraph *graph, SimGraphExec *exec)
{
    size_t left = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        SimNode *node = node_of(sim, graph, graph->nodes[i]);
        if (!node) continue;
        node->has_place = false;
        left++;
    }
    for (size_t placed = 1; placed > 0 && left > 0; left -= placed)
        placed = place_ready(sim, graph, exec);
    return left == 0;
}

SimGraphExec *sim_graph_instantiate(Sim *sim, const SimGraph *graph)
{
    SimGraphExec *exec = sim_object_new(sim, SIM_GRAPH_EXEC, sizeof *exec, graph->object.device);
    exec->object.end = end_exec;
    if (place_all(sim, graph, exec)) {
        sim_keeps_copy(sim, &exec->keeps, &graph->keeps);
        return exec;
    }
    sim_object_delete(sim, exec);
    return NULL;
}

bool sim_graph_update(Sim *sim, SimGraphExec *exec, const SimGraph *graph)
{
    SimGraphExec *fresh = sim_graph_instantiate(sim, graph);
    bool fits = fresh && fresh->work_count == exec->work_count;
    if (fits) {
        SimWork **works = exec->works;
        exec->works = fresh->works;
        fresh->works = works;
    }
    if (fresh) sim_object_delete(sim, fresh);
    return fits;
}

void sim_graph_launch(Sim *sim, const SimGraphExec *exec, SimStream *stream)
{
    for (size_t i = 0; i < exec->work_count; i++) {
        SimWork *work = sim_work_copy(exec->works[i]);
        SimEvent *event = work->event ? sim_object_find(sim, work->event, SIM_EVENT) : NULL;
        sim_work_queue(sim, stream, work);
        if (event && !stream->capture) event->work = work->number;
    }
}

// ---- capture ----

SimError sim_capture_begin(Sim *sim, SimStream *stream, bool is_relaxed)
{
    if (stream->capture) return SIM_ILLEGAL_STATE;
    if (stream->is_legacy) return SIM_CAPTURE_UNSUPPORTED;
    SimGraph *graph = sim_graph_new(sim, stream->object.device);
    graph->origin = stream->object.handle;
    graph->is_relaxed = is_relaxed;
    stream->capture = graph->object.handle;
    stream->tail = 0;
    stream->is_joined = true;
    return SIM_OK;
}

SimError sim_capture_invalidate(Sim *sim, SimHandle handle, SimError error)
{
    SimGraph *graph = sim_object_find(sim, handle, SIM_GRAPH);
    if (graph) graph->is_invalid = true;
    return error;
}

SimError sim_capture_end(Sim *sim, SimStream *stream, SimHandle *handle)
{
    *handle = 0;
    if (!stream->capture) return SIM_ILLEGAL_STATE;
    SimGraph *graph = sim_object_find(sim, stream->capture, SIM_GRAPH);
    if (!graph || graph->origin != stream->object.handle)
        return sim_capture_invalidate(sim, stream->capture, SIM_CAPTURE_UNMATCHED);
    SimError error = graph->is_invalid ? SIM_CAPTURE_INVALIDATED : SIM_OK;
    for (size_t i = 0; i < sim->stream_count; i++) {
        SimStream *other = sim->streams[i];
        if (other->capture != graph->object.handle) continue;
        if (!other->is_joined && error == SIM_OK) error = SIM_CAPTURE_UNJOINED;
        other->capture = other->tail = 0;
    }
    if (error)
        sim_object_delete(sim, graph);
    else
        *handle = graph->object.handle;
    return error;
}

void sim_capture_work(Sim *sim, SimStream *stream, SimWork *work)
{
    SimGraph *graph = sim_object_find(sim, stream->capture, SIM_GRAPH);
    if (!graph) {
        sim_work_delete(work);
        return;
    }
    const SimNode *node = sim_graph_add(sim, graph, work, &stream->tail, stream->tail ? 1 : 0);
    if (node) stream->tail = node->object.handle;
    stream->is_joined = graph->origin == stream->object.handle;
}

SimError sim_capture_wait(Sim *sim, SimStream *stream, const SimEvent *event)
{
    SimGraph *graph = sim_object_find(sim, event->capture, SIM_GRAPH);
    if (!graph || (stream->capture && stream->capture != event->capture))
        return SIM_CAPTURE_ISOLATION;
    if (!stream->capture) { // joins the capture
        stream->capture = event->capture;
        stream->tail = event->node;
        stream->is_joined = true;
        return SIM_OK;
    }
    SimHandle after[2] = {event->node, stream->tail};
    size_t count = 0;
    for (size_t i = 0; i < 2; i++)
        if (after[i]) after[count++] = after[i];
    const SimNode *node = sim_graph_add(sim, graph, NULL, after, count);
    if (node) stream->tail = node->object.handle;
    SimStream *other = sim_object_find(sim, event->stream, SIM_STREAM);
    if (other && other->tail == event->node) other->is_joined = true;
    return SIM_OK;
}
