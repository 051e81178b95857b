// SPDX-License-Identifier: MIT
// Unit tests of marks: where they are found in a source, and how they are compared with a report.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/mark_p.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int setup(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static MarkList marks_of(Arena *arena, const char *text)
{
    return mark_list_read(arena, source_from_text(arena, "x.cu", text, strlen(text)));
}

static void assert_mark(const MarkList *list, uint32_t index, uint32_t line, const char *rule)
{
    assert_true(index < list->marks.len);
    assert_int_equal(list->marks.items[index].line, line);
    assert_string_equal(list->marks.items[index].rule, rule);
}

static void marks_are_found_in_comments_alone(void **state)
{
    static const char *const without[] = {
        "s = \"// expect: leak\";",
        "s = \"\\\"// expect: leak\";",
        "c = '\"'; s = \"// expect: leak\";",
        "s = R\"(\" // expect: leak)\";",
        "s = u8R\"x(// expect: leak )\" )x\";",
        "// it is what we expect: nothing",
        "// expected: leak",
        "// expect leak",
        "n = 1'000'0; s = \"// expect: leak\";",
        "/",
        "/*",
        "//",
        "'",
        "\"",
        "R\"",
        "R\"(",
        "/* expect",
        "\\",
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        MarkList list = marks_of(*state, without[i]);
        assert_int_equal(list.marks.len, 0);
        assert_int_equal(list.errors.len, 0);
    }
    static const char *const with[] = {
        "// expect: leak",
        "f(); //expect:leak",
        "/* expect: leak */ f();",
        "f(); // it leaks // expect: leak",
        "s = \"//\"; // expect: leak",
        "c = '\\''; // expect: leak",
        "n = 1'000; // expect: leak",
        "s = R\"(\")\"; // expect: leak",
        "FOOR\"x\"; // expect: leak",
        "// expect: leak -- known, see above",
    };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        MarkList list = marks_of(*state, with[i]);
        assert_mark(&list, 0, 1, "leak");
        assert_int_equal(list.marks.len, 1);
        assert_int_equal(list.errors.len, 0);
    }
}

static void marks_name_lines_rules_and_fragments(void **state)
{
    static const char text[] = "a\r\n"
                               "b // expect@-1: leak \"say \\\"x\\\", y\", double-free\r\n"
                               "c /* expect@+2: note \"taking\" */ // expect: not-analysed\r\n"
                               "\"a\\\n"
                               "b\" // expect: leak\r\n"
                               "// continued \\\n"
                               "   expect: none\n"
                               "// expect: leak,leak";
    MarkList list = marks_of(*state, text);
    assert_int_equal(list.errors.len, 0);
    assert_int_equal(list.marks.len, 7);
    assert_mark(&list, 0, 1, "leak");
    assert_string_equal(list.marks.items[0].fragment, "say \"x\", y");
    assert_int_equal(list.marks.items[0].written_at, 2);
    assert_mark(&list, 1, 1, "double-free");
    assert_null(list.marks.items[1].fragment);
    assert_mark(&list, 2, 5, "note");
    assert_int_equal(list.marks.items[2].kind, MARK_STEP);
    assert_int_equal(list.marks.items[3].kind, MARK_NOT_ANALYSED);
    assert_mark(&list, 4, 5, "leak");
    assert_mark(&list, 6, 8, "leak");
}

static void bad_marks_are_told(void **state)
{
    static const char *const bad[] = {
        "// expect:",           "// expect: ",         "// expect: leak,",
        "// expect: leak leak", "// expect: \"leak\"", "// expect: leak \"x",
        "// expect@-1: leak",   "// expect@+1: leak",  "// expect@1: leak",
        "// expect@-: leak",    "// expect@+0 leak",   "// expect@-99999999999: leak",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        MarkList list = marks_of(*state, bad[i]);
        assert_int_equal(list.errors.len, 1);
        assert_int_equal(list.errors.items[0].line, 1);
    }
}

typedef struct {
    Arena *arena;
    const char *path;
    Report report;
    UnitResult unit;
} Case;

