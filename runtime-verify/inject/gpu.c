// SPDX-License-Identifier: MIT
// Answers by driver calls, which work beside whatever runtime the program is linked with.
#include "inject/gpu.h"

#include <cuda.h>

#include <string.h>

static _Thread_local int asking;

bool gpu_is_asking(void)
{
    return asking != 0;
}

void gpu_ask_begin(void)
{
    asking++;
}

void gpu_ask_end(void)
{
    asking--;
}

// A query must not disturb a capture: other threads' modes may forbid it, and a stream that is
// captured has no work to ask about.
static bool stream_is_busy(void *context, uint64_t stream)
{
    (void)context;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    CUstream handle = (CUstream)(uintptr_t)stream;
    bool is_busy = false;
    gpu_ask_begin();
    if (cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS) {
        if (cuStreamIsCapturing(handle, &status) == CUDA_SUCCESS &&
            status == CU_STREAM_CAPTURE_STATUS_NONE)
            is_busy = cuStreamQuery(handle) == CUDA_ERROR_NOT_READY;
        cuThreadExchangeStreamCaptureMode(&mode);
    }
    gpu_ask_end();
    return is_busy;
}

// At the end of the process there may be nothing left to wait for: only what a kernel did is an error.
static int32_t wait(void *context)
{
    (void)context;
    gpu_ask_begin();
    CUresult result = cuCtxSynchronize();
    gpu_ask_end();
    bool is_gone = result == CUDA_ERROR_DEINITIALIZED || result == CUDA_ERROR_INVALID_CONTEXT ||
                   result == CUDA_ERROR_NOT_INITIALIZED ||
                   result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return is_gone ? 0 : (int32_t)result;
}

static int current_device(void *context)
{
    (void)context;
    CUdevice device;
    gpu_ask_begin();
    bool is_known = cuCtxGetDevice(&device) == CUDA_SUCCESS;
    gpu_ask_end();
    return is_known ? device : -1;
}

static void describe_device(void *context, int device, char name[static 64], uint64_t *bytes)
{
    (void)context;
    size_t total = 0;
    gpu_ask_begin();
    if (cuDeviceGetName(name, 64, device) != CUDA_SUCCESS) name[0] = '\0';
    if (cuDeviceTotalMem(&total, device) != CUDA_SUCCESS) total = 0;
    gpu_ask_end();
    *bytes = total;
}

static uint64_t bytes_of_format(CUarray_format format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return 4;
    default:
        return 0; // packed and compressed ones: their size is not told
    }
}

static uint64_t size_of_array(uint64_t handle)
{
    CUDA_ARRAY3D_DESCRIPTOR array;
    memset(&array, 0, sizeof array);
    if (cuArray3DGetDescriptor(&array, (CUarray)(uintptr_t)handle) != CUDA_SUCCESS) return 0;
    uint64_t elements =
        array.Width * (array.Height == 0 ? 1 : array.Height) * (array.Depth == 0 ? 1 : array.Depth);
    return elements * array.NumChannels * bytes_of_format(array.Format);
}

static uint64_t size_of_memory(uint64_t address)
{
    CUdeviceptr base = 0;
    size_t bytes = 0;
    if (cuMemGetAddressRange(&base, &bytes, address) == CUDA_SUCCESS) return bytes;
    bool is_known =
        cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) == CUDA_SUCCESS;
    return is_known ? bytes : 0;
}

// Is the kind this one of the models, or the same as it?
static bool is_kind(uint16_t resource, const char *name)
{
    for (; resource != API_NONE; resource = api_resources[resource].same_as) {
        if (strcmp(api_resources[resource].name, name) == 0) return true;
    }
    return false;
}

static uint64_t size_of(void *context, uint16_t resource, uint64_t handle)
{
    (void)context;
    uint64_t bytes = 0;
    gpu_ask_begin();
    if (api_resources[resource].is_memory)
        bytes = size_of_memory(handle);
    else if (is_kind(resource, "array"))
        bytes = size_of_array(handle);
    gpu_ask_end();
    return bytes;
}

static void undo(void *context, uint16_t resource, uint64_t handle)
{
    (void)context;
    gpu_ask_begin();
    if (callbacks_undo[resource] != NULL) callbacks_undo[resource](handle);
    gpu_ask_end();
}

TrackBackend gpu_backend(void)
{
    int version = 0;
    gpu_ask_begin();
    if (cuDriverGetVersion(&version) != CUDA_SUCCESS) version = 0;
    gpu_ask_end();
    return (TrackBackend){.by = "gpu",
                          .driver_version = version,
                          .stream_is_busy = stream_is_busy,
                          .wait = wait,
                          .current_device = current_device,
                          .describe_device = describe_device,
                          .size_of = size_of,
                          .undo = undo};
}
