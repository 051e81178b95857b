// SPDX-License-Identifier: MIT
// How a file is given to libclang: the parser's virtual files, flags and precompiled headers.
#ifndef CUDALINT_TU_TU_PARSE_P_H
#define CUDALINT_TU_TU_PARSE_P_H

#include "tu/tu.h"
#include "tu/tu_args_p.h"

#include <clang-c/Index.h>
#include <sys/stat.h>

typedef Vec(const char *) TuFlags;

// A precompiled header for one language standard.
typedef struct {
    const char *standard;
    const char *path; // NULL: none could be made, files are parsed without one
} TuPch;

struct TuParser {
    Arena *arena; // the caller's; everything lives there
    CXIndex index;
    const char *cuda_path; // where a real toolkit's headers are; NULL: bundled headers
    const char
        *cuda_include; // the same where clang must be told of it; NULL: it searches there anyway
    const char *cache_dir;
    bool no_pch;
    void (*on_long)(void *context, const char *what);
    void *context;
    const TuArgs *args;           // of the file in progress
    const TuArgs *no_args;        // of files that come with none
    const char *resource_include; // directory of clang's own headers (stddef.h)
    TuFlags system_dirs;          // where the C and C++ libraries' headers are
    uint64_t system_identity;     // hash over the system headers' paths, sizes and times
    struct CXUnsavedFile *files;  // the preamble and the bundled headers, under TU_VIRTUAL_ROOT
    uint32_t file_count;
    Vec(TuPch) pchs; // what has been made or found so far
    const char
        *private_dir; // for precompiled headers when the cache cannot be written; NULL until needed
    int32_t private_owner; // process that made it and removes it
};

#define TU_VIRTUAL_ROOT "/cudalint/"

// From now on the parser's args are the input's.
void tu_parser_use(TuParser *parser, const TuInput *input);
// The flags that come before the user's: language, headers, diagnostics. They decide whether a
// precompiled header fits.
TuFlags tu_base_flags(TuParser *parser, Arena *arena, bool is_c);
// What one file's parse needs beyond the base flags.
typedef struct {
    TuFlags flags;
    Vec(struct CXUnsavedFile) files; // read instead of the files of those names
} TuExtra;

// Parses `file` with the base flags, the precompiled header and `extra`; ST_OK or ST_PARSE.
Status tu_parse_file(TuParser *parser, Arena *arena, const char *file, const TuExtra *extra,
                     CXTranslationUnit *tu);
// Adds to `extra` the files in which clang stumbled over a launch spelled "<< <" or with a braced
// list, respelled; false when there are none (tu_respell.c).
bool tu_respell_launches(Arena *arena, CXTranslationUnit tu, TuExtra *extra);
// The precompiled header for the parser's C++ standard, made if the cache lacks it (tu_pch.c);
// NULL: do without.
const char *tu_pch_get(TuParser *parser);
// The precompiled header does not fit the user's options: this parser does without one from now on.
void tu_pch_forget(TuParser *parser);
// Finds clang's own headers and hashes what identifies the system's (tu_system.c).
Status tu_system_probe(TuParser *parser, Err *err);
// The headers that the last look at the machine saw, if nothing has changed since
// (tu_system_cache.c).
bool tu_system_recall(TuParser *parser, TuFlags *headers);
void tu_system_remember(TuParser *parser, const TuFlags *headers);
// Makes the directory and those above it; true if it is there in the end (tu_pch.c).
bool tu_make_dirs(Arena *arena, const char *path);

// FNV-1a over bytes, continued from `hash` (TU_HASH_START at first).
#define TU_HASH_START 0xcbf29ce484222325u
uint64_t tu_hash(uint64_t hash, const void *bytes, size_t len);
uint64_t tu_hash_text(uint64_t hash, const char *text);
// What tells one version of a file from another: size and time.
uint64_t tu_hash_file(uint64_t hash, const struct stat *st);

// ---- include folders that nobody named ----------------------------------------------------------

typedef struct {
    const TuParser *parser;
    Arena *arena;
    const char *file; // being parsed; the search starts at its folder
    TuFlags *flags;   // where folders are added: pairs of "-I" or "-iquote" and the folder
} TuSearch;

// Looks for every include that the file and its project's headers name and nothing else provides
// (tu_includes.c).
void tu_include_guess(const TuSearch *search);
// Adds the folder nearest to the file that holds the include `name`; false when there is none
// (tu_search.c).
bool tu_search(const TuSearch *search, const char *name, bool is_quoted);
// Whether `name` is among the bundled headers.
bool tu_is_bundled(const TuParser *parser, const char *name);
const char *tu_path_parent(Arena *arena, const char *path);
const char *tu_path_join(Arena *arena, const char *dir, const char *name);
bool tu_path_is_file_in(Arena *arena, const char *dir, const char *name);

#endif
