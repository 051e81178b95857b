// SPDX-License-Identifier: MIT
// Which variables of static storage, and which local pointers to functions, the unit writes. One pass
// over the user's code: whatever is not plainly a read (a value loaded from the variable) counts as a
// write, so a variable is called constant only when it is.
#include "tu/tu_p.h"

#include <uthash.h>

typedef struct {
    const char *key;
    UT_hash_handle hh;
} Written;

struct TuWrites {
    Written *set;
    TuContext *ctx;
};

typedef struct {
    struct TuWrites *writes;
    bool is_load; // the expression around does nothing but load the value of this one
} Use;

static enum CXChildVisitResult count_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)cursor;
    (void)parent;
    ++*(unsigned *)data;
    return CXChildVisit_Continue;
}

static bool is_static(CXCursor variable)
{
    return clang_Cursor_hasVarDeclGlobalStorage(variable) == 1;
}

static bool is_local_pointer_to_function(CXCursor variable)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    CXType pointee = clang_getCanonicalType(clang_getPointeeType(type));
    bool is_function =
        pointee.kind == CXType_FunctionProto || pointee.kind == CXType_FunctionNoProto;
    return !is_static(variable) && is_function;
}

// A local variable is known by its place, which an instantiation shares with its pattern.
static const char *variable_key(TuContext *ctx, CXCursor variable)
{
    return is_static(variable) ? tu_str(ctx, clang_getCursorUSR(variable))
                               : tu_place_key(ctx, variable);
}

static void add_written(struct TuWrites *writes, CXCursor variable)
{
    const char *key = variable_key(writes->ctx, variable);
    Written *entry = NULL;
    HASH_FIND_STR(writes->set, key, entry);
    if (entry != NULL) return;
    entry = ARENA_NEW(writes->ctx->arena, Written);
    entry->key = key;
    HASH_ADD_KEYPTR(hh, writes->set, entry->key, strlen(entry->key), entry);
}

// An implicit cast around one operand is how libclang shows a load; sizeof does not evaluate.
static bool is_load_of_child(CXCursor cursor, bool outer)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_UnaryExpr:
        return true;
    case CXCursor_ParenExpr:
        return outer;
    case CXCursor_UnexposedExpr: {
        unsigned count = 0;
        clang_visitChildren(cursor, count_child, &count);
        return count == 1;
    }
    default:
        return false;
    }
}

static enum CXChildVisitResult visit_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    const Use *outer = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) {
        CXCursor variable = clang_getCursorReferenced(cursor);
        if (clang_getCursorKind(variable) == CXCursor_VarDecl && !outer->is_load &&
            (is_static(variable) || is_local_pointer_to_function(variable)))
            add_written(outer->writes, variable);
    }
    Use inner = {.writes = outer->writes, .is_load = is_load_of_child(cursor, outer->is_load)};
    clang_visitChildren(cursor, visit_use, &inner);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Use use = {.writes = data};
    // Instantiations repeat their pattern, which is visited where it stands.
    if (tu_is_user_code(cursor) && clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor)))
        visit_use(cursor, clang_getNullCursor(), &use);
    return CXChildVisit_Continue;
}

static void free_set(void *object)
{
    struct TuWrites *writes = object;
    HASH_CLEAR(hh, writes->set);
}

static struct TuWrites *writes_of(TuContext *ctx)
{
    if (ctx->writes != NULL) return ctx->writes;
    ctx->writes = ARENA_NEW(ctx->arena, struct TuWrites);
    ctx->writes->ctx = ctx;
    arena_defer(ctx->arena, free_set, ctx->writes);
    clang_visitChildren(clang_getTranslationUnitCursor(ctx->tu), visit_top, ctx->writes);
    return ctx->writes;
}

static enum CXChildVisitResult find_device_annotation(CXCursor cursor, CXCursor parent,
                                                      CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    *(bool *)data = true; // __device__, __constant__, __managed__: the GPU may write it
    return CXChildVisit_Break;
}

static bool is_scalar(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_FirstBuiltin && kind <= CXType_LastBuiltin) || kind == CXType_Enum ||
           kind == CXType_Pointer;
}

bool tu_var_is_never_written(TuContext *ctx, CXCursor var_decl)
{
    CXType type = clang_getCursorType(var_decl);
    bool is_on_device = false, is_local = is_local_pointer_to_function(var_decl);
    bool is_followed = is_local || (is_static(var_decl) && is_scalar(type));
    if (!is_followed || clang_isVolatileQualifiedType(type)) return false;
    clang_visitChildren(var_decl, find_device_annotation, &is_on_device);
    if (is_on_device) return false;
    if (clang_isConstQualifiedType(clang_getCanonicalType(type))) return true;
    if (!is_local && clang_getCursorLinkage(var_decl) == CXLinkage_External) return false;
    if (tu_taint_any(ctx))
        return false; // clang drops statements it does not understand: a write may be among them
    Written *entry = NULL;
    const char *key = variable_key(ctx, var_decl);
    HASH_FIND_STR(writes_of(ctx)->set, key, entry);
    return entry == NULL;
}
