// SPDX-License-Identifier: MIT
// Emitting: small wrappers around the IR's building functions that work on the current block, and
// the algebra of pointers (what a pointer value points to, as a place).
#include "tu/tu_lower.h"

#include <string.h>

void lw_unsupported(Lower *lw, CXCursor cursor, const char *what)
{
    if (lw->unsupported != NULL) return;
    lw->unsupported = str_internf(lw->unit->strings, "unsupported construct: %s at line %u", what,
                                  (unsigned)lw_loc(lw, cursor).line);
}

IrBlockId lw_block(Lower *lw)
{
    return ir_block_add(lw->unit, lw->fn);
}

void lw_enter(Lower *lw, IrBlockId block)
{
    lw->block = block;
}

bool lw_is_open(const Lower *lw)
{
    return !ir_block_is_closed(lw->fn, lw->block);
}

void lw_append(Lower *lw, IrInstr instr)
{
    ir_block_append(lw->unit, lw->fn, lw->block, instr);
}

static void put(Lower *lw, SrcLoc loc, IrPlaceId dst, IrExprId value, bool is_init)
{
    IrInstr instr = ir_instr(IR_ASSIGN, loc);
    instr.dst = dst;
    instr.value = value;
    instr.is_init = is_init;
    lw_append(lw, instr);
}

void lw_assign(Lower *lw, SrcLoc loc, IrPlaceId dst, IrExprId value)
{
    put(lw, loc, dst, value, false);
}

void lw_initialize(Lower *lw, SrcLoc loc, IrPlaceId dst, IrExprId value)
{
    put(lw, loc, dst, value, true);
}

void lw_clobber(Lower *lw, SrcLoc loc, IrPlaceId dst)
{
    IrInstr instr = ir_instr(IR_CLOBBER, loc);
    instr.dst = dst;
    lw_append(lw, instr);
}

void lw_jump(Lower *lw, SrcLoc loc, IrBlockId target)
{
    IrInstr instr = ir_instr(IR_JUMP, loc);
    instr.target = target;
    lw_append(lw, instr);
}

void lw_branch(Lower *lw, SrcLoc loc, IrExprId value, LwBranch branch)
{
    const IrExpr *expr = lw_expr(lw, value);
    // Whether something is true is whether it is not zero: the conversion to bool says nothing
    // more.
    while (expr->kind == IR_EX_CAST && ir_type(lw->unit, expr->type)->kind == IR_TY_BOOL) {
        value = expr->a;
        expr = lw_expr(lw, value);
    }
    if (expr->kind == IR_EX_INT) {
        lw_jump(lw, loc, expr->value != 0 ? branch.yes : branch.no);
        return;
    }
    IrInstr instr = ir_instr(IR_BRANCH, loc_is_valid(branch.negated) ? branch.negated : loc);
    instr.is_negated = branch.is_negated;
    instr.target_is_open = branch.yes_is_open;
    instr.other_is_open = branch.no_is_open;
    instr.value = value;
    instr.target = branch.yes;
    instr.other = branch.no;
    instr.branch_kind = branch.kind;
    lw_append(lw, instr);
}

void lw_unreachable(Lower *lw, SrcLoc loc)
{
    lw_append(lw, ir_instr(IR_UNREACHABLE, loc));
}

IrPlaceId lw_temp(Lower *lw, IrType type, SrcLoc loc)
{
    return ir_place_var(lw->unit, lw->fn, ir_temp_add(lw->unit, lw->fn, type, loc));
}

IrPlaceId lw_spill(Lower *lw, SrcLoc loc, IrExprId value)
{
    IrPlaceId place = lw_temp(lw, lw_expr(lw, value)->type, loc);
    lw_initialize(lw, loc, place, value);
    return place;
}

IrExprId lw_load(Lower *lw, IrPlaceId place)
{
    return ir_load(lw->unit, lw->fn, place);
}

IrExprId lw_address(Lower *lw, IrPlaceId place)
{
    return ir_addr(lw->unit, lw->fn, place, lw_pointer_to(lw, lw_place_at(lw, place)->type));
}

IrExprId lw_const(Lower *lw, int64_t value, IrType type)
{
    return ir_int(lw->unit, lw->fn, value, type);
}

IrExprId lw_unknown(Lower *lw, IrType type)
{
    return ir_unknown(lw->unit, lw->fn, type);
}

IrPlaceId lw_field(Lower *lw, IrPlaceId base, const char *name, IrType type)
{
    return ir_place_field(lw->unit, lw->fn, base, name, type);
}

