// SPDX-License-Identifier: MIT
// Settings that change nothing that the simulator does: they are checked, kept, and can be asked
// back.
#include "runtime.h"

#include <cuda_profiler_api.h>

#include <stdio.h>

enum { LIMIT_COUNT = cudaLimitPersistingL2CacheSize + 1 };

// What the device starts with, by cudaLimit.
static const size_t first_limits[LIMIT_COUNT] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 8 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 128,
};

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    Call call = CALL(limit, value);
    if (call.runs && (unsigned)limit >= LIMIT_COUNT)
        call.error = (SimError)cudaErrorUnsupportedLimit;
    else if (call.runs)
        call.runtime->limits[limit] = value;
    return call_end(&call);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    Call call = CALL(WORD(value), limit);
    if (call.runs && !value)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs && (unsigned)limit >= LIMIT_COUNT)
        call.error = (SimError)cudaErrorUnsupportedLimit;
    else if (call.runs)
        *value = call.runtime->limits[limit] ? call.runtime->limits[limit] : first_limits[limit];
    return call_end(&call);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    Call call = CALL(flags);
    if (call.runs && flags & ~(unsigned)cudaDeviceMask)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        call.runtime->device_flags = flags;
    return call_end(&call);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    Call call = CALL(WORD(flags));
    if (call.runs && !flags)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *flags = call.runtime->device_flags;
    return call_end(&call);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    Call call = CALL(config);
    if (call.runs) call.runtime->cache_config = config;
    return call_end(&call);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    Call call = CALL(WORD(config));
    if (call.runs && !config)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *config = call.runtime->cache_config;
    return call_end(&call);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    Call call = CALL(WORD(mode));
    if (call.runs && !mode)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        enum cudaStreamCaptureMode wanted = *mode;
        *mode = call.thread->capture_mode;
        call.thread->capture_mode = wanted;
    }
    return call_end(&call);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    Call call = CALL(WORD(id), WORD(length), WORD(device));
    if (call.runs && (!id || length <= 0))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs && (device < 0 || device >= call.sim->device_count))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        snprintf(id, (size_t)length, "0000:%02X:00.0", (unsigned)device + 1);
    return call_end(&call);
}

cudaError_t cudaProfilerStart(void)
{
    Call call = call_begin(__func__, NULL, 0);
    return call_end(&call);
}

cudaError_t cudaProfilerStop(void)
{
    Call call = call_begin(__func__, NULL, 0);
    return call_end(&call);
}
