// SPDX-License-Identifier: MIT
// libcudaverify.so: CUDA_INJECTION64_PATH has the driver load it into a program and call
// InitializeInjection. It listens to CUPTI's callbacks and reports each outermost call of the runtime or
// the driver to the tracker; what the runtime calls inside itself is not the program's doing.
#include "inject/gpu.h"
#include "inject/launches.h"
#include "record/track.h"

#include <cuda.h>
#include <cupti.h>
#include <pthread.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int InitializeInjection(void);
LibraryRecorderGet cudalint_library_recorder;

// What the callbacks of this library are given.
typedef struct {
    Tracker *tracker;
    Launches *launches;
} Injection;

// The call that the thread is in.
typedef struct {
    uint32_t depth;  // calls within calls
    bool is_tracked; // the outermost one is known to the models
    TrackCall call;
} Thread;

static _Thread_local Thread thread;
// What runs at exit is given nothing.
static Tracker *ended_at_exit;
// The process has one.
static LibraryRecorder recorder = {.enter = track_library_enter, .leave = track_library_leave};

static uint64_t read_argument(const CallbackField *field, const char *block)
{
    const char *at = block + field->offset;
    if (field->is_structure) return (uint64_t)(uintptr_t)at;
    uint64_t value = 0;
    memcpy(&value, at, field->size < sizeof value ? field->size : sizeof value); // little-endian
    return value;
}

static void enter(const Injection *injection, const Callback *callback,
                  const CUpti_CallbackData *data, bool is_driver)
{
    thread.is_tracked = callback != NULL && callback->function != NULL;
    if (!thread.is_tracked) return;
    TrackCall *call = &thread.call;
    call->function = callback->function;
    call->is_driver = is_driver;
    call->is_per_thread = callback->is_per_thread;
    call->arg_count =
        callback->field_count < TRACK_MAX_ARGS ? callback->field_count : TRACK_MAX_ARGS;
    for (uint32_t i = 0; i < call->arg_count; i++)
        call->args[i] = read_argument(&callback->fields[i], data->functionParams);
    track_enter(injection->tracker, call);
}

static void leave(const Injection *injection, void *result)
{
    if (!thread.is_tracked) return;
    int32_t *code = result; // cudaError_t, CUresult
    if (code != NULL) *code = track_exit(injection->tracker, &thread.call, *code);
}

static const Callback *find_callback(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    bool is_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    size_t count = is_runtime ? callbacks_runtime_count : callbacks_driver_count;
    if (id >= count) return NULL;
    return is_runtime ? &callbacks_runtime[id] : &callbacks_driver[id];
}

static void CUPTIAPI on_callback(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                 const void *detail)
{
    const Injection *injection = data;
    if (gpu_is_asking()) return; // our own calls
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        launches_forget(injection->launches);
        return;
    }
    const CUpti_CallbackData *call = detail;
    if (call->callbackSite == CUPTI_API_ENTER) {
        bool is_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;
        if (thread.depth++ == 0) enter(injection, find_callback(domain, id), call, is_driver);
        if (is_driver && thread.is_tracked)
            launches_see(injection->launches, injection->tracker, &thread.call, id, call);
    } else if (thread.depth > 0 && --thread.depth == 0) {
        leave(injection, call->functionReturnValue);
        thread.is_tracked = false;
    }
}

// Callbacks of the driver that nothing depends on are not asked for: each one costs time, and the
// runtime's every call makes several.
static bool is_wanted(const Callback *callback)
{
    const ApiFunction *function = callback->function;
    if (function == NULL) return false;
    return function->effect_count != 0 || function->is_fallible;
}

static CUptiResult enable(const Tracker *tracker, CUpti_SubscriberHandle subscriber)
{
    CUptiResult result = cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
    if (result != CUPTI_SUCCESS) return result;
    for (size_t i = 0; i < launches_of_runtime_count && !track_numbers_calls(tracker); i++)
        cuptiEnableCallback(0, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, launches_of_runtime[i]);
    for (size_t i = 1; i < callbacks_driver_count; i++) {
        if (!is_wanted(&callbacks_driver[i])) continue;
        // A driver older than the headers does not know them all.
        cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, (CUpti_CallbackId)i);
    }
    return cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                               CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
}

static int refuse(CUptiResult result)
{
    const char *text = "unknown error";
    cuptiGetResultString(result, &text);
    fprintf(stderr, "cudalint: error: CUPTI refuses to record this program: %s\n", text);
    return 1; // the program goes on without us
}

// Registered twice, when recording begins and when the driver is there: what was registered last is
// run first, and then the context is still there.
static void end(void)
{
    Tracker *tracker = ended_at_exit;
    ended_at_exit = NULL;
    if (tracker != NULL) track_end(tracker);
}

static void open_recorder(void)
{
    TrackBackend backend = gpu_backend();
    ended_at_exit = recorder.tracker = track_open(&backend);
    if (recorder.tracker == NULL) return;
    atexit(end);
    track_catch_crashes(recorder.tracker);
}

// Whoever comes first opens it: the driver, or a library that is called before.
static Tracker *get_tracker(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_recorder);
    return recorder.tracker;
}

__attribute__((visibility("default"))) const LibraryRecorder *cudalint_library_recorder(void)
{
    return get_tracker() != NULL ? &recorder : NULL;
}

// Called by the driver when it is initialised.
__attribute__((visibility("default"))) int InitializeInjection(void)
{
    static Injection injection; // lives as long as the process
    if (injection.tracker != NULL) return 1;
    injection.tracker = get_tracker();
    if (injection.tracker == NULL) return 1;
    injection.launches = launches_new();
    atexit(end);
    CUpti_SubscriberHandle subscriber;
    CUptiResult result = cuptiSubscribe(&subscriber, on_callback, &injection);
    if (result == CUPTI_SUCCESS) result = enable(injection.tracker, subscriber);
    return result == CUPTI_SUCCESS ? 1 : refuse(result);
}
