// SPDX-License-Identifier: MIT
// Reads the arguments of launches. How a kernel's arguments lie is asked once for each kernel.
#include "inject/launches.h"

#include "base/idtable.h"
#include "base/vec.h"
#include "inject/gpu.h"

#include <cuda.h>

#include <pthread.h>
#include <string.h>

// The pointers that one launch may pass.
#define MAX_WORDS 256

// A parameter that is large enough to hold a pointer.
typedef struct {
    uint32_t index;
    uint32_t offset; // in the packed buffer
    uint32_t words;  // of 8 bytes
} Parameter;

typedef struct {
    Vec(Parameter) parameters;
} Kernel;

struct Launches {
    pthread_mutex_t lock;
    Arena *arena;
    ArenaMark empty;
    IdTable ids; // kernel → index in `kernels`
    Vec(Kernel) kernels;
};

// One launch as a callback describes it.
typedef struct {
    CUfunction kernel;
    CUstream stream;
    void **parameters; // NULL: the arguments are in `extra`
    void **extra;
} Launch;

const CUpti_CallbackId launches_of_runtime[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_ptsz_v9000,
};
const size_t launches_of_runtime_count = sizeof launches_of_runtime / sizeof *launches_of_runtime;

Launches *launches_new(void)
{
    Arena *arena = arena_new("launches");
    Launches *launches = ARENA_NEW(arena, Launches);
    launches->arena = arena_new("kernels");
    launches->empty = arena_mark(launches->arena);
    pthread_mutex_init(&launches->lock, NULL);
    return launches;
}

void launches_forget(Launches *launches)
{
    pthread_mutex_lock(&launches->lock);
    launches->ids = (IdTable){0};
    launches->kernels.len = launches->kernels.cap = 0;
    launches->kernels.items = NULL;
    arena_reset(launches->arena, launches->empty);
    pthread_mutex_unlock(&launches->lock);
}

static CUstream per_thread(CUstream stream)
{
    return stream == NULL ? CU_STREAM_PER_THREAD : stream;
}

static bool read_launch(CUpti_CallbackId id, const void *block, Launch *launch)
{
    const cuLaunchKernel_params *plain = block;
    const cuLaunchKernelEx_params *extended = block;
    const cuLaunchCooperativeKernel_params *cooperative = block;
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
        *launch = (Launch){plain->f, plain->hStream, plain->kernelParams, plain->extra};
        break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
        *launch = (Launch){extended->f, extended->config->hStream, extended->kernelParams,
                           extended->extra};
        break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
        *launch = (Launch){cooperative->f, cooperative->hStream, cooperative->kernelParams, NULL};
        break;
    default:
        return false;
    }
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
        id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz ||
        id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz)
        launch->stream = per_thread(launch->stream);
    return true;
}

// The runtime passes kernels of libraries where the driver's interface says function.
static bool parameter_info(CUfunction kernel, size_t index, size_t *offset, size_t *size)
{
    if (cuKernelGetParamInfo((CUkernel)kernel, index, offset, size) == CUDA_SUCCESS) return true;
    return cuFuncGetParamInfo(kernel, index, offset, size) == CUDA_SUCCESS;
}

// Locked.
static const Kernel *find_kernel(Launches *launches, CUfunction function)
{
    uint64_t hash = hash_mix(1, (uint64_t)(uintptr_t)function);
    uint32_t cursor = 0, id;
    if (idtable_next(&launches->ids, hash, &cursor, &id)) return &launches->kernels.items[id];
    Kernel kernel = {0};
    size_t offset, size;
    gpu_ask_begin();
    for (uint32_t i = 0; parameter_info(function, i, &offset, &size); i++) {
        Parameter parameter = {i, (uint32_t)offset, (uint32_t)(size / 8)};
        if (parameter.words != 0) vec_push(launches->arena, &kernel.parameters, parameter);
    }
    gpu_ask_end();
    idtable_add(launches->arena, &launches->ids, hash, launches->kernels.len);
    vec_push(launches->arena, &launches->kernels, kernel);
    return vec_last(&launches->kernels);
}

// The packed arguments, where a launch passes them in one buffer.
static const char *packed_arguments(void **extra)
{
    for (; extra != NULL && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) return extra[1];
    }
    return NULL;
}

static size_t read_words(const Kernel *kernel, const Launch *launch, uint64_t words[MAX_WORDS])
{
    const char *packed = launch->parameters == NULL ? packed_arguments(launch->extra) : NULL;
    size_t count = 0;
    for (uint32_t i = 0; i < kernel->parameters.len; i++) {
        const Parameter *parameter = &kernel->parameters.items[i];
        const char *at = packed != NULL ? packed + parameter->offset : NULL;
        if (launch->parameters != NULL) at = launch->parameters[parameter->index];
        if (at == NULL) continue;
        uint32_t fit = MAX_WORDS - (uint32_t)count;
        uint32_t taken = parameter->words < fit ? parameter->words : fit;
        memcpy(&words[count], at, taken * sizeof *words);
        count += taken;
    }
    return count;
}

void launches_see(Launches *launches, Tracker *tracker, TrackCall *call, CUpti_CallbackId id,
                  const CUpti_CallbackData *data)
{
    Launch launch;
    uint64_t words[MAX_WORDS];
    if (!read_launch(id, data->functionParams, &launch)) return;
    pthread_mutex_lock(&launches->lock);
    size_t count = read_words(find_kernel(launches, launch.kernel), &launch, words);
    pthread_mutex_unlock(&launches->lock);
    const char *name = data->symbolName != NULL ? data->symbolName : "?";
    track_launch(tracker, call, name, (uint64_t)(uintptr_t)launch.stream, words, count);
}
