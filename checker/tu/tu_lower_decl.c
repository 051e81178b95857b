// SPDX-License-Identifier: MIT
// Declaration statements: local variables, references, statics, structured bindings, and the sizes in
// typedefs.
#include "tu/tu_lower.h"

#include <string.h>

// ---- references ---------------------------------------------------------------------------------

static IrVarId root_of(Lower *lw, IrPlaceId place)
{
    IrPlace at = *lw_place_at(lw, place);
    while (at.kind != IR_PL_VAR) {
        if (at.kind == IR_PL_DEREF) return IR_NONE;
        at = *lw_place_at(lw, at.base);
    }
    return at.var;
}

// A temporary that a reference is bound to lives as long as the reference.
static bool extends_temporary(Lower *lw, IrPlaceId object, const LwCleanup *scope)
{
    IrVarId root = root_of(lw, object);
    if (root == IR_NONE || lw->fn->vars.items[root].kind != IR_VAR_TEMP) return false;
    for (const LwCleanup *at = lw->top; at != NULL && at != scope; at = at->outer)
        if (at->var == root) return true;
    return false;
}

static void bind_reference(Lower *lw, IrPlaceId reference, CXCursor init, SrcLoc loc)
{
    LwCleanup *scope = lw->top;
    CXCursor core = lw_strip(lw, init);
    bool is_object = lw_is_record(lw_type_of(core)) || lw_is_array(lw_type_of(core));
    if (is_object && lw_is_prvalue(lw, core)) {
        CXType type = lw_type_of(core);
        IrPlaceId object = lw_new_object(lw, type, loc);
        lw_init(lw, object, type, core);
        lw_leave(lw, scope, loc);
        lw_push_var(lw, lw_place_at(lw, object)->var, type);
        lw_initialize(lw, loc, reference, lw_address(lw, object));
        return;
    }
    IrPlaceId object = lw_place(lw, init);
    lw_initialize(lw, loc, reference, lw_address(lw, object));
    if (!extends_temporary(lw, object, scope)) lw_leave(lw, scope, loc);
}

// ---- variables ----------------------------------------------------------------------------------

static enum CXChildVisitResult see_code(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool runs =
        kind == CXCursor_CallExpr || kind == CXCursor_CXXNewExpr || kind == CXCursor_LambdaExpr;
    if (kind == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(cursor);
        runs = lw_is_kind(decl, CXCursor_VarDecl) &&
               !clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(decl)));
    }
    if (!runs) return CXChildVisit_Recurse;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

// Whether the initialiser does anything at run time.
static bool is_constant(CXCursor init)
{
    int64_t value;
    if (lw_evaluate(init, &value)) return true;
    bool runs = lw_is_kind(init, CXCursor_CallExpr) || lw_is_kind(init, CXCursor_CXXNewExpr) ||
                lw_is_kind(init, CXCursor_LambdaExpr);
    if (!runs) clang_visitChildren(init, see_code, &runs);
    return !runs;
}

static const char *static_name(Lower *lw, IrPlaceId place)
{
    const IrPlace *at = lw_place_at(lw, place);
    while (at->kind != IR_PL_VAR) at = lw_place_at(lw, at->base);
    return lw->fn->vars.items[at->var].name;
}

// A static local that is not a constant: initialised the first time through.
static void static_local(Lower *lw, CXCursor decl)
{
    IrPlaceId place = lw_var_place(lw, decl);
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    CXType type = clang_getCursorType(decl);
    if (lw_is_null(init) || is_constant(init)) return;
    SrcLoc loc = lw_loc(lw, decl);
    IrBlockId first = lw_block(lw), done = lw_block(lw);
    // The guard variable that compilers make, too: a later call finds it set.
    IrVar guard = {.name = str_internf(lw->unit->strings, "#once:%s", static_name(lw, place)),
                   .kind = IR_VAR_STATIC,
                   .type = lw_bool_type(lw),
                   .loc = loc};
    IrPlaceId once = ir_place_var(lw->unit, lw->fn, ir_var_add(lw->unit, lw->fn, guard));
    lw_branch(lw, loc, lw_load(lw, once),
              (LwBranch){.yes = done, .no = first, .kind = IR_BR_SYNTHETIC});
    lw_enter(lw, first);
    lw_initialize(lw, loc, once, ir_int(lw->unit, lw->fn, 1, lw_bool_type(lw)));
    LwCleanup *scope = lw->top;
    if (lw_is_reference(type))
        lw_initialize(lw, loc, lw_place_at(lw, place)->base, lw_address(lw, lw_place(lw, init)));
    else
        lw_init(lw, place, type, init);
    lw_leave(lw, scope, loc);
    lw_jump(lw, loc, done);
    lw_enter(lw, done);
}

