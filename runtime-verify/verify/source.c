// SPDX-License-Identifier: MIT
// Reads the comments of a source file.
#include "verify/source.h"

#include "base/source.h"
#include "base/str.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// What follows `key` in the line, without space around it; NULL if the line is another.
static const char *after(Arena *arena, const char *line, size_t len, const char *key)
{
    size_t key_len = strlen(key);
    if (len < key_len || strncmp(line, key, key_len) != 0) return NULL;
    line += key_len;
    len -= key_len;
    while (len > 0 && isspace((unsigned char)line[0])) line++, len--;
    while (len > 0 && isspace((unsigned char)line[len - 1])) len--;
    return arena_strndup(arena, line, len);
}

static void split(Arena *arena, const char *text, WordList *words)
{
    while (*text != '\0') {
        size_t len = strcspn(text, " \t");
        if (len != 0) vec_push(arena, words, arena_strndup(arena, text, len));
        text += len + (text[len] != '\0');
    }
}

static void read_comment(Arena *arena, const char *line, size_t len, ProgramSource *source)
{
    const char *value;
    if ((value = after(arena, line, len, "// run:")) != NULL) {
        WordList arguments = {0};
        split(arena, value, &arguments);
        vec_push(arena, &source->runs, arguments);
    } else if ((value = after(arena, line, len, "// runtime: none,")) != NULL) {
        source->cannot_run = value;
    } else if ((value = after(arena, line, len, "// simulated: none,")) != NULL) {
        source->cannot_simulate = value;
    } else if ((value = after(arena, line, len, "// devices:")) != NULL) {
        source->devices = (uint32_t)strtoul(value, NULL, 10);
    } else if ((value = after(arena, line, len, "// live:")) != NULL) {
        source->live = (uint32_t)strtoul(value, NULL, 10);
    } else if ((value = after(arena, line, len, "// nvcc:")) != NULL) {
        split(arena, value, &source->flags);
    }
}

void program_source_parse(Arena *arena, const char *text, size_t len, ProgramSource *source)
{
    const char *end = text + len;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) newline = end;
        read_comment(arena, text, (size_t)(newline - text), source);
        text = newline + 1;
    }
}

static bool is_compiled(const char *name)
{
    static const char *const endings[] = {".cu", ".c", ".cpp", ".cc", ".cxx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends_with(name, endings[i])) return true;
    }
    return false;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The files of a folder, by name; none for what is no folder.
static void list_folder(Arena *arena, const char *path, WordList *parts)
{
    DIR *dir = opendir(path);
    if (dir == NULL) return;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        vec_push(arena, parts, (const char *)arena_printf(arena, "%s/%s", path, entry->d_name));
    }
    closedir(dir);
    if (parts->len != 0) qsort(parts->items, parts->len, sizeof *parts->items, compare_texts);
}

Status program_source_read(Arena *arena, const char *path, ProgramSource *source, Err *err)
{
    SourceCache *files = source_cache_new(arena);
    *source = (ProgramSource){.file = path};
    list_folder(arena, path, &source->parts);
    bool is_folder = source->parts.len != 0;
    if (!is_folder) vec_push(arena, &source->parts, path);
    for (uint32_t i = 0; i < source->parts.len; i++) {
        const char *part = source->parts.items[i];
        if (is_folder && !is_compiled(part)) continue;
        const SourceFile *file = source_file(files, part);
        if (file == NULL) return err_set(err, ST_NOT_FOUND, "cannot read '%s'", part);
        vec_push(arena, &source->files, part);
        program_source_parse(arena, file->text, file->len, source);
    }
    return ST_OK;
}
