// SPDX-License-Identifier: MIT
// Graphs: building them by hand, and executable ones. Launching and
// capturing are in ordered/launch.c. A graph's memory is allocated when its node is added: its
// address is known from then on.
#include "runtime.h"

#include <stdlib.h>

typedef const cudaGraphNode_t *Nodes;

static SimGraph *graph_of(Call *call, cudaGraph_t handle)
{
    SimGraph *graph = call->runs ? sim_object_find(call->sim, WORD(handle), SIM_GRAPH) : NULL;
    if (call->runs && !graph) call->error = SIM_INVALID_VALUE;
    return graph;
}

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    Call call = CALL(WORD(out), flags);
    if (call.runs && (!out || flags))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        *out = (cudaGraph_t)sim_graph_new(call.sim, call.thread->device)->object.handle;
    return call_end(&call);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    Call call = CALL(WORD(handle));
    SimGraph *graph = graph_of(&call, handle);
    if (graph) sim_object_delete(call.sim, graph);
    return call_end(&call);
}

// ---- nodes ----

// Adds a node; takes the work.
static void add(Call *call, cudaGraphNode_t *out, cudaGraph_t handle, Nodes after, size_t count,
                SimWork *work)
{
    SimGraph *graph = out && (after || !count) ? graph_of(call, handle) : NULL;
    const SimNode *node = NULL;
    if (graph)
        node = sim_graph_add(call->sim, graph, work, (const SimHandle *)after, count);
    else if (work)
        sim_work_delete(work);
    if (node)
        *out = (cudaGraphNode_t)node->object.handle;
    else
        call->error = SIM_INVALID_VALUE;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                  size_t count)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count);
    if (call.runs) add(&call, out, graph, after, count, NULL);
    return call_end(&call);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                   size_t count, const struct cudaKernelNodeParams *p)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(p));
    KernelLaunch launch = {0};
    if (call.runs && !p)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        Configuration configuration = {
            .grid = p->gridDim, .block = p->blockDim, .shared_bytes = p->sharedMemBytes};
        call.error =
            kernel_prepare(call.runtime, p->func, &configuration, p->kernelParams, &launch);
    }
    if (launch.work) add(&call, out, graph, after, count, launch.work);
    free(launch.words);
    return call_end(&call);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after, size_t count,
                                 const struct cudaHostNodeParams *p)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(p));
    if (call.runs && (!p || !p->fn))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        SimWork *work = sim_work_new(SIM_WORK_HOST);
        work->host_function = p->fn;
        work->host_data = p->userData;
        add(&call, out, graph, after, count, work);
    }
    return call_end(&call);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                   size_t count, const struct cudaMemsetParams *p)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(p));
    bool is_valid = p && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
    SimRegion to = call.runs && is_valid
                       ? sim_region_at(call.sim, WORD(p->dst), p->pitch, p->height)
                       : (SimRegion){0};
    if (call.runs && !to.block)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        SimWork *work = sim_work_new(SIM_WORK_SET);
        work->to = to;
        work->extent = (SimExtent){p->width * p->elementSize, p->height, 1};
        work->value = p->value;
        work->value_size = p->elementSize;
        add(&call, out, graph, after, count, work);
    }
    return call_end(&call);
}

