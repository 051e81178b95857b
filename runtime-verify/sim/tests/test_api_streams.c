// SPDX-License-Identifier: MIT
// The runtime's functions for streams, events and what is in flight, called from C: what waits is
// as measured on a real device.
#include <cuda_runtime_api.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SIZE = 64 };

typedef struct {
    cudaStream_t stream;
    char *device, *pinned;
} Things;

static int set_up_with(void **state, unsigned flags)
{
    Things *t = calloc(1, sizeof *t);
    cudaStreamCreateWithFlags(&t->stream, flags);
    cudaMalloc((void **)&t->device, SIZE);
    cudaMallocHost((void **)&t->pinned, SIZE);
    memset(t->pinned, 0, SIZE);
    *state = t;
    // In flight: the device memory is set to 7, and copied to the pinned memory.
    cudaMemsetAsync(t->device, 7, SIZE, t->stream);
    return cudaMemcpyAsync(t->pinned, t->device, SIZE, cudaMemcpyDeviceToHost, t->stream) !=
           cudaSuccess;
}

static int set_up(void **state)
{
    return set_up_with(state, cudaStreamDefault);
}

static int set_up_non_blocking(void **state)
{
    return set_up_with(state, cudaStreamNonBlocking);
}

static int tear_down(void **state)
{
    free(*state);
    return cudaDeviceReset() != cudaSuccess;
}

static void a_read_before_the_wait_is_stale(void **state)
{
    const Things *t = *state;
    assert_int_equal(t->pinned[0], 0);
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaSuccess);
    assert_int_equal(t->pinned[0], 7);
}

static void what_does_not_wait(void **state)
{
    const Things *t = *state;
    void *memory = NULL;
    size_t bytes = 0;
    cudaEvent_t event = NULL;
    cudaStream_t stream = NULL;
    char own[SIZE] = "";
    assert_int_equal(cudaMalloc(&memory, SIZE), cudaSuccess);
    assert_int_equal(cudaMallocHost(&memory, SIZE), cudaSuccess);
    assert_int_equal(cudaMallocManaged(&memory, SIZE, cudaMemAttachGlobal), cudaSuccess);
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&bytes, &bytes), cudaSuccess);
    assert_int_equal(cudaMemset(t->device, 1, SIZE), cudaSuccess);
    assert_int_equal(cudaMemcpy(t->device, t->device, SIZE, cudaMemcpyDeviceToDevice), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(t->device, own, SIZE, cudaMemcpyHostToDevice, t->stream),
                     cudaSuccess);
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(t->pinned[0], 0);
}

static void freeing_waits(void **state)
{
    const Things *t = *state;
    void *memory = NULL;
    assert_int_equal(cudaMalloc(&memory, SIZE), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaSuccess);
    assert_int_equal(t->pinned[0], 7);
}

static void freeing_pool_memory_does_not_wait(void **state)
{
    const Things *t = *state;
    void *memory = NULL;
    assert_int_equal(cudaMallocAsync(&memory, SIZE, t->stream), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaSuccess);
    assert_int_equal(cudaMallocAsync(&memory, SIZE, t->stream), cudaSuccess);
    assert_int_equal(cudaFreeAsync(memory, t->stream), cudaSuccess);
    assert_int_equal(cudaFreeAsync(memory, t->stream), cudaErrorInvalidValue);
    assert_int_equal(t->pinned[0], 0);
    cudaGetLastError();
}

