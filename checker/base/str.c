// SPDX-License-Identifier: MIT
// StrPool: an open-addressing hash table of the strings interned so far, at most half full. Tables
// outgrown stay in the arena until it is freed: together they are smaller than the table in use.
// StrBuf: text that doubles.
#include "base/str.h"

#include "base/err.h"

#include <stdio.h>
#include <string.h>

enum { POOL_FIRST_SLOTS = 256, STRBUF_FIRST_BYTES = 64 };

typedef struct {
    const char *text; // NULL: free slot
    size_t len;
    uint64_t hash;
} Slot;

struct StrPool {
    Arena *arena;
    Slot *slots;
    size_t slot_count; // a power of two
    size_t used;
};

StrPool *str_pool_new(Arena *arena)
{
    StrPool *pool = ARENA_NEW(arena, StrPool);
    pool->arena = arena;
    pool->slot_count = POOL_FIRST_SLOTS;
    pool->slots = ARENA_ARRAY(arena, Slot, pool->slot_count);
    return pool;
}

// FNV-1a, with the high bits folded down because slots are chosen by the low ones.
static uint64_t hash_text(const char *text, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

// The slot that holds the text, or the free one where it belongs.
static Slot *slot_find(Slot *slots, size_t slot_count, Slot wanted)
{
    size_t i = (size_t)wanted.hash & (slot_count - 1);
    while (slots[i].text != NULL) {
        const Slot *slot = &slots[i];
        if (slot->hash == wanted.hash && slot->len == wanted.len &&
            memcmp(slot->text, wanted.text, wanted.len) == 0) {
            break;
        }
        i = (i + 1) & (slot_count - 1);
    }
    return &slots[i];
}

static void pool_grow(StrPool *pool)
{
    size_t count = pool->slot_count * 2;
    Slot *slots = ARENA_ARRAY(pool->arena, Slot, count);
    for (size_t i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].text != NULL) *slot_find(slots, count, pool->slots[i]) = pool->slots[i];
    }
    pool->slots = slots;
    pool->slot_count = count;
}

const char *str_intern_n(StrPool *pool, const char *text, size_t len)
{
    if (pool->used * 2 >= pool->slot_count) pool_grow(pool);
    Slot wanted = {.text = text, .len = len, .hash = hash_text(text, len)};
    Slot *slot = slot_find(pool->slots, pool->slot_count, wanted);
    if (slot->text == NULL) {
        *slot = wanted;
        slot->text = arena_strndup(pool->arena, text, len);
        pool->used++;
    }
    return slot->text;
}

const char *str_intern(StrPool *pool, const char *text)
{
    return str_intern_n(pool, text, strlen(text));
}

const char *str_internf(StrPool *pool, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char small[256];
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    BUG_ON(len < 0);
    const char *text =
        (size_t)len < sizeof small ? small : arena_vprintf(pool->arena, format, again);
    va_end(again);
    return str_intern_n(pool, text, (size_t)len);
}

bool str_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends_with(const char *text, const char *suffix)
{
    size_t len = strlen(text);
    size_t suffix_len = strlen(suffix);
    return len >= suffix_len && memcmp(text + len - suffix_len, suffix, suffix_len) == 0;
}

// Makes room for `more` bytes and a NUL.
static void strbuf_reserve(StrBuf *buf, size_t more)
{
    BUG_ON(more > SIZE_MAX / 4 || buf->len > SIZE_MAX / 4);
    size_t needed = buf->len + more + 1;
    if (needed <= buf->cap) return;
    size_t cap = buf->cap == 0 ? STRBUF_FIRST_BYTES : buf->cap;
    while (cap < needed) cap *= 2;
    char *grown = arena_alloc(buf->arena, cap);
    if (buf->len != 0) memcpy(grown, buf->text, buf->len);
    buf->text = grown;
    buf->cap = cap;
}

void strbuf_append_n(StrBuf *buf, const char *text, size_t len)
{
    strbuf_reserve(buf, len);
    if (len != 0) memcpy(buf->text + buf->len, text, len);
    buf->len += len;
    buf->text[buf->len] = '\0';
}

void strbuf_append(StrBuf *buf, const char *text)
{
    strbuf_append_n(buf, text, strlen(text));
}

void strbuf_printf(StrBuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    BUG_ON(len < 0);
    strbuf_reserve(buf, (size_t)len);
    vsnprintf(buf->text + buf->len, (size_t)len + 1, format, args);
    va_end(args);
    buf->len += (size_t)len;
}

const char *strbuf_text(const StrBuf *buf)
{
    return buf->text != NULL ? buf->text : "";
}
