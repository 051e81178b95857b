// SPDX-License-Identifier: MIT
// Memory: allocating, releasing, registering, asking about it.
#include "runtime.h"

#include <string.h>

enum { PITCH_GRANULE = 512 };

static SimError allocate(Call *call, SimSpace space, void **out, size_t size, unsigned flags)
{
    if (!out) return SIM_INVALID_VALUE;
    if (!call_may_wait(call)) return call->error;
    *out = NULL;
    if (size == 0) return SIM_OK; // measured, for managed memory too
    SimBlock *block = NULL;
    SimError error = sim_memory_new(call->sim, space, size, call->thread->device, &block);
    if (error) return error;
    block->flags = flags;
    *out = (void *)block->address;
    return SIM_OK;
}

cudaError_t cudaMalloc(void **out, size_t size)
{
    Call call = CALL(WORD(out), WORD(size));
    if (call.runs) call.error = allocate(&call, SIM_DEVICE, out, size, 0);
    return call_end(&call);
}

cudaError_t cudaMallocManaged(void **out, size_t size, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(size), flags);
    bool is_valid = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
    if (call.runs)
        call.error = is_valid ? allocate(&call, SIM_MANAGED, out, size, flags) : SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaMallocHost(void **out, size_t size)
{
    Call call = CALL(WORD(out), WORD(size));
    if (call.runs) call.error = allocate(&call, SIM_PINNED, out, size, 0);
    return call_end(&call);
}

cudaError_t cudaHostAlloc(void **out, size_t size, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(size), flags);
    unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (call.runs)
        call.error =
            flags & ~known ? SIM_INVALID_VALUE : allocate(&call, SIM_PINNED, out, size, flags);
    return call_end(&call);
}

static SimError allocate_pitched(Call *call, struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    size_t pitch = (extent.width + PITCH_GRANULE - 1) / PITCH_GRANULE * PITCH_GRANULE;
    size_t size = 0;
    if (__builtin_mul_overflow(pitch, extent.height, &size) ||
        __builtin_mul_overflow(size, extent.depth, &size))
        return SIM_OUT_OF_MEMORY;
    void *memory = NULL;
    SimError error = allocate(call, SIM_DEVICE, &memory, size, 0);
    if (error == SIM_OK)
        *out = (struct cudaPitchedPtr){
            .ptr = memory, .pitch = pitch, .xsize = extent.width, .ysize = extent.height};
    return error;
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    Call call = CALL(WORD(out), WORD(pitch), width, height);
    struct cudaPitchedPtr memory = {0};
    struct cudaExtent extent = {.width = width, .height = height, .depth = 1};
    if (call.runs)
        call.error = out && pitch ? allocate_pitched(&call, &memory, extent) : SIM_INVALID_VALUE;
    if (call.runs && !call.error) {
        *out = memory.ptr;
        *pitch = memory.pitch;
    }
    return call_end(&call);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    Call call = CALL(WORD(out), WORD(&extent));
    if (call.runs) call.error = out ? allocate_pitched(&call, out, extent) : SIM_INVALID_VALUE;
    return call_end(&call);
}

// The live block that starts at the address and is of one of the spaces (bits).
static SimBlock *block_at(const Sim *sim, const void *address, unsigned spaces)
{
    SimBlock *block = sim_memory_find(sim, WORD(address));
    bool fits = block && block->address == WORD(address) && (1U << block->space & spaces);
    return fits ? block : NULL;
}

// Memory of the stream-ordered allocator goes without waiting: work in flight on it dies of that.
static SimError release_pool_memory(Sim *sim, SimBlock *block)
{
    block->is_unmapped = true;
    sim_pool_free(sim, block, NULL);
    return SIM_OK;
}

