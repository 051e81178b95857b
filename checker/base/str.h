// SPDX-License-Identifier: MIT
// StrPool: interned, NUL-terminated strings. Equal texts interned in one pool are the same pointer,
// so interned strings are compared with ==.
#ifndef CUDALINT_BASE_STR_H
#define CUDALINT_BASE_STR_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct StrPool StrPool;

// Creates a pool whose strings are allocated in `arena`.
StrPool *str_pool_new(Arena *arena);

// Returns the pool's copy of the text, allocated in the pool's arena.
const char *str_intern(StrPool *pool, const char *text);
const char *str_intern_n(StrPool *pool, const char *text, size_t len);
const char *str_internf(StrPool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool str_starts_with(const char *text, const char *prefix);
bool str_ends_with(const char *text, const char *suffix);

// Appendable text buffer in an arena; always NUL-terminated. Zero-initialised with `arena` set
// means empty.
typedef struct {
    Arena *arena; // where the text grows
    char *text;   // NULL while empty
    size_t len;   // bytes, without the NUL
    size_t cap;   // bytes allocated
} StrBuf;

void strbuf_append(StrBuf *buf, const char *text);
void strbuf_append_n(StrBuf *buf, const char *text, size_t len);
void strbuf_printf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The text so far, "" when empty; borrowed until the next append.
const char *strbuf_text(const StrBuf *buf);

#endif
