// SPDX-License-Identifier: MIT
// Stream-ordered memory. Compiled twice: runtime.h.
#include "../runtime.h"

static SimError allocate(Call *call, void **out, size_t size, SimHandle pool_handle,
                         SimStream *stream)
{
    if (!stream) return call->error;
    if (!out) return SIM_INVALID_VALUE;
    *out = NULL;
    if (size == 0) return SIM_OK;
    SimPool *pool = sim_object_find(call->sim, pool_handle, SIM_MEMPOOL);
    if (!pool || pool->is_destroyed) return SIM_INVALID_VALUE;
    SimBlock *block = NULL;
    SimError error = sim_pool_allocate(call->sim, pool, size, stream, &block);
    if (error) return error;
    *out = (void *)block->address;
    return SIM_OK;
}

cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t handle)
{
    Call call = CALL(WORD(out), size, WORD(handle));
    SimStream *stream = call.runs ? STREAM_OF(&call, handle) : NULL;
    if (stream)
        call.error = allocate(&call, out, size, call.runtime->pools[stream->object.device], stream);
    return call_end(&call);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t size, cudaMemPool_t pool,
                                    cudaStream_t handle)
{
    Call call = CALL(WORD(out), size, WORD(pool), WORD(handle));
    if (call.runs) call.error = allocate(&call, out, size, WORD(pool), STREAM_OF(&call, handle));
    return call_end(&call);
}

// Measured: memory of cudaMalloc may be freed so, managed memory is not supported, other memory is
// invalid.
static SimError release(Call *call, void *memory, SimStream *stream)
{
    if (!stream || !memory) return call->error;
    SimBlock *block = sim_memory_find(call->sim, WORD(memory));
    if (!block || block->address != WORD(memory)) return SIM_INVALID_VALUE;
    if (block->space == SIM_MANAGED) return SIM_NOT_SUPPORTED;
    if (block->space == SIM_POOL)
        sim_pool_free(call->sim, block, stream);
    else if (block->space == SIM_DEVICE)
        sim_memory_release(call->sim, block);
    else
        return SIM_INVALID_VALUE;
    return SIM_OK;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t handle)
{
    Call call = CALL(WORD(memory), WORD(handle));
    if (call.runs) call.error = release(&call, memory, STREAM_OF(&call, handle));
    return call_end(&call);
}
