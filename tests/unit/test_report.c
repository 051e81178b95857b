// SPDX-License-Identifier: MIT
// Unit tests of the writers in report/: one report made by hand, printed in every format and
// compared with tests/golden/report/. CUDALINT_ACCEPT=1 in the environment takes what is printed as
// the new golden files. Also what SARIF is made of: line hashes and URIs.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp, realpath
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "report/line_hash.h"
#include "report/report.h"
#include "report/uri.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The test's files lie in a fresh folder that is the working directory, so that paths are the same
// everywhere.
typedef struct {
    Arena *arena;
    char folder[64];
    char *golden; // absolute path of tests/golden/report
} Bench;

static int enter_folder(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) return -1;
    bench->arena = arena_new("test");
    bench->golden = realpath(CUDALINT_SOURCE_DIR "/tests/golden/report", NULL);
    strcpy(bench->folder, "/tmp/cudalint-test-XXXXXX");
    if (bench->golden == NULL || mkdtemp(bench->folder) == NULL || chdir(bench->folder) != 0)
        return -1;
    *state = bench;
    return mkdir("src", 0777);
}

static int leave_folder(void **state)
{
    Bench *bench = *state;
    static const char *const files[] = {"src/sample.cu", "src/odd bytes.cu", "src/link.cu", "src",
                                        ".git"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
    if (chdir("/") != 0 || rmdir(bench->folder) != 0) return -1;
    arena_free(bench->arena);
    free(bench->golden);
    free(bench);
    return 0;
}

static void write_file(const char *path, const char *text, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static const char *read_all(Arena *arena, FILE *file, size_t *len)
{
    StrBuf text = {.arena = arena};
    char bytes[4096];
    size_t got;
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0) strbuf_append_n(&text, bytes, got);
    *len = text.len;
    return strbuf_text(&text);
}

static const char sample_source[] = "#include \"check.h\"\n"
                                    "int f(int n)\n"
                                    "{\n"
                                    "\tfloat *d_a = 0, *d_b = 0;\n"
                                    "\tCHECK(cudaMalloc(&d_a, n)); CHECK(cudaMalloc(&d_b, n));\n"
                                    "\tif (n > 3)\treturn 1;   \n"
                                    "\tcudaFree(d_a); cudaFree(d_b);\n"
                                    "\treturn 0;\n"
                                    "}\n";

// Latin-1, Chinese, an escape sequence, CR LF, a long line, and no line end at the end.
static const char odd_source[] =
    "/* \xE4 \xE9\x9B\xAA \xF0\x9F\x98\x80 \033[31m */ cudaFree(p);\r\n"
    "int x00, x01, x02, x03, x04, x05, x06, x07, x08, x09, x10, x11, x12, x13, x14, x15, "
    "x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30, x31, x32, "
    "x33, x34, x35, x36, x37, x38, x39, x40, x41, x42, x43, x44, x45, x46, x47, x48, x49;\r\n"
    "cudaFree(q)";

static SrcLoc at(const char *file, uint32_t line, uint32_t column)
{
    return (SrcLoc){.file = file, .line = line, .column = column};
}

static void add_step(Arena *arena, Finding *finding, SrcLoc loc, const char *text)
{
    FindingStep step = {.loc = loc, .text = text};
    vec_push(arena, &finding->steps, step);
}

static Finding leak_finding(Arena *arena)
{
    Finding finding = {.rule = "leak-on-return",
                       .severity = SEV_WARNING,
                       .loc = at("src/sample.cu", 6, 13),
                       .message =
                           "'d_a' (device memory from cudaMalloc) is not freed on this return",
                       .function = "f(int)",
                       .subject = "d_a",
                       .fingerprint = UINT64_C(0x00000000deadbeef)};
    SrcLoc acquired = at("src/sample.cu", 5, 8);
    acquired.macro = "CHECK";
    add_step(arena, &finding, acquired, "'d_a' acquired here");
    vec_last(&finding.steps)->is_key = true;
    add_step(arena, &finding, at("src/sample.cu", 6, 6), "taking true branch");
    add_step(arena, &finding, at("src/sample.cu", 6, 13), "returns here without freeing 'd_a'");
    vec_last(&finding.steps)->depth = 1;
    return finding;
}

static Report sample_report(Arena *arena)
{
    static const ReportRule rules[] = {{.slug = "double-free",
                                        .title = "Memory is freed twice",
                                        .category = "lifetime",
                                        .precision = "very-high",
                                        .page = "# double-free\n\n## What it does\n\nReports a "
                                                "resource that is released\nagain.\n\nMore.\n",
                                        .severity = SEV_ERROR,
                                        .cwe = 415},
                                       {.slug = "leak",
                                        .title = "Memory is never freed",
                                        .category = "lifetime",
                                        .precision = "high",
                                        .severity = SEV_OFF},
                                       {.slug = "leak-on-return",
                                        .title = "Memory is not freed on an early return",
                                        .category = "lifetime",
                                        .precision = "high",
                                        .guideline = "DIRECTIVE-1.2",
                                        .page = "",
                                        .severity = SEV_WARNING,
                                        .cwe = 401},
                                       {.slug = "managed-prefetch",
                                        .title = "Prefetch",
                                        .category = "managed",
                                        .severity = SEV_NOTE}};
    UnitResult *units = ARENA_ARRAY(arena, UnitResult, 3);
    units[0] = (UnitResult){.file = "src/sample.cu",
                            .host_functions = 3,
                            .analysed = 2,
                            .budget_hits = 1,
                            .parse_ms = 40.25,
                            .lower_ms = 2,
                            .engine_ms = 1,
                            .peak_bytes = 3 << 20,
                            .peak_rss_kib = 102400};
    NotAnalysed skipped = {.name = "g",
                           .loc = at("src/sample.cu", 2, 5),
                           .reason = "line 2: use of undeclared identifier 'y'"};
    vec_push(arena, &units[0].not_analysed, skipped);
    vec_push(arena, &units[0].diagnostics, "src/sample.cu:1:10: 'check.h' file not found");
    units[1] =
        (UnitResult){.file = "src/odd bytes.cu", .analysed = 1, .parse_ms = 60, .lower_ms = 1};
    units[2] = (UnitResult){.file = "src/gone.cu", .status = ST_NOT_FOUND};
    Report report = {.units = units,
                     .unit_count = 3,
                     .rules = rules,
                     .rule_count = sizeof rules / sizeof *rules,
                     .tool_version = "0.1.0",
                     .command_line = "cudalint src/sample.cu 'src/odd bytes.cu' src/gone.cu",
                     .exit_code = 2};
    Finding twice = {.rule = "double-free",
                     .severity = SEV_ERROR,
                     .loc = at("src/odd bytes.cu", 1, 24),
                     .message = "'p' is freed again: \xE4 and \033[31m",
                     .fingerprint = 1};
    Finding far = {.rule = "double-free",
                   .severity = SEV_ERROR,
                   .loc = at("src/odd bytes.cu", 2, 150),
                   .message = "far to the right"};
    Finding last = {.rule = "double-free",
                    .severity = SEV_NOTE,
                    .loc = at("src/odd bytes.cu", 3, 10),
                    .message = "without a line end"};
    Finding gone = {.rule = "leak-on-return",
                    .severity = SEV_WARNING,
                    .loc = at("src/gone.h", 7, 3),
                    .message = "x!"};
    vec_push(arena, &report.findings, gone);
    vec_push(arena, &report.findings, twice);
    vec_push(arena, &report.findings, far);
    vec_push(arena, &report.findings, last);
    vec_push(arena, &report.findings, leak_finding(arena));
    SuppressedFinding commented = {.finding = last,
                                   .kind = SUPPRESSED_IN_SOURCE,
                                   .reason = "freed by the pool",
                                   .by = {.file = "src/sample.cu", .line = 2, .column = 9}};
    SuppressedFinding listed = {.finding = far, .kind = SUPPRESSED_BASELINE, .reason = ""};
    vec_push(arena, &report.suppressed, commented);
    vec_push(arena, &report.suppressed, listed);
    write_file("src/sample.cu", sample_source, sizeof sample_source - 1);
    write_file("src/odd bytes.cu", odd_source, sizeof odd_source - 1);
    return report;
}

static void compare_with_golden(const Bench *bench, const char *name, const char *text, size_t len)
{
    const char *path = arena_printf(bench->arena, "%s/%s", bench->golden, name);
    if (getenv("CUDALINT_ACCEPT") != NULL) write_file(path, text, len);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s cannot be read", path);
    size_t wanted_len;
    const char *wanted = read_all(bench->arena, file, &wanted_len);
    fclose(file);
    if (wanted_len == len && memcmp(wanted, text, len) == 0) return;
    fail_msg("%s differs from what was printed:\n%s", name, text);
}

static const char *print(const Bench *bench, const char *format, const Report *report, size_t *len)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    Err err = {.arena = bench->arena};
    assert_int_equal(report_writer_find(format)->write(out, report, &err), ST_OK);
    rewind(out);
    const char *text = read_all(bench->arena, out, len);
    fclose(out);
    return text;
}

