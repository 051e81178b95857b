// SPDX-License-Identifier: MIT
// Open addressing with linear probing; entries are never removed.
#include "base/idtable.h"

static uint64_t stored_hash(uint64_t hash)
{
    return hash == 0 ? 1 : hash;
}

bool idtable_next(const IdTable *table, uint64_t hash, uint32_t *cursor, uint32_t *id)
{
    if (table->capacity == 0) return false;
    uint64_t wanted = stored_hash(hash);
    uint32_t mask = table->capacity - 1;
    for (;;) {
        uint32_t slot = ((uint32_t)wanted + *cursor) & mask;
        if (table->hashes[slot] == 0) return false;
        ++*cursor;
        if (table->hashes[slot] == wanted) {
            *id = table->ids[slot];
            return true;
        }
    }
}

static void place(IdTable *table, uint64_t hash, uint32_t id)
{
    uint32_t mask = table->capacity - 1;
    uint32_t slot = (uint32_t)hash & mask;
    while (table->hashes[slot] != 0) slot = (slot + 1) & mask;
    table->hashes[slot] = hash;
    table->ids[slot] = id;
}

static void grow(Arena *arena, IdTable *table)
{
    IdTable old = *table;
    table->capacity = old.capacity == 0 ? 64 : old.capacity * 2;
    table->hashes = ARENA_ARRAY(arena, uint64_t, table->capacity);
    table->ids = ARENA_ARRAY(arena, uint32_t, table->capacity);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.hashes[i] != 0) place(table, old.hashes[i], old.ids[i]);
}

void idtable_add(Arena *arena, IdTable *table, uint64_t hash, uint32_t id)
{
    if (table->count * 2 >= table->capacity) grow(arena, table);
    place(table, stored_hash(hash), id);
    table->count++;
}
