// SPDX-License-Identifier: MIT
// Copies and sets of memory, arrays and device variables. Each builds a SimWork of two regions.
// Compiled twice: runtime.h.
#include "../runtime.h"

// ---- what a copy is made of ----

typedef struct {
    SimRegion to, from;
    SimExtent extent;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    SimCopyMode mode;
} Copy;

static SimError copy(Call *call, const Copy *what)
{
    SimStream *stream = STREAM_OF(call, what->stream);
    if (!stream) return call->error;
    if ((unsigned)what->kind > cudaMemcpyDefault) return SIM_INVALID_DIRECTION;
    if (what->mode == SIM_COPY_SYNC && !call_may_wait(call)) return SIM_CAPTURE_IMPLICIT;
    SimWork *work = sim_work_new(SIM_WORK_COPY);
    work->to = what->to;
    work->from = what->from;
    work->extent = what->extent;
    return sim_copy(call->sim, stream, work, (SimDirection)what->kind, what->mode);
}

static SimRegion plain(const Call *call, const void *address, size_t size)
{
    return sim_region_at(call->sim, WORD(address), size, 1);
}

static SimExtent bytes(size_t size)
{
    return (SimExtent){.width = size, .height = 1, .depth = 1};
}

// ---- memory to memory ----

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), WORD(from), size, kind);
    Copy what = {.extent = bytes(size), .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.to = plain(&call, to, size);
        what.from = plain(&call, from, size);
        call.error = copy(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    Call call = CALL(WORD(to), WORD(from), size, kind, WORD(stream));
    Copy what = {.extent = bytes(size), .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.to = plain(&call, to, size);
        what.from = plain(&call, from, size);
        call.error = copy(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), to_pitch, WORD(from), from_pitch, width, height, kind);
    Copy what = {.extent = {width, height, 1}, .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs && (width > to_pitch || width > from_pitch))
        call.error = (SimError)cudaErrorInvalidPitchValue;
    else if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(to), to_pitch, height);
        what.from = sim_region_at(call.sim, WORD(from), from_pitch, height);
        call.error = copy(&call, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    Call call = CALL(WORD(to), to_pitch, WORD(from), from_pitch, width, height, kind, WORD(stream));
    Copy what = {
        .extent = {width, height, 1}, .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs && (width > to_pitch || width > from_pitch))
        call.error = (SimError)cudaErrorInvalidPitchValue;
    else if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(to), to_pitch, height);
        what.from = sim_region_at(call.sim, WORD(from), from_pitch, height);
        call.error = copy(&call, &what);
    }
    return call_end(&call);
}

// One side of a 3D copy: an array (positions in elements) or pitched memory (in bytes).
static SimRegion side(const Call *call, cudaArray_const_t handle, const struct cudaPos *pos,
                      const struct cudaPitchedPtr *memory)
{
    const Array *array = handle ? array_find(call->sim, handle) : NULL;
    if (array) return array_region(array, pos->x * array->element_size, pos->y, pos->z);
    uintptr_t address =
        WORD(memory->ptr) + (pos->z * memory->ysize + pos->y) * memory->pitch + pos->x;
    return sim_region_at(call->sim, address, memory->pitch, memory->ysize);
}

static SimError copy_3d(Call *call, const struct cudaMemcpy3DParms *p, cudaStream_t stream,
                        SimCopyMode mode)
{
    if (!p || (!p->srcArray == !p->srcPtr.ptr) || (!p->dstArray == !p->dstPtr.ptr))
        return SIM_INVALID_VALUE;
    const Array *array = array_find(call->sim, p->srcArray ? p->srcArray : p->dstArray);
    if ((p->srcArray || p->dstArray) && !array) return SIM_INVALID_HANDLE;
    // The width is in elements as soon as an array takes part.
    size_t unit = array ? array->element_size : 1;
    Copy what = {.to = side(call, p->dstArray, &p->dstPos, &p->dstPtr),
                 .from = side(call, p->srcArray, &p->srcPos, &p->srcPtr),
                 .extent = {p->extent.width * unit, p->extent.height, p->extent.depth},
                 .kind = p->kind,
                 .stream = stream,
                 .mode = mode};
    return copy(call, &what);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    Call call = CALL(WORD(p));
    if (call.runs) call.error = copy_3d(&call, p, NULL, SIM_COPY_SYNC);
    return call_end(&call);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    Call call = CALL(WORD(p), WORD(stream));
    if (call.runs) call.error = copy_3d(&call, p, stream, SIM_COPY_ASYNC);
    return call_end(&call);
}

