// SPDX-License-Identifier: MIT
// Arena: region allocation. Memory is freed all at once when the arena is freed or reset; there is
// no per-object free. Lifetimes, longest first: run, translation unit, function.
#ifndef CUDALINT_BASE_ARENA_H
#define CUDALINT_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

// A point to which an arena can be rolled back.
typedef struct {
    void *chunk;    // chunk in use when the mark was taken
    size_t used;    // bytes used of that chunk
    void *deferred; // newest deferred close at that time
} ArenaMark;

// Creates an arena; `name` (borrowed, a literal) appears in --stats. Aborts when out of memory.
Arena *arena_new(const char *name);

// Runs the deferred closes, newest first, and frees everything.
void arena_free(Arena *arena);

// Returns `size` zeroed bytes aligned to 16, allocated in `arena`. Never NULL: aborts when out of
// memory.
void *arena_alloc(Arena *arena, size_t size);

// Copies `len` bytes and appends a NUL.
char *arena_strndup(Arena *arena, const char *text, size_t len);
char *arena_strdup(Arena *arena, const char *text);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args);

// Has `close(object)` called when the arena is freed or reset below this point.
void arena_defer(Arena *arena, void (*close)(void *), void *object);

ArenaMark arena_mark(const Arena *arena);
// Frees everything allocated since `mark` and runs the closes deferred since.
void arena_reset(Arena *arena, ArenaMark mark);

// Bytes handed out now, and the most there have been at once.
size_t arena_bytes(const Arena *arena);
size_t arena_peak_bytes(const Arena *arena);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count)                                                            \
    ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

#endif
