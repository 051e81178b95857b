// SPDX-License-Identifier: MIT
// The front end on small files: which functions are found, what is skipped and why, how bad input
// and a bad cache end.
#include "base/log.h"
#include "base/str.h"
#include "ir/ir.h"
#include "remove_tree.h"
#include "tu/tu.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const char *dir;   // everything is written below it
    const char *cache; // shared by the tests: making a precompiled header takes a second
    TuParser *parser;
} World;

typedef struct {
    Status status;
    IrUnit *unit;
    TuStats stats;
    Err err;
} Result;

// ---- files --------------------------------------------------------------------------------------

static const char *path_of(World *world, const char *name)
{
    return arena_printf(world->arena, "%s/%s", world->dir, name);
}

static const char *write_bytes(World *world, const char *name, const char *text, size_t len)
{
    const char *path = path_of(world, name);
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0755);
        *at = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    fclose(file);
    return path;
}

static const char *write_file(World *world, const char *name, const char *text)
{
    return write_bytes(world, name, text, strlen(text));
}

// Names of the files in `dir` that end in `suffix`, counted; `last` is one of them.
static int count_files(World *world, const char *dir, const char *suffix, const char **last)
{
    DIR *handle = opendir(dir);
    int count = 0;
    if (handle == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;) {
        if (!str_ends_with(entry->d_name, suffix)) continue;
        count++;
        if (last != NULL) *last = arena_printf(world->arena, "%s/%s", dir, entry->d_name);
    }
    closedir(handle);
    return count;
}

static int setup(void **state)
{
    Arena *arena = arena_new("test");
    World *world = ARENA_NEW(arena, World);
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(arena, "%s/cudalint-test-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    if (mkdtemp(dir) == NULL) return -1;
    *world = (World){.arena = arena, .dir = dir, .cache = arena_printf(arena, "%s/cache", dir)};
    Err err = {.arena = arena};
    TuOptions options = {.cache_dir = world->cache};
    if (tu_parser_new(arena, &options, &world->parser, &err) != ST_OK) {
        log_error("%s", err.message);
        return -1;
    }
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    World *world = *state;
    remove_tree(world->arena, world->dir);
    arena_free(world->arena);
    return 0;
}

// ---- running ------------------------------------------------------------------------------------

// `option` is for the compiler; NULL: none.
static Result lower_as(World *world, TuParser *parser, const char *path, const char *option)
{
    Result result = {.err = {.arena = world->arena}};
    TuCommand command = {.args = &option, .count = option != NULL ? 1 : 0};
    TuInput input = {.file = path};
    assert_int_equal(
        tu_args_translate(world->arena, &command, NULL, NULL, &input.args, &result.err), ST_OK);
    result.status =
        tu_lower_file(parser, world->arena, &input, &result.unit, &result.stats, &result.err);
    return result;
}

static Result lower_with(World *world, TuParser *parser, const char *path)
{
    return lower_as(world, parser, path, NULL);
}

static Result lower(World *world, const char *name, const char *text)
{
    return lower_with(world, world->parser, write_file(world, name, text));
}

static TuParser *parser_with(World *world, const TuOptions *options)
{
    TuParser *parser = NULL;
    Err err = {.arena = world->arena};
    assert_int_equal(tu_parser_new(world->arena, options, &parser, &err), ST_OK);
    return parser;
}

static int count_functions(const IrUnit *unit, const char *name)
{
    int count = 0;
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (strcmp(unit->functions.items[i]->name, name) == 0) count++;
    return count;
}

static const char *skip_reason(const IrUnit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->skipped.len; i++)
        if (strcmp(unit->skipped.items[i].name, name) == 0) return unit->skipped.items[i].reason;
    return NULL;
}

static bool has_diagnostic(const Result *result, const char *part)
{
    for (uint32_t i = 0; i < result->stats.diagnostics.len; i++)
        if (strstr(result->stats.diagnostics.items[i], part) != NULL) return true;
    return false;
}

// ---- which functions ----------------------------------------------------------------------------

