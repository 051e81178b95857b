// SPDX-License-Identifier: MIT
// Where a file's includes are when nobody says: near the file, or further up in its project. Deterministic: the nearest
// folder wins, and of equally near ones the first by name. Include lines are looked at before the parse, because parsing
// twice costs twice; what only the preprocessor knows (an include made by a macro) is found after it.
#include "tu/tu_parse_p.h"

#include "base/embed.h"
#include "base/str.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEVELS_UP = 4, MAX_CHILDREN = 512, MAX_SCANNED = 256, MAX_SCANNED_BYTES = 4 << 20 };

// Folders that projects keep headers in, beside or below any folder.
static const char *const USUAL[] = {".", "include", "inc"};

static const char *parent_of(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash == NULL ? path : slash + 1;
    if (strcmp(path, "/") == 0) return path;
    if (strcmp(path, ".") == 0) return "..";
    if (strcmp(last, "..") == 0) return arena_printf(arena, "%s/..", path);
    if (slash == NULL) return ".";
    return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

static const char *join(Arena *arena, const char *dir, const char *name)
{
    if (strcmp(name, ".") == 0) return dir;
    if (strcmp(dir, ".") == 0) return name;
    return arena_printf(arena, "%s/%s", dir, name);
}

static bool is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file_in(Arena *arena, const char *dir, const char *name)
{
    struct stat st;
    return stat(join(arena, dir, name), &st) == 0 && S_ISREG(st.st_mode);
}

// For an include in quotes the folder serves quotes alone, or a header of its could hide a system header.
static void add_dir(Arena *arena, TuFlags *flags, const char *dir, bool is_quoted)
{
    const char *option = is_quoted ? "-iquote" : "-I";
    for (uint32_t i = 0; i + 1 < flags->len; i += 2)
        if (strcmp(flags->items[i], option) == 0 && strcmp(flags->items[i + 1], dir) == 0) return;
    vec_push(arena, flags, option);
    vec_push(arena, flags, dir);
}

// ---- search in the project ----------------------------------------------------------------------------

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The folder of `dir` itself, or of its usual header folders, that holds `name`; NULL: none.
static const char *holder_at(Arena *arena, const char *dir, const char *name)
{
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++) {
        const char *candidate = join(arena, dir, USUAL[i]);
        if (is_file_in(arena, candidate, name)) return candidate;
    }
    return NULL;
}

static const char *holder_below(Arena *arena, const char *dir, const char *name)
{
    DIR *handle = opendir(dir);
    if (handle == NULL) return NULL;
    Vec(const char *) children = {0};
    for (struct dirent *entry; children.len < MAX_CHILDREN && (entry = readdir(handle)) != NULL;)
        if (entry->d_name[0] != '.') vec_push(arena, &children, arena_strdup(arena, entry->d_name));
    closedir(handle);
    if (children.len > 0) qsort(children.items, children.len, sizeof *children.items, by_name);
    for (uint32_t i = 0; i < children.len; i++) {
        const char *child = join(arena, dir, children.items[i]);
        const char *holder = is_dir(child) ? holder_at(arena, child, name) : NULL;
        if (holder != NULL) return holder;
    }
    return NULL;
}

static bool is_project_root(Arena *arena, const char *dir)
{
    return access(join(arena, dir, ".git"), F_OK) == 0;
}

bool tu_include_search(Arena *arena, const char *file, const char *name, bool is_quoted,
                       TuFlags *flags)
{
    if (name[0] == '/') return false;
    const char *dir = parent_of(arena, file);
    for (int level = 0; level <= LEVELS_UP; level++) {
        const char *holder = holder_at(arena, dir, name);
        if (holder == NULL) holder = holder_below(arena, dir, name);
        if (holder != NULL) {
            add_dir(arena, flags, holder, is_quoted);
            return true;
        }
        if (is_project_root(arena, dir) || strcmp(dir, "/") == 0) return false;
        dir = parent_of(arena, dir);
    }
    return false;
}

// ---- include lines ------------------------------------------------------------------------------------

typedef struct {
    TuParser *parser;
    Arena *arena;
    const char *main_file;
    TuFlags *flags;
    Vec(const char *) files; // to scan, each once
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
        if (!is_file_in(scan->arena, dirs->items[i], name)) continue;
        if (is_project) scan_later(scan, join(scan->arena, dirs->items[i], name));
        return true;
    }
    return false;
}

// Whether a folder added before serves the include.
static bool is_in_added(Scan *scan, const char *name, bool is_quoted)
{
    for (uint32_t i = 0; i + 1 < scan->flags->len; i += 2) {
        bool is_for_quotes = strcmp(scan->flags->items[i], "-iquote") == 0;
        const char *dir = scan->flags->items[i + 1];
        if ((is_for_quotes && !is_quoted) || !is_file_in(scan->arena, dir, name)) continue;
        scan_later(scan, join(scan->arena, dir, name));
        return true;
    }
    return false;
}

static bool is_bundled(const TuParser *parser, const char *name)
{
    static const char root[] = TU_VIRTUAL_ROOT "include/";
    for (uint32_t i = 0; i < parser->file_count; i++) {
        const char *path = parser->files[i].Filename;
        if (str_starts_with(path, root) && strcmp(path + sizeof root - 1, name) == 0) return true;
    }
    return false;
}

// Makes sure that clang will find the include `name` of `includer`, if the project has it.
static void resolve(Scan *scan, const char *includer, const char *name, bool is_quoted)
{
    TuParser *parser = scan->parser;
    const char *dir = parent_of(scan->arena, includer);
    if (is_quoted && is_file_in(scan->arena, dir, name)) {
        scan_later(scan, join(scan->arena, dir, name));
        return;
    }
    TuFlags given = {parser->args.include_dirs.items, parser->args.include_dirs.len,
                     parser->args.include_dirs.cap};
    if (is_in_any(scan, &given, name, true) || is_in_added(scan, name, is_quoted)) return;
    if (is_in_any(scan, &parser->system_dirs, name, false) || is_bundled(parser, name)) return;
    if (tu_include_search(scan->arena, scan->main_file, name, is_quoted, scan->flags))
        is_in_added(scan, name, is_quoted);
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

void tu_include_guess(TuParser *parser, Arena *arena, const char *file, TuFlags *flags)
{
    Scan scan = {.parser = parser, .arena = arena, .main_file = file, .flags = flags};
    scan_later(&scan, file);
    for (uint32_t i = 0; i < scan.files.len && i < MAX_SCANNED; i++)
        scan_file(&scan, scan.files.items[i]);
}