// ---- __attribute__((cleanup(f))) ----------------------------------------------------------------

typedef struct {
    Lower *lw;
    const char *name; // of the function
    CXCursor found;
} CleanupSearch;

static const char *cleanup_name(Lower *lw, CXCursor attribute)
{
    size_t len;
    const char *text = lw_text_at(lw, attribute, &len);
    bool is_cleanup =
        text != NULL && (str_starts_with(text, "cleanup") || str_starts_with(text, "__cleanup"));
    const char *open = is_cleanup ? strchr(text, '(') : NULL;
    if (open == NULL) return NULL;
    open++;
    while (*open == ' ') open++;
    size_t size = strcspn(open, " )");
    return str_intern_n(lw->unit->strings, open, size);
}

static enum CXChildVisitResult see_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CleanupSearch *search = data;
    if (lw_is_kind(cursor, CXCursor_UnexposedAttr) && search->name == NULL)
        search->name = cleanup_name(search->lw, cursor);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CleanupSearch *search = data;
    if (lw_is_kind(cursor, CXCursor_FunctionDecl) &&
        lw_spelling(search->lw, cursor) == search->name)
        search->found = cursor;
    return lw_is_kind(cursor, CXCursor_LinkageSpec) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

// The function to call when the variable dies, or a null cursor.
static CXCursor cleanup_function(Lower *lw, CXCursor decl)
{
    CleanupSearch search = {.lw = lw, .found = clang_getNullCursor()};
    if (!clang_Cursor_hasAttrs(decl)) return search.found;
    clang_visitChildren(decl, see_attribute, &search);
    if (search.name != NULL)
        clang_visitChildren(clang_getTranslationUnitCursor(lw->ctx->tu), see_function, &search);
    return search.found;
}

static void declared_sizes(Lower *lw, CXCursor decl, CXType type, CXCursor init)
{
    LwCleanup *scope = lw->top;
    lw_sizes(lw, decl, type, init);
    lw_leave(lw, scope, lw_loc(lw, decl));
}

static void local(Lower *lw, CXCursor decl)
{
    SrcLoc loc = lw_loc(lw, decl);
    CXType type = clang_getCursorType(decl);
    lw->loc = loc;
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    declared_sizes(lw, decl, type, init);
    IrVarId var = lw_var_new(lw, decl, IR_VAR_LOCAL);
    IrPlaceId place = ir_place_var(lw->unit, lw->fn, var);
    lw_declare(lw, var, loc);
    LwCleanup *scope = lw->top;
    if (lw_is_null(init)) {
        lw_push_var(lw, var, type);
    } else if (lw_is_reference(type)) {
        bind_reference(lw, place, init, loc);
        lw_push_var(lw, var, type);
        return;
    } else {
        CXCursor core = lw_strip(lw, init);
        bool is_lambda = lw_is_kind(core, CXCursor_LambdaExpr) && lw_is_record(type);
        // A declared lambda's copies of captured variables live as long as it does.
        if (is_lambda)
            lw_lambda_declare(lw, decl, core);
        else
            lw_init(lw, place, type, init);
        if (!is_lambda) lw_leave(lw, scope, loc);
        lw_push_var(lw, var, type);
    }
    CXCursor on_exit = cleanup_function(lw, decl);
    if (lw_is_null(on_exit)) return;
    lw->top->on_exit = lw_callee(lw, on_exit);
    lw->top->destroys = true;
}

