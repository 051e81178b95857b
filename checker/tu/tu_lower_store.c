// SPDX-License-Identifier: MIT
// Assignments: an expression's value goes into a place, a call's result directly.
#include "tu/tu_lower.h"

static void store_choice(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr, SrcLoc loc)
{
    LwCursors parts = lw_operands(lw, expr);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)}, done = lw_block(lw);
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = IR_BR_TERNARY});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        LwCleanup *scope = lw->top;
        lw_store_at(lw, dst, type, parts.items[i + 1], loc, false);
        lw_leave(lw, scope, loc);
        lw_jump(lw, loc, done);
    }
    lw_enter(lw, done);
}

static void store_object(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr, SrcLoc loc)
{
    if (!lw_is_prvalue(lw, expr)) {
        lw_assign(lw, loc, dst, lw_load(lw, lw_place(lw, expr)));
        return;
    }
    LwCleanup *scope = lw->top;
    IrPlaceId temp = lw_new_object(lw, type, loc);
    lw_init(lw, temp, type, expr);
    lw_assign(lw, loc, dst, lw_load(lw, temp));
    lw_leave(lw, scope, loc);
}

void lw_store_at(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr, SrcLoc loc, bool is_init)
{
    if (lw_is_record(type)) {
        if (is_init)
            lw_init(lw, dst, type, expr);
        else
            store_object(lw, dst, type, expr, loc);
        return;
    }
    CXCursor core = lw_strip(lw, expr);
    // The place knows best: a parameter declared as an array is a pointer.
    bool is_pointer = ir_type(lw->unit, lw_place_at(lw, dst)->type)->kind == IR_TY_POINTER;
    IrType stored = is_pointer ? lw_place_at(lw, dst)->type : lw_plain_type(lw, type);
    IrExprId value;
    bool is_same = lw_is_same(lw_type_of(core), lw_canonical(type));
    if (is_same && lw_is_kind(core, CXCursor_CallExpr)) {
        LwOperand result = lw_call(lw, core, dst, false);
        if (result.value == IR_NONE && result.place == dst) return;
        value = lw_operand_value(lw, result);
    } else if (is_same && lw_is_kind(core, CXCursor_ConditionalOperator) &&
               lw_place_at(lw, dst)->kind == IR_PL_VAR) {
        store_choice(lw, dst, type, core, loc);
        return;
    } else if (lw_is_pointer(type) && lw_is_array(lw_type_of(core))) {
        value = lw_decay(lw, core, type); // in initialiser lists the conversion does not show
    } else {
        value = lw_value(lw, expr);
    }
    bool is_array_parameter = is_pointer && lw_is_array(type);
    if (lw_expr(lw, value)->type != stored && !is_array_parameter)
        value = lw_convert(lw, value, type);
    if (is_init)
        lw_initialize(lw, loc, dst, value);
    else
        lw_assign(lw, loc, dst, value);
}

void lw_store(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr)
{
    lw_store_at(lw, dst, type, expr, lw_loc(lw, expr), false);
}
