// SPDX-License-Identifier: MIT
// URIs: where a path lies below the root, and its percent-encoding. Input: paths as the compiler
// opened them; output: the same URI for every spelling of a path, without the name of this
// machine's folders where that can be had.
#include "report/uri.h"

#include "base/path.h"
#include "base/str.h"

#include <string.h>
#include <unistd.h>

UriBase uri_base_find(Arena *arena)
{
    const char *working = path_working(arena);
    if (working == NULL) return (UriBase){NULL, NULL};
    UriBase base = {.root = NULL, .working = working};
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

const char *uri_plain_path(Arena *arena, const UriBase *base, const char *path, bool *is_relative)
{
    const char *plain = path_plain(arena, base->working, path);
    const char *rest = NULL;
    if (base->root != NULL) {
        // What links lead to comes first: a reviewer annotates the file itself. In a build sandbox
        // the links lead out of it, and the name as written is the right one.
        const char *real = path_real(arena, path);
        if (real != NULL) rest = path_below(base->root, real);
        if (rest == NULL) rest = path_below(base->root, plain);
    }
    *is_relative = rest != NULL || plain[0] != '/';
    return rest != NULL ? rest : plain;
}

const char *uri_of_path(Arena *arena, const UriBase *base, const char *path, bool *is_relative)
{
    const char *plain = uri_plain_path(arena, base, path, is_relative);
    return percent_encode(arena, *is_relative ? "" : "file://", plain);
}
