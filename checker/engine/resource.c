// SPDX-License-Identifier: MIT
// The tracked resource's life: releases, uses, escapes, losses. Whatever looks like a defect becomes a candidate of
// the site; deliver.c judges candidates once every path is known.
#include "engine/search.h"

bool engine_loc_is_external(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    if (root->kind == LOC_VAR) {
        IrVarKind kind = ef->fn->vars.items[root->var].kind;
        return kind == IR_VAR_GLOBAL || kind == IR_VAR_STATIC || kind == IR_VAR_CAPTURE;
    }
    const Sym *pointer = sym_at(values, root->sym);
    while (pointer->kind == SYM_OLDER) pointer = sym_at(values, pointer->a);
    if (pointer->has_resource) return false;
    bool own_heap = pointer->kind == SYM_FRESH && pointer->point < ef->heap_points.size &&
                    bits_has(&ef->heap_points, pointer->point);
    return !own_heap;
}

typedef struct {
    EngineFn *ef;
    LocId within; // holders at or below
    LocId outside; // a holder outside the function
    bool found;
    LocId inside; // the last holder found within
    LocId any;
} HolderSearch;

static void look_at_holder(void *context, uint32_t loc, uint32_t relation)
{
    HolderSearch *search = context;
    (void)relation;
    search->any = loc;
    if (search->within != IR_NONE && loc_is_within(search->ef->space.values, loc, search->within)) {
        search->found = true;
        search->inside = loc;
    }
    if (engine_loc_is_external(search->ef, loc)) search->outside = loc;
}

static HolderSearch search_holders(EngineFn *ef, const State *state, LocId within)
{
    HolderSearch search = {.ef = ef, .within = within, .outside = IR_NONE, .any = IR_NONE};
    pmap_each(state->holders, look_at_holder, &search);
    return search;
}

typedef struct {
    EngineFn *ef;
    const State *state;
    int depth;
    bool found;
} Reach;

static bool reaches(EngineFn *ef, const State *state, SymId value, int depth);

static void follow(void *context, LocId loc)
{
    Reach *reach = context;
    SymId value;
    if (reach->found || !pmap_get(reach->state->env, loc, &value)) return;
    reach->found = reaches(reach->ef, reach->state, value, reach->depth - 1);
}

// True when the resource can be got at from `value`: it is the resource, or leads to memory that holds it.
static bool reaches(EngineFn *ef, const State *state, SymId value, int depth)
{
    Values *values = ef->space.values;
    if (sym_resource_relation(values, value) != RES_NONE) return true;
    if (depth == 0 || !state->holders) return false;
    const Sym *sym = sym_at(values, value);
    if (sym->kind != SYM_ADDR && sym->kind != SYM_FRESH && sym->kind != SYM_INITIAL && sym->kind != SYM_OLDER) return false;
    LocId object = sym->kind == SYM_ADDR ? sym->loc : loc_mem(values, value);
    // A pointer to one element leads to the whole array.
    const Loc *info = loc_at(values, object);
    if (info->kind == LOC_INDEX || info->kind == LOC_ANY) object = info->parent;
    Reach reach = {.ef = ef, .state = state, .depth = depth};
    space_each_within(&ef->space, object, follow, &reach);
    return reach.found;
}

void engine_may_keep(EngineFn *ef, State *state, SymId value)
{
    if (state->status == RS_LIVE && !state->kept && reaches(ef, state, value, 3)) state->kept = true;
}

void engine_escape(EngineFn *ef, State *state, SymId value)
{
    if (state->status == RS_LIVE && !state->escaped && reaches(ef, state, value, 3)) state->escaped = true;
}

// ---- candidates ---------------------------------------------------------------------------------------

Event engine_event(const EngineFn *ef, const State *state, EventKind kind)
{
    const Site *site = ef->site;
    Event event = {.kind = kind,
                   .loc = ef->instr->loc,
                   .name = site->name,
                   .kind_title = site->resource ? site->resource->title : "variable",
                   .acquired_by = site->acquired_by,
                   .acquired_at = site->loc,
                   .release_hint = site->resource ? site->resource->release_hint : NULL,
                   .must_release = site->resource && site->resource->must_release,
                   .released_at = state->released_at,
                   .released_by = state->released_by};
    return event;
}

void engine_add_candidate(EngineFn *ef, const State *state, Event event)
{
    Candidate candidate = {.event = event, .path = state->path, .needs_belief = state->kept};
    vec_push(ef->space.arena, &ef->site->candidates, candidate);
}

static bool comes_round(const EngineFn *ef)
{
    return bits_has(&ef->in_loop, ef->site->block) && bits_has(&ef->in_loop, ef->block);
}