static void text_is_as_clang_prints_it(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    size_t len;
    const char *text = print(bench, "text", &report, &len);
    assert_null(strchr(
        text, '\033')); // nothing of the sources or messages reaches the terminal as a command
    compare_with_golden(bench, "findings.txt", text, len);
    report.colour = true;
    text = print(bench, "text", &report, &len);
    compare_with_golden(bench, "findings-colour.txt", text, len);
}

static void json_is_valid_whatever_the_bytes(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    size_t len;
    const char *text = print(bench, "json", &report, &len);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "findings")), 5);
    cJSON_Delete(root);
    compare_with_golden(bench, "findings.json", text, len);
}

static void sarif_is_as_code_scanning_wants_it(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    size_t len;
    const char *text = print(bench, "sarif", &report, &len);
    compare_with_golden(bench, "findings.sarif", text, len);
}

static void other_formats_are_as_their_readers_want_them(void **state)
{
    static const char *const FORMATS[][2] = {{"concise", "findings-concise.txt"},
                                             {"github", "findings-github.txt"},
                                             {"gitlab", "findings-gitlab.json"},
                                             {"junit", "findings-junit.xml"}};
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        size_t len;
        const char *text = print(bench, FORMATS[i][0], &report, &len);
        compare_with_golden(bench, FORMATS[i][1], text, len);
    }
}

