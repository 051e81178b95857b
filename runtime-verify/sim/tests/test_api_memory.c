// SPDX-License-Identifier: MIT
// The runtime's functions for memory, called from C: results as measured on a real device.
#include <cuda_runtime_api.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SIZE = 4096 };

static void *device_memory(size_t size)
{
    void *memory = NULL;
    assert_int_equal(cudaMalloc(&memory, size), cudaSuccess);
    return memory;
}

static void *pinned_memory(size_t size)
{
    void *memory = NULL;
    assert_int_equal(cudaMallocHost(&memory, size), cudaSuccess);
    return memory;
}

static void freeing_wrongly_is_an_invalid_value_and_frees_nothing(void **state)
{
    (void)state;
    char *device = device_memory(SIZE);
    char *pinned = pinned_memory(SIZE);
    void *own = malloc(SIZE);
    int local = 0;
    assert_int_equal(cudaFree(device + 16), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(&local), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(own), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(pinned), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeHost(device), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeHost(own), cudaErrorInvalidValue);
    assert_int_equal(cudaHostUnregister(device), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaErrorInvalidValue);
    free(own);
}

static void null_is_freed_by_all(void **state)
{
    (void)state;
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    assert_int_equal(cudaFreeHost(NULL), cudaSuccess);
    assert_int_equal(cudaFreeAsync(NULL, NULL), cudaSuccess);
    assert_int_equal(cudaFreeArray(NULL), cudaSuccess);
    assert_int_equal(cudaFreeMipmappedArray(NULL), cudaSuccess);
}

