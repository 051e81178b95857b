// SPDX-License-Identifier: MIT
// Constructing objects of class type in a place: constructor calls as clang shows them, and what a
// constructor that nobody wrote does.
#include "tu/tu_lower.h"

#include <string.h>

IrPlaceId lw_new_object(Lower *lw, CXType type, SrcLoc loc)
{
    IrVarId var = ir_temp_add(lw->unit, lw->fn, lw_plain_type(lw, type), loc);
    lw_declare(lw, var, loc);
    return ir_place_var(lw->unit, lw->fn, var);
}

static CXCursor strip_object(Lower *lw, CXCursor expr)
{
    for (;;) {
        expr = lw_strip(lw, expr);
        bool is_cast = lw_is_kind(expr, CXCursor_CXXFunctionalCastExpr) ||
                       lw_is_kind(expr, CXCursor_CXXStaticCastExpr) ||
                       lw_is_kind(expr, CXCursor_CStyleCastExpr);
        if (!is_cast) return expr;
        CXCursor inner = lw_operand_of(lw, expr);
        if (lw_is_null(inner)) return expr;
        CXCursor core = lw_strip(lw, inner);
        bool makes_object = lw_is_kind(core, CXCursor_CallExpr) ||
                            lw_is_kind(core, CXCursor_InitListExpr) ||
                            lw_is_kind(core, CXCursor_CXXFunctionalCastExpr);
        if (!makes_object || !lw_is_same(lw_type_of(inner), lw_type_of(expr))) return expr;
        expr = inner;
    }
}

bool lw_is_prvalue(Lower *lw, CXCursor expr)
{
    expr = strip_object(lw, expr);
    switch (clang_getCursorKind(expr)) {
    case CXCursor_InitListExpr:
    case CXCursor_LambdaExpr:
        return true;
    case CXCursor_CallExpr: {
        CXCursor function = clang_getCursorReferenced(expr);
        if (lw_is_kind(function, CXCursor_Constructor)) return true;
        CXType type = clang_getCanonicalType(clang_getCursorType(function));
        if (lw_is_pointer(type)) type = clang_getCanonicalType(clang_getPointeeType(type));
        CXType result = clang_getResultType(type);
        return result.kind != CXType_Invalid && !lw_is_reference(result);
    }
    case CXCursor_ConditionalOperator: {
        LwCursors parts = lw_operands(lw, expr);
        return parts.count == 3 && lw_is_prvalue(lw, parts.items[1]) &&
               lw_is_prvalue(lw, parts.items[2]);
    }
    default:
        return false;
    }
}

static void call_constructor(Lower *lw, IrPlaceId dst, CXCursor call, CXCursor constructor)
{
    SrcLoc loc = lw_loc(lw, call);
    CXType type = clang_getCanonicalType(clang_getCursorType(constructor));
    int count = clang_Cursor_getNumArguments(call);
    uint32_t arg_count = count < 0 ? 0 : (uint32_t)count;
    IrCall *made = lw_call_new(lw, lw_callee(lw, constructor), arg_count + 1);
    for (uint32_t i = 0; i < arg_count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, i);
        CXType parameter = clang_getArgType(type, i);
        SrcLoc pinned = lw->pinned;
        if (lw_is_synthetic(argument)) {
            lw->pinned = loc;
            argument = lw_call_argument(lw, call, i);
        }
        made->args[i + 1] = lw_is_null(argument) ? lw_unknown(lw, lw_plain_type(lw, parameter))
                                                 : lw_argument(lw, argument, parameter);
        lw->pinned = pinned;
    }
    made->args[0] = lw_address(lw, dst);
    lw_emit_call(lw, loc, made);
}

static void construct_copy(Lower *lw, IrPlaceId dst, CXType type, CXCursor call)
{
    CXCursor constructor = clang_getCursorReferenced(call);
    CXCursor source = clang_Cursor_getArgument(call, 0);
    // A copy of a temporary is the temporary (C++17 says so, earlier compilers do so).
    if (lw_is_prvalue(lw, source) && lw_is_same(lw_type_of(source), lw_canonical(type))) {
        lw_init(lw, dst, type, source);
        return;
    }
    bool is_opaque = lw_record_kind(lw, type) == IR_REC_STD && lw_needs_destroy(lw, type);
    if (is_opaque || !clang_CXXMethod_isDefaulted(constructor)) {
        call_constructor(lw, dst, call, constructor);
        return;
    }
    bool is_move = clang_CXXConstructor_isMoveConstructor(constructor) != 0;
    lw_copy(lw, dst, lw_place(lw, source), type, is_move, false, lw_loc(lw, call));
}

