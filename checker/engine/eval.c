// SPDX-License-Identifier: MIT
// Evaluating the IR's pure expressions and places to symbolic values and locations in a state.
#include "engine/element.h"
#include "engine/phase.h"
#include "engine/work.h"

SymId engine_fresh(EngineFn *ef, State *state, uint32_t slot)
{
    SymId fresh = sym_fresh_slot(ef->space.values, ef->point, slot);
    if (ef->space.point_in_loop) state_refresh(&ef->space, state, fresh);
    return fresh;
}

static bool is_volatile(const EngineFn *ef, IrPlaceId id)
{
    const IrPlace *place = ir_place(ef->fn, id);
    for (; place->kind == IR_PL_FIELD || place->kind == IR_PL_INDEX;
         place = ir_place(ef->fn, place->base))
        if (place->type != IR_NONE && ir_type_is_volatile(ef->unit, place->type)) return true;
    if (place->kind == IR_PL_VAR)
        return place->type != IR_NONE && ir_type_is_volatile(ef->unit, place->type);
    IrType pointer = ir_place(ef->fn, place->base)->type;
    if (pointer == IR_NONE) return false;
    IrType pointee = ir_type(ef->unit, pointer)->pointee;
    return pointee != IR_NONE && ir_type_is_volatile(ef->unit, pointee);
}

void engine_note_access(EngineFn *ef, State *state, LocId loc, IrPlaceId place, bool writes)
{
    // A volatile access means to see what others do meanwhile.
    bool watches = is_volatile(ef, place);
    if (!watches) engine_work_host_access(ef, state, loc, place, writes);
    const Loc *root = loc_at(ef->space.values, loc_at(ef->space.values, loc)->root);
    if (root->kind != LOC_MEM) return;
    // Who has a kernel run the lambda asks what that does with the memory.
    if (ef->fn->is_lambda) engine_note_entry(ef, root->sym);
    if (sym_at(ef->space.values, root->sym)->has_resource) {
        if (!watches)
            engine_note_host_use(ef, state, root->sym, writes, engine_bytes_to(ef, loc) == 1);
        engine_check_host_access(ef, state, root->sym, writes && !watches, NULL);
        engine_use(ef, state, root->sym, NULL);
        return;
    }
    // A pointer that is dereferenced is not null on this path.
    Range known = state_range(&ef->space, state, root->sym);
    if (range_contains(&known, 0) &&
        !state_restrict(&ef->space, state, root->sym, range_exclude(&known, 0)))
        state->dead = true;
}

// p[i] moves from where p points; a[i] of an array or a container is inside it.
static bool index_moves(const EngineFn *ef, const IrPlace *place)
{
    const IrPlace *base = ir_place(ef->fn, place->base);
    if (base->kind != IR_PL_DEREF) return false;
    if (base->type == IR_NONE) return true;
    IrTypeKind kind = ir_type(ef->unit, base->type)->kind;
    bool is_container = kind == IR_TY_RECORD && place->type != base->type;
    return kind != IR_TY_ARRAY && !is_container;
}

static LocId union_member(EngineFn *ef, LocId base, const IrPlace *place)
{
    const IrPlace *whole = ir_place(ef->fn, place->base);
    if (whole->type == IR_NONE) return IR_NONE;
    const IrTypeInfo *type = ir_type(ef->unit, whole->type);
    if (type->kind != IR_TY_RECORD || type->record == IR_NONE ||
        !ef->unit->records.items[type->record].is_union)
        return IR_NONE;
    return base; // all members of a union are one location
}

SymId engine_index(EngineFn *ef, State *state, IrExprId id)
{
    SymId index = engine_eval(ef, state, id);
    if (!phase_decides(&ef->space, index)) return index;
    Range range = state_range(&ef->space, state, index);
    int64_t number;
    return range_is_point(&range, &number) ? sym_int(ef->space.values, number) : index;
}

