// SPDX-License-Identifier: MIT
// Holds the model's data against the real headers: every modelled function is declared with such
// arguments, every slot names a parameter of a fitting type. Needs a CUDA toolkit of 13.0 or newer
// (CUDA_PATH, CUDA_HOME or the usual place) and is skipped where there is none. Libraries that are
// not installed are left out, and said so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "model/model.h"
#include "toolkit.h"

#include <clang-c/Index.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// __CUDACC__ comes late so that the attributes of the headers stay empty while their C++ overloads
// are seen.
static const char source_text[] =
    "#define CUDA_ENABLE_DEPRECATED 1\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <malloc.h>\n"
    "#include <array>\n#include <deque>\n#include <forward_list>\n#include <list>\n"
    "#include <map>\n#include <queue>\n#include <set>\n#include <stack>\n"
    "#include <string>\n#include <unordered_map>\n#include <unordered_set>\n"
    "#include <any>\n#include <atomic>\n#include <condition_variable>\n#include <future>\n"
    "#include <memory>\n#include <pthread.h>\n#include <semaphore.h>\n#include <thread>\n"
    "#include <threads.h>\n"
    "#include <vector>\n#include <algorithm>\n#include <functional>\n#include <iterator>\n"
    "#include <numeric>\n#include <tuple>\n#include <utility>\n"
    "#include <cuda_runtime_api.h>\n"
    "#define __CUDACC__ 1\n#define __NVCC__ 1\n"
    "#include <cuda_runtime.h>\n#include <cuda.h>\n"
    "#undef __CUDACC__\n#undef __NVCC__\n"
    "#include <cuda_gl_interop.h>\n#include <cudaGL.h>\n"
    "#include <cuda_egl_interop.h>\n#include <cudaEGL.h>\n"
    "#include <cuda_vdpau_interop.h>\n#include <cudaVDPAU.h>\n"
    "#define TRY(header) __has_include(header)\n"
    "#if TRY(<cublas_v2.h>)\n#include <cublas_v2.h>\n"
    "#include <cublasLt.h>\n#include <cublasXt.h>\n#endif\n"
    "#if TRY(<cufft.h>)\n#include <cufft.h>\n#include <cufftXt.h>\n#endif\n"
    "#if TRY(<curand.h>)\n#include <curand.h>\n#endif\n"
    "#if TRY(<cusparse.h>)\n#include <cusparse.h>\n#endif\n"
    "#if TRY(<cusolverDn.h>)\n#include <cusolverDn.h>\n#include <cusolverSp.h>\n"
    "#include <cusolverSp_LOWLEVEL_PREVIEW.h>\n"
    "#include <cusolverRf.h>\n#include <cusolverMg.h>\n#endif\n"
    "#if TRY(<cudnn.h>)\n#include <cudnn.h>\n#endif\n"
    "#if TRY(<nccl.h>)\n#include <nccl.h>\n#endif\n"
    "#if TRY(<nvrtc.h>)\n#include <nvrtc.h>\n#endif\n"
    "#if TRY(<nvJitLink.h>)\n#include <nvJitLink.h>\n#endif\n"
    "#if TRY(<nvvm.h>)\n#include <nvvm.h>\n#endif\n"
    "static const int toolkit_version = CUDART_VERSION;\n";

// The little that the graphics headers of the toolkit need from those of other projects.
static const struct CXUnsavedFile stand_ins[] = {
    {"/stand-in/GL/gl.h", "typedef unsigned GLuint; typedef unsigned GLenum;\n", 0},
    {"/stand-in/EGL/egl.h",
     "typedef void *EGLStreamKHR; typedef void *EGLImageKHR; typedef void *EGLSyncKHR; typedef int "
     "EGLint;\n",
     0},
    {"/stand-in/EGL/eglext.h", "\n", 0},
    {"/stand-in/vdpau/vdpau.h",
     "typedef unsigned VdpDevice, VdpVideoSurface, VdpOutputSurface; typedef int "
     "VdpGetProcAddress();\n",
     0},
    // The legacy interface of cuBLAS cannot be included beside the other.
    {"/stand-in/legacy.cpp", "#if __has_include(<cublas.h>)\n#include <cublas.h>\n#endif\n", 0},
    {"/stand-in/all.cpp", source_text, 0},
};
enum { STAND_IN_COUNT = sizeof stand_ins / sizeof *stand_ins };

typedef struct {
    Arena *arena;
    StrPool *strings;
    const Model *model;
    bool *seen;        // by index of the function: it has a declaration that fits
    uint32_t declared; // declarations that the model knows
    uint32_t problems;
    uint32_t unknown; // declarations of the runtime and the driver API that the model does not know
    int version;      // CUDART_VERSION of the headers
    const ModelFunction *function; // being checked
} Check;

