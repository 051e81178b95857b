// SPDX-License-Identifier: MIT
// Who defines what, who waits for whom, and what may be told.
#include "summary/exchange.h"

#include "base/idtable.h"

#include <string.h>
#include <xxhash.h>

typedef uint32_t FunctionId;

#define NO_FUNCTION UINT32_MAX

// A function that some file defines or wants.
typedef struct {
    const char *usr;
    uint32_t definitions; // in files that have not been dropped
    uint32_t told;        // of those
    const SummaryRecord *record;
    bool is_disputed;    // definitions differ
    bool is_known;       // some file was told of it
    FunctionId obstacle; // what a definition waits for; of several the one whose USR comes first
} Function;

typedef enum { WANT_PENDING, WANT_KNOWN, WANT_UNKNOWN } WantState;

typedef struct {
    FunctionId function;
    WantState state;
} Want;

typedef struct {
    FunctionId function;
    bool is_told;
    FunctionId obstacle; // while it is not told
} Definition;

typedef struct {
    bool has_spoken, is_complete, is_held;
    bool has_news; // something it waits for is settled
    Vec(Want) wants;
    Vec(Definition) definitions;
} File;

struct Exchange {
    Arena *arena;
    uint32_t file_count;
    File *files;
    IdTable ids; // of functions, by hash of the USR
    Vec(Function) functions;
    ExchangeStats stats;
};

Exchange *exchange_new(Arena *arena, uint32_t file_count)
{
    Exchange *exchange = ARENA_NEW(arena, Exchange);
    exchange->arena = arena;
    exchange->file_count = file_count;
    exchange->files = ARENA_ARRAY(arena, File, file_count + 1);
    return exchange;
}

static FunctionId function_of(Exchange *exchange, const char *usr)
{
    uint64_t hash = XXH3_64bits(usr, strlen(usr));
    uint32_t cursor = 0, id;
    while (idtable_next(&exchange->ids, hash, &cursor, &id))
        if (strcmp(exchange->functions.items[id].usr, usr) == 0) return id;
    id = exchange->functions.len;
    idtable_add(exchange->arena, &exchange->ids, hash, id);
    vec_push(exchange->arena, &exchange->functions,
             ((Function){.usr = usr, .obstacle = NO_FUNCTION}));
    return id;
}

// ---- what files say -----------------------------------------------------------------------------

