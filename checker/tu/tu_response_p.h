// SPDX-License-Identifier: MIT
// Splitting of option text into words: response files and nvcc's comma lists.
#ifndef CUDALINT_TU_TU_RESPONSE_P_H
#define CUDALINT_TU_TU_RESPONSE_P_H

#include "base/err.h"
#include "base/vec.h"

typedef Vec(const char *) TuWords;

// Splits at commas; "\," and quotes protect one. Words are allocated in `arena`; empty ones are
// left out.
TuWords tu_split_list(Arena *arena, const char *text);
// Reads options as a shell would split them: blanks, '...', "...", backslash.
Status tu_read_response_file(Arena *arena, const char *path, TuWords *words, Err *err);

#endif
