// SPDX-License-Identifier: MIT
// The bundled CUDA headers: each can be included alone and before all others, in C and in C++, and
// declares what the header it stands for declares. The last needs a CUDA toolkit of the version they were written
// from, and is left out where there is none.
#include "base/str.h"
#include "remove_tree.h"
#include "toolkit.h"
#include "tu/tu_parse_p.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    TuParser *parser;
    char *cache; // a folder for the precompiled header
} World;

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    World *world = ARENA_NEW(arena, World);
    world->arena = arena;
    world->cache = arena_strdup(arena, "/tmp/cudalint-test-XXXXXX");
    assert_non_null(mkdtemp(world->cache));
    TuOptions options = {.cache_dir = world->cache};
    Err err = {.arena = arena};
    assert_int_equal(tu_parser_new(arena, &options, &world->parser, &err), ST_OK);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    World *world = *state;
    remove_tree(world->arena, world->cache);
    arena_free(world->arena);
    return 0;
}

// ---- errors of a text in memory -----------------------------------------------------------------

static const char *spelling(Arena *arena, CXString string)
{
    const char *copy = arena_strdup(arena, clang_getCString(string));
    clang_disposeString(string);
    return copy;
}

typedef Vec(uint32_t) Lines;

// The lines of the text in which there are errors; prints what they are if `says`.
static Lines error_lines(Arena *arena, CXTranslationUnit tu, bool says)
{
    Lines lines = {0};
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            unsigned line = 0;
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), NULL, &line, NULL,
                                       NULL);
            vec_push(arena, &lines, line);
            unsigned format = clang_defaultDiagnosticDisplayOptions();
            if (says)
                fprintf(stderr, "%s\n",
                        spelling(arena, clang_formatDiagnostic(diagnostic, format)));
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return lines;
}

static Lines parse_bundled(World *world, const char *name, const char *text, bool says)
{
    TuInput input = {.file = name};
    tu_parser_use(world->parser, &input);
    TuExtra extra = {0};
    struct CXUnsavedFile file = {name, text, strlen(text)};
    vec_push(world->arena, &extra.files, file);
    CXTranslationUnit tu = NULL;
    assert_int_equal(tu_parse_file(world->parser, world->arena, name, &extra, &tu), ST_OK);
    Lines lines = error_lines(world->arena, tu, says);
    clang_disposeTranslationUnit(tu);
    return lines;
}

// ---- alone --------------------------------------------------------------------------------------

#define INCLUDE_DIR TU_VIRTUAL_ROOT "include/"

// What users include: our own parts of the headers are not, and the folders are C++ libraries.
static bool is_public(const char *path, bool is_c)
{
    if (strncmp(path, INCLUDE_DIR, strlen(INCLUDE_DIR)) != 0) return false;
    const char *name = path + strlen(INCLUDE_DIR);
    return strncmp(name, "cudalint_", strlen("cudalint_")) != 0 &&
           !(is_c && strchr(name, '/') != NULL);
}

static void assert_stand_alone(World *world, const char *file, bool is_c)
{
    uint32_t checked = 0, wrong = 0;
    for (uint32_t i = 0; i < world->parser->file_count; i++) {
        const char *path = world->parser->files[i].Filename;
        if (!is_public(path, is_c)) continue;
        const char *text =
            arena_printf(world->arena, "#include <%s>\n", path + strlen(INCLUDE_DIR));
        if (parse_bundled(world, file, text, /*says=*/true).len > 0) wrong++;
        checked++;
    }
    assert_true(checked > 60);
    assert_int_equal(wrong, 0);
}

static void each_stands_alone_in_c(void **state)
{
    assert_stand_alone(*state, "/stand-in/alone.c", /*is_c=*/true);
}

static void each_stands_alone_in_cpp(void **state)
{
    assert_stand_alone(*state, "/stand-in/alone.cpp", /*is_c=*/false);
}

// ---- together -----------------------------------------------------------------------------------

