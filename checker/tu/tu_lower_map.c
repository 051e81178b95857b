// SPDX-License-Identifier: MIT
// Hash maps of lowering: from clang's cursors and from pointers to numbers. Keys are only added or
// overwritten; memory is the arena's.
#include "tu/tu_lower.h"

enum { FIRST_BUCKETS = 32 };

static void cursor_map_grow(Arena *arena, LwCursorMap *map)
{
    map->bucket_count = map->bucket_count == 0 ? FIRST_BUCKETS : map->bucket_count * 2;
    map->buckets = ARENA_ARRAY(arena, uint32_t, map->bucket_count);
    for (uint32_t i = 0; i < map->bucket_count; i++) map->buckets[i] = IR_NONE;
    for (uint32_t i = 0; i < map->entries.len; i++) {
        LwCursorEntry *entry = &map->entries.items[i];
        uint32_t *bucket = &map->buckets[clang_hashCursor(entry->cursor) & (map->bucket_count - 1)];
        entry->next = *bucket;
        *bucket = i;
    }
}

static LwCursorEntry *cursor_map_find(const LwCursorMap *map, CXCursor cursor)
{
    if (map->bucket_count == 0) return NULL;
    uint32_t at = map->buckets[clang_hashCursor(cursor) & (map->bucket_count - 1)];
    while (at != IR_NONE) {
        LwCursorEntry *entry = &map->entries.items[at];
        if (clang_equalCursors(entry->cursor, cursor)) return entry;
        at = entry->next;
    }
    return NULL;
}

uint32_t lw_cursor_get(const LwCursorMap *map, CXCursor cursor)
{
    const LwCursorEntry *entry = cursor_map_find(map, cursor);
    return entry == NULL ? IR_NONE : entry->value;
}

void lw_cursor_set(Arena *arena, LwCursorMap *map, CXCursor cursor, uint32_t value)
{
    LwCursorEntry *entry = cursor_map_find(map, cursor);
    if (entry != NULL) {
        entry->value = value;
        return;
    }
    if (map->entries.len >= map->bucket_count) cursor_map_grow(arena, map);
    uint32_t *bucket = &map->buckets[clang_hashCursor(cursor) & (map->bucket_count - 1)];
    LwCursorEntry added = {.cursor = cursor, .value = value, .next = *bucket};
    vec_push(arena, &map->entries, added);
    *bucket = map->entries.len - 1;
}

static uint32_t ptr_slot(const LwPtrMap *map, const void *key)
{
    uint64_t mixed = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(mixed >> 32) & (map->cap - 1);
    while (map->keys[at] != NULL && map->keys[at] != key) at = (at + 1) & (map->cap - 1);
    return at;
}

uint32_t lw_ptr_get(const LwPtrMap *map, const void *key)
{
    if (map->cap == 0) return IR_NONE;
    uint32_t at = ptr_slot(map, key);
    return map->keys[at] == NULL ? IR_NONE : map->values[at];
}

void lw_ptr_set(Arena *arena, LwPtrMap *map, const void *key, uint32_t value)
{
    if (map->len * 2 >= map->cap) {
        LwPtrMap grown = {.cap = map->cap == 0 ? FIRST_BUCKETS : map->cap * 2, .len = map->len};
        grown.keys = ARENA_ARRAY(arena, const void *, grown.cap);
        grown.values = ARENA_ARRAY(arena, uint32_t, grown.cap);
        for (uint32_t i = 0; i < map->cap; i++) {
            if (map->keys[i] == NULL) continue;
            uint32_t at = ptr_slot(&grown, map->keys[i]);
            grown.keys[at] = map->keys[i];
            grown.values[at] = map->values[i];
        }
        *map = grown;
    }
    uint32_t at = ptr_slot(map, key);
    if (map->keys[at] == NULL) map->len++;
    map->keys[at] = key;
    map->values[at] = value;
}
