// SPDX-License-Identifier: MIT
// A program with handles of libraries and calls of the driver API for the tests of `cudalint watch`, linked with the
// simulated libraries: its argument says what it does.
#define _GNU_SOURCE // RTLD_NEXT
#include <cublas_v2.h>
#include <cuda.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int clean(void)
{
    cublasHandle_t a;
    if (cublasCreate(&a) != CUBLAS_STATUS_SUCCESS) return 1;
    return cublasDestroy(a) != CUBLAS_STATUS_SUCCESS;
}

static int twice(void)
{
    cublasHandle_t a;
    if (cublasCreate(&a) != CUBLAS_STATUS_SUCCESS) return 1;
    cublasDestroy(a);
    return cublasDestroy(a);
}

// The error path of the second forgets the first.
static int two(void)
{
    cublasHandle_t a, b;
    if (cublasCreate(&a) != CUBLAS_STATUS_SUCCESS) return 1;
    cublasStatus_t status = cublasCreate(&b);
    if (status != CUBLAS_STATUS_SUCCESS) return (int)status;
    cublasDestroy(b);
    cublasDestroy(a);
    return 0;
}

// Asks the loader for a function, as programs do that can do without the library; forgets the handle.
static int loaded(void)
{
    void *library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "cublasCreate_v2") : NULL;
    if (symbol == NULL) return 1;
    cublasHandle_t a;
    return ((cublasStatus_t(*)(cublasHandle_t *))(uintptr_t)symbol)(&a);
}

// The loader still knows who asks: what comes next after the program is the wrapper of dlsym itself.
static int next(void)
{
    return dlsym(RTLD_NEXT, "dlsym") != (void *)(uintptr_t)dlsym;
}

static int driver(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr a;
    if (cuMemAlloc(&a, 64) != CUDA_ERROR_NOT_INITIALIZED || cuInit(0) != CUDA_SUCCESS) return 1;
    if (cuMemAlloc(&a, 64) != CUDA_ERROR_INVALID_CONTEXT) return 2;
    if (cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 3;
    if (cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS) return 4;
    if (cuCtxSetCurrent(context) != CUDA_SUCCESS) return 5;
    if (cuMemAlloc(&a, 64) != CUDA_SUCCESS || cuMemsetD8(a, 1, 64) != CUDA_SUCCESS) return 6;
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } modes[] = {{"clean", clean},   {"twice", twice}, {"two", two},
                 {"loaded", loaded}, {"next", next},   {"driver", driver}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0) return modes[i].run();
    }
    return 9;
}
