// SPDX-License-Identifier: MIT
// The tracked resource's life: releases, uses, escapes, losses. Whatever looks like a defect
// becomes a candidate of the site; deliver.c judges candidates once every path is known.
#include "engine/doubt.h"
#include "engine/work.h"

// What a call returned or handed over that allocates memory of the host: the function's own until it
// is given away.
bool engine_is_own_heap(const EngineFn *ef, const Sym *pointer)
{
    if (pointer->kind != SYM_FRESH || pointer->loc != IR_NONE) return false;
    if (pointer->value >= SLOT_GIVEN && pointer->value < SLOT_GIVEN_END) return true;
    return pointer->value == 0 && pointer->point < ef->heap_points.size &&
           bits_has(&ef->heap_points, pointer->point);
}

bool engine_loc_is_external(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    if (root->kind == LOC_VAR) {
        IrVarKind kind = ef->fn->vars.items[root->var].kind;
        return kind == IR_VAR_GLOBAL || kind == IR_VAR_STATIC || kind == IR_VAR_CAPTURE ||
               bits_has(&ef->shared_vars, root->var);
    }
    const Sym *pointer = sym_at(values, root->sym);
    while (pointer->kind == SYM_OLDER) pointer = sym_at(values, pointer->a);
    if (pointer->has_resource) return false;
    return !engine_is_own_heap(ef, pointer);
}

typedef struct {
    EngineFn *ef;
    const State *state;
    SymId pointer;
    int depth;
    bool found;
} KeeperSearch;

static bool is_outside(EngineFn *ef, const State *state, LocId loc, int depth);

static void look_at_keeper(void *context, uint32_t loc, uint32_t value)
{
    KeeperSearch *search = context;
    if (search->found || value != search->pointer) return;
    search->found = is_outside(search->ef, search->state, loc, search->depth - 1);
}

// Others can get at the location: it is theirs, or lies in a heap object whose pointer is kept
// where they can.
static bool is_outside(EngineFn *ef, const State *state, LocId loc, int depth)
{
    if (engine_loc_is_external(ef, loc)) return true;
    const Loc *root = loc_at(ef->space.values, loc_at(ef->space.values, loc)->root);
    if (root->kind != LOC_MEM || depth == 0) return false;
    KeeperSearch search = {.ef = ef, .state = state, .pointer = root->sym, .depth = depth};
    pmap_each(state->env, look_at_keeper, &search);
    return search.found;
}

bool engine_is_outside(EngineFn *ef, const State *state, LocId loc)
{
    return is_outside(ef, state, loc, 3);
}

// The object that a method works on; one that a constructor makes ends with it when it throws.
static bool is_in_own_object(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    if (root->kind != LOC_MEM || ef->fn->this_var == IR_NONE) return false;
    const Sym *pointer = sym_at(values, root->sym);
    return pointer->kind == SYM_INITIAL && loc_at(values, pointer->loc)->kind == LOC_VAR &&
           loc_at(values, pointer->loc)->var == ef->fn->this_var;
}

static void look_at_holder(void *context, uint32_t loc, uint32_t relation)
{
    HolderSearch *search = context;
    (void)relation;
    search->any = loc;
    if (search->within != IR_NONE && loc_is_within(search->ef->space.values, loc, search->within)) {
        search->found = true;
        search->inside = loc;
    }
    if (search->constructor_failed && is_in_own_object(search->ef, loc)) return;
    if (engine_is_outside(search->ef, search->state, loc)) search->outside = loc;
}

static void search_all(HolderSearch *search)
{
    pmap_each(search->state->holders, look_at_holder, search);
}

