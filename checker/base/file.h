// SPDX-License-Identifier: MIT
// Reading of whole files.
#ifndef CUDALINT_BASE_FILE_H
#define CUDALINT_BASE_FILE_H

#include "base/err.h"

// The bytes of a regular file, followed by a NUL, allocated in `arena`. A message begins with `path`.
Status file_read(Arena *arena, const char *path, size_t most, char **text, size_t *len, Err *err);

#endif
