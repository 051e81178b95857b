// SPDX-License-Identifier: MIT
// Containers whose elements lie in memory of their own: when they grow, or take over another one's
// memory, what work in flight was given is gone. That a container grows is claimed where its number
// of elements certainly rises and nothing in sight makes room for them before.
#include "engine/summarize.h"
#include "engine/work.h"

// The part of a container that stands for where its elements lie.
#define ELEMENTS_FIELD "#data"

// ---- which container ----------------------------------------------------------------------------

LocId engine_container_of(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    for (; loc != loc_at(values, loc)->root; loc = loc_at(values, loc)->parent) {
        const Loc *info = loc_at(values, loc);
        bool is_element = info->kind == LOC_ANY || info->kind == LOC_INDEX;
        if (is_element && loc_at(values, info->parent)->has_elements) return info->parent;
    }
    return IR_NONE;
}

LocId engine_buffer_of(const EngineFn *ef, SymId value)
{
    const Values *values = ef->space.values;
    const Sym *sym = sym_at(values, value);
    while (sym->kind == SYM_BINARY && (sym->op == IR_ADD || sym->op == IR_SUB))
        sym = sym_at(values, sym->a);
    if (sym->kind != SYM_ADDR) return IR_NONE;
    LocId container = engine_container_of(ef, sym->loc);
    if (container != IR_NONE) return container;
    LocId root = loc_at(values, sym->loc)->root;
    const Loc *info = loc_at(values, root);
    if (info->kind != LOC_VAR) return IR_NONE;
    const IrVar *var = &ef->fn->vars.items[info->var];
    return var->kind == IR_VAR_LOCAL || var->is_managed ? root : IR_NONE;
}

LocId engine_container_at(EngineFn *ef, LocId place)
{
    const Loc *info = loc_at(ef->space.values, place);
    bool is_elements = info->kind == LOC_FIELD && strcmp(info->field, ELEMENTS_FIELD) == 0;
    return is_elements ? info->parent : IR_NONE;
}

static LocId elements_of(EngineFn *ef, LocId container)
{
    return loc_field(ef->space.values, container, str_intern(ef->unit->strings, ELEMENTS_FIELD));
}

void engine_note_container(EngineFn *ef, LocId container)
{
    // Of some container of many no search can say which.
    if (!ef->site && !loc_at(ef->space.values, container)->is_family)
        engine_note_entry(ef, sym_initial(ef->space.values, elements_of(ef, container)));
}

static LocId container_at_call(EngineFn *ef, State *state, const CallSite *site,
                               const SummaryPath *path)
{
    uint32_t last = path->step_count - 1;
    bool is_elements = path->step_count > 0 && path->steps[last].kind == SP_FIELD &&
                       strcmp(path->steps[last].field, ELEMENTS_FIELD) == 0;
    LocId place = is_elements ? engine_place_at_call(ef, state, site, path) : IR_NONE;
    if (place == IR_NONE) return IR_NONE;
    LocId container = engine_container_at(ef, place);
    if (container != IR_NONE) loc_set_container(ef->space.values, container);
    return container;
}

SymId engine_work_value(EngineFn *ef, State *state, const CallSite *site, const SummaryPath *path)
{
    LocId container = container_at_call(ef, state, site, path);
    if (container == IR_NONE) return engine_value_at_call(ef, state, site, path);
    return sym_addr(ef->space.values, loc_any(ef->space.values, container));
}

// ---- whether it grows ---------------------------------------------------------------------------

// `sum` is `size` and something more.
static bool exceeds(const Values *values, SymId sum, SymId size)
{
    const Sym *sym = sym_at(values, sum);
    if (sym->kind != SYM_BINARY || sym->op != IR_ADD) return false;
    const SymId sides[] = {sym->a, sym->b};
    for (int i = 0; i < 2; i++) {
        int64_t constant;
        bool shrinks = sym_is_int(values, sides[1 - i], &constant) && constant <= 0;
        if (!shrinks && (sides[i] == size || exceeds(values, sides[i], size))) return true;
    }
    return false;
}

// Its number of elements certainly rises, above any that it is known to have had.
static bool grows(EngineFn *ef, const State *state, const CallSite *site, LocId container)
{
    LocId place = loc_field(ef->space.values, container, str_intern(ef->unit->strings, "#size"));
    SymId size = state_read(&ef->space, state, place);
    int64_t constant;
    if (sym_is_int(ef->space.values, size, &constant)) return false; // emptied: it has room
    uint32_t index = site->first + (uint32_t)site->model->elements_arg - 1;
    if (site->model->elements_arg == 0) return true;
    return index < site->count && exceeds(ef->space.values, site->args[index], size);
}

static bool is_in(const LocList *list, LocId loc)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->items[i] == loc) return true;
    return false;
}

static bool makes_room(const ModelFunction *model)
{
    for (uint32_t i = 0; model && i < model->effects.len; i++)
        if (model->effects.items[i].kind == MODEL_RESERVE) return true;
    return false;
}

// The call makes room for the elements of a member of that name.
static bool reserves_member(const EngineFn *ef, const IrFunction *fn, const IrInstr *instr,
                            const char *field)
{
    bool is_call =
        instr->op == IR_CALL && instr->call->callee != IR_NONE && instr->call->arg_count > 0;
    if (!is_call) return false;
    const IrExpr *object = ir_without_casts(fn, instr->call->args[0]);
    if (object->kind != IR_EX_ADDR) return false;
    const IrPlace *place = ir_place(fn, object->place);
    if (place->kind != IR_PL_FIELD || strcmp(place->field, field) != 0) return false;
    return makes_room(
        engine_model_of(ef, instr->call, &ef->unit->callees.items[instr->call->callee]));
}

