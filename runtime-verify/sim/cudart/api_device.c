// SPDX-License-Identifier: MIT
// Devices: which one is current, what they are, waiting for one, resetting one, and access between
// them.
#include "runtime.h"

#include <stdio.h>
#include <string.h>

static bool is_device(const Call *call, int device)
{
    return device >= 0 && device < call->sim->device_count;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    Call call = CALL(WORD(count));
    if (call.runs && !count)
        call.error = SIM_INVALID_VALUE;
    else if (count)
        *count = call.sim->device_count;
    return call_end(&call);
}

cudaError_t cudaGetDevice(int *device)
{
    Call call = CALL(WORD(device));
    if (call.runs && !device)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *device = call.thread->device;
    return call_end(&call);
}

static SimError set_device(Call *call, int device)
{
    if (!is_device(call, device)) return SIM_INVALID_DEVICE;
    call->thread->device = device;
    return SIM_OK;
}

cudaError_t cudaSetDevice(int device)
{
    Call call = CALL(WORD(device));
    if (call.runs) call.error = set_device(&call, device);
    return call_end(&call);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    Call call = CALL(WORD(device), device_flags, flags);
    if (call.runs && !is_device(&call, device)) call.error = SIM_INVALID_DEVICE;
    return call_end(&call);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    Call call = CALL(WORD(device), WORD(properties));
    if (call.runs && (!device || !properties))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *device = 0;
    return call_end(&call);
}

cudaError_t cudaDeviceSynchronize(void)
{
    Call call = call_begin(__func__, NULL, 0);
    if (call.runs && call_may_wait(&call)) sim_wait_device(call.sim, call.thread->device);
    return call_end(&call);
}

// The device's things with handles, its default streams excepted.
static void reset_objects(Call *call, int device)
{
    Sim *sim = call->sim;
    SimObject *object = NULL;
    SimObject *next = NULL;
    for (size_t i = sim->stream_count; i-- > 0;) {
        SimStream *stream = sim->streams[i];
        if (stream->object.device == device && !stream->is_legacy) sim_object_delete(sim, stream);
    }
    HASH_ITER(hh, sim->objects, object, next)
    {
        switch (object->kind) {
        case SIM_EVENT:
        case SIM_CUDA_ARRAY:
        case SIM_TEXTURE:
        case SIM_SURFACE:
        case SIM_GRAPH_EXEC:
            if (object->device == device) sim_object_delete(sim, object);
            break;
        default:
            break;
        }
    }
}

cudaError_t cudaDeviceReset(void)
{
    Call call = call_begin(__func__, NULL, 0);
    if (call.runs) {
        int device = call.thread->device;
        sim_wait_device(call.sim, device);
        reset_objects(&call, device);
        sim_memory_release_all(call.sim, device);
    }
    return call_end(&call);
}

// ---- what a device is: the one that the error codes were measured on ----

enum {
    THREADS_MOST = 1024,
    GRID_MOST = 65535,
    SHARED_BYTES = 49152,
    SHARED_BYTES_MOST = 232448,
    PROCESSORS = 132
};

static void describe(const Sim *sim, struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "Simulated device %d", device);
    p->totalGlobalMem = sim->device_bytes;
    p->sharedMemPerBlock = SHARED_BYTES;
    p->sharedMemPerBlockOptin = SHARED_BYTES_MOST;
    p->sharedMemPerMultiprocessor = 233472;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = THREADS_MOST;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = GRID_MOST;
    p->totalConstMem = 65536;
    p->major = 9;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->multiProcessorCount = PROCESSORS;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = 1;
    p->concurrentManagedAccess = p->cooperativeLaunch = p->memoryPoolsSupported =
        p->hostRegisterSupported = 1;
    p->streamPrioritiesSupported = p->canUseHostPointerForRegisteredMem =
        p->computePreemptionSupported = 1;
    p->asyncEngineCount = 3;
    p->pciBusID = device + 1;
    p->l2CacheSize = 62914560;
    p->memoryBusWidth = 6144;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    Call call = CALL(WORD(out), WORD(device));
    if (call.runs && !out)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs && !is_device(&call, device))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        describe(call.sim, out, device);
    return call_end(&call);
}

