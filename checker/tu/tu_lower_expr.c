// SPDX-License-Identifier: MIT
// Expressions: the dispatch over clang's expression kinds, in the three ways an expression is used:
// for its value, as an object, and for its side effects only. Side effects become instructions in
// the order of evaluation; what remains is a pure expression or a place.
#include "tu/tu_lower.h"

IrExprId lw_operand_value(Lower *lw, LwOperand operand)
{
    if (operand.value != IR_NONE) return operand.value;
    if (operand.place != IR_NONE) return lw_load(lw, operand.place);
    return lw_unknown(lw, lw_void_type(lw));
}

static IrExprId value_of_call(Lower *lw, CXCursor expr)
{
    return lw_operand_value(lw, lw_call(lw, expr, IR_NONE, false));
}

static IrExprId value_of_place(Lower *lw, CXCursor expr)
{
    return lw_load(lw, lw_place(lw, expr));
}

// An expression that is known to be evaluated and nothing else.
static IrExprId opaque_value(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    for (uint32_t i = 0; i < parts.count; i++) lw_effect(lw, parts.items[i]);
    return lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr)));
}

// A constant that clang computes: sizeof..., noexcept(...), type traits, concepts.
static IrExprId constant_value(Lower *lw, CXCursor expr)
{
    int64_t value;
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    return lw_evaluate(expr, &value) ? lw_const(lw, value, type) : lw_unknown(lw, type);
}

// `_Generic`: the association whose type is that of the whole.
static IrExprId generic_value(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    for (uint32_t i = 1; i < parts.count; i++)
        if (lw_is_same(lw_type_of(parts.items[i]), lw_type_of(expr)))
            return lw_value(lw, parts.items[i]);
    return lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr)));
}

static IrExprId this_value(Lower *lw, CXCursor expr)
{
    IrPlaceId object = lw_this(lw);
    if (object == IR_NONE) return lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr)));
    return lw_address(lw, object);
}

static IrExprId label_address(Lower *lw, CXCursor expr)
{
    lw_unsupported(lw, expr, "address of a label");
    return lw_unknown(lw, lw_void_pointer(lw));
}

// `int{x}`, `{}` for a scalar.
static IrExprId value_of_list(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    if (lw_is_record(type) || lw_is_array(type)) return value_of_place(lw, expr);
    CXCursor element = lw_operand_of(lw, expr);
    if (!lw_is_null(element)) return lw_convert(lw, lw_value(lw, element), type);
    return lw_zero_value(lw, lw_plain_type(lw, type));
}

static IrExprId value_of(Lower *lw, CXCursor expr)
{
    switch (clang_getCursorKind(expr)) { /* dispatch */
    case CXCursor_ParenExpr:
        return lw_value(lw, lw_operand_of(lw, expr));
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXAddrspaceCastExpr:
    case CXCursor_BuiltinBitCastExpr:
        return lw_conversion_value(lw, expr);
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return lw_decl_value(lw, expr);
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundLiteralExpr:
        return value_of_place(lw, expr);
    case CXCursor_InitListExpr:
        return value_of_list(lw, expr);
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return lw_operator_value(lw, expr);
    case CXCursor_ConditionalOperator:
        return lw_choice_value(lw, expr);
    case CXCursor_CallExpr:
        return value_of_call(lw, expr);
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_ImaginaryLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_FixedPointLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return lw_literal(lw, expr);
    case CXCursor_UnaryExpr:
        return lw_sizeof(lw, expr);
    case CXCursor_SizeOfPackExpr:
    case CXCursor_ConceptSpecializationExpr:
    case CXCursor_RequiresExpr:
        return constant_value(lw, expr);
    case CXCursor_StmtExpr:
        return lw_statement_value(lw, expr);
    case CXCursor_LambdaExpr:
        return lw_lambda_value(lw, expr);
    case CXCursor_CXXThisExpr:
        return this_value(lw, expr);
    case CXCursor_CXXNewExpr:
        return lw_new(lw, expr);
    case CXCursor_CXXDeleteExpr:
        lw_delete(lw, expr);
        return lw_unknown(lw, lw_void_type(lw));
    case CXCursor_CXXThrowExpr:
        lw_throw(lw, expr);
        return lw_unknown(lw, lw_void_type(lw));
    case CXCursor_GenericSelectionExpr:
        return generic_value(lw, expr);
    case CXCursor_AddrLabelExpr:
        return label_address(lw, expr);
    case CXCursor_CXXTypeidExpr:
    case CXCursor_PackExpansionExpr:
    case CXCursor_PackIndexingExpr:
    case CXCursor_CXXParenListInitExpr:
        return opaque_value(lw, expr);
    default:
        break;
    }
    CXString kind = clang_getCursorKindSpelling(clang_getCursorKind(expr));
    lw_unsupported(lw, expr, clang_getCString(kind));
    clang_disposeString(kind);
    return lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr)));
}

