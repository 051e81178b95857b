// SPDX-License-Identifier: MIT
// Computing a function's summary: what the sites' searches saw at the exits becomes acquisitions;
// searches that begin with a resource of the caller's at the entry become releases and keeps.
#include "engine/asked.h"
#include "engine/summarize.h"

// ---- places as the caller sees them -------------------------------------------------------------

static bool argument_path(const EngineFn *ef, IrVarId var, SummaryPath *path)
{
    uint32_t shift = asked_first_parameter(ef);
    *path = (SummaryPath){.root = SP_ARGUMENT};
    if (var == ef->fn->this_var) return true;
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

// What the state knows of values that the function was called with.
static void note_conditions(Arena *arena, EngineFn *ef, const State *state, SummaryEffect *effect)
{
    AskedList asked = {0};
    asked_find_arguments(ef, &asked);
    asked_find_members(ef, state, &asked);
    for (uint32_t i = 0; i < asked.len; i++) {
        Range range = state_range(&ef->space, state, asked.items[i].value);
        asked_add(arena, &asked.items[i], &range, effect);
    }
}

// ---- acquisitions -------------------------------------------------------------------------------

typedef struct {
    EngineFn *ef;
    const Exit *exit;
    Summary *summary;
    Arena *arena;
    const Site *site;
    bool has_untold; // an object holds the resource that no path leads to
} Collect;

// Outcomes on every path of which the place was filled by this site (or the attempt was made).
static uint32_t always_filled(EngineFn *ef, const Site *site, LocId holder)
{
    uint32_t filled = 0, other = 0;
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        const State *state = &ef->returns.states.items[i];
        const Sym *sym = sym_at(ef->space.values, state_read(&ef->space, state, holder));
        uint32_t outcomes = engine_outcomes(ef, state, ef->returns.values.items[i]);
        if (sym->kind == SYM_FRESH && sym->point == site->point)
            filled |= outcomes;
        else
            other |= outcomes;
    }
    return filled & ~other;
}

static SummaryEffect acquire_effect(Arena *arena, const Site *site, SummaryPath path,
                                    uint32_t outcomes)
{
    const SummaryEffect *inner = site->acquires;
    return (SummaryEffect){
        .kind = SE_ACQUIRE,
        .path = path,
        .may = outcomes,
        .group = site->number,
        .resource = inner ? inner->resource : site->effect->resource,
        .api = inner ? inner->api : site->acquired_by,
        .loc = inner ? inner->loc : site->loc,
        .calls = inner ? summary_call(arena, site->acquired_by, site->loc, inner->calls) : NULL};
}

// The steps from the object that the place's root is, appended to the path.
static bool append_steps(const Values *values, LocId holder, SummaryPath *path)
{
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

// The place lies in what the function returns: a field of a returned object, or of the object it
// points to.
static bool result_path(const EngineFn *ef, const Exit *exit, LocId holder, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (exit->value == IR_NONE || root->kind != LOC_MEM || root->sym != exit->value) return false;
    *path = (SummaryPath){.root = SP_RESULT};
    summary_path_push(path, SP_POINTEE, NULL);
    return append_steps(values, holder, path);
}

typedef struct {
    const EngineFn *ef;
    SymId object;     // a pointer to it
    LocId place;      // where the caller finds the pointer; IR_NONE
    uint32_t outside; // places outside this function that hold it
} OutSearch;

static void look_for_out(void *context, uint32_t loc, uint32_t value)
{
    OutSearch *search = context;
    if (value != search->object || !engine_loc_is_external(search->ef, loc)) return;
    search->outside++;
    search->place = loc;
}

// The object holds what the place held before: it is linked in front of others.
static void look_for_former(void *context, uint32_t loc, uint32_t value)
{
    OutSearch *search = context;
    const Sym *sym = sym_at(search->ef->space.values, value);
    if (loc != search->place && sym->kind == SYM_INITIAL && sym->loc == search->place)
        search->outside++;
}

// The place lies in an object of the heap that the caller is given through an argument, `*out = c`, and
// that nothing else leads to.
static bool out_path(const EngineFn *ef, const Exit *exit, LocId holder, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (root->kind != LOC_MEM || !engine_is_own_heap(ef, sym_at(values, root->sym))) return false;
    OutSearch search = {.ef = ef, .object = root->sym, .place = IR_NONE};
    pmap_each(exit->state.env, look_for_out, &search);
    if (search.outside != 1) return false;
    pmap_each(exit->state.env, look_for_former, &search);
    return search.outside == 1 && summarize_path(ef, search.place, path) &&
           path->root == SP_ARGUMENT && path->step_count == 1 &&
           path->steps[0].kind == SP_POINTEE && summary_path_push(path, SP_POINTEE, NULL) &&
           append_steps(values, holder, path);
}

static void look_for_untold(void *context, uint32_t holder, uint32_t relation)
{
    Collect *collect = context;
    SummaryPath path;
    const Values *values = collect->ef->space.values;
    if (relation != RES_EXACT || loc_at(values, loc_at(values, holder)->root)->kind != LOC_MEM)
        return;
    collect->has_untold |= !result_path(collect->ef, collect->exit, holder, &path) &&
                           !out_path(collect->ef, collect->exit, holder, &path) &&
                           !summarize_path(collect->ef, holder, &path);
}

static void collect_holder(void *context, uint32_t holder, uint32_t relation)
{
    Collect *collect = context;
    SummaryPath path;
    if (relation != RES_EXACT) return;
    bool is_part = summarize_object_path(collect->ef, collect->exit, holder, &path);
    bool is_out = !is_part && out_path(collect->ef, collect->exit, holder, &path);
    bool seen = is_part || is_out || result_path(collect->ef, collect->exit, holder, &path) ||
                (summarize_path(collect->ef, holder, &path) && !is_copy(&path));
    if (!seen) return;
    SummaryEffect effect =
        acquire_effect(collect->arena, collect->site, path, collect->exit->outcomes);
    effect.must = always_filled(collect->ef, collect->site, holder);
    effect.in_new = is_out;
    note_conditions(collect->arena, collect->ef, &collect->exit->state, &effect);
    if (is_part && !summarize_object(collect->arena, collect->ef, collect->exit, &effect)) return;
    summarize_left(collect->arena, collect->ef, collect->exit, &effect);
    summary_add(collect->arena, collect->summary, effect);
}

// The resource was put where an argument leads: the caller has it twice.
static bool is_in_argument(const Summary *summary, uint32_t group)
{
    bool found = false;
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != SE_ACQUIRE || effect->group != group) continue;
        if (effect->path.root == SP_GLOBAL) return false;
        found |= effect->path.root == SP_ARGUMENT;
    }
    return found;
}

