// SPDX-License-Identifier: MIT
// Applying a callee's summary at a call: the tracked resource's fate per outcome, and acquisitions
// on our behalf.
#include "engine/doubt.h"
#include "engine/summarize.h"

// ---- from the callee's places to ours -----------------------------------------------------------

// The object passed by value as that argument; IR_NONE when the argument is no object.
static LocId argument_object(EngineFn *ef, State *state, const CallSite *site, uint32_t argument)
{
    const IrExpr *expr = ir_expr_at(ef->fn, site->call->args[argument]);
    if (expr->kind != IR_EX_LOAD || expr->type == IR_NONE) return IR_NONE;
    if (ir_type(ef->unit, expr->type)->kind != IR_TY_RECORD) return IR_NONE;
    return engine_place(ef, state, expr->place);
}

// Follows the steps from a value or from an object: which location they lead to; IR_NONE when there are none.
static LocId follow_steps(EngineFn *ef, State *state, SymId value, LocId object,
                          const SummaryPath *path)
{
    Values *values = ef->space.values;
    LocId loc = object;
    for (uint32_t i = 0; i < path->step_count; i++) {
        switch (path->steps[i].kind) {
        case SP_POINTEE:
            loc = loc_pointee(values, loc == IR_NONE ? value : state_read(&ef->space, state, loc));
            break;
        case SP_FIELD:
            if (loc == IR_NONE) return IR_NONE;
            loc = loc_field(values, loc, str_intern(ef->unit->strings, path->steps[i].field));
            break;
        case SP_ELEMENT:
            if (loc == IR_NONE) return IR_NONE;
            // An element of an element: of an array of arrays.
            loc = i > 0 && path->steps[i - 1].kind == SP_ELEMENT ? loc_any(values, loc)
                                                                 : loc_shift(values, loc, IR_NONE);
            break;
        }
    }
    return loc;
}

static IrVarId global_var(const EngineFn *ef, const char *usr)
{
    for (uint32_t v = 0; v < ef->fn->vars.len; v++) {
        const IrVar *var = &ef->fn->vars.items[v];
        if (var->kind == IR_VAR_GLOBAL && var->usr && strcmp(var->usr, usr) == 0) return v;
    }
    return IR_NONE;
}

// The location a path names at this call; IR_NONE: a value, or nothing of ours.
LocId engine_place_at_call(EngineFn *ef, State *state, const CallSite *site,
                           const SummaryPath *path)
{
    if (path->root == SP_GLOBAL) {
        IrVarId var = global_var(ef, path->global);
        if (var == IR_NONE) return IR_NONE;
        LocId loc = loc_var(ef->space.values, var);
        for (uint32_t i = 0; i < path->step_count; i++) {
            if (path->steps[i].kind != SP_FIELD) return IR_NONE;
            loc = loc_field(ef->space.values, loc,
                            str_intern(ef->unit->strings, path->steps[i].field));
        }
        return loc;
    }
    if (path->root != SP_ARGUMENT || path->argument >= site->count) return IR_NONE;
    LocId object = argument_object(ef, state, site, path->argument);
    return follow_steps(ef, state, site->args[path->argument], object, path);
}

// What the path's place holds at this call.
SymId engine_value_at_call(EngineFn *ef, State *state, const CallSite *site,
                           const SummaryPath *path)
{
    if (path->root == SP_ARGUMENT && path->step_count == 0)
        return path->argument < site->count ? site->args[path->argument] : IR_NONE;
    LocId loc = engine_place_at_call(ef, state, site, path);
    return loc == IR_NONE ? IR_NONE : state_read(&ef->space, state, loc);
}

// What the condition speaks of had this value when the function was called.
static SymId value_of_condition(EngineFn *ef, const CallSite *site,
                                const SummaryCondition *condition)
{
    if (condition->place) return engine_value_at_call(ef, site->before, site, condition->place);
    return condition->argument < site->count ? site->args[condition->argument] : IR_NONE;
}

