// SPDX-License-Identifier: MIT
// Conversions: clang's implicit nodes (all of one "unexposed" kind, told apart by the types on both
// sides) and written casts, for values and for objects.
#include "tu/tu_lower.h"

#include <string.h>

static bool is_pointer_kind(IrTypeKind kind)
{
    return kind == IR_TY_POINTER || kind == IR_TY_REFERENCE;
}

IrExprId lw_convert(Lower *lw, IrExprId value, CXType to)
{
    IrType type = lw_plain_type(lw, to);
    const IrExpr expr = *lw_expr(lw, value);
    if (expr.type == type) return value;
    IrTypeKind kind = ir_type(lw->unit, type)->kind;
    if (kind == IR_TY_VOID) return value;
    if (expr.kind == IR_EX_UNKNOWN) return lw_unknown(lw, type);
    if (expr.kind == IR_EX_FUNC && kind == IR_TY_POINTER)
        return ir_func(lw->unit, lw->fn, expr.callee, type);
    if (expr.kind == IR_EX_FLOAT && kind == IR_TY_FLOAT) {
        IrExpr same = expr;
        same.type = type;
        return ir_expr(lw->unit, lw->fn, same);
    }
    return ir_cast(lw->unit, lw->fn, value, type);
}

// The pointer to the base subobject of what `pointer` points to; `value` unchanged when the types
// are not related so.
static IrExprId upcast(Lower *lw, IrExprId value, CXType from, CXType to)
{
    CXType derived = lw_pointee(from), base = lw_pointee(to);
    if (!lw_is_record(derived) || !lw_is_record(base) || lw_is_same(derived, base)) return value;
    if (lw_expr(lw, value)->kind == IR_EX_INT) return value;
    LwRecord *record = lw_record(lw, derived);
    if (record == NULL || record->bases.len == 0) return value;
    IrPlaceId object = lw_deref_value(lw, value, lw_plain_type(lw, derived));
    IrPlaceId part = lw_base_place(lw, object, derived, base);
    return part == IR_NONE ? value : lw_address(lw, part);
}

IrExprId lw_decay(Lower *lw, CXCursor array, CXType pointer)
{
    CXCursor core = lw_strip(lw, array);
    if (lw_is_kind(core, CXCursor_StringLiteral))
        return lw_convert(lw, lw_literal(lw, core), pointer);
    IrPlaceId place = lw_place(lw, array);
    // A parameter declared as an array is a pointer, whatever libclang calls its type.
    bool is_pointer = ir_type(lw->unit, lw_place_at(lw, place)->type)->kind == IR_TY_POINTER;
    if (is_pointer) return lw_convert(lw, lw_load(lw, place), pointer);
    IrType element = lw_plain_type(lw, lw_element(clang_getCursorType(array)));
    IrPlaceId first = lw_index(lw, place, lw_const(lw, 0, lw_int_type(lw)), element);
    return ir_addr(lw->unit, lw->fn, first, lw_plain_type(lw, pointer));
}