static void empty_reports_are_whole_documents(void **state)
{
    const Bench *bench = *state;
    Report report = {.tool_version = "0.1.0"};
    size_t len;
    print(bench, "text", &report, &len);
    assert_int_equal(len, 0);
    const char *text = print(bench, "sarif", &report, &len);
    cJSON *root = cJSON_Parse(text);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "runs"), 0);
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(run, "results")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(run, "results")), 0);
    const cJSON *invocation = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "invocations"), 0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(invocation, "executionSuccessful")));
    cJSON_Delete(root);
}

static void long_paths_lose_their_middle(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    Finding finding = leak_finding(bench->arena);
    for (uint32_t i = 3; i < 10007; i++) {
        add_step(bench->arena, &finding, at("src/sample.cu", 6, 6), i == 10006 ? "last" : "again");
    }
    report.findings = (FindingList){0};
    vec_push(bench->arena, &report.findings, finding);
    size_t len;
    cJSON *root = cJSON_Parse(print(bench, "sarif", &report, &len));
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "runs"), 0);
    const cJSON *result = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "results"), 0);
    const cJSON *flow = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "codeFlows"), 0);
    const cJSON *thread = cJSON_GetArrayItem(cJSON_GetObjectItem(flow, "threadFlows"), 0);
    const cJSON *steps = cJSON_GetObjectItem(thread, "locations");
    assert_int_equal(cJSON_GetArraySize(steps), 10000);
    const cJSON *last = cJSON_GetObjectItem(cJSON_GetArrayItem(steps, 9999), "location");
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(last, "message"), "text")),
        "last.");
    const cJSON *invocation = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "invocations"), 0);
    const cJSON *notes = cJSON_GetObjectItem(invocation, "toolExecutionNotifications");
    const cJSON *note = cJSON_GetArrayItem(notes, cJSON_GetArraySize(notes) - 1);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(note, "message"), "text")),
        "7 steps in the middle of a path of 10007 are left out.");
    cJSON_Delete(root);
}