static const char *const libraries[] = {
    "cuda_runtime_api.h", "cuda.h",       "cublas_v2.h",  "cublasLt.h",
    "cublasXt.h",         "cusparse.h",   "cufft.h",      "cufftXt.h",
    "curand.h",           "cusolverDn.h", "cusolverSp.h", "cusolverRf.h",
    "cusolverMg.h",       "cudnn.h",      "nccl.h",       "nvrtc.h",
    "nvJitLink.h",        "nvvm.h",       "cuComplex.h",
};
enum { LIBRARY_COUNT = sizeof libraries / sizeof *libraries };

// Behind one library's header come all the others, in this order or in reverse: what two of them
// both declare, they declare in either order.
static const char *text_together(World *world, size_t first, bool is_reverse)
{
    StrBuf text = {.arena = world->arena};
    strbuf_printf(&text, "#include <%s>\n", libraries[first]);
    for (size_t i = 0; i < LIBRARY_COUNT; i++)
        strbuf_printf(&text, "#include <%s>\n", libraries[is_reverse ? LIBRARY_COUNT - 1 - i : i]);
    return strbuf_text(&text);
}

static void assert_stand_together(World *world, const char *file)
{
    for (size_t i = 0; i < LIBRARY_COUNT; i++) {
        for (int is_reverse = 0; is_reverse < 2; is_reverse++) {
            const char *text = text_together(world, i, is_reverse);
            assert_int_equal(parse_bundled(world, file, text, /*says=*/true).len, 0);
        }
    }
}

static void each_stands_before_the_others_in_c(void **state)
{
    assert_stand_together(*state, "/stand-in/together.c");
}

static void each_stands_before_the_others_in_cpp(void **state)
{
    assert_stand_together(*state, "/stand-in/together.cpp");
}

// ---- complete -----------------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    CXTranslationUnit tu;
    const char *folder; // the toolkit's headers lie in it
    Vec(const char *) checks;
} Names;

// A check takes three lines, so that the line of an error tells which it is. What is a macro in the
// toolkit's header may be a function in ours, and the other way round.
static void add_check(Names *names, const char *name)
{
    vec_push(names->arena, &names->checks,
             arena_printf(names->arena, "#ifndef %s\n_Static_assert(sizeof(%s), \"\");\n#endif\n",
                          name, name));
}

static bool is_of_library(const Names *names, CXCursor cursor)
{
    CXFile file = NULL;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    if (file == NULL) return false;
    const char *path = spelling(names->arena, clang_getFileName(file));
    size_t len = strlen(names->folder);
    // The half types are made by macros that users never see.
    if (strstr(path, "/cuda_fp16.") != NULL || strstr(path, "/cuda_bf16.") != NULL) return false;
    // Those in folders below are the C++ libraries and what only the headers themselves include.
    return strncmp(path, names->folder, len) == 0 && strchr(path + len, '/') == NULL;
}

// A macro that stands for something: neither an include guard nor an attribute.
static bool has_value(const Names *names, CXCursor macro)
{
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(names->tu, clang_getCursorExtent(macro), &tokens, &count);
    bool has =
        count > 1 && strcmp(spelling(names->arena, clang_getTokenSpelling(names->tu, tokens[1])),
                            "__attribute__") != 0;
    if (tokens != NULL) clang_disposeTokens(names->tu, tokens, count);
    return has;
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Names *names = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_EnumDecl) return CXChildVisit_Recurse;
    bool is_macro = kind == CXCursor_MacroDefinition;
    bool is_name = is_macro || kind == CXCursor_EnumConstantDecl || kind == CXCursor_FunctionDecl;
    if (!is_name || !is_of_library(names, cursor)) return CXChildVisit_Continue;
    const char *name = spelling(names->arena, clang_getCursorSpelling(cursor));
    if (name[0] != '_' && (!is_macro || has_value(names, cursor))) add_check(names, name);
    return CXChildVisit_Continue;
}

