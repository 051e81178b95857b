// SPDX-License-Identifier: MIT
// A host that reads device memory dies of it, as on a device.
#include <cuda_runtime.h>
#include <csignal>
#include <cstdlib>

static void die_well(int)
{
    _Exit(0);
}

int main()
{
    volatile int *data = nullptr;
    if (cudaMalloc((void **)&data, 64) != cudaSuccess) return 1;
    signal(SIGSEGV, die_well);
    return *data == 0 ? 2 : 3;
}
