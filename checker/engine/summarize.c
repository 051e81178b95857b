// SPDX-License-Identifier: MIT
// Computing a function's summary: what the sites' searches saw at the exits becomes acquisitions;
// searches that begin with a resource of the caller's at the entry become releases and keeps.
#include "engine/summarize.h"

// ---- places as the caller sees them -------------------------------------------------------------

static bool argument_path(const EngineFn *ef, IrVarId var, SummaryPath *path)
{
    uint32_t shift = ef->fn->this_var != IR_NONE ? 1 : 0;
    *path = (SummaryPath){.root = SP_ARGUMENT};
    if (shift && var == ef->fn->this_var) return true;
    for (uint32_t i = 0; i < ef->fn->params.len; i++) {
        path->argument = i + shift;
        if (ef->fn->params.items[i] == var) return true;
    }
    return false;
}

bool summarize_path(const EngineFn *ef, LocId loc, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *info = loc_at(values, loc);
    switch (info->kind) {
    case LOC_VAR: {
        const IrVar *var = &ef->fn->vars.items[info->var];
        if (var->kind != IR_VAR_GLOBAL || !var->usr) return argument_path(ef, info->var, path);
        *path = (SummaryPath){.root = SP_GLOBAL, .global = var->usr};
        return true;
    }
    case LOC_MEM: {
        const Sym *pointer = sym_at(values, info->sym);
        return pointer->kind == SYM_INITIAL && summarize_path(ef, pointer->loc, path) &&
               summary_path_push(path, SP_POINTEE, NULL);
    }
    case LOC_FIELD:
        return summarize_path(ef, info->parent, path) &&
               summary_path_push(path, SP_FIELD, info->field);
    case LOC_INDEX:
        if (!summarize_path(ef, info->parent, path)) return false;
        return (info->index == 0 && loc_at(values, info->parent)->kind == LOC_MEM) ||
               summary_path_push(path, SP_ELEMENT, NULL);
    case LOC_ANY:
        return summarize_path(ef, info->parent, path) && summary_path_push(path, SP_ELEMENT, NULL);
    }
    return false;
}

// A parameter's own variable is a copy: only what it points to outlives the call.
static bool is_copy(const SummaryPath *path)
{
    if (path->root != SP_ARGUMENT) return false;
    for (uint32_t i = 0; i < path->step_count; i++)
        if (path->steps[i].kind == SP_POINTEE) return false;
    return true;
}

// ---- under which arguments ----------------------------------------------------------------------

static IrVarId parameter(const IrFunction *fn, uint32_t argument)
{
    uint32_t shift = fn->this_var != IR_NONE ? 1 : 0;
    return argument < shift ? fn->this_var : fn->params.items[argument - shift];
}

// What the state knows of the scalar arguments' values.
static void note_conditions(EngineFn *ef, const State *state, SummaryEffect *effect)
{
    uint32_t count = ef->fn->params.len + (ef->fn->this_var != IR_NONE ? 1 : 0);
    for (uint32_t i = 0; i < count && effect->condition_count < SUMMARY_MAX_CONDITIONS; i++) {
        LocId place = loc_var(ef->space.values, parameter(ef->fn, i));
        Range range = state_range(&ef->space, state, sym_initial(ef->space.values, place));
        bool not_zero = !range_contains(&range, 0);
        if (range.lo == INT64_MIN && range.hi == INT64_MAX && !not_zero) continue;
        effect->conditions[effect->condition_count++] =
            (SummaryCondition){.argument = i, .lo = range.lo, .hi = range.hi, .not_zero = not_zero};
    }
}

// ---- acquisitions -------------------------------------------------------------------------------

typedef struct {
    EngineFn *ef;
    const Exit *exit;
    Summary *summary;
    Arena *arena;
    const Site *site;
} Collect;

// Outcomes on every path of which the place was filled by this site (or the attempt was made).
static uint32_t always_filled(EngineFn *ef, const Site *site, LocId holder)
{
    uint32_t filled = 0, other = 0;
    for (uint32_t i = 0; i < ef->returns.len; i++) {
        const State *state = &ef->returns.items[i];
        const Sym *sym = sym_at(ef->space.values, state_read(&ef->space, state, holder));
        uint32_t outcomes = engine_outcomes(ef, state, ef->return_values.items[i]);
        if (sym->kind == SYM_FRESH && sym->point == site->point)
            filled |= outcomes;
        else
            other |= outcomes;
    }
    return filled & ~other;
}

static SummaryEffect acquire_effect(const Site *site, SummaryPath path, uint32_t outcomes)
{
    const SummaryEffect *inner = site->acquires;
    return (SummaryEffect){.kind = SE_ACQUIRE,
                           .path = path,
                           .may = outcomes,
                           .resource = inner ? inner->resource : site->effect->resource,
                           .api = inner ? inner->api : site->acquired_by,
                           .loc = inner ? inner->loc : site->loc};
}

