// SPDX-License-Identifier: MIT
// Calls: functions, methods, operators, function pointers. Standard helpers, unique_ptr, lambdas
// and kernel launches are asked first whether the call is theirs.
#include "tu/tu_lower.h"

#include <string.h>

// The callee expression: the child that is no argument. Of a method call that is the member
// reference.
static CXCursor callee_expression(Lower *lw, CXCursor call)
{
    LwCursors parts = lw_operands(lw, call);
    return parts.count == 0 ? clang_getNullCursor() : parts.items[0];
}

static bool is_method_kind(CXCursor function)
{
    enum CXCursorKind kind = clang_getCursorKind(function);
    bool is_member = kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction ||
                     kind == CXCursor_Destructor;
    return is_member && !clang_CXXMethod_isStatic(function);
}

// An operator written as such: its object is argument 0, not part of a member reference.
static bool is_operator_syntax(Lower *lw, CXCursor call)
{
    CXCursor callee = lw_strip(lw, callee_expression(lw, call));
    return !lw_is_kind(callee, CXCursor_MemberRefExpr) ||
           !str_starts_with(lw_spelling(lw, callee), "operator") ||
           clang_Cursor_getNumArguments(call) >
               clang_Cursor_getNumArguments(clang_getCursorReferenced(call));
}

static bool takes_object_as_argument(Lower *lw, CXCursor call, CXCursor function)
{
    if (!is_method_kind(function)) return false;
    return clang_Cursor_getNumArguments(call) == clang_Cursor_getNumArguments(function) + 1 &&
           is_operator_syntax(lw, call);
}

typedef struct {
    IrPlaceId place;
    bool is_indirect; // through a pointer or reference: its dynamic type may differ
} CallObject;

static CallObject object_of(Lower *lw, CXCursor base, CXType owner)
{
    CallObject out = {.place = IR_NONE, .is_indirect = true};
    CXType type;
    if (lw_is_null(base)) {
        type = lw_this_type(lw);
        out.place = lw_this(lw);
        if (out.place == IR_NONE) return out;
    } else {
        type = lw_type_of(base);
        if (lw_is_pointer(type)) {
            type = lw_pointee(type);
            out.place = lw_deref_value(lw, lw_value(lw, base), lw_plain_type(lw, type));
        } else {
            out.place = lw_place(lw, base);
        }
    }
    out.is_indirect = lw_place_at(lw, out.place)->kind == IR_PL_DEREF;
    IrPlaceId part = lw_base_place(lw, out.place, type, owner);
    if (part != IR_NONE) out.place = part;
    return out;
}

static CallObject call_object(Lower *lw, CXCursor call, CXCursor function)
{
    CXType owner = lw_type_of(clang_getCursorSemanticParent(function));
    if (takes_object_as_argument(lw, call, function))
        return object_of(lw, clang_Cursor_getArgument(call, 0), owner);
    CXCursor callee = callee_expression(lw, call);
    while (lw_is_kind(callee, CXCursor_ParenExpr) || lw_is_kind(callee, CXCursor_UnexposedExpr))
        callee = lw_operand_of(lw, callee);
    if (!lw_is_kind(callee, CXCursor_MemberRefExpr)) return (CallObject){.place = IR_NONE};
    return object_of(lw, lw_operand_of(lw, callee), owner);
}

IrPlaceId lw_call_object(Lower *lw, CXCursor call)
{
    return call_object(lw, call, clang_getCursorReferenced(call)).place;
}

// `Base::f()` names the class: not dispatched.
static enum CXChildVisitResult see_qualifier(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (lw_is_kind(cursor, CXCursor_TypeRef)) *(bool *)data = true;
    return CXChildVisit_Continue;
}

static bool is_qualified(Lower *lw, CXCursor call)
{
    bool found = false;
    CXCursor callee = lw_strip(lw, callee_expression(lw, call));
    if (!lw_is_null(callee)) clang_visitChildren(callee, see_qualifier, &found);
    return found;
}

LwOperand lw_call_finish(Lower *lw, SrcLoc loc, IrCall *call, CXType result, IrPlaceId dst,
                         bool is_dropped)
{
    LwOperand out = {.value = IR_NONE, .place = IR_NONE};
    bool is_reference = lw_is_reference(result);
    bool is_record = lw_is_record(result);
    bool is_void = result.kind == CXType_Invalid || lw_is_void(result);
    if (is_void || (is_dropped && dst == IR_NONE && !(is_record && lw_needs_destroy(lw, result)))) {
        lw_emit_call(lw, loc, call);
        return out;
    }
    IrType type = lw_plain_type(lw, result);
    if (!is_reference && dst != IR_NONE && lw_place_at(lw, dst)->type == type) {
        call->dst = dst;
        lw_emit_call(lw, loc, call);
        out.place = dst;
        return out;
    }
    if (is_record) {
        IrPlaceId object = lw_new_object(lw, result, loc);
        call->dst = object;
        lw_emit_call(lw, loc, call);
        lw_push_var(lw, lw_place_at(lw, object)->var, result);
        out.place = object;
        return out;
    }
    call->dst = lw_temp(lw, type, loc);
    lw_emit_call(lw, loc, call);
    out.place =
        is_reference ? lw_deref(lw, call->dst, lw_plain_type(lw, lw_pointee(result))) : call->dst;
    return out;
}

