// SPDX-License-Identifier: MIT
// Launches as formatters respell them: nvcc reads "k<< <grid, block>> >(p)" as a launch, clang does
// not. Input: a parse with errors. Output: such files with "<<< " and ">>> " in their place, so that
// every other column stays where it is.
#include "tu/tu_parse_p.h"

#include <string.h>

// The error is at the third character of a spaced "<< <".
static bool is_spaced_launch(CXTranslationUnit tu, CXDiagnostic diagnostic, CXFile *file)
{
    if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return false;
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), file, NULL, NULL, &offset);
    if (*file == NULL || offset < 3) return false;
    size_t size = 0;
    const char *text = clang_getFileContents(tu, *file, &size);
    return text != NULL && offset < size && memcmp(text + offset - 3, "<< <", 4) == 0;
}

// Moves the space of the four characters at `at` behind them.
static void close_up(char *at)
{
    at[2] = at[0];
    at[3] = ' ';
}

static void respell(char *text)
{
    for (char *open = strstr(text, "<< <"); open != NULL; open = strstr(open, "<< <")) {
        close_up(open);
        char *close = strstr(open, ">> >");
        if (close != NULL) close_up(close);
    }
}

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
    respell(copy);
    struct CXUnsavedFile respelled = {name, copy, size};
    vec_push(arena, &extra->files, respelled);
}

bool tu_respell_launches(Arena *arena, CXTranslationUnit tu, TuExtra *extra)
{
    uint32_t before = extra->files.len;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        CXFile file = NULL;
        if (is_spaced_launch(tu, diagnostic, &file)) add_respelled(arena, tu, file, extra);
        clang_disposeDiagnostic(diagnostic);
    }
    return extra->files.len > before;
}
