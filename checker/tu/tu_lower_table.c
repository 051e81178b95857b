// SPDX-License-Identifier: MIT
// Calls through constants: a pointer, or a table of operations, that nothing in the program writes
// after its initialisation. The function called is the one its initialiser names.
#include "tu/tu_lower.h"

// The function that an initialiser names: `drop`, `&drop`, with casts.
static CXCursor named_function(Lower *lw, CXCursor init)
{
    CXCursor core = lw_strip_casts(lw, init);
    if (lw_is_kind(core, CXCursor_UnaryOperator))
        core = lw_strip_casts(lw, lw_operand_of(lw, core));
    if (!lw_is_kind(core, CXCursor_DeclRefExpr)) return clang_getNullCursor();
    CXCursor function = clang_getCursorReferenced(core);
    bool is_function = lw_is_kind(function, CXCursor_FunctionDecl);
    return is_function ? function : clang_getNullCursor();
}

// The initialiser of the constant that the expression names, or a null cursor.
static CXCursor constant_init(Lower *lw, CXCursor expr)
{
    CXCursor core = lw_strip_casts(lw, expr);
    if (!lw_is_kind(core, CXCursor_DeclRefExpr)) return clang_getNullCursor();
    CXCursor decl = clang_getCursorReferenced(core);
    if (!lw_is_kind(decl, CXCursor_VarDecl)) return clang_getNullCursor();
    CXType type = clang_getCursorType(decl);
    bool is_static = clang_Cursor_hasVarDeclGlobalStorage(decl) == 1;
    bool is_constant = lw_is_record(type)
                           ? is_static && clang_isConstQualifiedType(clang_getCanonicalType(type))
                           : tu_var_is_never_written(lw->ctx, clang_getCanonicalCursor(decl));
    if (!is_constant) return clang_getNullCursor();
    CXCursor definition = clang_getCursorDefinition(decl);
    return clang_Cursor_getVarDeclInitializer(lw_is_null(definition) ? decl : definition);
}

// The element of the list that initialises the field, with or without designators.
static CXCursor field_init(Lower *lw, CXType type, CXCursor list, const char *field)
{
    LwRecord *record = lw_record(lw, type);
    LwCursors elements = lw_operands(lw, list);
    if (record == NULL || record->bases.len > 0) return clang_getNullCursor();
    uint32_t next = 0;
    for (uint32_t i = 0; i < elements.count; i++) {
        LwCursors parts = lw_children(lw, elements.items[i]);
        bool is_designated = parts.count == 2 && lw_is_kind(parts.items[0], CXCursor_MemberRef);
        if (is_designated) {
            if (lw_spelling(lw, parts.items[0]) == field) return parts.items[1];
            next = record->fields.len; // whatever follows is named, too
        } else if (next < record->fields.len) {
            if (record->fields.items[next].name == field) return elements.items[i];
            next++;
        }
    }
    return clang_getNullCursor();
}

CXCursor lw_constant_function(Lower *lw, CXCursor expr)
{
    CXCursor core = lw_strip_casts(lw, expr), init = clang_getNullCursor();
    bool is_deref = lw_is_kind(core, CXCursor_UnaryOperator) &&
                    clang_getCursorUnaryOperatorKind(core) == CXUnaryOperator_Deref;
    if (is_deref) core = lw_strip_casts(lw, lw_operand_of(lw, core)); // (*f)(x) is f(x)
    if (lw_is_kind(core, CXCursor_MemberRefExpr)) {
        CXCursor object = lw_operand_of(lw, core);
        if (lw_is_null(object) || !lw_is_record(lw_type_of(object))) return clang_getNullCursor();
        CXCursor list = constant_init(lw, object);
        if (!lw_is_null(list) && lw_is_kind(lw_strip_casts(lw, list), CXCursor_InitListExpr))
            init =
                field_init(lw, lw_type_of(object), lw_strip_casts(lw, list), lw_spelling(lw, core));
    } else {
        init = constant_init(lw, core);
    }
    return lw_is_null(init) ? init : named_function(lw, init);
}
