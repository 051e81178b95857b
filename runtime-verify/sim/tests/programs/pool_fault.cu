// SPDX-License-Identifier: MIT
// cudaFree of stream-ordered memory does not wait: the kernel that still uses it dies.
#include <cuda_runtime.h>

__global__ void fill(float *data)
{
    *data = 1;
}

int main()
{
    float *data = nullptr;
    cudaStream_t stream;
    if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
    if (cudaMallocAsync(&data, 64, stream) != cudaSuccess) return 2;
    fill<<<1, 1, 0, stream>>>(data);
    if (cudaFree(data) != cudaSuccess) return 3;
    return cudaStreamSynchronize(stream) == cudaErrorIllegalAddress ? 0 : 4;
}