static void too_many_results_lose_the_least_grave(void **state)
{
    const Bench *bench = *state;
    Report report = {.tool_version = "0.1.0"};
    Finding finding = {
        .rule = "leak", .severity = SEV_WARNING, .loc = at("gone.cu", 1, 1), .message = "m"};
    for (uint32_t i = 0; i < 25001; i++) vec_push(bench->arena, &report.findings, finding);
    SuppressedFinding suppressed = {.finding = finding, .reason = ""};
    vec_push(bench->arena, &report.suppressed, suppressed);
    finding.severity = SEV_ERROR;
    vec_push(bench->arena, &report.findings, finding);
    size_t len;
    log_set_level(LOG_QUIET);
    const char *text = print(bench, "sarif", &report, &len);
    log_set_level(LOG_NORMAL);
    cJSON *root = cJSON_Parse(text);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "runs"), 0);
    const cJSON *results = cJSON_GetObjectItem(run, "results");
    assert_int_equal(cJSON_GetArraySize(results), 25000);
    const cJSON *last = cJSON_GetArrayItem(results, 24999);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(last, "level")), "error");
    assert_non_null(strstr(text, "3 of 25003 results are left out"));
    cJSON_Delete(root);
}

static const char *summary_of(const Bench *bench, const Report *report)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    report_summary(out, report);
    rewind(out);
    size_t len;
    const char *text = read_all(bench->arena, out, &len);
    fclose(out);
    return text;
}

static void summaries_count_what_was_not_analysed(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    assert_string_equal(summary_of(bench, &report),
                        "cudalint: error: src/gone.cu: no such file or directory\n"
                        "cudalint: 2 errors, 2 warnings, 1 note, 2 suppressed in 3 files (3 "
                        "functions analysed, 1 not "
                        "analysed: -v names them, 1 searched in part, 1 file failed)\n");
    report.verbose = true;
    report.stats = true;
    const char *text = summary_of(bench, &report);
    compare_with_golden(bench, "summary-verbose.txt", text, strlen(text));
    UnitResult unit = {.file = "a.cu", .analysed = 1};
    Report clean = {.units = &unit, .unit_count = 1};
    assert_string_equal(summary_of(bench, &clean),
                        "cudalint: 0 errors, 0 warnings in 1 file (1 function analysed)\n");
}

static void writers_are_found_by_name(void **state)
{
    (void)state;
    assert_null(report_writer_find("xml"));
    assert_string_equal(report_writer_find("sarif")->name, "sarif");
    const char *names = report_writer_names();
    static const char *const all[] = {"text", "json", "sarif"};
    for (int i = 0; i < 3; i++) assert_non_null(strstr(names, report_writer_find(all[i])->name));
}

static void full_disks_are_noticed(void **state)
{
    const Bench *bench = *state;
    Report report = sample_report(bench->arena);
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    Err err = {.arena = bench->arena};
    static const char *const formats[] = {"text", "json", "sarif"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(report_writer_find(formats[i])->write(full, &report, &err), ST_IO);
        assert_non_null(strstr(err.message, "cannot write the findings"));
    }
    fclose(full);
}

