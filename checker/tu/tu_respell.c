// SPDX-License-Identifier: MIT
// Launches that nvcc reads and clang does not: as formatters respell them, "k<< <grid, block>> >(p)",
// and with braced lists, "k<<<grid, {32, 8}>>>(p)". Input: a parse with errors. Output: such files
// with "<<< ", ">>> " and "(32, 8)" in their place, so that every other column stays where it is.
#include "tu/tu_parse_p.h"

#include <ctype.h>
#include <string.h>

// The error is at the third character of a spaced "<< <", or at a list that is no expression.
static bool is_at_launch(const char *text, size_t size, unsigned offset)
{
    if (text == NULL || offset < 3 || offset >= size) return false;
    return text[offset] == '{' || memcmp(text + offset - 3, "<< <", 4) == 0;
}

static bool may_be_launch(CXTranslationUnit tu, CXDiagnostic diagnostic, CXFile *file)
{
    if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return false;
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), file, NULL, NULL, &offset);
    if (*file == NULL) return false;
    size_t size = 0;
    const char *text = clang_getFileContents(tu, *file, &size);
    return is_at_launch(text, size, offset);
}

// ---- spaced launches ----------------------------------------------------------------------------

// Moves the space of the four characters at `at` behind them.
static void close_up(char *at)
{
    at[2] = at[0];
    at[3] = ' ';
}

static void respell_spaced(char *text)
{
    for (char *open = strstr(text, "<< <"); open != NULL; open = strstr(open, "<< <")) {
        close_up(open);
        char *close = strstr(open, ">> >");
        if (close != NULL) close_up(close);
    }
}

// ---- braced lists -------------------------------------------------------------------------------

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

// Where the group that opens at `at` closes; NULL when it does not before a statement's end.
static char *group_end(char *at)
{
    int depth = 0;
    for (; *at != '\0' && *at != ';'; at++) {
        depth += opens(*at) ? 1 : 0;
        depth -= closes(*at) ? 1 : 0;
        if (depth == 0) return at;
    }
    return NULL;
}

// The ">>>" of the launch whose configuration starts at `at`; NULL when it is none.
static char *configuration_end(char *at)
{
    for (; *at != '\0' && *at != ';' && !closes(*at); at++) {
        if (strncmp(at, ">>>", 3) == 0) return at;
        if (!opens(*at)) continue;
        at = group_end(at);
        if (at == NULL) return NULL;
    }
    return NULL;
}

// An argument of its own, not the rest of "dim3{1, 2}".
static bool is_argument(const char *start, const char *at)
{
    while (at > start && isspace((unsigned char)at[-1])) at--;
    return at == start || at[-1] == ',';
}

// A list of numbers becomes a comma expression, whose value clang converts as it does a number; an
// empty one becomes 0.
static void respell_list(char *open, char *close)
{
    char *last = close - 1;
    while (last > open && isspace((unsigned char)*last)) last--;
    *open = last == open ? '0' : '(';
    *close = last == open ? ' ' : ')';
    if (*last == ',') *last = ' ';
}

static void respell_lists(char *text)
{
    for (char *open = strstr(text, "<<<"); open != NULL; open = strstr(open + 3, "<<<")) {
        char *start = open + 3, *end = configuration_end(start);
        for (char *at = start; end != NULL && at < end; at++) {
            if (!opens(*at)) continue;
            char *close = group_end(at);
            if (*at == '{' && is_argument(start, at)) respell_list(at, close);
            at = close;
        }
    }
}

// ---- files --------------------------------------------------------------------------------------

static bool is_respelled(const TuExtra *extra, const char *name)
{
    for (uint32_t i = 0; i < extra->files.len; i++)
        if (strcmp(extra->files.items[i].Filename, name) == 0) return true;
    return false;
}

static void add_respelled(Arena *arena, CXTranslationUnit tu, CXFile file, TuExtra *extra)
{
    CXString spelling = clang_getFileName(file);
    const char *name = arena_strdup(arena, clang_getCString(spelling));
    clang_disposeString(spelling);
    if (is_respelled(extra, name)) return;
    size_t size = 0;
    const char *text = clang_getFileContents(tu, file, &size);
    char *copy = arena_strndup(arena, text, size);
    respell_spaced(copy);
    respell_lists(copy);
    if (memcmp(copy, text, size) == 0) return;
    struct CXUnsavedFile respelled = {name, copy, size};
    vec_push(arena, &extra->files, respelled);
}

bool tu_respell_launches(Arena *arena, CXTranslationUnit tu, TuExtra *extra)
{
    uint32_t before = extra->files.len;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        CXFile file = NULL;
        if (may_be_launch(tu, diagnostic, &file)) add_respelled(arena, tu, file, extra);
        clang_disposeDiagnostic(diagnostic);
    }
    return extra->files.len > before;
}