void lw_variable(Lower *lw, CXCursor decl)
{
    if (!clang_Cursor_hasVarDeclGlobalStorage(decl))
        local(lw, decl);
    else if (!clang_Cursor_hasVarDeclExternalStorage(decl))
        static_local(lw, decl);
}

// ---- structured bindings ------------------------------------------------------------------------

static void bind_names(Lower *lw, LwCursors names, IrPlaceId object, CXType type, SrcLoc loc)
{
    LwRecord *record = lw_record(lw, type);
    bool by_fields = record != NULL && record->fields.len == names.count && record->bases.len == 0;
    for (uint32_t i = 0; i < names.count; i++) {
        CXCursor name = names.items[i];
        IrPlaceId place;
        if (lw_is_array(type)) {
            place = lw_index(lw, object, lw_const(lw, i, lw_int_type(lw)),
                             lw_plain_type(lw, lw_element(type)));
        } else if (by_fields) {
            LwField field = record->fields.items[i];
            place = lw_field(lw, object, field.name, lw_plain_type(lw, field.type));
            if (lw_is_reference(field.type))
                place = lw_deref(lw, place, lw_plain_type(lw, lw_pointee(field.type)));
        } else if (lw_tuple_size(lw, type) == names.count) {
            place = lw_tuple_part(lw, object, type, i);
        } else {
            // Parts that are not known to be anywhere.
            CXType part = clang_getCanonicalType(clang_getCursorType(name));
            if (lw_is_reference(part)) part = lw_pointee(part);
            IrVarId id = lw_local(lw, name, part, loc);
            lw_push_var(lw, id, part);
            place = ir_place_var(lw->unit, lw->fn, id);
            lw_clobber(lw, loc, place);
        }
        lw_bind(lw, name, (LwBinding){.place = place});
    }
}

static void structured_binding(Lower *lw, CXCursor decl)
{
    LwCursors parts = lw_children(lw, decl);
    LwCursors names = {.items = parts.items, .count = 0};
    CXCursor init = clang_getNullCursor();
    for (uint32_t i = 0; i < parts.count; i++) {
        if (lw_is_kind(parts.items[i], CXCursor_UnexposedDecl))
            names.items[names.count++] = parts.items[i];
        else if (clang_isExpression(clang_getCursorKind(parts.items[i])))
            init = parts.items[i];
    }
    if (names.count == 0 || lw_is_null(init)) return;
    SrcLoc loc = lw_loc(lw, decl);
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    LwCleanup *scope = lw->top;
    if (lw_is_reference(type) && !lw_is_prvalue(lw, init)) {
        IrPlaceId object = lw_place(lw, init);
        if (!extends_temporary(lw, object, scope)) lw_leave(lw, scope, loc);
        bind_names(lw, names, object, lw_type_of(init), loc);
        return;
    }
    if (lw_is_reference(type)) type = lw_pointee(type);
    IrVarId id = lw_local(lw, decl, type, loc);
    IrPlaceId object = ir_place_var(lw->unit, lw->fn, id);
    lw_init(lw, object, type, init);
    lw_leave(lw, scope, loc);
    lw_push_var(lw, id, type);
    bind_names(lw, names, object, type, loc);
}

void lw_declaration(Lower *lw, CXCursor declaration)
{
    if (lw_is_kind(declaration, CXCursor_VarDecl)) {
        lw_variable(lw, declaration);
        return;
    }
    if (lw_is_kind(declaration, CXCursor_UnexposedDecl)) {
        structured_binding(lw, declaration);
        return;
    }
    bool is_typedef = lw_is_kind(declaration, CXCursor_TypedefDecl) ||
                      lw_is_kind(declaration, CXCursor_TypeAliasDecl);
    if (is_typedef) {
        CXType type = clang_getTypedefDeclUnderlyingType(declaration);
        declared_sizes(lw, declaration, type, clang_getNullCursor());
        return;
    }
    LwCursors parts = lw_children(lw, declaration);
    for (uint32_t i = 0; i < parts.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(parts.items[i]);
        bool is_lowered = kind == CXCursor_VarDecl || kind == CXCursor_UnexposedDecl ||
                          kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl;
        if (is_lowered) lw_declaration(lw, parts.items[i]);
    }
}