void summarize_acquisition(Arena *arena, EngineFn *ef, const Site *site, Summary *summary)
{
    if (site->kind != SITE_ACQUIRE || !site->resource->must_release) return;
    for (uint32_t i = 0; i < site->exits.len; i++) {
        const Exit *exit = &site->exits.items[i];
        if (exit->state.status != RS_LIVE || exit->state.kept) continue;
        Collect collect = {
            .ef = ef, .exit = exit, .summary = summary, .arena = arena, .site = site};
        pmap_each(exit->state.holders, look_for_untold, &collect);
        if (collect.has_untold) continue; // what others hold as well is theirs to release
        pmap_each(exit->state.holders, collect_holder, &collect);
        // What others hold as well is theirs to release, though it is returned.
        bool shared = engine_search_holders(ef, &exit->state, IR_NONE).outside != IR_NONE;
        bool returned = exit->value != IR_NONE &&
                        sym_resource_relation(ef->space.values, exit->value) == RES_EXACT;
        if (!returned || (shared && !is_in_argument(summary, site->number))) continue;
        SummaryEffect effect =
            acquire_effect(arena, site, (SummaryPath){.root = SP_RESULT}, exit->outcomes);
        note_conditions(arena, ef, &exit->state, &effect);
        summarize_left(arena, ef, exit, &effect);
        summary_add(arena, summary, effect);
    }
}

// ---- what happens to the caller's ---------------------------------------------------------------

// The outcomes on which the caller's resource met each fate.
typedef struct {
    uint32_t on[FATE_COUNT];
    uint32_t null_after[FATE_COUNT];    // and its place holds null
    uint32_t renewed_after[FATE_COUNT]; // and its place holds something else
    AskedList asked;                    // what may decide which it is
    Range *ranges[FATE_COUNT];          // by what is asked: its value on the exits with that fate
    uint32_t guards;                    // of the losses
    SrcLoc lost_at;
    const SummaryCall *lost_by;  // calls on the way to there
    uint32_t shifted, unshifted; // outcomes after which the place points past the start, or not
} FateTable;

static bool place_is_null(EngineFn *ef, const Exit *exit, LocId place)
{
    int64_t value;
    return sym_is_int(ef->space.values, state_read(&ef->space, &exit->state, place), &value) &&
           value == 0;
}

// What it held is no longer there: the place was given another value.
static bool place_is_renewed(EngineFn *ef, const Exit *exit, LocId place)
{
    SymId value = state_read(&ef->space, &exit->state, place);
    return !sym_at(ef->space.values, value)->has_resource;
}

static bool held_outside(EngineFn *ef, const Exit *exit)
{
    return engine_search_holders(ef, &exit->state, IR_NONE).outside != IR_NONE;
}