// Code nested deeper than this is given up rather than left to overflow the stack.
enum { MAX_DEPTH = 12000 };

bool lw_descend(Lower *lw, CXCursor cursor)
{
    if (lw->depth >= MAX_DEPTH) {
        lw_unsupported(lw, cursor, "code nested too deeply");
        return false;
    }
    lw->depth++;
    return true;
}

IrExprId lw_value(Lower *lw, CXCursor expr)
{
    if (!lw_descend(lw, expr)) return lw_unknown(lw, lw_plain_type(lw, clang_getCursorType(expr)));
    IrExprId value = value_of(lw, expr);
    lw->depth--;
    return value;
}

IrPlaceId lw_materialize(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    SrcLoc loc = lw_loc(lw, expr);
    if (lw_is_record(type) || lw_is_array(type)) {
        IrPlaceId object = lw_new_object(lw, type, loc);
        // libclang shows some expressions (expanded packs) with no parts: what they make is not known.
        CXCursor outer = lw->making;
        if (clang_equalCursors(expr, outer)) {
            lw_clobber(lw, loc, object);
            return object;
        }
        lw->making = expr;
        lw_init(lw, object, type, expr);
        lw->making = outer;
        lw_push_var(lw, lw_place_at(lw, object)->var, type);
        return object;
    }
    IrExprId value = lw_value(lw, expr);
    IrPlaceId temp = lw_temp(lw, lw_plain_type(lw, type), loc);
    lw_initialize(lw, loc, temp, value);
    return temp;
}

static IrPlaceId place_of_call(Lower *lw, CXCursor expr)
{
    LwOperand result = lw_call(lw, expr, IR_NONE, false);
    return result.place != IR_NONE ? result.place
                                   : lw_spill(lw, lw_loc(lw, expr), lw_operand_value(lw, result));
}

static IrPlaceId place_of_subscript(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    CXType type = lw_type_of(expr);
    if (parts.count != 2) return lw_materialize(lw, expr);
    bool is_swapped = !lw_is_pointer(clang_getCursorType(parts.items[0])) &&
                      lw_is_pointer(clang_getCursorType(parts.items[1])); // 2[p]
    IrExprId pointer = lw_value(lw, parts.items[is_swapped ? 1 : 0]);
    IrExprId index = lw_value(lw, parts.items[is_swapped ? 0 : 1]);
    return lw_index_value(lw, pointer, index, lw_plain_type(lw, type));
}

IrPlaceId lw_unknown_place(Lower *lw, CXCursor expr)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    LwCursors parts = lw_operands(lw, expr);
    for (uint32_t i = 0; i < parts.count; i++) lw_effect(lw, parts.items[i]);
    IrExprId pointer = lw_unknown(lw, lw_pointer_to(lw, type));
    return lw_deref(lw, lw_spill(lw, lw_loc(lw, expr), pointer), type);
}

static IrPlaceId place_of_unary(Lower *lw, CXCursor expr)
{
    CXCursor operand = lw_operand_of(lw, expr);
    switch (clang_getCursorUnaryOperatorKind(expr)) {
    case CXUnaryOperator_Deref:
        if (!lw_is_pointer(clang_getCursorType(operand))) return lw_unknown_place(lw, expr);
        return lw_deref_value(lw, lw_value(lw, operand),
                              lw_plain_type(lw, clang_getCursorType(expr)));
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return lw_assignment(lw, expr);
    case CXUnaryOperator_Extension:
        return lw_place(lw, operand);
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
        return lw_index(lw, lw_place(lw, operand), IR_NONE,
                        lw_plain_type(lw, clang_getCursorType(expr)));
    default:
        return lw_materialize(lw, expr);
    }
}

