// SPDX-License-Identifier: MIT
// Unit tests of finding/ and of the source cache it reads lines through: order, duplicates, copies,
// fingerprints, and results as bytes, whole and damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/source.h"
#include "base/utf8.h"
#include "finding/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

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

static Finding finding_at(const char *file, uint32_t line, uint32_t column, const char *rule)
{
    return (Finding){.rule = rule,
                     .severity = SEV_WARNING,
                     .loc = {.file = file, .line = line, .column = column},
                     .message = "m"};
}

static void severities_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"off", "note", "warning", "error"};
    for (int i = 0; i < 4; i++) {
        Severity severity = SEV_OFF;
        assert_string_equal(severity_text((Severity)i), names[i]);
        assert_int_equal(severity_parse(names[i], &severity), ST_OK);
        assert_int_equal(severity, i);
    }
    Severity severity;
    assert_int_equal(severity_parse("Error", &severity), ST_USAGE);
}

static void lists_sort_by_place_rule_and_message(void **state)
{
    Arena *arena = *state;
    FindingList list = {0};
    vec_push(arena, &list, finding_at("b.cu", 1, 1, "a"));
    vec_push(arena, &list, finding_at("a.cu", 10, 1, "a"));
    vec_push(arena, &list, finding_at("a.cu", 9, 2, "z"));
    vec_push(arena, &list, finding_at("a.cu", 9, 2, "b"));
    vec_push(arena, &list, finding_at("a.cu", 9, 1, "z"));
    vec_push(arena, &list, finding_at(NULL, 0, 0, "z"));
    finding_list_sort(&list);
    assert_int_equal(list.len, 6);
    static const char *const order[] = {"z", "z", "b", "z", "a", "a"};
    static const uint32_t lines[] = {0, 9, 9, 9, 10, 1};
    for (int i = 0; i < 6; i++) {
        assert_string_equal(list.items[i].rule, order[i]);
        assert_int_equal(list.items[i].loc.line, lines[i]);
    }
}

static void the_duplicate_with_the_shortest_path_stays(void **state)
{
    Arena *arena = *state;
    FindingStep step = {.loc = {.file = "a.cu", .line = 1, .column = 1}, .text = "here"};
    for (int turn = 0; turn < 2; turn++) {
        Finding longer = finding_at("a.cu", 3, 1, "leak");
        longer.function = "f<int>";
        vec_push(arena, &longer.steps, step);
        Finding shorter = finding_at("a.cu", 3, 1, "leak");
        shorter.function = "f<long>";
        FindingList list = {0};
        vec_push(arena, &list, turn == 0 ? longer : shorter);
        vec_push(arena, &list, turn == 0 ? shorter : longer);
        vec_push(arena, &list, finding_at("a.cu", 3, 1, "double-free"));
        finding_list_sort(&list);
        assert_int_equal(list.len, 2);
        assert_string_equal(list.items[1].function, "f<long>");
    }
    FindingList none = {0};
    finding_list_sort(&none);
    assert_int_equal(none.len, 0);
}

static Finding lost(Arena *arena, const char *message, const char *subject, uint32_t acquired)
{
    Finding finding = finding_at("a.cu", 9, 1, "leak");
    finding.message = message;
    finding.subject = subject;
    FindingStep step = {.loc = {.file = "a.cu", .line = acquired, .column = 1}, .text = "acquired"};
    vec_push(arena, &finding.steps, step);
    return finding;
}

static void the_same_story_in_other_words_is_told_once(void **state)
{
    Arena *arena = *state;
    FindingList list = {0};
    vec_push(arena, &list, lost(arena, "'p' is lost (and on 2 more exits)", "p", 3));
    vec_push(arena, &list, lost(arena, "'p' is lost", "p", 3));
    vec_push(arena, &list, lost(arena, "'p' is lost (and on 1 more exit)", "p", 4));
    vec_push(arena, &list, lost(arena, "'p' is lost, 'q' too", "q", 3));
    Finding longer = lost(arena, "'p' is lost twice", "p", 3);
    vec_push(arena, &longer.steps, longer.steps.items[0]);
    vec_push(arena, &list, longer);
    vec_push(arena, &list, lost(arena, "is lost", NULL, 3));
    vec_push(arena, &list, lost(arena, "is lost too", NULL, 3));
    finding_list_sort(&list);
    assert_int_equal(list.len, 6);
    assert_string_equal(list.items[0].message, "'p' is lost");
    assert_string_equal(list.items[1].message, "'p' is lost (and on 1 more exit)");
    assert_string_equal(list.items[2].message, "'p' is lost twice");
    assert_string_equal(list.items[3].subject, "q");
}

