// SPDX-License-Identifier: MIT
// Sim: the host's view of CUDA devices, without any device. Memory has addresses and contents,
// streams have work in flight, and work is done when the host waits for it, never earlier: so
// whatever a program reads or frees too early, it reads and frees too early each time.
//
// This is the core: it knows nothing of the CUDA headers, takes no lock (callers do), and keeps
// no state outside a Sim. Error codes are those of cudaError_t.
#ifndef RUNTIME_VERIFY_SIM_H
#define RUNTIME_VERIFY_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

typedef enum {
    SIM_OK = 0,
    SIM_INVALID_VALUE = 1,
    SIM_OUT_OF_MEMORY = 2,
    SIM_INVALID_CONFIGURATION = 9,
    SIM_INVALID_SYMBOL = 13,
    SIM_INVALID_DIRECTION = 21,
    SIM_INVALID_FUNCTION = 98,
    SIM_INVALID_DEVICE = 101,
    SIM_INVALID_HANDLE = 400,
    SIM_ILLEGAL_STATE = 401,
    SIM_NOT_READY = 600,
    SIM_ILLEGAL_ADDRESS = 700,
    SIM_PEER_ENABLED = 704,
    SIM_PEER_NOT_ENABLED = 705,
    SIM_NOT_PERMITTED = 800,
    SIM_ALREADY_REGISTERED = 712,
    SIM_NOT_REGISTERED = 713,
    SIM_NOT_SUPPORTED = 801,
    SIM_CAPTURE_UNSUPPORTED = 900,
    SIM_CAPTURE_INVALIDATED = 901,
    SIM_CAPTURE_UNMATCHED = 903,
    SIM_CAPTURE_UNJOINED = 904,
    SIM_CAPTURE_ISOLATION = 905,
    SIM_CAPTURE_IMPLICIT = 906,
    SIM_CAPTURED_EVENT = 907,
} SimError;

struct Sim;
typedef uint64_t SimHandle; // of streams, events, graphs, ...; 0 is none

// ---- memory ----

typedef enum {
    SIM_PAGEABLE, // the program's own memory: never a block
    SIM_DEVICE,
    SIM_MANAGED,
    SIM_PINNED,
    SIM_POOL,             // of the stream-ordered allocator
    SIM_REGISTERED,       // the program's memory, pinned by it
    SIM_VARIABLE,         // a __device__ variable: lives as long as the program
    SIM_MANAGED_VARIABLE, // a __managed__ one
    SIM_ARRAY,            // a CUDA array: has a handle, no address of its own
} SimSpace;

// Contents. Shared by a block, the work in flight on it, and a pool that may hand it out again.
typedef struct {
    char *data;
    size_t size;
    int refs;
    bool is_mapped;  // by mmap; else by calloc
    bool is_foreign; // the program's own memory
    size_t guard;    // bytes before it that are mapped with it
} SimBytes;

typedef struct {
    uintptr_t address;
    size_t size;
    SimSpace space;
    int device;
    unsigned flags;
    SimBytes *bytes;
    SimHandle pool;   // where it goes back to
    int refs;         // the table's and those of work in flight
    bool is_live;     // not yet released
    bool is_unmapped; // released in a way that takes it from work in flight
} SimBlock;

// ---- things with handles ----

typedef enum {
    SIM_STREAM,
    SIM_EVENT,
    SIM_GRAPH,
    SIM_GRAPH_EXEC,
    SIM_GRAPH_NODE,
    SIM_MEMPOOL,
    SIM_CUDA_ARRAY,
    SIM_MIPMAPPED_ARRAY,
    SIM_TEXTURE,
    SIM_SURFACE,
    SIM_USER_OBJECT,
    SIM_KERNEL,
    SIM_LIBRARY,
    SIM_CONTEXT,
    SIM_MODULE,
} SimKind;

// What all of them begin with.
typedef struct {
    SimHandle handle;
    SimKind kind;
    int device;
    void (*end)(struct Sim *sim, void *object); // frees what it owns; NULL: nothing
    UT_hash_handle hh;
} SimObject;

typedef struct {
    SimObject object;
    unsigned flags;
    int priority;
    bool is_blocking; // ordered with the legacy default stream
    bool is_legacy;
    uint64_t last;     // number of the last work queued
    int queries;       // that found it busy since it was last waited for
    SimHandle capture; // graph that what is queued becomes a node of
    SimHandle tail;    // the node that the next one comes after
    bool is_joined;    // the stream where the capture began waits for the tail
} SimStream;

