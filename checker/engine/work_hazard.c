// SPDX-License-Identifier: MIT
// What must not happen to the tracked resource while work in flight uses it: accesses by the host
// and releases. A claim needs work that nothing on this path can have waited for; the path goes on
// without that work, so that one mistake is told once.
#include "engine/work.h"

static const IrInstr *instr_at(const EngineFn *ef, uint32_t point)
{
    uint32_t block = 0;
    while (block + 1 < ef->fn->blocks.len && ef->first_point[block + 1] <= point) block++;
    return &ef->fn->blocks.items[block].instrs.items[point - ef->first_point[block]];
}

// What is tracked is a variable that the GPU uses where it lies.
static bool is_managed_variable(const EngineFn *ef)
{
    return ef->site->kind == SITE_BUFFER && ef->fn->vars.items[ef->site->var].is_managed;
}

void engine_report_work(EngineFn *ef, State *state, const Work *work, Event event)
{
    const IrInstr *instr = instr_at(ef, work->point);
    IrCalleeId callee = instr->call->callee;
    event.work_at = instr->loc;
    event.work_by = callee == IR_NONE ? "the kernel" : ef->unit->callees.items[callee].name;
    event.work_writes = work->access == WORK_WRITES;
    event.work_is_kernel = work->kind == WORK_KERNEL;
    if (ef->site->buffer != IR_NONE)
        event.kind_title = is_managed_variable(ef) ? "managed memory" : "host memory";
    event.work_creates = work->kind == WORK_CREATES;
    // Where elements have moved on, what is named may be another one.
    if (!state->mislaid)
        vec_push(ef->space.arena, &ef->site->candidates,
                 ((Candidate){.event = event, .path = state->path}));
    state->pending = PENDING_NONE;
}

// ---- memory of the host -------------------------------------------------------------------------

void engine_work_register(EngineFn *ef, SymId value)
{
    LocId buffer = engine_buffer_of(ef, value);
    const Loc *info = buffer == IR_NONE ? NULL : loc_at(ef->space.values, buffer);
    if (info && info->kind == LOC_VAR)
        bits_add(&ef->registered_vars, info->var);
    else if (info && !ef->site)
        vec_push(ef->arena, &ef->registered, buffer);
    if (ef->site && sym_resource_relation(ef->space.values, value) != RES_NONE)
        ef->site->is_registered = true;
}

static bool is_registered(const EngineFn *ef, LocId buffer)
{
    const Loc *info = loc_at(ef->space.values, buffer);
    if (info->kind == LOC_VAR && bits_has(&ef->registered_vars, info->var)) return true;
    for (uint32_t i = 0; i < ef->registered.len; i++)
        if (ef->registered.items[i] == buffer) return true;
    return false;
}

bool engine_is_pageable(const EngineFn *ef)
{
    if (ef->site->buffer != IR_NONE) return !is_registered(ef, ef->site->buffer);
    if (ef->site->is_registered) return false;
    const ModelResource *resource = ef->site->resource;
    return resource && resource->host_accessible && !resource->device_accessible;
}

bool engine_points_to_pageable(const EngineFn *ef, SymId value)
{
    const Values *values = ef->space.values;
    if (engine_work_relation(ef, value) != RES_NONE) return engine_is_pageable(ef);
    LocId buffer = engine_buffer_of(ef, value);
    if (buffer != IR_NONE) return !is_registered(ef, buffer);
    const Sym *pointer = sym_at(values, value);
    while (pointer->kind == SYM_BINARY) pointer = sym_at(values, pointer->a);
    if (pointer->kind == SYM_ADDR) {
        const Loc *root = loc_at(values, loc_at(values, pointer->loc)->root);
        if (root->kind != LOC_MEM) return false;
        pointer = sym_at(values, root->sym);
    }
    return engine_is_own_heap(ef, pointer);
}