static void parse_real(Names *names, CXIndex index, const char *text)
{
    const char *args[] = {"-xc", "-std=c17", "-w", "-ferror-limit=0", "-isystem", names->folder};
    struct CXUnsavedFile file = {"/stand-in/real.c", text, strlen(text)};
    names->tu = clang_parseTranslationUnit(index, file.Filename, args, sizeof args / sizeof *args,
                                           &file, 1, CXTranslationUnit_DetailedPreprocessingRecord);
    assert_non_null(names->tu);
}

static const char *check_text(const Names *names, const char *library)
{
    StrBuf text = {.arena = names->arena};
    strbuf_printf(&text, "#include <%s>\n", library);
    for (uint32_t i = 0; i < names->checks.len; i++) strbuf_append(&text, names->checks.items[i]);
    return strbuf_text(&text);
}

static bool *failed_checks(const Names *names, Lines lines)
{
    bool *failed = ARENA_ARRAY(names->arena, bool, names->checks.len + 1);
    for (uint32_t i = 0; i < lines.len; i++) {
        uint32_t check = (lines.items[i] - 2) / 3;
        if (lines.items[i] >= 2 && check < names->checks.len) failed[check] = true;
    }
    return failed;
}

// The checks that the toolkit's header passes (it takes some of its macros back) and ours fails.
static uint32_t missing_of(World *world, Names *names, CXIndex index, const char *library)
{
    names->checks.len = 0;
    parse_real(names, index, arena_printf(world->arena, "#include <%s>\n", library));
    clang_visitChildren(clang_getTranslationUnitCursor(names->tu), collect, names);
    clang_disposeTranslationUnit(names->tu);
    const char *text = check_text(names, library);
    parse_real(names, index, text);
    const bool *real = failed_checks(names, error_lines(world->arena, names->tu, /*says=*/false));
    clang_disposeTranslationUnit(names->tu);
    const bool *ours =
        failed_checks(names, parse_bundled(world, "/stand-in/ours.c", text, /*says=*/false));
    uint32_t missing = 0;
    for (uint32_t i = 0; i < names->checks.len; i++) {
        if (real[i] || !ours[i]) continue;
        fprintf(stderr, "%s: fails:\n%s", library, names->checks.items[i]);
        missing++;
    }
    printf("%s: %u names, %u missing\n", library, (unsigned)names->checks.len, (unsigned)missing);
    return missing;
}

static bool is_known_version(Names *names, CXIndex index)
{
    const char *text = arena_printf(names->arena,
                                    "#include <cuda_runtime_api.h>\n"
                                    "#if CUDART_VERSION != %d\n#error other\n#endif\n",
                                    KNOWN_VERSION);
    parse_real(names, index, text);
    bool is_known = error_lines(names->arena, names->tu, /*says=*/false).len == 0;
    clang_disposeTranslationUnit(names->tu);
    return is_known;
}

static bool is_installed(const Names *names, const char *library)
{
    return access(arena_printf(names->arena, "%s%s", names->folder, library), R_OK) == 0;
}

static void each_declares_what_the_toolkit_does(void **state)
{
    World *world = *state;
    const char *root = find_toolkit();
    if (root == NULL) skip();
    Names names = {.arena = world->arena,
                   .folder = arena_printf(world->arena, "%s/include/", root)};
    CXIndex index = clang_createIndex(0, 0);
    uint32_t missing = 0;
    for (size_t i = 0; i < LIBRARY_COUNT; i++) {
        if (is_installed(&names, libraries[i]))
            missing += missing_of(world, &names, index, libraries[i]);
    }
    // Another toolkit has names that ours have never had, or no longer.
    if (is_known_version(&names, index)) assert_int_equal(missing, 0);
    clang_disposeIndex(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stands_alone_in_c),
        cmocka_unit_test(each_stands_alone_in_cpp),
        cmocka_unit_test(each_stands_before_the_others_in_c),
        cmocka_unit_test(each_stands_before_the_others_in_cpp),
        cmocka_unit_test(each_declares_what_the_toolkit_does),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
