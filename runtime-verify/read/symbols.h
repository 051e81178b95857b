// SPDX-License-Identifier: MIT
// Symbols: addresses in files become functions and lines, by libdw. Files are opened once.
#ifndef RUNTIME_VERIFY_READ_SYMBOLS_H
#define RUNTIME_VERIFY_READ_SYMBOLS_H

#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Symbols Symbols;

// One function on a stack; inlined ones are frames of their own.
typedef struct {
    const char *function; // demangled as the debug information has it, or the symbol; NULL: unknown
    const char *file;     // NULL: no debug information
    int line;
    const char *module; // path
    bool is_library;    // the module is a shared library
    bool is_runtime;    // of the CUDA runtime, whether linked statically or not
} Frame;

typedef Vec(Frame) FrameList;

// Allocated in `arena`, which closes it.
Symbols *symbols_new(Arena *arena, StrPool *strings);
// Appends the frames of a return address, innermost first. `build_id` is what the file must have,
// NULL when that is not known; a file that was replaced since has nothing to say.
void symbols_frames(Symbols *symbols, const char *module, const char *build_id,
                    uint64_t return_address, FrameList *frames);

// Addresses of code made for one line of a file.
typedef struct {
    uint64_t low, high; // [low, high)
} CodeRange;

typedef Vec(CodeRange) CodeRanges;

// Where the code for FILE:LINE lies in a module; the file is given by the end of its path. Empty
// when there is none.
CodeRanges symbols_line_ranges(Symbols *symbols, const char *module, const char *file, int line);

// Does `path` end with the path `end`, at a whole name?
bool path_ends_with(const char *path, const char *end);

#endif