// ---- arrays ----

static SimError copy_to_array(Call *call, cudaArray_t handle, size_t x, size_t y, Copy *what)
{
    const Array *array = array_find(call->sim, handle);
    if (!array) return SIM_INVALID_HANDLE;
    what->to = array_region(array, x, y, 0);
    return copy(call, what);
}

static SimError copy_from_array(Call *call, cudaArray_const_t handle, size_t x, size_t y,
                                Copy *what)
{
    const Array *array = array_find(call->sim, handle);
    if (!array) return SIM_INVALID_HANDLE;
    what->from = array_region(array, x, y, 0);
    return copy(call, what);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), x, y, WORD(from), pitch, width, height, kind);
    Copy what = {.extent = {width, height, 1}, .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.from = sim_region_at(call.sim, WORD(from), pitch, height);
        call.error = copy_to_array(&call, to, x, y, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call = CALL(WORD(to), x, y, WORD(from), pitch, width, height, kind, WORD(stream));
    Copy what = {
        .extent = {width, height, 1}, .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.from = sim_region_at(call.sim, WORD(from), pitch, height);
        call.error = copy_to_array(&call, to, x, y, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), pitch, WORD(from), x, y, width, height, kind);
    Copy what = {.extent = {width, height, 1}, .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(to), pitch, height);
        call.error = copy_from_array(&call, from, x, y, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call = CALL(WORD(to), pitch, WORD(from), x, y, width, height, kind, WORD(stream));
    Copy what = {
        .extent = {width, height, 1}, .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.to = sim_region_at(call.sim, WORD(to), pitch, height);
        call.error = copy_from_array(&call, from, x, y, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), to_x, to_y, WORD(from), from_x, from_y, width, height, kind);
    Copy what = {.extent = {width, height, 1}, .kind = kind, .mode = SIM_COPY_SYNC};
    const Array *array = call.runs ? array_find(call.sim, to) : NULL;
    if (call.runs && !array)
        call.error = SIM_INVALID_HANDLE;
    else if (call.runs) {
        what.to = array_region(array, to_x, to_y, 0);
        call.error = copy_from_array(&call, from, from_x, from_y, &what);
    }
    return call_end(&call);
}

// ---- device variables ----

static SimError copy_variable(Call *call, const void *symbol, size_t offset, SimRegion *region,
                              const Copy *what)
{
    Variable *variable = variable_find(call->runtime, symbol);
    if (!variable) return SIM_INVALID_SYMBOL;
    if (offset > variable->size || what->extent.width > variable->size - offset)
        return SIM_INVALID_VALUE;
    SimBlock *block = variable_block(call->runtime, variable, call->thread->device);
    *region = (SimRegion){.block = block,
                          .address = block->address + offset,
                          .pitch = what->extent.width,
                          .height = 1};
    return copy(call, what);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(symbol), WORD(from), size, offset, kind);
    Copy what = {.extent = bytes(size), .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.from = plain(&call, from, size);
        call.error = copy_variable(&call, symbol, offset, &what.to, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call = CALL(WORD(symbol), WORD(from), size, offset, kind, WORD(stream));
    Copy what = {.extent = bytes(size), .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.from = plain(&call, from, size);
        call.error = copy_variable(&call, symbol, offset, &what.to, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(to), WORD(symbol), size, offset, kind);
    Copy what = {.extent = bytes(size), .kind = kind, .mode = SIM_COPY_SYNC};
    if (call.runs) {
        what.to = plain(&call, to, size);
        call.error = copy_variable(&call, symbol, offset, &what.from, &what);
    }
    return call_end(&call);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call = CALL(WORD(to), WORD(symbol), size, offset, kind, WORD(stream));
    Copy what = {.extent = bytes(size), .kind = kind, .stream = stream, .mode = SIM_COPY_ASYNC};
    if (call.runs) {
        what.to = plain(&call, to, size);
        call.error = copy_variable(&call, symbol, offset, &what.from, &what);
    }
    return call_end(&call);
}
