// SPDX-License-Identifier: MIT
// Patterns of paths, as .gitignore spells them.
#ifndef CUDALINT_CONFIG_PATTERN_H
#define CUDALINT_CONFIG_PATTERN_H

#include <stdbool.h>

// Whether the pattern means `path`, which is relative to the folder that the pattern is written for,
// or a folder above it. `*` and `?` stay within a name, `**` does not. A pattern without a slash,
// but for one at its end, means that name in any folder.
bool pattern_means(const char *pattern, const char *path);

#endif
