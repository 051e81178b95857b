// SPDX-License-Identifier: MIT
// A kernel that is given memory of the host kills the context: the next wait says so, and every call from then on.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void fill(float *data)
{
    *data = 1;
}

int main()
{
    float *device = nullptr, *host = (float *)malloc(64);
    if (cudaMalloc(&device, 64) != cudaSuccess) return 1;
    fill<<<1, 1>>>(device);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    fill<<<1, 1>>>(host);
    if (cudaGetLastError() != cudaSuccess) return 3;
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress) return 4;
    if (cudaFree(device) != cudaErrorIllegalAddress) return 5;
    if (cudaMalloc(&device, 64) != cudaErrorIllegalAddress) return 6;
    if (cudaGetLastError() != cudaErrorIllegalAddress) return 7;
    if (cudaGetLastError() != cudaErrorIllegalAddress) return 8;
    free(host);
    return 0;
}
