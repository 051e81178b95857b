// SPDX-License-Identifier: MIT
// Lowering where golden dumps do not reach: C sources, and code that is long or nested beyond what
// anyone would read. The dump of a function is searched for the instructions that matter.
#include "base/str.h"
#include "ir/ir_text.h"
#include "tu/tu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    TuParser *parser;
} World;

static int setup(void **state)
{
    Arena *arena = arena_new("test");
    World *world = ARENA_NEW(arena, World);
    world->arena = arena;
    Err err = {.arena = arena};
    TuOptions options = {.no_pch = true};
    if (tu_parser_new(arena, &options, &world->parser, &err) != ST_OK) return -1;
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    arena_free(((World *)*state)->arena);
    return 0;
}

// Lowers the text as a file whose name ends in `suffix`; every function of it must be well formed.
static IrUnit *lower(World *world, const char *suffix, const char *text)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(world->arena, "%s/cudalint-lower-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    assert_non_null(mkdtemp(dir));
    const char *path = arena_printf(world->arena, "%s/input%s", dir, suffix);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
    IrUnit *unit = NULL;
    TuStats stats = {0};
    Err err = {.arena = world->arena};
    Status status =
        tu_lower_file(world->parser, world->arena, &(TuInput){.file = path}, &unit, &stats, &err);
    unlink(path);
    rmdir(dir);
    assert_int_equal(status, ST_OK);
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        if (ir_check(unit, unit->functions.items[i], &err) != ST_OK) fail_msg("%s", err.message);
    }
    return unit;
}

static const IrFunction *function(const IrUnit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (strcmp(unit->functions.items[i]->name, name) == 0) return unit->functions.items[i];
    for (uint32_t i = 0; i < unit->skipped.len; i++)
        print_error("skipped: %s\n", unit->skipped.items[i].reason);
    fail_msg("no function %s", name);
    return NULL;
}

static void expect(const IrUnit *unit, const char *name, const char *instruction)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    ir_print_function(out, unit, function(unit, name));
    fclose(out);
    bool is_there = strstr(text, instruction) != NULL;
    if (!is_there) print_error("%s\n", text);
    free(text);
    if (!is_there) fail_msg("'%s' is not in the dump of %s", instruction, name);
}

static void lowers_c_initialisers(void **state)
{
    const IrUnit *unit = lower(*state, ".c",
                               "struct P { int x, y; float *p; };\n"
                               "void f(float *q) {\n"
                               "    int a[4] = {[2] = 5, 1};\n"
                               "    struct P p = {.y = 2, q};\n"
                               "    struct P *c = &(struct P){1, 2};\n"
                               "    float buf[2]; float *all[2] = {buf, q};\n"
                               "    p = *c; (void)a; (void)all;\n"
                               "}\n");
    expect(unit, "f", "init a[2] = 5");
    expect(unit, "f", "init a[3] = 1");
    expect(unit, "f", "init p.y = 2");
    expect(unit, "f", "init p.p = q");
    expect(unit, "f", "init all[0] = &buf[0]");
    expect(unit, "f", "  p = *c");
}

static void lowers_c_conditions(void **state)
{
    const IrUnit *unit = lower(*state, ".c",
                               "#define likely(x) __builtin_expect(!!(x), 1)\n"
                               "int f(int *p, int n) {\n"
                               "    if (likely(p && n > 3)) return 1;\n"
                               "    return _Generic(n, int: 2, default: 3);\n"
                               "}\n");
    expect(unit, "f", "branch p ?");
    expect(unit, "f", "branch (n > 3)");
    expect(unit, "f", "return 2");
}

static void calls_cleanup_functions(void **state)
{
    const IrUnit *unit = lower(*state, ".c",
                               "void done(int **p);\n"
                               "int f(int n) {\n"
                               "    __attribute__((cleanup(done))) int *p = 0;\n"
                               "    if (n) return 1;\n"
                               "    return 0;\n"
                               "}\n");
    expect(unit, "f", "call done(&p) [implicit]");
}

static void lowers_parts_and_emplaced_elements(void **state)
{
    const IrUnit *unit =
        lower(*state, ".cpp",
              "#include <tuple>\n"
              "#include <utility>\n"
              "#include <vector>\n"
              "struct Job { Job(float *d, int n); int n; float *d; };\n"
              "float *f(int *a, float *b) {\n"
              "    auto t = std::make_tuple(a, 2, b);\n"
              "    std::pair<int *, float *> p(a, b), q;\n"
              "    q = p;\n"
              "    return std::get<2>(t) + *std::get<int *>(t) + *q.first;\n"
              "}\n"
              "void g(std::vector<std::pair<int *, float *>> &v, int *a, float *b) {\n"
              "    v.emplace_back(a, b);\n"
              "}\n"
              "void h(std::vector<Job> &v, float *d) { v.emplace_back(d, 1); }\n");
    expect(unit, "f", "init t.`#0`{int*} = a");
    expect(unit, "f", "init t.`#2`{float*} = b");
    expect(unit, "f", "init p.second{float*} = b");
    expect(unit, "f", "  q = p");
    expect(unit, "f", "t.`#2`{float*}");
    expect(unit, "g", ".first{int*} = a");
    expect(unit, "g", "call std::vector::emplace_back(v, &%");
    expect(unit, "h", "call Job::Job(&%");
    expect(unit, "h", "call std::vector::emplace_back(v, &%");
}

static void gives_up_computed_gotos(void **state)
{
    const IrUnit *unit =
        lower(*state, ".c", "int f(void) { void *p = &&x; goto *p; x: return 1; }\n");
    assert_int_equal(unit->functions.len, 0);
    assert_int_equal(unit->skipped.len, 1);
    assert_true(str_starts_with(unit->skipped.items[0].reason, "unsupported construct: "));
}

static void lowers_long_functions(void **state)
{
    World *world = *state;
    enum { STATEMENTS = 5000 };
    StrBuf text = {.arena = world->arena};
    strbuf_append(&text, "int g(int); int f(int n, int *p) {\n");
    for (int i = 0; i < STATEMENTS; i++)
        strbuf_printf(&text, "if (g(%d)) return %d; p[%d] = n;\n", i, i, i % 7);
    strbuf_append(&text, "return 0; }\n");
    const IrUnit *unit = lower(world, ".cu", strbuf_text(&text));
    // A branch, a return and what follows for each statement, no more.
    assert_int_equal(function(unit, "f")->blocks.len, 2 * STATEMENTS + 1);
}

static void lowers_long_chains(void **state)
{
    World *world = *state;
    enum { LINKS = 1000 };
    StrBuf text = {.arena = world->arena};
    strbuf_append(&text, "int g(int); int f(int n) { if (g(0)");
    for (int i = 1; i < LINKS; i++) strbuf_printf(&text, " && g(%d)", i);
    strbuf_append(&text, ") return 1;\n");
    for (int i = 0; i < LINKS; i++) strbuf_printf(&text, "if (n == %d) return %d; else ", i, i);
    strbuf_append(&text, "return n; }\n");
    const IrUnit *unit = lower(world, ".cu", strbuf_text(&text));
    assert_true(function(unit, "f")->blocks.len >= 3 * LINKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowers_c_initialisers),
        cmocka_unit_test(lowers_c_conditions),
        cmocka_unit_test(lowers_parts_and_emplaced_elements),
        cmocka_unit_test(calls_cleanup_functions),
        cmocka_unit_test(gives_up_computed_gotos),
        cmocka_unit_test(lowers_long_functions),
        cmocka_unit_test(lowers_long_chains),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