// The values that this call is given allow the effect; narrows the arguments to those that do. The
// function may have changed a member since: what that was says nothing of what it is.
bool engine_allow_effect(EngineFn *ef, State *state, const CallSite *site,
                         const SummaryEffect *effect)
{
    for (uint32_t i = 0; i < effect->condition_count; i++) {
        const SummaryCondition *condition = &effect->conditions[i];
        if (condition->is_after) continue;
        SymId value = value_of_condition(ef, site, condition);
        State trial = *state;
        State *narrowed = condition->place ? &trial : state;
        if (value != IR_NONE && !state_narrow(&ef->space, narrowed, value, condition->range))
            return false;
    }
    return true;
}

// ---- outcomes -----------------------------------------------------------------------------------

// The call's result must be of one of the outcomes; false when it cannot be.
bool engine_restrict_result(EngineFn *ef, State *state, CallSite *site, uint32_t outcomes)
{
    outcomes &= OUTCOME_RETURNED;
    if (outcomes == OUTCOME_RETURNED || site->call->dst == IR_NONE) return outcomes != 0;
    if (outcomes == 0) return false;
    if (site->result == IR_NONE) site->result = engine_fresh(ef, state, 0);
    Range known = state_range(&ef->space, state, site->result);
    Range wanted = outcomes == OUTCOME_ZERO ? range_point(0) : range_exclude(&known, 0);
    return state_restrict(&ef->space, state, site->result, wanted);
}

void engine_remark_effect(EngineFn *ef, State *state, const CallSite *site,
                          const SummaryEffect *effect, const char *text)
{
    state_remark(
        &ef->space, state, ef->instr->loc,
        arena_printf(ef->space.arena, "calling '%s'", engine_callee_name(ef, site->callee)));
    for (const SummaryCall *call = effect->calls; call; call = call->next)
        state_remark_inside(&ef->space, state, call->loc,
                            arena_printf(ef->space.arena, "calling '%s'", call->callee));
    state_remark_inside(&ef->space, state, effect->loc, text);
}

// The callee does nothing to the place, for it does nothing to the pointers that lead there either:
// it was looked at with each of its arguments in mind.
static bool is_left_alone(const Summary *summary, SummaryPath path)
{
    for (uint32_t i = 0; i < path.step_count; i++)
        if (path.steps[i].kind == SP_ELEMENT) return false; // a loop has no name for each element
    for (;;) {
        const SummaryEffect *unsure = summary_find(summary, SE_MAY_KEEP, &path);
        bool touched = summary_find(summary, SE_RELEASE, &path) ||
                       summary_find(summary, SE_KEEP, &path) || (unsure && unsure->may);
        if (touched) return false;
        if (path.step_count == 0) return unsure != NULL;
        path.step_count--;
    }
}

// ---- where the resource is, as the callee would name it -----------------------------------------

typedef struct {
    EngineFn *ef;
    State *state;
    const CallSite *site;
    const Summary *summary;
    SummaryPath path; // the place that the callee does most to
    int weight;       // 0: none
    LocId changed;    // a place that points into the resource, or did
} Locate;

// How much the callee's summary says of the place: the same resource may lie in several.
static int weight_of(const Summary *summary, const SummaryPath *path)
{
    Fates fates = engine_fates_of(summary, path);
    if (fates.of[FATE_RELEASED]) return 4;
    if (!fates.mark) return is_left_alone(summary, *path) ? 1 : 3;
    return 2;
}

static void propose(Locate *locate, const SummaryPath *path)
{
    int weight = weight_of(locate->summary, path);
    if (weight <= locate->weight) return;
    locate->path = *path;
    locate->weight = weight;
}

// `holder` as steps from `object`, appended to the path.
static bool append_steps(const Values *values, LocId holder, LocId object, SummaryPath *path)
{
    if (holder == object) return true;
    const Loc *info = loc_at(values, holder);
    if (info->parent == IR_NONE || !append_steps(values, info->parent, object, path)) return false;
    if (info->kind == LOC_FIELD) return summary_path_push(path, SP_FIELD, info->field);
    return summary_path_push(path, SP_ELEMENT, NULL);
}

