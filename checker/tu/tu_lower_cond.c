// SPDX-License-Identifier: MIT
// Conditions: && || ! ?: and comparisons of conditions with constants become control flow, one
// branch per atom. Where such an expression is wanted as a value, the same control flow stores it
// into a temporary.
#include "tu/tu_lower.h"

#include <string.h>

// Of the operand of a condition at `loc` that holds where the operand does not.
static LwBranch opposite(SrcLoc loc, LwBranch branch)
{
    LwBranch of_operand = branch;
    of_operand.yes = branch.no;
    of_operand.no = branch.yes;
    of_operand.yes_is_open = branch.no_is_open;
    of_operand.no_is_open = branch.yes_is_open;
    of_operand.is_negated = !branch.is_negated;
    if (!loc_is_valid(branch.negated)) of_operand.negated = loc;
    return of_operand;
}

static bool is_logical(Lower *lw, CXCursor expr);

static bool is_integer(Lower *lw, CXType type)
{
    return ir_type(lw->unit, lw_plain_type(lw, type))->kind == IR_TY_INT;
}

// Without parentheses and the conversions to bool.
static CXCursor strip_condition(Lower *lw, CXCursor expr)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expr);
        if (kind == CXCursor_CallExpr) {
            const char *name = lw_spelling(lw, expr);
            bool is_hint = strcmp(name, "__builtin_expect") == 0 ||
                           strcmp(name, "__builtin_expect_with_probability") == 0;
            if (!is_hint) return expr;
            expr = clang_Cursor_getArgument(expr, 0);
            continue;
        }
        bool is_wrapper = kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr;
        bool is_cast = kind == CXCursor_CXXStaticCastExpr || kind == CXCursor_CStyleCastExpr ||
                       kind == CXCursor_CXXFunctionalCastExpr;
        if (!is_wrapper && !is_cast) return expr;
        LwCursors parts = lw_operands(lw, expr);
        if (parts.count != 1) return expr;
        // A conversion may change whether the value is zero, unless it is to bool or widens a truth
        // value.
        CXType to = lw_type_of(expr), from = lw_type_of(parts.items[0]);
        IrTypeKind from_kind = ir_type(lw->unit, lw_plain_type(lw, from))->kind;
        bool is_truth = from_kind == IR_TY_INT || from_kind == IR_TY_POINTER ||
                        from_kind == IR_TY_BOOL || from_kind == IR_TY_FLOAT;
        bool is_widened =
            from_kind == IR_TY_INT && is_integer(lw, to) && is_logical(lw, parts.items[0]); // C
        bool keeps =
            lw_is_same(to, from) || (lw_is_bool(to) && is_truth) || lw_is_bool(from) || is_widened;
        if (!keeps) return expr;
        expr = parts.items[0];
    }
}

static bool is_logical(Lower *lw, CXCursor expr)
{
    CXCursor core = strip_condition(lw, expr);
    if (lw_is_kind(core, CXCursor_UnaryOperator))
        return clang_getCursorUnaryOperatorKind(core) == CXUnaryOperator_LNot;
    if (!lw_is_kind(core, CXCursor_BinaryOperator)) return false;
    switch (clang_getCursorBinaryOperatorKind(core)) {
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE:
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE:
        return true;
    default:
        return false;
    }
}

// 0 and 1, false and true.
static bool truth_constant(Lower *lw, CXCursor expr, int64_t *value)
{
    CXCursor core = lw_strip_casts(lw, expr);
    bool is_literal =
        lw_is_kind(core, CXCursor_IntegerLiteral) || lw_is_kind(core, CXCursor_CXXBoolLiteralExpr);
    return is_literal && lw_evaluate(core, value) && (*value == 0 || *value == 1);
}

// `(a == b) == false`: a comparison of a condition with a constant is that condition, or its
// opposite.
static bool compare_logical(Lower *lw, CXCursor expr, LwBranch branch)
{
    bool is_equal = clang_getCursorBinaryOperatorKind(expr) == CXBinaryOperator_EQ;
    LwCursors parts = lw_operands(lw, expr);
    if (parts.count != 2) return false;
    for (uint32_t i = 0; i < 2; i++) {
        int64_t value;
        if (!truth_constant(lw, parts.items[1 - i], &value) || !is_logical(lw, parts.items[i]))
            continue;
        bool is_same = is_equal == (value == 1);
        lw_cond(lw, parts.items[i], is_same ? branch : opposite(lw_loc(lw, expr), branch));
        return true;
    }
    return false;
}

static void logical(Lower *lw, LwCursors parts, bool is_and, LwBranch branch)
{
    IrBlockId middle = lw_block(lw);
    LwBranch first = branch;
    bool is_open = loc_is_valid(branch.negated);
    if (is_and) {
        first.yes = middle;
        first.yes_is_open = is_open;
    } else {
        first.no = middle;
        first.no_is_open = is_open;
    }
    lw_cond(lw, parts.items[0], first);
    lw_enter(lw, middle);
    lw_cond(lw, parts.items[1], branch);
}

static void choice(Lower *lw, CXCursor expr, LwBranch branch)
{
    LwCursors parts = lw_operands(lw, expr);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)};
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = branch.kind});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        lw_cond(lw, parts.items[i + 1], branch);
    }
}

