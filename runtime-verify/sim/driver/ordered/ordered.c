// SPDX-License-Identifier: MIT
// What the driver API does on streams. Compiled twice: ../../cudart/runtime.h.
#include "../driver.h"

// An address of the driver API as the runtime has it.
static void *at(CUdeviceptr address)
{
    return (void *)address;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    DRIVER_IS(cudaStreamSynchronize(stream), WORD(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    DRIVER_IS(cudaStreamQuery(stream), WORD(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    DRIVER_IS(cudaStreamWaitEvent(stream, event, flags), WORD(stream), WORD(event), flags);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    DRIVER_IS(cudaEventRecord(event, stream), WORD(event), WORD(stream));
}

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream stream)
{
    DRIVER_IS(cudaMallocAsync((void **)out, size, stream), WORD(out), size, WORD(stream));
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream)
{
    DRIVER_IS(cudaFreeAsync(at(memory), stream), memory, WORD(stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size)
{
    DRIVER_IS(cudaMemcpy(at(to), from, size, cudaMemcpyHostToDevice), to, WORD(from), size);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size)
{
    DRIVER_IS(cudaMemcpy(to, at(from), size, cudaMemcpyDeviceToHost), WORD(to), from, size);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size)
{
    DRIVER_IS(cudaMemcpy(at(to), at(from), size, cudaMemcpyDeviceToDevice), to, from, size);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size)
{
    DRIVER_IS(cudaMemcpy(at(to), at(from), size, cudaMemcpyDefault), to, from, size);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    DRIVER_IS(cudaMemcpyAsync(at(to), from, size, cudaMemcpyHostToDevice, stream), to, WORD(from),
              size, WORD(stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    DRIVER_IS(cudaMemcpyAsync(to, at(from), size, cudaMemcpyDeviceToHost, stream), WORD(to), from,
              size, WORD(stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    DRIVER_IS(cudaMemcpyAsync(at(to), at(from), size, cudaMemcpyDeviceToDevice, stream), to, from,
              size, WORD(stream));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    DRIVER_IS(cudaMemcpyAsync(at(to), at(from), size, cudaMemcpyDefault, stream), to, from, size,
              WORD(stream));
}

CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, size_t count)
{
    DRIVER_IS(cudaMemset(at(memory), value, count), memory, value, count);
}

CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char value, size_t count, CUstream stream)
{
    DRIVER_IS(cudaMemsetAsync(at(memory), value, count, stream), memory, value, count,
              WORD(stream));
}
