// SPDX-License-Identifier: MIT
// Names: what a DeclRefExpr or MemberRefExpr denotes, as a value or as a place.
#include "tu/tu_lower.h"

#include <string.h>

static IrExprId function_value(Lower *lw, CXCursor function, CXType type)
{
    IrCalleeId callee = lw_callee(lw, function);
    IrType pointer =
        lw_is_pointer(type) ? lw_plain_type(lw, type) : lw_pointer_to(lw, lw_plain_type(lw, type));
    return ir_func(lw->unit, lw->fn, callee, pointer);
}

static bool is_function(CXCursor decl)
{
    enum CXCursorKind kind = clang_getCursorKind(decl);
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_FunctionTemplate;
}

// Constants of integer type are their values: enumerators, const variables with constant
// initialisers, template arguments.
static bool constant_of(CXCursor expr, CXCursor decl, int64_t *value)
{
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_EnumConstantDecl) {
        *value = clang_getEnumConstantDeclValue(decl);
        return true;
    }
    if (kind != CXCursor_VarDecl) return false;
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    bool is_integer =
        type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind <= CXType_Int128);
    if (!is_integer || !clang_isConstQualifiedType(type) || clang_isVolatileQualifiedType(type))
        return false;
    return lw_evaluate(expr, value);
}

bool lw_is_range_iterator(Lower *lw, CXCursor expr)
{
    if (lw->range_element == IR_NONE) return false;
    CXCursor core = lw_strip(lw, expr);
    return lw_is_kind(core, CXCursor_DeclRefExpr) &&
           str_starts_with(lw_spelling(lw, core), "__begin");
}

IrExprId lw_decl_value(Lower *lw, CXCursor expr)
{
    CXCursor decl = clang_getCursorReferenced(expr);
    CXType type = lw_type_of(expr);
    int64_t value;
    if (lw_is_range_iterator(lw, expr)) return lw_address(lw, lw->range_element);
    if (constant_of(expr, decl, &value)) {
        if (lw_is_kind(expr, CXCursor_MemberRefExpr)) {
            CXCursor object = lw_operand_of(lw, expr);
            if (!lw_is_null(object)) lw_effect(lw, object);
        }
        return lw_const(lw, value, lw_plain_type(lw, type));
    }
    if (is_function(decl)) return function_value(lw, decl, type);
    if (lw_is_kind(expr, CXCursor_DeclRefExpr)) {
        // A substituted template parameter holds its argument.
        CXCursor argument = lw_operand_of(lw, expr);
        bool is_parameter = lw_is_null(decl) || lw_is_kind(decl, CXCursor_NonTypeTemplateParameter);
        if (is_parameter && !lw_is_null(argument)) return lw_value(lw, argument);
        if (is_parameter)
            return lw_evaluate(expr, &value) ? lw_const(lw, value, lw_plain_type(lw, type))
                                             : lw_unknown(lw, lw_plain_type(lw, type));
        if (lw_is_kind(decl, CXCursor_FieldDecl)) return lw_unknown(lw, lw_plain_type(lw, type));
        LwBinding *binding = lw_binding(lw, decl);
        if (binding != NULL && binding->lambda != NULL) binding->lambda->escapes = true;
    }
    return lw_load(lw, lw_place(lw, expr));
}

IrPlaceId lw_decl_place(Lower *lw, CXCursor expr)
{
    CXCursor decl = clang_getCursorReferenced(expr);
    switch (clang_getCursorKind(decl)) {
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl: {
        if (lw_is_range_iterator(lw, expr))
            return lw_spill(lw, lw_loc(lw, expr), lw_address(lw, lw->range_element));
        LwBinding *binding = lw_binding(lw, decl);
        if (binding != NULL && binding->lambda != NULL) binding->lambda->escapes = true;
        return lw_var_place(lw, decl);
    }
    case CXCursor_UnexposedDecl: { // a name of a structured binding
        LwBinding *binding = lw_binding(lw, decl);
        if (binding != NULL) return binding->place;
        return lw_var_place(lw, decl);
    }
    default:
        break;
    }
    CXCursor argument = lw_operand_of(lw, expr);
    if (!lw_is_null(argument)) return lw_place(lw, argument);
    if (lw_is_kind(decl, CXCursor_FieldDecl)) return lw_unknown_place(lw, expr);
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    bool is_value = is_function(decl) || lw_is_kind(decl, CXCursor_EnumConstantDecl);
    return lw_spill(lw, lw_loc(lw, expr),
                    is_value ? lw_decl_value(lw, expr) : lw_unknown(lw, type));
}

// ---- members ------------------------------------------------------------------------------------

// The object left of . or ->, or `this`; `type` is its class.
static IrPlaceId member_object(Lower *lw, CXCursor expr, CXType *type)
{
    CXCursor base = lw_operand_of(lw, expr);
    if (lw_is_null(base)) {
        *type = lw_this_type(lw);
        return lw_this(lw);
    }
    *type = lw_type_of(base);
    if (lw_is_pointer(*type)) {
        *type = lw_pointee(*type);
        return lw_deref_value(lw, lw_value(lw, base), lw_plain_type(lw, *type));
    }
    return lw_place(lw, base);
}

// The class that declares the member; anonymous structs count for the class around them.
static CXType declaring_class(CXCursor member)
{
    CXCursor parent = clang_getCursorSemanticParent(member);
    while (clang_Cursor_isAnonymousRecordDecl(parent))
        parent = clang_getCursorSemanticParent(parent);
    return lw_type_of(parent);
}

static IrPlaceId unknown_member(Lower *lw, CXCursor expr, IrPlaceId object)
{
    // In a template that nothing instantiated the member is known by name only.
    const char *name = lw_spelling(lw, expr);
    if (name[0] == '\0') name = "?";
    return lw_field(lw, object, name, lw_plain_type(lw, clang_getCursorType(expr)));
}

IrPlaceId lw_member_place(Lower *lw, CXCursor expr)
{
    CXCursor member = clang_getCursorReferenced(expr);
    if (lw_is_kind(member, CXCursor_VarDecl)) {
        CXCursor base = lw_operand_of(lw, expr);
        if (!lw_is_null(base)) lw_effect(lw, base);
        return lw_var_place(lw, member);
    }
    if (is_function(member) || lw_is_kind(member, CXCursor_EnumConstantDecl))
        return lw_spill(lw, lw_loc(lw, expr), lw_decl_value(lw, expr));
    CXType type;
    IrPlaceId object = member_object(lw, expr, &type);
    // The class of `this` is not known in a template that nothing instantiated.
    if (object == IR_NONE) return lw_unknown_place(lw, expr);
    if (!lw_is_kind(member, CXCursor_FieldDecl)) return unknown_member(lw, expr, object);
    CXType owner = declaring_class(member);
    IrPlaceId part = lw_base_place(lw, object, type, owner);
    if (part != IR_NONE) object = part;
    const char *name = lw_spelling(lw, member);
    if (name[0] == '\0') return object; // an anonymous struct or union is not a place of its own
    CXType field = clang_getCursorType(member);
    IrPlaceId place = lw_field(lw, object, name, lw_plain_type(lw, field));
    if (!lw_is_reference(field)) return place;
    return lw_deref(lw, place, lw_plain_type(lw, lw_pointee(field)));
}