static int compare_bytes(SummaryBytes a, SummaryBytes b)
{
    int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

// One more definition has been analysed. Those that do the same are one; which one's places are
// told does not depend on the order of the files.
static void merge(Function *function, const SummaryRecord *record)
{
    function->told++;
    if (function->record == NULL) {
        function->record = record;
        return;
    }
    function->is_disputed |= compare_bytes(function->record->meaning, record->meaning) != 0;
    if (compare_bytes(record->places, function->record->places) < 0) function->record = record;
}

// A list may name a function twice, which counts once.
static void introduce(Exchange *exchange, File *file, const SummaryExports *exports)
{
    Arena *work = arena_new("exchange");
    BitSet seen = bits_new(work, exchange->functions.len + exports->defines.len);
    file->has_spoken = true;
    for (uint32_t i = 0; i < exports->defines.len; i++) {
        FunctionId function = function_of(exchange, exports->defines.items[i]);
        if (bits_has(&seen, function)) continue;
        bits_add(&seen, function);
        exchange->functions.items[function].definitions++;
        vec_push(exchange->arena, &file->definitions,
                 ((Definition){.function = function, .obstacle = NO_FUNCTION}));
    }
    for (uint32_t i = 0; i < exports->wants.len; i++)
        vec_push(exchange->arena, &file->wants,
                 ((Want){.function = function_of(exchange, exports->wants.items[i])}));
    arena_free(work);
}

static Definition *definition_of(Exchange *exchange, File *file, const char *usr,
                                 const uint32_t *places)
{
    FunctionId function = function_of(exchange, usr);
    BUG_ON(places[function] == NO_FUNCTION); // it said that it defines it
    return &file->definitions.items[places[function]];
}

// Where each function stands in the file's list of definitions.
static uint32_t *places_of_definitions(const Exchange *exchange, Arena *work, const File *file)
{
    uint32_t *places = ARENA_ARRAY(work, uint32_t, exchange->functions.len + 1);
    for (uint32_t i = 0; i <= exchange->functions.len; i++) places[i] = NO_FUNCTION;
    for (uint32_t i = 0; i < file->definitions.len; i++)
        places[file->definitions.items[i].function] = i;
    return places;
}

void exchange_put(Exchange *exchange, uint32_t index, const SummaryExports *exports, bool is_held)
{
    File *file = &exchange->files[index];
    if (!file->has_spoken) introduce(exchange, file, exports);
    file->is_held = is_held;
    file->is_complete = exports->is_complete;
    Arena *work = arena_new("exchange");
    const uint32_t *places = places_of_definitions(exchange, work, file);
    for (uint32_t i = 0; i < exports->functions.len; i++) {
        const SummaryRecord *record = &exports->functions.items[i];
        Definition *definition = definition_of(exchange, file, record->usr, places);
        if (definition->is_told) continue; // it began anew
        definition->is_told = true;
        merge(&exchange->functions.items[definition->function], record);
    }
    for (uint32_t i = 0; i < exports->waits.len; i++)
        definition_of(exchange, file, exports->waits.items[i].usr, places)->obstacle =
            function_of(exchange, exports->waits.items[i].obstacle);
    arena_free(work);
}

void exchange_drop(Exchange *exchange, uint32_t index)
{
    File *file = &exchange->files[index];
    for (uint32_t i = 0; i < file->definitions.len; i++) {
        const Definition *definition = &file->definitions.items[i];
        if (!definition->is_told) exchange->functions.items[definition->function].definitions--;
    }
    *file = (File){0};
}

// ---- what may be told ---------------------------------------------------------------------------

static void settle_wants(Exchange *exchange, File *file)
{
    for (uint32_t i = 0; i < file->wants.len; i++) {
        Want *want = &file->wants.items[i];
        Function *function = &exchange->functions.items[want->function];
        if (want->state != WANT_PENDING || function->told < function->definitions) continue;
        bool is_known = function->record != NULL && !function->is_disputed;
        want->state = is_known ? WANT_KNOWN : WANT_UNKNOWN;
        function->is_known |= is_known;
        file->has_news = true;
    }
}

// Files that are held go first: the others begin anew, so they had better hear all at once.
static uint32_t pick_files(Exchange *exchange, bool held, BitSet *picked)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < exchange->file_count; i++) {
        File *file = &exchange->files[i];
        if (!file->has_news || file->is_complete || file->is_held != held) continue;
        file->has_news = false;
        bits_add(picked, i);
        count++;
    }
    return count;
}

// ---- circles ------------------------------------------------------------------------------------

static bool comes_first(const Exchange *exchange, FunctionId a, FunctionId b)
{
    if (b == NO_FUNCTION) return true;
    return strcmp(exchange->functions.items[a].usr, exchange->functions.items[b].usr) < 0;
}

// For each function that is not settled, one that it waits for; returns the first that a file waits
// for, by USR.
static FunctionId find_obstacles(Exchange *exchange)
{
    FunctionId first = NO_FUNCTION;
    for (uint32_t i = 0; i < exchange->functions.len; i++)
        exchange->functions.items[i].obstacle = NO_FUNCTION;
    for (uint32_t f = 0; f < exchange->file_count; f++) {
        const File *file = &exchange->files[f];
        for (uint32_t i = 0; i < file->definitions.len; i++) {
            const Definition *definition = &file->definitions.items[i];
            if (definition->is_told || definition->obstacle == NO_FUNCTION) continue;
            Function *function = &exchange->functions.items[definition->function];
            if (comes_first(exchange, definition->obstacle, function->obstacle))
                function->obstacle = definition->obstacle;
        }
        for (uint32_t i = 0; i < file->wants.len && !file->is_complete; i++) {
            const Want *want = &file->wants.items[i];
            if (want->state == WANT_PENDING && comes_first(exchange, want->function, first))
                first = want->function;
        }
    }
    return first;
}

