// SPDX-License-Identifier: MIT
// Splitting of command lines into words.
#ifndef CUDALINT_BASE_WORDS_H
#define CUDALINT_BASE_WORDS_H

#include "base/arena.h"
#include "base/vec.h"

typedef Vec(const char *) Words;

typedef enum {
    // At blanks, as a POSIX shell would: '...', "...", backslash.
    WORDS_SHELL,
    // The same as compilers read their response files: a backslash in "..." protects anything.
    WORDS_RESPONSE,
} WordsSyntax;

// The words of `text`, allocated in `arena`. A quote that is never closed ends with the text.
Words words_split(Arena *arena, const char *text, WordsSyntax syntax);

#endif
