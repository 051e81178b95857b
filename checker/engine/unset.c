// SPDX-License-Identifier: MIT
// Members of new objects that have no value until a call of the library stores one. Where that call
// fails and the object lives on where others find it, they release what nobody ever stored: the
// documents say of no such call what it leaves behind when it fails. Such an exit becomes a
// candidate; whether others do release the member is for class_check.c to find out.
#include "engine/unset.h"

// The member of an object behind a pointer that the argument is the address of; NULL.
static const IrPlace *member_behind(const EngineFn *ef, IrExprId argument)
{
    const IrExpr *expr = ir_without_casts(ef->fn, argument);
    if (expr->kind != IR_EX_ADDR) return NULL;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    if (place->kind != IR_PL_FIELD) return NULL;
    return ir_place(ef->fn, place->base)->kind == IR_PL_DEREF ? place : NULL;
}

// The call stores the address of memory where its argument points, and null, for all that is seen,
// when it fails.
static bool stores_memory(const EngineFn *ef, const ModelFunction *model, const ModelEffect *effect)
{
    return effect->kind == MODEL_ACQUIRE && effect->slot.arg > 0 && !effect->slot.field &&
           model->null_on_failure && model->result == MODEL_RESULT_STATUS &&
           model_resource(ef->model, effect->resource)->is_memory;
}

static IrRecordId class_of(const EngineFn *ef, const IrPlace *member)
{
    IrType type = ir_place(ef->fn, member->base)->type;
    const IrTypeInfo *info = type == IR_NONE ? NULL : ir_type(ef->unit, type);
    return info && info->kind == IR_TY_RECORD ? info->record : IR_NONE;
}

static bool has_site(const SiteList *sites, uint32_t point, LocId unset)
{
    for (uint32_t i = 0; i < sites->len; i++)
        if (sites->items[i].kind == SITE_UNINITIALIZED && sites->items[i].point == point &&
            sites->items[i].unset == unset)
            return true;
    return false;
}

// The member of each new object: which of them the call's argument leads to shows when it is run.
static void add_sites(EngineFn *ef, SiteList *sites, const IrPlace *member, const char *name)
{
    IrRecordId record = class_of(ef, member);
    const char *field = ir_storage_of(ef->unit, ef->fn, member);
    if (record == IR_NONE || ef->unit->records.items[record].is_union) return;
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; bits_has(&ef->reached, b) && i < block->instrs.len; i++) {
            uint32_t point = ef->first_point[b] + i;
            const ModelFunction *model = engine_model_at(ef, &block->instrs.items[i]);
            if (!model || !model->unset || !bits_has(&ef->heap_points, point)) continue;
            LocId object =
                loc_pointee(ef->space.values, sym_fresh_slot(ef->space.values, point, 0));
            LocId unset = loc_field(ef->space.values, object, field);
            if (has_site(sites, point, unset)) continue;
            vec_push(ef->arena, sites,
                     ((Site){.kind = SITE_UNINITIALIZED,
                             .block = b,
                             .instr = i,
                             .point = point,
                             .var = IR_NONE,
                             .entry = IR_NONE,
                             .unset = unset,
                             .record = record,
                             .member = field,
                             .loc = block->instrs.items[i].loc,
                             .name = name}));
        }
    }
}

void engine_find_unset_members(EngineFn *ef, SiteList *sites)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; bits_has(&ef->reached, b) && i < block->instrs.len; i++) {
            const IrInstr *instr = &block->instrs.items[i];
            const ModelFunction *model = engine_model_at(ef, instr);
            for (uint32_t e = 0; model && e < model->effects.len; e++) {
                const ModelEffect *effect = &model->effects.items[e];
                uint32_t argument = (uint32_t)effect->slot.arg - 1;
                if (!stores_memory(ef, model, effect) || argument >= instr->call->arg_count)
                    continue;
                const IrPlace *member = member_behind(ef, instr->call->args[argument]);
                if (member)
                    add_sites(ef, sites, member, engine_site_name(ef, block, i, effect, false));
            }
        }
    }
}

static bool is_member_site(const EngineFn *ef)
{
    return ef->site && ef->site->member != NULL;
}

void engine_start_unset(EngineFn *ef, State *state)
{
    if (!is_member_site(ef) || ef->site_started || ef->site->point != ef->point) return;
    state_write(&ef->space, state, ef->site->unset, sym_resource(ef->space.values), ef->point);
    ef->site_started = true;
    state->status = RS_LIVE;
    state_remark(&ef->space, state, ef->instr->loc,
                 arena_printf(ef->space.arena, "'%s' begins here without a value", ef->site->name));
}

// What the failing call at the point returns.
static SymId failure_at(EngineFn *ef, uint32_t point)
{
    return sym_fresh_slot(ef->space.values, point, 1);
}

bool engine_fail_to_set(EngineFn *ef, State *state, CallSite *site, LocId loc)
{
    bool is_tracked = is_member_site(ef) && state->status == RS_LIVE && loc == ef->site->unset &&
                      site->model->null_on_failure && site->model->result == MODEL_RESULT_STATUS &&
                      !ef->space.point_in_loop;
    uint32_t relation;
    if (!is_tracked || !pmap_get(state->holders, loc, &relation)) return false;
    Range any = range_full();
    site->result = failure_at(ef, ef->point);
    if (!state_restrict(&ef->space, state, site->result, range_exclude(&any, 0))) return false;
    state->attempt = ef->point + 1;
    state->released_at = ef->instr->loc;
    state->released_by = site->model->name;
    state_remark(&ef->space, state, ef->instr->loc,
                 arena_printf(ef->space.arena, "'%s' fails", site->model->name));
    return true;
}

// The function knows here that the call failed: it returns its status, or comes here only then.
static bool is_noticed(EngineFn *ef, uint32_t point, SymId value)
{
    if (value != IR_NONE && sym_mentions(ef->space.values, value, failure_at(ef, point)))
        return true;
    int64_t stored;
    SymId pointer = sym_fresh(ef->space.values, point, ef->site->unset);
    Range range = state_range(&ef->space, &ef->entry_facts[ef->block], pointer);
    return range_is_point(&range, &stored) && stored == 0;
}

void engine_check_left_unset(EngineFn *ef, const State *state, SymId value)
{
    if (!is_member_site(ef) || state->status != RS_LIVE || state->attempt == 0) return;
    uint32_t relation, point = state->attempt - 1;
    if (!pmap_get(state->holders, ef->site->unset, &relation)) return;
    if (!engine_is_outside(ef, state, ef->site->unset) || !is_noticed(ef, point, value)) return;
    Event event = engine_event(ef, state, EV_LEFT_UNSET);
    event.callee = state->released_by;
    event.acquired_at = state->released_at;
    event.class_name = ef->unit->records.items[ef->site->record].name;
    engine_add_candidate(ef, state, event);
}