// A file that defines `caller` goes on without knowing `callee`.
static void go_without(Exchange *exchange, FunctionId caller, FunctionId callee)
{
    for (uint32_t f = 0; f < exchange->file_count; f++) {
        File *file = &exchange->files[f];
        bool defines = false;
        for (uint32_t i = 0; i < file->definitions.len && !defines; i++)
            defines = file->definitions.items[i].function == caller;
        for (uint32_t i = 0; i < file->wants.len && defines; i++) {
            Want *want = &file->wants.items[i];
            if (want->function != callee || want->state != WANT_PENDING) continue;
            want->state = WANT_UNKNOWN;
            file->has_news = true;
        }
    }
}

// When nobody can go on: from one function to what it waits for, and so on, leads into a circle. In
// it, the call of the function whose USR comes first is broken.
static bool break_circle(Exchange *exchange)
{
    FunctionId at = find_obstacles(exchange);
    if (at == NO_FUNCTION) return false;
    for (uint32_t steps = 0; steps < exchange->functions.len; steps++) {
        at = exchange->functions.items[at].obstacle;
        BUG_ON(at == NO_FUNCTION); // what is not settled has a definition that waits
    } // now certainly in the circle
    FunctionId first = at, caller = at;
    for (FunctionId next = at;;) {
        FunctionId following = exchange->functions.items[next].obstacle;
        if (!comes_first(exchange, first, following)) first = following;
        next = following;
        if (next == at) break;
    }
    while (exchange->functions.items[caller].obstacle != first)
        caller = exchange->functions.items[caller].obstacle;
    go_without(exchange, caller, first);
    exchange->stats.circles++;
    return true;
}

BitSet exchange_next_round(Exchange *exchange)
{
    BitSet picked = bits_new(exchange->arena, exchange->file_count);
    uint32_t count;
    do {
        for (uint32_t i = 0; i < exchange->file_count; i++)
            settle_wants(exchange, &exchange->files[i]);
        count = pick_files(exchange, true, &picked);
        if (count == 0) count = pick_files(exchange, false, &picked);
    } while (count == 0 && break_circle(exchange));
    exchange->stats.rounds += count != 0 ? 1 : 0;
    exchange->stats.requests += count;
    return picked;
}

SummaryImports exchange_imports(const Exchange *exchange, Arena *arena, uint32_t index)
{
    SummaryImports imports = {0};
    const File *file = &exchange->files[index];
    for (uint32_t i = 0; i < file->wants.len; i++) {
        const Want *want = &file->wants.items[i];
        const Function *function = &exchange->functions.items[want->function];
        if (want->state == WANT_KNOWN) vec_push(arena, &imports.functions, *function->record);
        if (want->state == WANT_UNKNOWN) vec_push(arena, &imports.unknown, function->usr);
    }
    return imports;
}

ExchangeStats exchange_stats(const Exchange *exchange)
{
    ExchangeStats stats = exchange->stats;
    for (uint32_t i = 0; i < exchange->functions.len; i++) {
        const Function *function = &exchange->functions.items[i];
        stats.offered += function->definitions != 0 ? 1 : 0;
        stats.known += function->is_known ? 1 : 0;
    }
    BitSet disputed = bits_new(exchange->arena, exchange->functions.len);
    for (uint32_t f = 0; f < exchange->file_count; f++) {
        const File *file = &exchange->files[f];
        for (uint32_t i = 0; i < file->wants.len; i++)
            if (exchange->functions.items[file->wants.items[i].function].is_disputed)
                bits_add(&disputed, file->wants.items[i].function);
    }
    stats.disputed = bits_count(&disputed);
    return stats;
}
