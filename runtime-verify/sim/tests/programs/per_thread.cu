// SPDX-License-Identifier: MIT
// With a default stream for each thread, stream 0 is an ordinary stream, and waiting for it leaves other streams alone.
// nvcc: --default-stream per-thread
#include <cuda_runtime.h>
#include <cstring>

__global__ void touch(int *data)
{
    *data = 1;
}

int main()
{
    int *device = nullptr, *pinned = nullptr, *other = nullptr;
    cudaStream_t stream;
    if (cudaMalloc(&device, 4) != cudaSuccess || cudaMallocHost(&pinned, 4) != cudaSuccess) return 1;
    if (cudaMallocHost(&other, 4) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) return 2;
    *pinned = *other = 0;
    cudaMemsetAsync(pinned, 1, 4, stream);
    touch<<<1, 1>>>(device);
    cudaMemsetAsync(other, 1, 4, 0);
    if (cudaStreamSynchronize(0) != cudaSuccess) return 3;
    if (*other == 0) return 4;
    return *pinned == 0 ? 0 : 5;
}
