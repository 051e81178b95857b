// SPDX-License-Identifier: MIT
// Memory pools as things of their own; allocating from them is in ordered/pool.c.
#include "runtime.h"

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *properties)
{
    Call call = CALL(WORD(out), WORD(properties));
    if (call.runs && (!out || !properties))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs && properties->location.type != cudaMemLocationTypeDevice)
        call.error = SIM_NOT_SUPPORTED;
    else if (call.runs &&
             (properties->location.id < 0 || properties->location.id >= call.sim->device_count))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        *out = (cudaMemPool_t)sim_pool_new(call.sim, properties->location.id)->object.handle;
    return call_end(&call);
}

static SimPool *pool_of(Call *call, cudaMemPool_t handle)
{
    SimPool *pool = call->runs ? sim_object_find(call->sim, WORD(handle), SIM_MEMPOOL) : NULL;
    if (pool && !pool->is_destroyed) return pool;
    if (call->runs) call->error = SIM_INVALID_VALUE;
    return NULL;
}

// A device whose current pool goes has its default pool again.
static void forget_pool(Runtime *runtime, SimHandle handle)
{
    for (int device = 0; device < runtime->sim->device_count; device++)
        if (runtime->pools[device] == handle)
            runtime->pools[device] = runtime->default_pools[device];
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    Call call = CALL(WORD(handle));
    SimPool *pool = pool_of(&call, handle);
    if (pool && pool->is_default)
        call.error = SIM_INVALID_VALUE;
    else if (pool) {
        forget_pool(call.runtime, pool->object.handle);
        sim_pool_delete(call.sim, pool);
    }
    return call_end(&call);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    Call call = CALL(WORD(handle), keep);
    SimPool *pool = pool_of(&call, handle);
    if (pool) sim_pool_trim(call.sim, pool);
    return call_end(&call);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    Call call = CALL(WORD(handle), WORD(list), count);
    if (pool_of(&call, handle) && !list && count) call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

// The attributes that are sizes; the others are switches, on unless set.
static uint64_t *size_attribute(SimPool *pool, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    Call call = CALL(WORD(handle), attribute, WORD(value));
    SimPool *pool = pool_of(&call, handle);
    const uint64_t *size = pool ? size_attribute(pool, attribute) : NULL;
    if (pool && (!value || attribute > cudaMemPoolAttrUsedMemHigh))
        call.error = SIM_INVALID_VALUE;
    else if (size)
        *(uint64_t *)value = *size;
    else if (pool)
        *(int *)value = 1;
    return call_end(&call);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    Call call = CALL(WORD(handle), attribute, WORD(value));
    SimPool *pool = pool_of(&call, handle);
    if (pool && (!value || attribute > cudaMemPoolAttrUsedMemHigh))
        call.error = SIM_INVALID_VALUE;
    else if (pool && attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = *(uint64_t *)value;
    return call_end(&call);
}

// ---- the pools of a device ----

static SimError get_pool(const Call *call, cudaMemPool_t *out, int device, const SimHandle *pools)
{
    if (!out) return SIM_INVALID_VALUE;
    if (device < 0 || device >= call->sim->device_count) return SIM_INVALID_DEVICE;
    *out = (cudaMemPool_t)pools[device];
    return SIM_OK;
}

static SimError set_pool(Call *call, int device, cudaMemPool_t handle)
{
    if (device < 0 || device >= call->sim->device_count) return SIM_INVALID_DEVICE;
    const SimPool *pool = pool_of(call, handle);
    if (!pool || pool->object.device != device) return SIM_INVALID_VALUE;
    call->runtime->pools[device] = pool->object.handle;
    return SIM_OK;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    Call call = CALL(WORD(out), WORD(device));
    if (call.runs) call.error = get_pool(&call, out, device, call.runtime->default_pools);
    return call_end(&call);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    Call call = CALL(WORD(out), WORD(device));
    if (call.runs) call.error = get_pool(&call, out, device, call.runtime->pools);
    return call_end(&call);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    Call call = CALL(WORD(device), WORD(pool));
    if (call.runs) call.error = set_pool(&call, device, pool);
    return call_end(&call);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    Call call = CALL(WORD(out), WORD(location), type);
    if (call.runs)
        call.error = location ? get_pool(&call, out, location->id, call.runtime->default_pools)
                              : SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    Call call = CALL(WORD(out), WORD(location), type);
    if (call.runs)
        call.error =
            location ? get_pool(&call, out, location->id, call.runtime->pools) : SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool)
{
    Call call = CALL(WORD(location), type, WORD(pool));
    if (call.runs) call.error = location ? set_pool(&call, location->id, pool) : SIM_INVALID_VALUE;
    return call_end(&call);
}
