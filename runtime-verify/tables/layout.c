// SPDX-License-Identifier: MIT
// Layout: reads structures, prototypes and identifiers of callbacks from the toolkit's headers.
#include "tables/layout.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static const char parameters_suffix[] = "_params_st";
static const char runtime_prefix[] = "CUPTI_RUNTIME_TRACE_CBID_";
static const char driver_prefix[] = "CUPTI_DRIVER_TRACE_CBID_";

static const char *take_string(Arena *arena, CXString string)
{
    const char *copy = arena_strdup(arena, clang_getCString(string));
    clang_disposeString(string);
    return copy;
}

static void add_call(Layout *layout, const char *name, CXCursor cursor)
{
    bool is_runtime = str_starts_with(name, runtime_prefix);
    if (!is_runtime && !str_starts_with(name, driver_prefix)) return;
    size_t skip = is_runtime ? sizeof runtime_prefix - 1 : sizeof driver_prefix - 1;
    LayoutName call = {.name = name + skip, .cursor = cursor};
    vec_push(layout->arena, is_runtime ? &layout->runtime_calls : &layout->driver_calls, call);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Layout *layout = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_EnumDecl) return CXChildVisit_Recurse;
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_StructDecl &&
        kind != CXCursor_EnumConstantDecl && kind != CXCursor_MacroDefinition)
        return CXChildVisit_Continue;
    const char *name = take_string(layout->arena, clang_getCursorSpelling(cursor));
    LayoutName entry = {.name = name, .cursor = cursor};
    if (kind == CXCursor_FunctionDecl)
        vec_push(layout->arena, &layout->functions, entry);
    else if (kind == CXCursor_EnumConstantDecl)
        add_call(layout, name, cursor);
    else if (kind == CXCursor_MacroDefinition)
        vec_push(layout->arena, &layout->macros, entry);
    else if (str_ends_with(name, parameters_suffix) && clang_isCursorDefinition(cursor))
        vec_push(layout->arena, &layout->parameters, entry);
    return CXChildVisit_Continue;
}

static void close_unit(void *unit)
{
    clang_disposeTranslationUnit(unit);
}

static void close_index(void *index)
{
    clang_disposeIndex(index);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const LayoutName *)a)->name, ((const LayoutName *)b)->name);
}

static void sort_names(LayoutNames *names)
{
    if (names->len != 0) qsort(names->items, names->len, sizeof *names->items, compare_names);
}

static const LayoutName *find_name(const LayoutNames *names, const char *name)
{
    LayoutName key = {.name = name};
    if (names->len == 0) return NULL;
    return bsearch(&key, names->items, names->len, sizeof key, compare_names);
}

Status layout_read(Arena *arena, const char *path, Layout *layout, Err *err)
{
    *layout = (Layout){.arena = arena};
    static const char *const args[] = {"-x", "cpp-output", "-w", "-ferror-limit=0"};
    CXIndex index = clang_createIndex(0, 0);
    arena_defer(arena, close_index, index);
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, path, args, sizeof args / sizeof *args, NULL, 0,
        CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_DetailedPreprocessingRecord,
        &layout->unit);
    if (code != CXError_Success)
        return err_set(err, ST_IO, "'%s' cannot be read as C (libclang says %d)", path, (int)code);
    arena_defer(arena, close_unit, layout->unit);
    clang_visitChildren(clang_getTranslationUnitCursor(layout->unit), visit, layout);
    sort_names(&layout->functions);
    sort_names(&layout->parameters);
    sort_names(&layout->macros);
    return ST_OK;
}

const LayoutName *layout_function(const Layout *layout, const char *name)
{
    // Later versions are what the headers' macros make of the plain name.
    for (int version = 9; version > 1; version--) {
        const char *versioned = arena_printf(layout->arena, "%s_v%d", name, version);
        const LayoutName *found = find_name(&layout->functions, versioned);
        if (found != NULL) return found;
    }
    return find_name(&layout->functions, name);
}

// A field that is being looked for.
typedef struct {
    const char *name;
    size_t len;
    CXCursor found; // null until then
    long long bits; // its offset
} FieldSearch;

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    FieldSearch *search = data;
    CXString spelling = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(spelling);
    bool is_it = strlen(name) == search->len && strncmp(name, search->name, search->len) == 0;
    clang_disposeString(spelling);
    long long bits = clang_Cursor_getOffsetOfField(cursor);
    if (is_it) {
        search->found = cursor;
        search->bits = bits;
        return CXVisit_Break;
    }
    if (clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(clang_getCursorType(cursor)))) {
        clang_Type_visitFields(clang_getCursorType(cursor), visit_field, search);
        if (!clang_Cursor_isNull(search->found)) return CXVisit_Break;
    }
    return CXVisit_Continue;
}