// How the argument leads to the place, if it does.
static bool path_by(EngineFn *ef, State *state, const CallSite *site, uint32_t argument,
                    LocId place, SummaryPath *path)
{
    const Values *values = ef->space.values;
    LocId whole = argument_object(ef, state, site, argument);
    *path = (SummaryPath){.root = SP_ARGUMENT, .argument = argument};
    if (whole != IR_NONE && append_steps(values, place, whole, path)) return true;
    const Sym *sym = sym_at(values, site->args[argument]);
    if (sym->kind == SYM_INT || sym->kind == SYM_FUNC || sym->has_resource) return false;
    LocId object = loc_pointee(ef->space.values, site->args[argument]);
    *path = (SummaryPath){.root = SP_ARGUMENT, .argument = argument};
    summary_path_push(path, SP_POINTEE, NULL);
    bool element = !loc_is_within(values, place, object) &&
                   loc_at(values, object)->kind == LOC_INDEX &&
                   loc_is_within(values, place, loc_at(values, object)->parent);
    if (element) object = loc_at(values, object)->parent;
    return append_steps(values, place, object, path);
}

// Several arguments may lead there, as in `drop(&ctx, &ctx.buffer)`: what the callee does by any counts.
static void locate_holder(void *context, uint32_t holder, uint32_t relation)
{
    Locate *locate = context;
    SummaryPath path;
    for (uint32_t i = 0; relation == RES_EXACT && i < locate->site->count; i++)
        if (path_by(locate->ef, locate->state, locate->site, i, holder, &path))
            propose(locate, &path);
}

// A place that points into the resource, and that the callee may give another value.
static void find_changed(void *context, uint32_t holder, uint32_t relation)
{
    Locate *locate = context;
    SummaryPath path;
    for (uint32_t i = 0; relation == RES_DERIVED && i < locate->site->count; i++) {
        if (!path_by(locate->ef, locate->state, locate->site, i, holder, &path)) continue;
        Fates fates = engine_fates_of(locate->summary, &path);
        // Moved again, perhaps back to the start.
        bool stays = fates.mark ? !fates.of[FATE_LOST] && !fates.of[FATE_UNSURE] && !fates.shift
                                : is_left_alone(locate->summary, path);
        if (!stays) locate->changed = holder;
    }
}

static void forget_changed(EngineFn *ef, State *state, const CallSite *site, const Summary *summary)
{
    for (;;) {
        Locate locate = {
            .ef = ef, .state = state, .site = site, .summary = summary, .changed = IR_NONE};
        pmap_each(state->holders, find_changed, &locate);
        LocId place = locate.changed;
        if (place == IR_NONE) return;
        state_drop_holder(&ef->space, state, place);
        if (!loc_at(ef->space.values, place)->is_family)
            state_write(&ef->space, state, place, sym_fresh(ef->space.values, ef->point, place),
                        ef->point);
    }
}

static bool locate_resource(EngineFn *ef, State *state, const CallSite *site,
                            const Summary *summary, SummaryPath *path)
{
    Locate locate = {.ef = ef, .state = state, .site = site, .summary = summary};
    for (uint32_t i = 0; i < site->count; i++) {
        if (sym_resource_relation(ef->space.values, site->args[i]) != RES_EXACT) continue;
        SummaryPath argument = {.root = SP_ARGUMENT, .argument = i};
        propose(&locate, &argument);
    }
    pmap_each(state->holders, locate_holder, &locate);
    *path = locate.path;
    return locate.weight > 0;
}

// What the callee does through globals, through pointers inside what it is given, and to an element by
// its number where some element holds the resource.
static bool find_distant(EngineFn *ef, State *state, CallSite *site, SummaryEffectKind kind)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    for (uint32_t i = 0; i < summary->effects.len && state->holders; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != kind || effect->may == 0) continue;
        LocId place = engine_place_at_call(ef, state, site, &effect->path);
        if (place == IR_NONE) continue;
        uint32_t relation;
        bool is_distant = effect->path.root == SP_GLOBAL || effect->path.step_count > 2 ||
                          !pmap_get(state->holders, place, &relation);
        SymId value = state_read(&ef->space, state, place);
        if (!is_distant || sym_resource_relation(ef->space.values, value) != RES_EXACT) continue;
        site->distant = effect;
        site->distant_place = place;
        return true;
    }
    return false;
}