static void case_open(Case *test, Arena *arena, const char *text)
{
    static const ReportRule rules[] = {{.slug = "double-free"}, {.slug = "leak"}};
    *test = (Case){.arena = arena};
    char *path = arena_strdup(arena, "/tmp/cudalint-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    test->path = path;
    test->unit.file = path;
    test->report.units = &test->unit;
    test->report.unit_count = 1;
    test->report.rules = rules;
    test->report.rule_count = 2;
}

static void case_add(Case *test, const char *rule, uint32_t line, const char *message)
{
    Finding finding = {.rule = rule,
                       .severity = SEV_WARNING,
                       .loc = {.file = test->path, .line = line, .column = 1},
                       .message = message};
    FindingStep step = {.loc = {.file = test->path, .line = line, .column = 1},
                        .text = "acquired here"};
    vec_push(test->arena, &finding.steps, step);
    vec_push(test->arena, &test->report.findings, finding);
}

// Compares, removes the file, and checks what is said; FILE stands for the file's name in `wanted`.
static void case_close(Case *test, uint32_t differences, const char *wanted)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    Err err = {.arena = test->arena};
    assert_int_equal(report_expect(out, &test->report, test->path, &err), differences);
    unlink(test->path);
    rewind(out);
    char said[2000] = {0};
    size_t len = fread(said, 1, sizeof said - 1, out);
    fclose(out);
    StrBuf plain = {.arena = test->arena};
    for (size_t i = 0; i < len;) {
        bool is_name = strncmp(said + i, test->path, strlen(test->path)) == 0;
        strbuf_append_n(&plain, is_name ? "FILE" : said + i, is_name ? 4 : 1);
        i += is_name ? strlen(test->path) : 1;
    }
    assert_string_equal(strbuf_text(&plain), wanted);
}

static void what_is_marked_is_expected(void **state)
{
    Case test;
    case_open(&test, *state,
              "// expect: leak, leak \"d_b\", double-free\n"
              "// expect@-1: note \"acquired\"\n"
              "f(); // expect: not-analysed \"goto\"\n");
    case_add(&test, "leak", 1, "'d_b' leaks");
    case_add(&test, "leak", 1, "'d_a' leaks");
    case_add(&test, "double-free", 1, "twice");
    NotAnalysed skipped = {
        .name = "f", .loc = {.file = test.path, .line = 3}, .reason = "goto into a block"};
    vec_push(test.arena, &test.unit.not_analysed, skipped);
    case_close(&test, 0, "");
}

static void what_is_missing_is_told(void **state)
{
    Case test;
    case_open(&test, *state,
              "// expect: leak \"d_b\"\n// expect@-1: note \"gone\"\n// expect: laek, leak\n");
    case_add(&test, "leak", 1, "'d_a' leaks");
    case_close(&test, 5,
               "FILE:1: error: not expected: warning: 'd_a' leaks [leak]\n"
               "    paste: // expect: leak\n"
               "FILE:1: error: expected, not found: leak \"d_b\"\n"
               "FILE:1: error: expected, not found: note \"gone\" (marked in line 2)\n"
               "FILE:3: error: bad mark: no rule is called 'laek'\n"
               "FILE:3: error: expected, not found: leak\n");
}

static void one_mark_is_met_by_one_finding(void **state)
{
    Case test;
    case_open(&test, *state, "f(); // expect: leak\n");
    case_add(&test, "leak", 1, "first");
    case_add(&test, "leak", 1, "second");
    case_close(&test, 1,
               "FILE:1: error: not expected: warning: second [leak]\n"
               "    paste: // expect: leak\n");
}

static void what_was_not_analysed_is_a_difference(void **state)
{
    Case test;
    case_open(&test, *state, "void f();\n");
    NotAnalysed skipped = {
        .name = "f", .loc = {.file = test.path, .line = 1}, .reason = "unknown type"};
    NotAnalysed elsewhere = {
        .name = "h", .loc = {.file = "/nonexistent.h", .line = 1}, .reason = "x"};
    vec_push(test.arena, &test.unit.not_analysed, skipped);
    vec_push(test.arena, &test.unit.not_analysed, elsewhere);
    test.unit.status = ST_PARSE;
    case_close(&test, 2,
               "FILE: error: not analysed: the source could not be parsed\n"
               "FILE:1: error: not analysed: 'f': unknown type\n"
               "    paste: // expect: not-analysed\n");
}

static void findings_elsewhere_do_not_count(void **state)
{
    Case test;
    case_open(&test, *state, "f(); // expect: leak\n");
    case_add(&test, "leak", 1, "here");
    case_add(&test, "leak", 1, "elsewhere");
    test.report.findings.items[1].loc.file = "/nonexistent/other.h";
    case_close(&test, 0, "");
}

static void files_that_are_gone_are_an_error(void **state)
{
    Err err = {.arena = *state};
    Report report = {0};
    assert_int_equal(report_expect(stdout, &report, "/nonexistent/x.cu", &err), 1);
    assert_string_equal(err.message, "cannot read '/nonexistent/x.cu'");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(marks_are_found_in_comments_alone),
        TEST(marks_name_lines_rules_and_fragments),
        TEST(bad_marks_are_told),
        TEST(what_is_marked_is_expected),
        TEST(what_is_missing_is_told),
        TEST(one_mark_is_met_by_one_finding),
        TEST(what_was_not_analysed_is_a_difference),
        TEST(findings_elsewhere_do_not_count),
        TEST(files_that_are_gone_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
