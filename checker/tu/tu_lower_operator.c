// SPDX-License-Identifier: MIT
// Built-in operators: arithmetic and comparison become pure expressions; assignments, ++ and --
// become instructions and the place that they wrote.
#include "tu/tu_lower.h"

bool lw_is_assignment(CXCursor expr)
{
    if (lw_is_kind(expr, CXCursor_CompoundAssignOperator)) return true;
    if (lw_is_kind(expr, CXCursor_BinaryOperator))
        return clang_getCursorBinaryOperatorKind(expr) == CXBinaryOperator_Assign;
    if (!lw_is_kind(expr, CXCursor_UnaryOperator)) return false;
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(expr);
    return op == CXUnaryOperator_PreInc || op == CXUnaryOperator_PreDec ||
           op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec;
}

static bool is_decrement(CXCursor expr)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(expr);
    return op == CXUnaryOperator_PreDec || op == CXUnaryOperator_PostDec;
}

static bool is_postfix(CXCursor expr)
{
    if (!lw_is_kind(expr, CXCursor_UnaryOperator)) return false;
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(expr);
    return op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec;
}

// False: not an operator of pure expressions (&& || , and assignments).
static bool binary_operator(enum CXBinaryOperatorKind kind, IrOperator *op)
{
    switch (kind) { /* dispatch */
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        *op = IR_ADD;
        return true;
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        *op = IR_SUB;
        return true;
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        *op = IR_MUL;
        return true;
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        *op = IR_DIV;
        return true;
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        *op = IR_REM;
        return true;
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        *op = IR_SHL;
        return true;
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        *op = IR_SHR;
        return true;
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        *op = IR_AND;
        return true;
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        *op = IR_OR;
        return true;
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        *op = IR_XOR;
        return true;
    case CXBinaryOperator_EQ:
        *op = IR_EQ;
        return true;
    case CXBinaryOperator_NE:
        *op = IR_NE;
        return true;
    case CXBinaryOperator_LT:
        *op = IR_LT;
        return true;
    case CXBinaryOperator_LE:
        *op = IR_LE;
        return true;
    case CXBinaryOperator_GT:
        *op = IR_GT;
        return true;
    case CXBinaryOperator_GE:
        *op = IR_GE;
        return true;
    default:
        return false;
    }
}

void lw_step(Lower *lw, CXCursor expr, IrPlaceId place)
{
    IrType type = lw_place_at(lw, place)->type;
    bool is_pointer = ir_type(lw->unit, type)->kind == IR_TY_POINTER;
    IrExprId one = lw_const(lw, 1, is_pointer ? lw_int_type(lw) : type);
    IrOperator op = is_decrement(expr) ? IR_SUB : IR_ADD;
    IrExprId stepped = ir_binary(lw->unit, lw->fn, op, lw_load(lw, place), one, type);
    lw_assign(lw, lw_loc(lw, expr), place, stepped);
}

static IrPlaceId compound_assign(Lower *lw, CXCursor expr, LwCursors parts)
{
    IrExprId right = lw_value(lw, parts.items[1]);
    IrPlaceId place = lw_place(lw, parts.items[0]);
    IrType type = lw_place_at(lw, place)->type;
    IrOperator op;
    SrcLoc loc = lw_loc(lw, expr);
    if (binary_operator(clang_getCursorBinaryOperatorKind(expr), &op))
        lw_assign(lw, loc, place, ir_binary(lw->unit, lw->fn, op, lw_load(lw, place), right, type));
    else
        lw_clobber(lw, loc, place);
    return place;
}

IrPlaceId lw_assignment(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    if (lw_is_kind(expr, CXCursor_UnaryOperator)) {
        IrPlaceId place = lw_place(lw, parts.items[0]);
        lw_step(lw, expr, place);
        return place;
    }
    if (parts.count != 2)
        return lw_spill(lw, lw_loc(lw, expr),
                        lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr))));
    if (lw_is_kind(expr, CXCursor_CompoundAssignOperator)) return compound_assign(lw, expr, parts);
    IrPlaceId place = lw_place(lw, parts.items[0]);
    lw_store_at(lw, place, lw_type_of(parts.items[0]), parts.items[1], lw_loc(lw, expr), false);
    return place;
}

// ---- values -------------------------------------------------------------------------------------

static IrExprId address_value(Lower *lw, CXCursor expr, CXCursor operand)
{
    CXCursor core = lw_strip(lw, operand);
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    if (lw_is_kind(core, CXCursor_DeclRefExpr)) {
        CXCursor target = clang_getCursorReferenced(core);
        enum CXCursorKind kind = clang_getCursorKind(target);
        if (kind == CXCursor_FieldDecl) return lw_unknown(lw, type); // pointer to member
        if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod) {
            return ir_func(lw->unit, lw->fn, lw_callee(lw, target), type);
        }
    }
    return ir_addr(lw->unit, lw->fn, lw_place(lw, operand), type);
}

static IrExprId postfix_value(Lower *lw, CXCursor expr, CXCursor operand)
{
    IrPlaceId place = lw_place(lw, operand);
    IrPlaceId before = lw_spill(lw, lw_loc(lw, expr), lw_load(lw, place));
    lw_step(lw, expr, place);
    return lw_load(lw, before);
}