static const char *text_of(Check *check, CXString string)
{
    const char *text = clang_getCString(string);
    const char *kept = str_intern(check->strings, text != NULL ? text : "");
    clang_disposeString(string);
    return kept;
}

__attribute__((format(printf, 2, 3))) static void problem(Check *check, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(check->arena, format, args);
    va_end(args);
    const ModelFunction *function = check->function;
    fprintf(stderr, "%s:%d: %s: %s\n", function->file, function->line, function->name, what);
    check->problems++;
}

// ---- types --------------------------------------------------------------------------------------

static bool is_handle_named(CXType type, const char *record)
{
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind != CXType_Pointer) return false;
    CXString spelling = clang_getTypeSpelling(clang_getPointeeType(canonical));
    bool is_named = strstr(clang_getCString(spelling), record) != NULL;
    clang_disposeString(spelling);
    return is_named;
}

// What a pointer or reference parameter leads to; CXType_Invalid for others.
static CXType pointee_of(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    bool is_indirect = canonical.kind == CXType_Pointer ||
                       canonical.kind == CXType_LValueReference ||
                       canonical.kind == CXType_RValueReference;
    if (is_indirect) return clang_getPointeeType(canonical);
    if (canonical.kind == CXType_IncompleteArray || canonical.kind == CXType_ConstantArray)
        return clang_getArrayElementType(canonical);
    // A CUdeviceptr is an address as an integer; what it leads to has no type.
    if (canonical.kind == CXType_ULongLong) return canonical;
    return (CXType){.kind = CXType_Invalid};
}

typedef struct {
    const char *name;
    size_t len;
    CXType found;
} FieldSearch;

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    FieldSearch *search = data;
    CXString spelling = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(spelling);
    bool is_it = strncmp(name, search->name, search->len) == 0 && name[search->len] == '\0';
    bool is_anonymous = name[0] == '\0';
    clang_disposeString(spelling);
    if (is_it)
        search->found = clang_getCursorType(cursor);
    else if (is_anonymous)
        clang_Type_visitFields(clang_getCursorType(cursor), visit_field, search);
    return search->found.kind != CXType_Invalid ? CXVisit_Break : CXVisit_Continue;
}

// The type of the field path in a record; CXType_Invalid when there is none.
static CXType field_of(CXType record, const char *path)
{
    for (const char *at = path;;) {
        size_t len = strcspn(at, ".");
        FieldSearch search = {.name = at, .len = len, .found = {.kind = CXType_Invalid}};
        clang_Type_visitFields(clang_getCanonicalType(record), visit_field, &search);
        if (search.found.kind == CXType_Invalid || at[len] == '\0') return search.found;
        record = search.found;
        at += len + 1;
    }
}

// ---- one declaration against its entry ----------------------------------------------------------

static CXType argument_type(CXCursor function, int arg)
{
    CXType none = {.kind = CXType_Invalid};
    if (clang_getCursorKind(function) != CXCursor_FunctionTemplate) {
        int count = clang_Cursor_getNumArguments(function);
        return arg <= count
                   ? clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)arg - 1))
                   : none;
    }
    CXType type = clang_getCursorType(function);
    int count = clang_getNumArgTypes(type);
    if (arg <= count) return clang_getArgType(type, (unsigned)arg - 1);
    // A parameter pack is any number of arguments.
    CXType last = count > 0 ? clang_getArgType(type, (unsigned)count - 1) : none;
    CXString spelling = clang_getTypeSpelling(last);
    const char *text = clang_getCString(spelling);
    size_t len = text == NULL ? 0 : strlen(text);
    bool is_pack = len >= 3 && strcmp(text + len - 3, "...") == 0;
    clang_disposeString(spelling);
    return is_pack ? last : none;
}

static bool effect_stores(ModelEffectKind kind)
{
    return kind == MODEL_ACQUIRE || kind == MODEL_BORROW || kind == MODEL_WRITE_OUT;
}

static bool is_stored_in(CXType type)
{
    return clang_isConstQualifiedType(type) == 0;
}