static IrPlaceId place_of_binary(Lower *lw, CXCursor expr)
{
    if (lw_is_assignment(expr)) return lw_assignment(lw, expr);
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(expr);
    LwCursors parts = lw_operands(lw, expr);
    if (op == CXBinaryOperator_Comma && parts.count == 2) {
        lw_effect(lw, parts.items[0]);
        return lw_place(lw, parts.items[1]);
    }
    if (op == CXBinaryOperator_PtrMemD || op == CXBinaryOperator_PtrMemI)
        return lw_unknown_place(lw, expr);
    return lw_materialize(lw, expr);
}

// `(T){...}` lives as long as the block around it.
static IrPlaceId place_of_compound_literal(Lower *lw, CXCursor expr)
{
    CXType type = lw_type_of(expr);
    bool is_object = lw_is_record(type) || lw_is_array(type);
    if (!is_object || lw_needs_destroy(lw, type)) return lw_materialize(lw, expr);
    IrPlaceId object = lw_new_object(lw, type, lw_loc(lw, expr));
    lw_init(lw, object, type, expr);
    return object;
}

static IrPlaceId place_of(Lower *lw, CXCursor expr)
{
    switch (clang_getCursorKind(expr)) {
    case CXCursor_ParenExpr:
        return lw_place(lw, lw_operand_of(lw, expr));
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return lw_conversion_place(lw, expr);
    case CXCursor_DeclRefExpr:
        return lw_decl_place(lw, expr);
    case CXCursor_MemberRefExpr:
        return lw_member_place(lw, expr);
    case CXCursor_ArraySubscriptExpr:
        return place_of_subscript(lw, expr);
    case CXCursor_UnaryOperator:
        return place_of_unary(lw, expr);
    case CXCursor_BinaryOperator:
        return place_of_binary(lw, expr);
    case CXCursor_CompoundAssignOperator:
        return lw_assignment(lw, expr);
    case CXCursor_ConditionalOperator:
        return lw_choice_place(lw, expr);
    case CXCursor_CallExpr:
        return place_of_call(lw, expr);
    case CXCursor_CompoundLiteralExpr:
        return place_of_compound_literal(lw, expr);
    default:
        return lw_materialize(lw, expr);
    }
}

IrPlaceId lw_place(Lower *lw, CXCursor expr)
{
    if (!lw_descend(lw, expr))
        return lw_temp(lw, lw_plain_type(lw, clang_getCursorType(expr)), lw->loc);
    IrPlaceId place = place_of(lw, expr);
    lw->depth--;
    return place;
}

static void effect_of_operator(Lower *lw, CXCursor expr)
{
    if (lw_is_assignment(expr)) {
        lw_assignment(lw, expr);
        return;
    }
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(expr);
    if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        IrBlockId done = lw_block(lw);
        lw_cond(lw, expr, (LwBranch){.yes = done, .no = done, .kind = IR_BR_LOGICAL});
        lw_enter(lw, done);
        return;
    }
    LwCursors parts = lw_operands(lw, expr);
    for (uint32_t i = 0; i < parts.count; i++) lw_effect(lw, parts.items[i]);
}

void lw_effect(Lower *lw, CXCursor expr)
{
    LwCursors parts;
    switch (clang_getCursorKind(expr)) {
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr: {
        CXCursor operand = lw_operand_of(lw, expr);
        if (!lw_is_null(operand)) lw_effect(lw, operand);
        return;
    }
    case CXCursor_UnexposedExpr:
        parts = lw_operands(lw, expr);
        if (parts.count == 1)
            lw_effect(lw, parts.items[0]);
        else if (parts.count > 1)
            lw_value(lw, expr);
        return;
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        effect_of_operator(lw, expr);
        return;
    case CXCursor_ConditionalOperator:
        lw_choice_effect(lw, expr);
        return;
    case CXCursor_CallExpr:
        lw_call(lw, expr, IR_NONE, true);
        return;
    case CXCursor_DeclRefExpr:
        return;
    case CXCursor_InitListExpr:
        parts = lw_operands(lw, expr);
        for (uint32_t i = 0; i < parts.count; i++) lw_effect(lw, parts.items[i]);
        return;
    default:
        lw_value(lw, expr);
        return;
    }
}

void lw_full_effect(Lower *lw, CXCursor expr)
{
    LwCleanup *scope = lw->top;
    lw->loc = lw_loc(lw, expr);
    lw_effect(lw, expr);
    lw_leave(lw, scope, lw->loc);
}
