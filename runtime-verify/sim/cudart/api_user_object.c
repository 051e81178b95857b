// SPDX-License-Identifier: MIT
// Objects of the program that graphs keep.
#include "runtime.h"

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags)
{
    Call call = CALL(WORD(out), WORD(data), WORD(destroy), references, flags);
    bool is_valid = out && destroy && references > 0 && flags == cudaUserObjectNoDestructorSync;
    if (call.runs && !is_valid)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *out = (cudaUserObject_t)sim_user_object_new(call.sim, destroy, data, references)
                   ->object.handle;
    return call_end(&call);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    Call call = CALL(WORD(object), count);
    if (call.runs) call.error = sim_user_object_change(call.sim, WORD(object), count, 0);
    return call_end(&call);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    Call call = CALL(WORD(object), count);
    if (call.runs) call.error = sim_user_object_change(call.sim, WORD(object), 0, count);
    return call_end(&call);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags)
{
    Call call = CALL(WORD(handle), WORD(object), count, flags);
    SimGraph *graph = call.runs ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH) : NULL;
    if (call.runs && (!graph || count == 0))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        // Moved: the graph takes over references that the caller had.
        bool is_moved = flags & cudaGraphUserObjectMove;
        if (!is_moved)
            call.error = sim_user_object_change(call.sim, WORD(object), count, 0);
        else if (!sim_object_find(call.sim, WORD(object), SIM_USER_OBJECT))
            call.error = SIM_INVALID_VALUE;
        if (!call.error) sim_keeps_add(&graph->keeps, WORD(object), count);
    }
    return call_end(&call);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count)
{
    Call call = CALL(WORD(handle), WORD(object), count);
    SimGraph *graph = call.runs ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH) : NULL;
    if (call.runs && (!graph || count == 0))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        call.error = sim_keeps_take(call.sim, &graph->keeps, WORD(object), count);
    return call_end(&call);
}
