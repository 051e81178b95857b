// SPDX-License-Identifier: MIT
// Dispatched calls: the join over the overriders that the unit shows. A class of the file itself
// has no others; one of a header may have, and those may keep what they are given.
#include "engine/targets.h"

#include "base/bits.h"

#include <string.h>

enum { MAX_TARGETS = 64 };

struct Targets {
    Arena *arena;
    const IrUnit *unit;
    const Summary *const *summaries;
    CalleeList *overriders; // by callee: what overrides it directly
    Summary **joined;       // by callee; NULL: not asked for yet, or not complete
    BitSet implied;         // destructors that one of the compiler's own overrides
};

// Destructors override without being declared to, and without being written.
static void add_destructors(Targets *targets)
{
    const IrUnit *unit = targets->unit;
    for (uint32_t r = 0; r < unit->records.len; r++) {
        const IrRecord *record = &unit->records.items[r];
        for (uint32_t b = 0; b < record->bases.len; b++) {
            IrCalleeId base = unit->records.items[record->bases.items[b]].destructor;
            if (base == IR_NONE || !unit->callees.items[base].is_virtual) continue;
            if (record->destructor == IR_NONE)
                bits_add(&targets->implied, base);
            else
                vec_push(targets->arena, &targets->overriders[base], record->destructor);
        }
    }
}

Targets *targets_new(Arena *arena, const IrUnit *unit, const Summary *const *summaries)
{
    Targets *targets = ARENA_NEW(arena, Targets);
    uint32_t count = unit->callees.len;
    *targets = (Targets){.arena = arena,
                         .unit = unit,
                         .summaries = summaries,
                         .overriders = ARENA_ARRAY(arena, CalleeList, count + 1),
                         .joined = ARENA_ARRAY(arena, Summary *, count + 1),
                         .implied = bits_new(arena, count)};
    for (IrCalleeId i = 0; i < count; i++) {
        const IrCallee *callee = &unit->callees.items[i];
        for (uint32_t k = 0; k < callee->overrides.len; k++)
            vec_push(arena, &targets->overriders[callee->overrides.items[k]], i);
    }
    add_destructors(targets);
    return targets;
}

static bool has(const CalleeList *list, IrCalleeId callee)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->items[i] == callee) return true;
    return false;
}

CalleeList targets_of(const Targets *targets, Arena *arena, IrCalleeId method)
{
    CalleeList found = {0};
    vec_push(arena, &found, method);
    for (uint32_t i = 0; i < found.len; i++) {
        const CalleeList *next = &targets->overriders[found.items[i]];
        for (uint32_t k = 0; k < next->len; k++) {
            if (found.len == MAX_TARGETS) return (CalleeList){0};
            if (!has(&found, next->items[k])) vec_push(arena, &found, next->items[k]);
        }
    }
    return found;
}

// Other files may override the method, too.
static bool is_open(const Targets *targets, const IrCallee *method)
{
    const IrRecord *record = &targets->unit->records.items[method->record];
    return !method->is_internal && record->loc.file &&
           strcmp(record->loc.file, targets->unit->file) != 0;
}

const Summary *targets_summary(Targets *targets, IrCalleeId method)
{
    if (targets->joined[method]) return targets->joined[method];
    const IrCallee *callees = targets->unit->callees.items;
    const Summary *summaries[MAX_TARGETS];
    uint32_t count = 0;
    CalleeList list = targets_of(targets, targets->arena, method);
    for (uint32_t i = 0; i < list.len; i++) {
        IrCalleeId target = list.items[i];
        // What the compiler's own destructor does is not looked at.
        if (bits_has(&targets->implied, target)) return NULL;
        if (callees[target].is_pure) continue; // nothing runs there
        if (!targets->summaries[target] || !targets->summaries[target]->known) return NULL;
        summaries[count++] = targets->summaries[target];
    }
    if (count == 0 || callees[method].record == IR_NONE) return NULL;
    Summary *joined = ARENA_NEW(targets->arena, Summary);
    summary_join(targets->arena, joined, summaries, count);
    if (is_open(targets, &callees[method])) summary_open(targets->arena, joined);
    return targets->joined[method] = joined;
}
