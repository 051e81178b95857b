// SPDX-License-Identifier: MIT
// URIs: where a path lies below the root, and its percent-encoding. Input: paths as the compiler
// opened them; output: the same URI for every spelling of a path, without the name of this
// machine's folders where that can be had.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): realpath
#include "report/uri.h"

#include "base/str.h"
#include "base/vec.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const char *text;
    size_t len;
} Part;

static bool is_parent(Part part)
{
    return part.len == 2 && part.text[0] == '.' && part.text[1] == '.';
}

// `path` without "." and ".." and doubled slashes; absolute if `path` or `working` makes it so.
static const char *normalise(Arena *arena, const char *working, const char *path)
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

UriBase uri_base_find(Arena *arena)
{
    char working[4096];
    if (getcwd(working, sizeof working) == NULL) return (UriBase){NULL, NULL};
    UriBase base = {.root = NULL, .working = arena_strdup(arena, working)};
    for (size_t len = strlen(working); len > 0;) {
        const char *folder = arena_strndup(arena, working, len);
        if (access(arena_printf(arena, "%s/.git", folder), F_OK) == 0) {
            base.root = folder;
            return base;
        }
        while (len > 0 && working[len - 1] != '/') len--;
        while (len > 0 && working[len - 1] == '/') len--;
    }
    base.root = base.working;
    return base;
}

// The rest of `path` below `root`, or NULL.
static const char *below(const char *root, const char *path)
{
    size_t len = strlen(root);
    while (len > 0 && root[len - 1] == '/') len--;
    if (strncmp(root, path, len) != 0 || path[len] != '/') return NULL;
    return path + len + 1;
}

static const char *percent_encode(Arena *arena, const char *prefix, const char *path)
{
    static const char kept[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    StrBuf uri = {.arena = arena};
    strbuf_append(&uri, prefix);
    while (*path != '\0') {
        size_t len = strspn(path, kept);
        strbuf_append_n(&uri, path, len);
        path += len;
        if (*path == '\0') break;
        strbuf_printf(&uri, "%%%02X", (unsigned char)*path++);
    }
    return strbuf_text(&uri);
}

const char *uri_of_path(Arena *arena, const UriBase *base, const char *path, bool *is_relative)
{
    const char *plain = normalise(arena, base->working, path);
    const char *rest = NULL;
    if (base->root != NULL) {
        // What links lead to comes first: a reviewer annotates the file itself. In a build sandbox
        // the links lead out of it, and the name as written is the right one.
        char *real = realpath(path, NULL);
        if (real != NULL && below(base->root, real) != NULL) {
            rest = arena_strdup(arena, below(base->root, real));
        }
        free(real);
        if (rest == NULL) rest = below(base->root, plain);
    }
    *is_relative = rest != NULL || plain[0] != '/';
    if (rest != NULL) return percent_encode(arena, "", rest);
    return percent_encode(arena, *is_relative ? "" : "file://", plain);
}
