// SPDX-License-Identifier: MIT
// Lines of source files, for fingerprints. Keeps one file at a time: findings come sorted by file.
#include "run/run_p.h"

#include <stdio.h>

enum { MAX_LINE_BYTES = 4096 }; // of a longer line only the beginning counts

struct LineReader {
    Arena *arena;
    const char *file; // open now, or NULL
    FILE *stream;     // at the line after `line`
    uint32_t line;    // of `text`
    char text[MAX_LINE_BYTES];
};

static void line_reader_close(void *object)
{
    LineReader *reader = object;
    if (reader->stream != NULL) fclose(reader->stream);
    reader->stream = NULL;
}

LineReader *line_reader_new(Arena *arena)
{
    LineReader *reader = ARENA_NEW(arena, LineReader);
    reader->arena = arena;
    arena_defer(arena, line_reader_close, reader);
    return reader;
}

// Opens the file at its beginning.
static void line_reader_open(LineReader *reader, const char *file)
{
    line_reader_close(reader);
    reader->file = file;
    reader->stream = fopen(file, "re");
    reader->line = 0;
}

// Reads the next line; what does not fit is dropped.
static bool line_reader_next(LineReader *reader)
{
    size_t len = 0;
    int c = getc(reader->stream);
    if (c == EOF) return false;
    for (; c != EOF && c != '\n'; c = getc(reader->stream)) {
        if (len < MAX_LINE_BYTES - 1) reader->text[len++] = (char)c;
    }
    if (len != 0 && reader->text[len - 1] == '\r') len--;
    reader->text[len] = '\0';
    reader->line++;
    return true;
}

const char *line_reader_get(LineReader *reader, const char *file, uint32_t line)
{
    if (reader->file == NULL || strcmp(reader->file, file) != 0 || line < reader->line)
        line_reader_open(reader, file);
    if (reader->stream == NULL) return "";
    while (reader->line < line) {
        if (!line_reader_next(reader)) return "";
    }
    return reader->text;
}