// `bytes`: see engine_bytes_to.
static const Work *conflict_with_host(const EngineFn *ef, const Pending *pending, bool writes,
                                      int64_t bytes)
{
    for (uint32_t i = 0; i < pending->count; i++) {
        const Work *work = &pending->works[i];
        bool is_use = KINDS_OF_USE & (1U << (unsigned)work->kind);
        // The GPU cannot fill what the driver does not know: a generator of the host did, at once.
        if (work->kind == WORK_SET && engine_is_pageable(ef)) continue;
        bool conflicts = is_use && engine_certainly_uses(work, bytes);
        if (conflicts && (writes || work->access == WORK_WRITES)) return work;
    }
    return NULL;
}

// The host accesses what lies so many bytes from the start.
typedef struct {
    int64_t bytes; // see engine_bytes_to
    bool writes;
    bool at_start;      // what lies there, among others
    const char *callee; // NULL: by itself
    Work way;           // as which element of many it is named
} Touch;

// The call is given what the value is.
static Work way_of_argument(EngineFn *ef, State *state, SymId value)
{
    Work way = {.has_element = false};
    const IrCall *call = ef->instr->op == IR_CALL ? ef->instr->call : NULL;
    for (uint32_t i = 0; call && i < call->arg_count && !way.has_element; i++)
        if (engine_eval(ef, state, call->args[i]) == value)
            engine_note_element(ef, state, call->args[i], &way);
    return way;
}

static void host_touches(EngineFn *ef, State *state, Touch touch)
{
    if (state->pending == PENDING_NONE || !engine_watches_work(ef, state)) return;
    const ModelResource *resource = ef->site->resource;
    if (resource && !resource->host_accessible) return;
    Pending pending = engine_pending(ef, state);
    const Work *work = conflict_with_host(ef, &pending, touch.writes, touch.bytes);
    if (!work || !engine_meets_element(ef, work, &touch.way)) return;
    // Beside what a kernel writes the host may write its own share.
    if (touch.writes && work->kind == WORK_KERNEL && !touch.at_start) return;
    bool reused = work->kind == WORK_COPY && work->access == WORK_READS;
    Event event = engine_event(ef, state, reused ? EV_BUFFER_REUSED : EV_HOST_ACCESS_IN_FLIGHT);
    event.callee = touch.callee;
    event.access_writes = touch.writes;
    event.driver_waits = work->kind == WORK_COPY && engine_is_pageable(ef);
    engine_report_work(ef, state, work, event);
}

// The location lies in the tracked memory that work was given: of a container that is its elements,
// and of some element of many it is not said which.
static bool is_in_buffer(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    LocId container = engine_container_of(ef, loc);
    if (container != IR_NONE)
        return container == ef->site->buffer && !loc_at(values, container)->is_family;
    return loc_at(values, loc)->root == ef->site->buffer && !engine_is_container(ef);
}

void engine_work_scope_end(EngineFn *ef, State *state, IrVarId var)
{
    bool ends = ef->site && ef->site->kind == SITE_BUFFER && ef->site->var == var &&
                !is_managed_variable(ef) && state->pending != PENDING_NONE &&
                engine_watches_work(ef, state);
    if (!ends) return;
    Pending pending = engine_pending(ef, state);
    const Work *work = pending_any(&pending, KINDS_OF_USE);
    if (!work) return;
    Event event = engine_event(ef, state, EV_BUFFER_ENDS);
    event.driver_waits = work->kind != WORK_KERNEL && engine_is_pageable(ef);
    engine_report_work(ef, state, work, event);
}

void engine_work_host_access(EngineFn *ef, State *state, LocId loc, IrPlaceId place, bool writes)
{
    if (state->pending == PENDING_NONE) return;
    Touch touch = {.bytes = engine_bytes_to(ef, loc), .writes = writes};
    touch.at_start = touch.bytes == 1;
    engine_note_way(ef, state, place, &touch.way);
    // The work may use less than all; of an element that is not known it is not said which.
    if (ef->site->buffer != IR_NONE) {
        if (is_in_buffer(ef, loc)) host_touches(ef, state, touch);
        return;
    }
    if (loc_at(ef->space.values, loc)->is_family) return;
    const Loc *root = loc_at(ef->space.values, loc_at(ef->space.values, loc)->root);
    if (root->kind == LOC_MEM && engine_work_relation(ef, root->sym) != RES_NONE)
        host_touches(ef, state, touch);
}

