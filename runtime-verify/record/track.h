// SPDX-License-Identifier: MIT
// Tracker: follows the API calls of a process, knows what is live, writes records (RECORDS.md) and
// makes calls fail. The recorder on a GPU and the simulated runtime both report to it: before
// and after each outermost call, with its arguments. Thread-safe.
#ifndef RUNTIME_VERIFY_RECORD_TRACK_H
#define RUNTIME_VERIFY_RECORD_TRACK_H

#include "record/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACK_MAX_ARGS 32

// What the tracker asks of the side that reports to it. Called in the reporting thread, without any
// lock of the tracker held.
typedef struct {
    const char *by;          // "gpu", "simulator"
    int32_t runtime_version; // as CUDA counts them; 0: unknown
    int32_t driver_version;
    // Is there unfinished work on the stream?
    bool (*stream_is_busy)(void *context, uint64_t stream);
    // Ordinal of the calling thread's current device, -1 when there is none.
    int (*current_device)(void *context);
    // Name and memory of a device.
    void (*describe_device)(void *context, int device, char name[static 64], uint64_t *bytes);
    // Size of what was acquired; 0 for things without size.
    uint64_t (*size_of)(void *context, uint16_t resource, uint64_t handle);
    // Waits until all work is done; the error that some of it ended with, else 0.
    int32_t (*wait)(void *context);
    // Really releases it, because the call that acquired it is made to fail.
    void (*undo)(void *context, uint16_t resource, uint64_t handle);
    void *context;
} TrackBackend;

typedef struct Tracker Tracker;

// One call under way; lives in the reporting side from enter to exit.
typedef struct TrackCall {
    const ApiFunction *function;
    // As passed, extended to 64 bits; of a structure passed by value, its address.
    uint64_t args[TRACK_MAX_ARGS];
    uint32_t arg_count;
    bool is_driver;     // of the driver API
    bool is_library;    // of a library beside the runtime and the driver
    bool is_per_thread; // its default stream is the thread's own
    // The tracker's own, from here on.
    uint64_t n, k;
    uint32_t stack;
    bool fails;                         // is made to fail
    bool queued;                        // work of it was counted on its stream
    uint64_t released, released_handle; // what it releases, by number of the acquisition
    const struct TrackCall *outer;      // the library's call that this one is within, or NULL
} TrackCall;

// How libcudaverify-handles.so, which wraps the functions of libraries, reports to the recorder of
// the process. `args` and `arg_count` of the call are set before.
typedef struct {
    Tracker *tracker;
    // Before the call. False: it is made to fail, and must not be made.
    bool (*enter)(Tracker *tracker, TrackCall *call, const char *function);
    // After it returned `result`, or was not made. Returns what the program must see.
    int32_t (*leave)(Tracker *tracker, TrackCall *call, int32_t result);
} LibraryRecorder;

// The name under which recorders export a function of this type: NULL when nothing is recorded.
#define LIBRARY_RECORDER "cudalint_library_recorder"
typedef const LibraryRecorder *LibraryRecorderGet(void);

bool track_library_enter(Tracker *tracker, TrackCall *call, const char *function);
int32_t track_library_leave(Tracker *tracker, TrackCall *call, int32_t result);

// Opens the record file of this process as the environment says (RECORDS.md). NULL when nothing is
// to be recorded. The backend is copied.
Tracker *track_open(const TrackBackend *backend);
// Does anybody want fallible calls to be numbered the same in every run? Otherwise a reporting side
// may leave launches to the driver's report of them.
bool track_numbers_calls(const Tracker *tracker);
// Before the call is made.
void track_enter(Tracker *tracker, TrackCall *call);
// A launch between enter and exit: the kernel's name (the same pointer each time), its stream,
// and the 8-byte words among its arguments that may be pointers.
void track_launch(Tracker *tracker, TrackCall *call, const char *kernel, uint64_t stream,
                  const uint64_t *words, size_t count);
// After the call returned `result`. Returns what the program must see instead.
int32_t track_exit(Tracker *tracker, TrackCall *call, int32_t result);
// The program called a function that the simulator does not know how to do, and that failed for it.
void track_unsupported(Tracker *tracker, const char *function);
// Records the signals that end the process, with the stack, before they do. Signals that the
// program handles itself are left alone. For one tracker of a process.
void track_catch_crashes(Tracker *tracker);
// The process ends by itself: says so in the records. Calls may follow.
void track_end(Tracker *tracker);
// Closes the file and frees everything. Recorders live as long as their process and do not call it.
void track_close(Tracker *tracker);

#endif
