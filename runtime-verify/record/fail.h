// SPDX-License-Identifier: MIT
// Which calls are made to fail: CUDALINT_FAIL (RECORDS.md).
#ifndef RUNTIME_VERIFY_RECORD_FAIL_H
#define RUNTIME_VERIFY_RECORD_FAIL_H

#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

// Return addresses in one module.
typedef struct {
    const char *module; // file name without folders
    uint64_t low, high; // low < address <= high, as the file counts addresses
} FailRange;

typedef struct {
    uint64_t number;       // that fallible call, or that call of the function; 0: any
    const char *function;  // NULL: any function
    Vec(FailRange) ranges; // empty: from anywhere
} FailSpec;

// Reads the text, allocated in `arena`. An empty one fails nothing.
Status fail_parse(Arena *arena, const char *text, FailSpec *spec, Err *err);
// Is anything to be failed at all?
bool fail_is_set(const FailSpec *spec);

#endif