static void check_hashes(Arena *arena, const char *text, const char *const *wanted, uint32_t count)
{
    const SourceFile *file = source_from_text(arena, "x", text, strlen(text));
    LineHashes hashes = line_hashes(arena, file);
    assert_int_equal(hashes.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(line_hash_text(arena, &hashes, i + 1), wanted[i]);
    assert_null(line_hash_text(arena, &hashes, count + 1));
    assert_null(line_hash_text(arena, &hashes, 0));
}

// The values are those of the code-scanning action's own tests.
static void line_hashes_are_those_of_code_scanning(void **state)
{
    Arena *arena = ((const Bench *)*state)->arena;
    static const char *const empty[] = {"c129715d7a2bc9a3:1"};
    check_hashes(arena, "", empty, 1);
    static const char *const blanks[] = {"271789c17abda88f:1", "54703d4cd895b18:1",
                                         "180aee12dab6264:1", "a23a3dc5e078b07b:1"};
    check_hashes(arena, " a\nb\n  \t\tc\n d", blanks, 4);
    static const char *const ends[] = {
        "e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
        "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1"};
    check_hashes(arena, " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", ends, 7);
    check_hashes(arena, " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", ends, 7);
    check_hashes(arena, " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", ends, 7);
    static const char *const repeated[] = {
        "a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4",
        "a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1",
        "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"};
    StrBuf lorem = {.arena = arena};
    for (int i = 0; i < 10; i++) strbuf_append(&lorem, "Lorem ipsum dolor sit amet.\n");
    check_hashes(arena, strbuf_text(&lorem), repeated, 11);
}

static void assert_uri(const Bench *bench, const UriBase *base, const char *path,
                       const char *wanted)
{
    bool is_relative = false;
    assert_string_equal(uri_of_path(bench->arena, base, path, &is_relative), wanted);
    assert_int_equal(is_relative, strncmp(wanted, "file://", 7) != 0);
}

static void uris_are_relative_to_the_repository(void **state)
{
    const Bench *bench = *state;
    UriBase base = uri_base_find(bench->arena);
    assert_uri(bench, &base, "a.cu", "a.cu");
    assert_uri(bench, &base, "./src//x/../a b%.cu", "src/a%20b%25.cu");
    assert_uri(bench, &base, arena_printf(bench->arena, "%s/src/a.cu", bench->folder), "src/a.cu");
    assert_uri(bench, &base, "/usr/include/x:y.h", "file:///usr/include/x%3Ay.h");
    assert_uri(bench, &base, "../../../../a.h", "file:///a.h");
    assert_uri(bench, &base, "\xE4.cu", "%E4.cu");
    // A repository above the working directory is what paths are relative to, and links lead to the
    // file.
    assert_int_equal(mkdir(".git", 0777), 0);
    assert_int_equal(chdir("src"), 0);
    write_file("sample.cu", "x", 1);
    assert_int_equal(symlink("sample.cu", "link.cu"), 0);
    base = uri_base_find(bench->arena);
    assert_uri(bench, &base, "a.cu", "src/a.cu");
    assert_uri(bench, &base, "../b.cu", "b.cu");
    assert_uri(bench, &base, "link.cu", "src/sample.cu");
    assert_int_equal(chdir(".."), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_is_as_clang_prints_it),
        TEST(json_is_valid_whatever_the_bytes),
        TEST(sarif_is_as_code_scanning_wants_it),
        TEST(other_formats_are_as_their_readers_want_them),
        TEST(empty_reports_are_whole_documents),
        TEST(long_paths_lose_their_middle),
        TEST(too_many_results_lose_the_least_grave),
        TEST(summaries_count_what_was_not_analysed),
        TEST(writers_are_found_by_name),
        TEST(full_disks_are_noticed),
        TEST(line_hashes_are_those_of_code_scanning),
        TEST(uris_are_relative_to_the_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