HolderSearch engine_search_holders(EngineFn *ef, const State *state, LocId within)
{
    HolderSearch search = {
        .ef = ef, .state = state, .within = within, .outside = IR_NONE, .any = IR_NONE};
    search_all(&search);
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

// True when the resource can be got at from `value`: it is the resource, or leads to memory that
// holds it.
static bool reaches(EngineFn *ef, const State *state, SymId value, int depth)
{
    Values *values = ef->space.values;
    if (sym_resource_relation(values, value) != RES_NONE) return true;
    if (depth == 0 || !state->holders) return false;
    const Sym *sym = sym_at(values, value);
    if (sym->kind != SYM_ADDR && sym->kind != SYM_FRESH && sym->kind != SYM_INITIAL &&
        sym->kind != SYM_OLDER)
        return false;
    LocId object = sym->kind == SYM_ADDR ? sym->loc : loc_mem(values, value);
    // A pointer to a base class part leads to the whole object, one to an element to the whole array.
    const Loc *info = loc_at(values, object);
    for (; info->kind == LOC_FIELD && str_starts_with(info->field, "#base:");
         info = loc_at(values, object))
        object = info->parent;
    if (info->kind == LOC_INDEX || info->kind == LOC_ANY) object = info->parent;
    Reach reach = {.ef = ef, .state = state, .depth = depth};
    space_each_within(&ef->space, object, follow, &reach);
    return reach.found;
}

// ---- what happens to the caller's ---------------------------------------------------------------

static void add_place(EngineFn *ef, LocList *places, LocId place)
{
    for (uint32_t i = 0; i < places->len; i++)
        if (places->items[i] == place) return;
    vec_push(ef->arena, places, place);
}

// Adds the place that held the value at the entry, or from which a call returned it.
static void add_places_of(EngineFn *ef, LocList *places, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind == SYM_INITIAL) add_place(ef, places, sym->loc);
    while (sym->kind == SYM_OLDER) sym = sym_at(ef->space.values, sym->a);
    for (uint32_t i = 0; sym->kind == SYM_FRESH && i < ef->returned_places.len; i++)
        if (ef->returned_places.items[i].point == sym->point)
            add_place(ef, places, ef->returned_places.items[i].place);
}

void engine_note_entry(EngineFn *ef, SymId value)
{
    if (!ef->site && value != IR_NONE) add_places_of(ef, &ef->entry_places, value);
}

// Numbers are handed on all the time.
static bool is_number(const EngineFn *ef, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    return sym->kind == SYM_INITIAL && !loc_at(ef->space.values, sym->loc)->is_pointer;
}

void engine_note_handed_on(EngineFn *ef, SymId value)
{
    if (!ef->site && value != IR_NONE && !is_number(ef, value))
        add_places_of(ef, &ef->handed_places, value);
}

void engine_note_returned(EngineFn *ef, SymId value)
{
    if (value == IR_NONE) return;
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind != SYM_INITIAL) return;
    for (uint32_t i = 0; i < ef->returned_places.len; i++)
        if (ef->returned_places.items[i].point == ef->point &&
            ef->returned_places.items[i].place == sym->loc)
            return;
    vec_push(ef->arena, &ef->returned_places,
             ((ReturnedPlace){.point = ef->point, .place = sym->loc}));
}

void engine_note_untold(EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    for (const Loc *root; !ef->site; loc = sym_at(values, root->sym)->loc) {
        root = loc_at(values, loc_at(values, loc)->root);
        if (root->kind == LOC_VAR) {
            bits_add(&ef->untold_vars, root->var);
            return;
        }
        if (sym_at(values, root->sym)->kind != SYM_INITIAL) return;
    }
}

void engine_note_overwrite(EngineFn *ef, const State *state, LocId loc)
{
    if (ef->site || loc_at(ef->space.values, loc)->kind == LOC_VAR) return;
    if (!engine_loc_is_external(ef, loc)) return;
    if (ef->fn->is_constructor && is_in_own_object(ef, loc)) return; // nothing was there before
    SymId before = state_read(&ef->space, state, loc);
    const Sym *sym = sym_at(ef->space.values, before);
    if (sym->kind == SYM_INITIAL && sym->loc == loc) engine_note_entry(ef, before);
}

void engine_may_keep(EngineFn *ef, State *state, SymId value)
{
    engine_note_handed_on(ef, value);
    if (state->status == RS_LIVE && !state->kept && reaches(ef, state, value, 3))
        state->kept = true;
}

void engine_share(EngineFn *ef, State *state, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind == SYM_ADDR) {
        const Loc *root = loc_at(ef->space.values, loc_at(ef->space.values, sym->loc)->root);
        if (root->kind == LOC_VAR) bits_add(&ef->shared_vars, root->var);
    }
    engine_escape(ef, state, value);
}

static void look_for_shared(void *context, uint32_t loc, uint32_t relation)
{
    HolderSearch *search = context;
    const Values *values = search->ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    (void)relation;
    search->found |= root->kind == LOC_VAR && bits_has(&search->ef->shared_vars, root->var);
}

void engine_keep_shared(EngineFn *ef, State *state)
{
    HolderSearch search = {.ef = ef};
    if (state->status != RS_LIVE || state->kept) return;
    pmap_each(state->holders, look_for_shared, &search);
    state->kept = search.found;
}

