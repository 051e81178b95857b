// SPDX-License-Identifier: MIT
// What the last look at the machine saw, kept in the cache: the names of the headers that the probe
// included, under a hash over those headers and all folders above them, in which a header or a
// compiler that comes or goes leaves its mark. A hash that no longer fits, or a damaged file, means
// another look; nothing here is an error.
#include "tu/tu_parse_p.h"

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FORMAT = 1, LARGEST = 1 << 20 };

// What decides where clang looks, besides the file system.
static uint64_t environment_hash(void)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                            "COMPILER_PATH"};
    CXString version = clang_getClangVersion();
    uint64_t hash = tu_hash_text(TU_HASH_START + FORMAT, clang_getCString(version));
    clang_disposeString(version);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        hash = tu_hash_text(hash, value != NULL ? value : "");
    }
    return hash;
}

static bool is_among(const TuFlags *texts, const char *text)
{
    for (uint32_t i = 0; i < texts->len; i++)
        if (strcmp(texts->items[i], text) == 0) return true;
    return false;
}

// The headers and the folders above them, as they are now; 0: one is gone.
static uint64_t headers_hash(Arena *arena, const TuFlags *headers)
{
    uint64_t hash = environment_hash();
    TuFlags folders = {0};
    struct stat st;
    for (uint32_t i = 0; i < headers->len; i++) {
        const char *path = headers->items[i];
        if (stat(path, &st) != 0) return 0;
        hash = tu_hash_file(tu_hash_text(hash, path), &st);
        for (path = path_parent(arena, path); !is_among(&folders, path);
             path = path_parent(arena, path))
            vec_push(arena, &folders, path);
    }
    for (uint32_t i = 0; i < folders.len; i++) {
        if (stat(folders.items[i], &st) != 0) return 0;
        hash = tu_hash_file(hash, &st);
    }
    return hash;
}

static const char *cache_file(const TuParser *parser, Arena *arena)
{
    return arena_printf(arena, "%s/system-%016llx", parser->cache_dir,
                        (unsigned long long)environment_hash());
}

bool tu_system_recall(TuParser *parser, TuFlags *headers)
{
    Arena *arena = parser->arena;
    Err err = {.arena = arena};
    char *text = NULL, *end = NULL;
    size_t len = 0;
    if (file_read(arena, cache_file(parser, arena), LARGEST, &text, &len, &err) != ST_OK)
        return false;
    uint64_t hash = strtoull(text, &end, 16);
    if (*end != '\n') return false;
    for (char *line = end + 1; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        vec_push(arena, headers, (const char *)line);
    }
    return headers->len != 0 && hash != 0 && headers_hash(arena, headers) == hash;
}

void tu_system_remember(TuParser *parser, const TuFlags *headers)
{
    Arena *arena = parser->arena;
    const char *path = cache_file(parser, arena);
    char *temporary = arena_printf(arena, "%s.XXXXXX", path);
    int fd = tu_make_dirs(arena, parser->cache_dir) ? mkstemp(temporary) : -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file == NULL) return;
    fprintf(file, "%016llx\n", (unsigned long long)headers_hash(arena, headers));
    for (uint32_t i = 0; i < headers->len; i++) fprintf(file, "%s\n", headers->items[i]);
    bool is_written = !ferror(file);
    is_written &= fclose(file) == 0;
    if (!is_written || rename(temporary, path) != 0) unlink(temporary);
}