void engine_check_lost(EngineFn *ef, State *state, EventKind kind, ExitKind exit)
{
    if (state->status == RS_NONE || state->attached != IR_NONE || state->holders) return;
    if (ef->site->kind == SITE_ENTRY)
        vec_push(ef->space.arena, &ef->site->exits, ((Exit){.state = *state, .value = IR_NONE, .outcomes = OUTCOME_RETURNED}));
    bool owed = ef->site->kind == SITE_ACQUIRE && ef->site->resource->must_release;
    if (state->status == RS_LIVE && !state->escaped && owed) {
        Event event = engine_event(ef, state, kind);
        event.exit = exit;
        event.in_loop = ef->site->point == ef->point || comes_round(ef);
        engine_add_candidate(ef, state, event);
    }
    state->dead = true; // nothing can reach it any more: there is nothing left to see
}

// A static variable keeps the resource: the function runs again and finds it there.
static void reenter(EngineFn *ef, const State *state, LocId holder)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (state->reentered || root->kind != LOC_VAR || ef->fn->vars.items[root->var].kind != IR_VAR_STATIC) return;
    State again = *state;
    again.dead = false;
    again.reentered = true;
    state_keep_statics(&ef->space, &again);
    state_remark(&ef->space, &again, ef->fn->loc, "the function is called again");
    engine_queue(ef, 0, again);
}

// What is lost with the function: everything but what an outsider holds.
void engine_check_exit(EngineFn *ef, State *state, ExitKind exit)
{
    state->dead = true;
    if (!ef->site || ef->site->kind == SITE_ENTRY || state->status != RS_LIVE || state->escaped) return;
    if (!ef->site->resource || !ef->site->resource->must_release) return;
    if (exit == EXIT_THROW && ef->fn->is_main) return; // ends the process
    HolderSearch holders = search_holders(ef, state, IR_NONE);
    if (holders.outside != IR_NONE) {
        reenter(ef, state, holders.outside);
        return;
    }
    Event event = engine_event(ef, state, EV_LEAK_AT_EXIT);
    event.exit = exit;
    engine_add_candidate(ef, state, event);
    // Registered memory of others may be unregistered by them: only this function's own habit tells.
    if (state->attached != IR_NONE) {
        const Sym *pointer = sym_at(ef->space.values, state->attached);
        bool own = pointer->kind == SYM_ADDR && !engine_loc_is_external(ef, pointer->loc);
        vec_last(&ef->site->candidates)->needs_release = !own;
    }
}

// ---- releases and uses --------------------------------------------------------------------------------

static bool effect_releases(const ModelEffect *effect, const Model *model, const ModelResource *resource)
{
    for (uint32_t i = 0; i < effect->resources.len; i++) {
        uint32_t kind = effect->resources.items[i];
        if (model_resource(model, kind) == resource || kind == resource->same_as) return true;
    }
    return false;
}

static void drop_family_holder(void *context, uint32_t loc, uint32_t relation)
{
    HolderSearch *search = context;
    (void)relation;
    if (loc_at(search->ef->space.values, loc)->is_family) search->any = loc;
}

// Releasing one element discharges the family: nothing more is said of its elements.
static void forget_family(EngineFn *ef, State *state)
{
    for (;;) {
        HolderSearch search = {.ef = ef, .any = IR_NONE};
        pmap_each(state->holders, drop_family_holder, &search);
        if (search.any == IR_NONE) return;
        state_drop_holder(&ef->space, state, search.any);
    }
}

static void released(EngineFn *ef, State *state, const char *by)
{
    Site *site = ef->site;
    site->released = true;
    if (state->kept) site->believed = true;
    state->status = RS_RELEASED;
    state->kept = false;
    state->escaped = false;
    state->released_at = ef->instr->loc;
    state->released_by = by;
    state_remark(&ef->space, state, ef->instr->loc, arena_printf(ef->space.arena, "released here by '%s'", by));
    forget_family(ef, state);
}

// A defect whatever else the function does; the path is not followed further.
static void report_and_stop(EngineFn *ef, State *state, EventKind kind, const char *callee, const char *expected)
{
    Event event = engine_event(ef, state, kind);
    event.callee = callee;
    event.expected = expected;
    vec_push(ef->space.arena, &ef->site->candidates, ((Candidate){.event = event, .path = state->path}));
    state->dead = true;
}

