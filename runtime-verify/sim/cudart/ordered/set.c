// SPDX-License-Identifier: MIT
// Setting memory. Compiled twice: runtime.h.
#include "../runtime.h"

typedef struct {
    SimRegion to;
    SimExtent extent;
    int value;
    cudaStream_t stream;
    SimCopyMode mode;
} Set;

static SimError set(Call *call, const Set *what)
{
    SimStream *stream = STREAM_OF(call, what->stream);
    if (!stream) return call->error;
    if (what->mode == SIM_COPY_SYNC && !call_may_wait(call)) return SIM_CAPTURE_IMPLICIT;
    SimWork *work = sim_work_new(SIM_WORK_SET);
    work->to = what->to;
    work->extent = what->extent;
    work->value = (uint32_t)what->value;
    work->value_size = 1;
    return sim_set(call->sim, stream, work, what->mode);
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    Call call = CALL(WORD(memory), WORD(value), size);
    Set what = {.extent = {size, 1, 1}, .value = value, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(memory), size, 1);
        call.error = set(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream)
{
    Call call = CALL(WORD(memory), WORD(value), size, WORD(stream));
    Set what = {.extent = {size, 1, 1}, .value = value, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(memory), size, 1);
        call.error = set(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    Call call = CALL(WORD(memory), pitch, WORD(value), width, height);
    Set what = {.extent = {width, height, 1}, .value = value, .mode = SIM_COPY_SYNC};
    if (call.runs && width > pitch)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(memory), pitch, height);
        call.error = set(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    Call call = CALL(WORD(memory), pitch, WORD(value), width, height, WORD(stream));
    Set what = {
        .extent = {width, height, 1}, .value = value, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs && width > pitch)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(memory), pitch, height);
        call.error = set(&call, &what);
    }
    return call_end(&call);
}

static SimError set_3d(Call *call, const struct cudaPitchedPtr *memory, Set *what)
{
    if (what->extent.width > memory->pitch) return SIM_INVALID_VALUE;
    what->to = sim_region_at(call->sim, WORD(memory->ptr), memory->pitch, memory->ysize);
    return set(call, what);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent)
{
    Call call = CALL(WORD(&memory), WORD(value), WORD(&extent));
    Set what = {.extent = {extent.width, extent.height, extent.depth},
                .value = value,
                .mode = SIM_COPY_SYNC};
    if (call.runs) call.error = set_3d(&call, &memory, &what);
    return call_end(&call);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    Call call = CALL(WORD(&memory), WORD(value), WORD(&extent), WORD(stream));
    Set what = {.extent = {extent.width, extent.height, extent.depth},
                .value = value,
                .stream = stream,
                .mode = SIM_COPY_ASYNC};
    if (call.runs) call.error = set_3d(&call, &memory, &what);
    return call_end(&call);
}
