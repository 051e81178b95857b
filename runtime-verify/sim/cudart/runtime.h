// SPDX-License-Identifier: MIT
// What the files of the stand-in for libcudart share: the one Runtime of the process, the state of
// a thread, and the frame around every call. Private to this folder.
#ifndef RUNTIME_VERIFY_SIM_RUNTIME_H
#define RUNTIME_VERIFY_SIM_RUNTIME_H

#include "../core/fatbin.h"
#include "../core/graph.h"
#include "../core/sim.h"
#include "record/track.h"

#include <cuda_runtime_api.h>

#include <pthread.h>

// A __device__ or __managed__ variable: an object on each device.
typedef struct {
    const void *symbol; // its shadow on the host, by which programs name it
    const char *name;
    size_t size;
    const void *image; // the fat binary it comes from
    SimBlock **blocks; // by device; NULL until used
    UT_hash_handle hh;
} Variable;

typedef struct {
    SimObject object;
    const char *name;    // mangled
    const void *image;   // the fat binary it comes from
    const void *symbol;  // its stub on the host, by which programs name it
    bool is_read;        // the image was asked for the parameters
    int parameter_count; // -1: not told
    SimParameter *parameters;
    UT_hash_handle hh; // by symbol
} Kernel;

typedef struct {
    pthread_mutex_t lock; // recursive: host functions run under it
    Sim *sim;
    Variable *variables; // by symbol
    Kernel *kernels;     // by symbol
    bool *peers;         // [device * count + peer]: access is enabled
    SimHandle *pools;    // current pool, by device
    SimHandle *default_pools;
    bool has_driver;                                   // the driver was initialised
    SimHandle *primary_contexts;                       // by device; 0: not yet
    size_t limits[cudaLimitPersistingL2CacheSize + 1]; // that were set; 0: not
    unsigned device_flags;
    enum cudaFuncCache cache_config;
    Tracker *tracker; // NULL: nothing is recorded
} Runtime;

typedef struct {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
} Configuration;

enum { CONTEXTS_MOST = 32 };

typedef struct {
    int device;
    cudaError_t last_error;
    Configuration configuration;             // pushed for the next launch
    SimHandle *streams;                      // per-thread default streams, by device
    SimHandle contexts[CONTEXTS_MOST];       // of the driver API; the last one is current
    int context_count, driver_depth;         // how deep in calls of the driver API
    enum cudaStreamCaptureMode capture_mode; // what captures of others forbid this thread
} Thread;

// One call of the API, from its first line to its last.
typedef struct {
    Runtime *runtime;
    Sim *sim;
    Thread *thread;
    SimError error;
    bool runs;              // false: it fails with `error` before it does anything
    cudaError_t last_error; // of the thread, when a call of the driver API began
    TrackCall track;        // no function: it is not recorded
} Call;

// What libcudaverify-handles.so asks for.
LibraryRecorderGet cudalint_library_recorder;
// Made at first use.
Runtime *runtime_get(void);
Thread *thread_get(void);

#define WORD(value) ((uint64_t)(uintptr_t)(value))
// The call of the function that contains it; its arguments as WORDs, structures by address.
#define CALL(...)                                                                                  \
    call_begin(__func__, (const uint64_t[]){0, __VA_ARGS__},                                       \
               sizeof((const uint64_t[]){0, __VA_ARGS__}) / sizeof(uint64_t) - 1)

// args[0] is not used: arguments count from 1.
Call call_begin(const char *function, const uint64_t *args, size_t count);
cudaError_t call_end(Call *call);
// The same for the calls whose result is the thread's last error.
cudaError_t call_end_with_last_error(Call *call, bool clears);
// A function that only exists: says so, once for each, and fails.
cudaError_t call_not_simulated(const char *function);

// The runtime works in the device's primary context where the thread has none.
void driver_use_primary(Call *call);
// The stream of a handle, the reserved ones included; NULL, with the call's error set, for one that
// does not exist.
SimStream *call_stream(Call *call, cudaStream_t handle);
SimStream *runtime_per_thread_stream(Runtime *runtime, Thread *thread);
// The handle by which programs name the stream.
uint64_t runtime_stream_handle(const Thread *thread, const SimStream *stream);
// What records the calls; NULL when nothing is to be recorded.
Tracker *backend_open(Runtime *runtime);
// Under CUDA_API_PER_THREAD_DEFAULT_STREAM the files with streams are compiled a second time.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define STREAM_OF(call, handle) call_stream(call, (handle) ? (handle) : cudaStreamPerThread)
#else
#define STREAM_OF(call, handle) call_stream(call, handle)
#endif

// Fails the call when a capture forbids it: one that is under way in global mode anywhere.
bool call_may_wait(Call *call);

// An array's memory and shape.
typedef struct {
    SimObject object;
    SimBlock *block;
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; // in elements
    size_t element_size, pitch, rows;
    unsigned flags;
} Array;

Array *array_find(const Sim *sim, cudaArray_const_t handle);
SimRegion array_region(const Array *array, size_t x_bytes, size_t y, size_t z);

// ---- register.c ----

size_t register_image_size(const void *image);
Variable *variable_find(const Runtime *runtime, const void *symbol);
SimBlock *variable_block(Runtime *runtime, Variable *variable, int device);

// ---- kernel.c ----

// A launch that was checked, not queued.
typedef struct {
    const Kernel *kernel;
    SimWork *work;
    uint64_t *words; // 8-byte words of the arguments, which may be pointers
    size_t word_count;
} KernelLaunch;

// By its stub's address or its handle; NULL when there is none.
Kernel *kernel_find(const Runtime *runtime, const void *function);
// Checks the configuration and reads the arguments. The caller takes the work and frees the words.
SimError kernel_prepare(const Runtime *runtime, const void *function,
                        const Configuration *configuration, void *const *arguments,
                        KernelLaunch *out);
// Tells the recorder of it.
void call_launch(Call *call, const KernelLaunch *launch, const SimStream *stream);

#endif