void engine_work_host_use(EngineFn *ef, State *state, SymId value, bool writes, const char *callee)
{
    if (state->pending == PENDING_NONE || engine_work_relation(ef, value) == RES_NONE) return;
    int64_t bytes = engine_bytes_to_pointee(ef, value);
    host_touches(ef, state,
                 (Touch){.bytes = bytes,
                         .writes = writes,
                         .at_start = bytes == 1,
                         .callee = callee,
                         .way = way_of_argument(ef, state, value)});
}

void engine_work_host_use_within(EngineFn *ef, State *state, SymId value, bool writes,
                                 bool at_start, const char *callee)
{
    if (state->pending == PENDING_NONE || engine_work_relation(ef, value) == RES_NONE) return;
    host_touches(ef, state,
                 (Touch){.bytes = INT64_MAX,
                         .writes = writes,
                         .at_start = at_start,
                         .callee = callee,
                         .way = way_of_argument(ef, state, value)});
}

// The argument is the container itself, or an object that it is in, and the callee may change it, or
// take what it holds.
static bool takes_container(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    const Sym *sym = sym_at(ef->space.values, site->args[index]);
    return sym->kind == SYM_ADDR && loc_is_within(ef->space.values, ef->site->buffer, sym->loc) &&
           !engine_param_is_const(ef, site, index);
}

void engine_work_moved(EngineFn *ef, State *state, const CallSite *site)
{
    bool may_move = ef->site && ef->site->kind == SITE_BUFFER && engine_watches_work(ef, state) &&
                    engine_is_container(ef);
    for (uint32_t i = site->first; may_move && i < site->count; i++)
        if (takes_container(ef, site, i)) state->pending = PENDING_NONE;
}

void engine_work_returned(EngineFn *ef, State *state, LocId object)
{
    bool is_it =
        ef->site->kind == SITE_BUFFER && loc_is_within(ef->space.values, ef->site->buffer, object);
    if (is_it && engine_is_container(ef)) state->pending = PENDING_NONE;
}

// Host memory goes at once; the driver waits before it releases what it manages, or keeps it until
// the work is done: all but stream-ordered memory.
static bool driver_waits(const EngineFn *ef, const Work *work)
{
    const ModelResource *resource = ef->site->resource;
    if (engine_is_pageable(ef)) return work->kind != WORK_KERNEL;
    return !resource || !resource->is_stream_ordered;
}

Handle engine_release_stream(EngineFn *ef, State *state, const CallSite *call)
{
    const SummaryEffect *inside = ef->inside_release;
    if (!inside) return engine_stream_of(ef, state, call);
    if (inside->work.on_default) return engine_stream_of_value(ef, sym_int(ef->space.values, 0));
    return engine_stream_of_value(ef, engine_value_at_call(ef, state, call, &inside->work.stream));
}

void engine_work_release(EngineFn *ef, State *state, const CallSite *call)
{
    if (state->pending == PENDING_NONE || !engine_watches_work(ef, state)) return;
    Pending pending = engine_pending(ef, state);
    state->pending = PENDING_NONE;
    const SummaryEffect *inside = ef->inside_release;
    if (inside ? inside->time == RELEASE_LATER : !call->model)
        return; // it may wait before it releases
    bool is_ordered =
        inside ? inside->time == RELEASE_IN_ORDER : call->model->order == ORDER_ENQUEUE;
    const Work *work = is_ordered
                           ? pending_unordered(&pending, engine_release_stream(ef, state, call),
                                               KINDS_OF_USE, WORK_UNSURE)
                           : pending_any(&pending, KINDS_OF_USE);
    if (!work) return;
    bool waits = !is_ordered && driver_waits(ef, work);
    if (waits && work->kind == WORK_SET) return; // nobody would wait for what nobody uses
    Event event = engine_event(ef, state, EV_RELEASE_IN_FLIGHT);
    event.callee = call->callee->name;
    event.driver_waits = waits;
    engine_report_work(ef, state, work, event);
}

// ---- order between streams ----------------------------------------------------------------------

