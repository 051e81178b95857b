// SPDX-License-Identifier: MIT
// What nvcc makes of kernels, launches, and variables: registered, launched, never executed.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <thread>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

struct Pair {
    float *a, *b;
};
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float factor;
__managed__ int counter = 5;

__global__ void scale(float *data, int n, Pair pair)
{
    for (int i = 0; i < n; i++) data[i] = pair.a[i] * factor + table[0] + counter;
}
template <typename T> __global__ void fill(T *data, T value)
{
    *data = value;
}

static int launches()
{
    float *data = nullptr;
    CHECK(cudaMalloc(&data, 64) == cudaSuccess);
    scale<<<1, 32>>>(data, 16, Pair{data, data});
    fill<<<1, 1>>>(data, 1.f);
    fill<double><<<1, 1>>>(nullptr, 1.0);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaStreamQuery(0) == cudaErrorNotReady);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaGetLastError();
    // Only cudaGetLastError tells of a launch that was refused.
    scale<<<1, 4096>>>(data, 16, Pair{data, data});
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    const void *function = (const void *)fill<float>;
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, function) == cudaSuccess);
    return cudaFree(data) != cudaSuccess;
}

static int variables()
{
    int seen[4] = {};
    void *address = nullptr;
    size_t size = 0;
    float half = 0.5f, back = 0;
    CHECK(cudaMemcpyFromSymbol(seen, table, sizeof seen) == cudaSuccess);
    CHECK(seen[3] == 4);
    CHECK(cudaMemcpyToSymbol(factor, &half, sizeof half) == cudaSuccess);
    CHECK(cudaMemcpyFromSymbol(&back, factor, sizeof back) == cudaSuccess);
    CHECK(back == half);
    CHECK(cudaGetSymbolAddress(&address, table) == cudaSuccess);
    CHECK(cudaGetSymbolSize(&size, table) == cudaSuccess);
    CHECK(size == sizeof seen);
    CHECK(cudaFree(address) == cudaErrorInvalidValue);
    CHECK(counter == 5);
    counter = 6;
    cudaGetLastError();
    return 0;
}

// Each thread has its own last error and current device.
static int threads()
{
    cudaError_t other = cudaErrorUnknown;
    cudaFree(&other);
    std::thread thread([&] { other = cudaGetLastError(); });
    thread.join();
    CHECK(other == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    return 0;
}

int main()
{
    return launches() || variables() || threads();
}
