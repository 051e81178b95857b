// SPDX-License-Identifier: MIT
// The front end: source file and compiler arguments in, IR out. The only module that uses libclang.
#ifndef CUDALINT_TU_TU_H
#define CUDALINT_TU_TU_H

#include "base/err.h"
#include "ir/ir.h"

typedef struct {
    const char *cuda_path;   // real toolkit to parse with; NULL: the bundled headers
    const char *cache_dir;   // where precompiled headers are kept; NULL: default_cache_dir()
    const char *const *args; // compiler arguments after `--`, any spelling of nvcc, clang or g++
    uint32_t arg_count;
    bool no_pch; // parse without a precompiled header (tests)
} TuOptions;

// Parse context of one process: libclang index, virtual files, precompiled headers.
typedef struct TuParser TuParser;

// Allocated in `arena`, closed with it.
Status tu_parser_new(Arena *arena, const TuOptions *options, TuParser **parser, Err *err);
// Builds the precompiled header for the file's language standard if the cache lacks it. Workers then only read it.
Status tu_parser_prepare(TuParser *parser, const char *file, Err *err);

typedef struct {
    double parse_ms, lower_ms;
    uint32_t error_count; // of clang, all of them
    Vec(const char *)
        diagnostics; // errors outside function bodies and missing includes: "file:line:col: message"
} TuStats;

// Parses `file` and lowers every host function with a body in the user's files (system headers not). Functions that
// could not be lowered whole are in unit->skipped with the reason. Fails when the file cannot be read or nothing of it
// could be parsed. The unit is allocated in `arena`.
Status tu_lower_file(TuParser *parser, Arena *arena, const char *file, IrUnit **unit,
                     TuStats *stats, Err *err);

// "$XDG_CACHE_HOME/cudalint", "~/.cache/cudalint" or a folder under $TMPDIR; in `arena`.
const char *tu_default_cache_dir(Arena *arena);
// "libclang 19.1.7", for --version and cache keys.
const char *tu_backend_version(Arena *arena);

#endif