// Two uses of which one certainly writes, each of the memory's beginning at least. Kernels that both write share the
// memory out among themselves, by what else they are given: rows, the inside and the border.
static bool uses_conflict(EngineFn *ef, const Work *first, const Work *second)
{
    if (!engine_knows_element(ef, first, second) || !engine_same_element(first, second))
        return false;
    if (first->kind == WORK_CREATES) return true;
    if (!engine_certainly_uses(first, 1) || !engine_certainly_uses(second, 1)) return false;
    if (first->kind == WORK_RECORDS) return false;
    if (first->kind == WORK_KERNEL && second->kind == WORK_KERNEL)
        return (first->access | second->access) == (WORK_READS | WORK_WRITES) &&
               first->access != WORK_UNSURE && second->access != WORK_UNSURE;
    return first->access == WORK_WRITES || second->access == WORK_WRITES;
}

static IrCalleeId kernel_of(const EngineFn *ef, const Work *work)
{
    return work->kind == WORK_KERNEL ? instr_at(ef, work->point)->call->callee : IR_NONE;
}

// Rounds of one instruction, and launches of one kernel, share the memory out among themselves, by
// what else they are given.
static bool share_out(const EngineFn *ef, const Work *first, const Work *second)
{
    if (first->point == ef->point) return true;
    return second->kind == WORK_KERNEL && first->kind == WORK_KERNEL &&
           kernel_of(ef, first) == ef->instr->call->callee;
}

void engine_work_use(EngineFn *ef, State *state, const Work *work, Handle stream,
                     const char *callee)
{
    if (state->pending == PENDING_NONE) return;
    Pending pending = engine_pending(ef, state);
    for (uint32_t i = 0; i < pending.count; i++) {
        Pending one = {.count = 1, .works = {pending.works[i]}};
        const Work *first = &one.works[0];
        if (!pending_unordered(&one, stream, ~0U, WORK_UNSURE)) continue;
        if (!uses_conflict(ef, first, work) || share_out(ef, first, work)) continue;
        Event event = engine_event(ef, state, EV_STREAM_ORDER);
        event.callee = callee;
        engine_report_work(ef, state, first, event);
        return;
    }
}

// ---- events -------------------------------------------------------------------------------------

// The program asks for the status that tells of unfinished work: it tries again.
static bool expects_not_ready(const EngineFn *ef, const CallSite *site)
{
    if (site->call->dst == IR_NONE) return false;
    for (uint32_t i = 0; i < ef->fn->exprs.len; i++) {
        const IrExpr *expr = &ef->fn->exprs.items[i];
        bool compares = expr->kind == IR_EX_BINARY && (expr->op == IR_EQ || expr->op == IR_NE);
        if (!compares) continue;
        const IrExpr *status = ir_expr_at(ef->fn, expr->a), *code = ir_expr_at(ef->fn, expr->b);
        while (status->kind == IR_EX_CAST) status = ir_expr_at(ef->fn, status->a);
        if (code->kind == IR_EX_INT && code->value == site->model->not_ready &&
            status->type == site->callee->result)
            return true;
    }
    return false;
}

void engine_work_event_needed(EngineFn *ef, State *state, const CallSite *site)
{
    if (state->pending == PENDING_NONE || !engine_watches_work(ef, state)) return;
    if (expects_not_ready(ef, site)) return;
    // Of several events the last one is ready last.
    if (engine_work_relation(ef, site->args[site->count - 1]) != RES_EXACT) return;
    Pending pending = engine_pending(ef, state);
    const Work *record = pending_any(&pending, 1U << (unsigned)WORK_RECORDS);
    if (!record) return;
    Event event = engine_event(ef, state, EV_EVENT_NOT_READY);
    event.callee = site->model->name;
    engine_report_work(ef, state, record, event);
}

void engine_work_event_wait(EngineFn *ef, State *state, const CallSite *site)
{
    if (state->status != RS_LIVE || state->kept || state->escaped) return;
    if (engine_search_holders(ef, state, IR_NONE).outside != IR_NONE) return;
    Event event = engine_event(ef, state, EV_EVENT_UNRECORDED);
    event.callee = site->model->name;
    vec_push(ef->space.arena, &ef->site->candidates,
             ((Candidate){.event = event, .path = state->path, .needs_no_record = true}));
}
