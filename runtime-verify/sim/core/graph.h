// SPDX-License-Identifier: MIT
// Graphs, executable graphs, captures, and objects of the program that graphs keep.
#ifndef RUNTIME_VERIFY_SIM_GRAPH_H
#define RUNTIME_VERIFY_SIM_GRAPH_H

#include "sim.h"

// ---- graph.c ----

// A user object that somebody keeps, so many times.
typedef struct {
    SimHandle object;
    unsigned count;
} SimKept;

typedef struct {
    SimKept *items;
    size_t count, capacity;
} SimKeeps;

typedef struct {
    SimObject object;
    SimKeeps keeps;
    SimHandle *nodes; // in the order of adding
    size_t node_count, node_capacity;
    SimHandle origin; // of a capture: the stream where it began
    bool is_invalid;  // a call that captures forbid was made
    bool is_relaxed;  // captures that forbid nothing
} SimGraph;

typedef struct {
    SimObject object;
    SimHandle graph;
    SimWork *work;    // what a launch queues; NULL: nothing
    SimHandle child;  // the graph that is launched in its place; 0: none
    SimHandle *after; // nodes of the graph
    size_t after_count, after_capacity;
    bool has_place; // while the graph is put in order
} SimNode;

typedef struct {
    SimObject object;
    SimKeeps keeps;
    SimWork **works; // in an order that keeps the edges
    size_t work_count, work_capacity;
} SimGraphExec;

SimGraph *sim_graph_new(Sim *sim, int device);
// Takes the work. NULL when a node of `after` is not one of the graph.
SimNode *sim_graph_add(Sim *sim, SimGraph *graph, SimWork *work, const SimHandle *after,
                       size_t count);
// A node that stands for a copy of the child.
SimNode *sim_graph_add_child(Sim *sim, SimGraph *graph, const SimGraph *child,
                             const SimHandle *after, size_t count);
SimGraph *sim_graph_clone(Sim *sim, const SimGraph *graph);
SimError sim_graph_add_edge(Sim *sim, SimGraph *graph, SimHandle from, SimHandle to);
// NULL when the edges have a cycle.
SimGraphExec *sim_graph_instantiate(Sim *sim, const SimGraph *graph);
// The exec does what the graph says now. False when the graph has not as much work as it.
bool sim_graph_update(Sim *sim, SimGraphExec *exec, const SimGraph *graph);
void sim_graph_launch(Sim *sim, const SimGraphExec *exec, SimStream *stream);
SimError sim_capture_begin(Sim *sim, SimStream *stream, bool is_relaxed);
// The graph's handle, or 0.
SimError sim_capture_end(Sim *sim, SimStream *stream, SimHandle *graph);
// A call was made that captures forbid: it fails with `error`, and the capture with it.
SimError sim_capture_invalidate(Sim *sim, SimHandle graph, SimError error);
// Queues in a stream that captures.
void sim_capture_work(Sim *sim, SimStream *stream, SimWork *work);
SimError sim_capture_wait(Sim *sim, SimStream *stream, const SimEvent *event);

// ---- keep.c: objects of the program that graphs keep ----

typedef struct {
    SimObject object;
    unsigned references;
    void (*destroy)(void *);
    void *data;
} SimUserObject;

SimUserObject *sim_user_object_new(Sim *sim, void (*destroy)(void *), void *data,
                                   unsigned references);
// Adds and takes references; destroys it with the last one.
SimError sim_user_object_change(Sim *sim, SimHandle handle, unsigned add, unsigned take);
void sim_keeps_add(SimKeeps *keeps, SimHandle object, unsigned count);
SimError sim_keeps_take(Sim *sim, SimKeeps *keeps, SimHandle object, unsigned count);
// The same objects for another keeper.
void sim_keeps_copy(Sim *sim, SimKeeps *to, const SimKeeps *from);
void sim_keeps_end(Sim *sim, SimKeeps *keeps);

#endif
