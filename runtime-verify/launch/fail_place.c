// SPDX-License-Identifier: MIT
// Finds the code of a line in a program.
#include "launch/fail_place.h"

#include "record/fail.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The file that a command names, as execvp would find it; NULL when there is none.
static const char *find_program(Arena *arena, const char *name)
{
    if (strchr(name, '/') != NULL) return access(name, R_OK) == 0 ? name : NULL;
    const char *path = getenv("PATH");
    for (const char *at = path != NULL ? path : ""; *at != '\0';) {
        size_t len = strcspn(at, ":");
        const char *candidate = arena_printf(arena, "%.*s/%s", (int)len, at, name);
        if (access(candidate, X_OK) == 0) return candidate;
        at += at[len] == ':' ? len + 1 : len;
    }
    return NULL;
}

static Status resolve_line(Arena *arena, const CodeRanges *ranges, const char *module,
                           const char **fail)
{
    const char *slash = strrchr(module, '/');
    StrBuf text = {.arena = arena};
    strbuf_append_n(&text, *fail, strcspn(*fail, "@"));
    for (uint32_t i = 0; i < ranges->len; i++) {
        // A call is the last instruction before its return address.
        strbuf_printf(&text, "%c%s+0x%" PRIx64 "-0x%" PRIx64, i == 0 ? '@' : ',',
                      slash != NULL ? slash + 1 : module, ranges->items[i].low,
                      ranges->items[i].high);
    }
    *fail = strbuf_text(&text);
    return ST_OK;
}

Status fail_resolve(Arena *arena, Symbols *symbols, const char *program, const char **fail,
                    Err *err)
{
    FailSpec spec;
    const char *at = strchr(*fail, '@');
    const char *colon = at != NULL ? strrchr(at, ':') : NULL;
    if (colon == NULL) return fail_parse(arena, *fail, &spec, err);
    char resolved[PATH_MAX];
    const char *path = find_program(arena, program);
    if (path == NULL || realpath(path, resolved) == NULL)
        return err_set(err, ST_NOT_FOUND, "there is no program '%s'", program);
    const char *file = arena_strndup(arena, at + 1, (size_t)(colon - at - 1));
    int line = atoi(colon + 1);
    const char *module = arena_strdup(arena, resolved);
    CodeRanges ranges = symbols_line_ranges(symbols, module, file, line);
    if (ranges.len == 0)
        return err_set(err, ST_NOT_FOUND,
                       "'%s' has no code for line %d of '%s' (was it built with -g?)", program,
                       line, file);
    return resolve_line(arena, &ranges, module, fail);
}
