// SPDX-License-Identifier: MIT
// URIs of source files, relative to the repository (or the working directory outside of one).
#ifndef CUDALINT_REPORT_URI_H
#define CUDALINT_REPORT_URI_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct {
    const char *root;    // absolute path, or NULL if the working directory is unknown
    const char *working; // the working directory, or NULL
} UriBase;

// The nearest directory at or above the working directory that holds a `.git`, else that directory.
UriBase uri_base_find(Arena *arena);

// The path below the root; the path made absolute and plain if it lies elsewhere. `*is_relative` says
// which. Allocated in `arena`.
const char *uri_plain_path(Arena *arena, const UriBase *base, const char *path, bool *is_relative);

// The percent-encoded URI of `path`: relative to the root if the file lies below it, else
// "file://...". `*is_relative` says which. Allocated in `arena`.
const char *uri_of_path(Arena *arena, const UriBase *base, const char *path, bool *is_relative);

#endif
