// SPDX-License-Identifier: MIT
// SourceCache: reads files whole and finds their lines. Input: paths; output: text and line starts.
// A file that cannot be read is remembered as such, so that nobody asks the disk twice.
#include "base/source.h"

#include "base/str.h"
#include "base/vec.h"

#include <stdio.h>
#include <sys/stat.h>

enum { SOURCE_LARGEST = 256 << 20 };

typedef struct {
    const char *path; // interned
    const SourceFile *file;
} Entry;

struct SourceCache {
    Arena *arena;
    StrPool *paths;
    Vec(Entry) entries;
};

SourceCache *source_cache_new(Arena *arena)
{
    SourceCache *cache = ARENA_NEW(arena, SourceCache);
    cache->arena = arena;
    cache->paths = str_pool_new(arena);
    return cache;
}

const SourceFile *source_from_text(Arena *arena, const char *path, const char *text, size_t len)
{
    Vec(size_t) starts = {0};
    vec_push(arena, &starts, 0);
    for (size_t i = 0; i < len; i++) {
        bool is_end = text[i] == '\n' || (text[i] == '\r' && (i + 1 == len || text[i + 1] != '\n'));
        if (is_end) vec_push(arena, &starts, i + 1);
    }
    SourceFile *file = ARENA_NEW(arena, SourceFile);
    *file = (SourceFile){.path = path,
                         .text = text,
                         .len = len,
                         .line_starts = starts.items,
                         .line_count = starts.len};
    return file;
}

static const SourceFile *read_file(Arena *arena, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > SOURCE_LARGEST)
        return NULL;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) return NULL;
    size_t size = (size_t)info.st_size;
    char *text = arena_alloc(arena, size + 1);
    size_t len = fread(text, 1, size, stream);
    bool is_read = ferror(stream) == 0;
    fclose(stream);
    return is_read ? source_from_text(arena, path, text, len) : NULL;
}

const SourceFile *source_file(SourceCache *cache, const char *path)
{
    if (path == NULL) return NULL;
    const char *interned = str_intern(cache->paths, path);
    for (uint32_t i = cache->entries.len; i-- > 0;) {
        if (cache->entries.items[i].path == interned) return cache->entries.items[i].file;
    }
    Entry entry = {.path = interned, .file = read_file(cache->arena, interned)};
    vec_push(cache->arena, &cache->entries, entry);
    return entry.file;
}

SourceLine source_line(const SourceFile *file, uint32_t line)
{
    if (file == NULL || line == 0 || line > file->line_count) return (SourceLine){NULL, 0};
    size_t start = file->line_starts[line - 1];
    size_t end = line < file->line_count ? file->line_starts[line] : file->len;
    while (end > start && (file->text[end - 1] == '\n' || file->text[end - 1] == '\r')) end--;
    return (SourceLine){file->text + start, end - start};
}
