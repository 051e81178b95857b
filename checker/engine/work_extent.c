// SPDX-License-Identifier: MIT
// How much of the memory work covers, and whether it certainly covers what the host touches. Copies
// say by their size; kernels and libraries that are given the memory itself are taken to use all of
// it.
#include "engine/extent.h"
#include "engine/work.h"

bool engine_names_place(const EngineFn *ef, IrExprId arg)
{
    const IrExpr *expr = ir_expr_at(ef->fn, arg);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    if (expr->kind != IR_EX_ADDR) return expr->kind == IR_EX_LOAD;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    for (; place->kind == IR_PL_INDEX; place = ir_place(ef->fn, place->base)) {
        if (place->index == IR_NONE) return false;
        const IrExpr *index = ir_expr_at(ef->fn, place->index);
        if (index->kind != IR_EX_INT || index->value != 0) return false;
    }
    return place->kind != IR_PL_FIELD;
}

// IR_NONE: it is not known which.
static void note_index(EngineFn *ef, SymId index, Work *work)
{
    if (work->has_element && work->element == IR_NONE) index = IR_NONE;
    if (work->has_element &&
        index != IR_NONE) // of several indices it is asked that all be the same
        index = sym_binary(ef->space.values, IR_SUB, work->element, index);
    work->has_element = true;
    work->element = index;
}

// The method of a container that returned what the temporary refers to: `v[i]`.
static const IrCall *element_call(const EngineFn *ef, const IrPlace *temporary)
{
    const IrBlock *block = &ef->fn->blocks.items[ef->block];
    bool is_temporary =
        temporary->kind == IR_PL_VAR && ef->fn->vars.items[temporary->var].kind == IR_VAR_TEMP;
    for (uint32_t i = 0; is_temporary && i < block->instrs.len; i++) {
        const IrInstr *instr = &block->instrs.items[i];
        bool is_it = instr->op == IR_CALL && instr->call->dst != IR_NONE &&
                     instr->call->arg_count == 2 && instr->call->callee != IR_NONE &&
                     ef->unit->callees.items[instr->call->callee].is_method &&
                     ir_place(ef->fn, instr->call->dst) == temporary;
        if (is_it) return instr->call;
    }
    return NULL;
}

static void note_slot(Work *work, int64_t index)
{
    work->slot = 31 * work->slot + (uint32_t)index + 1;
}

// The location is in an element whose index is known.
static void note_known(const Values *values, LocId loc, Work *work)
{
    for (const Loc *at = loc_at(values, loc); at->parent != IR_NONE;
         at = loc_at(values, at->parent))
        if (at->kind == LOC_INDEX) note_slot(work, at->index);
}

// Pseudo-fields of a variable: which element of an array it was taken from.
static LocId taken_field(const EngineFn *ef, LocId variable, const char *field)
{
    return loc_field(ef->space.values, variable, str_intern(ef->unit->strings, field));
}

#define TAKEN_ELEMENT "#element" // by an index that is not known: its value
#define TAKEN_SLOT "#slot"       // by a constant one: Work.slot

static void note_taken(EngineFn *ef, const State *state, IrVarId var, Work *work)
{
    LocId variable = loc_var(ef->space.values, var);
    SymId value;
    int64_t slot;
    if (pmap_get(state->env, taken_field(ef, variable, TAKEN_ELEMENT), &value))
        note_index(ef, value, work);
    if (pmap_get(state->env, taken_field(ef, variable, TAKEN_SLOT), &value))
        work->slot = sym_is_int(ef->space.values, value, &slot) ? (uint32_t)slot : 0;
}

void engine_note_taken(EngineFn *ef, State *state, LocId variable, IrExprId from)
{
    Work way = {.has_element = false};
    engine_note_element(ef, state, from, &way);
    if (way.has_element) {
        SymId element = way.element != IR_NONE ? way.element : engine_fresh(ef, state, 3);
        state_write(&ef->space, state, taken_field(ef, variable, TAKEN_ELEMENT), element,
                    ef->point);
    }
    if (way.slot != 0)
        state_write(&ef->space, state, taken_field(ef, variable, TAKEN_SLOT),
                    sym_int(ef->space.values, way.slot), ef->point);
}