static void check_slot(Check *check, CXCursor function, ModelSlot slot, ModelEffectKind kind)
{
    if (slot.arg == MODEL_SLOT_NONE || slot.arg == MODEL_SLOT_THIS) return;
    if (slot.arg == 0) {
        if (clang_getCursorResultType(function).kind == CXType_Void)
            problem(check, "slot 0, but it returns nothing");
        return;
    }
    CXType type = argument_type(function, slot.arg);
    if (type.kind == CXType_Invalid) {
        problem(check, "%s names argument %d, which it does not have", model_effect_text(kind),
                slot.arg);
        return;
    }
    CXType object = slot.pointee ? pointee_of(type) : type;
    if (object.kind == CXType_Invalid) {
        problem(check, "%s: argument %d is no pointer", model_effect_text(kind), slot.arg);
        return;
    }
    if (slot.field != NULL) object = field_of(object, slot.field);
    if (object.kind == CXType_Invalid)
        problem(check, "argument %d has no field %s", slot.arg, slot.field);
    else if (effect_stores(kind) && slot.pointee && !is_stored_in(object))
        problem(check, "%s: argument %d points to const", model_effect_text(kind), slot.arg);
}

// What is released, used or kept as a value is a pointer, a handle or an integer that stands for
// one.
static void check_value(Check *check, CXCursor function, const ModelEffect *effect)
{
    ModelSlot slot = effect->slot;
    if (slot.pointee || slot.field != NULL || slot.arg < 1) return;
    CXType type = clang_getCanonicalType(argument_type(function, slot.arg));
    bool is_integer = type.kind == CXType_UInt || type.kind == CXType_Int ||
                      type.kind == CXType_ULong || type.kind == CXType_ULongLong;
    bool is_enum = type.kind == CXType_Enum; // ncclRedOp_t
    bool is_value = type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
                    type.kind == CXType_RValueReference || is_integer || is_enum ||
                    type.kind == CXType_Unexposed || type.kind == CXType_Invalid;
    if (!is_value)
        problem(check, "%s: argument %d is no pointer or handle", model_effect_text(effect->kind),
                slot.arg);
    if (effect->kind == MODEL_USE_WRITE && clang_isConstQualifiedType(pointee_of(type)))
        problem(check, "writes: argument %d points to const", slot.arg);
}

static void check_order(Check *check, CXCursor decl)
{
    const ModelFunction *function = check->function;
    int count = clang_getNumArgTypes(clang_getCursorType(decl));
    if (function->stream_arg > 0 && function->stream_arg <= count) {
        CXType type = argument_type(decl, function->stream_arg);
        if (function->stream_field != NULL)
            type = field_of(pointee_of(type), function->stream_field);
        if (!is_handle_named(type, "CUstream_st"))
            problem(check, "argument %d is no stream", function->stream_arg);
    } else if (function->stream_arg > 0)
        problem(check, "there is no argument %d", function->stream_arg);
    if (function->event_arg > 0 &&
        !is_handle_named(argument_type(decl, function->event_arg), "CUevent_st"))
        problem(check, "argument %d is no event", function->event_arg);
    // Work goes to the stream that a call is given: an entry that says so must name it.
    bool wants_stream = function->order == ORDER_ENQUEUE || function->order == ORDER_COPY_ASYNC;
    for (int i = 1; wants_stream && function->stream_arg == 0 && i <= count; i++) {
        if (is_handle_named(argument_type(decl, i), "CUstream_st"))
            problem(check, "argument %d is its stream", i);
    }
}

static void check_result(Check *check, CXCursor decl)
{
    CXType result = clang_getCanonicalType(clang_getCursorResultType(decl));
    switch (check->function->result) {
    case MODEL_RESULT_STATUS:
        if (result.kind != CXType_Enum && result.kind != CXType_Int)
            problem(check, "its result is no status");
        break;
    case MODEL_RESULT_POINTER:
        if (result.kind != CXType_Pointer) problem(check, "its result is no pointer");
        break;
    case MODEL_RESULT_OTHER:
        break;
    }
}

// The runtime and the driver API are modelled completely.
static void check_unknown(Check *check, CXCursor decl, const char *qualified)
{
    const char *result = text_of(check, clang_getTypeSpelling(clang_getCursorResultType(decl)));
    bool is_api = strcmp(result, "cudaError_t") == 0 || strcmp(result, "CUresult") == 0;
    if (!is_api || strstr(qualified, "::") != NULL || strncmp(qualified, "cu", 2) != 0) return;
    fprintf(stderr, "note: %s is not modelled\n", qualified);
    check->unknown++;
}

static void check_declaration(Check *check, CXCursor decl, const char *qualified)
{
    int count = clang_getNumArgTypes(clang_getCursorType(decl));
    const ModelFunction *function = model_find(check->model, qualified, count < 0 ? 0 : count);
    if (function == NULL) {
        check_unknown(check, decl, qualified);
        return;
    }
    check->declared++;
    check->function = function;
    for (uint32_t i = 0; i < model_function_count(check->model); i++) {
        if (model_function_at(check->model, i) == function) check->seen[i] = true;
    }
    check_result(check, decl);
    check_order(check, decl);
    for (uint32_t i = 0; i < function->effects.len; i++) {
        const ModelEffect *effect = &function->effects.items[i];
        check_slot(check, decl, effect->slot, effect->kind);
        check_slot(check, decl, effect->owner, MODEL_USE_READ);
        check_slot(check, decl, effect->from, MODEL_USE_READ);
        check_value(check, decl, effect);
    }
}

