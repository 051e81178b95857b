// SPDX-License-Identifier: MIT
// CompileDb: a project's compile_commands.json, as CMake, Bear, Meson, Ninja and Bazel tools write
// it: how each file is compiled.
#ifndef CUDALINT_COMPILE_COMPDB_H
#define CUDALINT_COMPILE_COMPDB_H

#include "base/err.h"
#include "base/words.h"

typedef struct {
    const char *file;      // plain and absolute
    const char *directory; // where the compiler runs; absolute
    Words args;            // without the compiler
    bool is_nvcc;          // the compiler is nvcc
    uint32_t number;       // in the file, from 0
} CompileCommand;

typedef struct {
    const char *path;             // of the file, as it was found
    Vec(CompileCommand) commands; // sorted by file, then as they come
} CompileDb;

// The commands of one file; they follow each other.
typedef struct {
    const CompileCommand *items;
    uint32_t len;
} CompileCommands;

// Reads the text of a database; `path` says where it lies, because relative folders start there.
// What is malformed is ST_SYNTAX, with its place. Allocated in `arena`.
Status compile_db_parse(Arena *arena, const char *path, const char *text, size_t len,
                        CompileDb **db, Err *err);
// `path` is the file or the folder that holds it.
Status compile_db_load(Arena *arena, const char *path, CompileDb **db, Err *err);
// The nearest compile_commands.json in `folder`, its `build` folder, or those above; NULL: none.
const char *compile_db_find(Arena *arena, const char *folder);

// How `file` (any spelling) is compiled: none, once, or several times.
CompileCommands compile_db_commands(Arena *arena, const CompileDb *db, const char *file);
// How a file that is not there would be: as its namesake with another suffix, else as one of its
// folder; a header, which no database lists, else as the file that shares most of its path. NULL if
// there is none such.
const CompileCommand *compile_db_nearest(Arena *arena, const CompileDb *db, const char *file);

#endif
