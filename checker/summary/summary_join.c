// SPDX-License-Identifier: MIT
// The summary of a call that may reach any of several functions: an effect is certain when it is in
// all of them, possible when it is in one.
#include "summary/summary.h"

// Outcomes on which the effect always happens, those among them that this function never has.
static uint32_t must_in(const Summary *summary, const SummaryEffect *wanted, uint32_t *null_after,
                        uint32_t *renewed_after)
{
    uint32_t impossible = ~summary->outcomes;
    const SummaryEffect *effect = summary_find(summary, wanted->kind, &wanted->path);
    bool same = effect && effect->resource == wanted->resource;
    *null_after &= impossible | (same ? effect->null_after : 0);
    *renewed_after &= impossible | (same ? effect->renewed_after : 0);
    return impossible | (same ? effect->must : 0);
}

// Was this place looked at in all of them? What one function does not mention, it may do anything
// with.
static bool is_known_to_all(const Summary *const *summaries, uint32_t count,
                            const SummaryPath *path)
{
    for (uint32_t i = 0; i < count; i++)
        if (!summary_find(summaries[i], SE_MAY_KEEP, path)) return false;
    return true;
}

// `effect` is one of summary number `index`.
static void join_effect(Arena *arena, Summary *joined, const SummaryEffect *effect, uint32_t index,
                        const Summary *const *summaries, uint32_t count)
{
    SummaryEffect made = *effect;
    made.group = effect->group * count + index;
    bool is_mark = effect->kind == SE_MAY_KEEP;
    if (is_mark && !is_known_to_all(summaries, count, &effect->path)) return;
    made.must = made.null_after = made.renewed_after = joined->outcomes;
    bool in_all = true;
    for (uint32_t i = 0; i < count; i++) {
        const SummaryEffect *other = summary_find(summaries[i], effect->kind, &effect->path);
        made.must &= must_in(summaries[i], effect, &made.null_after, &made.renewed_after);
        in_all &= other != NULL;
        if (other && other->effect != effect->effect) made.effect = NULL; // each for its own kind
        if (other && (other->time != effect->time || effect->time == RELEASE_IN_ORDER))
            made.time = RELEASE_LATER;
    }
    // Other functions do it under other conditions, or never.
    if (!in_all) made.condition_count = 0;
    summary_add(arena, joined, made);
}

void summary_join(Arena *arena, Summary *joined, const Summary *const *summaries, uint32_t count)
{
    *joined = (Summary){.known = count > 0};
    for (uint32_t i = 0; i < count; i++) {
        joined->known &= summaries[i]->known;
        joined->outcomes |= summaries[i]->outcomes;
        joined->captures |= summaries[i]->captures;
        joined->orders |= summaries[i]->orders;
        joined->untold |= summaries[i]->untold;
    }
    for (uint32_t i = 0; joined->known && i < count; i++)
        for (uint32_t e = 0; e < summaries[i]->effects.len; e++)
            join_effect(arena, joined, &summaries[i]->effects.items[e], i, summaries, count);
    if (count == 1) joined->returns = summaries[0]->returns;
}

void summary_open(Arena *arena, Summary *summary)
{
    uint32_t count = summary->effects.len;
    for (uint32_t i = 0; i < count; i++) {
        SummaryEffect effect = {.kind = SE_MAY_KEEP,
                                .path = summary->effects.items[i].path,
                                .may = summary->outcomes,
                                .possible = summary->outcomes};
        if (summary_find(summary, SE_MAY_KEEP, &effect.path)) summary_add(arena, summary, effect);
    }
    summary->untold = UINT64_MAX;
    summary->returns.known = false;
}
