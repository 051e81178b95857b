// SPDX-License-Identifier: MIT
// Arguments of calls: passed by value, by reference, or left to a default.
#include "tu/tu_lower.h"

typedef struct {
    CXCursor last;
} LastExpression;

static enum CXChildVisitResult see_expression(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_isExpression(clang_getCursorKind(cursor))) ((LastExpression *)data)->last = cursor;
    return CXChildVisit_Continue;
}

static CXCursor default_of(CXCursor function, uint32_t index)
{
    CXCursor parameter = clang_Cursor_getArgument(function, index);
    LastExpression out = {.last = clang_getNullCursor()};
    if (lw_is_null(parameter)) return out.last;
    CXCursor init = clang_Cursor_getVarDeclInitializer(parameter);
    if (!lw_is_null(init)) return init;
    clang_visitChildren(parameter, see_expression, &out);
    bool is_bound = lw_is_array(clang_getCursorType(parameter)); // `int a[3]`: the bound
    return is_bound ? clang_getNullCursor() : out.last;
}

CXCursor lw_default_argument(CXCursor function, uint32_t index)
{
    CXCursor found = default_of(function, index);
    // Defaults may stand on another declaration, or in the template.
    if (lw_is_null(found)) found = default_of(clang_getCanonicalCursor(function), index);
    if (lw_is_null(found)) {
        CXCursor pattern = clang_getSpecializedCursorTemplate(function);
        if (!lw_is_null(pattern)) found = default_of(pattern, index);
    }
    return found;
}

CXCursor lw_call_argument(Lower *lw, CXCursor call, uint32_t index)
{
    (void)lw;
    CXCursor argument = clang_Cursor_getArgument(call, index);
    if (!lw_is_synthetic(argument)) return argument;
    LwCursors inner = lw_operands(lw, argument);
    if (inner.count > 0) return argument;
    CXCursor function = clang_getCursorReferenced(call);
    // An operator's first argument is its object, which is no parameter.
    bool is_operator =
        lw_is_kind(function, CXCursor_CXXMethod) && !clang_CXXMethod_isStatic(function) &&
        clang_Cursor_getNumArguments(call) == clang_Cursor_getNumArguments(function) + 1;
    uint32_t parameter = is_operator && index > 0 ? index - 1 : index;
    CXCursor found = lw_default_argument(function, parameter);
    CXType type = clang_getCanonicalType(
        clang_getArgType(clang_getCanonicalType(clang_getCursorType(function)), parameter));
    // Allocators and the like: nobody asks what they are.
    bool is_noise = !tu_is_user_code(function) && (lw_is_record(type) || lw_is_reference(type));
    return is_noise ? clang_getNullCursor() : found;
}

static IrExprId record_argument(Lower *lw, CXCursor argument, CXType type)
{
    SrcLoc loc = lw_loc(lw, argument);
    if (!lw_is_prvalue(lw, argument)) return lw_load(lw, lw_place(lw, argument));
    CXCursor core = lw_strip(lw, argument);
    if (lw_is_kind(core, CXCursor_LambdaExpr)) return lw_value(lw, core);
    bool is_copy = lw_is_kind(core, CXCursor_CallExpr) &&
                   lw_is_kind(clang_getCursorReferenced(core), CXCursor_Constructor) &&
                   clang_Cursor_getNumArguments(core) == 1 && lw_is_plain_copy(lw, type) &&
                   !lw_needs_destroy(lw, type) &&
                   lw_is_same(lw_type_of(clang_Cursor_getArgument(core, 0)), lw_canonical(type));
    if (is_copy && !lw_is_prvalue(lw, clang_Cursor_getArgument(core, 0)))
        return lw_load(lw, lw_place(lw, clang_Cursor_getArgument(core, 0)));
    IrPlaceId object = lw_new_object(lw, type, loc);
    lw_init(lw, object, type, argument);
    return lw_load(lw, object); // the callee destroys its parameter
}

IrExprId lw_argument(Lower *lw, CXCursor argument, CXType parameter)
{
    if (lw_is_null(argument)) {
        bool is_known = parameter.kind != CXType_Invalid;
        return lw_unknown(lw, is_known ? lw_plain_type(lw, parameter) : lw_int_type(lw));
    }
    CXType type = parameter.kind == CXType_Invalid ? lw_type_of(argument) : lw_canonical(parameter);
    if (lw_is_reference(type)) return lw_address(lw, lw_place(lw, argument));
    if (lw_is_record(type)) return record_argument(lw, argument, type);
    return lw_value(lw, argument);
}
