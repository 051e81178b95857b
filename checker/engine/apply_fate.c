// SPDX-License-Identifier: MIT
// What a callee does to the tracked resource, from its summary: of the fates that the place can meet
// in it, those that this call's arguments and its result allow. Where they tell the fates apart,
// each goes on in a state of its own, so that what the caller does later under the same condition
// agrees.
#include "engine/summarize.h"

static const SummaryEffectKind effect_kinds[FATE_COUNT] = {
    [FATE_RELEASED] = SE_RELEASE, [FATE_RETURNED] = SE_RETURN, [FATE_KEPT] = SE_KEEP,
    [FATE_LOST] = SE_LOSE,        [FATE_UNSURE] = SE_MAY_KEEP, [FATE_UNTOUCHED] = SE_LEAVE,
};

Fates engine_fates_of(const Summary *summary, const SummaryPath *path)
{
    Fates fates = {.mark = summary_find(summary, SE_MAY_KEEP, path),
                   .shift = summary_find(summary, SE_SHIFT, path)};
    for (int i = 0; i < FATE_COUNT; i++) {
        const SummaryEffect *effect = summary_find(summary, effect_kinds[i], path);
        if (!effect || !effect->may) continue;
        fates.of[i] = effect;
        fates.is_complete |= effect->condition_count > 0;
    }
    return fates;
}

// ---- one fate -----------------------------------------------------------------------------------

static bool is_possible(const SummaryEffect *effect, uint32_t outcomes)
{
    return effect && (effect->may & outcomes) != 0;
}

// On these outcomes it is this fate, and no other.
static bool is_certain(const Fates *fates, FateKind fate, uint32_t outcomes)
{
    const SummaryEffect *effect = fates->of[fate];
    if (!effect) return false;
    if ((effect->must & outcomes) == outcomes) return true;
    bool is_sole = fates->is_complete && (effect->may & outcomes) == outcomes;
    for (int i = 0; i < FATE_COUNT; i++)
        is_sole &= i == (int)fate || !is_possible(fates->of[i], outcomes);
    return is_sole;
}

static void write_fresh(EngineFn *ef, State *state, LocId place)
{
    if (place == IR_NONE) return;
    state_write(&ef->space, state, place, sym_fresh(ef->space.values, ef->point, place), ef->point);
}

// What the callee left where it released something, or took it from.
static void write_what_is_left(EngineFn *ef, State *state, const SummaryEffect *effect,
                               uint32_t outcomes, LocId place)
{
    if (state->dead || place == IR_NONE) return;
    if (effect->renewed_after & outcomes)
        write_fresh(ef, state, place);
    else if (effect->null_after & outcomes)
        state_write(&ef->space, state, place, sym_int(ef->space.values, 0), ef->point);
}

// The place points past the start of what it held, or perhaps does. Where it may have been moved
// before, it may be back at the start now: that stays open.
static void shift(EngineFn *ef, State *state, const CallSite *site, const SummaryEffect *shift,
                  uint32_t outcomes)
{
    Values *values = ef->space.values;
    if (!shift || (shift->may & outcomes) == 0) return;
    LocId place = engine_place_at_call(ef, state, site, &shift->path);
    SymId start = sym_resource(values);
    if (place == IR_NONE || state_read(&ef->space, state, place) != start) return;
    SymId moved = sym_binary(values, IR_ADD, start, sym_fresh(values, ef->point, place));
    bool is_certain = (shift->must & outcomes) == outcomes;
    if (!is_certain) moved = sym_ite(values, engine_fresh(ef, state, 2), start, moved);
    state_write(&ef->space, state, place, moved, ef->point);
    if (is_certain)
        state_remark(
            &ef->space, state, ef->instr->loc,
            arena_printf(ef->space.arena, "'%s' moves it past the start", site->callee->name));
}