static void findings_without_a_path_differ_by_message(void **state)
{
    Arena *arena = *state;
    FindingList list = {0};
    for (int i = 0; i < 2; i++) {
        Finding finding = finding_at("a.cu", 9, 1, "leak");
        finding.message = i == 0 ? "first" : "second";
        finding.subject = "p";
        vec_push(arena, &list, finding);
    }
    finding_list_sort(&list);
    assert_int_equal(list.len, 2);
}

static Finding full_finding(Arena *arena)
{
    Finding finding = finding_at("src/a.cu", 12, 5, "leak-on-return");
    finding.severity = SEV_ERROR;
    finding.loc.macro = "CHECK";
    finding.message = "d_a leaks";
    finding.function = "ns::f(int)";
    finding.subject = "d_a";
    finding.fingerprint = UINT64_C(0x0123456789abcdef);
    FindingStep first = {
        .loc = {.file = "src/a.cu", .line = 10, .column = 3}, .text = "allocated", .is_key = true};
    FindingStep second = {.loc = {0}, .text = "returns", .depth = 2};
    vec_push(arena, &finding.steps, first);
    vec_push(arena, &finding.steps, second);
    return finding;
}

static void assert_texts_equal(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        assert_ptr_equal(a, b);
    } else {
        assert_string_equal(a, b);
    }
}

static void assert_locs_equal(SrcLoc a, SrcLoc b)
{
    assert_texts_equal(a.file, b.file);
    assert_int_equal(a.line, b.line);
    assert_int_equal(a.column, b.column);
    assert_texts_equal(a.macro, b.macro);
}

static void assert_findings_equal(const Finding *a, const Finding *b)
{
    assert_texts_equal(a->rule, b->rule);
    assert_int_equal(a->severity, b->severity);
    assert_locs_equal(a->loc, b->loc);
    assert_texts_equal(a->message, b->message);
    assert_texts_equal(a->function, b->function);
    assert_texts_equal(a->subject, b->subject);
    assert_true(a->fingerprint == b->fingerprint);
    assert_int_equal(a->steps.len, b->steps.len);
    for (uint32_t i = 0; i < a->steps.len; i++) {
        assert_locs_equal(a->steps.items[i].loc, b->steps.items[i].loc);
        assert_texts_equal(a->steps.items[i].text, b->steps.items[i].text);
        assert_int_equal(a->steps.items[i].depth, b->steps.items[i].depth);
        assert_int_equal(a->steps.items[i].is_key, b->steps.items[i].is_key);
    }
}

static void copies_outlive_their_origin(void **state)
{
    Arena *arena = *state;
    Arena *origin = arena_new("origin");
    Finding finding = full_finding(origin);
    finding.message = arena_strdup(origin, "d_a leaks");
    Finding copy = finding_copy_to(arena, str_pool_new(arena), &finding);
    arena_free(origin);
    Finding expected = full_finding(arena);
    assert_findings_equal(&copy, &expected);
}

static void fingerprints_follow_the_code_not_its_place(void **state)
{
    Finding finding = full_finding(*state);
    uint64_t base = finding_fingerprint(&finding, "  return 1;", 0);
    Finding moved = finding;
    moved.loc = (SrcLoc){.file = "/elsewhere/a.cu", .line = 99, .column = 1};
    moved.message = "worded anew";
    moved.severity = SEV_NOTE;
    moved.steps.len = 0;
    assert_true(finding_fingerprint(&moved, "\treturn  1; \r", 0) == base);

    assert_true(finding_fingerprint(&finding, "return 2;", 0) != base);
    assert_true(finding_fingerprint(&finding, "return1;", 0) != base);
    assert_true(finding_fingerprint(&finding, "return 1;", 1) != base);
    for (int part = 0; part < 4; part++) {
        Finding other = finding;
        if (part == 0) other.rule = "leak";
        if (part == 1) other.loc.file = "src/b.cu";
        if (part == 2) other.function = NULL;
        if (part == 3) other.subject = "d_b";
        assert_true(finding_fingerprint(&other, "return 1;", 0) != base);
    }
    Finding swapped = finding;
    swapped.function = finding.subject;
    swapped.subject = finding.function;
    assert_true(finding_fingerprint(&swapped, "return 1;", 0) != base);
}

