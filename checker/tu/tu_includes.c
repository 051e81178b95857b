// SPDX-License-Identifier: MIT
// Reads the include lines of a file and of the project's headers it includes, and looks for those
// that nothing provides. Before the parse, because parsing twice costs twice; what only the
// preprocessor knows (an include made by a macro) is found after it.
#include "tu/tu_parse_p.h"

#include "base/str.h"

#include <stdio.h>
#include <sys/stat.h>

enum { MAX_SCANNED = 256, MAX_SCANNED_BYTES = 4 << 20 };

typedef struct {
    const TuSearch *search;
    Arena *arena;
    Vec(const char *) files; // to scan, each once
    bool sees_cuda;          // a header of CUDA's is included
} Scan;

static void scan_later(Scan *scan, const char *path)
{
    for (uint32_t i = 0; i < scan->files.len; i++)
        if (strcmp(scan->files.items[i], path) == 0) return;
    vec_push(scan->arena, &scan->files, path);
}

// Whether one of `dirs` holds the include; a header of the project is scanned in turn.
static bool is_in_any(Scan *scan, const TuFlags *dirs, const char *name, bool is_project)
{
    for (uint32_t i = 0; i < dirs->len; i++) {
        if (!tu_path_is_file_in(scan->arena, dirs->items[i], name)) continue;
        if (is_project) scan_later(scan, tu_path_join(scan->arena, dirs->items[i], name));
        return true;
    }
    return false;
}

// Whether a folder added before serves the include.
static bool is_in_added(Scan *scan, const char *name, bool is_quoted)
{
    for (uint32_t i = 0; i + 1 < scan->search->flags->len; i += 2) {
        bool is_for_quotes = strcmp(scan->search->flags->items[i], "-iquote") == 0;
        const char *dir = scan->search->flags->items[i + 1];
        if ((is_for_quotes && !is_quoted) || !tu_path_is_file_in(scan->arena, dir, name)) continue;
        scan_later(scan, tu_path_join(scan->arena, dir, name));
        return true;
    }
    return false;
}

// Makes sure that clang will find the include `name` of `includer`, if the project has it.
static void resolve(Scan *scan, const char *includer, const char *name, bool is_quoted)
{
    const TuParser *parser = scan->search->parser;
    scan->sees_cuda |= tu_is_bundled(parser, name);
    const char *dir = tu_path_parent(scan->arena, includer);
    if (is_quoted && tu_path_is_file_in(scan->arena, dir, name)) {
        scan_later(scan, tu_path_join(scan->arena, dir, name));
        return;
    }
    TuFlags given = {parser->args->include_dirs.items, parser->args->include_dirs.len,
                     parser->args->include_dirs.cap};
    if (is_in_any(scan, &given, name, true) || is_in_added(scan, name, is_quoted)) return;
    if (is_in_any(scan, &parser->system_dirs, name, false) || tu_is_bundled(parser, name)) return;
    if (tu_search(scan->search, name, is_quoted)) is_in_added(scan, name, is_quoted);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

static void scan_line(Scan *scan, const char *file, const char *line)
{
    const char *at = skip_blanks(line);
    if (*at != '#') return;
    at = skip_blanks(at + 1);
    if (!str_starts_with(at, "include")) return;
    at = skip_blanks(at + strlen("include"));
    char close = *at == '"' ? '"' : *at == '<' ? '>' : '\0';
    const char *end = close == '\0' ? NULL : strpbrk(at + 1, close == '"' ? "\"\n" : ">\n");
    if (end == NULL || *end != close || end == at + 1) return;
    resolve(scan, file, arena_strndup(scan->arena, at + 1, (size_t)(end - at - 1)), close == '"');
}

static void scan_file(Scan *scan, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat st;
    if (file == NULL) return;
    if (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_SCANNED_BYTES) {
        char *text = arena_alloc(scan->arena, (size_t)st.st_size + 1);
        text[fread(text, 1, (size_t)st.st_size, file)] = '\0';
        for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
            if (*line == '\n') line++;
            scan_line(scan, path, line);
        }
    }
    fclose(file);
}

void tu_include_guess(const TuSearch *search)
{
    Scan scan = {.search = search, .arena = search->arena};
    scan_later(&scan, search->file);
    for (uint32_t i = 0; i < scan.files.len && i < MAX_SCANNED; i++)
        scan_file(&scan, scan.files.items[i]);
}

bool tu_sees_cuda(TuParser *parser, const TuInput *input)
{
    tu_parser_use(parser, input);
    Arena *arena = arena_new("include scan");
    TuFlags flags = {0};
    TuSearch search = {.parser = parser, .arena = arena, .file = input->file, .flags = &flags};
    Scan scan = {.search = &search, .arena = arena};
    scan_later(&scan, input->file);
    for (uint32_t i = 0; i < scan.files.len && i < MAX_SCANNED && !scan.sees_cuda; i++)
        scan_file(&scan, scan.files.items[i]);
    arena_free(arena);
    return scan.sees_cuda;
}
