// SPDX-License-Identifier: MIT
// Pending: the GPU work in flight that uses the tracked resource, and what its end can be told by.
// Each work has *covers*: streams and events whose completion implies its own. Synchronising calls
// remove works, waits and records add covers. Sets are values, interned in a table, so that a state
// holds a number and equal sets have equal numbers. No part of it knows instructions or CUDA.
#ifndef CUDALINT_ENGINE_PENDING_H
#define CUDALINT_ENGINE_PENDING_H

#include "base/idtable.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

// What is known of a stream or event, as bits. Nothing known: it may be any.
enum {
    HANDLE_CREATED = 1, // made by a call of this function: no other value that is known to be so
    HANDLE_ENTRY = 2,   // existed when the function was entered: none that the function made
    HANDLE_LEGACY = 4,  // the legacy default stream
    HANDLE_OWN = 8,     // the default stream of the thread
    HANDLE_NONBLOCKING = 16, // of a created stream: does not wait for the legacy default stream
    HANDLE_BLOCKING =
        32,            // of a created stream: waits for the legacy default stream, and it for this
    HANDLE_EVENT = 64, // an event, not a stream
};

#define HANDLE_UNKNOWN UINT32_MAX

typedef struct {
    uint32_t value; // SymId of the handle; one for each default stream; HANDLE_UNKNOWN: any
    uint32_t facts; // HANDLE_ bits
} Handle;

// What the work does with the resource, as bits; both: one of them, not known which.
enum { WORK_READS = 1, WORK_WRITES = 2, WORK_UNSURE = 3 };

typedef enum {
    WORK_KERNEL,  // a launch
    WORK_COPY,    // a copy
    WORK_SET,     // any other queued work
    WORK_CREATES, // a stream-ordered allocation: the memory exists from then on
    WORK_RECORDS, // of an event: its record
} WorkKind;

#define WORK_MAX_COVERS 6
#define PENDING_MAX_WORKS 4

typedef struct {
    WorkKind kind;
    uint32_t access;  // WORK_ bits
    uint32_t point;   // the instruction that queued it
    bool is_whole;    // it was given the resource by its name, not some part of it
    int64_t bytes;    // if not whole: what it certainly uses from the start on; 0: some part
    bool has_element; // it was given the resource as an element of an array, not known which:
    uint32_t element; // the value (SymId) of the index; IR_NONE: not known
    uint32_t slot;    // 1 + the constant index of the pointer that it was given; 0: none
    bool has_status;  // the call that queued it says whether it did:
    uint32_t queued;  // a value (SymId) that is zero if it did not
    uint32_t cover_count;
    Handle covers[WORK_MAX_COVERS]; // the first is the stream it was queued on
} Work;

typedef struct {
    uint32_t count;
    Work works[PENDING_MAX_WORKS];
} Pending;

// Sets seen so far, by number. Number 0 is the empty set, whether nothing was queued or nothing is
// certain.
typedef struct {
    Arena *arena;
    Vec(Pending) sets;
    IdTable index;
} PendingTable;

#define PENDING_NONE 0

void pending_table_init(PendingTable *table, Arena *arena);
const Pending *pending_at(const PendingTable *table, uint32_t id);
uint32_t pending_id(PendingTable *table, const Pending *pending);

// The two may be one stream, or one event.
bool handle_may_be(Handle a, Handle b);
// One of the two may be the legacy default stream and the other may wait for it.
bool handle_may_be_ordered(Handle a, Handle b);

// Adds work queued on `stream`. Work of the same instruction queued before by the same pointer is forgotten;
// without room that by any pointer is, or all of it: what is not certain is not claimed.
void pending_add(Pending *pending, Work work, Handle stream);
// Any work, of whatever kind, is queued on the stream: it may come after work of other streams.
void pending_enqueue(Pending *pending, Handle stream);
// The event stands for what was queued on the stream.
void pending_record(Pending *pending, Handle event, Handle stream);
// Something out of sight records events and lets streams wait, not known which.
void pending_order_unknown(Pending *pending);
// The work is in flight no longer.
void pending_remove(Pending *pending, uint32_t index);
// Later work of the stream waits for the event.
void pending_wait(Pending *pending, Handle stream, Handle event);
// The host waited for the stream, or for the event.
void pending_sync(Pending *pending, Handle handle);
// The value `from` is called `to` now.
void pending_rename(Pending *pending, uint32_t from, uint32_t to);
// The first work of one of `kinds` (bits of WorkKind), NULL when there is none.
const Work *pending_any(const Pending *pending, uint32_t kinds);
// Likewise one with one of the accesses that work queued on `stream` certainly does not come after.
const Work *pending_unordered(const Pending *pending, Handle stream, uint32_t kinds,
                              uint32_t access);

#endif