// What `base` holds leads to some element of many: by the index that was asked for, if that is in
// sight.
static void note_referred(EngineFn *ef, State *state, IrPlaceId base, bool is_pointer, Work *work)
{
    Values *values = ef->space.values;
    LocId holder = engine_place(ef, state, base);
    if (holder == IR_NONE) return;
    const Sym *sym = sym_at(values, state_read(&ef->space, state, holder));
    if (sym->kind != SYM_ADDR) return;
    if (!loc_at(values, sym->loc)->is_family) {
        if (is_pointer) note_known(values, sym->loc, work);
        return;
    }
    const IrCall *call = element_call(ef, ir_place(ef->fn, base));
    note_index(ef, call != NULL ? engine_eval(ef, state, call->args[1]) : IR_NONE, work);
}

// The indices in the place that are not known, and the constant ones of pointers that lead there.
static void note_indices(EngineFn *ef, State *state, const IrPlace *place, bool is_pointer,
                         Work *work)
{
    for (; place->kind != IR_PL_VAR; place = ir_place(ef->fn, place->base)) {
        if (place->kind == IR_PL_DEREF) note_referred(ef, state, place->base, is_pointer, work);
        if (place->kind != IR_PL_INDEX) continue;
        int64_t constant;
        SymId index = place->index == IR_NONE ? engine_fresh(ef, state, 2)
                                              : engine_index(ef, state, place->index);
        bool is_constant = sym_is_int(ef->space.values, index, &constant);
        if (is_constant && is_pointer) note_slot(work, constant);
        if (!is_constant) note_index(ef, index, work);
    }
    if (is_pointer) note_taken(ef, state, place->var, work);
}

void engine_note_element(EngineFn *ef, State *state, IrExprId arg, Work *work)
{
    const IrExpr *expr = ir_without_casts(ef->fn, arg);
    if (expr->kind == IR_EX_LOAD || expr->kind == IR_EX_ADDR)
        note_indices(ef, state, ir_place(ef->fn, expr->place), expr->kind == IR_EX_LOAD, work);
}

void engine_note_way(EngineFn *ef, State *state, IrPlaceId id, Work *work)
{
    const IrPlace *place = ir_place(ef->fn, id);
    while (place->kind != IR_PL_VAR && place->kind != IR_PL_DEREF)
        place = ir_place(ef->fn, place->base);
    if (place->kind == IR_PL_DEREF)
        note_indices(ef, state, ir_place(ef->fn, place->base), true, work);
}

// An index that takes few values again and again: `i % 2`.
static bool comes_round(const Values *values, const Work *work)
{
    if (!work->has_element || work->element == IR_NONE) return false;
    const Sym *sym = sym_at(values, work->element);
    int64_t constant;
    return sym->kind == SYM_BINARY && (sym->op == IR_REM || sym->op == IR_AND) &&
           sym_is_int(values, sym->b, &constant);
}

// By which known indices an array is used whose elements a loop acquired says whether it is the same element, but
// not that this is the tracked one. In a loop that waits nothing is claimed of that.
bool engine_knows_element(EngineFn *ef, const Work *a, const Work *b)
{
    bool is_one_of_many = bits_has(&ef->in_loop, ef->site->block) && ef->space.point_in_loop;
    return !is_one_of_many || a->slot == 0 || b->slot == 0 || engine_is_in_busy_loop(ef);
}

bool engine_meets_element(EngineFn *ef, const Work *a, const Work *b)
{
    if (!engine_knows_element(ef, a, b)) return false;
    if (engine_same_element(a, b)) return true;
    return (comes_round(ef->space.values, a) || comes_round(ef->space.values, b)) &&
           engine_is_in_busy_loop(ef);
}

bool engine_same_element(const Work *a, const Work *b)
{
    if (!a->has_element && !b->has_element)
        return a->slot == 0 || b->slot == 0 || a->slot == b->slot;
    return a->has_element && b->has_element && a->element == b->element && a->element != IR_NONE;
}

static bool names_argument(const EngineFn *ef, const CallSite *site, const ModelSlot *slot)
{
    uint32_t index = site->first + (uint32_t)slot->arg - 1;
    return slot->arg > 0 && index < site->count && engine_names_place(ef, site->call->args[index]);
}

// ---- what a call covers -------------------------------------------------------------------------

static const IrTypeInfo *buffer_type(const EngineFn *ef)
{
    return ir_type(ef->unit, ef->fn->vars.items[ef->site->var].type);
}