static SimWork *copy_1d(const Call *call, void *to, const void *from, size_t size)
{
    SimWork *work = sim_work_new(SIM_WORK_COPY);
    work->to = sim_region_at(call->sim, WORD(to), size, 1);
    work->from = sim_region_at(call->sim, WORD(from), size, 1);
    work->extent = (SimExtent){size, 1, 1};
    return work;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                     size_t count, void *to, const void *from, size_t size,
                                     enum cudaMemcpyKind kind)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(to), WORD(from), size, kind);
    if (call.runs) add(&call, out, graph, after, count, copy_1d(&call, to, from, size));
    return call_end(&call);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t handle, Nodes after,
                                       size_t count, cudaGraph_t child_handle)
{
    Call call = CALL(WORD(out), WORD(handle), WORD(after), count, WORD(child_handle));
    SimGraph *graph = graph_of(&call, handle);
    const SimGraph *child = graph ? graph_of(&call, child_handle) : NULL;
    const SimNode *node = NULL;
    if (child && out && child != graph)
        node = sim_graph_add_child(call.sim, graph, child, (const SimHandle *)after, count);
    if (node)
        *out = (cudaGraphNode_t)node->object.handle;
    else if (call.runs)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *out)
{
    Call call = CALL(WORD(handle), WORD(out));
    const SimNode *node =
        call.runs ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH_NODE) : NULL;
    if (node && node->child && out)
        *out = (cudaGraph_t)node->child;
    else if (call.runs)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t handle)
{
    Call call = CALL(WORD(out), WORD(handle));
    const SimGraph *graph = graph_of(&call, handle);
    if (graph && out)
        *out = (cudaGraph_t)sim_graph_clone(call.sim, graph)->object.handle;
    else if (graph)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                        size_t count, cudaEvent_t event)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(event));
    if (call.runs && !sim_object_find(call.sim, WORD(event), SIM_EVENT))
        call.error = SIM_INVALID_HANDLE;
    else if (call.runs) {
        SimWork *work = sim_work_new(SIM_WORK_MARK);
        work->event = WORD(event);
        add(&call, out, graph, after, count, work);
    }
    return call_end(&call);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                     size_t count, struct cudaMemAllocNodeParams *p)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(p));
    SimPool *pool =
        call.runs ? sim_object_find(call.sim, call.runtime->default_pools[call.thread->device],
                                    SIM_MEMPOOL)
                  : NULL;
    SimBlock *block = NULL;
    if (pool)
        call.error =
            p ? sim_pool_allocate(call.sim, pool, p->bytesize, NULL, &block) : SIM_INVALID_VALUE;
    if (block) {
        p->dptr = (void *)block->address;
        add(&call, out, graph, after, count, NULL);
        if (call.error) sim_pool_free(call.sim, block, NULL);
    }
    return call_end(&call);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph, Nodes after,
                                    size_t count, void *memory)
{
    Call call = CALL(WORD(out), WORD(graph), WORD(after), count, WORD(memory));
    const SimBlock *block = call.runs ? sim_memory_find(call.sim, WORD(memory)) : NULL;
    if (call.runs && (!block || block->space != SIM_POOL))
        call.error = SIM_INVALID_VALUE;
    else if (call.runs)
        add(&call, out, graph, after, count, NULL);
    return call_end(&call);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, Nodes from, Nodes to,
                                     const cudaGraphEdgeData *edges, size_t count)
{
    Call call = CALL(WORD(handle), WORD(from), WORD(to), WORD(edges), count);
    SimGraph *graph = graph_of(&call, handle);
    for (size_t i = 0; graph && i < count && !call.error; i++)
        call.error = sim_graph_add_edge(call.sim, graph, WORD(from[i]), WORD(to[i]));
    return call_end(&call);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    Call call = CALL(WORD(handle));
    SimNode *node = call.runs ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH_NODE) : NULL;
    if (node)
        sim_object_delete(call.sim, node);
    else if (call.runs)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    Call call = CALL(WORD(handle), WORD(nodes), WORD(count));
    const SimGraph *graph = graph_of(&call, handle);
    size_t found = 0;
    for (size_t i = 0; graph && count && i < graph->node_count; i++) {
        if (!sim_object_find(call.sim, graph->nodes[i], SIM_GRAPH_NODE)) continue;
        if (nodes && found < *count) nodes[found] = (cudaGraphNode_t)graph->nodes[i];
        found++;
    }
    if (graph && !count)
        call.error = SIM_INVALID_VALUE;
    else if (graph)
        *count = nodes && found > *count ? *count : found;
    return call_end(&call);
}

// ---- executable graphs ----

static void instantiate(Call *call, cudaGraphExec_t *out, cudaGraph_t handle)
{
    const SimGraph *graph = out ? graph_of(call, handle) : NULL;
    const SimGraphExec *exec = graph ? sim_graph_instantiate(call->sim, graph) : NULL;
    if (exec)
        *out = (cudaGraphExec_t)exec->object.handle;
    else
        call->error = SIM_INVALID_VALUE;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    Call call = CALL(WORD(out), WORD(graph), flags);
    if (call.runs) instantiate(&call, out, graph);
    return call_end(&call);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                          unsigned long long flags)
{
    Call call = CALL(WORD(out), WORD(graph), flags);
    if (call.runs) instantiate(&call, out, graph);
    return call_end(&call);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    Call call = CALL(WORD(handle));
    SimGraphExec *exec = call.runs ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH_EXEC) : NULL;
    if (exec)
        sim_object_delete(call.sim, exec);
    else if (call.runs)
        call.error = SIM_INVALID_VALUE;
    return call_end(&call);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo *info)
{
    Call call = CALL(WORD(handle), WORD(graph_handle), WORD(info));
    SimGraph *graph = graph_of(&call, graph_handle);
    SimGraphExec *exec = graph ? sim_object_find(call.sim, WORD(handle), SIM_GRAPH_EXEC) : NULL;
    if (graph && !exec)
        call.error = SIM_INVALID_VALUE;
    else if (exec && !sim_graph_update(call.sim, exec, graph))
        call.error = (SimError)cudaErrorGraphExecUpdateFailure;
    if (exec && info)
        info->result =
            call.error ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
    return call_end(&call);
}
