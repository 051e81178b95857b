// SPDX-License-Identifier: MIT
// The tracker's insides. Functions that say "locked" want the tracker's lock held.
#ifndef RUNTIME_VERIFY_RECORD_TRACK_P_H
#define RUNTIME_VERIFY_RECORD_TRACK_P_H

#include "record/blocks.h"
#include "record/fail.h"
#include "record/stacks.h"
#include "record/track.h"

#include <pthread.h>
#include <stdatomic.h>

// The work of a stream up to some number; streams are indices in Tracker.streams.
typedef struct {
    uint32_t stream;
    uint64_t number;
} OrderPoint;

typedef Vec(OrderPoint) OrderPoints; // at most one for each stream

// Work that was queued on a stream.
typedef struct {
    uint64_t handle;
    uint64_t queued; // how much, since the stream was first seen
    uint64_t last;   // the call that queued the last of it
    uint64_t done;   // how much of it the host has waited for
    bool is_gone;    // destroyed: may not be asked about any more
    bool is_nonblocking;
    uint32_t capture;   // 1 + index in Tracker.captures: its work goes into a graph; 0: it runs
    OrderPoints behind; // what its next work comes behind
} StreamWork;

// What an event stands for.
typedef struct {
    bool is_recorded;
    uint32_t capture; // as StreamWork.capture, where it was recorded
    OrderPoints covers;
} EventWork;

typedef struct {
    uint32_t space;
    uint64_t handle;
} BlockKey;

typedef Vec(BlockKey) BlockKeys;

// What the work of a graph, or of an executable one, uses.
typedef struct {
    BlockKeys uses;
} GraphWork;

// What the tracker knows of a thread.
typedef struct {
    int64_t tid;
    int32_t last_error;       // that the program was made to see, and has not asked for yet
    const TrackCall *library; // the call of a library that the thread is in, or NULL
} ThreadState;

struct Tracker {
    TrackBackend backend;
    Arena *arena;
    pthread_mutex_t lock;
    pthread_key_t thread_key;
    atomic_int_least64_t threads;
    atomic_uint_least64_t calls, fallible_calls, failing_function_calls, launches;
    atomic_uint_least64_t devices_described; // bit set
    FailSpec fail;
    bool records_calls;
    // Under the lock.
    Writer writer;
    Stacks stacks;
    Blocks blocks;
    IdTable launch_keys; // launches that were recorded
    IdTable stream_ids;  // handle → index in `streams`
    Vec(StreamWork) streams;
    IdTable event_ids; // handle → index in `events`
    Vec(EventWork) events;
    Vec(BlockKeys) captures; // what was queued in each
    IdTable graph_ids;       // handle → index in `graphs`
    Vec(GraphWork) graphs;
};

// Acquisitions that a call uses: live ones and released ones. What does not fit is left out.
#define USES_MAX 64
typedef struct {
    uint64_t live[USES_MAX], stale[USES_MAX];
    uint32_t live_count, stale_count;
    // Calls that queued work on other streams which uses the same blocks, and that this work is not ordered behind.
    uint64_t unordered[USES_MAX];
    uint32_t unordered_count;
} Uses;

// A forked child writes a file of its own, in which no module and no stack is known yet. Locked.
void track_check_process(Tracker *tracker);
ThreadState *track_thread(Tracker *tracker);
// The object that an effect speaks of; false when it cannot be read (a null pointer on the way).
bool track_slot(const ApiEffect *effect, const TrackCall *call, uint64_t *value);
// The stream of a call; false when it has none.
bool track_stream(const TrackCall *call, uint64_t *stream);
// Starts a record of this call: its type, number, time, thread, function. Locked.
void track_begin(Tracker *tracker, Line *line, const char *type, const TrackCall *call);
// The call's stack, captured once; takes the lock itself.
void track_stack(Tracker *tracker, TrackCall *call);
// Ends the record with the call's stack, and writes it. Locked.
void track_put(Tracker *tracker, Line *line, const TrackCall *call);

// Before a call that releases: records it and takes the block as released.
void track_release(Tracker *tracker, TrackCall *call, const ApiEffect *effect, uint64_t handle);
// After it failed: the block is live again.
void track_release_failed(Tracker *tracker, const TrackCall *call);
// Before a call that resets a device.
void track_reset(Tracker *tracker, TrackCall *call);

// Before a call that is no launch: what memory and handles it uses.
void track_uses(Tracker *tracker, TrackCall *call);

// ---- order.c: which work comes behind which; all locked ----

// The stream's entry, made at its first use.
StreamWork *track_stream_work(Tracker *tracker, uint64_t stream);
// The call queues work on the stream.
void track_queue(Tracker *tracker, StreamWork *work, uint64_t n);
// Is work queued on `work` from now on certain to come behind work number `number` of another stream? With NULL:
// has the host waited for that?
bool track_is_behind(const Tracker *tracker, const StreamWork *work, const StreamWork *other,
                     uint64_t number);
// After the call succeeded: what it ordered.
void track_order_after(Tracker *tracker, const TrackCall *call);
// Does the call name an event that was never recorded?
bool track_event_is_unrecorded(Tracker *tracker, const TrackCall *call);
// The stream is destroyed and must not be asked about any more. No harm if it is no stream.
void track_stream_is_gone(Tracker *tracker, uint64_t handle);
// The call made something, perhaps a stream or an event, under a handle that another had before.
void track_handle_is_new(Tracker *tracker, const TrackCall *call, uint64_t handle);

// ---- graphs.c: work that is captured into graphs; all locked ----

// Work that uses the block is queued on a stream that is captured.
void track_capture_use(Tracker *tracker, const StreamWork *work, const Block *block);
// What the graph uses that the call names; NULL: nothing is known.
const BlockKeys *track_graph_uses(Tracker *tracker, const TrackCall *call);
// After the call: captures that begin and end, graphs that are made. A capture also ends by a call that fails.
void track_graphs_after(Tracker *tracker, const TrackCall *call, bool has_failed);

// Adds to a `call` record which streams have unfinished work: in `busy`. Takes the lock itself.
typedef struct {
    uint64_t stream, n; // the call that queued its last work
} BusyWork;
#define BUSY_MAX 16
uint32_t track_busy_streams(Tracker *tracker, BusyWork busy[static BUSY_MAX]);

#endif