static void atom(Lower *lw, CXCursor core, LwBranch branch)
{
    LwCleanup *scope = lw->top;
    SrcLoc loc = lw_loc(lw, core);
    IrExprId value = lw_value(lw, core);
    if (lw->top != scope) {
        // Temporaries of the condition die before the branch.
        value = lw_load(lw, lw_spill(lw, loc, value));
        lw_leave(lw, scope, loc);
    }
    lw_branch(lw, loc, value, branch);
}

static bool binary_condition(Lower *lw, CXCursor core, LwBranch branch)
{
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(core);
    if (op == CXBinaryOperator_EQ || op == CXBinaryOperator_NE)
        return compare_logical(lw, core, branch);
    bool is_logical_op = op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr;
    if (!is_logical_op && op != CXBinaryOperator_Comma) return false;
    LwCursors parts = lw_operands(lw, core);
    if (parts.count != 2) return false;
    if (is_logical_op) {
        logical(lw, parts, op == CXBinaryOperator_LAnd, branch);
    } else {
        lw_effect(lw, parts.items[0]);
        lw_cond(lw, parts.items[1], branch);
    }
    return true;
}

void lw_cond(Lower *lw, CXCursor expr, LwBranch branch)
{
    CXCursor core = strip_condition(lw, expr);
    if (lw_is_kind(core, CXCursor_UnaryOperator) &&
        clang_getCursorUnaryOperatorKind(core) == CXUnaryOperator_LNot) {
        lw_cond(lw, lw_operand_of(lw, core), opposite(lw_loc(lw, core), branch));
        return;
    }
    if (lw_is_kind(core, CXCursor_BinaryOperator) && binary_condition(lw, core, branch)) return;
    if (lw_is_kind(core, CXCursor_ConditionalOperator)) {
        choice(lw, core, branch);
        return;
    }
    atom(lw, core, branch);
}

// ---- as values ----------------------------------------------------------------------------------

IrExprId lw_bool_value(Lower *lw, CXCursor expr)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    CXCursor core = expr;
    // `!x` of something that is no condition itself is a pure expression.
    if (lw_is_kind(core, CXCursor_UnaryOperator)) {
        CXCursor operand = strip_condition(lw, lw_operand_of(lw, core));
        if (!is_logical(lw, operand) && !lw_is_kind(operand, CXCursor_ConditionalOperator))
            return ir_unary(lw->unit, lw->fn, IR_NOT, lw_value(lw, operand), type);
    }
    SrcLoc loc = lw_loc(lw, expr);
    IrPlaceId result = lw_temp(lw, type, loc);
    IrBlockId yes = lw_block(lw), no = lw_block(lw), done = lw_block(lw);
    lw_cond(lw, expr, (LwBranch){.yes = yes, .no = no, .kind = IR_BR_LOGICAL});
    lw_enter(lw, yes);
    lw_initialize(lw, loc, result, lw_const(lw, 1, type));
    lw_jump(lw, loc, done);
    lw_enter(lw, no);
    lw_initialize(lw, loc, result, lw_const(lw, 0, type));
    lw_jump(lw, loc, done);
    lw_enter(lw, done);
    return lw_load(lw, result);
}

IrExprId lw_choice_value(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    if (lw_is_void(type)) {
        lw_choice_effect(lw, expr);
        return lw_unknown(lw, lw_void_type(lw));
    }
    if (lw_is_record(type)) return lw_load(lw, lw_choice_place(lw, expr));
    SrcLoc loc = lw_loc(lw, expr);
    LwCursors parts = lw_operands(lw, expr);
    IrPlaceId result = lw_temp(lw, lw_plain_type(lw, type), loc);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)}, done = lw_block(lw);
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = IR_BR_TERNARY});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        LwCleanup *scope = lw->top;
        lw_store_at(lw, result, type, parts.items[i + 1], lw_loc(lw, parts.items[i + 1]), true);
        lw_leave(lw, scope, loc);
        lw_jump(lw, loc, done);
    }
    lw_enter(lw, done);
    return lw_load(lw, result);
}

// As an object: a pointer to the chosen one.
IrPlaceId lw_choice_place(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    LwCursors parts = lw_operands(lw, expr);
    bool makes_object = lw_is_record(type) &&
                        (lw_is_prvalue(lw, parts.items[1]) || lw_is_prvalue(lw, parts.items[2]));
    if (makes_object) return lw_materialize(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrType object = lw_plain_type(lw, type);
    IrPlaceId pointer = lw_temp(lw, lw_pointer_to(lw, object), loc);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)}, done = lw_block(lw);
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = IR_BR_TERNARY});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        lw_initialize(lw, loc, pointer, lw_address(lw, lw_place(lw, parts.items[i + 1])));
        lw_jump(lw, loc, done);
    }
    lw_enter(lw, done);
    return lw_deref(lw, pointer, object);
}

void lw_choice_effect(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)}, done = lw_block(lw);
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = IR_BR_TERNARY});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        LwCleanup *scope = lw->top;
        lw_effect(lw, parts.items[i + 1]);
        lw_leave(lw, scope, loc);
        lw_jump(lw, loc, done);
    }
    lw_enter(lw, done);
}