// Some function of the unit makes room in members of that name.
static bool is_reserved_member(const EngineFn *ef, const char *field)
{
    for (uint32_t f = 0; f < ef->unit->functions.len; f++) {
        const IrFunction *fn = ef->unit->functions.items[f];
        for (uint32_t b = 0; b < fn->blocks.len; b++) {
            const IrBlock *block = &fn->blocks.items[b];
            for (uint32_t i = 0; i < block->instrs.len; i++)
                if (reserves_member(ef, fn, &block->instrs.items[i], field)) return true;
        }
    }
    return false;
}

// Something in sight makes room before, or the caller may have.
static bool may_have_room(const EngineFn *ef, LocId container)
{
    const Loc *info = loc_at(ef->space.values, container);
    if (is_in(&ef->reserved, container)) return true;
    if (info->kind == LOC_FIELD) return is_reserved_member(ef, info->field);
    return info->kind != LOC_VAR || ef->fn->vars.items[info->var].kind != IR_VAR_LOCAL;
}

// ---- what it means ------------------------------------------------------------------------------

static void note_refit(EngineFn *ef, Refit refit)
{
    const Loc *info = loc_at(ef->space.values, refit.container);
    bool is_callers = loc_at(ef->space.values, info->root)->kind == LOC_MEM;
    if (!is_callers || info->is_family || engine_waited_before(ef)) return;
    for (uint32_t i = 0; i < ef->refits.len; i++)
        if (ef->refits.items[i].container == refit.container) return;
    vec_push(ef->arena, &ef->refits, refit);
}

// The container's elements move while work in flight may use them; true if that is told.
static bool tell(EngineFn *ef, State *state, const Refit *refit)
{
    bool is_it = ef->site && ef->site->buffer == refit->container &&
                 state->pending != PENDING_NONE && engine_watches_work(ef, state) &&
                 !loc_at(ef->space.values, refit->container)->is_family;
    if (!is_it || (refit->is_growth && may_have_room(ef, refit->container))) return false;
    Pending pending = engine_pending(ef, state);
    const Work *work = pending_any(&pending, KINDS_OF_USE);
    if (!work) return false;
    Event event = engine_event(ef, state, EV_BUFFER_ENDS);
    event.refit_by = refit->api;
    event.may_move = refit->is_growth;
    event.driver_waits = work->kind != WORK_KERNEL && engine_is_pageable(ef);
    engine_report_work(ef, state, work, event);
    return true;
}

// The call is given an object by a reference through which it may take what it holds.
static bool takes_memory(const EngineFn *ef, const CallSite *site)
{
    IrType type = site->count > 1 ? engine_param_type(ef, site, 1) : IR_NONE;
    if (type == IR_NONE || ir_type(ef->unit, type)->kind != IR_TY_REFERENCE) return false;
    const IrTypeInfo *object = ir_type(ef->unit, ir_type(ef->unit, type)->pointee);
    return object->kind == IR_TY_RECORD && !object->is_const;
}

static void apply(EngineFn *ef, State *state, const CallSite *site, const ModelEffect *effect)
{
    uint32_t index =
        effect->slot.arg == MODEL_SLOT_THIS ? 0 : site->first + (uint32_t)effect->slot.arg - 1;
    if (index >= site->count) return;
    LocId container = loc_pointee(ef->space.values, site->args[index]);
    Refit refit = {.container = container,
                   .is_growth = effect->kind == MODEL_GROW,
                   .api = site->callee->name,
                   .loc = ef->instr->loc};
    if (effect->kind == MODEL_GROW || effect->kind == MODEL_REPLACE) {
        bool moves = refit.is_growth ? grows(ef, state, site, container) : takes_memory(ef, site);
        if (moves && !ef->site) note_refit(ef, refit);
        if (moves) (void)tell(ef, state, &refit);
    }
    if (effect->kind == MODEL_RESERVE && !ef->site && !is_in(&ef->reserved, container))
        vec_push(ef->arena, &ef->reserved, container);
    if (effect->kind == MODEL_EXCHANGE && ef->site && ef->site->buffer == container)
        state->pending = PENDING_NONE;
}

void engine_work_refit(EngineFn *ef, State *state, const CallSite *site)
{
    for (uint32_t i = 0; i < site->model->effects.len; i++)
        apply(ef, state, site, &site->model->effects.items[i]);
}

void engine_work_refit_inside(EngineFn *ef, State *state, const CallSite *site,
                              const Summary *summary)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != SE_REFIT) continue;
        Refit refit = {.container = container_at_call(ef, state, site, &effect->path),
                       .is_growth = effect->must == 0,
                       .api = effect->api,
                       .loc = effect->loc};
        if (refit.container == IR_NONE) continue;
        refit.calls =
            summary_call(ef->summary_arena, site->callee->name, ef->instr->loc, effect->calls);
        if (!ef->site) {
            note_refit(ef, refit);
            continue;
        }
        State before = *state;
        engine_remark_effect(
            ef, state, site, effect,
            arena_printf(ef->space.arena, "'%s' moves its elements here", effect->api));
        if (!tell(ef, state, &refit)) *state = before;
    }
}

void summarize_refits(Arena *arena, EngineFn *ef, Summary *summary)
{
    for (uint32_t i = 0; i < ef->refits.len; i++) {
        const Refit *refit = &ef->refits.items[i];
        if (refit->is_growth && is_in(&ef->reserved, refit->container)) continue;
        SummaryEffect effect = {.kind = SE_REFIT,
                                .may = OUTCOME_RETURNED,
                                .must = refit->is_growth ? 0 : OUTCOME_RETURNED,
                                .api = refit->api,
                                .loc = refit->loc,
                                .calls = refit->calls};
        if (summarize_path(ef, elements_of(ef, refit->container), &effect.path))
            summary_add(arena, summary, effect);
    }
}
