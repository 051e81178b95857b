// SPDX-License-Identifier: MIT
// Paths as texts: joining, absolute and plain forms, and the shortest name from the working folder.
// Only path_real asks the file system.
#ifndef CUDALINT_BASE_PATH_H
#define CUDALINT_BASE_PATH_H

#include "base/arena.h"

#include <stdbool.h>

// `name` as seen from `folder`: itself if it is absolute or `folder` is NULL.
const char *path_join(Arena *arena, const char *folder, const char *name);
// The folder that holds it: "." for a bare name, "/" for the root.
const char *path_parent(Arena *arena, const char *path);
// Without ".", ".." and doubled slashes, by text alone; absolute if `path` or `working` makes it so
// (`working` may be NULL).
const char *path_plain(Arena *arena, const char *working, const char *path);
// The rest of `path` below the folder `root`, both plain: "" for the root itself, NULL if it is
// elsewhere.
const char *path_below(const char *root, const char *path);
// What links lead to, or NULL if there is no such file.
const char *path_real(Arena *arena, const char *path);
// The working folder, or NULL.
const char *path_working(Arena *arena);
// How people name it: relative if it is below `working` (NULL: leave it), else plain.
const char *path_short(Arena *arena, const char *working, const char *path);

#endif
