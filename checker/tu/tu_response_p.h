// SPDX-License-Identifier: MIT
// Several options in one text: response files and nvcc's comma lists.
#ifndef CUDALINT_TU_TU_RESPONSE_P_H
#define CUDALINT_TU_TU_RESPONSE_P_H

#include "base/err.h"
#include "base/words.h"

// Splits at commas as nvcc does: "\," and double quotes protect one, quotes stay. Blanks around an
// item and empty items are left out. Allocated in `arena`.
Words tu_split_list(Arena *arena, const char *text);
// The file's words, allocated in `arena`.
Status tu_read_response_file(Arena *arena, const char *path, Words *words, Err *err);

#endif