static SimError release(Call *call, void *address, unsigned spaces)
{
    if (!address) return SIM_OK;
    SimBlock *block = block_at(call->sim, address, spaces);
    if (!block) return SIM_INVALID_VALUE;
    if (block->space == SIM_POOL) return release_pool_memory(call->sim, block);
    if (!call_may_wait(call)) return call->error;
    sim_wait_device(call->sim, block->device);
    if (call->sim->fault) return call->sim->fault;
    sim_memory_release(call->sim, block);
    return SIM_OK;
}

cudaError_t cudaFree(void *memory)
{
    Call call = CALL(WORD(memory));
    if (call.runs)
        call.error = release(&call, memory, 1U << SIM_DEVICE | 1U << SIM_MANAGED | 1U << SIM_POOL);
    return call_end(&call);
}

cudaError_t cudaFreeHost(void *memory)
{
    Call call = CALL(WORD(memory));
    if (call.runs) call.error = release(&call, memory, 1U << SIM_PINNED);
    return call_end(&call);
}

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags)
{
    Call call = CALL(WORD(memory), size, flags);
    SimBlock *block = NULL;
    if (call.runs) {
        call.error = memory && size
                         ? sim_memory_register(call.sim, WORD(memory), size, SIM_REGISTERED, &block)
                         : SIM_INVALID_VALUE;
        if (block) {
            block->flags = flags;
            block->device = call.thread->device;
        }
    }
    return call_end(&call);
}

cudaError_t cudaHostUnregister(void *memory)
{
    Call call = CALL(WORD(memory));
    if (call.runs && !block_at(call.sim, memory, 1U << SIM_REGISTERED)) {
        // Measured: memory of the device is an invalid value; other memory is not registered.
        bool is_known = sim_memory_find(call.sim, WORD(memory)) || !memory;
        call.error = is_known ? SIM_INVALID_VALUE : SIM_NOT_REGISTERED;
    } else if (call.runs) {
        call.error = release(&call, memory, 1U << SIM_REGISTERED);
    }
    return call_end(&call);
}

static const SimBlock *host_block(const Call *call, const void *host)
{
    const SimBlock *block = sim_memory_find(call->sim, WORD(host));
    return block && (block->space == SIM_PINNED || block->space == SIM_REGISTERED) ? block : NULL;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    Call call = CALL(WORD(device), WORD(host), flags);
    if (call.runs && (!device || !host_block(&call, host)))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *device = host;
    return call_end(&call);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    Call call = CALL(WORD(flags), WORD(host));
    const SimBlock *block = call.runs ? host_block(&call, host) : NULL;
    if (call.runs && (!flags || !block))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *flags = block->flags;
    return call_end(&call);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    Call call = CALL(WORD(free), WORD(total));
    if (call.runs && (!free || !total))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        *total = call.sim->device_bytes;
        *free = call.sim->device_bytes - call.sim->used_bytes[call.thread->device];
    }
    return call_end(&call);
}

static void describe(const SimBlock *block, struct cudaPointerAttributes *out, const void *address)
{
    out->device = block->device;
    out->devicePointer = (void *)address;
    if (sim_space_is_host(block->space)) out->hostPointer = (void *)address;
    if (block->space == SIM_MANAGED)
        out->type = cudaMemoryTypeManaged;
    else
        out->type = sim_space_is_host(block->space) ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *address)
{
    Call call = CALL(WORD(out), WORD(address));
    if (call.runs && !out)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        memset(out, 0, sizeof *out);
        const SimBlock *block = sim_memory_find(call.sim, WORD(address));
        if (block)
            describe(block, out, address);
        else {
            out->type = cudaMemoryTypeUnregistered;
            out->device = cudaInvalidDeviceId;
            out->hostPointer = (void *)address;
        }
    }
    return call_end(&call);
}

cudaError_t cudaMemAdvise(const void *memory, size_t size, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    Call call = CALL(WORD(memory), size, advice, WORD(&location));
    const SimBlock *block = call.runs ? sim_memory_find(call.sim, WORD(memory)) : NULL;
    if (call.runs && (!block || block->space != SIM_MANAGED)) call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}