// The place lies in what the function returns: a field of a returned object, or of the object it
// points to.
static bool result_path(const EngineFn *ef, const Exit *exit, LocId holder, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (exit->value == IR_NONE || root->kind != LOC_MEM || root->sym != exit->value) return false;
    *path = (SummaryPath){.root = SP_RESULT};
    summary_path_push(path, SP_POINTEE, NULL);
    SummaryStep steps[SUMMARY_MAX_STEPS];
    uint32_t count = 0;
    for (LocId loc = holder; loc_at(values, loc)->kind != LOC_MEM;
         loc = loc_at(values, loc)->parent) {
        const Loc *info = loc_at(values, loc);
        if (count == SUMMARY_MAX_STEPS) return false;
        if (info->kind == LOC_FIELD)
            steps[count++] = (SummaryStep){.kind = SP_FIELD, .field = info->field};
        if (info->kind == LOC_ANY || (info->kind == LOC_INDEX && info->index != 0))
            steps[count++] = (SummaryStep){.kind = SP_ELEMENT};
    }
    while (count > 0) {
        count--;
        if (!summary_path_push(path, steps[count].kind, steps[count].field)) return false;
    }
    return true;
}

static void collect_holder(void *context, uint32_t holder, uint32_t relation)
{
    Collect *collect = context;
    SummaryPath path;
    if (relation != RES_EXACT) return;
    bool seen = result_path(collect->ef, collect->exit, holder, &path) ||
                (summarize_path(collect->ef, holder, &path) && !is_copy(&path));
    if (!seen) return;
    SummaryEffect effect = acquire_effect(collect->site, path, collect->exit->outcomes);
    effect.must = always_filled(collect->ef, collect->site, holder);
    note_conditions(collect->ef, &collect->exit->state, &effect);
    summary_add(collect->arena, collect->summary, effect);
}

void summarize_acquisition(Arena *arena, EngineFn *ef, const Site *site, Summary *summary)
{
    if (site->kind != SITE_ACQUIRE || !site->resource->must_release) return;
    for (uint32_t i = 0; i < site->exits.len; i++) {
        const Exit *exit = &site->exits.items[i];
        if (exit->state.status != RS_LIVE || exit->state.kept) continue;
        Collect collect = {
            .ef = ef, .exit = exit, .summary = summary, .arena = arena, .site = site};
        pmap_each(exit->state.holders, collect_holder, &collect);
        // What others hold as well is theirs to release, though it is returned.
        bool shared = engine_search_holders(ef, &exit->state, IR_NONE).outside != IR_NONE;
        bool returned = exit->value != IR_NONE &&
                        sym_resource_relation(ef->space.values, exit->value) == RES_EXACT;
        if (shared || !returned) continue;
        SummaryEffect effect =
            acquire_effect(site, (SummaryPath){.root = SP_RESULT}, exit->outcomes);
        note_conditions(ef, &exit->state, &effect);
        summary_add(arena, summary, effect);
    }
}

// ---- what happens to the caller's ---------------------------------------------------------------

// Outcomes that have one fate only.
static uint32_t certain(uint32_t mine, uint32_t others)
{
    return mine & ~others;
}

static bool place_is_null(EngineFn *ef, const Exit *exit, LocId place)
{
    int64_t value;
    return sym_is_int(ef->space.values, state_read(&ef->space, &exit->state, place), &value) &&
           value == 0;
}

// What was released is no longer there: the place was given another value.
static bool place_is_renewed(EngineFn *ef, const Exit *exit, LocId place)
{
    SymId value = state_read(&ef->space, &exit->state, place);
    return !sym_at(ef->space.values, value)->has_resource;
}

static bool held_outside(EngineFn *ef, const Exit *exit)
{
    return engine_search_holders(ef, &exit->state, IR_NONE).outside != IR_NONE;
}

void summarize_entry(Arena *arena, EngineFn *ef, const Site *site, Summary *summary)
{
    SummaryPath path;
    if (!summarize_path(ef, site->entry, &path)) return;
    uint32_t released = 0, kept = 0, maybe = 0, untouched = 0;
    uint32_t null_after = 0, renewed_after = 0;
    for (uint32_t i = 0; i < site->exits.len; i++) {
        const Exit *exit = &site->exits.items[i];
        uint32_t relation;
        bool stays = pmap_get(exit->state.holders, site->entry, &relation) || is_copy(&path);
        if (exit->state.status == RS_RELEASED) {
            released |= exit->outcomes;
            if (!is_copy(&path) && place_is_null(ef, exit, site->entry))
                null_after |= exit->outcomes;
            else if (!is_copy(&path) && place_is_renewed(ef, exit, site->entry))
                renewed_after |= exit->outcomes;
        } else if (exit->state.escaped || (is_copy(&path) && held_outside(ef, exit))) {
            kept |= exit->outcomes;
        } else if (exit->state.kept || !stays) {
            maybe |= exit->outcomes;
        } else {
            untouched |= exit->outcomes;
        }
    }
    SummaryEffect effect = {.path = path,
                            .api = site->released_by,
                            .loc = site->released_at,
                            .effect = site->release_effect};
    if (released) {
        effect.kind = SE_RELEASE;
        effect.may = released;
        effect.must = certain(released, kept | maybe | untouched);
        effect.null_after = null_after;
        effect.renewed_after = renewed_after;
        summary_add(arena, summary, effect);
    }
    SummaryEffect keeps = {.path = path,
                           .kind = SE_KEEP,
                           .may = kept,
                           .must = certain(kept, released | maybe | untouched)};
    if (kept) summary_add(arena, summary, keeps);
    // Even when nothing happens to it: the callee was looked at, so that the caller need not fear
    // the worst.
    SummaryEffect unsure = {.path = path, .kind = SE_MAY_KEEP, .may = maybe, .must = 0};
    summary_add(arena, summary, unsure);
}
