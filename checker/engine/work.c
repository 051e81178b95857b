// SPDX-License-Identifier: MIT
// GPU work and the tracked resource: which calls and launches queue work that uses it, and which
// make the host or other streams wait for it. work_hazard.c judges what happens meanwhile.
#include "engine/work.h"

// ---- handles ------------------------------------------------------------------------------------

// Values of a stream that are no handles: 0 and 1 the legacy default stream, 2 the thread's own.
Handle engine_default_stream(EngineFn *ef, int64_t constant)
{
    bool own = constant == 2 || (constant == 0 && ef->unit->per_thread_stream);
    return (Handle){.value = sym_int(ef->space.values, own ? 2 : 0),
                    .facts = own ? HANDLE_OWN : HANDLE_LEGACY};
}

static uint32_t created_facts(const EngineFn *ef, uint32_t point)
{
    if (point >= ef->handle_points.size || !bits_has(&ef->handle_points, point)) return 0;
    uint32_t facts = HANDLE_CREATED;
    if (bits_has(&ef->nonblocking_points, point)) facts |= HANDLE_NONBLOCKING;
    if (bits_has(&ef->blocking_points, point)) facts |= HANDLE_BLOCKING;
    return facts;
}

static Handle handle_of(EngineFn *ef, SymId value, bool is_event)
{
    const Values *values = ef->space.values;
    int64_t constant;
    if (value == IR_NONE) return (Handle){.value = IR_NONE, .facts = is_event ? HANDLE_EVENT : 0};
    if (!is_event && sym_is_int(values, value, &constant))
        return engine_default_stream(ef, constant);
    const Sym *sym = sym_at(values, value);
    while (sym->kind == SYM_OLDER) sym = sym_at(values, sym->a);
    uint32_t facts = is_event ? HANDLE_EVENT : 0;
    if (sym->kind == SYM_FRESH) facts |= created_facts(ef, sym->point);
    // Memory may have been filled since by somebody who was told a handle of ours.
    if (sym->kind == SYM_INITIAL && loc_at(values, sym->loc)->kind == LOC_VAR) {
        const IrVar *var = &ef->fn->vars.items[loc_at(values, sym->loc)->var];
        if (var->kind == IR_VAR_PARAM) facts |= HANDLE_ENTRY;
    }
    if (sym->kind == SYM_RESOURCE)
        facts |= ef->site->kind == SITE_ACQUIRE ? HANDLE_CREATED : HANDLE_ENTRY;
    return (Handle){.value = value, .facts = facts};
}

Handle engine_stream_of_value(EngineFn *ef, SymId value)
{
    return handle_of(ef, value, false);
}

// A library's handle has a stream of its own; one that was just made has the default stream.
static LocId stream_of_handle(EngineFn *ef, SymId handle)
{
    return loc_field(ef->space.values, loc_pointee(ef->space.values, handle),
                     str_intern(ef->unit->strings, "#stream"));
}

static Handle handles_stream(EngineFn *ef, State *state, SymId handle)
{
    SymId stream = state_read(&ef->space, state, stream_of_handle(ef, handle));
    const Sym *sym = sym_at(ef->space.values, handle);
    bool is_new = sym->kind == SYM_FRESH && created_facts(ef, sym->point) != 0;
    if (is_new && sym_at(ef->space.values, stream)->kind == SYM_INITIAL)
        return engine_default_stream(ef, 0);
    return handle_of(ef, stream, false);
}

static void bind_stream(EngineFn *ef, State *state, const CallSite *site)
{
    uint32_t handle = site->first + (uint32_t)site->model->handle_arg - 1,
             stream = site->first + (uint32_t)site->model->stream_arg - 1;
    if (handle >= site->count || stream >= site->count) return;
    LocId place = stream_of_handle(ef, site->args[handle]);
    SymId value = site->args[stream];
    // The handle knows the stream, but does not own it.
    if (sym_at(ef->space.values, value)->has_resource)
        value = sym_fresh(ef->space.values, ef->point, place);
    state_write(&ef->space, state, place, value, ef->point);
}

