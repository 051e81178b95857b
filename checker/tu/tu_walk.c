// SPDX-License-Identifier: MIT
// Finds every host function with a body in the user's files, each once, and hands it to the
// lowering. Instantiations of templates are taken with their concrete types; a pattern only where
// nothing instantiates it. Lambdas in functions come with these; those in initialisers outside are
// found here, and so are generic ones, which may have no instantiation.
#include "tu/tu_p.h"

#include <uthash.h>

// A set of strings, in an arena.
typedef struct {
    const char *key;
    UT_hash_handle hh;
} Seen;

typedef Vec(CXCursor) CursorList;

typedef struct {
    TuContext *ctx;
    Seen *seen;          // definitions met, by USR and place
    Seen *instantiated;  // patterns of which an instantiation was met
    CursorList todo;     // to analyse, in the order of the text
    CursorList patterns; // templates' own bodies, for where nothing instantiates them
    CursorList lambdas;  // call operators of lambdas outside functions
} Walk;

// Adds the key; true if it is new.
static bool seen_add(TuContext *ctx, Seen **set, const char *key)
{
    Seen *entry = NULL;
    HASH_FIND_STR(*set, key, entry);
    if (entry != NULL) return false;
    entry = ARENA_NEW(ctx->arena, Seen);
    entry->key = key;
    HASH_ADD_KEYPTR(hh, *set, entry->key, strlen(entry->key), entry);
    return true;
}

const char *tu_place_key(TuContext *ctx, CXCursor cursor)
{
    CXFile file;
    unsigned offset;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
    const TuSource *source = tu_source(ctx, file);
    return arena_printf(ctx->arena, "%s:%u", source == NULL ? "" : source->name, offset);
}

// ---- questions about declarations ---------------------------------------------------------------

typedef struct {
    bool is_global, is_device, is_host, is_managed;
} Side;

static enum CXChildVisitResult look_at_attribute(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    Side *side = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CUDAGlobalAttr) side->is_global = true;
    if (kind == CXCursor_AnnotateAttr) {
        CXString string = clang_getCursorSpelling(cursor);
        const char *text = clang_getCString(string);
        if (text != NULL && strcmp(text, "cuda_device") == 0) side->is_device = true;
        if (text != NULL && strcmp(text, "cuda_host") == 0) side->is_host = true;
        if (text != NULL && strcmp(text, "cuda_managed") == 0) side->is_managed = true;
        clang_disposeString(string);
    }
    return CXChildVisit_Continue;
}

static Side side_of(CXCursor declaration)
{
    Side side = {0};
    clang_visitChildren(declaration, look_at_attribute, &side);
    return side;
}

bool tu_is_kernel(CXCursor function)
{
    return side_of(function).is_global;
}

bool tu_is_device_only(CXCursor function)
{
    Side side = side_of(function);
    return side.is_device && !side.is_host && !side.is_global;
}

bool tu_is_managed(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_VarDecl &&
           clang_Cursor_hasVarDeclGlobalStorage(cursor) == 1 && side_of(cursor).is_managed;
}

