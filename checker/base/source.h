// SPDX-License-Identifier: MIT
// SourceCache: the text of source files by line, for snippets, fingerprints and marks. Read once a
// run; lines end at LF, CR LF or CR, as clang counts them.
#ifndef CUDALINT_BASE_SOURCE_H
#define CUDALINT_BASE_SOURCE_H

#include "base/arena.h"

typedef struct {
    const char *path; // as it was asked for
    const char *text; // NUL-terminated after `len`; may hold NULs
    size_t len;
    const size_t *line_starts; // offset of each line
    uint32_t line_count;       // at least 1
} SourceFile;

typedef struct {
    const char *text; // not NUL-terminated; NULL if there is no such line
    size_t len;       // without the line ending
} SourceLine;

typedef struct SourceCache SourceCache;

// Files are read into `arena`.
SourceCache *source_cache_new(Arena *arena);
// The file, or NULL if it cannot be read, is no regular file, or is absurdly large (256 MiB).
const SourceFile *source_file(SourceCache *cache, const char *path);
// The text of a file given in memory, as if read from `path`.
const SourceFile *source_from_text(Arena *arena, const char *path, const char *text, size_t len);
// Line `line`, from 1; empty for a NULL file or a line that is not there.
SourceLine source_line(const SourceFile *file, uint32_t line);

#endif
