// SPDX-License-Identifier: MIT
// Graphs: what is queued while a stream records runs with each launch of the graph that comes of it,
// with the memory that it was given then. A recorded work has as covers the graphs that hold it; the
// first is none as long as the capture lasts.
#include "engine/work.h"

static bool follows(const EngineFn *ef, const State *state)
{
    return ef->site && ef->site_started && ef->has_work && !state->dead;
}

void engine_record_work(EngineFn *ef, State *state, Work work)
{
    bool uses = follows(ef, state) && state->capturing && state->status == RS_LIVE && work.access;
    if (!uses) return;
    Pending recorded = *pending_at(&ef->space.pendings, state->recorded);
    work.point = ef->point;
    pending_add(&recorded, work, (Handle){.value = HANDLE_UNKNOWN});
    state->recorded = pending_id(&ef->space.pendings, &recorded);
    state_remark_work(&ef->space, state, ef->instr->loc, "recorded for a graph here");
}

// The graph that the call makes.
static SymId made_graph(EngineFn *ef, State *state, const CallSite *site)
{
    for (uint32_t i = 0; i < site->model->effects.len; i++)
        if (site->model->effects.items[i].kind == MODEL_ACQUIRE)
            return engine_slot_value(ef, state, site, &site->model->effects.items[i].slot);
    return IR_NONE;
}

static bool holds(const Work *work, SymId graph)
{
    for (uint32_t i = 0; i < work->cover_count; i++)
        if (work->covers[i].value == graph) return true;
    return false;
}

// What graph `from` holds is in graph `to`, too.
static void take_over(EngineFn *ef, State *state, SymId from, SymId to)
{
    Pending recorded = *pending_at(&ef->space.pendings, state->recorded);
    for (uint32_t i = 0; i < recorded.count; i++) {
        Work *work = &recorded.works[i];
        if (holds(work, from) && work->cover_count < WORK_MAX_COVERS)
            work->covers[work->cover_count++] = (Handle){.value = to};
        if (from == HANDLE_UNKNOWN && work->covers[0].value == from) work->covers[0].value = to;
    }
    state->recorded = pending_id(&ef->space.pendings, &recorded);
}

static void launch(EngineFn *ef, State *state, const CallSite *site, SymId graph)
{
    Handle stream = engine_stream_of(ef, state, site);
    Pending recorded = *pending_at(&ef->space.pendings, state->recorded);
    for (uint32_t i = 0; i < recorded.count && !state->dead; i++) {
        if (!holds(&recorded.works[i], graph)) continue;
        if (state->status == RS_RELEASED) {
            engine_use(ef, state, sym_resource(ef->space.values), site->model->name);
            return;
        }
        if (engine_watches_work(ef, state))
            engine_queue_work(ef, state, recorded.works[i], stream, site->model->name);
    }
}

static bool ends_capture(const EngineFn *ef, const ModelFunction *model)
{
    for (uint32_t i = 0; i < model->effects.len; i++)
        if (model->effects.items[i].kind == MODEL_DETACH &&
            model_resource(ef->model, model->effects.items[i].resource)->defers_work)
            return true;
    return false;
}

void engine_graph_call(EngineFn *ef, State *state, CallSite *site)
{
    if (state->recorded == PENDING_NONE || !follows(ef, state)) return;
    uint32_t index = site->first + (uint32_t)site->model->graph_arg - 1;
    SymId graph = site->model->graph_arg > 0 && index < site->count ? site->args[index] : IR_NONE;
    bool is_launch = site->model->order == ORDER_ENQUEUE;
    if (graph != IR_NONE && is_launch) {
        launch(ef, state, site, graph);
        return;
    }
    if (graph == IR_NONE && !ends_capture(ef, site->model)) return;
    SymId made = made_graph(ef, state, site);
    if (made != IR_NONE) take_over(ef, state, graph == IR_NONE ? HANDLE_UNKNOWN : graph, made);
}

void engine_forget_graphs(EngineFn *ef, State *state, const CallSite *site)
{
    if (state->recorded == PENDING_NONE) return;
    Pending recorded = *pending_at(&ef->space.pendings, state->recorded);
    for (uint32_t a = 0; a < site->count; a++) {
        const Sym *address = sym_at(ef->space.values, site->args[a]);
        SymId value =
            address->kind == SYM_ADDR ? state_read(&ef->space, state, address->loc) : site->args[a];
        for (uint32_t i = recorded.count; i-- > 0;)
            if (holds(&recorded.works[i], value)) pending_remove(&recorded, i);
    }
    state->recorded = pending_id(&ef->space.pendings, &recorded);
}
