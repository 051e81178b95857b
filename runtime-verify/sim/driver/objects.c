// SPDX-License-Identifier: MIT
// Memory, streams, events and modules of the driver API. What may concern the default stream is in
// ordered/. Kernels of modules are not launched here: their code is not read.
#include "driver.h"

#include <unistd.h>

// ---- memory ----

CUresult cuMemAlloc(CUdeviceptr *out, size_t size)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(out), size);
    if (call.runs && size == 0)
        call.error = SIM_INVALID_VALUE; // measured; the runtime's succeeds
    else if (call.runs)
        call.error = (SimError)cudaMalloc((void **)out, size);
    return driver_end(&call);
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags)
{
    DRIVER_IS(cudaMallocManaged((void **)out, size, flags), WORD(out), size, flags);
}

CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
                         unsigned element)
{
    DRIVER_IS(cudaMallocPitch((void **)out, pitch, width, height), WORD(out), WORD(pitch), width,
              height, element);
}

CUresult cuMemAllocHost(void **out, size_t size)
{
    DRIVER_IS(cudaMallocHost(out, size), WORD(out), size);
}

CUresult cuMemHostAlloc(void **out, size_t size, unsigned flags)
{
    DRIVER_IS(cudaHostAlloc(out, size, flags), WORD(out), size, flags);
}

CUresult cuMemFree(CUdeviceptr memory)
{
    DRIVER_IS(cudaFree((void *)memory), memory);
}

CUresult cuMemFreeHost(void *memory)
{
    DRIVER_IS(cudaFreeHost(memory), WORD(memory));
}

CUresult cuMemHostRegister(void *memory, size_t size, unsigned flags)
{
    DRIVER_IS(cudaHostRegister(memory, size, flags), WORD(memory), size, flags);
}

CUresult cuMemHostUnregister(void *memory)
{
    DRIVER_IS(cudaHostUnregister(memory), WORD(memory));
}

CUresult cuMemGetInfo(size_t *unused, size_t *total)
{
    DRIVER_IS(cudaMemGetInfo(unused, total), WORD(unused), WORD(total));
}

// ---- streams and events ----

CUresult cuStreamCreate(CUstream *out, unsigned flags)
{
    DRIVER_IS(cudaStreamCreateWithFlags(out, flags), WORD(out), flags);
}

CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
    DRIVER_IS(cudaStreamCreateWithPriority(out, flags, priority), WORD(out), flags, WORD(priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    DRIVER_IS(cudaStreamDestroy(stream), WORD(stream));
}

CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    DRIVER_IS(cudaEventCreateWithFlags(out, flags), WORD(out), flags);
}

CUresult cuEventDestroy(CUevent event)
{
    DRIVER_IS(cudaEventDestroy(event), WORD(event));
}

CUresult cuEventQuery(CUevent event)
{
    DRIVER_IS(cudaEventQuery(event), WORD(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    DRIVER_IS(cudaEventSynchronize(event), WORD(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent stop)
{
    DRIVER_IS(cudaEventElapsedTime(ms, start, stop), WORD(ms), WORD(start), WORD(stop));
}

// ---- modules ----

static SimError load_module(const Call *call, CUmodule *out)
{
    if (out == NULL) return SIM_INVALID_VALUE;
    const SimObject *module =
        sim_object_new(call->sim, SIM_MODULE, sizeof *module, call->thread->device);
    *out = (CUmodule)module->handle;
    return SIM_OK;
}

CUresult cuModuleLoad(CUmodule *out, const char *file)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(out), WORD(file));
    if (call.runs && (file == NULL || access(file, R_OK) != 0))
        call.error = (SimError)DRIVER_FILE_NOT_FOUND;
    else if (call.runs)
        call.error = load_module(&call, out);
    return driver_end(&call);
}

CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(out), WORD(image));
    if (call.runs) call.error = image != NULL ? load_module(&call, out) : SIM_INVALID_VALUE;
    return driver_end(&call);
}

CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, CUjit_option *options,
                            void **values)
{
    Call call =
        DRIVER_CALL(WANTS_CONTEXT, WORD(out), WORD(image), count, WORD(options), WORD(values));
    if (call.runs) call.error = image != NULL ? load_module(&call, out) : SIM_INVALID_VALUE;
    return driver_end(&call);
}

CUresult cuModuleUnload(CUmodule module)
{
    Call call = DRIVER_CALL(WANTS_CONTEXT, WORD(module));
    void *object = call.runs ? sim_object_find(call.sim, WORD(module), SIM_MODULE) : NULL;
    if (object != NULL)
        sim_object_delete(call.sim, object);
    else if (call.runs)
        call.error = SIM_INVALID_HANDLE;
    return driver_end(&call);
}
