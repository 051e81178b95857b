// SPDX-License-Identifier: MIT
// "Did you mean": the candidate most like a mistyped word.
#ifndef CUDALINT_CONFIG_NEAREST_H
#define CUDALINT_CONFIG_NEAREST_H

#include <stdint.h>

// The candidate with the fewest edits, if few enough that it may have been meant; else NULL. The
// first of equals.
const char *nearest_word(const char *word, const char *const *candidates, uint32_t count);

#endif