void engine_find_distant(EngineFn *ef, State *state, CallSite *site)
{
    if (!find_distant(ef, state, site, SE_RELEASE)) (void)find_distant(ef, state, site, SE_LOSE);
}

// ---- acquisitions -------------------------------------------------------------------------------

static bool starts_here(const EngineFn *ef, const SummaryEffect *effect)
{
    return ef->site && !ef->site_started && ef->site->point == ef->point &&
           ef->site->acquires == effect;
}

// The place the callee fills; IR_NONE for the result itself.
static LocId acquired_place(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *effect)
{
    if (effect->path.root != SP_RESULT) return engine_place_at_call(ef, state, site, &effect->path);
    if (effect->path.step_count == 0) return IR_NONE;
    if (effect->path.steps[0].kind == SP_FIELD)
        return site->call->dst == IR_NONE
                   ? IR_NONE
                   : follow_steps(ef, state, IR_NONE, engine_place(ef, state, site->call->dst),
                                  &effect->path);
    if (site->result == IR_NONE) site->result = engine_fresh(ef, state, 0);
    return follow_steps(ef, state, site->result, IR_NONE, &effect->path);
}

// Stores the resource in every place that the callee puts it into.
static void fill_places(EngineFn *ef, State *state, CallSite *site, const Summary *summary,
                        const SummaryEffect *effect)
{
    SymId resource = sym_resource(ef->space.values);
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *other = &summary->effects.items[i];
        if (other->kind != SE_ACQUIRE || other->group != effect->group ||
            (other->may & effect->may) == 0)
            continue;
        LocId place = acquired_place(ef, state, site, other);
        if (other->path.root == SP_RESULT && other->path.step_count == 0)
            site->result = resource;
        else if (place != IR_NONE)
            state_write(&ef->space, state, place, resource, ef->point);
    }
}

// It speaks of a field of the object that is returned.
static bool is_of_object(const SummaryCondition *condition)
{
    return condition->is_after && condition->place->root == SP_RESULT &&
           condition->place->step_count > 0;
}

// The number that is returned is one of those that the callee returns when it has acquired.
static bool narrow_result(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *effect)
{
    for (uint32_t i = 0; i < effect->condition_count; i++) {
        const SummaryCondition *condition = &effect->conditions[i];
        bool is_number = condition->is_after && condition->place->root == SP_RESULT &&
                         condition->place->step_count == 0;
        if (!is_number || site->call->dst == IR_NONE) continue;
        if (site->result == IR_NONE) site->result = engine_fresh(ef, state, 0);
        if (!state_narrow(&ef->space, state, site->result, condition->range)) return false;
    }
    return true;
}

// The call returns an object with the resource inside, whose other fields hold what the effect says;
// false when that cannot be.
static bool make_object(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *effect)
{
    bool is_object = effect->path.root == SP_RESULT && effect->path.step_count > 0 &&
                     effect->path.steps[0].kind == SP_FIELD;
    for (uint32_t i = 0; i < effect->condition_count; i++)
        is_object |= is_of_object(&effect->conditions[i]);
    if (!is_object || site->call->dst == IR_NONE) return true;
    LocId object = engine_place(ef, state, site->call->dst);
    state_write(&ef->space, state, object, sym_fresh(ef->space.values, ef->point, object),
                ef->point);
    site->result_stored = true;
    for (uint32_t i = 0; i < effect->condition_count; i++) {
        const SummaryCondition *condition = &effect->conditions[i];
        if (!is_of_object(condition)) continue;
        LocId field = follow_steps(ef, state, IR_NONE, object, condition->place);
        SymId value = state_read(&ef->space, state, field);
        if (!state_narrow(&ef->space, state, value, condition->range)) return false;
    }
    return true;
}