Handle engine_stream_of(EngineFn *ef, State *state, const CallSite *site)
{
    const ModelFunction *model = site->model;
    uint32_t handle = site->first + (uint32_t)model->handle_arg - 1;
    if (model->handle_arg > 0)
        return handle < site->count ? handles_stream(ef, state, site->args[handle])
                                    : handle_of(ef, IR_NONE, false);
    if (model->stream_arg == MODEL_STREAM_DEFAULT) return engine_default_stream(ef, 0);
    if (model->stream_arg <= 0) return handle_of(ef, IR_NONE, false);
    uint32_t index = site->first + (uint32_t)model->stream_arg - 1;
    if (index >= site->count) return engine_default_stream(ef, 0); // left out
    if (!model->stream_field) return handle_of(ef, site->args[index], false);
    ModelSlot slot = {.arg = model->stream_arg, .pointee = true, .field = model->stream_field};
    return handle_of(ef, engine_slot_value(ef, state, site, &slot), false);
}

static Handle event_of(EngineFn *ef, const CallSite *site)
{
    uint32_t index = site->first + (uint32_t)site->model->event_arg - 1;
    bool is_there = site->model->event_arg > 0 && index < site->count;
    return handle_of(ef, is_there ? site->args[index] : IR_NONE, true);
}

// ---- the state's set ----------------------------------------------------------------------------

static bool is_refused(EngineFn *ef, const State *state, const Work *work)
{
    if (!work->has_status) return false;
    Range queued = state_range(&ef->space, state, work->queued);
    int64_t value;
    return range_is_point(&queued, &value) && value == 0;
}

Pending engine_pending(EngineFn *ef, const State *state)
{
    Pending pending = *pending_at(&ef->space.pendings, state->pending);
    for (uint32_t i = pending.count; i-- > 0;)
        if (is_refused(ef, state, &pending.works[i])) pending_remove(&pending, i);
    return pending;
}

void engine_tie_to_value(EngineFn *ef, Work *work, SymId queued)
{
    int64_t constant;
    work->has_status = queued != IR_NONE && !sym_is_int(ef->space.values, queued, &constant);
    if (work->has_status) work->queued = queued;
}

void engine_tie_to_status(EngineFn *ef, State *state, CallSite *site, Work *work)
{
    if (site->call->dst == IR_NONE || site->model->result != MODEL_RESULT_STATUS) return;
    SymId status = engine_call_result(ef, state, site);
    engine_tie_to_value(ef, work, sym_not(ef->space.values, status));
}

static void set_pending(EngineFn *ef, State *state, const Pending *pending)
{
    state->pending = pending_id(&ef->space.pendings, pending);
}

void engine_order_unknown(EngineFn *ef, State *state)
{
    if (state->pending == PENDING_NONE) return;
    Pending pending = engine_pending(ef, state);
    pending_order_unknown(&pending);
    set_pending(ef, state, &pending);
}

// The value is the memory's second pointer, or computed from it.
static ResourceRelation view_relation(const EngineFn *ef, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    if (value == ef->site->view) return RES_EXACT;
    bool is_moved = sym->kind == SYM_BINARY && (sym->op == IR_ADD || sym->op == IR_SUB);
    return is_moved && view_relation(ef, sym->a) != RES_NONE ? RES_DERIVED : RES_NONE;
}

ResourceRelation engine_work_relation(const EngineFn *ef, SymId value)
{
    LocId buffer = engine_buffer_of(ef, value);
    if (ef->site->buffer != IR_NONE) return buffer == ef->site->buffer ? RES_EXACT : RES_NONE;
    // What a container holds is not in the object that the container is in.
    bool is_elsewhere = buffer != IR_NONE && loc_at(ef->space.values, buffer)->has_elements;
    if (is_elsewhere) return RES_NONE;
    ResourceRelation relation = sym_resource_relation(ef->space.values, value);
    return relation == RES_NONE && ef->site->has_view ? view_relation(ef, value) : relation;
}

bool engine_watches_work(const EngineFn *ef, const State *state)
{
    return ef->site && ef->site_started && ef->has_work && state->status == RS_LIVE &&
           !state->capturing && !state->dead;
}

// The work uses the resource from here on, until something tells that it is done.
static void add_work(EngineFn *ef, State *state, Work work, Handle stream, const char *by)
{
    Pending pending = engine_pending(ef, state);
    work.point = ef->point;
    pending_add(&pending, work, stream);
    // An event is told done by itself, too.
    if (work.kind == WORK_RECORDS)
        pending_record(&pending, handle_of(ef, sym_resource(ef->space.values), true), stream);
    set_pending(ef, state, &pending);
    state_remark_work(
        &ef->space, state, ef->instr->loc,
        arena_printf(ef->space.arena,
                     work.kind == WORK_KERNEL ? "'%s' is launched here" : "'%s' queues work here",
                     by));
}