bool tu_is_user_code(CXCursor cursor)
{
    return !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    // A coroutine's body hides in a statement that libclang does not name.
    bool is_body = kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt ||
                   kind == CXCursor_UnexposedStmt;
    if (!is_body) return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

CXCursor tu_function_body(CXCursor definition)
{
    CXCursor body = clang_getNullCursor();
    clang_visitChildren(definition, find_body, &body);
    return body;
}

static bool is_class(enum CXCursorKind kind)
{
    return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
           kind == CXCursor_UnionDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

static const char *template_argument(TuContext *ctx, CXCursor function, unsigned i)
{
    switch (clang_Cursor_getTemplateArgumentKind(function, i)) {
    case CXTemplateArgumentKind_Type:
        return tu_str(ctx,
                      clang_getTypeSpelling(clang_Cursor_getTemplateArgumentType(function, i)));
    case CXTemplateArgumentKind_Integral:
        return arena_printf(ctx->arena, "%lld", clang_Cursor_getTemplateArgumentValue(function, i));
    default:
        return "...";
    }
}

static void append_own_name(TuContext *ctx, StrBuf *name, CXCursor cursor)
{
    if (is_class(clang_getCursorKind(cursor))) {
        strbuf_append(name, tu_str(ctx, clang_getCursorDisplayName(cursor)));
        return;
    }
    strbuf_append(name, tu_str(ctx, clang_getCursorSpelling(cursor)));
    int arguments = clang_Cursor_getNumTemplateArguments(cursor);
    for (int i = 0; i < arguments; i++) {
        strbuf_append(name, i == 0 ? "<" : ", ");
        strbuf_append(name, template_argument(ctx, cursor, (unsigned)i));
    }
    if (arguments > 0) strbuf_append(name, ">");
}

static void append_name(TuContext *ctx, StrBuf *name, CXCursor cursor)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    enum CXCursorKind kind = clang_getCursorKind(parent);
    if (is_class(kind) || kind == CXCursor_Namespace) {
        append_name(ctx, name, parent);
        if (name->len > 0) strbuf_append(name, "::");
    }
    append_own_name(ctx, name, cursor);
}

const char *tu_function_name(TuContext *ctx, CXCursor function)
{
    StrBuf name = {.arena = ctx->arena};
    append_name(ctx, &name, function);
    return str_intern_n(ctx->unit->strings, strbuf_text(&name), name.len);
}

// ---- the walk -----------------------------------------------------------------------------------

static bool overrides(CXCursor method)
{
    CXCursor *overridden = NULL;
    unsigned count = 0;
    clang_getOverriddenCursors(method, &overridden, &count);
    clang_disposeOverriddenCursors(overridden);
    return count > 0;
}

// A method that overrides another is a target of dispatched calls, also where its body is elsewhere.
static void note_overrider(Walk *walk, CXCursor function)
{
    if (clang_getCursorKind(function) != CXCursor_CXXMethod || !overrides(function)) return;
    enum CXCursorKind scope = clang_getCursorKind(clang_getCursorSemanticParent(function));
    bool is_pattern =
        scope == CXCursor_ClassTemplate || scope == CXCursor_ClassTemplatePartialSpecialization;
    if (!is_pattern) tu_lower_declare(walk->ctx, function);
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data);

static void visit_function(Walk *walk, CXCursor function);

static enum CXChildVisitResult find_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXString spelling = clang_getCursorSpelling(cursor);
    bool is_it = (kind == CXCursor_CXXMethod || kind == CXCursor_FunctionTemplate) &&
                 strcmp(clang_getCString(spelling), "operator()") == 0;
    clang_disposeString(spelling);
    if (!is_it) return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static CXCursor call_operator(CXCursor lambda)
{
    CXCursor found = clang_getNullCursor();
    CXCursor closure = clang_getTypeDeclaration(clang_getCursorType(lambda));
    clang_visitChildren(closure, find_call_operator, &found);
    return found;
}

static enum CXChildVisitResult visit_initializer(CXCursor cursor, CXCursor parent,
                                                 CXClientData data);

// Clang shows the instantiations of a variable's template only where they are used.
static void visit_variable_instance(Walk *walk, CXCursor use)
{
    CXCursor decl = clang_getCursorReferenced(use);
    if (clang_getCursorKind(decl) != CXCursor_UnexposedDecl || !tu_is_user_code(decl)) return;
    const char *place = tu_place_key(walk->ctx, decl);
    if (!seen_add(walk->ctx, &walk->seen, arena_printf(walk->ctx->arena, "variable@%s", place)))
        return;
    clang_visitChildren(decl, visit_initializer, walk);
}

static enum CXChildVisitResult visit_statement(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_LambdaExpr) {
        CXCursor function = call_operator(cursor);
        bool is_generic = clang_getCursorKind(function) == CXCursor_FunctionTemplate;
        if (is_generic) visit_function(data, function);
    }
    if (kind == CXCursor_DeclRefExpr) visit_variable_instance(data, cursor);
    if (!is_class(kind)) return CXChildVisit_Recurse;
    clang_visitChildren(cursor, visit_declaration, data); // a local class
    return CXChildVisit_Continue;
}

// In what initialises a variable or a member, or stands for an argument, outside functions.
static enum CXChildVisitResult visit_initializer(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    Walk *walk = data;
    if (clang_getCursorKind(cursor) != CXCursor_LambdaExpr)
        return visit_statement(cursor, parent, data);
    CXCursor function = call_operator(cursor);
    if (clang_getCursorKind(function) == CXCursor_CXXMethod)
        vec_push(walk->ctx->arena, &walk->lambdas, function);
    visit_statement(cursor, parent, data);
    clang_visitChildren(cursor, visit_statement, data);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_parameter(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_ParmDecl)
        clang_visitChildren(cursor, visit_initializer, data);
    return CXChildVisit_Continue;
}

static void analyse(TuContext *ctx, CXCursor definition)
{
    ctx->unit->host_functions++;
    const char *name = tu_function_name(ctx, definition);
    crash_context_set(ctx->unit->file, name);
    const char *reason = tu_taint_reason(ctx, definition);
    bool is_coroutine = clang_getCursorKind(tu_function_body(definition)) == CXCursor_UnexposedStmt;
    if (reason == NULL && is_coroutine) reason = "unsupported construct: coroutine";
    IrSkipped skipped = {.name = name, .loc = tu_loc(ctx, definition), .reason = reason};
    skipped.usr = tu_str(ctx, clang_getCursorUSR(definition));
    if (reason != NULL)
        ir_skip(ctx->unit, &skipped);
    else
        tu_lower_function(ctx, definition);
    crash_context_set(ctx->unit->file, NULL);
}