static void a_copy_to_the_host_waits_for_blocking_streams(void **state)
{
    const Things *t = *state;
    char own = 0;
    assert_int_equal(cudaMemcpy(&own, t->device, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(own, 7);
    assert_int_equal(t->pinned[0], 7);
}

static void a_copy_to_the_host_does_not_wait_for_others(void **state)
{
    const Things *t = *state;
    char own = 1;
    assert_int_equal(cudaMemcpy(&own, t->device, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(own, 0);
    assert_int_equal(t->pinned[0], 0);
    assert_int_equal(cudaStreamQuery(t->stream), cudaErrorNotReady);
}

static void setting_pinned_memory_waits(void **state)
{
    const Things *t = *state;
    assert_int_equal(cudaMemset(t->pinned, 3, 1), cudaSuccess);
    assert_int_equal(t->pinned[0], 3);
    assert_int_equal(t->pinned[1], 7);
}

static void an_async_copy_to_pageable_memory_waits(void **state)
{
    const Things *t = *state;
    char own = 0;
    assert_int_equal(cudaMemcpyAsync(&own, t->device, 1, cudaMemcpyDeviceToHost, t->stream),
                     cudaSuccess);
    assert_int_equal(own, 7);
}

// Pageable sources are read at once, pinned ones when the copy runs.
static void sources_are_read_late_when_pinned(void **state)
{
    const Things *t = *state;
    char own = 1;
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaSuccess);
    t->pinned[0] = 1;
    assert_int_equal(cudaMemcpyAsync(t->device, t->pinned, 1, cudaMemcpyHostToDevice, t->stream),
                     cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(t->device + 1, &own, 1, cudaMemcpyHostToDevice, t->stream),
                     cudaSuccess);
    own = 2;
    t->pinned[0] = 2;
    char back[2] = "";
    assert_int_equal(cudaMemcpy(back, t->device, 2, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(back[0], 2);
    assert_int_equal(back[1], 1);
}

static void handles_end(void **state)
{
    const Things *t = *state;
    cudaEvent_t event = NULL;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
    assert_int_equal(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(event, NULL), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamDestroy(t->stream), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(t->stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void events_stand_for_work(void **state)
{
    const Things *t = *state;
    cudaEvent_t start = NULL;
    cudaEvent_t stop = NULL;
    float ms = -1;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    assert_int_equal(cudaEventRecord(start, t->stream), cudaSuccess);
    assert_int_equal(cudaEventRecord(stop, t->stream), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&ms, start, stop), cudaErrorNotReady);
    assert_int_equal(cudaEventQuery(stop), cudaErrorNotReady);
    assert_int_equal(cudaEventSynchronize(start), cudaSuccess);
    assert_int_equal(t->pinned[0], 7);
    assert_int_equal(cudaEventElapsedTime(&ms, start, stop), cudaErrorNotReady);
    assert_int_equal(cudaEventQuery(stop), cudaSuccess); // asked a second time: see runtime.c
    assert_int_equal(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
    assert_true(ms >= 0);
    cudaGetLastError();
}

static void the_per_thread_stream_is_a_stream_of_its_own(void **state)
{
    const Things *t = *state;
    cudaStream_t other = NULL;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    assert_int_equal(cudaMemsetAsync(t->device, 1, 1, cudaStreamPerThread), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    assert_int_equal(t->pinned[0], 0);
    assert_int_equal(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
    assert_int_equal(t->pinned[0], 7);
}

static void set_flag(void *flag)
{
    *(int *)flag = 1;
}

static void host_functions_run_in_order(void **state)
{
    const Things *t = *state;
    int flag = 0;
    assert_int_equal(cudaLaunchHostFunc(t->stream, set_flag, &flag), cudaSuccess);
    assert_int_equal(flag, 0);
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaSuccess);
    assert_int_equal(flag, 1);
}

static void queries_and_wrong_ends_invalidate_a_capture(void **state)
{
    const Things *t = *state;
    cudaGraph_t graph = NULL;
    cudaEvent_t event = NULL;
    cudaStream_t other = NULL;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&other), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(cudaStreamQuery(t->stream), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(t->stream, &graph), cudaErrorStreamCaptureInvalidated);
    assert_int_equal(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(cudaEventRecord(event, t->stream), cudaSuccess);
    assert_int_equal(cudaEventQuery(event), cudaErrorCapturedEvent);
    assert_int_equal(cudaStreamEndCapture(t->stream, &graph), cudaErrorStreamCaptureInvalidated);
    assert_int_equal(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(cudaEventRecord(event, t->stream), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
    assert_int_equal(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
    assert_int_equal(cudaStreamEndCapture(t->stream, &graph), cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
}

static void captures_forbid_waiting(void **state)
{
    const Things *t = *state;
    cudaGraph_t graph = NULL;
    void *memory = NULL;
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory, SIZE), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(t->stream, &graph), cudaErrorStreamCaptureInvalidated);
    assert_null(graph);
    assert_int_equal(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory, SIZE), cudaSuccess);
    assert_int_equal(cudaMemsetAsync(t->pinned, 9, SIZE, t->stream), cudaSuccess);
    assert_int_equal(cudaStreamEndCapture(t->stream, &graph), cudaSuccess);
    cudaGraphExec_t exec = NULL;
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(exec, t->stream), cudaSuccess);
    assert_int_equal(t->pinned[0], 7);
    assert_int_equal(cudaStreamSynchronize(t->stream), cudaSuccess);
    assert_int_equal(t->pinned[0], 9);
    assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    cudaGetLastError();
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(a_read_before_the_wait_is_stale),
        WITH(what_does_not_wait),
        WITH(freeing_waits),
        WITH(freeing_pool_memory_does_not_wait),
        WITH(a_copy_to_the_host_waits_for_blocking_streams),
        cmocka_unit_test_setup_teardown(a_copy_to_the_host_does_not_wait_for_others,
                                        set_up_non_blocking, tear_down),
        WITH(setting_pinned_memory_waits),
        WITH(an_async_copy_to_pageable_memory_waits),
        WITH(sources_are_read_late_when_pinned),
        WITH(handles_end),
        WITH(events_stand_for_work),
        WITH(the_per_thread_stream_is_a_stream_of_its_own),
        WITH(host_functions_run_in_order),
        WITH(captures_forbid_waiting),
        WITH(queries_and_wrong_ends_invalidate_a_capture),
    };
    return cmocka_run_group_tests_name("sim api: streams", tests, NULL, NULL);
}
