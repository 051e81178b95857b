// SPDX-License-Identifier: MIT
// The second allocation is made to fail: the program sees that, the pointer is null, and nothing was allocated.
// environment: CUDALINT_FAIL=cudaMalloc:2
// record: "t":"inject"
// record: "by":"simulator"
#include <cuda_runtime.h>

int main()
{
    int *a = nullptr, *b = (int *)&a, *c = nullptr;
    size_t before = 0, after = 0, total = 0;
    if (cudaMalloc(&a, 1 << 20) != cudaSuccess) return 1;
    cudaMemGetInfo(&before, &total);
    if (cudaMalloc(&b, 1 << 20) != cudaErrorMemoryAllocation) return 2;
    cudaMemGetInfo(&after, &total);
    if (b || before != after) return 3;
    if (cudaPeekAtLastError() != cudaErrorMemoryAllocation) return 4;
    if (cudaGetLastError() != cudaErrorMemoryAllocation || cudaGetLastError() != cudaSuccess) return 5;
    if (cudaMalloc(&c, 1 << 20) != cudaSuccess) return 6;
    return cudaFree(a) != cudaSuccess || cudaFree(c) != cudaSuccess ? 7 : 0;
}
