// SPDX-License-Identifier: MIT
// Paths as texts. Input: paths as users, build systems and compilers spell them; output: forms that
// can be compared and shown.
#include "base/path.h"

#include "base/str.h"
#include "base/vec.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

const char *path_join(Arena *arena, const char *folder, const char *name)
{
    if (name[0] == '/' || folder == NULL || strcmp(folder, ".") == 0) return name;
    if (strcmp(name, ".") == 0) return folder;
    return arena_printf(arena, "%s%s%s", folder, str_ends_with(folder, "/") ? "" : "/", name);
}

const char *path_parent(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return ".";
    while (slash > path && slash[-1] == '/') slash--;
    return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

typedef struct {
    const char *text;
    size_t len;
} Part;

static bool is_parent(Part part)
{
    return part.len == 2 && part.text[0] == '.' && part.text[1] == '.';
}

const char *path_plain(Arena *arena, const char *working, const char *path)
{
    const char *joined =
        path[0] == '/' || working == NULL ? path : arena_printf(arena, "%s/%s", working, path);
    bool is_absolute = joined[0] == '/';
    Vec(Part) parts = {0};
    for (const char *c = joined; *c != '\0';) {
        size_t len = strcspn(c, "/");
        bool is_up = is_parent((Part){c, len});
        bool can_pop = parts.len != 0 && !is_parent(*vec_last(&parts));
        if (is_up && (can_pop || is_absolute)) {
            if (parts.len != 0) parts.len--;
        } else if (len != 0 && !(len == 1 && c[0] == '.')) {
            Part part = {c, len};
            vec_push(arena, &parts, part);
        }
        c += len;
        while (*c == '/') c++;
    }
    StrBuf text = {.arena = arena};
    for (uint32_t i = 0; i < parts.len; i++) {
        if (i != 0 || is_absolute) strbuf_append(&text, "/");
        strbuf_append_n(&text, parts.items[i].text, parts.items[i].len);
    }
    return text.len == 0 ? (is_absolute ? "/" : ".") : strbuf_text(&text);
}

const char *path_below(const char *root, const char *path)
{
    size_t len = strlen(root);
    while (len > 0 && root[len - 1] == '/') len--;
    if (strncmp(root, path, len) != 0) return NULL;
    if (path[len] == '\0') return path + len;
    return path[len] == '/' ? path + len + 1 : NULL;
}

const char *path_real(Arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    if (real == NULL) return NULL;
    const char *copy = arena_strdup(arena, real);
    free(real);
    return copy;
}

const char *path_working(Arena *arena)
{
    char working[PATH_MAX];
    return getcwd(working, sizeof working) != NULL ? arena_strdup(arena, working) : NULL;
}

const char *path_short(Arena *arena, const char *working, const char *path)
{
    const char *plain = path_plain(arena, NULL, path);
    const char *rest = working != NULL ? path_below(working, plain) : NULL;
    if (rest == NULL) return plain;
    return rest[0] == '\0' ? "." : rest;
}
