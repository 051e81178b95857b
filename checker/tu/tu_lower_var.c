// SPDX-License-Identifier: MIT
// Variables: which IrVar, and which place, a declaration of the source stands for in the function
// being lowered.
#include "tu/tu_lower.h"

#include <string.h>

void lw_bind(Lower *lw, CXCursor decl, LwBinding binding)
{
    vec_push(lw->arena, &lw->bindings, binding);
    lw_cursor_set(lw->arena, &lw->vars, clang_getCanonicalCursor(decl), lw->bindings.len - 1);
}

LwBinding *lw_binding(Lower *lw, CXCursor decl)
{
    uint32_t at = lw_cursor_get(&lw->vars, clang_getCanonicalCursor(decl));
    return at == IR_NONE ? NULL : &lw->bindings.items[at];
}

// The object that a variable's place stands for: references are followed.
static IrPlaceId object_of(Lower *lw, IrVarId var, CXType type)
{
    IrPlaceId place = ir_place_var(lw->unit, lw->fn, var);
    return lw_is_reference(type)
               ? lw_deref(lw, place,
                          lw_plain_type(lw, clang_getPointeeType(clang_getCanonicalType(type))))
               : place;
}

static IrVarId add_var(Lower *lw, CXCursor decl, IrVar var)
{
    CXType type = clang_getCursorType(decl);
    IrVarId id = ir_var_add(lw->unit, lw->fn, var);
    lw_bind(lw, decl, (LwBinding){.place = object_of(lw, id, type)});
    return id;
}

IrVarId lw_var_new(Lower *lw, CXCursor decl, IrVarKind kind)
{
    const char *name = lw_spelling(lw, decl);
    if (name[0] == '\0')
        name = str_internf(lw->unit->strings, "unnamed%u", (unsigned)lw->fn->vars.len);
    IrVar var = {.name = name, .kind = kind, .loc = tu_loc(lw->ctx, decl)};
    CXType type = clang_getCursorType(decl);
    bool decays = lw_is_kind(decl, CXCursor_ParmDecl) && lw_is_array(type);
    var.type =
        decays ? lw_pointer_to(lw,
                               lw_type(lw, clang_getArrayElementType(clang_getCanonicalType(type))))
               : lw_type(lw, type);
    return add_var(lw, decl, var);
}

void lw_declare(Lower *lw, IrVarId var, SrcLoc loc)
{
    IrInstr instr = ir_instr(IR_DECL, loc);
    instr.var = var;
    lw_append(lw, instr);
}

IrVarId lw_local(Lower *lw, CXCursor named, CXType type, SrcLoc loc)
{
    IrVar var = {.name = lw_spelling(lw, named),
                 .kind = IR_VAR_LOCAL,
                 .loc = loc,
                 .type = lw_plain_type(lw, type)};
    IrVarId id = ir_var_add(lw->unit, lw->fn, var);
    lw_declare(lw, id, loc);
    return id;
}

// The value that a variable of static storage starts with, where it is a constant. Without an
// initialiser it is zero, but only its definition says so.
static bool initial_value(CXCursor decl, int64_t *value)
{
    CXCursor definition = clang_getCursorDefinition(decl);
    if (!lw_is_null(definition)) decl = definition;
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    bool is_scalar = !lw_is_record(clang_getCursorType(decl)) &&
                     !lw_is_array(clang_getCursorType(decl)) &&
                     !lw_is_reference(clang_getCursorType(decl));
    if (!is_scalar) return false;
    if (lw_is_null(init)) {
        *value = 0;
        return clang_Cursor_hasVarDeclExternalStorage(decl) == 0;
    }
    if (lw_evaluate(init, value)) return true;
    enum CXCursorKind kind = clang_getCursorKind(init);
    while (kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr ||
           kind == CXCursor_ParenExpr) {
        init = lw_operand_of(NULL, init);
        if (lw_is_null(init)) return false;
        kind = clang_getCursorKind(init);
    }
    *value = 0;
    if (kind == CXCursor_IntegerLiteral) return lw_evaluate(init, value) && *value == 0;
    return kind == CXCursor_CXXNullPtrLiteralExpr || kind == CXCursor_GNUNullExpr;
}

