// SPDX-License-Identifier: MIT
// CUDA arrays and mipmapped arrays. Their memory has no address for the program; rows have a pitch
// as on a device.
#include "runtime.h"

#include <stdlib.h>

typedef struct {
    SimObject object;
    SimHandle *levels; // arrays
    unsigned level_count;
} Mipmapped;

Array *array_find(const Sim *sim, cudaArray_const_t handle)
{
    return sim_object_find(sim, WORD(handle), SIM_CUDA_ARRAY);
}

SimRegion array_region(const Array *array, size_t x_bytes, size_t y, size_t z)
{
    uintptr_t address = array->block->address + (z * array->rows + y) * array->pitch + x_bytes;
    return (SimRegion){
        .block = array->block, .address = address, .pitch = array->pitch, .height = array->rows};
}

static void end_array(Sim *sim, void *object)
{
    const Array *array = object;
    sim_memory_release(sim, array->block);
}

static void end_mipmapped(Sim *sim, void *object)
{
    Mipmapped *mipmapped = object;
    for (unsigned i = 0; i < mipmapped->level_count; i++) {
        Array *array = sim_object_find(sim, mipmapped->levels[i], SIM_CUDA_ARRAY);
        if (array) sim_object_delete(sim, array);
    }
    free(mipmapped->levels);
}

static SimError create(Call *call, const struct cudaChannelFormatDesc *format,
                       struct cudaExtent extent, Array **out)
{
    enum { PITCH_GRANULE = 32, BITS = 8 };
    size_t element = (size_t)(format->x + format->y + format->z + format->w) / BITS;
    size_t rows = extent.height ? extent.height : 1;
    size_t slices = extent.depth ? extent.depth : 1;
    size_t size = 0;
    *out = NULL;
    if (element == 0 || extent.width == 0) return SIM_INVALID_VALUE;
    if (__builtin_mul_overflow(extent.width, element, &size)) return SIM_OUT_OF_MEMORY;
    size_t pitch = (size + PITCH_GRANULE - 1) / PITCH_GRANULE * PITCH_GRANULE;
    if (__builtin_mul_overflow(pitch, rows, &size) || __builtin_mul_overflow(size, slices, &size))
        return SIM_OUT_OF_MEMORY;
    SimBlock *block = NULL;
    SimError error = sim_memory_new(call->sim, SIM_ARRAY, size, call->thread->device, &block);
    if (error) return error;
    Array *array = sim_object_new(call->sim, SIM_CUDA_ARRAY, sizeof *array, call->thread->device);
    array->object.end = end_array;
    array->block = block;
    array->format = *format;
    array->extent = extent;
    array->element_size = element;
    array->pitch = pitch;
    array->rows = rows;
    *out = array;
    return SIM_OK;
}

static SimError create_array(Call *call, cudaArray_t *out,
                             const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                             unsigned flags)
{
    if (!out || !format) return SIM_INVALID_VALUE;
    if (!call_may_wait(call)) return call->error;
    Array *array = NULL;
    SimError error = create(call, format, extent, &array);
    if (error) return error;
    array->flags = flags;
    *out = (cudaArray_t)array->object.handle;
    return SIM_OK;
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(format), width, height, flags);
    struct cudaExtent extent = {.width = width, .height = height};
    if (call.runs) call.error = create_array(&call, out, format, extent, flags);
    return call_end(&call);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(format), WORD(&extent), flags);
    if (call.runs) call.error = create_array(&call, out, format, extent, flags);
    return call_end(&call);
}

static SimError create_levels(Call *call, Mipmapped *mipmapped,
                              const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned count)
{
    mipmapped->levels = sim_allocate((count + 1) * sizeof *mipmapped->levels);
    for (unsigned i = 0; i < count; i++) {
        Array *array = NULL;
        SimError error = create(call, format, extent, &array);
        if (error) return error;
        mipmapped->levels[mipmapped->level_count++] = array->object.handle;
        extent.width = extent.width > 1 ? extent.width / 2 : extent.width;
        extent.height = extent.height > 1 ? extent.height / 2 : extent.height;
        extent.depth = extent.depth > 1 ? extent.depth / 2 : extent.depth;
    }
    return SIM_OK;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out,
                                     const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned levels, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(format), WORD(&extent), levels, flags);
    if (call.runs && (!out || !format || levels == 0))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        Mipmapped *mipmapped =
            sim_object_new(call.sim, SIM_MIPMAPPED_ARRAY, sizeof *mipmapped, call.thread->device);
        mipmapped->object.end = end_mipmapped;
        call.error = create_levels(&call, mipmapped, format, extent, levels);
        if (call.error)
            sim_object_delete(call.sim, mipmapped);
        else
            *out = (cudaMipmappedArray_t)mipmapped->object.handle;
    }
    return call_end(&call);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t handle,
                                       unsigned level)
{
    Call call = CALL(WORD(out), WORD(handle), level);
    const Mipmapped *mipmapped =
        call.runs ? sim_object_find(call.sim, WORD(handle), SIM_MIPMAPPED_ARRAY) : NULL;
    if (call.runs && !mipmapped)
        call.error = SIM_INVALID_HANDLE;
    else if (call.runs && (!out || level >= mipmapped->level_count))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *out = (cudaArray_t)mipmapped->levels[level];
    return call_end(&call);
}

// Measured: both wait, as cudaFree does.
static SimError release(Call *call, SimObject *object)
{
    if (!object) return SIM_INVALID_HANDLE;
    if (!call_may_wait(call)) return call->error;
    sim_wait_device(call->sim, object->device);
    if (!call->sim->fault) sim_object_delete(call->sim, object);
    return call->sim->fault;
}

cudaError_t cudaFreeArray(cudaArray_t handle)
{
    Call call = CALL(WORD(handle));
    Array *array = call.runs ? array_find(call.sim, handle) : NULL;
    if (call.runs && handle) call.error = release(&call, array ? &array->object : NULL);
    return call_end(&call);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle)
{
    Call call = CALL(WORD(handle));
    if (call.runs && handle)
        call.error = release(&call, sim_object_find(call.sim, WORD(handle), SIM_MIPMAPPED_ARRAY));
    return call_end(&call);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t handle)
{
    Call call = CALL(WORD(format), WORD(extent), WORD(flags), WORD(handle));
    const Array *array = call.runs ? array_find(call.sim, handle) : NULL;
    if (call.runs && !array) call.error = SIM_INVALID_HANDLE;
    if (array && format) *format = array->format;
    if (array && extent) *extent = array->extent;
    if (array && flags) *flags = array->flags;
    return call_end(&call);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t handle)
{
    Call call = CALL(WORD(format), WORD(handle));
    const Array *array = call.runs ? array_find(call.sim, handle) : NULL;
    if (call.runs && !array) call.error = SIM_INVALID_HANDLE;
    if (array && format) *format = array->format;
    return call_end(&call);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}
