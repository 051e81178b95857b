// SPDX-License-Identifier: MIT
// Where in its project a file's include is when nobody says: near the file, or further up.
// Deterministic: the nearest folder wins, and of equally near ones the first by name. A folder that
// would hide a system or bundled header is never taken.
#include "tu/tu_parse_p.h"

#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEVELS_UP = 4, MAX_CHILDREN = 1024 };

// Folders that projects keep headers in, beside or below any folder.
static const char *const USUAL[] = {".", "include", "inc"};

const char *tu_path_parent(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash == NULL ? path : slash + 1;
    if (strcmp(path, "/") == 0) return path;
    if (strcmp(path, ".") == 0) return "..";
    if (strcmp(last, "..") == 0) return arena_printf(arena, "%s/..", path);
    if (slash == NULL) return ".";
    return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

const char *tu_path_join(Arena *arena, const char *dir, const char *name)
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

bool tu_path_is_file_in(Arena *arena, const char *dir, const char *name)
{
    struct stat st;
    return stat(tu_path_join(arena, dir, name), &st) == 0 && S_ISREG(st.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool tu_is_bundled(const TuParser *parser, const char *name)
{
    static const char root[] = TU_VIRTUAL_ROOT "include/";
    for (uint32_t i = 0; i < parser->file_count; i++) {
        const char *path = parser->files[i].Filename;
        if (str_starts_with(path, root) && strcmp(path + sizeof root - 1, name) == 0) return true;
    }
    return false;
}

// Names in `dir`, hidden ones left out, sorted: the order of a folder is the file system's.
static TuFlags entries_of(Arena *arena, const char *dir)
{
    TuFlags names = {0};
    DIR *handle = opendir(dir);
    if (handle == NULL) return names;
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;)
        if (entry->d_name[0] != '.') vec_push(arena, &names, arena_strdup(arena, entry->d_name));
    closedir(handle);
    if (names.len > 0) qsort(names.items, names.len, sizeof *names.items, by_name);
    return names;
}

// Whether a header of `dir` has the name of one that is meant when others include it.
static bool hides_others(const TuSearch *search, const char *dir)
{
    TuFlags names = entries_of(search->arena, dir);
    for (uint32_t i = 0; i < names.len; i++) {
        if (tu_is_bundled(search->parser, names.items[i])) return true;
        for (uint32_t s = 0; s < search->parser->system_dirs.len; s++)
            if (tu_path_is_file_in(search->arena, search->parser->system_dirs.items[s],
                                   names.items[i]))
                return true;
    }
    return false;
}

// The folder of `dir` itself, or of its usual header folders, that holds `name`; NULL: none.
static const char *holder_at(const TuSearch *search, const char *dir, const char *name,
                             bool is_quoted)
{
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++) {
        const char *candidate = tu_path_join(search->arena, dir, USUAL[i]);
        if (!tu_path_is_file_in(search->arena, candidate, name)) continue;
        if (is_quoted || !hides_others(search, candidate)) return candidate;
    }
    return NULL;
}

static const char *holder_below(const TuSearch *search, const char *dir, const char *name,
                                bool is_quoted)
{
    TuFlags children = entries_of(search->arena, dir);
    for (uint32_t i = 0; i < children.len && i < MAX_CHILDREN; i++) {
        const char *child = tu_path_join(search->arena, dir, children.items[i]);
        const char *holder = is_dir(child) ? holder_at(search, child, name, is_quoted) : NULL;
        if (holder != NULL) return holder;
    }
    return NULL;
}

static bool is_project_root(Arena *arena, const char *dir)
{
    return access(tu_path_join(arena, dir, ".git"), F_OK) == 0;
}

// For an include in quotes the folder serves quotes alone.
static void add_dir(const TuSearch *search, const char *dir, bool is_quoted)
{
    const char *option = is_quoted ? "-iquote" : "-I";
    TuFlags *flags = search->flags;
    for (uint32_t i = 0; i + 1 < flags->len; i += 2)
        if (strcmp(flags->items[i], option) == 0 && strcmp(flags->items[i + 1], dir) == 0) return;
    vec_push(search->arena, flags, option);
    vec_push(search->arena, flags, dir);
}

bool tu_search(const TuSearch *search, const char *name, bool is_quoted)
{
    if (name[0] == '/') return false;
    const char *dir = tu_path_parent(search->arena, search->file);
    for (int level = 0; level <= LEVELS_UP; level++) {
        const char *holder = holder_at(search, dir, name, is_quoted);
        if (holder == NULL) holder = holder_below(search, dir, name, is_quoted);
        if (holder != NULL) {
            add_dir(search, holder, is_quoted);
            return true;
        }
        if (is_project_root(search->arena, dir) || strcmp(dir, "/") == 0) return false;
        dir = tu_path_parent(search->arena, dir);
    }
    return false;
}
