// SPDX-License-Identifier: MIT
// Around the analysis: planning, merging, where output goes. Worker processes are tested from the
// command line.
#include "run/run_p.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    char *folder; // of files made by the test, current while it runs
} Fixture;

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    Fixture *fixture = ARENA_NEW(arena, Fixture);
    fixture->arena = arena;
    fixture->folder = arena_strdup(arena, "/tmp/cudalint-test.XXXXXX");
    *state = fixture;
    return mkdtemp(fixture->folder) == NULL || chdir(fixture->folder) != 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    int failed = system(arena_printf(fixture->arena, "rm -rf '%s'", fixture->folder));
    arena_free(fixture->arena);
    return failed;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *read_file(Arena *arena, const char *path)
{
    char text[256] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return arena_strndup(arena, text, len);
}

static JobList plan_of(Arena *arena, const char *operand)
{
    TextList operands = {0};
    vec_push(arena, &operands, operand);
    return plan_jobs(arena, &operands);
}

static void test_plan_names_each_file_once(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    write_file("a.cu", "int a;");
    write_file("b.cu", "int b;");
    TextList operands = {0};
    vec_push(arena, &operands, "b.cu");
    vec_push(arena, &operands, "a.cu");
    vec_push(arena, &operands, "b.cu");
    vec_push(arena, &operands, ".");
    JobList jobs = plan_jobs(arena, &operands);
    assert_int_equal(jobs.len, 2);
    assert_string_equal(jobs.items[0].file, "b.cu");
    assert_string_equal(jobs.items[1].file, "a.cu");
    assert_int_equal(jobs.items[0].status, ST_OK);
}

static void test_plan_walks_folders_in_order(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    assert_int_equal(mkdir("src", 0777), 0);
    assert_int_equal(mkdir("src/sub", 0777), 0);
    assert_int_equal(mkdir("src/.hidden", 0777), 0);
    assert_int_equal(symlink("../src", "src/again"), 0);
    static const char *const names[] = {"src/z.cu",  "src/a.cpp",        "src/sub/m.cxx",
                                        "src/b.cc",  "src/c.c",          "src/d.cuh",
                                        "src/.e.cu", "src/.hidden/f.cu", "src/notes.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) write_file(names[i], "int x;");
    JobList jobs = plan_of(arena, "src/");
    static const char *const expected[] = {"src/a.cpp", "src/b.cc", "src/c.c", "src/sub/m.cxx",
                                           "src/z.cu"};
    assert_int_equal(jobs.len, 5);
    for (uint32_t i = 0; i < jobs.len; i++) assert_string_equal(jobs.items[i].file, expected[i]);
}

static void test_plan_says_what_cannot_be_read(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    assert_int_equal(plan_of(arena, "gone.cu").items[0].status, ST_NOT_FOUND);
    assert_int_equal(plan_of(arena, "-").items[0].status, ST_UNSUPPORTED);
    assert_int_equal(plan_of(arena, "/dev/null").items[0].status, ST_UNSUPPORTED);
    assert_int_equal(mkdir("empty", 0777), 0);
    assert_int_equal(plan_of(arena, "empty").items[0].status, ST_NOT_FOUND);
    FILE *file = fopen("junk.cu", "w");
    assert_non_null(file);
    assert_int_equal(fwrite("int\0x", 1, 5, file), 5);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(plan_of(arena, "junk.cu").items[0].status, ST_SYNTAX);
    write_file("none.cu", "");
    assert_int_equal(plan_of(arena, "none.cu").items[0].status, ST_OK);
}

static Finding finding_at(uint32_t line, Severity severity)
{
    return (Finding){
        .rule = "leak",
        .severity = severity,
        .loc = {.file = "a.cu", .line = line, .column = 1},
        .message = "message",
        .function = "f",
        .subject = "p",
    };
}

static void test_merge_sorts_and_drops_duplicates(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    write_file("a.cu", "same\nsame\nother\n");
    UnitResult units[2] = {{.file = "x.cu"}, {.file = "y.cu"}};
    vec_push(arena, &units[0].findings, finding_at(2, SEV_WARNING));
    vec_push(arena, &units[0].findings, finding_at(3, SEV_NOTE));
    vec_push(arena, &units[1].findings, finding_at(1, SEV_ERROR));
    vec_push(arena, &units[1].findings, finding_at(2, SEV_WARNING)); // a header that both include
    FindingList all = merge_findings(arena, units, 2);
    assert_int_equal(all.len, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(all.items[i].loc.line, i + 1);
    // Equal lines are told apart by their order, others by their text.
    assert_true(all.items[0].fingerprint != all.items[1].fingerprint);
    assert_true(all.items[0].fingerprint != all.items[2].fingerprint);
    assert_int_equal(all.items[0].fingerprint, finding_fingerprint(&all.items[0], "same", 0));
    assert_int_equal(all.items[1].fingerprint, finding_fingerprint(&all.items[1], "same", 1));

    FindingList shown = merge_filter(arena, &all, SEV_WARNING);
    assert_int_equal(shown.len, 2);
    assert_int_equal(shown.items[1].severity, SEV_WARNING);
}

static void test_output_appears_whole(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    Err err = {.arena = arena};
    Output output;
    write_file("report", "before");
    assert_int_equal(output_check(arena, "report", &err), ST_OK);
    assert_int_equal(output_open(arena, "report", &output, &err), ST_OK);
    fputs("after", output.file);
    fflush(output.file);
    assert_string_equal(read_file(arena, "report"), "before");
    assert_int_equal(output_close(&output, &err), ST_OK);
    assert_string_equal(read_file(arena, "report"), "after");

    assert_int_equal(output_open(arena, "report", &output, &err), ST_OK);
    fputs("half", output.file);
    const char *temp = output.temp;
    output_discard(&output);
    assert_string_equal(read_file(arena, "report"), "after");
    assert_int_not_equal(access(temp, F_OK), 0);
}

static void test_output_that_cannot_be(void **state)
{
    Arena *arena = ((Fixture *)*state)->arena;
    Err err = {.arena = arena};
    assert_int_equal(output_check(arena, ".", &err), ST_IO);
    assert_int_equal(output_check(arena, "gone/report", &err), ST_IO);
    assert_string_equal(err.message, "cannot write to gone/report: No such file or directory");
    Output output;
    assert_int_equal(output_open(arena, "gone/report", &output, &err), ST_IO);
    assert_int_equal(output_open(arena, "/dev/full", &output, &err), ST_OK);
    fputs("text", output.file);
    assert_int_equal(output_close(&output, &err), ST_IO);
    assert_string_equal(err.message, "cannot write to /dev/full: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plan_names_each_file_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_plan_walks_folders_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_plan_says_what_cannot_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge_sorts_and_drops_duplicates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_output_appears_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_output_that_cannot_be, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
