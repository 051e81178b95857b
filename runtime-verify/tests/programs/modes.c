// SPDX-License-Identifier: MIT
// A program for the tests of `cudalint watch` and `cudalint verify`, linked with the simulated runtime: its argument
// says what it does.
#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int clean(void)
{
    void *a = NULL;
    if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    return cudaFree(a) != cudaSuccess;
}

static int leak(void)
{
    void *a = NULL;
    cudaStream_t stream;
    for (int i = 0; i < 3; i++) {
        if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    }
    cudaFree(a);
    return cudaStreamCreate(&stream) != cudaSuccess;
}

static int twice(void)
{
    void *a = NULL;
    if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    cudaFree(a);
    cudaFree(a);
    return 0;
}

// The error path of the second acquisition forgets the first.
static int two(void)
{
    void *a = NULL, *b = NULL;
    if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    if (cudaMalloc(&b, 64) != cudaSuccess) return 2;
    cudaFree(b);
    cudaFree(a);
    return 0;
}

// One block on each device; that of the last one is forgotten.
static int devices(void)
{
    void *block = NULL;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) return 1;
    for (int device = 0; device < count; device++) {
        cudaSetDevice(device);
        if (cudaMalloc(&block, 1024) != cudaSuccess) return 2;
        if (device + 1 < count) cudaFree(block);
    }
    return 0;
}

static int crash(void)
{
    void *a = NULL;
    if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    abort();
}

static int hang(void)
{
    void *a = NULL;
    if (cudaMalloc(&a, 64) != cudaSuccess) return 1;
    for (;;) pause();
}

static int none(void)
{
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } modes[] = {{"clean", clean},     {"leak", leak},   {"twice", twice}, {"two", two},
                 {"devices", devices}, {"crash", crash}, {"hang", hang},   {"none", none}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0) return modes[i].run();
    }
    return 9;
}
