// SPDX-License-Identifier: MIT
// Holding events: deep copies, because the searches' memory goes with each search.
#include "engine/hold.h"

#include <string.h>

static const char *copy_text(Arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static const Event *event_at(const void *context, uint32_t i)
{
    const HeldEvents *held = context;
    return &held->events.items[i].event;
}

// Enough events say the same: it is not told for itself.
static bool is_spoken_for(HeldEvents *held, const IrFunction *fn, const Event *event)
{
    if (!fn) return false;
    uint32_t number = held->events.len;
    Telling telling = repeats_add(held->arena, &held->repeats, fn, event, number, event_at, held);
    if (telling.by != IR_NONE) repeats_speak_for(&held->events.items[telling.by].event, event);
    return !telling.is_told;
}

void hold_event(void *context, const IrFunction *fn, const Event *event, const FindingStep *steps,
                uint32_t step_count)
{
    HeldEvents *held = context;
    if (is_spoken_for(held, fn, event)) return;
    FindingStep *copies = ARENA_ARRAY(held->arena, FindingStep, step_count + 1);
    for (uint32_t i = 0; i < step_count; i++) {
        copies[i] = steps[i];
        copies[i].text = copy_text(held->arena, steps[i].text);
    }
    HeldEvent copy = {.fn = fn, .event = *event, .steps = copies, .step_count = step_count};
    copy.event.name = copy_text(held->arena, event->name);
    copy.event.expected = copy_text(held->arena, event->expected);
    copy.event.owner = copy_text(held->arena, event->owner);
    copy.event.block_bytes = copy_text(held->arena, event->block_bytes);
    copy.event.used_bytes = copy_text(held->arena, event->used_bytes);
    copy.event.callee = copy_text(held->arena, event->callee);
    copy.event.released_by = copy_text(held->arena, event->released_by);
    copy.event.acquired_by = copy_text(held->arena, event->acquired_by);
    vec_push(held->arena, &held->events, copy);
}

void hold_member(HeldEvents *held, uint32_t from, IrRecordId record, const char *field)
{
    for (uint32_t i = from; i < held->events.len; i++) {
        if (held->events.items[i].event.kind != EV_LEFT_UNSET) continue;
        held->events.items[i].record = record;
        held->events.items[i].field = field;
    }
}

static bool same_place(SrcLoc a, SrcLoc b)
{
    return loc_is_valid(a) && loc_is_valid(b) && a.line == b.line && a.column == b.column &&
           strcmp(a.file, b.file) == 0;
}

bool hold_has(const HeldEvents *held, EventKind kind, SrcLoc loc)
{
    for (uint32_t i = 0; i < held->events.len; i++)
        if (held->events.items[i].event.kind == kind &&
            same_place(held->events.items[i].event.loc, loc))
            return true;
    return false;
}

static bool says_the_same(const Event *user, const Event *of_class)
{
    if (of_class->kind == EV_MEMBER_LEAK)
        return (user->kind == EV_LEAK_AT_EXIT || user->kind == EV_OVERWRITE) &&
               same_place(user->acquired_inside, of_class->loc);
    if (of_class->kind == EV_OWNER_TO_KERNEL)
        return user->kind == EV_DOUBLE_RELEASE && same_place(user->released_at, of_class->loc);
    return user->kind == of_class->kind && same_place(user->inside, of_class->loc);
}

void hold_drop_users(HeldEvents *held, const Event *of_class)
{
    for (uint32_t i = 0; i < held->events.len; i++) {
        HeldEvent *user = &held->events.items[i];
        if (says_the_same(&user->event, of_class)) user->is_told = true;
    }
}

// The same said of what the function was given, without where that comes from.
static bool says_less(const HeldEvent *less, const HeldEvent *more)
{
    return less->fn == more->fn && less->event.kind == more->event.kind &&
           !less->event.acquired_by && more->event.acquired_by &&
           same_place(less->event.loc, more->event.loc) &&
           strcmp(less->event.name, more->event.name) == 0;
}

void hold_drop_repeats(HeldEvents *held)
{
    uint32_t first = 0; // of the function
    for (uint32_t i = 0; i < held->events.len; i++) {
        HeldEvent *event = &held->events.items[i];
        if (event->fn != held->events.items[first].fn) first = i;
        for (uint32_t j = first; j < i; j++) {
            HeldEvent *before = &held->events.items[j];
            event->is_told |= says_less(event, before);
            before->is_told |= says_less(before, event);
        }
    }
}

void hold_send(const HeldEvents *held, const EngineSink *sink)
{
    for (uint32_t i = 0; i < held->events.len; i++) {
        const HeldEvent *event = &held->events.items[i];
        if (!event->is_told)
            sink->on_event(sink->context, event->fn, &event->event, event->steps,
                           event->step_count);
    }
}
