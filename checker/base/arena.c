// SPDX-License-Identifier: MIT
// Arena: chunks of memory in a list, newest first; allocation bumps an offset in the newest. Input:
// sizes; output: zeroed memory. Invariants: chunks older than the newest are full as far as anyone
// is concerned, and every block starts at a multiple of ARENA_ALIGN. Under AddressSanitizer unused
// and rolled-back bytes are poisoned, so that a pointer kept beyond its lifetime is caught in
// tests.
#include "base/arena.h"

#include "base/err.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { ARENA_ALIGN = 16, ARENA_FIRST_CHUNK = 16 << 10, ARENA_LARGEST_STEP = 1 << 20 };

typedef struct Chunk {
    struct Chunk *older;
    size_t used; // bytes handed out of `bytes`
    size_t size; // bytes there are
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
} Chunk;

typedef struct Deferred {
    struct Deferred *older;
    void (*close)(void *);
    void *object;
} Deferred;

struct Arena {
    const char *name;
    Chunk *chunk; // newest, or NULL
    Chunk *spare; // one chunk kept by a reset, so that a reset per function does not call malloc
    Deferred *deferred; // newest, or NULL; allocated in the arena itself
    size_t next_size;   // of the next chunk; doubles up to ARENA_LARGEST_STEP
    size_t bytes;
    size_t peak;
};

static _Noreturn void out_of_memory(const char *name, size_t size)
{
    log_error("out of memory: %zu bytes for %s", size, name);
    abort();
}

Arena *arena_new(const char *name)
{
    Arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) out_of_memory(name, sizeof *arena);
    arena->name = name;
    arena->next_size = ARENA_FIRST_CHUNK;
    return arena;
}

static void chunk_free(Chunk *chunk)
{
    if (chunk == NULL) return;
    ASAN_UNPOISON_MEMORY_REGION(chunk->bytes, chunk->size);
    free(chunk);
}

// Keeps the chunk as the spare one if it is of use, else frees it.
static void chunk_retire(Arena *arena, Chunk *chunk)
{
    bool is_kept = chunk->size <= ARENA_LARGEST_STEP &&
                   (arena->spare == NULL || arena->spare->size < chunk->size);
    if (!is_kept) {
        chunk_free(chunk);
        return;
    }
    chunk_free(arena->spare);
    ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
    chunk->used = 0;
    arena->spare = chunk;
}

static Chunk *chunk_add(Arena *arena, size_t size)
{
    Chunk *chunk = arena->spare;
    if (chunk != NULL && chunk->size >= size) {
        arena->spare = NULL;
    } else {
        size_t chunk_size = size > arena->next_size ? size : arena->next_size;
        if (chunk_size > SIZE_MAX - sizeof *chunk) out_of_memory(arena->name, size);
        chunk = malloc(sizeof *chunk + chunk_size);
        if (chunk == NULL) out_of_memory(arena->name, size);
        chunk->size = chunk_size;
        chunk->used = 0;
        if (arena->next_size < ARENA_LARGEST_STEP) arena->next_size *= 2;
        ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
    }
    chunk->older = arena->chunk;
    arena->chunk = chunk;
    return chunk;
}

void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX - ARENA_ALIGN) out_of_memory(arena->name, size);
    size_t rounded = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (rounded == 0) rounded = ARENA_ALIGN; // two empty blocks are still two addresses
    Chunk *chunk = arena->chunk;
    if (chunk == NULL || chunk->size - chunk->used < rounded) chunk = chunk_add(arena, rounded);
    void *block = chunk->bytes + chunk->used;
    chunk->used += rounded;
    arena->bytes += rounded;
    if (arena->bytes > arena->peak) arena->peak = arena->bytes;
    ASAN_UNPOISON_MEMORY_REGION(block, size);
    memset(block, 0, size);
    return block;
}

char *arena_strndup(Arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);
    if (len != 0) memcpy(copy, text, len);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    BUG_ON(len < 0);
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void arena_defer(Arena *arena, void (*close)(void *), void *object)
{
    Deferred *deferred = ARENA_NEW(arena, Deferred);
    *deferred = (Deferred){.older = arena->deferred, .close = close, .object = object};
    arena->deferred = deferred;
}

ArenaMark arena_mark(const Arena *arena)
{
    size_t used = arena->chunk != NULL ? arena->chunk->used : 0;
    return (ArenaMark){.chunk = arena->chunk, .used = used, .deferred = arena->deferred};
}

void arena_reset(Arena *arena, ArenaMark mark)
{
    while (arena->deferred != mark.deferred) {
        Deferred *deferred = arena->deferred;
        BUG_ON(deferred == NULL); // the mark is of another arena, or was rolled back already
        arena->deferred = deferred->older;
        deferred->close(deferred->object);
    }
    while (arena->chunk != mark.chunk) {
        Chunk *chunk = arena->chunk;
        BUG_ON(chunk == NULL);
        arena->chunk = chunk->older;
        arena->bytes -= chunk->used;
        chunk_retire(arena, chunk);
    }
    if (arena->chunk == NULL) return;
    BUG_ON(mark.used > arena->chunk->used);
    arena->bytes -= arena->chunk->used - mark.used;
    arena->chunk->used = mark.used;
    ASAN_POISON_MEMORY_REGION(arena->chunk->bytes + mark.used, arena->chunk->size - mark.used);
}

void arena_free(Arena *arena)
{
    if (arena == NULL) return;
    arena_reset(arena, (ArenaMark){.chunk = NULL, .used = 0, .deferred = NULL});
    chunk_free(arena->spare);
    free(arena);
}

size_t arena_bytes(const Arena *arena)
{
    return arena->bytes;
}

size_t arena_peak_bytes(const Arena *arena)
{
    return arena->peak;
}
