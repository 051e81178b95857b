// SPDX-License-Identifier: MIT
// What `cudalint verify` reads: SARIF, and comments in sources.
#include "base/source.h"
#include "launch/launch.h"
#include "verify/findings.h"
#include "verify/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int make_arena(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int drop_arena(void **state)
{
    arena_free(*state);
    return 0;
}

#define PLACE(uri, line)                                                                           \
    "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"" uri                                  \
    "\"},\"region\":{\"startLine\":" line "}}}"

static const char sarif[] =
    "{\"runs\":[{\"results\":[{\"ruleId\":\"leak\",\"message\":{\"text\":\"lost.\"},\"locations\":"
    "[" PLACE("src/a%20b.cu", "9") "],\"relatedLocations\":[" PLACE(
        "src/c.cu",
        "5") "]},"
             "{\"ruleId\":\"leak\",\"suppressions\":[{}],\"locations\":[" PLACE(
                 "s.cu",
                 "1") "]},"
                      "{\"ruleId\":\"leak\",\"locations\":[]},{\"locations\":[" PLACE(
                          "x.cu",
                          "1") "]},"
                               "{\"ruleId\":\"double-free\",\"properties\":7,\"locations\":[" PLACE(
                                   "d.cu", "3") "]}]}]}";

static void findings_are_read_and_the_broken_ones_left(void **state)
{
    Findings findings = {0};
    Err err = {.arena = *state};
    StrPool *strings = str_pool_new(*state);
    assert_int_equal(findings_parse(*state, strings, sarif, sizeof sarif - 1, &findings, &err),
                     ST_OK);
    assert_int_equal(findings.items.len, 2);
    assert_string_equal(findings.items.items[0].file, "src/a b.cu");
    assert_int_equal(findings.items.items[0].line, 9);
    assert_string_equal(findings.items.items[0].acquired_file, "src/c.cu");
    assert_int_equal(findings.items.items[0].acquired_line, 5);
    assert_int_equal(findings.items.items[1].acquired_line, 3);
}

static void verdicts_are_written_into_the_file(void **state)
{
    Arena *arena = *state;
    Findings findings = {0};
    Err err = {.arena = arena};
    const char *folder;
    StrPool *strings = str_pool_new(arena);
    assert_int_equal(folder_make(arena, &folder, &err), ST_OK);
    const char *path = arena_printf(arena, "%s/out.sarif", folder);
    findings_parse(arena, strings, sarif, sizeof sarif - 1, &findings, &err);
    findings.items.items[0].verdict =
        (Verdict){.kind = VERDICT_CONFIRMED, .evidence = "1 of 1", .fail = "4"};
    findings.items.items[1].verdict = (Verdict){.kind = VERDICT_REFUTED};
    assert_int_equal(findings_write(arena, &findings, path, "a GPU", &err), ST_OK);
    const SourceFile *file = source_file(source_cache_new(arena), path);
    assert_non_null(strstr(file->text, "lost. [confirmed on a GPU]"));
    assert_non_null(strstr(file->text, "\"failedCall\":\t\"4\""));
    assert_non_null(strstr(file->text, "\"verdict\":\t\"refuted\""));
    folder_remove(folder);
}

static void what_is_no_sarif_is_refused(void **state)
{
    static const char *const texts[] = {"", "{", "[]", "{}", "{\"runs\":7}"};
    StrPool *strings = str_pool_new(*state);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Findings findings = {0};
        Err err = {.arena = *state};
        assert_int_equal(
            findings_parse(*state, strings, texts[i], strlen(texts[i]), &findings, &err),
            ST_SYNTAX);
    }
}

static void comments_say_how_to_run(void **state)
{
    static const char text[] =
        "// SPDX\n// run: 1  0x40\n// run:\n// live: 2, the process ends\n// devices: 2\n"
        "// nvcc: -lcublas\nint main() {} // run: not this\n";
    ProgramSource source = {0};
    program_source_parse(*state, text, sizeof text - 1, &source);
    assert_int_equal(source.runs.len, 2);
    assert_int_equal(source.runs.items[0].len, 2);
    assert_string_equal(source.runs.items[0].items[1], "0x40");
    assert_int_equal(source.runs.items[1].len, 0);
    assert_int_equal(source.live, 2);
    assert_int_equal(source.devices, 2);
    assert_string_equal(source.flags.items[0], "-lcublas");
    assert_null(source.cannot_run);
    ProgramSource other = {0};
    static const char none[] = "// runtime: none, a part of a program";
    program_source_parse(*state, none, sizeof none - 1, &other);
    assert_string_equal(other.cannot_run, "a part of a program");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)
    const struct CMUnitTest tests[] = {
        TEST(findings_are_read_and_the_broken_ones_left),
        TEST(verdicts_are_written_into_the_file),
        TEST(what_is_no_sarif_is_refused),
        TEST(comments_say_how_to_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