// What the callee left in globals and in our objects when it acquired: an error code that says so.
static void leave_numbers(EngineFn *ef, State *state, const CallSite *site,
                          const SummaryEffect *effect)
{
    for (uint32_t i = 0; i < effect->condition_count; i++) {
        const SummaryCondition *condition = &effect->conditions[i];
        if (!condition->is_after || condition->place->root == SP_RESULT) continue;
        LocId place = engine_place_at_call(ef, state, site, condition->place);
        if (place == IR_NONE || loc_is_one_of_many(ef->space.values, place)) continue;
        int64_t number;
        SymId value = range_is_point(&condition->range, &number)
                          ? sym_int(ef->space.values, number)
                          : sym_fresh(ef->space.values, ef->point, place);
        state_write(&ef->space, state, place, value, ef->point);
        (void)state_restrict(&ef->space, state, value, condition->range);
    }
}

// The resource lies in a new object that the callee hands over: ours from then on.
static void take_object(EngineFn *ef, State *state, const CallSite *site,
                        const SummaryEffect *effect)
{
    SummaryPath path = effect->path;
    if (!effect->in_new || path.argument >= SLOT_GIVEN_END - SLOT_GIVEN) return;
    path.step_count = 1; // of `*out`
    LocId place = engine_place_at_call(ef, state, site, &path);
    if (place == IR_NONE) return;
    SymId object = engine_fresh(ef, state, SLOT_GIVEN + path.argument);
    state_write(&ef->space, state, place, object, ef->point);
    Range known = state_range(&ef->space, state, object);
    (void)state_restrict(&ef->space, state, object, range_exclude(&known, 0));
}

static void start(EngineFn *ef, State *state, CallSite *site, const Summary *summary,
                  const SummaryEffect *effect)
{
    if (!engine_allow_effect(ef, state, site, effect) ||
        !engine_restrict_result(ef, state, site, effect->may) ||
        !narrow_result(ef, state, site, effect) || !make_object(ef, state, site, effect)) {
        state->dead = true;
        return;
    }
    leave_numbers(ef, state, site, effect);
    take_object(ef, state, site, effect);
    fill_places(ef, state, site, summary, effect);
    ef->site_started = true;
    state->status = RS_LIVE;
    if (effect->is_mute) engine_doubt_result(ef);
    engine_remark_effect(ef, state, site, effect,
                         arena_printf(ef->space.arena, "acquired here by '%s'", effect->api));
    if (effect->path.root == SP_RESULT)
        state_remark(&ef->space, state, ef->instr->loc,
                     arena_printf(ef->space.arena, "returned by '%s'", site->callee->name));
}

// An object of ours on the heap that the callee links into something of its own: memory of the
// callee's, which nobody else has a name for, holds its address from then on.
static void link_object(EngineFn *ef, State *state, const CallSite *site, SymId pointer)
{
    Values *values = ef->space.values;
    IrCalleeId callee = (IrCalleeId)(site->callee - ef->unit->callees.items);
    LocId own = loc_mem(values, sym_func(values, callee));
    state_write(&ef->space, state, loc_index(values, own, ef->point), pointer, ef->point);
}

// Addresses of our variables and objects that the callee stores somewhere: from then on others reach
// them.
static void share_addresses(EngineFn *ef, State *state, const CallSite *site,
                            const Summary *summary)
{
    for (uint32_t i = 0; i < site->count; i++) {
        SummaryPath path = {.root = SP_ARGUMENT, .argument = i};
        const SummaryEffect *keeps = summary_find(summary, SE_KEEP, &path);
        const Sym *value = sym_at(ef->space.values, site->args[i]);
        if (!keeps || !keeps->may) continue;
        if (value->kind == SYM_ADDR) engine_share(ef, state, site->args[i]);
        if (engine_is_own_heap(ef, value)) link_object(ef, state, site, site->args[i]);
    }
}

