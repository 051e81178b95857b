// SPDX-License-Identifier: MIT
// Releases and uses of the tracked resource by calls, and what is wrong with them.
#include "engine/doubt.h"
#include "engine/work.h"

static bool effect_releases(const ModelEffect *effect, const Model *model,
                            const ModelResource *resource)
{
    for (uint32_t i = 0; i < effect->resources.len; i++) {
        uint32_t kind = effect->resources.items[i];
        if (model_resource(model, kind) == resource || kind == resource->same_as) return true;
    }
    return false;
}

bool engine_loc_is_element(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    if (loc_is_one_of_many(values, loc)) return true;
    for (; loc != IR_NONE; loc = loc_at(values, loc)->parent) {
        const Loc *info = loc_at(values, loc);
        if (info->kind == LOC_INDEX &&
            (info->index != 0 || loc_at(values, info->parent)->kind != LOC_MEM))
            return true;
    }
    return false;
}

typedef struct {
    const EngineFn *ef;
    bool any_element; // known elements, too
    LocId element;
} ElementSearch;

static void find_element(void *context, uint32_t loc, uint32_t relation)
{
    ElementSearch *search = context;
    (void)relation;
    bool unknown = loc_is_one_of_many(search->ef->space.values, loc);
    if (unknown || (search->any_element && engine_loc_is_element(search->ef, loc)))
        search->element = loc;
}

// The call names the very place that holds the resource, not just some element of its array.
static bool names_holder(EngineFn *ef, State *state, const CallSite *call)
{
    for (uint32_t i = 0; i < call->count; i++) {
        const IrExpr *expr = ir_expr_at(ef->fn, call->call->args[i]);
        while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
        uint32_t relation;
        if (expr->kind != IR_EX_LOAD) continue;
        LocId loc = engine_place(ef, state, expr->place);
        if (pmap_get(state->holders, loc, &relation) && !loc_is_one_of_many(ef->space.values, loc))
            return true;
    }
    return false;
}

// The loops under way release the resource as one element of many.
static void note_released_in(EngineFn *ef)
{
    for (uint32_t loop = ef->loops.loop_of[ef->block]; loop != FLOW_NONE;
         loop = ef->loops.loops.items[loop].parent)
        ef->site->released_in |= UINT64_C(1) << (loop % 64);
}

// Releasing some element discharges all: nothing more is said of the array's elements.
static void forget_elements(EngineFn *ef, State *state, const CallSite *call)
{
    bool any_element = !names_holder(ef, state, call);
    for (;;) {
        ElementSearch search = {.ef = ef, .any_element = any_element, .element = IR_NONE};
        pmap_each(state->holders, find_element, &search);
        if (search.element == IR_NONE) return;
        state_drop_holder(&ef->space, state, search.element);
        note_released_in(ef);
    }
}

static void released(EngineFn *ef, State *state, const CallSite *call)
{
    const char *by = call->model ? call->model->name : engine_callee_name(ef, call->callee);
    Site *site = ef->site;
    site->released = true;
    engine_settle_doubt(ef, state);
    if (state->kept && !state->mislaid) site->believed = true;
    engine_note_release_time(ef, state, call);
    engine_work_release(ef, state, call);
    state->status = RS_RELEASED;
    state->kept = state->mislaid = false;
    state->escaped = false;
    state->released_at = ef->instr->loc;
    state->released_by = by;
    state->release_status = IR_NONE; // set by the call that returns one
    state_remark(&ef->space, state, ef->instr->loc,
                 arena_printf(ef->space.arena, "released here by '%s'", by));
    forget_elements(ef, state, call);
}

// A defect whatever else the function does; the path is not followed further.
static void report_and_stop(EngineFn *ef, State *state, EventKind kind, const char *callee,
                            const char *expected)
{
    state->dead = true;
    if (engine_is_told_by_callee(ef)) return;
    Event event = engine_event(ef, state, kind);
    event.callee = callee;
    event.expected = expected;
    vec_push(ef->space.arena, &ef->site->candidates,
             ((Candidate){.event = event, .path = state->path}));
}

// The caller's resource: what kind it is shows only by what releases it.
static void release_entry(EngineFn *ef, State *state, const ModelEffect *effect,
                          const CallSite *call)
{
    Site *site = ef->site;
    if (state->status == RS_RELEASED) {
        if (!site->resource || !site->resource->is_counted)
            report_and_stop(ef, state, EV_DOUBLE_RELEASE, engine_callee_name(ef, call->callee),
                            NULL);
        return;
    }
    if (site->has_release && site->release_effect != effect) site->release_effect = NULL;
    if (!site->has_release) {
        site->has_release = true;
        site->release_effect = effect;
        site->released_by = call->model     ? call->model->name
                            : ef->inside_by ? ef->inside_by
                                            : engine_callee_name(ef, call->callee);
        site->released_at = loc_is_valid(ef->inside) ? ef->inside : ef->instr->loc;
        site->released_through = engine_calls_inside(ef);
        // A callee that releases several kinds does not say which this is.
        site->resource = effect ? model_resource(ef->model, effect->resources.items[0]) : NULL;
    }
    released(ef, state, call);
}

static const char *released_text(EngineFn *ef, IrExprId id)
{
    while (ir_expr_at(ef->fn, id)->kind == IR_EX_CAST) id = ir_expr_at(ef->fn, id)->a;
    return ir_expr_text(ef->arena, ef->unit, ef->fn, id);
}

// Host memory is other tools' business: it matters only where a CUDA function is given it.
static bool is_host_affair(const EngineFn *ef, const ModelEffect *effect)
{
    const Site *site = ef->site;
    if (site->kind != SITE_UNINITIALIZED &&
        (site->kind != SITE_ACQUIRE || site->resource->must_release))
        return false;
    for (uint32_t i = 0; effect && i < effect->resources.len; i++)
        if (model_resource(ef->model, effect->resources.items[i])->must_release) return false;
    return true;
}

