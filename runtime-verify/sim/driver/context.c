// SPDX-License-Identifier: MIT
// The frame around calls of the driver API; devices and contexts. Memory belongs to devices here, so
// that destroying a context takes nothing along but itself.
#include "driver.h"

#include <stdio.h>
#include <string.h>

static SimObject *current_context(const Call *call)
{
    const Thread *thread = call->thread;
    if (thread->context_count == 0) return NULL;
    return sim_object_find(call->sim, thread->contexts[thread->context_count - 1], SIM_CONTEXT);
}

Call driver_begin(const char *function, const uint64_t *args, size_t count, DriverWants wants)
{
    Call call = call_begin(function, args, count);
    call.thread->driver_depth++;
    call.last_error = call.thread->last_error;
    if (call.runs && wants != WANTS_NOTHING && !call.runtime->has_driver)
        call.error = (SimError)DRIVER_NOT_INITIALIZED;
    else if (call.runs && wants == WANTS_CONTEXT && !current_context(&call))
        call.error = (SimError)DRIVER_NO_CONTEXT;
    call.runs = call.error == SIM_OK;
    return call;
}

CUresult driver_end(Call *call)
{
    // The runtime's last error is none of the driver's business.
    call->thread->driver_depth--;
    cudaError_t error = call_end(call);
    call->thread->last_error = call->last_error;
    return (CUresult)error;
}

CUresult cuInit(unsigned flags)
{
    Call call = DRIVER_CALL(WANTS_NOTHING, flags);
    if (call.runs) call.runtime->has_driver = true;
    return driver_end(&call);
}

CUresult cuDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = cudaGetErrorName((cudaError_t)error);
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

// ---- devices ----

CUresult cuDeviceGetCount(int *count)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(count));
    if (call.runs) *count = call.sim->device_count;
    return driver_end(&call);
}

static bool is_device(Call *call, int device)
{
    if (call->runs && (device < 0 || device >= call->sim->device_count))
        call->error = SIM_INVALID_DEVICE;
    return call->runs && call->error == SIM_OK;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(device), WORD(ordinal));
    if (is_device(&call, ordinal)) *device = ordinal;
    return driver_end(&call);
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(name), WORD(size), WORD(device));
    if (is_device(&call, device) && size > 0)
        snprintf(name, (size_t)size, "Simulated device %d", device);
    return driver_end(&call);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(bytes), WORD(device));
    if (is_device(&call, device)) *bytes = call.sim->device_bytes;
    return driver_end(&call);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(value), attribute, WORD(device));
    // The attributes of both interfaces have the same numbers.
    if (is_device(&call, device))
        call.error =
            (SimError)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
    return driver_end(&call);
}

// ---- contexts ----

static SimHandle primary_context(const Call *call, int device)
{
    SimHandle *handle = &call->runtime->primary_contexts[device];
    if (*handle == 0) {
        const SimObject *context = sim_object_new(call->sim, SIM_CONTEXT, sizeof *context, device);
        *handle = context->handle;
    }
    return *handle;
}

void driver_use_primary(Call *call)
{
    Thread *thread = call->thread;
    call->runtime->has_driver = true;
    if (thread->context_count != 0 || thread->device >= call->sim->device_count) return;
    thread->contexts[thread->context_count++] = primary_context(call, thread->device);
}

static SimError push(Call *call, SimHandle handle)
{
    Thread *thread = call->thread;
    const SimObject *context = sim_object_find(call->sim, handle, SIM_CONTEXT);
    if (context == NULL || thread->context_count == CONTEXTS_MOST)
        return (SimError)DRIVER_NO_CONTEXT;
    thread->contexts[thread->context_count++] = handle;
    thread->device = context->device;
    return SIM_OK;
}

static void pop(Call *call)
{
    if (call->thread->context_count > 0) call->thread->context_count--;
    const SimObject *context = current_context(call);
    if (context != NULL) call->thread->device = context->device;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context), WORD(device));
    if (is_device(&call, device)) *context = (CUcontext)primary_context(&call, device);
    return driver_end(&call);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(device));
    is_device(&call, device);
    return driver_end(&call);
}

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                     CUdevice device)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context), WORD(parameters), flags, WORD(device));
    if (is_device(&call, device)) {
        const SimObject *made = sim_object_new(call.sim, SIM_CONTEXT, sizeof *made, device);
        *context = (CUcontext)made->handle;
        call.error = push(&call, made->handle);
    }
    return driver_end(&call);
}

CUresult cuCtxDestroy(CUcontext context)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context));
    SimObject *object = call.runs ? sim_object_find(call.sim, WORD(context), SIM_CONTEXT) : NULL;
    if (object != NULL) {
        bool is_current = current_context(&call) == object;
        sim_object_delete(call.sim, object);
        if (is_current) pop(&call);
    } else if (call.runs) {
        call.error = (SimError)DRIVER_NO_CONTEXT;
    }
    return driver_end(&call);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context));
    const SimObject *current = call.runs ? current_context(&call) : NULL;
    if (call.runs) *context = current != NULL ? (CUcontext)current->handle : NULL;
    return driver_end(&call);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context));
    if (call.runs) pop(&call);
    if (call.runs && context != NULL) call.error = push(&call, WORD(context));
    return driver_end(&call);
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    Call call = DRIVER_CALL(WANTS_DRIVER, WORD(context));
    if (call.runs) call.error = push(&call, WORD(context));
    return driver_end(&call);
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(context));
    if (call.runs) {
        if (context != NULL) *context = (CUcontext)current_context(&call)->handle;
        pop(&call);
    }
    return driver_end(&call);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(device));
    if (call.runs) *device = call.thread->device;
    return driver_end(&call);
}

CUresult cuCtxSynchronize(void)
{
    Call call = driver_begin(__func__, NULL, 0, WANTS_CONTEXT);
    if (call.runs) call.error = (SimError)cudaDeviceSynchronize();
    return driver_end(&call);
}
