// SPDX-License-Identifier: MIT
// UTF-8: sources and paths may hold any bytes; JSON, SARIF and terminals may not.
#ifndef CUDALINT_BASE_UTF8_H
#define CUDALINT_BASE_UTF8_H

#include "base/arena.h"

#define UTF8_INVALID UINT32_C(0xFFFFFFFF)

// Decodes the code point at text[0], of `len` > 0 bytes, and returns how many bytes it takes. Bytes
// that are not UTF-8 give UTF8_INVALID, one for each maximal ill-formed part, as browsers count
// them.
size_t utf8_decode(const char *text, size_t len, uint32_t *code_point);

// The text itself if it is UTF-8 throughout, else a copy, allocated in `arena`, with U+FFFD in the
// place of what is not.
const char *utf8_repair(Arena *arena, const char *text);

// How many UTF-16 code units the text takes, U+FFFD standing for what is not UTF-8.
size_t utf8_utf16_units(const char *text, size_t len);

// Terminal columns that a printable code point takes: 0, 1 or 2; -1 if it is not printable.
int utf8_width(uint32_t code_point);

#endif