// ---- the headers --------------------------------------------------------------------------------

static const char *qualified_name(Check *check, CXCursor decl)
{
    const char *name = text_of(check, clang_getCursorSpelling(decl));
    CXCursor parent = clang_getCursorSemanticParent(decl);
    for (; clang_getCursorKind(parent) != CXCursor_TranslationUnit && !clang_Cursor_isNull(parent);
         parent = clang_getCursorSemanticParent(parent)) {
        if (clang_getCursorKind(parent) == CXCursor_LinkageSpec) continue;
        name = str_internf(check->strings, "%s::%s",
                           text_of(check, clang_getCursorSpelling(parent)), name);
    }
    return name;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Check *check = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
    case CXCursor_UnexposedDecl:
        return CXChildVisit_Recurse;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor: {
        // A template's constructor is spelled with the template's parameters.
        const char *name = qualified_name(check, cursor);
        bool is_constructor = clang_getCursorKind(cursor) == CXCursor_Constructor ||
                              clang_getTemplateCursorKind(cursor) == CXCursor_Constructor;
        int len = is_constructor ? (int)strcspn(name, "<") : (int)strlen(name);
        check_declaration(check, cursor, arena_printf(check->arena, "%.*s", len, name));
        break;
    }
    case CXCursor_VarDecl:
        if (strcmp(text_of(check, clang_getCursorSpelling(cursor)), "toolkit_version") == 0) {
            CXEvalResult value = clang_Cursor_Evaluate(cursor);
            check->version = clang_EvalResult_getAsInt(value);
            clang_EvalResult_dispose(value);
        }
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static bool file_is_seen(const Check *check, const char *file)
{
    for (uint32_t i = 0; i < model_function_count(check->model); i++) {
        if (check->seen[i] && strcmp(model_function_at(check->model, i)->file, file) == 0)
            return true;
    }
    return false;
}

// Entries that no declaration fits: only those of other versions, and of libraries that are not
// here, may be.
static void check_unseen(Check *check)
{
    const char *missing = "";
    for (uint32_t i = 0; i < model_function_count(check->model); i++) {
        const ModelFunction *function = model_function_at(check->model, i);
        if (check->seen[i]) continue;
        bool is_other_version = (function->until != 0 && function->until < check->version) ||
                                function->since > check->version;
        if (is_other_version) continue;
        check->function = function;
        if (file_is_seen(check, function->file))
            problem(check, "no declaration with such arguments");
        else if (strcmp(missing, function->file) != 0)
            fprintf(stderr, "note: no headers for %s\n", missing = function->file);
    }
}

static void check_headers(Check *check, const char *root, const char *file)
{
    const char *include = arena_printf(check->arena, "-I%s/include", root);
    const char *args[] = {"-std=c++17",    "-w",          "-ferror-limit=0",
                          "-D_GNU_SOURCE", "-I/stand-in", include};
    struct CXUnsavedFile files[STAND_IN_COUNT];
    memcpy(files, stand_ins, sizeof files);
    for (size_t i = 0; i < STAND_IN_COUNT; i++) files[i].Length = strlen(files[i].Contents);
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit =
        clang_parseTranslationUnit(index, file, args, sizeof args / sizeof *args, files,
                                   STAND_IN_COUNT, CXTranslationUnit_KeepGoing);
    assert_non_null(unit);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, check);
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
}

static void every_function_fits_its_declaration(void **state)
{
    Arena *arena = arena_new("test");
    Check check = {.arena = arena, .strings = str_pool_new(arena), .model = model_new(arena)};
    check.seen = ARENA_ARRAY(arena, bool, model_function_count(check.model));
    check_headers(&check, *state, "/stand-in/all.cpp");
    check_headers(&check, *state, "/stand-in/legacy.cpp");
    check_unseen(&check);
    printf("toolkit %d, %u declarations, %u problems\n", check.version, (unsigned)check.declared,
           (unsigned)check.problems);
    assert_true(check.declared > 500);
    assert_int_equal(check.problems, 0);
    // A newer toolkit may have functions that the model has not heard of.
    if (check.version <= KNOWN_VERSION) assert_int_equal(check.unknown, 0);
    arena_free(arena);
}

int main(void)
{
    const char *root = find_toolkit();
    if (root == NULL) {
        printf("skipped: no CUDA toolkit (CUDA_PATH, CUDA_HOME)\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_function_fits_its_declaration, (void *)(uintptr_t)root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