// Arguments from `first` on; the parameters' types come from the function type.
static void lower_arguments(Lower *lw, CXCursor call, CXType type, uint32_t first, IrExprId *args)
{
    int count = clang_Cursor_getNumArguments(call);
    SrcLoc loc = lw_loc(lw, call);
    int parameters = clang_getNumArgTypes(type);
    for (uint32_t i = first; (int)i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, i);
        CXType none = {.kind = CXType_Invalid};
        uint32_t index = i - first;
        CXType parameter = (int)index < parameters ? clang_getArgType(type, index) : none;
        SrcLoc pinned = lw->pinned;
        if (lw_is_synthetic(argument)) {
            lw->pinned = loc;
            argument = lw_call_argument(lw, call, i);
        }
        args[index] = lw_argument(lw, argument, parameter);
        lw->pinned = pinned;
    }
}

static CXType function_type(CXType type)
{
    type = clang_getCanonicalType(type);
    while (lw_is_pointer(type) || lw_is_reference(type))
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return type;
}

static IrExprId called_value(Lower *lw, CXCursor callee)
{
    CXCursor function = lw_constant_function(lw, callee);
    if (lw_is_null(function)) return lw_value(lw, callee);
    CXType type = clang_getCursorType(callee);
    return ir_func(lw->unit, lw->fn, lw_callee(lw, function), lw_plain_type(lw, type));
}

static LwOperand indirect_call(Lower *lw, CXCursor call, IrPlaceId dst, bool is_dropped)
{
    CXCursor callee = callee_expression(lw, call);
    CXType type = function_type(clang_getCursorType(callee));
    bool is_function = type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
    IrExprId target = lw_is_null(callee) || !is_function ? IR_NONE : called_value(lw, callee);
    if (target == IR_NONE) {
        // Through a pointer to member, or something that did not resolve.
        if (!lw_is_null(callee)) lw_effect(lw, lw_strip(lw, callee));
        target = lw_unknown(lw, lw_void_pointer(lw));
    }
    int count = clang_Cursor_getNumArguments(call);
    IrCall *made = lw_call_new(lw, IR_NONE, count < 0 ? 0 : (uint32_t)count);
    lower_arguments(lw, call, type, 0, made->args);
    if (lw_expr(lw, target)->kind == IR_EX_FUNC)
        made->callee = lw_expr(lw, target)->callee;
    else
        made->target = target;
    CXType result = is_function ? clang_getResultType(type) : clang_getCursorType(call);
    return lw_call_finish(lw, lw_loc(lw, call), made, result, dst, is_dropped);
}

// `T(a, b)` or `T{a, b}` in a template, T unknown until it is instantiated: clang tells no arguments
// of it. Whatever it makes may keep them.
static LwOperand dependent_construction(Lower *lw, CXCursor call, IrPlaceId dst, bool is_dropped)
{
    LwCursors parts = lw_operands(lw, call);
    if (parts.count == 1 && lw_is_kind(parts.items[0], CXCursor_InitListExpr))
        parts = lw_operands(lw, parts.items[0]);
    IrCall *made = lw_call_new(lw, IR_NONE, (uint32_t)parts.count);
    CXType unknown = {.kind = CXType_Invalid};
    for (uint32_t i = 0; i < parts.count; i++)
        made->args[i] = lw_argument(lw, parts.items[i], unknown);
    made->target = lw_unknown(lw, lw_void_pointer(lw));
    return lw_call_finish(lw, lw_loc(lw, call), made, clang_getCursorType(call), dst, is_dropped);
}

static LwOperand direct_call(Lower *lw, CXCursor call, CXCursor function, IrPlaceId dst,
                             bool is_dropped)
{
    CXType type = function_type(clang_getCursorType(function));
    int count = clang_Cursor_getNumArguments(call);
    uint32_t given = count < 0 ? 0 : (uint32_t)count;
    bool is_method = is_method_kind(function);
    bool object_is_argument = is_method && takes_object_as_argument(lw, call, function);
    uint32_t shift = is_method ? 1 : 0, first = object_is_argument ? 1 : 0;
    IrCalleeId callee = lw_callee(lw, function);
    IrCall *made = lw_call_new(lw, callee, given - first + shift);
    CallObject object = {.place = IR_NONE};
    if (is_method) object = call_object(lw, call, function);
    lower_arguments(lw, call, type, first, made->args + shift);
    if (is_method) {
        made->args[0] = object.place == IR_NONE ? lw_unknown(lw, lw_void_pointer(lw))
                                                : lw_address(lw, object.place);
        made->is_virtual =
            lw_callee_at(lw, callee)->is_virtual && object.is_indirect && !is_qualified(lw, call);
    }
    CXType result = clang_getResultType(type);
    if (result.kind == CXType_Invalid) result = clang_getCursorType(call);
    return lw_call_finish(lw, lw_loc(lw, call), made, result, dst, is_dropped);
}