static void enqueue(EngineFn *ef, State *state, Handle stream)
{
    if (state->pending == PENDING_NONE) return;
    Pending pending = engine_pending(ef, state);
    pending_enqueue(&pending, stream);
    set_pending(ef, state, &pending);
}

static void sync(EngineFn *ef, State *state, Handle handle)
{
    if (state->pending == PENDING_NONE) return;
    Pending pending = engine_pending(ef, state);
    pending_sync(&pending, handle);
    set_pending(ef, state, &pending);
}

bool engine_is_mere_handle(const EngineFn *ef)
{
    const ModelResource *resource = ef->site->resource;
    return resource && !resource->is_memory && !resource->device_accessible;
}

void engine_queue_work(EngineFn *ef, State *state, Work work, Handle stream, const char *by)
{
    if (work.access) engine_work_use(ef, state, &work, stream, by);
    enqueue(ef, state, stream);
    if (work.access) add_work(ef, state, work, stream, by);
}

static bool queues_work(const ModelFunction *model)
{
    return model->order == ORDER_ENQUEUE || model->order == ORDER_COPY_ASYNC ||
           model->order == ORDER_SET || model->order == ORDER_RECORD_EVENT;
}

// ---- calls that the model describes -------------------------------------------------------------

static bool is_within_device(EngineFn *ef, const CallSite *site)
{
    uint32_t index = site->first + (uint32_t)site->model->direction_arg - 1;
    int64_t direction;
    return site->model->direction_arg > 0 && index < site->count &&
           sym_is_int(ef->space.values, site->args[index], &direction) &&
           direction == MODEL_DEVICE_TO_DEVICE;
}

// What the call writes certainly lies in memory that the driver does not know: today's driver waits for
// such a copy, and so for all that its stream was given before.
static bool fills_pageable(EngineFn *ef, State *state, const CallSite *site)
{
    for (uint32_t i = 0; i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        if (effect->kind != MODEL_USE_WRITE) continue;
        if (engine_points_to_pageable(ef, engine_slot_value(ef, state, site, &effect->slot)))
            return true;
    }
    return false;
}

static void queue_work(EngineFn *ef, State *state, CallSite *site, Handle stream)
{
    ModelOrder order = site->model->order;
    Work work = engine_work_of(ef, state, site);
    if (work.access) engine_tie_to_status(ef, state, site, &work);
    bool is_of_host = ef->site->resource && ef->site->resource->host_accessible;
    bool waits = (order == ORDER_COPY && !is_within_device(ef, site)) ||
                 (order == ORDER_SET && work.access && is_of_host);
    if (work.access) engine_work_use(ef, state, &work, stream, site->model->name);
    enqueue(ef, state, stream);
    bool waits_today = order == ORDER_COPY_ASYNC && fills_pageable(ef, state, site);
    if (waits || waits_today) sync(ef, state, stream);
    // Only of the pageable memory itself is it told that nobody promises that.
    if (work.access && !waits && (!waits_today || engine_is_pageable(ef)))
        add_work(ef, state, work, stream, site->model->name);
}

// The call tells whether work is done: paths on which it is part from those on which it is not.
static void query(EngineFn *ef, State *state, CallSite *site, Handle handle)
{
    if (state->pending == PENDING_NONE || site->call->dst == IR_NONE) return;
    State done = *state;
    sync(ef, &done, handle);
    if (done.pending == state->pending) return;
    CallSite done_site = *site;
    done_site.result = sym_int(ef->space.values, 0);
    engine_fork(ef, &done, &done_site);
    site->result = sym_int(ef->space.values, site->model->not_ready);
}

static void record_event(EngineFn *ef, State *state, const CallSite *site)
{
    Handle stream = engine_stream_of(ef, state, site), event = event_of(ef, site);
    enqueue(ef, state, stream);
    Pending pending = engine_pending(ef, state);
    pending_record(&pending, event, stream);
    set_pending(ef, state, &pending);
    if (event.value == sym_resource(ef->space.values))
        add_work(ef, state, (Work){.kind = WORK_RECORDS, .access = WORK_WRITES, .is_whole = true},
                 stream, site->model->name);
}

