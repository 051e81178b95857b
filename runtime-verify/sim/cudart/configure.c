// SPDX-License-Identifier: MIT
// The configuration of a launch, between <<<...>>> and the kernel's stub, and the stub's question
// for its kernel.
#include "runtime.h"

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
    thread_get()->configuration =
        (Configuration){.grid = grid, .block = block, .shared_bytes = shared, .stream = stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    const Configuration *configuration = &thread_get()->configuration;
    *grid = configuration->grid;
    *block = configuration->block;
    *shared = configuration->shared_bytes;
    *(cudaStream_t *)stream = configuration->stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function)
{
    Runtime *runtime = runtime_get();
    pthread_mutex_lock(&runtime->lock);
    const Kernel *kernel = kernel_find(runtime, function);
    *out = kernel ? (cudaKernel_t)kernel->object.handle : (cudaKernel_t)function;
    pthread_mutex_unlock(&runtime->lock);
    return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
