// SPDX-License-Identifier: MIT
// Suppression comments: what they cover, what is no suppression, what is malformed; and the outline
// of a source that they are read from.
#include "base/lexer.h"
#include "filter/suppress.h"

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

static SuppressionList read_list(Arena *arena, const char *text)
{
    return suppression_list_read(arena, source_from_text(arena, "a.cu", text, strlen(text)));
}

// The one suppression of the text.
static Suppression read_one(Arena *arena, const char *text)
{
    SuppressionList list = read_list(arena, text);
    if (list.errors.len != 0) fail_msg("%s", list.errors.items[0].text);
    assert_int_equal(list.items.len, 1);
    return list.items.items[0];
}

static void assert_covers(void **state, const char *text, uint32_t first, uint32_t last)
{
    Suppression suppression = read_one(*state, text);
    if (suppression.first != first || suppression.last != last)
        fail_msg("%s\ncovers %u to %u, not %u to %u", text, suppression.first, suppression.last,
                 first, last);
}

static void test_reads_rule_and_reason(void **state)
{
    Suppression one = read_one(*state, "f(); // cudalint: allow(leak): it is the pool's // more");
    assert_string_equal(one.rule, "leak");
    assert_string_equal(one.reason, "it is the pool's");
    assert_int_equal(one.line, 1);
    assert_int_equal(one.column, 6);
    assert_string_equal(read_one(*state, "/* cudalint: allow( leak ) why\n more */").reason, "why");
    assert_string_equal(read_one(*state, "f(); // cudalint:allow(leak)").reason, "");
    SuppressionList list = read_list(*state, "f(); // text // cudalint: allow(a, b) both");
    assert_int_equal(list.items.len, 2);
    assert_string_equal(list.items.items[1].rule, "b");
    assert_string_equal(list.items.items[1].reason, "both");
}

static void test_behind_code_it_covers_the_statement(void **state)
{
    assert_covers(state, "a();\nf(x,\n  y); // cudalint: allow(leak)\nb();", 2, 3);
    assert_covers(state, "a(); b(); // cudalint: allow(leak)\nb();", 1, 1);
    assert_covers(state, "a();\nfor (i = 0; i < n;\n  i++) { // cudalint: allow(leak)\n}", 2, 3);
    assert_covers(state, "a();\n} // cudalint: allow(leak)", 2, 2);
    assert_covers(state, "a();\n#define M f() // cudalint: allow(leak)\nb();", 2, 2);
}

static void test_alone_it_covers_what_follows(void **state)
{
    assert_covers(state, "// cudalint: allow(leak)\nf(x,\n  y);\ng();", 2, 3);
    assert_covers(state, "// cudalint: allow(leak)\n// and why\n\nvoid f()\n{\n g();\n}\nint x;", 4,
                  7);
    assert_covers(state, "// cudalint: allow(leak)\nX::X() : a{1},\n b{2}\n{\n g();\n}\nint x;", 2,
                  6);
    assert_covers(state, "// cudalint: allow(leak)\nif (a) {\n} else {\n f();\n}\ng();", 2, 5);
    assert_covers(state, "// cudalint: allow(leak)\ntry {\n} catch (...) {\n}\ng();", 2, 4);
    assert_covers(state, "// cudalint: allow(leak)\ndo {\n f();\n} while (x);\ng();", 2, 4);
    assert_covers(state, "// cudalint: allow(leak)\nfor (;;)\n f();\ng();", 2, 3);
    assert_covers(state, "// cudalint: allow(leak)\nauto f = [&](int x) {\n g();\n};\ng();", 2, 4);
    assert_covers(state, "// cudalint: allow(leak)\nint a[] = {1,\n 2}, b = 3;\ng();", 2, 3);
    assert_covers(state, "// cudalint: allow(leak)\n#define M {\nf();\ng();", 3, 3);
    assert_covers(state, "{\n// cudalint: allow(leak)\n}\ng();", 3, 3);
    assert_covers(state, "// cudalint: allow(leak)\nvoid f() {\n g(\"}\"); /* } */\n}\nint x;", 2,
                  4);
    assert_covers(state, "f();\n// cudalint: allow(leak)", 2, 2);
    assert_covers(state, "// cudalint: allow(leak)\nvoid f() {\n g();", 2, 3);
}