LocId engine_place(EngineFn *ef, State *state, IrPlaceId id)
{
    Values *values = ef->space.values;
    const IrPlace *place = ir_place(ef->fn, id);
    LocId loc = IR_NONE;
    switch (place->kind) {
    case IR_PL_VAR:
        loc = loc_var(values, place->var);
        break;
    case IR_PL_FIELD: {
        LocId base = engine_place(ef, state, place->base);
        LocId whole = union_member(ef, base, place);
        loc = whole != IR_NONE ? whole
                               : loc_field(values, base, ir_storage_of(ef->unit, ef->fn, place));
        break;
    }
    case IR_PL_DEREF: {
        LocId base = engine_place(ef, state, place->base);
        engine_note_access(ef, state, base, place->base, false);
        loc = loc_pointee(values, state_read(&ef->space, state, base));
        break;
    }
    case IR_PL_INDEX: {
        LocId base = engine_place(ef, state, place->base);
        SymId index = place->index == IR_NONE ? IR_NONE : engine_index(ef, state, place->index);
        bool unknown = index == IR_NONE;
        if (index_moves(ef, place))
            loc = unknown ? loc_shift(values, base, IR_NONE) : loc_shift(values, base, index);
        else
            loc = unknown ? loc_any(values, base) : loc_element(values, base, index);
        if (!unknown && loc != base && loc_at(values, loc)->kind == LOC_ANY)
            loc = element_named(ef, state, loc, place->index);
        break;
    }
    }
    loc_set_type(values, loc, place->type);
    return loc;
}

static SymId eval_load(EngineFn *ef, State *state, const IrExpr *expr)
{
    LocId loc = engine_place(ef, state, expr->place);
    engine_note_access(ef, state, loc, expr->place, false);
    const IrPlace *place = ir_place(ef->fn, expr->place);
    if (place->kind == IR_PL_FIELD && strcmp(place->field, "#size") == 0)
        engine_container_size(ef, state, loc_at(ef->space.values, loc)->parent, loc);
    return state_read(&ef->space, state, loc);
}

static SymId eval_cast(EngineFn *ef, State *state, const IrExpr *expr)
{
    SymId value = engine_eval(ef, state, expr->a);
    const IrTypeInfo *type = ir_type(ef->unit, expr->type);
    if (type->kind == IR_TY_BOOL) return sym_truth(ef->space.values, value);
    return value; // numbers and pointers keep their value
}

static SymId eval_known(EngineFn *ef, State *state, IrExprId id)
{
    Values *values = ef->space.values;
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    switch (expr->kind) {
    case IR_EX_INT:
        return sym_int(values, expr->value);
    case IR_EX_STRING:
        return sym_string(values, id);
    case IR_EX_FLOAT:
        return expr->text ? sym_string(values, id)
                          : IR_NONE; // a constant of which only the identity is known
    case IR_EX_LOAD:
        return eval_load(ef, state, expr);
    case IR_EX_ADDR:
        return sym_addr(values, engine_place(ef, state, expr->place));
    case IR_EX_FUNC:
        return sym_func(values, expr->callee);
    case IR_EX_UNARY:
        return sym_unary(values, expr->op, engine_eval(ef, state, expr->a));
    case IR_EX_BINARY: {
        SymId a = engine_eval(ef, state, expr->a), b = engine_eval(ef, state, expr->b);
        if (ef->space.point_in_loop) phase_note_residue(ef, expr, a, b);
        return sym_binary(values, expr->op, a, b);
    }
    case IR_EX_CAST:
        return eval_cast(ef, state, expr);
    case IR_EX_SIZEOF:
        return expr->value > 0 ? sym_int(values, expr->value) : IR_NONE;
    case IR_EX_CLOSURE:
    case IR_EX_UNKNOWN:
        return IR_NONE;
    }
    return IR_NONE;
}

SymId engine_eval(EngineFn *ef, State *state, IrExprId id)
{
    SymId value = eval_known(ef, state, id);
    return value != IR_NONE ? value : engine_fresh(ef, state, SLOT_EXPR + id);
}