static const char *temporary_file(Arena *arena, const char *text, size_t len)
{
    char *path = arena_strdup(arena, "/tmp/cudalint-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, len), len);
    close(fd);
    return path;
}

static UnitResult full_result(Arena *arena)
{
    UnitResult result = {.file = "src/a.cu",
                         .status = ST_PARSE,
                         .error = "too many errors",
                         .host_functions = 7,
                         .analysed = 5,
                         .budget_hits = 1,
                         .parse_ms = 12.5,
                         .lower_ms = 0.25,
                         .engine_ms = 3,
                         .peak_bytes = UINT64_C(1) << 40,
                         .peak_rss_kib = 4096};
    vec_push(arena, &result.findings, full_finding(arena));
    vec_push(arena, &result.findings, finding_at("b.cu", 1, 2, "leak"));
    NotAnalysed skipped = {
        .name = "g", .loc = {.file = "a.cu", .line = 3}, .reason = "goto in asm"};
    vec_push(arena, &result.not_analysed, skipped);
    vec_push(arena, &result.diagnostics, "a.cu:1:1: unknown type name 'x'");
    return result;
}

static StrBuf bytes_of(Arena *arena, const UnitResult *result)
{
    StrBuf bytes = {.arena = arena};
    unit_result_write(&bytes, result);
    return bytes;
}

static void results_survive_the_pipe(void **state)
{
    Arena *arena = *state;
    UnitResult sent = full_result(arena);
    StrBuf bytes = bytes_of(arena, &sent);
    UnitResult got;
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    assert_int_equal(unit_result_read(arena, strings, bytes.text, bytes.len, &got, &err), ST_OK);
    assert_string_equal(got.file, sent.file);
    assert_int_equal(got.status, ST_PARSE);
    assert_string_equal(got.error, sent.error);
    assert_int_equal(got.findings.len, 2);
    for (int i = 0; i < 2; i++)
        assert_findings_equal(&got.findings.items[i], &sent.findings.items[i]);
    assert_int_equal(got.not_analysed.len, 1);
    assert_string_equal(got.not_analysed.items[0].name, "g");
    assert_string_equal(got.not_analysed.items[0].reason, "goto in asm");
    assert_locs_equal(got.not_analysed.items[0].loc, sent.not_analysed.items[0].loc);
    assert_int_equal(got.diagnostics.len, 1);
    assert_string_equal(got.diagnostics.items[0], sent.diagnostics.items[0]);
    assert_int_equal(got.host_functions, 7);
    assert_int_equal(got.analysed, 5);
    assert_int_equal(got.budget_hits, 1);
    assert_true(got.parse_ms == 12.5 && got.lower_ms == 0.25 && got.engine_ms == 3);
    assert_true(got.peak_bytes == sent.peak_bytes && got.peak_rss_kib == 4096);
}

static void cut_off_results_are_refused(void **state)
{
    Arena *arena = *state;
    UnitResult sent = full_result(arena);
    StrBuf bytes = bytes_of(arena, &sent);
    UnitResult got;
    for (size_t len = 0; len < bytes.len; len++) {
        Err err = {.arena = arena};
        char *cut =
            malloc(len != 0 ? len : 1); // of its own, so that a sanitizer sees a read past it
        assert_non_null(cut);
        memcpy(cut, bytes.text, len);
        Status status = unit_result_read(arena, str_pool_new(arena), cut, len, &got, &err);
        free(cut);
        assert_int_equal(status, ST_SYNTAX);
        assert_non_null(err.message);
        assert_int_equal(got.findings.len, 0);
    }
    strbuf_append(&bytes, "x");
    assert_int_equal(
        unit_result_read(arena, str_pool_new(arena), bytes.text, bytes.len, &got, NULL), ST_SYNTAX);
}

enum { CHECKSUM_AT = 16, PAYLOAD_AT = 24 };

// Makes length and checksum right again after the payload was altered.
static void seal(char *bytes, size_t len)
{
    uint64_t size = len - PAYLOAD_AT;
    uint64_t checksum = XXH3_64bits(bytes + PAYLOAD_AT, size);
    for (int i = 0; i < 8; i++) {
        bytes[8 + i] = (char)(size >> (8 * i));
        bytes[CHECKSUM_AT + i] = (char)(checksum >> (8 * i));
    }
}

static void altered_results_never_read_astray(void **state)
{
    Arena *arena = *state;
    UnitResult sent = full_result(arena);
    StrBuf bytes = bytes_of(arena, &sent);
    UnitResult got;
    uint32_t refused = 0;
    for (size_t at = 0; at < bytes.len; at++) {
        ArenaMark mark = arena_mark(arena);
        size_t before = arena_bytes(arena);
        char *copy = malloc(bytes.len);
        assert_non_null(copy);
        memcpy(copy, bytes.text, bytes.len);
        copy[at] ^= (char)0xff;
        StrPool *strings = str_pool_new(arena);
        assert_int_equal(unit_result_read(arena, strings, copy, bytes.len, &got, NULL), ST_SYNTAX);
        if (at >= PAYLOAD_AT) {
            seal(copy,
                 bytes.len); // now only the reader's own checks stand between it and the bytes
            refused += unit_result_read(arena, strings, copy, bytes.len, &got, NULL) == ST_SYNTAX;
        }
        free(copy);
        assert_true(arena_bytes(arena) - before < 1 << 18);
        arena_reset(arena, mark);
    }
    assert_true(refused > 50);
}

static void sealed_but_cut_payloads_are_refused(void **state)
{
    Arena *arena = *state;
    UnitResult sent = full_result(arena);
    StrBuf bytes = bytes_of(arena, &sent);
    UnitResult got;
    for (size_t len = PAYLOAD_AT; len < bytes.len; len++) {
        char *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, bytes.text, len);
        seal(copy, len);
        assert_int_equal(unit_result_read(arena, str_pool_new(arena), copy, len, &got, NULL),
                         ST_SYNTAX);
        free(copy);
    }
}