// The caller's resource: what kind it is shows only by what releases it.
static void release_entry(EngineFn *ef, State *state, const ModelEffect *effect, const CallSite *call)
{
    Site *site = ef->site;
    if (state->status == RS_RELEASED) {
        if (!site->resource->is_counted) report_and_stop(ef, state, EV_DOUBLE_RELEASE, call->callee->name, NULL);
        return;
    }
    if (!site->release_effect) {
        site->release_effect = effect;
        site->released_by = call->model ? call->model->name : call->callee->name;
        site->released_at = ef->instr->loc;
        site->resource = model_resource(ef->model, effect->resources.items[0]);
    }
    released(ef, state, call->model ? call->model->name : call->callee->name);
}

static void release_exact(EngineFn *ef, State *state, const ModelEffect *effect, const CallSite *call)
{
    const Site *site = ef->site;
    const char *name = call->callee->name;
    if (site->kind == SITE_UNINITIALIZED) {
        report_and_stop(ef, state, EV_UNINITIALIZED_RELEASE, name, NULL);
        return;
    }
    if (site->kind == SITE_BORROW) {
        report_and_stop(ef, state, EV_BORROWED_RELEASE, name, NULL);
        return;
    }
    if (site->kind == SITE_ENTRY) {
        release_entry(ef, state, effect, call);
        return;
    }
    if (!effect_releases(effect, ef->model, site->resource)) {
        bool again = state->status == RS_RELEASED;
        report_and_stop(ef, state, again ? EV_DOUBLE_RELEASE : EV_WRONG_RELEASE, name, NULL);
        return;
    }
    if (state->status == RS_RELEASED) {
        if (site->resource->is_counted) return;
        report_and_stop(ef, state, EV_DOUBLE_RELEASE, name, NULL);
        return;
    }
    released(ef, state, call->model ? call->model->name : call->callee->name);
}

// cudaFree(&p): the address of the variable that holds the resource.
static bool is_address_of_holder(EngineFn *ef, const State *state, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    uint32_t relation;
    return sym->kind == SYM_ADDR && pmap_get(state->holders, sym->loc, &relation) && relation == RES_EXACT;
}

void engine_note_entry_release(EngineFn *ef, SymId value)
{
    if (ef->site || value == IR_NONE) return;
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind != SYM_INITIAL) return;
    for (uint32_t i = 0; i < ef->entry_places.len; i++)
        if (ef->entry_places.items[i] == sym->loc) return;
    vec_push(ef->arena, &ef->entry_places, sym->loc);
}

void engine_release(EngineFn *ef, State *state, SymId value, const ModelEffect *effect, const CallSite *call)
{
    engine_note_entry_release(ef, value);
    if (state->status == RS_NONE || state->dead) return;
    if (state->attached != IR_NONE) return;
    ResourceRelation relation = sym_resource_relation(ef->space.values, value);
    if (relation == RES_EXACT) {
        release_exact(ef, state, effect, call);
        return;
    }
    const ModelResource *resource = ef->site->resource;
    if (ef->site->kind == SITE_ENTRY) return;
    if (relation == RES_DERIVED && ef->site->kind == SITE_ACQUIRE && resource->is_memory) {
        if (effect_releases(effect, ef->model, resource)) report_and_stop(ef, state, EV_OFFSET_RELEASE, call->callee->name, NULL);
        return;
    }
    if (ef->site->kind != SITE_ACQUIRE || state->status != RS_LIVE) return;
    if (is_address_of_holder(ef, state, value) && effect_releases(effect, ef->model, resource))
        report_and_stop(ef, state, EV_WRONG_RELEASE, call->callee->name, ef->site->name);
}

void engine_use(EngineFn *ef, State *state, SymId value, const char *callee)
{
    if (state->status != RS_RELEASED || state->dead || !ef->site || state->attached != IR_NONE) return;
    if (ef->site->kind != SITE_ACQUIRE && ef->site->kind != SITE_ENTRY) return;
    if (ef->site->resource->is_counted || sym_resource_relation(ef->space.values, value) == RES_NONE) return;
    report_and_stop(ef, state, EV_USE_AFTER_RELEASE, callee, NULL);
}

void engine_use_within(EngineFn *ef, State *state, LocId object, const char *callee)
{
    if (state->status != RS_RELEASED || !state->holders) return;
    if (search_holders(ef, state, object).found) engine_use(ef, state, sym_resource(ef->space.values), callee);
}

void engine_forget_within(EngineFn *ef, State *state, LocId object)
{
    const Loc *info = loc_at(ef->space.values, object);
    if (info->kind == LOC_INDEX && info->index == 0) object = info->parent;
    for (;;) {
        HolderSearch search = search_holders(ef, state, object);
        if (!search.found) return;
        state_havoc(&ef->space, state, search.inside, ef->point, false);
    }
}
