// SPDX-License-Identifier: MIT
// Reading marks. Input: the text of a source file; output: marks with the line they speak of, and
// what could not be understood.
#include "report/mark_p.h"

#include "base/lexer.h"

#include <stdlib.h>

typedef struct {
    Arena *arena;
    const SourceFile *file;
    MarkList list;
} Scanner;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// ---- one comment ----

// What is left of a comment's text while its marks are read.
typedef struct {
    const char *text, *end;
} Rest;

static void skip_blanks(Rest *rest)
{
    while (rest->text < rest->end && strchr(" \t\r\n", *rest->text) != NULL) rest->text++;
}

static bool take(Rest *rest, const char *wanted)
{
    size_t len = strlen(wanted);
    if ((size_t)(rest->end - rest->text) < len || memcmp(rest->text, wanted, len) != 0)
        return false;
    rest->text += len;
    return true;
}

static const char *take_slug(Arena *arena, Rest *rest)
{
    const char *start = rest->text;
    while (rest->text < rest->end && (is_word(*rest->text) || *rest->text == '-')) rest->text++;
    while (rest->text > start && rest->text[-1] == '-') rest->text--; // "rule-- remark"
    return arena_strndup(arena, start, (size_t)(rest->text - start));
}

// A quoted fragment behind the opening quote; NULL if it is never closed.
static const char *take_fragment(Arena *arena, Rest *rest)
{
    char *fragment = arena_alloc(arena, (size_t)(rest->end - rest->text) + 1);
    size_t len = 0;
    while (rest->text < rest->end && *rest->text != '"') {
        if (*rest->text == '\\' && rest->text + 1 < rest->end) rest->text++;
        fragment[len++] = *rest->text++;
    }
    return take(rest, "\"") ? fragment : NULL;
}

static void complain(Scanner *scanner, uint32_t line, const char *text)
{
    MarkError error = {.line = line, .text = text};
    vec_push(scanner->arena, &scanner->list.errors, error);
}

// "@-1" behind "expect": the line meant, 0 if there is none such.
static uint32_t take_line(const Scanner *scanner, Rest *rest, uint32_t line)
{
    if (!take(rest, "@")) return line;
    bool is_up = take(rest, "-");
    if (!is_up && !take(rest, "+")) return 0;
    uint32_t offset = 0;
    const char *start = rest->text;
    while (rest->text < rest->end && *rest->text >= '0' && *rest->text <= '9' && offset < 1000000) {
        offset = offset * 10 + (uint32_t)(*rest->text++ - '0');
    }
    if (rest->text == start) return 0;
    if (is_up) return offset < line ? line - offset : 0;
    return line + offset <= scanner->file->line_count ? line + offset : 0;
}

static MarkKind kind_of(const char *name)
{
    if (strcmp(name, "note") == 0) return MARK_STEP;
    if (strcmp(name, "not-analysed") == 0) return MARK_NOT_ANALYSED;
    return MARK_FINDING;
}

// The list behind "expect:". Returns what is wrong with it, or NULL.
static const char *read_list(Scanner *scanner, Rest *rest, uint32_t line, uint32_t written_at)
{
    do {
        skip_blanks(rest);
        Mark mark = {.line = line, .written_at = written_at};
        mark.rule = take_slug(scanner->arena, rest);
        if (mark.rule[0] == '\0') return "a rule is wanted here";
        mark.kind = kind_of(mark.rule);
        skip_blanks(rest);
        if (take(rest, "\"")) {
            mark.fragment = take_fragment(scanner->arena, rest);
            if (mark.fragment == NULL) return "the quoted fragment is not closed";
            skip_blanks(rest);
        }
        vec_push(scanner->arena, &scanner->list.marks, mark);
    } while (take(rest, ","));
    bool is_remark = take(rest, "--");
    return rest->text == rest->end || is_remark
               ? NULL
               : "a comma, ' -- ' or the end is wanted behind the rule";
}

// Reads the mark of a comment of line `line`, if it is one. `// text // expect: rule` is one too.
static void read_comment(Scanner *scanner, Rest rest, uint32_t line)
{
    skip_blanks(&rest);
    for (const char *c = rest.text; c + 1 < rest.end; c++) {
        if (c[0] != '/' || (c[1] != '/' && c[1] != '*')) continue;
        Rest nested = {c + 2, rest.end};
        skip_blanks(&nested);
        Rest probe = nested;
        if (take(&probe, "expect:") || take(&probe, "expect@")) rest = nested;
    }
    Rest mark = rest;
    if (!take(&mark, "expect") || mark.text == mark.end || strchr(":@", *mark.text) == NULL) return;
    uint32_t target = take_line(scanner, &mark, line);
    if (target == 0) {
        complain(scanner, line,
                 "the line meant is no line of this file: 'expect@-1:' or 'expect@+1:' is wanted");
    } else if (!take(&mark, ":")) {
        complain(scanner, line, "a colon is wanted behind 'expect'");
    } else {
        const char *wrong = read_list(scanner, &mark, target, line);
        if (wrong != NULL) complain(scanner, line, wrong);
    }
}

// ---- the file ----

MarkList mark_list_read(Arena *arena, const SourceFile *file)
{
    Scanner scanner = {.arena = arena, .file = file};
    Lexer lexer = lexer_start(file);
    for (Token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
        if (token.kind != TOKEN_COMMENT || token.len == 0) continue;
        read_comment(&scanner, (Rest){token.text, token.text + token.len}, token.line);
    }
    return scanner.list;
}
