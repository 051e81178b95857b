// SPDX-License-Identifier: MIT
// GitHub's fingerprint of a source line, "hash:occurrence", as its code-scanning action computes it
// where a tool brings none: alerts keep their identity whichever of the two did it.
#ifndef CUDALINT_REPORT_LINE_HASH_H
#define CUDALINT_REPORT_LINE_HASH_H

#include "base/source.h"

typedef struct {
    const uint64_t *hashes; // of each line, from line 1
    uint32_t count;
} LineHashes;

// Hashes every line; allocated in `arena`.
LineHashes line_hashes(Arena *arena, const SourceFile *file);
// The fingerprint of line `line`, from 1; NULL if there is no such line. Allocated in `arena`.
const char *line_hash_text(Arena *arena, const LineHashes *hashes, uint32_t line);

#endif