static void wait_event(EngineFn *ef, State *state, const CallSite *site)
{
    if (state->pending == PENDING_NONE) return;
    Handle stream = engine_stream_of(ef, state, site);
    Pending pending = engine_pending(ef, state);
    pending_wait(&pending, stream, event_of(ef, site));
    set_pending(ef, state, &pending);
}

// A stream-ordered allocation exists once its stream has come to it.
static bool begins_here(const EngineFn *ef, const CallSite *site)
{
    return ef->site->kind == SITE_ACQUIRE && ef->site->point == ef->point &&
           ef->site->model == site->model && ef->site->resource->is_stream_ordered &&
           site->model->order == ORDER_ENQUEUE;
}

static void create(EngineFn *ef, State *state, const CallSite *site)
{
    Work work = {.kind = WORK_CREATES, .access = WORK_WRITES};
    for (uint32_t i = 0; i < site->call->arg_count; i++)
        if (sym_at(ef->space.values, site->args[i])->kind == SYM_ADDR)
            engine_note_element(ef, state, site->call->args[i], &work);
    state->pending = PENDING_NONE;
    add_work(ef, state, work, engine_stream_of(ef, state, site), site->model->name);
}

// A capture begins or ends.
static void note_capture(EngineFn *ef, State *state, const ModelFunction *model)
{
    for (uint32_t i = 0; i < model->effects.len; i++) {
        const ModelEffect *effect = &model->effects.items[i];
        bool is_capture = (effect->kind == MODEL_ATTACH || effect->kind == MODEL_DETACH) &&
                          model_resource(ef->model, effect->resource)->defers_work;
        if (is_capture) state->capturing = effect->kind == MODEL_ATTACH;
    }
}

// What the call does with an event that is tracked: only waiting for it asks for a record.
static void note_event_use(EngineFn *ef, State *state, const CallSite *site)
{
    ModelOrder order = site->model->order;
    ef->site->is_recorded |= ef->site->model && ef->site->model->recorded_elsewhere;
    uint32_t index = site->first + (uint32_t)site->model->event_arg - 1;
    bool names_it = site->model->event_arg > 0 && index < site->count &&
                    engine_work_relation(ef, site->args[index]) == RES_EXACT;
    if (names_it && (order == ORDER_SYNC_EVENT || order == ORDER_WAIT_EVENT)) {
        engine_work_event_wait(ef, state, site);
        return;
    }
    bool is_harmless = order == ORDER_NONE || order == ORDER_HOST || order == ORDER_NEEDS_EVENT ||
                       order == ORDER_QUERY_EVENT || order == ORDER_BIND_STREAM;
    is_harmless &= !site->model->recorded_elsewhere;
    for (uint32_t i = 0; !is_harmless && i < site->count; i++)
        ef->site->is_recorded |= engine_work_relation(ef, site->args[i]) != RES_NONE;
}

// The error that earlier calls left behind: where there is one, launches that say nothing themselves
// queued nothing.
static void ask_last_error(EngineFn *ef, State *state, CallSite *site)
{
    Pending pending = engine_pending(ef, state);
    if (pending.count == 0 || site->call->dst == IR_NONE) return;
    SymId error = engine_call_result(ef, state, site);
    for (uint32_t i = 0; i < pending.count; i++)
        if (pending.works[i].kind == WORK_KERNEL && !pending.works[i].has_status)
            engine_tie_to_value(ef, &pending.works[i], sym_not(ef->space.values, error));
    set_pending(ef, state, &pending);
}