typedef struct {
    EngineFn *ef;
    const State *state;
    uint32_t guards;
} GuardSearch;

static void look_at_guard(void *context, uint32_t id, uint32_t range_id)
{
    GuardSearch *search = context;
    const Values *values = search->ef->space.values;
    const Sym *sym = sym_at(values, id);
    (void)range_id;
    if (sym->kind == SYM_INITIAL && loc_at(values, sym->loc)->kind == LOC_FIELD)
        search->guards |= LOSE_BY_FLAG;
    if (sym->kind != SYM_BINARY) return;
    const Sym *sides[] = {sym_at(values, sym->a), sym_at(values, sym->b)};
    for (int i = 0; i < 2; i++) {
        if (sides[i]->kind != SYM_INITIAL || loc_at(values, sides[i]->loc)->kind != LOC_FIELD)
            continue;
        search->guards |= sides[1 - i]->kind == SYM_INT ? LOSE_BY_FLAG : LOSE_BY_RELATION;
    }
}

static uint32_t guards_of(EngineFn *ef, const State *state)
{
    GuardSearch search = {.ef = ef, .state = state};
    pmap_each(state->ranges, look_at_guard, &search);
    return search.guards;
}

static FateKind fate_of_exit(EngineFn *ef, const SummaryPath *path, const Exit *exit, bool stays)
{
    const State *state = &exit->state;
    bool returned =
        exit->value != IR_NONE && sym_resource_relation(ef->space.values, exit->value) == RES_EXACT;
    if (state->status == RS_RELEASED) return FATE_RELEASED;
    if (returned && !state->escaped && !state->kept) return FATE_RETURNED;
    if (state->escaped || (is_copy(path) && held_outside(ef, exit))) return FATE_KEPT;
    if (!state->kept && loc_is_valid(exit->lost_at)) return FATE_LOST;
    return state->kept || !stays ? FATE_UNSURE : FATE_UNTOUCHED;
}

static void note_asked(EngineFn *ef, const Exit *exit, const AskedList *asked, Range **ranges)
{
    bool is_first = *ranges == NULL;
    if (is_first) *ranges = ARENA_ARRAY(ef->space.arena, Range, asked->len + 1);
    for (uint32_t i = 0; i < asked->len; i++) {
        Range range = state_range(&ef->space, &exit->state, asked->items[i].value);
        (*ranges)[i] = is_first ? range : range_hull(&(*ranges)[i], &range);
    }
}

static FateKind note_fate(EngineFn *ef, const Site *site, const SummaryPath *path, const Exit *exit,
                          FateTable *fates)
{
    uint32_t relation;
    bool stays = is_copy(path) || pmap_get(exit->state.holders, site->entry, &relation);
    FateKind fate = fate_of_exit(ef, path, exit, stays);
    fates->on[fate] |= exit->outcomes;
    if (!is_copy(path) && place_is_null(ef, exit, site->entry))
        fates->null_after[fate] |= exit->outcomes;
    else if (!is_copy(path) && place_is_renewed(ef, exit, site->entry))
        fates->renewed_after[fate] |= exit->outcomes;
    bool is_shifted = !is_copy(path) && pmap_get(exit->state.holders, site->entry, &relation) &&
                      relation == RES_DERIVED;
    if (is_shifted)
        fates->shifted |= exit->outcomes;
    else
        fates->unshifted |= exit->outcomes;
    if (fate == FATE_LOST) {
        fates->guards |= guards_of(ef, &exit->state);
        fates->lost_at = exit->lost_at;
        fates->lost_by = exit->lost_by;
    }
    return fate;
}

// Which values went with which fate; of one fate alone nobody asks.
static void note_all_asked(EngineFn *ef, const Site *site, const FateKind *kinds, FateTable *fates)
{
    uint32_t different = 0;
    for (int i = 0; i < FATE_COUNT; i++) different += fates->on[i] != 0;
    if (different < 2) return;
    asked_find_arguments(ef, &fates->asked);
    for (uint32_t i = 0; i < site->exits.len; i++)
        asked_find_members(ef, &site->exits.items[i].state, &fates->asked);
    for (uint32_t i = 0; i < site->exits.len; i++)
        note_asked(ef, &site->exits.items[i], &fates->asked, &fates->ranges[kinds[i]]);
}

// The values that tell the fate from another one.
static void tell_apart(Arena *arena, const FateTable *fates, FateKind fate, SummaryEffect *effect)
{
    const Range *mine = fates->ranges[fate];
    for (uint32_t i = 0; mine && i < fates->asked.len; i++) {
        bool tells = false;
        for (int other = 0; other < FATE_COUNT; other++)
            tells |= fates->ranges[other] && engine_are_apart(&mine[i], &fates->ranges[other][i]);
        if (tells) asked_add(arena, &fates->asked.items[i], &mine[i], effect);
    }
}

