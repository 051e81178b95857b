// SPDX-License-Identifier: MIT
// A source file that is a program of its own, and what its comments say of how to run it.
#ifndef RUNTIME_VERIFY_VERIFY_SOURCE_H
#define RUNTIME_VERIFY_VERIFY_SOURCE_H

#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef Vec(const char *) WordList;

// From comments that stand alone on a line:
//   // run: ARGS             run it with these arguments; once for each such line
//   // runtime: none, WHY    it cannot run
//   // simulated: none, WHY  it cannot run on the simulated runtime
//   // devices: N            it needs so many devices
//   // live: N, WHY          so many things may be live when it ends (a good_* file's)
//   // nvcc: FLAGS           what its build needs besides
typedef struct {
    const char *file;            // or the folder
    WordList files;              // that are compiled
    WordList parts;              // those and the headers beside them
    const char *cannot_run;      // WHY, or NULL
    const char *cannot_simulate; // the same of the simulated runtime
    uint32_t devices;            // 0: any
    uint32_t live;
    Vec(WordList) runs; // arguments of each
    WordList flags;
} ProgramSource;

// Reads the comments of the file, or of all files of the folder; allocated in `arena`.
Status program_source_read(Arena *arena, const char *file, ProgramSource *source, Err *err);
void program_source_parse(Arena *arena, const char *text, size_t len, ProgramSource *source);

#endif