void engine_work_call(EngineFn *ef, State *state, CallSite *site)
{
    if (site->model->kernel_arg > 0) {
        engine_work_launch_call(ef, state, site);
        return;
    }
    if (!ef->site && site->model->order == ORDER_COPY_ASYNC)
        for (uint32_t i = 0; i < site->count; i++) engine_note_work_use(ef, site->args[i]);
    engine_start_buffer(ef, state);
    if (site->model->order == ORDER_BIND_STREAM) bind_stream(ef, state, site);
    if (state->capturing && ef->site && ef->site_started && queues_work(site->model) &&
        !engine_is_mere_handle(ef))
        engine_record_work(ef, state, engine_work_of(ef, state, site));
    engine_graph_call(ef, state, site);
    if (ef->site && ef->has_work) note_capture(ef, state, site->model);
    if (ef->site && ef->site_started && ef->site->kind == SITE_ACQUIRE)
        note_event_use(ef, state, site);
    if (!engine_watches_work(ef, state)) return;
    if (site->model->last_error != MODEL_LAST_ERROR_NONE) ask_last_error(ef, state, site);
    switch (site->model->order) {
    case ORDER_NONE:
    case ORDER_HOST:
    case ORDER_NEEDS_EVENT:
    case ORDER_BIND_STREAM:
        break;
    case ORDER_ENQUEUE:
    case ORDER_COPY:
    case ORDER_COPY_ASYNC:
    case ORDER_SET:
    case ORDER_HINT:
        if (begins_here(ef, site)) {
            create(ef, state, site);
        } else {
            queue_work(ef, state, site, engine_stream_of(ef, state, site));
        }
        break;
    case ORDER_CALLBACK:
        // The host's function runs after the work, and may tell anybody so by any means.
        enqueue(ef, state, engine_stream_of(ef, state, site));
        sync(ef, state, engine_stream_of(ef, state, site));
        break;
    case ORDER_MAY_SYNC:
    case ORDER_COLLECTIVE:
    case ORDER_SYNC_DEVICE:
        state->pending = PENDING_NONE;
        break;
    case ORDER_SYNC_STREAM:
        sync(ef, state, engine_stream_of(ef, state, site));
        break;
    case ORDER_SYNC_EVENT:
        sync(ef, state, event_of(ef, site));
        break;
    case ORDER_QUERY_STREAM:
        query(ef, state, site, engine_stream_of(ef, state, site));
        break;
    case ORDER_QUERY_EVENT:
        query(ef, state, site, event_of(ef, site));
        break;
    case ORDER_RECORD_EVENT:
        record_event(ef, state, site);
        break;
    case ORDER_WAIT_EVENT:
        wait_event(ef, state, site);
        break;
    }
}

// ---- preparation --------------------------------------------------------------------------------

// A callee in sight leaves work in flight.
static bool callee_queues_work(const EngineFn *ef, const IrCall *call, const IrCallee *callee)
{
    const Summary *summary = engine_summary_of(ef, call, callee);
    for (uint32_t i = 0; summary && summary->known && i < summary->effects.len; i++)
        if (summary->effects.items[i].kind == SE_QUEUE) return true;
    return false;
}

// A call that makes a handle; of a stream also whether it waits for the legacy default stream.
static void note_handle(EngineFn *ef, const IrCall *call, const ModelFunction *model,
                        uint32_t point)
{
    bool makes_handle = false;
    for (uint32_t e = 0; e < model->effects.len; e++) {
        const ModelEffect *effect = &model->effects.items[e];
        makes_handle |= effect->kind == MODEL_ACQUIRE &&
                        !model_resource(ef->model, effect->resource)->is_memory;
    }
    if (!makes_handle) return;
    bits_add(&ef->handle_points, point);
    uint32_t index = (uint32_t)model->nonblocking_arg - 1;
    bool has_flags = model->nonblocking_arg > 0 && index < call->arg_count;
    const IrExpr *flags = has_flags ? ir_expr_at(ef->fn, call->args[index]) : NULL;
    while (flags && flags->kind == IR_EX_CAST) flags = ir_expr_at(ef->fn, flags->a);
    if (flags && flags->kind != IR_EX_INT) return;
    bits_add(flags && (flags->value & 1) ? &ef->nonblocking_points : &ef->blocking_points, point);
}

void engine_find_work(EngineFn *ef)
{
    uint32_t points = ef->join_points;
    ef->handle_points = bits_new(ef->arena, points);
    ef->nonblocking_points = bits_new(ef->arena, points);
    ef->blocking_points = bits_new(ef->arena, points);
    ef->registered_vars = bits_new(ef->arena, ef->fn->vars.len);
    for (uint32_t v = 0; v < ef->fn->vars.len; v++)
        if (ef->fn->vars.items[v].is_managed) bits_add(&ef->registered_vars, v);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            const IrInstr *instr = &block->instrs.items[i];
            ef->has_work |= instr->op == IR_LAUNCH;
            if (instr->op != IR_CALL || instr->call->callee == IR_NONE) continue;
            const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
            const ModelFunction *model = engine_model_of(ef, instr->call, callee);
            if (!model) {
                ef->has_work = ef->has_work || callee_queues_work(ef, instr->call, callee);
                continue;
            }
            ef->has_work |= queues_work(model);
            ef->has_copies |= model->order == ORDER_COPY_ASYNC;
            note_handle(ef, instr->call, model, ef->first_point[b] + i);
        }
    }
}
