// SPDX-License-Identifier: MIT
// Launches a small kernel a million times: what following a launch costs shows. tools/bench-watch runs it.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void touch(float *values, float *others, int n)
{
    if (threadIdx.x < n) values[threadIdx.x] += others[threadIdx.x];
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000000;
    float *a = nullptr, *b = nullptr;
    if (cudaMalloc(&a, 1024) != cudaSuccess || cudaMalloc(&b, 1024) != cudaSuccess) return 1;
    touch<<<1, 32>>>(a, b, 32);
    cudaDeviceSynchronize();
    for (int i = 0; i < count; i++) touch<<<1, 32>>>(a, b, 32);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(b);
    cudaFree(a);
    return status != cudaSuccess;
}