// True for what a template's pattern holds: its own body, or a member of it.
static bool is_pattern(CXCursor definition)
{
    for (CXCursor at = definition; !clang_Cursor_isNull(at);
         at = clang_getCursorSemanticParent(at)) {
        enum CXCursorKind kind = clang_getCursorKind(at);
        if (kind == CXCursor_FunctionTemplate || kind == CXCursor_ClassTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
        if (!is_class(kind) && !is_function(kind)) return false;
    }
    return false;
}

// What the function was instantiated from, where its body stands. Clang names the declaration in
// the class also for a member defined outside, and for a member template that of the instantiated
// class.
static CXCursor pattern_of(CXCursor function)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(function);
    for (CXCursor next = pattern; !clang_Cursor_isNull(next);
         next = clang_getSpecializedCursorTemplate(next))
        pattern = next;
    if (clang_Cursor_isNull(pattern)) return pattern;
    CXCursor definition = clang_getCursorDefinition(pattern);
    return clang_Cursor_isNull(definition) ? pattern : definition;
}

static void visit_function(Walk *walk, CXCursor function)
{
    TuContext *ctx = walk->ctx;
    if (!clang_isCursorDefinition(function) || clang_Cursor_isNull(tu_function_body(function)))
        return;
    const char *place = tu_place_key(ctx, function);
    const char *usr = tu_usr(ctx, function);
    if (!seen_add(ctx, &walk->seen, arena_printf(ctx->arena, "%s@%s", usr, place))) return;
    Side side = side_of(function);
    if (side.is_global || (side.is_device && !side.is_host)) {
        tu_taint_device(ctx, function);
        return;
    }
    CXCursor pattern = pattern_of(function);
    if (!clang_Cursor_isNull(pattern)) {
        // An explicit specialisation stands elsewhere and says nothing about the pattern's body.
        const char *pattern_place = tu_place_key(ctx, pattern);
        if (strcmp(pattern_place, place) == 0) seen_add(ctx, &walk->instantiated, pattern_place);
    } else if (is_pattern(function)) {
        vec_push(ctx->arena, &walk->patterns, function);
        return;
    }
    vec_push(ctx->arena, &walk->todo, function);
    clang_visitChildren(function, visit_statement, walk);
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    Walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_function(kind)) {
        if (tu_is_user_code(cursor)) {
            note_overrider(walk, cursor);
            visit_function(walk, cursor);
            clang_visitChildren(cursor, visit_parameter, walk);
        }
        return CXChildVisit_Continue;
    }
    if (!tu_is_user_code(cursor)) return CXChildVisit_Continue;
    if (is_class(kind) || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
        kind == CXCursor_UnexposedDecl || kind == CXCursor_FriendDecl)
        return CXChildVisit_Recurse;
    clang_visitChildren(cursor, visit_initializer, walk);
    return CXChildVisit_Continue;
}

static void add_lone_patterns(Walk *walk)
{
    for (uint32_t i = 0; i < walk->patterns.len; i++) {
        Seen *entry = NULL;
        const char *place = tu_place_key(walk->ctx, walk->patterns.items[i]);
        HASH_FIND_STR(walk->instantiated, place, entry);
        if (entry == NULL) vec_push(walk->ctx->arena, &walk->todo, walk->patterns.items[i]);
    }
}

// Those that functions use, as a default argument or a member's initialiser, were lowered with them.
static void analyse_lambdas(Walk *walk)
{
    for (uint32_t i = 0; i < walk->lambdas.len; i++) {
        CXCursor function = walk->lambdas.items[i];
        Side side = side_of(function);
        if (side.is_device && !side.is_host)
            tu_taint_device(walk->ctx, function);
        else if (!tu_lower_has_lambda(walk->ctx, function))
            analyse(walk->ctx, function);
    }
}

void tu_walk(TuContext *ctx)
{
    Walk walk = {.ctx = ctx};
    clang_visitChildren(clang_getTranslationUnitCursor(ctx->tu), visit_declaration, &walk);
    add_lone_patterns(&walk);
    // Only now is it known which errors are in device code alone.
    for (uint32_t i = 0; i < walk.todo.len; i++) analyse(ctx, walk.todo.items[i]);
    analyse_lambdas(&walk);
    HASH_CLEAR(hh, walk.seen);
    HASH_CLEAR(hh, walk.instantiated);
}
