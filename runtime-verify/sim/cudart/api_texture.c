// SPDX-License-Identifier: MIT
// Texture and surface objects: descriptions that can be asked back.
#include "runtime.h"

typedef struct {
    SimObject object;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    struct cudaResourceViewDesc view;
} Texture;

// Is what it reads there?
static SimError check_resource(const Sim *sim, const struct cudaResourceDesc *resource)
{
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return array_find(sim, resource->res.array.array) ? SIM_OK : SIM_INVALID_HANDLE;
    case cudaResourceTypeMipmappedArray:
        return sim_object_find(sim, WORD(resource->res.mipmap.mipmap), SIM_MIPMAPPED_ARRAY)
                   ? SIM_OK
                   : SIM_INVALID_HANDLE;
    case cudaResourceTypeLinear:
        return sim_memory_find(sim, WORD(resource->res.linear.devPtr)) ? SIM_OK : SIM_INVALID_VALUE;
    case cudaResourceTypePitch2D:
        return sim_memory_find(sim, WORD(resource->res.pitch2D.devPtr)) ? SIM_OK
                                                                        : SIM_INVALID_VALUE;
    default:
        return SIM_INVALID_VALUE;
    }
}

static Texture *create(Call *call, SimKind kind, const struct cudaResourceDesc *resource)
{
    call->error = resource ? check_resource(call->sim, resource) : SIM_INVALID_VALUE;
    if (call->error) return NULL;
    Texture *texture = sim_object_new(call->sim, kind, sizeof *texture, call->thread->device);
    texture->resource = *resource;
    return texture;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view)
{
    Call call = CALL(WORD(out), WORD(resource), WORD(description), WORD(view));
    bool is_valid = out && description;
    Texture *texture = call.runs && is_valid ? create(&call, SIM_TEXTURE, resource) : NULL;
    if (call.runs && !is_valid) call.error = SIM_INVALID_VALUE;
    if (texture) {
        texture->texture = *description;
        if (view) texture->view = *view;
        *out = texture->object.handle;
    }
    return call_end(&call);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                    const struct cudaResourceDesc *resource)
{
    Call call = CALL(WORD(out), WORD(resource));
    bool is_valid = out && resource && resource->resType == cudaResourceTypeArray;
    const Texture *surface = call.runs && is_valid ? create(&call, SIM_SURFACE, resource) : NULL;
    if (call.runs && !is_valid) call.error = SIM_INVALID_VALUE;
    if (surface) *out = surface->object.handle;
    return call_end(&call);
}

static Texture *find(Call *call, SimHandle handle, SimKind kind)
{
    Texture *texture = call->runs ? sim_object_find(call->sim, handle, kind) : NULL;
    if (call->runs && !texture) call->error = SIM_INVALID_VALUE;
    return texture;
}

// Measured: destroying one that is none is a success.
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    Call call = CALL(handle);
    Texture *texture = call.runs ? sim_object_find(call.sim, handle, SIM_TEXTURE) : NULL;
    if (texture) sim_object_delete(call.sim, texture);
    return call_end(&call);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    Call call = CALL(handle);
    Texture *surface = call.runs ? sim_object_find(call.sim, handle, SIM_SURFACE) : NULL;
    if (surface) sim_object_delete(call.sim, surface);
    return call_end(&call);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t handle)
{
    Call call = CALL(WORD(out), handle);
    const Texture *texture = find(&call, handle, SIM_TEXTURE);
    if (texture) *out = texture->resource;
    return call_end(&call);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    Call call = CALL(WORD(out), handle);
    const Texture *texture = find(&call, handle, SIM_TEXTURE);
    if (texture) *out = texture->texture;
    return call_end(&call);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out,
                                                 cudaTextureObject_t handle)
{
    Call call = CALL(WORD(out), handle);
    const Texture *texture = find(&call, handle, SIM_TEXTURE);
    if (texture) *out = texture->view;
    return call_end(&call);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaSurfaceObject_t handle)
{
    Call call = CALL(WORD(out), handle);
    const Texture *surface = find(&call, handle, SIM_SURFACE);
    if (surface) *out = surface->resource;
    return call_end(&call);
}
