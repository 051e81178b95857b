// SPDX-License-Identifier: MIT
// Which side may touch the tracked memory: the host cannot dereference device memory, and a copy
// whose direction is given must go from the side to the side that it names.
#include "engine/work.h"

// Whose memory lies at the two ends of a copy, in the order of its `direction` argument.
enum { FROM_HOST_TO_HOST, FROM_HOST_TO_DEVICE, FROM_DEVICE_TO_HOST, FROM_DEVICE_TO_DEVICE };

// Memory of one side alone; of what one of several calls acquired nothing is certain. What is lent may
// be an alias of the host's memory.
static bool is_of_one_side(const EngineFn *ef, const State *state)
{
    const Site *site = ef->site;
    return site && !site->is_registered && state->status == RS_LIVE && site->resource &&
           site->resource->is_memory && site->kind == SITE_ACQUIRE && !site->kind_is_uncertain &&
           site->resource->host_accessible != site->resource->device_accessible;
}

// One mistake about a block is told once, where it is made first.
static bool is_told(const Site *site, EventKind kind)
{
    for (uint32_t i = 0; i < site->candidates.len; i++)
        if (site->candidates.items[i].event.kind == kind) return true;
    return false;
}

static void tell(EngineFn *ef, const State *state, Event event)
{
    if (engine_is_told_by_callee(ef)) return;
    vec_push(ef->space.arena, &ef->site->candidates,
             ((Candidate){.event = event, .path = state->path}));
}

void engine_check_host_access(EngineFn *ef, const State *state, SymId pointer, bool writes,
                              const char *callee)
{
    // Code that was handed in may be meant for the device, and be run there by others.
    if (!is_of_one_side(ef, state) || ef->instr->inlined != IR_NONE) return;
    if (ef->site->resource->host_accessible || is_told(ef->site, EV_HOST_DEREF)) return;
    if (sym_resource_relation(ef->space.values, pointer) == RES_NONE) return;
    Event event = engine_event(ef, state, EV_HOST_DEREF);
    event.callee = callee;
    event.access_writes = writes;
    tell(ef, state, event);
}

static bool names_side(int64_t direction, bool writes, bool is_host)
{
    switch (direction) {
    case FROM_HOST_TO_HOST:
        return is_host;
    case FROM_HOST_TO_DEVICE:
        return is_host != writes;
    case FROM_DEVICE_TO_HOST:
        return is_host == writes;
    case FROM_DEVICE_TO_DEVICE:
        return !is_host;
    default:
        return true; // the driver finds out
    }
}

void engine_check_direction(EngineFn *ef, State *state, const CallSite *site, SymId pointer,
                            bool writes)
{
    if (site->model->direction_arg == 0 || !is_of_one_side(ef, state)) return;
    uint32_t index = site->first + (uint32_t)site->model->direction_arg - 1;
    if (index >= site->count) return;
    int64_t direction;
    Range range = state_range(&ef->space, state, site->args[index]);
    if (!range_is_point(&range, &direction)) return;
    bool is_host = ef->site->resource->host_accessible;
    if (names_side(direction, writes, is_host)) return;
    if (sym_resource_relation(ef->space.values, pointer) == RES_NONE) return;
    Event event = engine_event(ef, state, EV_COPY_DIRECTION);
    event.callee = site->model->name;
    event.access_writes = writes;
    event.is_host = is_host;
    tell(ef, state, event);
}

// ---- variables of the function ------------------------------------------------------------------

static bool is_library_object(const EngineFn *ef, IrType id)
{
    if (id == IR_NONE) return true;
    const IrTypeInfo *type = ir_type(ef->unit, id);
    return type->kind == IR_TY_RECORD &&
           (type->record == IR_NONE || ef->unit->records.items[type->record].kind != IR_REC_USER);
}

// The argument is the address of a local variable, of a part of it, or an array.
static const IrExpr *local_address(const EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    if (expr->kind != IR_EX_ADDR) return NULL;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    for (; place->kind != IR_PL_VAR; place = ir_place(ef->fn, place->base))
        if (place->kind == IR_PL_DEREF || is_library_object(ef, place->type)) return NULL;
    bool is_local = ef->fn->vars.items[place->var].kind == IR_VAR_LOCAL;
    bool is_shared_with_device = bits_has(&ef->registered_vars, place->var);
    return is_local && !is_shared_with_device && !is_library_object(ef, place->type) ? expr : NULL;
}

static void check_local(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                        const ModelEffect *effect, EngineSink sink)
{
    bool writes = effect->kind == MODEL_USE_WRITE;
    bool is_end = (writes || effect->kind == MODEL_USE_READ) && effect->slot.arg > 0 &&
                  !effect->slot.pointee && !effect->slot.field &&
                  (uint32_t)effect->slot.arg <= instr->call->arg_count;
    const IrExpr *address =
        is_end ? local_address(ef, instr->call->args[effect->slot.arg - 1]) : NULL;
    if (!address) return;
    const IrExpr *direction = ir_expr_at(ef->fn, instr->call->args[model->direction_arg - 1]);
    while (direction->kind == IR_EX_CAST) direction = ir_expr_at(ef->fn, direction->a);
    if (direction->kind != IR_EX_INT || names_side(direction->value, writes, true)) return;
    const char *name = engine_argument_text(ef, instr->call->args[effect->slot.arg - 1]);
    Event event = {.kind = EV_COPY_DIRECTION,
                   .loc = instr->loc,
                   .name = name,
                   .kind_title = "local variable",
                   .callee = model->name,
                   .access_writes = writes,
                   .is_host = true};
    FindingStep step = {.loc = instr->loc,
                        .text = arena_printf(ef->arena, "'%s' is passed here", name)};
    sink.on_event(sink.context, ef->fn, &event, &step, 1);
}

void engine_check_local_directions(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                                   EngineSink sink)
{
    bool has_direction =
        model->direction_arg > 0 && (uint32_t)model->direction_arg <= instr->call->arg_count;
    for (uint32_t e = 0; has_direction && e < model->effects.len; e++)
        check_local(ef, instr, model, &model->effects.items[e], sink);
}