void engine_escape(EngineFn *ef, State *state, SymId value)
{
    if (!is_number(ef, value)) engine_note_entry(ef, value);
    if (state->status == RS_LIVE && !state->escaped && reaches(ef, state, value, 3))
        state->escaped = true;
}

// ---- candidates ---------------------------------------------------------------------------------

Event engine_event(const EngineFn *ef, const State *state, EventKind kind)
{
    const Site *site = ef->site;
    Event event = {.kind = kind,
                   .loc = ef->instr->loc,
                   .name = site->name,
                   .kind_title = site->resource ? site->resource->title : "variable",
                   .acquired_by = site->acquired_by,
                   .acquired_at = site->loc,
                   .acquired_inside = site->acquires ? site->acquires->loc : (SrcLoc){0},
                   .inside = ef->inside,
                   .release_hint = site->resource ? site->resource->release_hint : NULL,
                   .must_release = site->resource && site->resource->must_release,
                   .released_at = state->released_at,
                   .released_by = state->released_by};
    return event;
}

void engine_add_candidate(EngineFn *ef, const State *state, Event event)
{
    if (engine_is_told_by_callee(ef)) return;
    if (event.exit == EXIT_THROW && loc_is_valid(state->thrown_at)) event.loc = state->thrown_at;
    Candidate candidate = {.event = event,
                           .path = state->path,
                           .left_loops = state->left_loops,
                           .needs_belief = state->kept,
                           .doubt = state->doubt};
    vec_push(ef->space.arena, &ef->site->candidates, candidate);
}

// The loss happens in the loop in which the resource was acquired: once an iteration.
static bool comes_round(const EngineFn *ef)
{
    uint32_t loop = ef->loops.loop_of[ef->site->block];
    return loop != FLOW_NONE && flow_loop_contains(&ef->loops, loop, ef->block);
}

// Which outcome the path of a released resource leads to shows at its end.
static bool awaits_outcome(const EngineFn *ef, const State *state)
{
    IrType result = ef->unit->callees.items[ef->fn->callee].result;
    bool has_outcomes = result != IR_NONE && ir_type(ef->unit, result)->kind != IR_TY_VOID;
    return ef->site->kind == SITE_ENTRY && state->status == RS_RELEASED && has_outcomes;
}

void engine_check_lost(EngineFn *ef, State *state, EventKind kind, ExitKind exit)
{
    if (ef->site && ef->site->kind == SITE_BUFFER) {
        // Once its work is done there is nothing left to see.
        state->dead =
            ef->site_started && state->pending == PENDING_NONE && state->recorded == PENDING_NONE;
        return;
    }
    if (state->status == RS_NONE || state->attached != IR_NONE || state->holders) return;
    if (awaits_outcome(ef, state)) return;
    if (ef->site->kind == SITE_ENTRY)
        vec_push(ef->space.arena, &ef->site->exits,
                 ((Exit){.state = *state,
                         .value = IR_NONE,
                         .object = IR_NONE,
                         .outcomes = OUTCOME_RETURNED,
                         .lost_at = loc_is_valid(ef->inside) ? ef->inside : ef->instr->loc,
                         .lost_by = engine_calls_inside(ef)}));
    bool owed = ef->site->kind == SITE_ACQUIRE && ef->site->resource->must_release &&
                !state->mislaid && !bits_has(&ef->dead_ends, ef->block) &&
                !engine_is_empty_block(ef, state);
    if (state->status == RS_LIVE && owed && (!state->escaped || state->reentered)) {
        Event event = engine_event(ef, state, kind);
        event.exit = exit;
        event.in_loop = comes_round(ef);
        event.callee = ef->memory_ended_by;
        engine_add_candidate(ef, state, event);
    }
    state->dead = true; // nothing can reach it any more: there is nothing left to see
}

// A static variable keeps the resource: the function runs again and finds it there. Those that a
// lambda fills may be the enclosing function's, and who runs it how often is not known.
static void reenter(EngineFn *ef, const State *state, LocId holder)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (state->reentered || ef->fn->is_lambda || ef->fn->is_main || root->kind != LOC_VAR ||
        ef->fn->vars.items[root->var].kind != IR_VAR_STATIC)
        return;
    State again = *state;
    again.dead = false;
    again.reentered = true;
    state_keep_statics(&ef->space, &again);
    state_remark(&ef->space, &again, ef->fn->loc, "the function is called again");
    engine_queue(ef, 0, again);
}

typedef struct {
    const EngineFn *ef;
    SymId pointer;
    bool found;
} NameSearch;