IrPlaceId lw_index(Lower *lw, IrPlaceId base, IrExprId index, IrType type)
{
    return ir_place_index(lw->unit, lw->fn, base, index, type);
}

IrPlaceId lw_deref(Lower *lw, IrPlaceId pointer, IrType type)
{
    return ir_place_deref(lw->unit, lw->fn, pointer, type);
}

const IrExpr *lw_expr(const Lower *lw, IrExprId expr)
{
    return ir_expr_at(lw->fn, expr);
}

const IrPlace *lw_place_at(const Lower *lw, IrPlaceId place)
{
    return ir_place(lw->fn, place);
}

static bool is_pointer_value(const Lower *lw, IrExprId expr)
{
    IrTypeKind kind = ir_type(lw->unit, lw_expr(lw, expr)->type)->kind;
    return kind == IR_TY_POINTER || kind == IR_TY_REFERENCE;
}

IrPlaceId lw_deref_value(Lower *lw, IrExprId pointer, IrType type)
{
    const IrExpr expr = *lw_expr(lw, pointer);
    if (expr.kind == IR_EX_LOAD && is_pointer_value(lw, pointer))
        return lw_deref(lw, expr.place, type);
    if (expr.kind == IR_EX_ADDR) {
        // A place that is read as another type keeps its identity but for casts between unlike
        // things.
        if (lw_place_at(lw, expr.place)->type == type) return expr.place;
        return lw_deref(lw, lw_spill(lw, lw->loc, pointer), type);
    }
    if (expr.kind == IR_EX_CAST && is_pointer_value(lw, expr.a) &&
        lw_expr(lw, expr.a)->kind == IR_EX_LOAD)
        return lw_deref_value(lw, expr.a, type);
    if (expr.kind == IR_EX_BINARY && (expr.op == IR_ADD || expr.op == IR_SUB) &&
        is_pointer_value(lw, expr.a)) {
        IrExprId index = expr.b;
        if (expr.op == IR_SUB)
            index = ir_unary(lw->unit, lw->fn, IR_NEG, index, lw_expr(lw, index)->type);
        return lw_index_value(lw, expr.a, index, type);
    }
    return lw_deref(lw, lw_spill(lw, lw->loc, pointer), type);
}

IrPlaceId lw_index_value(Lower *lw, IrExprId pointer, IrExprId index, IrType type)
{
    const IrExpr expr = *lw_expr(lw, pointer);
    if (expr.kind == IR_EX_ADDR) {
        const IrPlace place = *lw_place_at(lw, expr.place);
        if (place.kind == IR_PL_INDEX && place.type == type) {
            bool is_first = place.index != IR_NONE && lw_expr(lw, place.index)->kind == IR_EX_INT &&
                            lw_expr(lw, place.index)->value == 0;
            if (is_first) return lw_index(lw, place.base, index, type);
            if (place.index == IR_NONE) return expr.place;
            IrType sum_type = lw_expr(lw, index)->type;
            IrExprId sum = ir_binary(lw->unit, lw->fn, IR_ADD, place.index, index, sum_type);
            return lw_index(lw, place.base, sum, type);
        }
    }
    if (expr.kind == IR_EX_BINARY && expr.op == IR_ADD && is_pointer_value(lw, expr.a)) {
        IrExprId sum = ir_binary(lw->unit, lw->fn, IR_ADD, expr.b, index, lw_expr(lw, index)->type);
        return lw_index_value(lw, expr.a, sum, type);
    }
    return lw_index(lw, lw_deref_value(lw, pointer, type), index, type);
}

IrCall *lw_call_new(Lower *lw, IrCalleeId callee, uint32_t arg_count)
{
    return ir_call_new(lw->unit, callee, arg_count);
}

void lw_emit_call(Lower *lw, SrcLoc loc, IrCall *call)
{
    bool may_throw = call->callee == IR_NONE || !lw_callee_at(lw, call->callee)->is_nothrow;
    if (may_throw && !lw->in_throw) {
        call->in_try = lw->top != NULL && lw->top->in_try;
        call->unwind = lw_landing(lw);
    }
    lw_emit_nothrow_call(lw, loc, call);
}

void lw_emit_nothrow_call(Lower *lw, SrcLoc loc, IrCall *call)
{
    IrInstr instr = ir_instr(IR_CALL, loc);
    instr.call = call;
    lw_append(lw, instr);
    if (call->callee != IR_NONE && lw_callee_at(lw, call->callee)->is_noreturn)
        lw_unreachable(lw, loc);
}