// The place that the effect speaks of, as it was found before the call.
static LocId place_of(EngineFn *ef, State *state, const CallSite *site, const SummaryEffect *effect)
{
    bool is_distant = site->distant && summary_path_equal(&site->distant->path, &effect->path);
    return is_distant ? site->distant_place : engine_place_at_call(ef, state, site, &effect->path);
}

// What was released, or had no value, may not be there any more.
static void forget_if_changed(EngineFn *ef, State *state, const CallSite *site, const Fates *fates,
                              uint32_t outcomes)
{
    bool changed = is_possible(fates->of[FATE_LOST], outcomes) ||
                   is_possible(fates->of[FATE_UNSURE], outcomes);
    if (changed)
        write_fresh(ef, state, place_of(ef, state, site, fates->mark));
    else if (ef->site->kind == SITE_UNINITIALIZED)
        state_remark(&ef->space, state, ef->instr->loc,
                     arena_printf(ef->space.arena, "'%s' gives it no value", site->callee->name));
}

static void apply_release(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *release,
                          uint32_t outcomes)
{
    bool is_distant = release == site->distant;
    LocId place = place_of(ef, state, site, release);
    SymId value = is_distant ? state_read(&ef->space, state, place)
                             : engine_value_at_call(ef, state, site, &release->path);
    engine_remark_effect(ef, state, site, release,
                         arena_printf(ef->space.arena, "'%s' is called here", release->api));
    ef->inside = release->loc;
    ef->inside_by = release->api;
    ef->inside_calls = release->calls;
    ef->inside_release = release;
    engine_release(ef, state, value, release->effect, site);
    ef->inside_release = NULL;
    write_what_is_left(ef, state, release, outcomes, place);
}

static void apply_loss(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *lose)
{
    LocId place = place_of(ef, state, site, lose);
    engine_remark_effect(ef, state, site, lose, "overwritten here");
    ef->inside = lose->loc;
    ef->inside_calls = lose->calls;
    write_fresh(ef, state, place);
}

static void apply_fate(EngineFn *ef, State *state, CallSite *site, const Fates *fates,
                       uint32_t outcomes)
{
    bool has_value = ef->site->kind != SITE_UNINITIALIZED;
    if (is_certain(fates, FATE_RELEASED, outcomes)) {
        apply_release(ef, state, site, fates->of[FATE_RELEASED], outcomes);
    } else if (is_certain(fates, FATE_RETURNED, outcomes)) {
        const SummaryEffect *give = fates->of[FATE_RETURNED];
        LocId place = engine_place_at_call(ef, state, site, &give->path);
        site->result = sym_resource(ef->space.values);
        write_what_is_left(ef, state, give, outcomes, place);
        shift(ef, state, site, fates->shift, outcomes);
    } else if (state->status != RS_LIVE || !has_value) {
        forget_if_changed(ef, state, site, fates, outcomes);
    } else if (is_certain(fates, FATE_LOST, outcomes)) {
        apply_loss(ef, state, site, fates->of[FATE_LOST]);
    } else {
        bool perhaps = false;
        for (int i = 0; i < FATE_UNTOUCHED; i++) perhaps |= is_possible(fates->of[i], outcomes);
        if (is_certain(fates, FATE_KEPT, outcomes)) state->escaped = true;
        if (perhaps) state->kept = true;
        shift(ef, state, site, fates->shift, outcomes);
    }
}

// ---- told apart by what the call returns --------------------------------------------------------

static uint32_t fate_bits(const Fates *fates, uint32_t outcome)
{
    uint32_t bits = 0;
    for (int i = 0; i < FATE_UNTOUCHED; i++)
        bits |= (is_certain(fates, (FateKind)i, outcome) ? 1U : 0U) << (2 * i) |
                (is_possible(fates->of[i], outcome) ? 2U : 0U) << (2 * i);
    bool shifts = fates->shift && (fates->shift->must & outcome) != 0;
    return bits | (shifts ? 1U : 0U) << (2 * FATE_COUNT);
}