// The call that released it is known to have failed: whether anything was released is not certain.
static bool has_failed(EngineFn *ef, const State *state)
{
    State tried = *state;
    return state->status == RS_RELEASED && state->release_status != IR_NONE &&
           !state_assume(&ef->space, &tried, state->release_status, false);
}

static void release_exact(EngineFn *ef, State *state, const ModelEffect *effect,
                          const CallSite *call)
{
    const Site *site = ef->site;
    const char *name = engine_callee_name(ef, call->callee);
    if (is_host_affair(ef, effect)) {
        engine_work_release(ef, state, call);
        state->dead = true;
        return;
    }
    if (site->kind == SITE_UNINITIALIZED) {
        if (state->attempt != 0) { // today's driver stored null
            state->dead = true;
            return;
        }
        for (uint32_t i = 0; i < call->count;
             i++) // a field or element: more than the variable's name
            if (sym_resource_relation(ef->space.values, call->args[i]) == RES_EXACT)
                ef->site->name = released_text(ef, call->call->args[i]);
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
    bool right =
        !effect || site->kind_is_uncertain || effect_releases(effect, ef->model, site->resource);
    if (!right) {
        bool again = state->status == RS_RELEASED;
        report_and_stop(ef, state, again ? EV_DOUBLE_RELEASE : EV_WRONG_RELEASE, name, NULL);
        return;
    }
    if (state->status == RS_RELEASED) {
        if (site->resource->is_counted) return;
        report_and_stop(ef, state, EV_DOUBLE_RELEASE, name, NULL);
        return;
    }
    released(ef, state, call);
}

// One element's registration stands for those of all: undoing some element's discharges it.
void engine_detach(EngineFn *ef, State *state, const CallSite *call)
{
    bool is_one_of_many = sym_is_one_of_many(ef->space.values, state->attached);
    if (is_one_of_many) note_released_in(ef);
    if (state->status == RS_RELEASED) {
        if (is_one_of_many) return;
        report_and_stop(ef, state, EV_DOUBLE_RELEASE, engine_callee_name(ef, call->callee), NULL);
        return;
    }
    released(ef, state, call);
}

// The memory goes while it is registered: nobody can undo the registration any more.
void engine_free_attached(EngineFn *ef, State *state)
{
    (void)ef;
    state->attached_freed = true;
}

// cudaFree(&p): the address of the variable that holds the resource.
static bool is_address_of_holder(EngineFn *ef, const State *state, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    uint32_t relation;
    return sym->kind == SYM_ADDR && pmap_get(state->holders, sym->loc, &relation) &&
           relation == RES_EXACT;
}

void engine_release(EngineFn *ef, State *state, SymId value, const ModelEffect *effect,
                    const CallSite *call)
{
    engine_note_entry(ef, value);
    if (state->status == RS_NONE || state->dead) return;
    if (state->attached != IR_NONE) return;
    ResourceRelation relation = sym_resource_relation(ef->space.values, value);
    if (relation != RES_NONE && has_failed(ef, state)) {
        state->dead = true;
        return;
    }
    if (relation == RES_EXACT) {
        release_exact(ef, state, effect, call);
        return;
    }
    const ModelResource *resource = ef->site->resource;
    if (ef->site->kind == SITE_ENTRY) return;
    SymId distance = sym_resource_offset(ef->space.values, value);
    if (relation == RES_DERIVED && state_may_be_back(&ef->space, state, distance)) {
        state->dead = true; // released or not: nothing certain follows
        return;
    }
    if (relation == RES_DERIVED && ef->site->kind == SITE_ACQUIRE && resource->is_memory) {
        if (effect && effect_releases(effect, ef->model, resource))
            report_and_stop(ef, state, EV_OFFSET_RELEASE, engine_callee_name(ef, call->callee),
                            NULL);
        return;
    }
    if (ef->site->kind != SITE_ACQUIRE || state->status != RS_LIVE) return;
    if (effect && is_address_of_holder(ef, state, value) &&
        effect_releases(effect, ef->model, resource))
        report_and_stop(ef, state, EV_WRONG_RELEASE, call->callee->name, ef->site->name);
}

void engine_use(EngineFn *ef, State *state, SymId value, const char *callee)
{
    bool has_it = state->status == RS_LIVE && sym_at(ef->space.values, value)->has_resource;
    if (has_it) engine_settle_doubt(ef, state);
    if (state->status != RS_RELEASED || state->dead || !ef->site || state->attached != IR_NONE)
        return;
    if (ef->site->kind != SITE_ACQUIRE && ef->site->kind != SITE_ENTRY) return;
    bool is_counted = ef->site->resource && ef->site->resource->is_counted;
    if (is_counted || sym_resource_relation(ef->space.values, value) == RES_NONE) return;
    if (has_failed(ef, state)) return;
    report_and_stop(ef, state, EV_USE_AFTER_RELEASE, callee, NULL);
}

void engine_use_within(EngineFn *ef, State *state, LocId object, const char *callee)
{
    if (state->status != RS_RELEASED || !state->holders) return;
    if (engine_search_holders(ef, state, object).found)
        engine_use(ef, state, sym_resource(ef->space.values), callee);
}

void engine_forget_within(EngineFn *ef, State *state, LocId object)
{
    const Loc *info = loc_at(ef->space.values, object);
    if (info->kind == LOC_INDEX && info->index == 0) object = info->parent;
    for (;;) {
        HolderSearch search = engine_search_holders(ef, state, object);
        if (!search.found) return;
        state_havoc(&ef->space, state, search.inside, ef->point, false);
    }
}