typedef struct {
    enum cudaDeviceAttr attribute;
    size_t offset; // of the int in cudaDeviceProp
} AttributeField;

static const AttributeField attributes[] = {
#define ATTRIBUTE(name, field) {cudaDevAttr##name, offsetof(struct cudaDeviceProp, field)},
#include "attributes.def"
#undef ATTRIBUTE
};

static SimError get_attribute(const Call *call, int *value, enum cudaDeviceAttr attribute,
                              int device)
{
    struct cudaDeviceProp properties;
    if (!value) return SIM_INVALID_VALUE;
    if (!is_device(call, device)) return SIM_INVALID_DEVICE;
    describe(call->sim, &properties, device);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attribute != attribute) continue;
        memcpy(value, (const char *)&properties + attributes[i].offset, sizeof *value);
        return SIM_OK;
    }
    return SIM_NOT_SUPPORTED;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    Call call = CALL(WORD(value), attribute, WORD(device));
    if (call.runs) call.error = get_attribute(&call, value, attribute, device);
    return call_end(&call);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// ---- access between devices ----

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    Call call = CALL(WORD(can), WORD(device), WORD(peer));
    if (call.runs && (!is_device(&call, device) || !is_device(&call, peer)))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        *can = device != peer;
    return call_end(&call);
}

static SimError set_peer(Call *call, int peer, bool enable)
{
    int device = call->thread->device;
    if (!is_device(call, peer)) return SIM_INVALID_DEVICE;
    if (peer == device) return (SimError)cudaErrorPeerAccessUnsupported;
    bool *access = &call->runtime->peers[device * call->sim->device_count + peer];
    if (*access == enable) return enable ? SIM_PEER_ENABLED : SIM_PEER_NOT_ENABLED;
    *access = enable;
    return SIM_OK;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    Call call = CALL(WORD(peer), flags);
    if (call.runs) call.error = flags ? SIM_INVALID_VALUE : set_peer(&call, peer, true);
    return call_end(&call);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    Call call = CALL(WORD(peer));
    if (call.runs) call.error = set_peer(&call, peer, false);
    return call_end(&call);
}

static SimError copy_to_peer(Call *call, SimWork *work, cudaStream_t handle, SimCopyMode mode)
{
    SimStream *stream = call_stream(call, handle);
    if (!stream) {
        sim_work_delete(work);
        return call->error;
    }
    return sim_copy(call->sim, stream, work, SIM_DEVICE_TO_DEVICE, mode);
}

static SimWork *peer_copy(const Call *call, void *to, const void *from, size_t size)
{
    SimWork *work = sim_work_new(SIM_WORK_COPY);
    work->to = sim_region_at(call->sim, WORD(to), size, 1);
    work->from = sim_region_at(call->sim, WORD(from), size, 1);
    work->extent = (SimExtent){size, 1, 1};
    return work;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    Call call = CALL(WORD(to), WORD(to_device), WORD(from), WORD(from_device), size);
    if (call.runs && (!is_device(&call, to_device) || !is_device(&call, from_device)))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        call.error = copy_to_peer(&call, peer_copy(&call, to, from, size), NULL, SIM_COPY_SYNC);
    return call_end(&call);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t size, cudaStream_t stream)
{
    Call call = CALL(WORD(to), WORD(to_device), WORD(from), WORD(from_device), size, WORD(stream));
    if (call.runs && (!is_device(&call, to_device) || !is_device(&call, from_device)))
        call.error = SIM_INVALID_DEVICE;
    else if (call.runs)
        call.error = copy_to_peer(&call, peer_copy(&call, to, from, size), stream, SIM_COPY_ASYNC);
    return call_end(&call);
}
