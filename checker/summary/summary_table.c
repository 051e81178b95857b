// SPDX-License-Identifier: MIT
// A hash table of summaries by USR.
#include "summary/summary_table.h"

#include "base/idtable.h"

#include <string.h>
#include <xxhash.h>

typedef struct {
    const char *usr;
    const Summary *summary;
} Entry;

struct SummaryTable {
    Arena *arena;
    IdTable ids; // by hash of the USR
    Vec(Entry) entries;
};

static uint64_t hash_of(const char *usr)
{
    return XXH3_64bits(usr, strlen(usr));
}

SummaryTable *summary_table_new(Arena *arena)
{
    SummaryTable *table = ARENA_NEW(arena, SummaryTable);
    table->arena = arena;
    return table;
}

void summary_table_add(SummaryTable *table, const char *usr, const Summary *summary)
{
    idtable_add(table->arena, &table->ids, hash_of(usr), table->entries.len);
    vec_push(table->arena, &table->entries, ((Entry){.usr = usr, .summary = summary}));
}

const Summary *summary_table_find(const SummaryTable *table, const char *usr)
{
    uint32_t cursor = 0, id;
    while (idtable_next(&table->ids, hash_of(usr), &cursor, &id))
        if (strcmp(table->entries.items[id].usr, usr) == 0) return table->entries.items[id].summary;
    return NULL;
}
