// SPDX-License-Identifier: MIT
// Reads a unified diff. Input: what git prints; output: the lines of the new files that are added or
// changed. A line that was deleted leaves the two around it.
#include "base/path.h"
#include "base/str.h"
#include "filter/changes.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *arena;
    Changes *changes;
    const char *path;             // of the file in progress; NULL: none, or it was deleted
    unsigned long removed, added; // lines of the hunk still to come
} DiffReader;

// A name in C's quotes, as git writes those with odd characters.
static const char *unquote(Arena *arena, const char *text, size_t len)
{
    if (len < 2 || text[0] != '"' || text[len - 1] != '"') return arena_strndup(arena, text, len);
    char *out = arena_alloc(arena, len);
    size_t used = 0;
    for (size_t i = 1; i + 1 < len; i++) {
        char c = text[i];
        if (c == '\\' && i + 2 < len) {
            static const char letters[] = "abtnvfr", meanings[] = "\a\b\t\n\v\f\r";
            c = text[++i];
            const char *letter = strchr(letters, c);
            if (letter != NULL) {
                c = meanings[letter - letters];
            } else if (c >= '0' && c <= '3' && i + 3 < len) {
                c = (char)((c - '0') * 64 + (text[i + 1] - '0') * 8 + (text[i + 2] - '0'));
                i += 2;
            }
        }
        out[used++] = c;
    }
    return out;
}

// "+++ b/path"
static void read_name(DiffReader *reader, const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == '\t' || line[len - 1] == '\r')) len--;
    const char *name = unquote(reader->arena, line + 4, len - 4);
    reader->path = NULL;
    if (!str_starts_with(name, "b/")) return; // "/dev/null"
    reader->path = path_join(reader->arena, reader->changes->root, name + 2);
}

static void add_lines(DiffReader *reader, unsigned long first, unsigned long count)
{
    if (reader->path == NULL || first > UINT32_MAX / 2 || count > UINT32_MAX / 2) return;
    LineRange range = {.first = (uint32_t)first, .last = (uint32_t)(first + count - 1)};
    if (count == 0) range.last = (uint32_t)first + 1; // deleted between `first` and the next
    ChangedFile *file = reader->changes->files.len != 0 ? vec_last(&reader->changes->files) : NULL;
    if (file == NULL || file->path != reader->path) {
        vec_push(reader->arena, &reader->changes->files, (ChangedFile){.path = reader->path});
        file = vec_last(&reader->changes->files);
    }
    vec_push(reader->arena, &file->lines, range);
}

// "12" or "12,3" at `*at`; false if it is neither.
static bool read_range(const char **at, unsigned long *first, unsigned long *count)
{
    char *end = NULL;
    *count = 1;
    if (**at < '0' || **at > '9') return false;
    *first = strtoul(*at, &end, 10);
    *at = end;
    if (**at != ',') return true;
    (*at)++;
    if (**at < '0' || **at > '9') return false;
    *count = strtoul(*at, &end, 10);
    *at = end;
    return true;
}

// "@@ -1,2 +3,4 @@"
static void read_hunk(DiffReader *reader, const char *line)
{
    unsigned long old_first, first, count;
    const char *at = line + strlen("@@ -");
    if (!read_range(&at, &old_first, &reader->removed) || !str_starts_with(at, " +")) return;
    at += 2;
    if (!read_range(&at, &first, &count)) return;
    reader->added = count;
    add_lines(reader, first, count);
}

// "Submodule PATH contains untracked content": git does not say which.
static void read_submodule(DiffReader *reader, const char *line, size_t len)
{
    static const char before[] = "Submodule ", after[] = " contains untracked content";
    if (len < strlen(before) + strlen(after) || !str_ends_with(line, after)) return;
    const char *name = line + strlen(before);
    name = unquote(reader->arena, name, len - strlen(before) - strlen(after));
    const char *folder = path_join(reader->arena, reader->changes->root, name);
    vec_push(reader->arena, &reader->changes->folders, folder);
}

static void read_line(DiffReader *reader, const char *line, size_t len)
{
    if (line[0] == '-' && reader->removed != 0)
        reader->removed--;
    else if (line[0] == '+' && reader->added != 0)
        reader->added--;
    else if (str_starts_with(line, "+++ "))
        read_name(reader, line, len);
    else if (str_starts_with(line, "@@ -"))
        read_hunk(reader, line);
    else if (str_starts_with(line, "Submodule "))
        read_submodule(reader, line, len);
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const ChangedFile *)a)->path, ((const ChangedFile *)b)->path);
}

void changes_read_diff(Arena *arena, Changes *changes, const char *diff, size_t len)
{
    DiffReader reader = {.arena = arena, .changes = changes};
    for (size_t at = 0; at < len;) {
        const char *end = memchr(diff + at, '\n', len - at);
        size_t line_len = end != NULL ? (size_t)(end - diff) - at : len - at;
        read_line(&reader, arena_strndup(arena, diff + at, line_len), line_len);
        at += line_len + 1;
    }
    if (changes->files.len != 0)
        qsort(changes->files.items, changes->files.len, sizeof(ChangedFile), compare_files);
}