static IrVar static_facts(Lower *lw, CXCursor decl)
{
    uint32_t known = lw_cursor_get(&lw->tables->globals, decl);
    if (known != IR_NONE) return lw->tables->global_facts.items[known];
    IrVar var = {.name = lw_spelling(lw, decl),
                 .usr = tu_str(lw->ctx, clang_getCursorUSR(decl)),
                 .loc = tu_loc(lw->ctx, decl),
                 .type = lw_type(lw, clang_getCursorType(decl))};
    CXCursor scope = clang_getCursorSemanticParent(decl);
    bool is_local =
        clang_isDeclaration(clang_getCursorKind(scope)) && !lw_is_kind(scope, CXCursor_Namespace) &&
        !lw_is_kind(scope, CXCursor_LinkageSpec) && !lw_is_record(clang_getCursorType(scope));
    bool is_extern = clang_Cursor_hasVarDeclExternalStorage(decl) != 0;
    var.kind = is_local && !is_extern ? IR_VAR_STATIC : IR_VAR_GLOBAL;
    var.is_frozen = tu_var_is_never_written(lw->ctx, decl);
    var.is_managed = tu_is_managed(decl);
    var.has_init = initial_value(decl, &var.init);
    // A static local that is initialised at run time is written then.
    if (var.kind == IR_VAR_STATIC && !var.has_init) var.is_frozen = false;
    vec_push(lw->ctx->arena, &lw->tables->global_facts, var);
    lw_cursor_set(lw->ctx->arena, &lw->tables->globals, decl, lw->tables->global_facts.len - 1);
    return var;
}

// A local whose declaration statement clang does not show (the init part of a switch): it begins at
// its first use.
static IrPlaceId begin_late(Lower *lw, CXCursor decl)
{
    lw_variable(lw, decl);
    return lw_binding(lw, decl)->place;
}

IrPlaceId lw_var_place(Lower *lw, CXCursor decl)
{
    LwBinding *binding = lw_binding(lw, decl);
    if (binding != NULL) return binding->place;
    decl = clang_getCanonicalCursor(decl);
    if (lw_is_kind(decl, CXCursor_VarDecl) && clang_Cursor_hasVarDeclGlobalStorage(decl)) {
        add_var(lw, decl, static_facts(lw, decl));
    } else if (lw->is_lambda) {
        lw_var_new(lw, decl, IR_VAR_CAPTURE);
    } else if (lw_is_kind(decl, CXCursor_VarDecl)) {
        return begin_late(lw, decl);
    } else {
        lw_var_new(lw, decl, IR_VAR_LOCAL);
    }
    return lw_binding(lw, decl)->place;
}

CXType lw_this_type(Lower *lw)
{
    CXCursor function = lw->function;
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (!lw->is_lambda) return lw_type_of(parent);
    // A lambda's `this` is that of the method around it.
    while (!lw_is_null(parent) && !lw_is_kind(parent, CXCursor_TranslationUnit)) {
        enum CXCursorKind kind = clang_getCursorKind(parent);
        if (kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
            kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction) {
            CXType type = lw_type_of(clang_getCursorSemanticParent(parent));
            LwRecord *record = lw_record(lw, type);
            if (record != NULL && !record->is_closure) return type;
        }
        parent = clang_getCursorSemanticParent(parent);
    }
    return lw_type_of(parent);
}

IrPlaceId lw_this(Lower *lw)
{
    CXType type = lw_this_type(lw);
    if (!lw_is_record(type)) return IR_NONE;
    IrType object = lw_plain_type(lw, type);
    if (!lw->is_lambda) {
        if (lw->this_var == IR_NONE) return IR_NONE;
        return lw_deref(lw, ir_place_var(lw->unit, lw->fn, lw->this_var), object);
    }
    if (lw->captured_this == IR_NONE) {
        IrVar var = {.name = "this",
                     .kind = IR_VAR_CAPTURE,
                     .type = lw_pointer_to(lw, object),
                     .loc = lw->fn->loc};
        lw->captured_this = ir_place_var(lw->unit, lw->fn, ir_var_add(lw->unit, lw->fn, var));
    }
    return lw_deref(lw, lw->captured_this, object);
}