typedef struct {
    SimObject object;
    unsigned flags;
    uint64_t work;  // that it stands for; 0: never recorded
    double time_ms; // when that was done
    int queries;
    SimHandle capture; // graph in whose capture it was recorded, and where in it
    SimHandle node;
    SimHandle stream;
} SimEvent;

// ---- work ----

typedef enum {
    SIM_WORK_MARK,
    SIM_WORK_KERNEL,
    SIM_WORK_COPY,
    SIM_WORK_SET,
    SIM_WORK_HOST
} SimWorkKind;

// A region of memory seen as rows and slices.
typedef struct {
    SimBlock *block; // NULL: the program's own memory at `address`
    uintptr_t address;
    size_t pitch;  // bytes from row to row
    size_t height; // rows from slice to slice
} SimRegion;

typedef struct {
    size_t width, height, depth; // bytes, rows, slices
} SimExtent;

typedef struct {
    SimWorkKind kind;
    uint64_t number; // in the order of queueing, from 1
    int device;
    bool is_needed;  // during one wait
    bool is_held;    // its blocks stay while it is there
    uint64_t *after; // numbers of the work it comes after
    size_t after_count;
    SimRegion to, from; // of a copy; `to` of a set, too
    SimExtent extent;
    char *staged;   // the source as it was when the copy was queued
    uint32_t value; // of a set, and the bytes of one element
    size_t value_size;
    SimBlock **uses; // of a kernel
    size_t use_count;
    bool faults; // was given an address that the device cannot reach
    void (*host_function)(void *);
    void *host_data;
    SimHandle event; // of a mark: the event it records
} SimWork;

typedef struct Sim {
    int device_count;
    uint64_t device_bytes;
    uint64_t *used_bytes; // by device
    int busy_answers;     // so many queries find work unfinished before it is done
    SimBlock **blocks;    // live, by address
    size_t block_count, block_capacity;
    uintptr_t space_base, space_next, space_end; // addresses for device memory
    struct SimRanges *free_ranges;               // for device memory to come
    SimObject *objects;                          // by handle
    SimHandle last_handle;
    SimStream **streams; // all
    size_t stream_count, stream_capacity;
    SimStream **legacy; // default stream, by device
    SimWork **pending;  // by number
    size_t pending_count, pending_capacity;
    uint64_t last_work;
    SimError fault; // what every call returns from then on
} Sim;

Sim *sim_new(int device_count, uint64_t device_bytes, int busy_answers);
void sim_delete(Sim *sim);

// malloc and realloc that do not fail.
void *sim_allocate(size_t size);
void *sim_grow(void *items, size_t count, size_t *capacity, size_t item_size);

// ---- memory.c ----

// Memory that the API hands out. On failure *out is NULL.
SimError sim_memory_new(Sim *sim, SimSpace space, size_t size, int device, SimBlock **out);
// The program's own memory: [address, address + size).
SimError sim_memory_register(Sim *sim, uintptr_t address, size_t size, SimSpace space,
                             SimBlock **out);
// The live block that holds the address, or NULL. A block of size 0 holds its start.
SimBlock *sim_memory_find(const Sim *sim, uintptr_t address);
// Takes the block from the program; its contents stay for the work that uses it.
void sim_memory_release(Sim *sim, SimBlock *block);
// Everything of the device, as a reset does; device -1: of all.
void sim_memory_release_all(Sim *sim, int device);
bool sim_memory_is_device_address(const Sim *sim, uintptr_t address);
void sim_block_hold(SimBlock *block);
void sim_block_drop(SimBlock *block);
SimBytes *sim_bytes_new(size_t size);
void sim_bytes_drop(SimBytes *bytes);
// A block over given contents; takes a reference to them. Not counted as used.
SimBlock *sim_block_new(Sim *sim, SimSpace space, uintptr_t address, size_t size, SimBytes *bytes);
// Addresses for device memory, aligned; 0 when they are all used up.
uintptr_t sim_space_take(Sim *sim, size_t size);
void sim_space_give_back(Sim *sim);
bool sim_space_is_host(SimSpace space); // the host may read it
// Where the simulator itself reads and writes the byte.
char *sim_block_at(const SimBlock *block, uintptr_t address);

// ---- ranges.c: addresses (and contents) that may be handed out again, by size ----

