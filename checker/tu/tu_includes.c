// SPDX-License-Identifier: MIT
// Where a file's includes are when nobody says: near the file, or further up in its project. Deterministic: the nearest
// folder wins, and of equally near ones the first by name.
#include "tu/tu_parse_p.h"

#include "base/embed.h"
#include "base/str.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEVELS_UP = 4, MAX_CHILDREN = 512 };

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

static void add_dir(Arena *arena, TuFlags *flags, const char *dir)
{
    const char *flag = arena_printf(arena, "-I%s", dir);
    for (uint32_t i = 0; i < flags->len; i++)
        if (strcmp(flags->items[i], flag) == 0) return;
    vec_push(arena, flags, flag);
}

void tu_include_guess(TuParser *parser, Arena *arena, const char *file, TuFlags *flags)
{
    (void)parser;
    const char *dir = parent_of(arena, file);
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
        if (is_dir(join(arena, dir, USUAL[i]))) add_dir(arena, flags, join(arena, dir, USUAL[i]));
    add_dir(arena, flags, parent_of(arena, dir));
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
        const char *holder = holder_at(arena, join(arena, dir, children.items[i]), name);
        if (holder != NULL) return holder;
    }
    return NULL;
}

static bool is_project_root(Arena *arena, const char *dir)
{
    return access(join(arena, dir, ".git"), F_OK) == 0;
}

bool tu_include_search(Arena *arena, const char *file, const char *name, TuFlags *flags)
{
    if (name[0] == '/') return false;
    const char *dir = parent_of(arena, file);
    for (int level = 0; level <= LEVELS_UP; level++) {
        const char *holder = holder_at(arena, dir, name);
        if (holder == NULL) holder = holder_below(arena, dir, name);
        if (holder != NULL) {
            add_dir(arena, flags, holder);
            return true;
        }
        if (is_project_root(arena, dir) || strcmp(dir, "/") == 0) return false;
        dir = parent_of(arena, dir);
    }
    return false;
}
