// SPDX-License-Identifier: MIT
// What findings are held against: baselines, and the lines that a diff changes.
#include "filter/baseline.h"
#include "filter/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static void test_a_baseline_is_read_as_written(void **state)
{
    Arena *arena = *state;
    FindingList findings = {0};
    for (uint32_t i = 0; i < 20; i++) {
        Finding finding = {.rule = "leak", .message = "'\xff\"p'", .fingerprint = (37 * i) % 20};
        finding.loc = (SrcLoc){.file = "a \\b.cu", .line = i + 1};
        vec_push(arena, &findings, finding);
    }
    StrBuf text = {.arena = arena};
    baseline_write(&text, &findings);
    assert_null(strstr(strbuf_text(&text), "\"line\""));
    Baseline *baseline = NULL;
    Err err = {.arena = arena};
    assert_int_equal(baseline_parse(arena, "b", strbuf_text(&text), text.len, &baseline, &err),
                     ST_OK);
    assert_int_equal(baseline->entries.len, 20);
    assert_string_equal(baseline->entries.items[0].file, "a \\b.cu");
    for (uint32_t i = 0; i < 20; i++) assert_true(baseline_has(baseline, &findings.items[i]));
    assert_true(baseline->entries.items[7].is_met);
    Finding other = {.fingerprint = 20};
    assert_false(baseline_has(baseline, &other));

    StrBuf nothing = {.arena = arena};
    baseline_write(&nothing, &(FindingList){0});
    assert_int_equal(
        baseline_parse(arena, "b", strbuf_text(&nothing), nothing.len, &baseline, &err), ST_OK);
    assert_false(baseline_has(baseline, &other));
}

static void test_a_baseline_says_what_is_wrong(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "b: not JSON; '--write-baseline FILE' makes a baseline"},
        {"{\"baseline\": 1,", "b: not JSON; '--write-baseline FILE' makes a baseline"},
        {"[]", "b: not a baseline; '--write-baseline FILE' makes one"},
        {"{\"runs\": []}", "b: not a baseline; '--write-baseline FILE' makes one"},
        {"{\"baseline\": 2, \"findings\": []}",
         "b: a baseline of another version; write it anew with --write-baseline"},
        {"{\"baseline\": 1, \"findings\": [{}]}", "b: entry 1 has no fingerprint"},
        {"{\"baseline\": 1, \"findings\": [{\"fingerprint\": \"12\"}]}",
         "b: entry 1 has no fingerprint"},
        {"{\"baseline\": 1, \"findings\": [1]}", "b: entry 1 has no fingerprint"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Baseline *baseline = NULL;
        Err err = {.arena = *state};
        assert_int_equal(
            baseline_parse(*state, "b", cases[i].text, strlen(cases[i].text), &baseline, &err),
            ST_SYNTAX);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void test_a_diff_names_the_lines(void **state)
{
    static const char diff[] = "diff --git a/a.cu b/a.cu\n--- a/a.cu\n+++ b/a.cu\n"
                               "@@ -1 +2,2 @@ int f()\n-old\n+++ not a name\n+new\n"
                               "@@ -9,2 +10,0 @@\n-x\n-y\n\\ No newline at end of file\n"
                               "diff --git a/b b/b\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n"
                               "--- a/q\n+++ \"b/\\303\\274 \\\"q\\t.cu\"\n@@ -0,0 +1 @@\n+n\n"
                               "--- a/s p\n+++ b/s p\t\n@@ -0,0 +7 @@\n+n\n";
    Changes changes = {.root = "/r"};
    changes_read_diff(*state, &changes, diff, sizeof diff - 1);
    assert_int_equal(changes.files.len, 3);
    static const struct {
        const char *path;
        uint32_t first, last;
        bool touches;
    } cases[] = {
        {"/r/a.cu", 1, 1, false},   {"/r/a.cu", 2, 2, true},
        {"/r/a.cu", 3, 3, true},    {"/r/a.cu", 4, 9, false},
        {"/r/a.cu", 10, 10, true},  {"/r/a.cu", 11, 11, true},
        {"/r/a.cu", 12, 99, false}, {"/r/a.cu", 4, 99, true},
        {"/r/b", 1, 9, false},      {"/r/\303\274 \"q\t.cu", 1, 1, true},
        {"/r/s p", 7, 7, true},     {"/elsewhere/c.cu", 1, 1, true},
        {"/r/c.cu", 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LineRange lines = {.first = cases[i].first, .last = cases[i].last};
        if (changes_touch(&changes, cases[i].path, lines) != cases[i].touches)
            fail_msg("%s %u", cases[i].path, cases[i].first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_baseline_is_read_as_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_baseline_says_what_is_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_diff_names_the_lines, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