static void finds_each_host_function_once(void **state)
{
    World *world = *state;
    write_file(world, "walk/own.h",
               "#pragma once\ninline int from_header(int x) { return x + 1; }\n");
    Result r =
        lower(world, "walk/a.cu",
              "#include \"own.h\"\n#include \"own.h\"\n#include <vector>\n"
              "__global__ void kernel(int *p) { *p = 1; }\n"
              "__device__ int on_device() { return 1; }\n"
              "__host__ __device__ int both() { return 1; }\n"
              "int declared();\nextern \"C\" int c_function() { return 1; }\n"
              "namespace ns { namespace { int hidden() { return 1; } } }\n"
              "struct Buf { float *p; Buf(int n) { cudaMalloc(&p, n); } ~Buf();\n"
              "  struct Inner { int m() { return 2; } }; friend int amigo(Buf &) { return 3; } };\n"
              "Buf::~Buf() { cudaFree(p); }\n"
              "int main() { struct Local { int m() { return 1; } } l; std::vector<int> v; "
              "v.push_back(1);\n"
              "  kernel<<<1, 1>>>(nullptr); return l.m(); }\n");
    assert_int_equal(r.status, ST_OK);
    const char *const found[] = {"from_header", "both",  "c_function",    "Buf::Buf",
                                 "Buf::~Buf",   "amigo", "Buf::Inner::m", "main"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (count_functions(r.unit, found[i]) != 1)
            fail_msg("%s: %d times", found[i], count_functions(r.unit, found[i]));
    assert_int_equal(count_functions(r.unit, "kernel"), 0);
    assert_int_equal(count_functions(r.unit, "on_device"), 0);
    assert_int_equal(r.unit->host_functions, 10); // those, ns::hidden and Local::m
    assert_int_equal(r.unit->skipped.len, 0);
    assert_int_equal(r.stats.error_count, 0);
}

static void takes_instantiations_before_patterns(void **state)
{
    World *world = *state;
    Result r = lower(
        world, "templates.cu",
        "template <class T> T *grab(int n) { T *p; cudaMalloc(&p, n * sizeof(T)); return p; }\n"
        "template <class T> int unused(T x) { return 1; }\n"
        "template <> int *grab<int>(int n) { return nullptr; }\n"
        "template <class T> struct Box { T *p; void fill() { cudaMalloc(&p, 4); } void never() {} "
        "};\n"
        "int main() { Box<double> b; b.fill(); return grab<float>(1) != nullptr; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(count_functions(r.unit, "grab<float>"), 1);
    assert_int_equal(count_functions(r.unit, "grab<int>"), 1);
    assert_int_equal(count_functions(r.unit, "grab"), 0);
    assert_int_equal(count_functions(r.unit, "Box<double>::fill"), 1);
    assert_int_equal(r.unit->host_functions,
                     6); // those, main, and the patterns unused and Box::never
}

static void takes_members_defined_outside_for_their_template(void **state)
{
    World *world = *state;
    Result r =
        lower(world, "outside_class.cu",
              "template <class T> struct A { A(); ~A(); void fill(); static int count();\n"
              "  operator int(); template <class U> void put(U u); void never();\n"
              "  struct In { void in(); }; };\n"
              "template <class T> struct P;\n"
              "template <class T> struct P<T *> { void part(); };\n"
              "template <class T> A<T>::A() {}\n"
              "template <class T> A<T>::~A() {}\n"
              "template <class T> void A<T>::fill() {}\n"
              "template <class T> int A<T>::count() { return 1; }\n"
              "template <class T> A<T>::operator int() { return 1; }\n"
              "template <class T> template <class U> void A<T>::put(U u) {}\n"
              "template <class T> void A<T>::never() {}\n"
              "template <class T> void A<T>::In::in() {}\n"
              "template <class T> void P<T *>::part() {}\n"
              "template <> void A<char>::fill() {}\n"
              "template <class T> T later(T);\n"
              "int main() { A<int> a; a.fill(); a.put(2); A<int>::In i; i.in(); P<int *> p;\n"
              "  p.part(); return A<int>::count() + a + later(1); }\n"
              "template <class T> T later(T x) { return x; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    const char *const found[] = {"A<int>::A",     "A<int>::~A",     "A<int>::fill",
                                 "A<char>::fill", "A<int>::count",  "A<int>::operator int",
                                 "A<int>::put",   "A<int>::In::in", "P<int *>::part",
                                 "later<int>",    "main",           "A<T>::never"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        int count = 0;
        for (uint32_t k = 0; k < r.unit->functions.len; k++)
            if (str_starts_with(r.unit->functions.items[k]->name, found[i])) count++;
        if (count != 1) fail_msg("%s: %d times", found[i], count);
    }
    assert_int_equal(r.unit->host_functions, sizeof found / sizeof *found);
}

// What the precompiled header declares must stay usable from host code in each standard.
static void reads_new_and_delete_in_each_standard(void **state)
{
    World *world = *state;
    const char *path = write_file(
        world, "allocate.cu",
        "#include <memory>\n#include <new>\n#include <vector>\nstruct S { int a; };\n"
        "int plain(int n) { int *p = new int[n]; delete[] p; S *s = new S; delete s; return n; }\n"
        "void owners(int n) { std::vector<float> v(n); v.push_back(1);\n"
        "  std::unique_ptr<S> p(new S); std::unique_ptr<int[]> q(new int[n]); }\n"
        "void shared() { auto s = std::make_shared<S>(); }\n"
        "#if __cplusplus >= 201402L\n"
        "void unique() { auto p = std::make_unique<S>(); }\n"
        "#else\nvoid unique() {}\n#endif\n"
        "void placed(char *b) { S *s = new (std::nothrow) S; delete s; S *t = new (b) S; t->a = 1; "
        "}\n"
        "__host__ __device__ void both(char *b) { S *s = new (b) S; S *t = new S; delete t; }\n"
        "__device__ void on_device(char *b) { S *s = new (b) S; S *t = new S; delete t; }\n"
        "__global__ void kernel(char *b) { S *s = new (b) S; S *t = new S[3]; delete[] t; }\n");
    const char *const standards[] = {"-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20",
                                     "-std=c++23"};
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        TuOptions options = {
            .cache_dir = arena_printf(world->arena, "%s/%s", world->dir, standards[i]),
        };
        Result r = lower_as(world, parser_with(world, &options), path, standards[i]);
        assert_int_equal(r.status, ST_OK);
        for (uint32_t k = 0; k < r.stats.diagnostics.len; k++)
            fail_msg("%s: %s", standards[i], r.stats.diagnostics.items[k]);
        if (r.unit->skipped.len != 0)
            fail_msg("%s: %s", standards[i], r.unit->skipped.items[0].reason);
        assert_int_equal(r.stats.error_count, 0);
        assert_int_equal(r.unit->functions.len, 6);
    }
}

static void reads_c_as_c(void **state)
{
    World *world = *state;
    Result r =
        lower(world, "plain.c",
              "#include <cuda_runtime.h>\n#include <stdlib.h>\n"
              "int *make(int new) { int *p = malloc(new); struct cudaDeviceProp q; undeclared(p);\n"
              "  cudaGetDeviceProperties(&q, 0); cudaMalloc((void **)&p, 4); return p; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    assert_int_equal(count_functions(r.unit, "make"), 1);
}

// ---- what cannot be trusted ---------------------------------------------------------------------

static void skips_damaged_functions_alone(void **state)
{
    World *world = *state;
    Result r =
        lower(world, "taint.cu",
              "__global__ void kernel(int *p) { *p = nothing; }\n__global__ void kernel(int *p);\n"
              "int good() { return 1; }\n"
              "int bad(int *p) {\n  cudaFree(p);\n  p = missing;\n  return 0;\n}\n"
              "unknown_t global;\n"
              "int main() { return good(); }\n");
    assert_int_equal(r.status, ST_OK);
    assert_string_equal(skip_reason(r.unit, "bad"),
                        "line 6: use of undeclared identifier 'missing'");
    assert_int_equal(count_functions(r.unit, "bad"), 0);
    assert_int_equal(count_functions(r.unit, "good"), 1);
    assert_int_equal(count_functions(r.unit, "main"), 1);
    assert_int_equal(r.unit->host_functions, 3);
    assert_int_equal(r.stats.error_count, 2); // and one that costs nothing
    assert_int_equal(r.stats.diagnostics.len, 2);
    assert_true(has_diagnostic(&r, "taint.cu:9:1: unknown type name 'unknown_t'"));
    assert_true(has_diagnostic(&r, "'nothing' (in device code)"));
}

static void goes_on_after_a_missing_include(void **state)
{
    World *world = *state;
    Result r =
        lower(world, "missing.cu",
              "#include <no_such_library.h>\n"
              "template <class T> struct Box { T *p; ~Box() { cudaFree(p); } };\n"
              "int uses() { return library_call(); }\nint main() { Box<int> b; return 0; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_true(has_diagnostic(&r, "'no_such_library.h' file not found"));
    assert_non_null(skip_reason(r.unit, "uses"));
    assert_int_equal(count_functions(r.unit, "Box<int>::~Box"), 1);
}

static void finds_includes_in_the_project(void **state)
{
    World *world = *state;
    write_file(world, "repo/.git/HEAD", "");
    write_file(world, "repo/Common/helper.h",
               "#include \"deep.h\"\nstatic inline int helper() { return DEEP; }\n");
    write_file(world, "repo/lib/include/deep.h", "#define DEEP 1\n");
    write_file(world, "repo/part/stdlib.h", "#error taken for the system's header\n");
    write_file(world, "repo/part/local.h", "#define LOCAL 1\n");
    write_file(world, "outside.h", "");
    Result r = lower(world, "repo/part/one/a.cu",
                     "#include <helper.h>\n#include \"local.h\"\n#include <stdlib.h>\n"
                     "int main() { return helper() + LOCAL; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    assert_int_equal(count_functions(r.unit, "helper"), 1);
    for (uint32_t i = 0; i < r.unit->functions.len; i++)
        if (strcmp(r.unit->functions.items[i]->name, "helper") == 0)
            assert_string_equal(r.unit->functions.items[i]->loc.file,
                                path_of(world, "repo/Common/helper.h"));
    r = lower(world, "repo/part/one/b.cu", "#include \"outside.h\"\nint main() { return 0; }\n");
    assert_true(has_diagnostic(&r, "'outside.h' file not found")); // not beyond the repository
}

static void counts_errors_beyond_a_screenful(void **state)
{
    World *world = *state;
    StrBuf text = {.arena = world->arena};
    for (int i = 0; i < 80; i++) strbuf_printf(&text, "unknown_t variable%d;\n", i);
    strbuf_append(&text, "int main() { return 0; }\n");
    Result r = lower(world, "flood.cu", strbuf_text(&text));
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 80);
    assert_int_equal(r.stats.diagnostics.len, 51);
    assert_true(has_diagnostic(&r, "30 more errors"));
}

// ---- variables that keep their value ------------------------------------------------------------

static bool is_frozen(const IrUnit *unit, const char *name)
{
    for (uint32_t f = 0; f < unit->functions.len; f++) {
        const IrFunction *fn = unit->functions.items[f];
        for (uint32_t v = 0; v < fn->vars.len; v++)
            if (strcmp(fn->vars.items[v].name, name) == 0) return fn->vars.items[v].is_frozen;
    }
    fail_msg("%s is used nowhere", name);
    return false;
}

static void knows_variables_that_are_never_written(void **state)
{
    World *world = *state;
    Result r = lower(
        world, "frozen.cu",
        "static int read_only = 3; static int assigned = 3; static int counted = 3; static int "
        "addressed = 3;\n"
        "static int bound = 3; static int passed = 3; int visible = 3;\n"
        "static __device__ int on_device = 3; static volatile int fickle = 3;\n"
        "namespace { int hidden = 3; }\n"
        "void by_reference(int &x); void by_value(int x);\n"
        "int main() { static int local = 3;\n"
        "  int sum = read_only + hidden + local + visible + on_device + fickle; "
        "by_value(read_only);\n"
        "  if ((read_only) == 3 && hidden) sum += sizeof read_only;\n"
        "  assigned = 1; counted++; int *p = &addressed; int &r = bound; by_reference(passed);\n"
        "  return sum + *p + r + assigned + counted; }\n");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.unit->skipped.len, 0);
    const char *const kept[] = {"read_only", "hidden", "local"};
    const char *const not_kept[] = {"assigned", "counted", "addressed", "bound",
                                    "passed",   "visible", "on_device", "fickle"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!is_frozen(r.unit, kept[i])) fail_msg("%s is never written", kept[i]);
    for (size_t i = 0; i < sizeof not_kept / sizeof *not_kept; i++)
        if (is_frozen(r.unit, not_kept[i])) fail_msg("%s may be written", not_kept[i]);
}

// ---- bad input ----------------------------------------------------------------------------------

static void says_what_is_wrong_with_a_file(void **state)
{
    World *world = *state;
    Result r = lower_with(world, world->parser, path_of(world, "nowhere.cu"));
    assert_int_equal(r.status, ST_NOT_FOUND);
    r = lower_with(world, world->parser, world->dir);
    assert_int_equal(r.status, ST_IO);
    assert_non_null(strstr(r.err.message, "directory"));
    r = lower(world, "empty.cu", "");
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.unit->host_functions, 0);
}

static void refuses_binary_junk(void **state)
{
    World *world = *state;
    char junk[4096];
    uint32_t seed = 12345;
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (char)((seed = seed * 1103515245 + 12345) >> 16);
    Result r = lower_with(world, world->parser, write_bytes(world, "junk.cu", junk, sizeof junk));
    assert_int_equal(r.status, ST_PARSE);
    assert_non_null(strstr(r.err.message, "junk.cu"));
}

static void survives_deep_nesting(void **state)
{
    World *world = *state;
    StrBuf text = {.arena = world->arena};
    strbuf_append(&text, "int main(int argc, char **) { int x = 0;\n");
    for (int i = 0; i < 1000; i++) strbuf_append(&text, "if (argc) {\n");
    strbuf_append(&text, "x = 1;");
    for (int i = 0; i < 1000; i++) strbuf_append(&text, "}");
    strbuf_append(&text, "\nreturn x; }\n");
    Result r = lower(world, "deep.cu", strbuf_text(&text));
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    assert_int_equal(r.unit->host_functions, 1);
}

static void refuses_what_is_no_toolkit(void **state)
{
    World *world = *state;
    Err err = {.arena = world->arena};
    TuParser *parser;
    TuOptions options = {.cuda_path = world->dir};
    assert_int_equal(tu_parser_new(world->arena, &options, &parser, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.message, "cuda_runtime_api.h"));
}

// ---- the cache ----------------------------------------------------------------------------------

static const char SMALL[] = "int main() { float *p; cudaMalloc(&p, 4); cudaFree(p); return 0; }\n";

static void repairs_a_damaged_cache(void **state)
{
    World *world = *state;
    Result r = lower(world, "small.cu", SMALL);
    assert_int_equal(r.status, ST_OK);
    const char *pchs = arena_printf(world->arena, "%s/pch", world->cache);
    const char *pch = NULL;
    assert_int_equal(count_files(world, pchs, ".pch", &pch), 1);
    FILE *file = fopen(pch, "r+b");
    assert_non_null(file);
    fseek(file, 100000, SEEK_SET);
    fputs("damage", file);
    fclose(file);
    TuOptions options = {.cache_dir = world->cache};
    r = lower_with(world, parser_with(world, &options), path_of(world, "small.cu"));
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    assert_int_equal(count_files(world, pchs, ".pch", NULL), 1);
}

// A file that the host's compiler compiles sees no nvcc, unless its command says so.
static void tells_the_compilers_apart(void **state)
{
    World *world = *state;
    static const char text[] = "#ifdef __CUDACC__\nint by_nvcc() { return 1; }\n#else\n"
                               "int by_host() { float *p; return cudaMalloc(&p, 4); }\n#endif\n";
    static const char *const by_host[] = {"a.cpp", "a.cc", "a.cxx"};
    static const char *const by_nvcc[] = {"a.cu", "a.cuh", "a.h", "a.hpp"};
    for (size_t i = 0; i < sizeof by_host / sizeof *by_host; i++)
        assert_int_equal(count_functions(lower(world, by_host[i], text).unit, "by_host"), 1);
    for (size_t i = 0; i < sizeof by_nvcc / sizeof *by_nvcc; i++)
        assert_int_equal(count_functions(lower(world, by_nvcc[i], text).unit, "by_nvcc"), 1);
    const char *options[] = {"-x", "cu"};
    TuCommand command = {.args = options, .count = 2};
    TuInput input = {.file = path_of(world, "a.cpp")};
    Err err = {.arena = world->arena};
    IrUnit *unit = NULL;
    TuStats stats = {0};
    assert_int_equal(tu_args_translate(world->arena, &command, NULL, NULL, &input.args, &err),
                     ST_OK);
    assert_int_equal(tu_lower_file(world->parser, world->arena, &input, &unit, &stats, &err),
                     ST_OK);
    assert_int_equal(count_functions(unit, "by_nvcc"), 1);
}

static void does_without_a_cache(void **state)
{
    World *world = *state;
    const char *path = write_file(world, "small.cu", SMALL);
    // A file where the cache's folder would be: nothing can be made below it, whoever runs the
    // test.
    TuOptions options = {.cache_dir = arena_printf(world->arena, "%s/x", path)};
    Result r = lower_with(world, parser_with(world, &options), path);
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(count_functions(r.unit, "main"), 1);
    TuOptions without = {.no_pch = true};
    r = lower_with(world, parser_with(world, &without), path);
    assert_int_equal(r.status, ST_OK);
    assert_int_equal(r.stats.error_count, 0);
    assert_int_equal(count_functions(r.unit, "main"), 1);
}

static void lets_processes_share_an_empty_cache(void **state)
{
    World *world = *state;
    const char *path = write_file(world, "small.cu", SMALL);
    const char *cache = path_of(world, "shared-cache");
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] != 0) continue;
        TuOptions options = {.cache_dir = cache};
        Result r = lower_with(world, parser_with(world, &options), path);
        _exit(r.status == ST_OK && r.stats.error_count == 0 ? 0 : 1);
    }
    for (int i = 0; i < 2; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    const char *pchs = arena_printf(world->arena, "%s/pch", cache);
    assert_true(count_files(world, pchs, ".pch", NULL) >= 1);
    assert_int_equal(count_files(world, pchs, ".tmp", NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_host_function_once),
        cmocka_unit_test(takes_instantiations_before_patterns),
        cmocka_unit_test(takes_members_defined_outside_for_their_template),
        cmocka_unit_test(reads_new_and_delete_in_each_standard),
        cmocka_unit_test(reads_c_as_c),
        cmocka_unit_test(skips_damaged_functions_alone),
        cmocka_unit_test(goes_on_after_a_missing_include),
        cmocka_unit_test(finds_includes_in_the_project),
        cmocka_unit_test(counts_errors_beyond_a_screenful),
        cmocka_unit_test(knows_variables_that_are_never_written),
        cmocka_unit_test(says_what_is_wrong_with_a_file),
        cmocka_unit_test(refuses_binary_junk),
        cmocka_unit_test(survives_deep_nesting),
        cmocka_unit_test(refuses_what_is_no_toolkit),
        cmocka_unit_test(repairs_a_damaged_cache),
        cmocka_unit_test(tells_the_compilers_apart),
        cmocka_unit_test(does_without_a_cache),
        cmocka_unit_test(lets_processes_share_an_empty_cache),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
