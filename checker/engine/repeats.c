// SPDX-License-Identifier: MIT
// Which events say the same: those that a rule words alike but for where the thing was acquired.
#include "engine/repeats.h"

#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) hash = hash_mix(hash, (unsigned char)*text);
    return hash;
}

static uint64_t hash_of(const IrFunction *fn, const Event *event)
{
    uint64_t hash = hash_mix(fn->id, event->kind);
    hash = hash_mix(hash, (uint64_t)event->loc.line << 32 | event->loc.column);
    return hash_text(hash, event->name);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_place(SrcLoc a, SrcLoc b)
{
    return a.line == b.line && a.column == b.column && same_text(a.file, b.file);
}

// Of one defect: the two differ in where the thing was acquired, and in what led here.
static bool is_same_fate(const Event *a, const Event *b)
{
    return a->kind == b->kind && same_place(a->loc, b->loc) && strcmp(a->name, b->name) == 0 &&
           a->exit == b->exit && a->in_loop == b->in_loop && a->is_copy_lost == b->is_copy_lost &&
           a->released_elsewhere == b->released_elsewhere &&
           a->handed_over_elsewhere == b->handed_over_elsewhere &&
           a->must_release == b->must_release && same_text(a->acquired_by, b->acquired_by) &&
           same_place(a->acquired_inside, b->acquired_inside) && same_place(a->inside, b->inside) &&
           same_text(a->callee, b->callee) && same_place(a->work_at, b->work_at);
}

// Rules word the two alike, and of findings in the same words at the same place one is shown.
static bool is_worded_alike(const Event *a, const Event *b)
{
    return same_place(a->released_at, b->released_at) &&
           same_text(a->released_by, b->released_by) && a->exit_count == b->exit_count &&
           same_text(a->block_bytes, b->block_bytes) && same_text(a->used_bytes, b->used_bytes) &&
           same_text(a->expected, b->expected) && same_text(a->owner, b->owner) &&
           same_text(a->kind_title, b->kind_title) && same_text(a->work_by, b->work_by);
}

typedef const Event *EventAt(const void *context, uint32_t i);

static Repeat *find_repeat(const Repeats *repeats, const IrFunction *fn, const Event *event,
                           EventAt *events, const void *context)
{
    uint32_t cursor = 0, id;
    uint64_t hash = hash_of(fn, event);
    while (idtable_next(&repeats->table, hash, &cursor, &id)) {
        Repeat *repeat = &repeats->repeats.items[id];
        if (repeat->fn == fn && is_same_fate(events(context, repeat->told[0]), event))
            return repeat;
    }
    return NULL;
}

Telling repeats_add(Arena *arena, Repeats *repeats, const IrFunction *fn, const Event *event,
                    uint32_t number, EventAt *events, const void *context)
{
    const Telling is_told = {.is_told = true, .by = IR_NONE}, is_said = {.by = IR_NONE};
    Repeat *repeat = find_repeat(repeats, fn, event, events, context);
    if (!repeat) {
        idtable_add(arena, &repeats->table, hash_of(fn, event), repeats->repeats.len);
        vec_push(arena, &repeats->repeats, ((Repeat){.fn = fn}));
        repeat = vec_last(&repeats->repeats);
    }
    for (uint32_t i = 0; i < repeat->count; i++) {
        if (!is_worded_alike(events(context, repeat->told[i]), event)) continue;
        // The last one may come to speak for others, in words of its own.
        bool is_enough = i + 1 == REPEATS_TOLD || ++repeat->alike[i] >= REPEATS_TOLD;
        return is_enough ? is_said : is_told;
    }
    if (repeat->count == REPEATS_TOLD) return (Telling){.by = repeat->told[REPEATS_TOLD - 1]};
    repeat->told[repeat->count++] = number;
    return is_told;
}

void repeats_speak_for(Event *speaker, const Event *event)
{
    uint32_t line = event->acquired_at.line, at = 0;
    bool is_here =
        loc_is_valid(event->acquired_at) && same_text(event->acquired_at.file, event->loc.file);
    speaker->more++;
    if (!is_here) return;
    while (at < EVENT_MORE_LINES && speaker->more_lines[at] != 0 && speaker->more_lines[at] != line)
        at++;
    if (at < EVENT_MORE_LINES) speaker->more_lines[at] = line;
}