static bool is_function(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

static bool is_va_list(Lower *lw, CXType type)
{
    if (!lw_is_pointer(type) && !lw_is_array(type)) return false;
    CXType tag = lw_is_array(type) ? clang_getArrayElementType(type) : lw_pointee(type);
    return strstr(tu_str(lw->ctx, clang_getTypeSpelling(tag)), "__va_list_tag") != NULL;
}

// It shows as an implicit conversion of the list to the argument's type.
static bool is_va_arg(Lower *lw, CXCursor expr, CXType to, CXType from)
{
    return lw_is_kind(expr, CXCursor_UnexposedExpr) && is_va_list(lw, from) && !lw_is_bool(to) &&
           !lw_is_record(to) && !is_va_list(lw, to);
}

// One operand under an implicit node or cast.
static IrExprId convert_operand(Lower *lw, CXCursor expr, CXCursor operand)
{
    CXType to = lw_type_of(expr), from = lw_type_of(operand);
    if (is_va_arg(lw, expr, to, from)) {
        lw_effect(lw, operand);
        return lw_unknown(lw, lw_plain_type(lw, to));
    }
    if (lw_is_pointer(to) && lw_is_array(from)) return lw_decay(lw, operand, to);
    if (lw_is_void(to)) {
        lw_effect(lw, operand);
        return lw_unknown(lw, lw_void_type(lw));
    }
    if (lw_is_record(to)) return lw_load(lw, lw_conversion_place(lw, expr));
    IrExprId value = lw_value(lw, operand);
    if (lw_is_same(to, from)) return value;
    if (is_function(from)) return lw_convert(lw, value, to);
    if (lw_is_pointer(to) && lw_is_pointer(from)) {
        IrExprId base = upcast(lw, value, from, to);
        if (base != value) return base;
    }
    bool from_known = from.kind != CXType_Invalid && !is_function(from);
    return from_known || is_pointer_kind(ir_type(lw->unit, lw_plain_type(lw, to))->kind)
               ? lw_convert(lw, value, to)
               : value;
}

// a ?: b shows as {a, condition, a, b}.
static IrExprId elvis(Lower *lw, CXCursor expr, LwCursors parts)
{
    CXType type = lw_type_of(expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrPlaceId result = lw_temp(lw, lw_plain_type(lw, type), loc);
    lw_store_at(lw, result, type, parts.items[0], loc, true);
    IrBlockId other = lw_block(lw), done = lw_block(lw);
    lw_branch(lw, loc, lw_load(lw, result),
              (LwBranch){.yes = done, .no = other, .kind = IR_BR_TERNARY});
    lw_enter(lw, other);
    lw_store_at(lw, result, type, parts.items[3], loc, false);
    lw_jump(lw, loc, done);
    lw_enter(lw, done);
    return lw_load(lw, result);
}

// Atomic builtins and the like: operands are evaluated, what the first points to may change.
static IrExprId builtin_value(Lower *lw, CXCursor expr, LwCursors parts)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    for (uint32_t i = 0; i < parts.count; i++) {
        CXType operand = lw_type_of(parts.items[i]);
        if (i == 0 && lw_is_pointer(operand) && !lw_is_void(lw_pointee(operand))) {
            IrExprId pointer = lw_value(lw, parts.items[i]);
            lw_clobber(lw, lw_loc(lw, expr),
                       lw_deref_value(lw, pointer, lw_plain_type(lw, lw_pointee(operand))));
        } else {
            lw_effect(lw, parts.items[i]);
        }
    }
    return lw_unknown(lw, type);
}

// Nothing inside: offsetof, a value-initialised scalar, a default argument that was reached without
// its call.
static IrExprId childless_value(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    IrType known = lw_plain_type(lw, type);
    int64_t value;
    if (lw_evaluate(expr, &value)) return lw_const(lw, value, known);
    IrTypeKind kind = ir_type(lw->unit, known)->kind;
    bool is_scalar = kind == IR_TY_INT || kind == IR_TY_BOOL || kind == IR_TY_POINTER;
    return is_scalar && !lw_is_synthetic(expr) ? lw_const(lw, 0, known) : lw_unknown(lw, known);
}

IrExprId lw_conversion_value(Lower *lw, CXCursor expr)
{
    if (!lw_is_kind(expr, CXCursor_UnexposedExpr)) {
        CXCursor operand = lw_operand_of(lw, expr);
        if (lw_is_null(operand)) return childless_value(lw, expr);
        lw_sizes(lw, expr, clang_getCursorType(expr), operand);
        return convert_operand(lw, expr, operand);
    }
    LwCursors parts = lw_operands(lw, expr);
    if (parts.count == 0) return childless_value(lw, expr);
    if (parts.count == 1) return convert_operand(lw, expr, parts.items[0]);
    bool repeats = parts.count == 4 && lw_is_same(lw_type_of(parts.items[3]), lw_type_of(expr));
    return repeats ? elvis(lw, expr, parts) : builtin_value(lw, expr, parts);
}

// ---- as objects ---------------------------------------------------------------------------------

// Whether the expression denotes an object rather than a value of its own.
static bool is_glvalue(Lower *lw, CXCursor expr)
{
    (void)lw;
    while (lw_is_kind(expr, CXCursor_ParenExpr)) expr = lw_operand_of(lw, expr);
    switch (clang_getCursorKind(expr)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundAssignOperator:
        return true;
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(expr);
        return op == CXUnaryOperator_Deref || op == CXUnaryOperator_PreInc ||
               op == CXUnaryOperator_PreDec;
    }
    case CXCursor_CallExpr: {
        CXCursor function = clang_getCursorReferenced(expr);
        return lw_is_reference(
            clang_getResultType(clang_getCanonicalType(clang_getCursorType(function))));
    }
    default:
        return false;
    }
}

// An object seen as one of another type: reinterpret_cast<T &>(x), static_cast<Derived &>(base).
static IrPlaceId reinterpret(Lower *lw, CXCursor expr, IrPlaceId place)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    IrExprId pointer = ir_cast(lw->unit, lw->fn, lw_address(lw, place), lw_pointer_to(lw, type));
    return lw_deref_value(lw, pointer, type);
}

IrPlaceId lw_conversion_place(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    if (parts.count == 0) return lw_materialize(lw, expr);
    CXCursor operand = parts.items[parts.count - 1];
    bool is_implicit = lw_is_kind(expr, CXCursor_UnexposedExpr);
    CXType to = lw_type_of(expr), from = lw_type_of(operand);
    if (is_implicit && parts.count > 1)
        return lw_spill(lw, lw_loc(lw, expr), lw_conversion_value(lw, expr));
    if (lw_is_same(to, from)) {
        bool is_object = is_implicit || lw_is_record(to) || is_glvalue(lw, operand);
        return is_object ? lw_place(lw, operand) : lw_materialize(lw, expr);
    }
    if (lw_is_record(to) && lw_is_record(from)) {
        IrPlaceId object = lw_place(lw, operand);
        IrPlaceId part = lw_base_place(lw, object, from, to);
        return part != IR_NONE ? part : reinterpret(lw, expr, object);
    }
    if (lw_is_array(to) && lw_is_array(from)) return lw_place(lw, operand);
    bool is_reference_cast = !is_implicit && is_glvalue(lw, operand);
    if (is_reference_cast) return reinterpret(lw, expr, lw_place(lw, operand));
    return lw_materialize(lw, expr);
}
