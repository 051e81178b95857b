// SPDX-License-Identifier: MIT
// The stream-ordered allocator. What is freed goes back to the pool with its contents, and whoever
// allocates on the same stream next gets it, whatever other streams still do with it: silent
// corruption, as on a device.
#include "sim.h"

#include <stdlib.h>

static void drop_range(Sim *sim, const SimRange *range)
{
    sim_ranges_add(&sim->free_ranges, (SimRange){.address = range->address, .size = range->size});
    sim_bytes_drop(range->bytes);
}

static void end_pool(Sim *sim, void *object)
{
    SimPool *pool = object;
    sim_ranges_delete(sim, &pool->ranges, drop_range);
}

SimPool *sim_pool_new(Sim *sim, int device)
{
    SimPool *pool = sim_object_new(sim, SIM_MEMPOOL, sizeof *pool, device);
    pool->object.end = end_pool;
    return pool;
}

// Contents and an address for them, new or used.
static bool take_range(Sim *sim, SimPool *pool, size_t size, const SimStream *stream,
                       SimRange *range)
{
    if (sim_ranges_take(sim, &pool->ranges, size, stream, range)) return true;
    *range = (SimRange){.bytes = sim_bytes_new(size)};
    if (!range->bytes) return false;
    range->size = range->bytes->size;
    range->address = sim_space_take(sim, range->size);
    if (!range->address) sim_bytes_drop(range->bytes);
    return range->address != 0;
}

SimError sim_pool_allocate(Sim *sim, SimPool *pool, size_t size, const SimStream *stream,
                           SimBlock **out)
{
    enum { GRANULE = 512 };
    *out = NULL;
    uint64_t *used = &sim->used_bytes[pool->object.device];
    if (size > sim->device_bytes - *used) return SIM_OUT_OF_MEMORY;
    SimRange range;
    if (!take_range(sim, pool, (size + GRANULE - 1) / GRANULE * GRANULE, stream, &range))
        return SIM_OUT_OF_MEMORY;
    SimBlock *block = sim_block_new(sim, SIM_POOL, range.address, size, range.bytes);
    sim_bytes_drop(range.bytes);
    block->device = pool->object.device;
    block->pool = pool->object.handle;
    *used += range.size;
    pool->live++;
    pool->used += size;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    *out = block;
    return SIM_OK;
}

void sim_pool_free(Sim *sim, SimBlock *block, const SimStream *stream)
{
    SimPool *pool = sim_object_find(sim, block->pool, SIM_MEMPOOL);
    SimRange range = {.address = block->address, .size = block->bytes->size, .bytes = block->bytes};
    if (stream) {
        range.stream = stream->object.handle;
        range.after = stream->last;
    }
    sim->used_bytes[block->device] -= range.size;
    size_t block_size = block->size;
    range.bytes->refs++;
    sim_memory_release(sim, block);
    if (!pool) {
        drop_range(sim, &range);
        return;
    }
    pool->used -= block_size;
    pool->live--;
    sim_ranges_add(&pool->ranges, range);
    if (pool->is_destroyed && pool->live == 0) sim_object_delete(sim, pool);
}

void sim_pool_trim(Sim *sim, SimPool *pool)
{
    sim_ranges_delete(sim, &pool->ranges, drop_range);
}

void sim_pool_delete(Sim *sim, SimPool *pool)
{
    if (pool->live > 0)
        pool->is_destroyed = true;
    else
        sim_object_delete(sim, pool);
}
