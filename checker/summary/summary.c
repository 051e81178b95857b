// SPDX-License-Identifier: MIT
// Summaries: paths, effects and their merging within a function.
#include "summary/summary.h"

#include <string.h>

bool summary_path_equal(const SummaryPath *a, const SummaryPath *b)
{
    if (a->root != b->root || a->argument != b->argument || a->step_count != b->step_count)
        return false;
    if (a->root == SP_GLOBAL && strcmp(a->global, b->global) != 0) return false;
    for (uint32_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].kind != b->steps[i].kind) return false;
        if (a->steps[i].kind == SP_FIELD && strcmp(a->steps[i].field, b->steps[i].field) != 0)
            return false;
    }
    return true;
}

bool summary_path_push(SummaryPath *path, SummaryStepKind kind, const char *field)
{
    if (path->step_count == SUMMARY_MAX_STEPS) return false;
    path->steps[path->step_count++] = (SummaryStep){.kind = kind, .field = field};
    return true;
}

bool summary_is_untold(const Summary *summary, uint32_t argument)
{
    return argument >= 64 || (summary->untold >> argument & 1) != 0;
}

static const SummaryCall *first_calls(Arena *arena, const SummaryCall *calls, uint32_t count)
{
    if (!calls || count == 0) return NULL;
    SummaryCall *copy = ARENA_NEW(arena, SummaryCall);
    *copy = *calls;
    copy->next = first_calls(arena, calls->next, count - 1);
    return copy;
}

const SummaryCall *summary_call(Arena *arena, const char *callee, SrcLoc loc,
                                const SummaryCall *next)
{
    SummaryCall *call = ARENA_NEW(arena, SummaryCall);
    *call = (SummaryCall){.callee = callee, .loc = loc};
    call->next = first_calls(arena, next, SUMMARY_MAX_CALLS - 1);
    return call;
}

const SummaryEffect *summary_find(const Summary *summary, SummaryEffectKind kind,
                                  const SummaryPath *path)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind == kind && summary_path_equal(&effect->path, path)) return effect;
    }
    return NULL;
}

bool summary_condition_is_alike(const SummaryCondition *a, const SummaryCondition *b)
{
    if (!a->place || !b->place) return a->place == b->place && a->argument == b->argument;
    return a->is_after == b->is_after && summary_path_equal(a->place, b->place);
}

// Keeps what both say: a range that covers the two.
static void merge_conditions(SummaryEffect *known, const SummaryEffect *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < known->condition_count; i++) {
        SummaryCondition *mine = &known->conditions[i];
        for (uint32_t j = 0; j < other->condition_count; j++) {
            const SummaryCondition *theirs = &other->conditions[j];
            if (!summary_condition_is_alike(mine, theirs)) continue;
            mine->range = range_hull(&mine->range, &theirs->range);
            known->conditions[kept++] = *mine;
            break;
        }
    }
    known->condition_count = kept;
}

static bool is_same_time(const SummaryEffect *a, const SummaryEffect *b)
{
    if (a->time != b->time) return false;
    return a->time != RELEASE_IN_ORDER ||
           (a->work.on_default == b->work.on_default &&
            (a->work.on_default || summary_path_equal(&a->work.stream, &b->work.stream)));
}

void summary_add(Arena *arena, Summary *summary, SummaryEffect effect)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        SummaryEffect *known = &summary->effects.items[i];
        bool same = known->kind == effect.kind && known->resource == effect.resource &&
                    summary_path_equal(&known->path, &effect.path);
        if (same && effect.kind == SE_QUEUE)
            same = summary_path_equal(&known->work.stream, &effect.work.stream) &&
                   known->work.on_default == effect.work.on_default;
        if (!same) continue;
        if (!is_same_time(known, &effect)) known->time = RELEASE_LATER;
        known->work.access |= effect.work.access;
        known->must |= effect.must;
        known->may |= effect.may;
        known->null_after |= effect.null_after;
        known->renewed_after |= effect.renewed_after;
        known->possible |= effect.possible;
        known->guards |= effect.guards;
        known->is_mute |= effect.is_mute;
        known->in_new &= effect.in_new;
        merge_conditions(known, &effect);
        return;
    }
    vec_push(arena, &summary->effects, effect);
}