// A class whose assignment nobody wrote.
static bool default_assignment(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    bool is_copy = clang_CXXMethod_isCopyAssignmentOperator(function),
         is_move = clang_CXXMethod_isMoveAssignmentOperator(function);
    if (!is_copy && !is_move) return false;
    CXType type = lw_type_of(clang_getCursorSemanticParent(function));
    if (!clang_CXXMethod_isDefaulted(function) || lw_is_unique_ptr(lw, type)) return false;
    bool is_opaque = lw_record_kind(lw, type) == IR_REC_STD && lw_needs_destroy(lw, type);
    if (is_opaque || !takes_object_as_argument(lw, call, function)) return false;
    IrPlaceId src = lw_place(lw, clang_Cursor_getArgument(call, 1));
    IrPlaceId dst = lw_place(lw, clang_Cursor_getArgument(call, 0));
    lw_copy(lw, dst, src, type, is_move, true, lw_loc(lw, call));
    result->place = dst;
    return true;
}

// `p->~T()` of a type without a destructor of its own, and destructors called by name.
static bool destructor_call(Lower *lw, CXCursor call, CXCursor function)
{
    if (!lw_is_kind(function, CXCursor_Destructor)) return false;
    IrPlaceId object = lw_call_object(lw, call);
    if (object != IR_NONE)
        lw_destroy(lw, object, lw_type_of(clang_getCursorSemanticParent(function)),
                   lw_loc(lw, call));
    return true;
}

static LwOperand constructed(Lower *lw, CXCursor call, IrPlaceId dst)
{
    CXType type = lw_type_of(call);
    LwOperand out = {.value = IR_NONE, .place = dst};
    if (dst != IR_NONE) {
        lw_construct(lw, dst, type, call);
        return out;
    }
    SrcLoc loc = lw_loc(lw, call);
    out.place = lw_new_object(lw, type, loc);
    lw_construct(lw, out.place, type, call);
    lw_push_var(lw, lw_place_at(lw, out.place)->var, type);
    return out;
}

static bool is_range_dereference(Lower *lw, CXCursor call, CXCursor function)
{
    return lw->range_element != IR_NONE && strcmp(lw_spelling(lw, function), "operator*") == 0 &&
           clang_Cursor_getNumArguments(call) == 1 &&
           lw_is_range_iterator(lw, lw_strip_casts(lw, clang_Cursor_getArgument(call, 0)));
}

LwOperand lw_call(Lower *lw, CXCursor call, IrPlaceId dst, bool is_dropped)
{
    LwOperand out = {.value = IR_NONE, .place = IR_NONE};
    CXCursor copied = lw_strip(lw, call);
    if (!clang_equalCursors(copied, call)) {
        out.place = lw_place(lw, copied); // an elided copy
        return out;
    }
    CXCursor function = clang_getCursorReferenced(call);
    SrcLoc outer = lw->loc;
    lw->loc = lw_loc(lw, call);
    enum CXCursorKind kind = clang_getCursorKind(function);
    bool is_function = kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
                       kind == CXCursor_ConversionFunction || kind == CXCursor_Destructor;
    if (kind == CXCursor_Constructor) {
        out = constructed(lw, call, dst);
    } else if (lw_launch(lw, call)) {
        // nothing comes back
    } else if (is_function && is_range_dereference(lw, call, function)) {
        out.place = lw->range_element;
    } else if (is_function &&
               (lw_std_call(lw, call, function, &out) || lw_unique_call(lw, call, function, &out) ||
                lw_tuple_call(lw, call, function, dst, &out) ||
                lw_emplace_call(lw, call, function, dst, &out) ||
                lw_lambda_call(lw, call, dst, &out) ||
                default_assignment(lw, call, function, &out) ||
                destructor_call(lw, call, function))) {
        // done
    } else if (is_function) {
        out = direct_call(lw, call, function, dst, is_dropped);
    } else if (clang_Cursor_getNumArguments(call) < 0) {
        out = dependent_construction(lw, call, dst, is_dropped);
    } else {
        out = indirect_call(lw, call, dst, is_dropped);
    }
    lw->loc = outer;
    return out;
}