static void meet_by_outcome(EngineFn *ef, State *state, CallSite *site, const Fates *fates,
                            uint32_t possible)
{
    uint32_t returned = possible & OUTCOME_RETURNED;
    if (!engine_restrict_result(ef, state, site, returned)) {
        state->dead = true;
        return;
    }
    if (returned != OUTCOME_RETURNED || site->call->dst == IR_NONE ||
        fate_bits(fates, OUTCOME_ZERO) == fate_bits(fates, OUTCOME_NONZERO)) {
        apply_fate(ef, state, site, fates, returned);
        return;
    }
    State other = *state;
    CallSite other_site = *site;
    if (engine_restrict_result(ef, &other, &other_site, OUTCOME_NONZERO)) {
        apply_fate(ef, &other, &other_site, fates, OUTCOME_NONZERO);
        if (!other.dead) engine_fork(ef, &other, &other_site);
    }
    if (engine_restrict_result(ef, state, site, OUTCOME_ZERO))
        apply_fate(ef, state, site, fates, OUTCOME_ZERO);
    else
        state->dead = true;
}

// ---- told apart by arguments --------------------------------------------------------------------

bool engine_are_apart(const Range *a, const Range *b)
{
    Range both = range_intersect(a, b);
    return range_is_empty(&both);
}

// Some argument tells them apart. Of members, of which callers often know little, it is asked only
// what is known: the fates that this rules out are dropped.
static bool exclude_each_other(const SummaryEffect *a, const SummaryEffect *b)
{
    for (uint32_t i = 0; i < a->condition_count; i++)
        for (uint32_t j = 0; j < b->condition_count; j++)
            if (!a->conditions[i].place &&
                summary_condition_is_alike(&a->conditions[i], &b->conditions[j]) &&
                engine_are_apart(&a->conditions[i].range, &b->conditions[j].range))
                return true;
    return false;
}

// Drops the fates that the arguments of this call rule out. True if they tell the others apart.
static bool look_at_arguments(EngineFn *ef, const State *state, const CallSite *site, Fates *fates)
{
    bool is_told = true;
    for (int i = 0; i < FATE_COUNT; i++) {
        State trial = *state;
        if (fates->of[i] && !engine_allow_effect(ef, &trial, site, fates->of[i]))
            fates->of[i] = NULL;
        for (int j = 0; j < i; j++)
            is_told &=
                !fates->of[i] || !fates->of[j] || exclude_each_other(fates->of[i], fates->of[j]);
    }
    return is_told;
}

// The state is that of one fate alone.
static void meet_one(EngineFn *ef, State *state, CallSite *site, const Fates *fates, int fate)
{
    Fates one = {.mark = fates->mark, .shift = fates->shift, .is_complete = true};
    one.of[fate] = fates->of[fate];
    if (engine_allow_effect(ef, state, site, one.of[fate]))
        meet_by_outcome(ef, state, site, &one, one.of[fate]->may);
    else
        state->dead = true;
}

void engine_meet_fates(EngineFn *ef, State *state, CallSite *site, const Fates *fates,
                       uint32_t possible)
{
    Fates left = *fates;
    if (!fates->is_complete || !look_at_arguments(ef, state, site, &left)) {
        meet_by_outcome(ef, state, site, &left, possible & fates->mark->possible);
        return;
    }
    State before = *state;
    CallSite site_before = *site;
    bool is_first = true;
    for (int i = 0; i < FATE_COUNT; i++) {
        if (!left.of[i]) continue;
        State other = before;
        CallSite other_site = site_before;
        if (is_first)
            meet_one(ef, state, site, &left, i);
        else
            meet_one(ef, &other, &other_site, &left, i);
        if (!is_first && !other.dead) engine_fork(ef, &other, &other_site);
        is_first = false;
    }
    if (is_first) state->dead = true;
}