static IrExprId unary_value(Lower *lw, CXCursor expr)
{
    CXCursor operand = lw_operand_of(lw, expr);
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    if (lw_is_null(operand)) return lw_unknown(lw, type);
    if (is_postfix(expr)) return postfix_value(lw, expr, operand);
    switch (clang_getCursorUnaryOperatorKind(expr)) {
    case CXUnaryOperator_AddrOf:
        return address_value(lw, expr, operand);
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return lw_load(lw, lw_assignment(lw, expr));
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return lw_value(lw, operand);
    case CXUnaryOperator_Minus:
        return ir_unary(lw->unit, lw->fn, IR_NEG, lw_value(lw, operand), type);
    case CXUnaryOperator_Not:
        return ir_unary(lw->unit, lw->fn, IR_BITNOT, lw_value(lw, operand), type);
    case CXUnaryOperator_LNot:
        return lw_bool_value(lw, expr);
    case CXUnaryOperator_Deref: {
        bool is_function = ir_type(lw->unit, type)->kind == IR_TY_FUNCTION;
        return is_function ? lw_value(lw, operand) : lw_load(lw, lw_place(lw, expr));
    }
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
        return lw_load(lw, lw_place(lw, expr));
    case CXUnaryOperator_Coawait:
        lw_unsupported(lw, expr, "coroutine");
        break;
    default:
        break;
    }
    lw_effect(lw, operand);
    return lw_unknown(lw, type);
}

// Whether evaluating the expression may emit instructions: then values read before it are kept
// aside.
static bool has_side_effects(Lower *lw, CXCursor expr)
{
    CXCursor core = lw_strip_casts(lw, expr);
    switch (clang_getCursorKind(core)) {
    case CXCursor_CallExpr:
    case CXCursor_StmtExpr:
        return true;
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return lw_is_assignment(core);
    default:
        return false;
    }
}

// `p + i` where p points into an array: the element's address.
static IrExprId pointer_sum(Lower *lw, IrExprId pointer, IrExprId offset, IrType type)
{
    const IrExpr expr = *lw_expr(lw, pointer);
    if (expr.kind == IR_EX_ADDR && lw_place_at(lw, expr.place)->kind == IR_PL_INDEX) {
        IrPlaceId element = lw_index_value(lw, pointer, offset, lw_place_at(lw, expr.place)->type);
        return ir_addr(lw->unit, lw->fn, element, type);
    }
    return ir_binary(lw->unit, lw->fn, IR_ADD, pointer, offset, type);
}

static IrExprId arithmetic(Lower *lw, CXCursor expr, LwCursors parts, IrOperator op)
{
    IrExprId a = lw_value(lw, parts.items[0]);
    CXType result = clang_getCursorType(expr);
    // Arithmetic on a parameter declared as an array is that of a pointer.
    IrType type = lw_is_array(result) ? lw_expr(lw, a)->type : lw_plain_type(lw, result);
    // `next() - next()`: the left value is a call's own temporary; a variable read before a call
    // must not change.
    if (lw_expr(lw, a)->kind == IR_EX_LOAD && has_side_effects(lw, parts.items[1]) &&
        !has_side_effects(lw, parts.items[0])) {
        a = lw_load(lw, lw_spill(lw, lw_loc(lw, parts.items[0]), a));
    }
    IrExprId b = lw_value(lw, parts.items[1]);
    bool is_pointer = ir_type(lw->unit, type)->kind == IR_TY_POINTER;
    if (is_pointer && op == IR_ADD) {
        bool is_swapped = ir_type(lw->unit, lw_expr(lw, a)->type)->kind == IR_TY_INT;
        return is_swapped ? pointer_sum(lw, b, a, type) : pointer_sum(lw, a, b, type);
    }
    if (is_pointer && op == IR_SUB && lw_expr(lw, a)->kind == IR_EX_ADDR)
        return pointer_sum(lw, a, ir_unary(lw->unit, lw->fn, IR_NEG, b, lw_expr(lw, b)->type),
                           type);
    return ir_binary(lw->unit, lw->fn, op, a, b, type);
}

static IrExprId binary_value(Lower *lw, CXCursor expr)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expr);
    LwCursors parts = lw_operands(lw, expr);
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return lw_bool_value(lw, expr);
    if (parts.count != 2) return lw_unknown(lw, type);
    if (kind == CXBinaryOperator_Comma) {
        lw_effect(lw, parts.items[0]);
        return lw_value(lw, parts.items[1]);
    }
    IrOperator op;
    if (binary_operator(kind, &op)) return arithmetic(lw, expr, parts, op);
    if (kind == CXBinaryOperator_PtrMemD || kind == CXBinaryOperator_PtrMemI)
        return lw_load(lw, lw_place(lw, expr));
    lw_effect(lw, parts.items[0]); // <=>
    lw_effect(lw, parts.items[1]);
    return lw_unknown(lw, type);
}

IrExprId lw_operator_value(Lower *lw, CXCursor expr)
{
    if (lw_is_kind(expr, CXCursor_UnaryOperator)) return unary_value(lw, expr);
    if (lw_is_assignment(expr)) return lw_load(lw, lw_assignment(lw, expr));
    return binary_value(lw, expr);
}