// `T()` and `T{}` zero an object whose constructor nobody wrote before it runs; `T x;` does not.
static bool zeroes_first(Lower *lw, CXCursor call)
{
    CXSourceRange range = clang_getCursorExtent(call);
    CXFile file;
    unsigned end;
    clang_getSpellingLocation(clang_getRangeEnd(range), &file, NULL, NULL, &end);
    size_t len = 0;
    const char *text = tu_file_text(lw->ctx, file, &len);
    return text != NULL && end > 0 && end <= len && (text[end - 1] == ')' || text[end - 1] == '}');
}

void lw_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call)
{
    CXCursor constructor = clang_getCursorReferenced(call);
    while (lw_is_array(type)) {
        type = lw_element(type);
        dst = lw_index(lw, dst, IR_NONE, lw_plain_type(lw, type));
    }
    if (lw_is_unique_ptr(lw, type)) {
        lw_unique_construct(lw, dst, type, call);
        return;
    }
    if (clang_CXXConstructor_isCopyConstructor(constructor) ||
        clang_CXXConstructor_isMoveConstructor(constructor)) {
        construct_copy(lw, dst, type, call);
        return;
    }
    bool is_std = lw_record_kind(lw, type) == IR_REC_STD;
    bool is_default =
        clang_Cursor_getNumArguments(call) == 0 && clang_CXXMethod_isDefaulted(constructor);
    if (is_default && (!is_std || !lw_needs_destroy(lw, type))) {
        if (zeroes_first(lw, call)) lw_zero(lw, dst, type, lw_loc(lw, call));
        lw_default_construct(lw, dst, type, lw_loc(lw, call));
        return;
    }
    if (!lw_tuple_construct(lw, dst, type, call)) call_constructor(lw, dst, call, constructor);
}

static void default_field(Lower *lw, IrPlaceId object, LwField field, SrcLoc loc)
{
    IrPlaceId place = lw_field(lw, object, field.name, lw_plain_type(lw, field.type));
    CXCursor init = lw_field_init(lw, field.decl);
    SrcLoc pinned = lw->pinned;
    LwCleanup *scope = lw->top;
    lw->pinned = loc; // the default stands in the class, it is used here
    if (!lw_is_null(init)) lw_init(lw, place, field.type, init);
    lw_leave(lw, scope, loc);
    lw->pinned = pinned;
    if (lw_is_null(init)) lw_default_construct(lw, place, field.type, loc);
    lw_push_object(lw, place, field.type);
}

static void call_default_constructor(Lower *lw, IrPlaceId dst, CXCursor constructor, SrcLoc loc)
{
    int count = clang_Cursor_getNumArguments(constructor);
    uint32_t arg_count = count < 0 ? 0 : (uint32_t)count;
    CXType type = clang_getCanonicalType(clang_getCursorType(constructor));
    IrCall *call = lw_call_new(lw, lw_callee(lw, constructor), arg_count + 1);
    SrcLoc pinned = lw->pinned;
    lw->pinned = loc;
    for (uint32_t i = 0; i < arg_count; i++)
        call->args[i + 1] =
            lw_argument(lw, lw_default_argument(constructor, i), clang_getArgType(type, i));
    lw->pinned = pinned;
    call->args[0] = lw_address(lw, dst);
    call->is_implicit = true;
    lw_emit_call(lw, loc, call);
}

void lw_default_construct(Lower *lw, IrPlaceId dst, CXType type, SrcLoc loc)
{
    while (lw_is_array(type)) {
        type = lw_element(type);
        dst = lw_index(lw, dst, IR_NONE, lw_plain_type(lw, type));
    }
    LwRecord *record = lw_record(lw, type);
    if (record == NULL) return;
    IrRecordKind kind = lw_record_kind(lw, type);
    if (kind == IR_REC_UNIQUE_PTR) {
        IrPlaceId pointer = lw_unique_ptr(lw, dst, type);
        lw_initialize(lw, loc, pointer, lw_const(lw, 0, lw_place_at(lw, pointer)->type));
        return;
    }
    CXCursor written = lw_find_default_constructor(lw, record);
    if (!lw_is_null(written)) {
        call_default_constructor(lw, dst, written, loc);
        return;
    }
    if (kind == IR_REC_STD || lw->unit->records.items[lw_record_id(lw, type)].is_union) return;
    LwCleanup *scope = lw->top;
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField base = record->bases.items[i];
        IrPlaceId place = lw_field(lw, dst, base.name, lw_plain_type(lw, base.type));
        lw_default_construct(lw, place, base.type, loc);
        lw_push_object(lw, place, base.type); // an exception in what follows destroys it
    }
    for (uint32_t i = 0; i < record->fields.len; i++)
        default_field(lw, dst, record->fields.items[i], loc);
    lw->top = scope;
}