static void names_pointer(void *context, uint32_t loc, uint32_t value)
{
    NameSearch *search = context;
    const Values *values = search->ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    bool names_it = sym_whole_object(values, value) == search->pointer;
    if (!names_it || root->kind != LOC_VAR) return;
    search->found |= search->ef->fn->vars.items[root->var].kind != IR_VAR_TEMP;
}

// A holder inside a heap object of the function's own counts only while a variable points to the
// object: what became of objects that were linked into others and lost sight of is not known.
static bool is_within_reach(const EngineFn *ef, const State *state, LocId holder)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, holder)->root);
    if (root->kind == LOC_VAR || sym_at(values, root->sym)->has_resource) return true;
    if (is_in_own_object(ef, holder)) return true;
    NameSearch search = {.ef = ef, .pointer = root->sym};
    pmap_each(state->env, names_pointer, &search);
    return search.found;
}

static void look_for_element(void *context, uint32_t loc, uint32_t relation)
{
    HolderSearch *search = context;
    (void)relation;
    if (engine_loc_is_element(search->ef, loc)) search->any = loc;
}

// An element holds the resource, or has the registration: whatever else holds it, a loop that
// releases the elements releases it, too.
static bool lies_in_elements(EngineFn *ef, const State *state)
{
    if (state->attached != IR_NONE) return sym_is_one_of_many(ef->space.values, state->attached);
    HolderSearch search = {.ef = ef, .any = IR_NONE};
    pmap_each(state->holders, look_for_element, &search);
    return search.any != IR_NONE;
}

void engine_leave_loops(EngineFn *ef, State *state, IrBlockId to)
{
    uint32_t loop = ef->loops.loop_of[ef->block];
    if (loop == FLOW_NONE || !ef->site || state->status != RS_LIVE) return;
    for (uint32_t left = loop; left != FLOW_NONE && !flow_loop_contains(&ef->loops, left, to);
         left = ef->loops.loops.items[left].parent)
        engine_work_leave_loop(ef, state, left);
    if (flow_loop_contains(&ef->loops, loop, to) || !lies_in_elements(ef, state)) return;
    for (; loop != FLOW_NONE && !flow_loop_contains(&ef->loops, loop, to);
         loop = ef->loops.loops.items[loop].parent)
        if (ef->site->block == IR_NONE || !flow_loop_contains(&ef->loops, loop, ef->site->block))
            state->left_loops |= UINT64_C(1) << (loop % 64);
}

// What is lost with the function: everything but what an outsider holds.
void engine_check_exit(EngineFn *ef, State *state, ExitKind exit)
{
    // Where the program ends, no work goes on.
    if (ef->site && ef->site->kind == SITE_BUFFER && !ef->fn->is_main)
        engine_work_scope_end(ef, state, ef->site->var);
    state->dead = true;
    if (!ef->site || ef->site->kind == SITE_ENTRY || state->status != RS_LIVE) return;
    if (!ef->site->resource || !ef->site->resource->must_release) return;
    bool ends_process = ef->fn->is_main || ef->unit->callees.items[ef->fn->callee].is_nothrow;
    if (exit == EXIT_THROW && ends_process) return;
    HolderSearch holders = {
        .ef = ef, .state = state, .within = IR_NONE, .outside = IR_NONE, .any = IR_NONE};
    holders.constructor_failed = exit == EXIT_THROW && ef->fn->is_constructor;
    search_all(&holders);
    if (exit == EXIT_RETURN && (holders.outside != IR_NONE || state->escaped)) {
        ef->site->handed_over = true;
        engine_settle_doubt(ef, state);
    }
    if (holders.outside != IR_NONE) {
        reenter(ef, state, holders.outside);
        return;
    }
    if (state->escaped || state->mislaid || engine_is_empty_block(ef, state)) return;
    if (holders.any != IR_NONE && !is_within_reach(ef, state, holders.any)) return;
    Event event = engine_event(ef, state, EV_LEAK_AT_EXIT);
    event.exit = exit;
    engine_add_candidate(ef, state, event);
    // Registered memory of others may be unregistered by them: only this function's own habit
    // tells.
    if (state->attached != IR_NONE) {
        const Sym *pointer = sym_at(ef->space.values, state->attached);
        bool own = pointer->kind == SYM_ADDR && !engine_loc_is_external(ef, pointer->loc);
        vec_last(&ef->site->candidates)->needs_release = !own && !state->attached_freed;
    }
}