static void test_nolint(void **state)
{
    assert_covers(state, "f(); // NOLINT(cudalint-leak)", 1, 1);
    assert_covers(state, "// NOLINTNEXTLINE(cudalint-leak)\nf(\n);", 2, 2);
    assert_covers(state, "/* text\n NOLINTNEXTLINE(cudalint-leak) */\nf();", 3, 3);
    assert_covers(state, "// NOLINTBEGIN(cudalint-leak)\n\n// NOLINTEND(cudalint-leak)", 1, 3);
    assert_covers(state, "f(); // NOLINT.", 1, 1);
    assert_true(read_one(*state, "f(); // NOLINT: why").is_for_all);
    assert_true(read_one(*state, "f(); // NOLINT(*)").is_for_all);
    assert_string_equal(read_one(*state, "f(); // NOLINT(x, cudalint-leak): why").rule, "leak");
    assert_string_equal(read_one(*state, "f(); // NOLINT(cudalint-leak): why").reason, "why");
    assert_string_equal(read_one(*state, "f(); // NOLINT(cudalint-*)").rule, "*");
}

static void test_what_is_no_suppression(void **state)
{
    static const char *const texts[] = {
        "// NOLINT(bugprone-x)",
        "// NOLINTED NOLINT_X xNOLINT",
        "// cudalint: prose about it (in brackets)",
        "// see cudalint: allow(x)",
        "\"// cudalint: allow(x)\";",
        "R\"a( // NOLINT(cudalint-x) )a\";",
        "'\"'; \"// NOLINT\"; '\\'';",
        "int n = 1'000; \"// NOLINT\"",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SuppressionList list = read_list(*state, texts[i]);
        if (list.items.len + list.errors.len != 0) fail_msg("%s", texts[i]);
    }
}

static void test_says_what_is_malformed(void **state)
{
    static const char *const texts[] = {
        "f(); // cudalint: alow(leak)",
        "f(); // cudalint: allow",
        "f(); // cudalint: allow()",
        "f(); // cudalint: allow(leak",
        "f(); // cudalint: allow(leak why)",
        "// NOLINTEND(cudalint-leak)",
        "// NOLINT(cudalint-)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SuppressionList list = read_list(*state, texts[i]);
        if (list.items.len != 0 || list.errors.len != 1) fail_msg("%s", texts[i]);
        assert_int_equal(list.errors.items[0].line, 1);
    }
    assert_int_equal(read_list(*state, "\n// NOLINTBEGIN(cudalint-leak)").errors.len, 1);
}

static void test_covers_lines_and_patterns(void **state)
{
    (void)state;
    Suppression some = {.rule = "leak*", .first = 3, .last = 5};
    assert_true(suppression_covers(&some, "leak-on-return", 3));
    assert_true(suppression_covers(&some, "leak", 5));
    assert_false(suppression_covers(&some, "leak", 2));
    assert_false(suppression_covers(&some, "leak", 6));
    assert_false(suppression_covers(&some, "double-free", 4));
}

static void test_outline(void **state)
{
    const char *text = "#def \\\r\n x // c\r\na /* b\n*/ \"s\\\"\\\n\" u8R\"(x\n)\" 1'2 ' \n'";
    const SourceFile *file = source_from_text(*state, "a", text, strlen(text));
    Lexer lexer = lexer_start(file);
    static const struct {
        TokenKind kind;
        uint32_t line, end_line;
        bool in_directive;
    } expected[] = {
        {TOKEN_CHARACTER, 1, 1, true}, {TOKEN_WORD, 1, 1, true},     {TOKEN_WORD, 2, 2, true},
        {TOKEN_COMMENT, 2, 2, true},   {TOKEN_WORD, 3, 3, false},    {TOKEN_COMMENT, 3, 4, false},
        {TOKEN_LITERAL, 4, 5, false},  {TOKEN_LITERAL, 5, 6, false}, {TOKEN_WORD, 6, 6, false},
        {TOKEN_LITERAL, 6, 6, false},  {TOKEN_LITERAL, 7, 7, false}, {TOKEN_END, 7, 7, false},
        {TOKEN_END, 7, 7, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Token token = lexer_next(&lexer);
        if (token.kind != expected[i].kind || token.line != expected[i].line ||
            token.end_line != expected[i].end_line ||
            token.in_directive != expected[i].in_directive)
            fail_msg("token %zu: kind %d, lines %u to %u", i, token.kind, token.line,
                     token.end_line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_rule_and_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_behind_code_it_covers_the_statement, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_alone_it_covers_what_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nolint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_suppression, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_says_what_is_malformed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_covers_lines_and_patterns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outline, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
