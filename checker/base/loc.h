// SPDX-License-Identifier: MIT
// SrcLoc: a place in the user's source. Shared by every stage from the front end to the writers.
#ifndef CUDALINT_BASE_LOC_H
#define CUDALINT_BASE_LOC_H

#include <stdbool.h>
#include <stdint.h>

// Where the user sees it: for code from a macro body this is where the macro was used.
// Strings are interned in the translation unit's pool.
typedef struct {
    const char *file;  // path as it was opened; NULL: no location
    uint32_t line;     // from 1; 0: no location
    uint32_t column;   // from 1, in bytes
    const char *macro; // outermost macro whose body holds the code; NULL outside macros
} SrcLoc;

static inline bool loc_is_valid(SrcLoc loc)
{
    return loc.file != 0 && loc.line != 0;
}

#endif
