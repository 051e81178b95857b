// SPDX-License-Identifier: MIT
// Launches of kernels and of graphs. Compiled twice: runtime.h.
#include "../runtime.h"

#include <stdlib.h>

// Called by the code that nvcc makes of <<<...>>>.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define __cudaLaunchKernel __cudaLaunchKernel_ptsz
#endif
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

static SimError launch(Call *call, const void *function, const Configuration *configuration,
                       void **arguments)
{
    KernelLaunch prepared;
    SimStream *stream = STREAM_OF(call, configuration->stream);
    if (!stream) return call->error;
    SimError error = kernel_prepare(call->runtime, function, configuration, arguments, &prepared);
    if (error) return error;
    call_launch(call, &prepared, stream);
    free(prepared.words);
    sim_work_queue(call->sim, stream, prepared.work);
    return SIM_OK;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    Call call =
        CALL(WORD(function), WORD(&grid), WORD(&block), WORD(arguments), shared, WORD(stream));
    Configuration configuration = {
        .grid = grid, .block = block, .shared_bytes = shared, .stream = stream};
    if (call.runs) call.error = launch(&call, function, &configuration, arguments);
    return call_end(&call);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    Call call =
        CALL(WORD(function), WORD(&grid), WORD(&block), WORD(arguments), shared, WORD(stream));
    Configuration configuration = {
        .grid = grid, .block = block, .shared_bytes = shared, .stream = stream};
    if (call.runs) call.error = launch(&call, function, &configuration, arguments);
    return call_end(&call);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    Call call = CALL(WORD(config), WORD(function), WORD(arguments));
    if (call.runs && !config)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        Configuration configuration = {.grid = config->gridDim,
                                       .block = config->blockDim,
                                       .shared_bytes = config->dynamicSmemBytes,
                                       .stream = config->stream};
        call.error = launch(&call, function, &configuration, arguments);
    }
    return call_end(&call);
}

// ---- graphs ----

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle)
{
    Call call = CALL(WORD(handle), WORD(stream_handle));
    SimStream *stream = call.runs ? STREAM_OF(&call, stream_handle) : NULL;
    const SimGraphExec *exec =
        stream ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH_EXEC) : NULL;
    if (exec)
        sim_graph_launch(call.sim, exec, stream);
    else if (stream)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle)
{
    Call call = CALL(WORD(handle), WORD(stream_handle));
    const SimStream *stream = call.runs ? STREAM_OF(&call, stream_handle) : NULL;
    if (stream && !sim_object_find(call.sim, WORD(handle), SIM_GRAPH_EXEC))
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

// ---- capture ----

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    Call call = CALL(WORD(handle), mode);
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream)
        call.error = sim_capture_begin(call.sim, stream, mode == cudaStreamCaptureModeRelaxed);
    return call_end(&call);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *out)
{
    Call call = CALL(WORD(handle), WORD(out));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream && !out)
        call.error = SIM_INVALID_VALUE;
    else if (stream) {
        SimHandle graph = 0;
        call.error = sim_capture_end(call.sim, stream, &graph);
        *out = (cudaGraph_t)graph;
    }
    return call_end(&call);
}

static enum cudaStreamCaptureStatus capture_status(const Sim *sim, const SimStream *stream)
{
    const SimGraph *graph =
        stream->capture ? sim_object_find(sim, stream->capture, SIM_GRAPH) : NULL;
    if (!graph) return cudaStreamCaptureStatusNone;
    return graph->is_invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *out)
{
    Call call = CALL(WORD(handle), WORD(out));
    const SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream && !out)
        call.error = SIM_INVALID_VALUE;
    else if (stream)
        *out = capture_status(call.sim, stream);
    return call_end(&call);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    Call call = CALL(WORD(handle), WORD(status), WORD(id), WORD(graph), WORD(after), WORD(edges),
                     WORD(count));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream && !status)
        call.error = SIM_INVALID_VALUE;
    else if (stream) {
        *status = capture_status(call.sim, stream);
        if (id) *id = stream->capture;
        if (graph) *graph = (cudaGraph_t)stream->capture;
        if (after) *after = (const cudaGraphNode_t *)&stream->tail;
        if (edges) *edges = NULL;
        if (count) *count = stream->tail ? 1 : 0;
    }
    return call_end(&call);
}