void engine_note_callee(EngineFn *ef, State *state, const CallSite *site)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    for (uint32_t i = 0; i < summary->effects.len && !ef->site; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        bool is_fate = effect->kind != SE_ACQUIRE && effect->kind != SE_USE &&
                       effect->kind != SE_LEAVE && effect->kind != SE_REFIT && effect->may != 0;
        if (!is_fate) continue;
        SymId value = engine_value_at_call(ef, state, site, &effect->path);
        bool stays = !effect->null_after && !effect->renewed_after;
        if (effect->kind == SE_MAY_KEEP)
            engine_note_handed_on(ef, value);
        else if (effect->kind == SE_RETURN && stays)
            engine_note_returned(ef, value);
        else
            engine_note_entry(ef, value);
    }
}

// Whether the callee leaves a place as it is, without a value or with one that was released, shows only
// where its summary tells of all that it writes there: of pointers, and never by other means.
static bool tells_of_writes(const EngineFn *ef, const State *state, const Summary *summary,
                            const SummaryPath *path)
{
    bool is_unset = ef->site->kind == SITE_UNINITIALIZED;
    if (!is_unset && state->status != RS_RELEASED) return true;
    if (is_unset && !loc_at(ef->space.values, ef->site->unset)->is_pointer) return false;
    return path->root == SP_ARGUMENT ? !summary_is_untold(summary, path->argument) : !is_unset;
}

// The callee releases another member of the object that the path's member belongs to.
static bool releases_sibling(const Summary *summary, const SummaryPath *path)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind == SE_RELEASE && effect->path.root == SP_ARGUMENT &&
            effect->path.argument == path->argument && effect->path.step_count == 2 &&
            effect->path.steps[1].kind == SP_FIELD)
            return true;
    }
    return false;
}

// The callee takes an object apart: it releases members of it, and the memory that it lies in. What a
// member holds that it forgets ends with that memory.
static bool end_with_object(EngineFn *ef, State *state, const CallSite *site,
                            const Summary *summary, const SummaryPath *path)
{
    bool is_member = path->root == SP_ARGUMENT && path->step_count == 2 &&
                     path->steps[0].kind == SP_POINTEE && path->steps[1].kind == SP_FIELD;
    if (!is_member || ef->site->kind != SITE_ACQUIRE || state->status != RS_LIVE) return false;
    SummaryPath owner = {.root = SP_ARGUMENT, .argument = path->argument};
    const SummaryEffect *release = summary_find(summary, SE_RELEASE, &owner);
    bool ends = release && release->condition_count == 0 && release->must == summary->outcomes;
    SymId object = sym_whole_object(ef->space.values, site->args[path->argument]);
    const Sym *sym = sym_at(ef->space.values, object);
    if (!ends || !releases_sibling(summary, path) || sym->kind == SYM_ADDR || sym->has_resource)
        return false;
    ef->memory_ended_by = engine_callee_name(ef, site->callee);
    state_kill(&ef->space, state, loc_mem(ef->space.values, object));
    return true;
}

bool engine_apply_summary(EngineFn *ef, State *state, CallSite *site)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    if (!summary || !summary->known) return false;
    share_addresses(ef, state, site, summary);
    for (uint32_t i = 0; i < summary->effects.len && !state->dead; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != SE_ACQUIRE || !starts_here(ef, effect)) continue;
        start(ef, state, site, summary, effect);
        return true;
    }
    if (state->status == RS_NONE || state->dead || !state->holders) return true;
    forget_changed(ef, state, site, summary);
    SummaryPath path;
    const SummaryEffect *distant = site->distant;
    bool located = distant != NULL || locate_resource(ef, state, site, summary, &path);
    if (distant) path = distant->path;
    if (!located) return true;
    Fates fates = engine_fates_of(summary, &path);
    bool is_told = ef->site->kind != SITE_UNINITIALIZED && fates.mark;
    if (!is_told && !tells_of_writes(ef, state, summary, &path)) return false;
    if (!fates.mark)
        return end_with_object(ef, state, site, summary, &path) || is_left_alone(summary, path);
    engine_meet_fates(ef, state, site, &fates, summary->outcomes);
    return true;
}