bool engine_is_container(const EngineFn *ef)
{
    const Loc *buffer = loc_at(ef->space.values, ef->site->buffer);
    if (buffer->kind != LOC_VAR || buffer->has_elements) return buffer->has_elements;
    const IrTypeInfo *type = buffer_type(ef);
    return type->kind == IR_TY_RECORD && type->record != IR_NONE &&
           ef->unit->records.items[type->record].kind != IR_REC_USER;
}

// The size of what is tracked; IR_NONE where it is not known.
static SymId size_of_all(EngineFn *ef)
{
    if (ef->site->kind == SITE_BUFFER && !engine_is_container(ef) && buffer_type(ef)->size > 0)
        return sym_int(ef->space.values, (int64_t)buffer_type(ef)->size);
    return ef->site->has_bytes ? ef->site->bytes : IR_NONE;
}

// The call uses the memory from its start on.
static void cover(EngineFn *ef, const CallSite *site, Work *work)
{
    SymId bytes = engine_bytes_of(ef, site);
    bool is_container = ef->site->buffer != IR_NONE && engine_is_container(ef);
    if (is_container || (bytes == IR_NONE && work->kind != WORK_COPY)) {
        work->is_whole = true; // elements are not told apart
        return;
    }
    SymId all = size_of_all(ef);
    work->is_whole |=
        bytes != IR_NONE && all != IR_NONE && engine_is_at_least(ef->space.values, bytes, all);
    int64_t least = bytes == IR_NONE ? 1 : engine_least_bytes(ef->space.values, bytes);
    if (least > work->bytes) work->bytes = least;
}

// What the work of the call does with the resource.
Work engine_work_of(EngineFn *ef, State *state, const CallSite *site)
{
    ModelOrder order = site->model->order;
    Work work = {.kind = order == ORDER_COPY || order == ORDER_COPY_ASYNC ? WORK_COPY : WORK_SET};
    if (order == ORDER_HINT || engine_is_mere_handle(ef)) return work;
    // A library that is given such memory works on the host.
    if (order == ORDER_ENQUEUE && engine_is_pageable(ef)) return work;
    for (uint32_t i = 0; i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        if (effect->kind != MODEL_USE_READ && effect->kind != MODEL_USE_WRITE) continue;
        SymId value = engine_slot_value(ef, state, site, &effect->slot);
        if (value == IR_NONE) continue;
        ResourceRelation relation = engine_work_relation(ef, value);
        if (relation == RES_NONE) continue;
        work.access |= effect->kind == MODEL_USE_WRITE ? WORK_WRITES : WORK_READS;
        uint32_t index = site->first + (uint32_t)effect->slot.arg - 1;
        if (effect->slot.arg > 0 && index < site->count)
            engine_note_element(ef, state, site->call->args[index], &work);
        if (relation == RES_EXACT && names_argument(ef, site, &effect->slot))
            cover(ef, site, &work);
    }
    return work;
}

// ---- what the host touches ----------------------------------------------------------------------

// As many bytes from the start on as work must use so that it certainly uses what lies at the
// location; all of them where it is not known where that is.
int64_t engine_bytes_to(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    LocId root = loc_at(values, loc)->root, element = loc;
    if (loc == root) return 1;
    while (loc_at(values, element)->parent != root) element = loc_at(values, element)->parent;
    const Loc *info = loc_at(values, element);
    if (info->kind != LOC_INDEX || info->index < 0) return INT64_MAX;
    if (info->index == 0 && element == loc) return 1;
    int64_t bytes;
    bool is_known = info->size > 0 && info->size <= INT32_MAX &&
                    !__builtin_mul_overflow(info->index, (int64_t)info->size, &bytes);
    if (!is_known || bytes > INT64_MAX - INT32_MAX) return INT64_MAX;
    return bytes + (element == loc ? 1 : (int64_t)info->size); // a member may be anywhere in it
}

int64_t engine_bytes_to_pointee(const EngineFn *ef, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind == SYM_ADDR) return engine_bytes_to(ef, sym->loc);
    return engine_work_relation(ef, value) == RES_EXACT ? 1 : INT64_MAX;
}

bool engine_certainly_uses(const Work *work, int64_t bytes)
{
    return work->is_whole || work->bytes >= bytes;
}