static void failed_allocations_store_null(void **state)
{
    (void)state;
    const size_t exbibyte = (size_t)1 << 60;
    void *memory = &memory;
    assert_int_equal(cudaMalloc(&memory, exbibyte), cudaErrorMemoryAllocation);
    assert_null(memory);
    memory = &memory;
    assert_int_equal(cudaMallocManaged(&memory, exbibyte, cudaMemAttachGlobal),
                     cudaErrorMemoryAllocation);
    assert_null(memory);
    memory = &memory;
    assert_int_equal(cudaMallocHost(&memory, exbibyte), cudaErrorMemoryAllocation);
    assert_null(memory);
    memory = &memory;
    assert_int_equal(cudaMallocAsync(&memory, exbibyte, NULL), cudaErrorMemoryAllocation);
    assert_null(memory);
    assert_int_equal(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void no_bytes_are_no_memory(void **state)
{
    (void)state;
    void *memory = &memory;
    assert_int_equal(cudaMalloc(&memory, 0), cudaSuccess);
    assert_null(memory);
    memory = &memory;
    assert_int_equal(cudaMallocManaged(&memory, 0, cudaMemAttachGlobal), cudaSuccess);
    assert_null(memory);
    assert_int_equal(cudaMallocManaged(&memory, 4, 0), cudaErrorInvalidValue);
}

static void free_async_takes_device_memory_too(void **state)
{
    (void)state;
    void *managed = NULL;
    void *pinned = pinned_memory(SIZE);
    assert_int_equal(cudaMallocManaged(&managed, SIZE, cudaMemAttachGlobal), cudaSuccess);
    assert_int_equal(cudaFreeAsync(device_memory(SIZE), NULL), cudaSuccess);
    assert_int_equal(cudaFreeAsync(managed, NULL), cudaErrorNotSupported);
    assert_int_equal(cudaFreeAsync(pinned, NULL), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
}

static void the_host_uses_managed_and_pinned_memory(void **state)
{
    (void)state;
    void *managed = NULL;
    assert_int_equal(cudaMallocManaged(&managed, SIZE, cudaMemAttachGlobal), cudaSuccess);
    memset(managed, 1, SIZE);
    void *pinned = pinned_memory(SIZE);
    memset(pinned, 2, SIZE);
    assert_int_equal(cudaMemcpy(managed, pinned, SIZE, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(((char *)managed)[SIZE - 1], 2);
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
}

static void copies_keep_the_bytes(void **state)
{
    (void)state;
    char there[SIZE];
    char back[SIZE] = "";
    for (int i = 0; i < SIZE; i++) there[i] = (char)(i * 7);
    char *a = device_memory(SIZE);
    char *b = device_memory(SIZE);
    assert_int_equal(cudaMemcpy(a, there, SIZE, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaMemcpy(b, a, SIZE, cudaMemcpyDeviceToDevice), cudaSuccess);
    assert_int_equal(cudaMemset(b + 10, 3, 5), cudaSuccess);
    assert_int_equal(cudaMemcpy(back, b, SIZE, cudaMemcpyDeviceToHost), cudaSuccess);
    memset(there + 10, 3, 5);
    assert_memory_equal(there, back, SIZE);
    assert_int_equal(cudaMemcpy(a, there, SIZE, (enum cudaMemcpyKind)9),
                     cudaErrorInvalidMemcpyDirection);
    cudaFree(a);
    cudaFree(b);
}

static void rows_have_a_pitch(void **state)
{
    (void)state;
    enum { WIDTH = 10, HEIGHT = 3 };
    void *memory = NULL;
    size_t pitch = 0;
    char there[HEIGHT][WIDTH] = {"one", "two", "three"};
    char back[HEIGHT][WIDTH] = {""};
    assert_int_equal(cudaMallocPitch(&memory, &pitch, WIDTH, HEIGHT), cudaSuccess);
    assert_true(pitch >= WIDTH);
    assert_int_equal(
        cudaMemcpy2D(memory, pitch, there, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice),
        cudaSuccess);
    assert_int_equal(
        cudaMemcpy2D(back, WIDTH, memory, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost),
        cudaSuccess);
    assert_memory_equal(there, back, sizeof there);
    assert_int_equal(
        cudaMemcpy2D(back, WIDTH - 1, memory, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost),
        cudaErrorInvalidPitchValue);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

static void registered_memory_is_reachable(void **state)
{
    (void)state;
    void *own = malloc(SIZE);
    void *seen = NULL;
    assert_int_equal(cudaHostRegister(own, SIZE, cudaHostRegisterDefault), cudaSuccess);
    assert_int_equal(cudaHostRegister(own, SIZE, cudaHostRegisterDefault),
                     cudaErrorHostMemoryAlreadyRegistered);
    assert_int_equal(cudaHostGetDevicePointer(&seen, own, 0), cudaSuccess);
    assert_ptr_equal(seen, own);
    assert_int_equal(cudaHostUnregister(own), cudaSuccess);
    assert_int_equal(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
    free(own);
}

static void pointers_tell_what_they_are(void **state)
{
    (void)state;
    struct cudaPointerAttributes attributes;
    int local = 0;
    void *device = device_memory(SIZE);
    assert_int_equal(cudaPointerGetAttributes(&attributes, (char *)device + 5), cudaSuccess);
    assert_int_equal(attributes.type, cudaMemoryTypeDevice);
    assert_null(attributes.hostPointer);
    assert_int_equal(cudaPointerGetAttributes(&attributes, &local), cudaSuccess);
    assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
    cudaFree(device);
}

static void errors_stay_until_they_are_asked_for(void **state)
{
    (void)state;
    cudaGetLastError();
    assert_int_equal(cudaFree(&state), cudaErrorInvalidValue);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    assert_string_equal(cudaGetErrorName((cudaError_t)77777), "unrecognized error code");
}

static void a_reset_takes_memory_and_streams(void **state)
{
    (void)state;
    cudaStream_t stream = NULL;
    void *memory = device_memory(SIZE);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void memory_in_use_is_counted(void **state)
{
    (void)state;
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    assert_int_equal(cudaMemGetInfo(&before, &total), cudaSuccess);
    void *memory = device_memory((size_t)1 << 20);
    assert_int_equal(cudaMemGetInfo(&after, &total), cudaSuccess);
    assert_int_equal(before - after, 1 << 20);
    cudaFree(memory);
    assert_int_equal(cudaMemGetInfo(&after, &total), cudaSuccess);
    assert_int_equal(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freeing_wrongly_is_an_invalid_value_and_frees_nothing),
        cmocka_unit_test(null_is_freed_by_all),
        cmocka_unit_test(failed_allocations_store_null),
        cmocka_unit_test(no_bytes_are_no_memory),
        cmocka_unit_test(free_async_takes_device_memory_too),
        cmocka_unit_test(the_host_uses_managed_and_pinned_memory),
        cmocka_unit_test(copies_keep_the_bytes),
        cmocka_unit_test(rows_have_a_pitch),
        cmocka_unit_test(registered_memory_is_reachable),
        cmocka_unit_test(pointers_tell_what_they_are),
        cmocka_unit_test(errors_stay_until_they_are_asked_for),
        cmocka_unit_test(a_reset_takes_memory_and_streams),
        cmocka_unit_test(memory_in_use_is_counted),
    };
    return cmocka_run_group_tests_name("sim api: memory", tests, NULL, NULL);
}