static bool type_field_offset(CXType type, const char *field, uint32_t *offset)
{
    long long bits = 0;
    for (const char *at = field; *at != '\0';) {
        size_t len = strcspn(at, ".");
        FieldSearch search = {.name = at, .len = len, .found = clang_getNullCursor()};
        clang_Type_visitFields(clang_getCanonicalType(type), visit_field, &search);
        if (clang_Cursor_isNull(search.found)) return false;
        bits += search.bits;
        type = clang_getCursorType(search.found);
        at += at[len] == '.' ? len + 1 : len;
    }
    *offset = (uint32_t)(bits / 8);
    return true;
}

bool layout_field_offset(const LayoutName *function, int arg, const char *field, uint32_t *offset)
{
    CXType type = clang_getArgType(clang_getCursorType(function->cursor), (unsigned)(arg - 1));
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Pointer) type = clang_getPointeeType(type);
    return type.kind != CXType_Invalid && type_field_offset(type, field, offset);
}

const char *layout_argument_type(const Layout *layout, const LayoutName *function, int arg)
{
    CXType type = clang_getArgType(clang_getCursorType(function->cursor), (unsigned)(arg - 1));
    return take_string(layout->arena, clang_getTypeSpelling(clang_getCanonicalType(type)));
}

bool layout_argument_is_handle(const LayoutName *function, int arg)
{
    CXType type = clang_getArgType(clang_getCursorType(function->cursor), (unsigned)(arg - 1));
    type = clang_getCanonicalType(type);
    if (type.kind != CXType_Pointer) return false;
    return clang_getCanonicalType(clang_getPointeeType(type)).kind == CXType_Record;
}

const char *layout_exported_name(const Layout *layout, const LayoutName *function)
{
    for (int version = 9; version > 1; version--) {
        const char *versioned = arena_printf(layout->arena, "%s_v%d", function->name, version);
        if (find_name(&layout->macros, versioned) != NULL) return versioned;
    }
    return function->name;
}

// Structures of more than this are passed in memory, on every platform that CUDA has.
enum { PASSED_IN_REGISTERS = 16 };

static const char *passed_type(const Layout *layout, CXType type)
{
    type = clang_getCanonicalType(type);
    long long size = clang_Type_getSizeOf(type);
    switch (type.kind) {
    case CXType_Void:
        return "void";
    case CXType_Pointer:
    case CXType_IncompleteArray:
    case CXType_ConstantArray:
        return "void *";
    case CXType_Float:
        return "float";
    case CXType_Double:
        return "double";
    case CXType_Record:
        return size > PASSED_IN_REGISTERS ? arena_printf(layout->arena, "Bytes%lld", size) : NULL;
    default:
        return size == 8 ? "uint64_t" : size >= 1 && size <= 4 ? "uint32_t" : NULL;
    }
}

const char *layout_passed_type(const Layout *layout, const LayoutName *function, int arg)
{
    CXType type = clang_getCursorType(function->cursor);
    return passed_type(layout, arg == 0 ? clang_getResultType(type)
                                        : clang_getArgType(type, (unsigned)(arg - 1)));
}

bool layout_argument_is_int(const LayoutName *function, int arg, bool pointee)
{
    CXType type = clang_getArgType(clang_getCursorType(function->cursor), (unsigned)(arg - 1));
    type = clang_getCanonicalType(type);
    if (pointee) type = clang_getCanonicalType(clang_getPointeeType(type));
    return type.kind == CXType_Int;
}

int layout_argument_count(const LayoutName *function)
{
    return clang_getNumArgTypes(clang_getCursorType(function->cursor));
}

// Fields of a parameter block that are being gathered.
typedef struct {
    Arena *arena;
    LayoutFields *fields;
} FieldList;

static enum CXVisitorResult gather_field(CXCursor cursor, CXClientData data)
{
    FieldList *list = data;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    long long size = clang_Type_getSizeOf(type);
    LayoutField field = {.offset = (uint32_t)(clang_Cursor_getOffsetOfField(cursor) / 8),
                         .size = (uint32_t)size,
                         .is_structure = type.kind == CXType_Record || size > 8};
    vec_push(list->arena, list->fields, field);
    return CXVisit_Continue;
}

bool layout_callback_fields(const Layout *layout, const char *callback, LayoutFields *fields)
{
    const char *name = arena_printf(layout->arena, "%s%s", callback, parameters_suffix);
    const LayoutName *parameters = find_name(&layout->parameters, name);
    *fields = (LayoutFields){0};
    if (parameters == NULL) return false;
    FieldList list = {.arena = layout->arena, .fields = fields};
    clang_Type_visitFields(clang_getCursorType(parameters->cursor), gather_field, &list);
    return true;
}