static void add_fate(Arena *arena, Summary *summary, const FateTable *fates, FateKind fate,
                     SummaryEffect effect)
{
    uint32_t others = 0;
    for (int i = 0; i < FATE_COUNT; i++)
        if (i != (int)fate) others |= fates->on[i];
    if (fate == FATE_UNSURE) effect.possible = others | fates->on[fate];
    effect.may = fates->on[fate];
    effect.must = fate == FATE_UNSURE ? 0 : fates->on[fate] & ~others;
    effect.null_after = fates->null_after[fate];
    effect.renewed_after = fates->renewed_after[fate];
    tell_apart(arena, fates, fate, &effect);
    // That it is unsure is said even when nothing happens: the callee was looked at, so that the
    // caller need not fear the worst.
    if (effect.may || fate == FATE_UNSURE) summary_add(arena, summary, effect);
}

void summarize_entry(Arena *arena, EngineFn *ef, const Site *site, Summary *summary)
{
    SummaryPath path;
    if (!summarize_path(ef, site->entry, &path)) return;
    FateTable fates = {0};
    FateKind *kinds = ARENA_ARRAY(ef->space.arena, FateKind, site->exits.len + 1);
    for (uint32_t i = 0; i < site->exits.len; i++)
        kinds[i] = note_fate(ef, site, &path, &site->exits.items[i], &fates);
    note_all_asked(ef, site, kinds, &fates);
    add_fate(arena, summary, &fates, FATE_RELEASED,
             (SummaryEffect){.kind = SE_RELEASE,
                             .path = path,
                             .api = site->released_by,
                             .loc = site->released_at,
                             .calls = site->released_through,
                             .effect = site->release_effect,
                             .time = site->release_time,
                             .work = site->release_work});
    add_fate(arena, summary, &fates, FATE_RETURNED,
             (SummaryEffect){.kind = SE_RETURN, .path = path});
    add_fate(arena, summary, &fates, FATE_KEPT, (SummaryEffect){.kind = SE_KEEP, .path = path});
    add_fate(arena, summary, &fates, FATE_LOST,
             (SummaryEffect){.kind = SE_LOSE,
                             .path = path,
                             .loc = fates.lost_at,
                             .calls = fates.lost_by,
                             .guards = fates.guards});
    add_fate(arena, summary, &fates, FATE_UNSURE,
             (SummaryEffect){.kind = SE_MAY_KEEP, .path = path});
    // Where no argument tells, that nothing happens follows from the other fates.
    if (engine_fates_of(summary, &path).is_complete)
        add_fate(arena, summary, &fates, FATE_UNTOUCHED,
                 (SummaryEffect){.kind = SE_LEAVE, .path = path});
    if (fates.shifted)
        summary_add(arena, summary,
                    (SummaryEffect){.kind = SE_SHIFT,
                                    .path = path,
                                    .must = fates.shifted & ~fates.unshifted,
                                    .may = fates.shifted});
}

// The argument may lead to memory: a pointer, or an object that may have some inside.
static bool may_lead(const EngineFn *ef, IrVarId var)
{
    IrType type = ef->fn->vars.items[var].type;
    if (type == IR_NONE) return true;
    IrTypeKind kind = ir_type(ef->unit, type)->kind;
    return kind == IR_TY_POINTER || kind == IR_TY_REFERENCE || kind == IR_TY_RECORD;
}

void summarize_untold(EngineFn *ef, Summary *summary)
{
    for (uint32_t i = 0; i < asked_argument_count(ef) && i < 64; i++) {
        IrVarId var = asked_parameter(ef, i);
        // What constructors give their members for the first time overwrites nothing.
        bool is_untold = var == IR_NONE || bits_has(&ef->untold_vars, var) ||
                         (ef->fn->is_constructor && var == ef->fn->this_var);
        if (is_untold && (var == IR_NONE || may_lead(ef, var))) summary->untold |= UINT64_C(1) << i;
    }
}

// Nothing else happens to it: no search has to find out on which paths.
void summarize_handed_on(Arena *arena, EngineFn *ef, Summary *summary)
{
    for (uint32_t i = 0; i < ef->handed_places.len; i++) {
        SummaryEffect effect = {
            .kind = SE_MAY_KEEP, .may = summary->outcomes, .possible = summary->outcomes};
        if (summarize_path(ef, ef->handed_places.items[i], &effect.path) &&
            !summary_find(summary, SE_MAY_KEEP, &effect.path))
            summary_add(arena, summary, effect);
    }
}