typedef struct SimRanges SimRanges;

typedef struct {
    uintptr_t address;
    size_t size;
    SimBytes *bytes;  // kept by pools, else NULL
    SimHandle stream; // free from the work `after` on, or on this stream
    uint64_t after;
} SimRange;

void sim_ranges_add(SimRanges **ranges, SimRange range);
// The one added last that fits exactly and is free for the stream (NULL: only ones whose work is
// done). False when there is none.
bool sim_ranges_take(const Sim *sim, SimRanges **ranges, size_t size, const SimStream *stream,
                     SimRange *out);
// Ends the set; `drop` gets each range.
void sim_ranges_delete(Sim *sim, SimRanges **ranges, void (*drop)(Sim *, const SimRange *));

// ---- object.c ----

void *sim_object_new(Sim *sim, SimKind kind, size_t size, int device);
// The object of the handle, or NULL when it is no live one of that kind.
void *sim_object_find(const Sim *sim, SimHandle handle, SimKind kind);
void sim_object_delete(Sim *sim, void *object);

// ---- stream.c ----

SimStream *sim_stream_new(Sim *sim, int device, bool is_blocking);
void sim_stream_delete(Sim *sim, SimStream *stream);
SimEvent *sim_event_new(Sim *sim, int device, unsigned flags);
SimError sim_event_record(Sim *sim, SimEvent *event, SimStream *stream);
SimError sim_stream_wait_event(Sim *sim, SimStream *stream, const SimEvent *event);
SimError sim_event_elapsed(const Sim *sim, const SimEvent *start, const SimEvent *stop, float *ms);
SimError sim_stream_query(Sim *sim, SimStream *stream);
SimError sim_event_query(Sim *sim, SimEvent *event);

// ---- work.c ----

SimWork *sim_work_new(SimWorkKind kind);
// Queues it: it comes after what the stream's rules and `after` say.
void sim_work_queue(Sim *sim, SimStream *stream, SimWork *work);
void sim_work_comes_after(SimWork *work, uint64_t number);
void sim_work_delete(SimWork *work);
// The same work once more, not queued.
SimWork *sim_work_copy(const SimWork *work);
// Keeps its blocks until it is deleted; queueing does that.
void sim_work_hold(SimWork *work);
bool sim_work_is_done(const Sim *sim, uint64_t number);
// The host waits.
void sim_wait_work(Sim *sim, uint64_t number);
void sim_wait_stream(Sim *sim, SimStream *stream);
void sim_wait_device(Sim *sim, int device);
bool sim_stream_is_busy(const Sim *sim, const SimStream *stream);

// ---- copy.c ----

// How the host takes part in a copy.
typedef enum { SIM_COPY_SYNC, SIM_COPY_ASYNC } SimCopyMode;
typedef enum {
    SIM_HOST_TO_HOST,
    SIM_HOST_TO_DEVICE,
    SIM_DEVICE_TO_HOST,
    SIM_DEVICE_TO_DEVICE,
    SIM_DIRECTION_OF_POINTERS,
} SimDirection;

// `work` is a copy with regions and extent; it is queued, or done, or dropped with an error.
SimError sim_copy(Sim *sim, SimStream *stream, SimWork *work, SimDirection direction,
                  SimCopyMode mode);
SimError sim_set(Sim *sim, SimStream *stream, SimWork *work, SimCopyMode mode);
// The region at an address: finds its block.
SimRegion sim_region_at(const Sim *sim, uintptr_t address, size_t pitch, size_t height);
// What the work does, now.
void sim_copy_run(const SimWork *work);
void sim_set_run(const SimWork *work);

// ---- pool.c ----

typedef struct {
    SimObject object;
    bool is_default;
    bool is_destroyed; // goes when its last block is freed
    uint64_t used, used_high, release_threshold;
    size_t live;
    struct SimRanges *ranges;
} SimPool;

SimPool *sim_pool_new(Sim *sim, int device);
// In the order of the stream. On failure *out is NULL.
SimError sim_pool_allocate(Sim *sim, SimPool *pool, size_t size, const SimStream *stream,
                           SimBlock **out);
// In the order of the stream: whoever allocates on it next may get the same memory.
void sim_pool_free(Sim *sim, SimBlock *block, const SimStream *stream);
void sim_pool_trim(Sim *sim, SimPool *pool);
void sim_pool_delete(Sim *sim, SimPool *pool);

#endif