static void huge_counts_allocate_nothing(void **state)
{
    Arena *arena = *state;
    UnitResult sent = {.file = "", .status = ST_OK};
    StrBuf bytes = bytes_of(arena, &sent);
    // file "" takes 4 bytes, the status 4, no error 4: the count of findings is next.
    memset(bytes.text + PAYLOAD_AT + 12, 0x7f, 4);
    seal(bytes.text, bytes.len);
    StrPool *strings = str_pool_new(arena);
    size_t before = arena_bytes(arena);
    UnitResult got;
    assert_int_equal(unit_result_read(arena, strings, bytes.text, bytes.len, &got, NULL),
                     ST_SYNTAX);
    assert_true(arena_bytes(arena) - before < 4096);
}

static void assert_line(const SourceFile *file, uint32_t line, const char *text)
{
    SourceLine got = source_line(file, line);
    assert_int_equal(got.len, strlen(text));
    assert_memory_equal(got.text, text, got.len);
}

static void sources_split_at_every_kind_of_line_end(void **state)
{
    Arena *arena = *state;
    static const char text[] = "one\r\ntwo\n\nfour\rfive\r";
    const SourceFile *file = source_from_text(arena, "x", text, sizeof text - 1);
    assert_int_equal(file->line_count, 6);
    static const char *const lines[] = {"one", "two", "", "four", "five", ""};
    for (uint32_t i = 0; i < 6; i++) assert_line(file, i + 1, lines[i]);
    assert_null(source_line(file, 0).text);
    assert_null(source_line(file, 7).text);
    assert_int_equal(source_from_text(arena, "x", "", 0)->line_count, 1);
    assert_line(source_from_text(arena, "x", "no end", 6), 1, "no end");
}

static void sources_are_read_once(void **state)
{
    Arena *arena = *state;
    SourceCache *cache = source_cache_new(arena);
    const char *path = temporary_file(arena, "a\n\0b", 4);
    const SourceFile *file = source_file(cache, path);
    assert_non_null(file);
    assert_int_equal(file->len, 4);
    unlink(path);
    assert_ptr_equal(source_file(cache, path), file);
    assert_null(source_file(cache, "/nonexistent/x.cu"));
    assert_null(source_file(cache, "/"));
    assert_null(source_file(cache, "/dev/null"));
    assert_null(source_file(cache, NULL));
}

static void utf8_is_decoded_by_maximal_parts(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *bytes, *repaired;
    } cases[] = {
        {"plain", "plain"},
        {"\xC3\xA4\xE9\x9B\xAA\xF0\x9F\x98\x80", "\xC3\xA4\xE9\x9B\xAA\xF0\x9F\x98\x80"},
        {"\xE4", "\xEF\xBF\xBD"},
        {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},                 // overlong: neither byte belongs
        {"\xE9\x9Bz", "\xEF\xBF\xBDz"},                           // cut short: one part
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, // a surrogate: three
        {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"a\xFF"
         "b",
         "a\xEF\xBF\xBD"
         "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(utf8_repair(arena, cases[i].bytes), cases[i].repaired);
    }
    assert_int_equal(utf8_utf16_units("a\xC3\xA4\xF0\x9F\x98\x80\xFF", 8), 5);
    assert_int_equal(utf8_width('a'), 1);
    assert_int_equal(utf8_width(0x96EA), 2);
    assert_int_equal(utf8_width(0x301), 0);
    assert_int_equal(utf8_width(0x1B), -1);
    assert_int_equal(utf8_width(0x202E), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(severities_have_names),
        TEST(lists_sort_by_place_rule_and_message),
        TEST(the_duplicate_with_the_shortest_path_stays),
        TEST(the_same_story_in_other_words_is_told_once),
        TEST(findings_without_a_path_differ_by_message),
        TEST(copies_outlive_their_origin),
        TEST(fingerprints_follow_the_code_not_its_place),
        TEST(results_survive_the_pipe),
        TEST(cut_off_results_are_refused),
        TEST(altered_results_never_read_astray),
        TEST(sealed_but_cut_payloads_are_refused),
        TEST(huge_counts_allocate_nothing),
        TEST(sources_split_at_every_kind_of_line_end),
        TEST(sources_are_read_once),
        TEST(utf8_is_decoded_by_maximal_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
