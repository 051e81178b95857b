// SPDX-License-Identifier: MIT
// The front end: source file and compiler arguments in, IR out. The only module that uses libclang.
#ifndef CUDALINT_TU_TU_H
#define CUDALINT_TU_TU_H

#include "base/err.h"
#include "ir/ir.h"

// A compiler's command line, of any spelling of nvcc, clang or g++. Input files in it say nothing.
typedef struct TuCommand TuCommand;
struct TuCommand {
    const char *const *args;
    uint32_t count;
    const char *directory; // where relative paths start; NULL: the working folder
    // Run by nvcc, which also reads options from the environment; else the options tell.
    bool is_nvcc;
    const TuCommand *added; // options that come after these; or NULL
};

// The same translated for clang. Equal ones make equal units of one file.
typedef struct TuArgs TuArgs;

// Called with each option that is not known, as it was written.
typedef void TuUnknownOption(void *context, const char *option);

// Unknown options are dropped, wrong ones are ST_USAGE, unreadable response files ST_IO. Allocated
// in `arena`; texts may be borrowed from `command`.
Status tu_args_translate(Arena *arena, const TuCommand *command, TuUnknownOption *on_unknown,
                         void *context, const TuArgs **args, Err *err);
bool tu_args_equal(const TuArgs *a, const TuArgs *b);
// Whether the options, not a file's name, make the file CUDA.
bool tu_args_name_cuda(const TuArgs *args);

typedef struct {
    const char *cuda_path; // real toolkit to parse with; NULL: the bundled headers
    const char *cache_dir; // where precompiled headers are kept; NULL: default_cache_dir()
    bool no_pch;           // parse without a precompiled header (tests)
    void (*on_long)(void *context, const char *what); // told before what takes seconds; or NULL
    void *context;
} TuOptions;

// What to parse. Borrowed until the unit is done.
typedef struct {
    const char *file;
    const TuArgs *args; // NULL: no options
} TuInput;

// Parse context of one process: libclang index, virtual files, precompiled headers.
typedef struct TuParser TuParser;

// Allocated in `arena`, closed with it.
Status tu_parser_new(Arena *arena, const TuOptions *options, TuParser **parser, Err *err);
// Builds the precompiled header for the input's language standard if the cache lacks it. Workers then only read it.
Status tu_parser_prepare(TuParser *parser, const TuInput *input, Err *err);

// Whether the file, or a header of the project that it includes, includes a header of CUDA's: by their include lines,
// without a parse.
bool tu_sees_cuda(TuParser *parser, const TuInput *input);

// The CUDA Toolkit whose headers the options name, where the parser reads the bundled ones; else NULL.
const char *tu_toolkit_unread(const TuParser *parser, const TuArgs *args);

typedef struct {
    double parse_ms, lower_ms;
    uint32_t error_count; // of clang, those in device code left out
    uint32_t loose_count; // of them outside function bodies
    Vec(const char *)
        diagnostics; // errors outside function bodies, then those in device code: "file:line:col: message"
} TuStats;

// Parses the file and lowers every host function with a body in the user's files (system headers not). Functions that
// could not be lowered whole are in unit->skipped with the reason. Fails when the file cannot be read or nothing of it
// could be parsed. The unit is allocated in `arena`.
Status tu_lower_file(TuParser *parser, Arena *arena, const TuInput *input, IrUnit **unit,
                     TuStats *stats, Err *err);

// "$XDG_CACHE_HOME/cudalint", "~/.cache/cudalint" or a folder under $TMPDIR; in `arena`.
const char *tu_default_cache_dir(Arena *arena);
// "libclang 19.1.7", for --version and cache keys.
const char *tu_backend_version(Arena *arena);

#endif
