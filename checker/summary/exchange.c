// SPDX-License-Identifier: MIT
// Merging summaries by USR, and deciding who must look again.
#include "summary/exchange.h"

#include "base/idtable.h"

#include <string.h>
#include <xxhash.h>

// A function that some file wants.
typedef struct {
    const char *usr;
    const SummaryRecord *known; // what was merged last; NULL: nothing
    const SummaryRecord *next;  // under merging
    bool is_disputed;           // definitions differ
    bool is_given_up;           // it changed for too long
    bool is_changed;            // by the last merging
} Wanted;

struct Exchange {
    Arena *arena;
    uint32_t file_count;
    const SummaryPack **packs; // by file; NULL: it said nothing
    IdTable ids;               // of `wanted`, by hash of the USR
    Vec(Wanted) wanted;
    uint32_t round;
    uint32_t analyses;
};

Exchange *exchange_new(Arena *arena, uint32_t file_count)
{
    Exchange *exchange = ARENA_NEW(arena, Exchange);
    exchange->arena = arena;
    exchange->file_count = file_count;
    exchange->packs = ARENA_ARRAY(arena, const SummaryPack *, file_count + 1);
    return exchange;
}

static uint64_t hash_of(const char *usr)
{
    return XXH3_64bits(usr, strlen(usr));
}

static Wanted *find_wanted(const Exchange *exchange, const char *usr)
{
    uint32_t cursor = 0, id;
    while (idtable_next(&exchange->ids, hash_of(usr), &cursor, &id))
        if (strcmp(exchange->wanted.items[id].usr, usr) == 0) return &exchange->wanted.items[id];
    return NULL;
}

static void add_wanted(Exchange *exchange, const char *usr)
{
    if (find_wanted(exchange, usr) != NULL) return;
    idtable_add(exchange->arena, &exchange->ids, hash_of(usr), exchange->wanted.len);
    vec_push(exchange->arena, &exchange->wanted, (Wanted){.usr = usr});
}

void exchange_put(Exchange *exchange, uint32_t file, const SummaryPack *pack)
{
    exchange->packs[file] = pack;
    for (uint32_t i = 0; i < pack->wants.len; i++) add_wanted(exchange, pack->wants.items[i]);
}

// ---- merging ------------------------------------------------------------------------------------

static int compare_bytes(SummaryBytes a, SummaryBytes b)
{
    int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

// One more definition. Definitions that do the same are one; which one's places are told does not
// depend on the order of the files.
static void merge(Wanted *wanted, const SummaryRecord *record)
{
    if (wanted->next == NULL) {
        wanted->next = record;
        return;
    }
    wanted->is_disputed |= compare_bytes(wanted->next->meaning, record->meaning) != 0;
    if (compare_bytes(record->places, wanted->next->places) < 0) wanted->next = record;
}

static bool is_same(const SummaryRecord *a, const SummaryRecord *b)
{
    if (a == NULL || b == NULL) return a == b;
    return compare_bytes(a->meaning, b->meaning) == 0 && compare_bytes(a->places, b->places) == 0;
}

static void take_next(Wanted *wanted, bool is_last_round)
{
    if (wanted->is_disputed || wanted->is_given_up) wanted->next = NULL;
    wanted->is_changed = !is_same(wanted->known, wanted->next);
    if (wanted->is_changed && is_last_round) {
        wanted->is_given_up = true;
        wanted->next = NULL;
        wanted->is_changed = wanted->known != NULL;
    }
    wanted->known = wanted->next;
}

static void merge_all(Exchange *exchange)
{
    for (uint32_t i = 0; i < exchange->wanted.len; i++) {
        exchange->wanted.items[i].next = NULL;
        exchange->wanted.items[i].is_disputed = false;
    }
    for (uint32_t file = 0; file < exchange->file_count; file++) {
        const SummaryPack *pack = exchange->packs[file];
        for (uint32_t i = 0; pack != NULL && i < pack->functions.len; i++) {
            Wanted *wanted = find_wanted(exchange, pack->functions.items[i].usr);
            if (wanted != NULL) merge(wanted, &pack->functions.items[i]);
        }
    }
    for (uint32_t i = 0; i < exchange->wanted.len; i++)
        take_next(&exchange->wanted.items[i], exchange->round == EXCHANGE_MAX_ROUNDS);
}

static bool sees_change(const Exchange *exchange, const SummaryPack *pack)
{
    for (uint32_t i = 0; i < pack->wants.len; i++)
        if (find_wanted(exchange, pack->wants.items[i])->is_changed) return true;
    return false;
}

BitSet exchange_next_round(Exchange *exchange)
{
    BitSet again = bits_new(exchange->arena, exchange->file_count);
    if (exchange->round == EXCHANGE_MAX_ROUNDS) return again;
    exchange->round++;
    merge_all(exchange);
    for (uint32_t file = 0; file < exchange->file_count; file++) {
        const SummaryPack *pack = exchange->packs[file];
        if (pack != NULL && sees_change(exchange, pack)) bits_add(&again, file);
    }
    uint32_t count = bits_count(&again);
    exchange->analyses += count;
    if (count == 0) exchange->round--;
    return again;
}

SummaryPack exchange_imports(const Exchange *exchange, Arena *arena, uint32_t file)
{
    SummaryPack imports = {0};
    const SummaryPack *pack = exchange->packs[file];
    for (uint32_t i = 0; i < pack->wants.len; i++) {
        const Wanted *wanted = find_wanted(exchange, pack->wants.items[i]);
        if (wanted->known != NULL) vec_push(arena, &imports.functions, *wanted->known);
    }
    return imports;
}

ExchangeStats exchange_stats(const Exchange *exchange)
{
    ExchangeStats stats = {.rounds = exchange->round, .analyses = exchange->analyses};
    for (uint32_t file = 0; file < exchange->file_count; file++)
        stats.exported += exchange->packs[file] != NULL ? exchange->packs[file]->functions.len : 0;
    for (uint32_t i = 0; i < exchange->wanted.len; i++) {
        stats.imported += exchange->wanted.items[i].known != NULL ? 1 : 0;
        stats.disputed += exchange->wanted.items[i].is_disputed ? 1 : 0;
    }
    return stats;
}
