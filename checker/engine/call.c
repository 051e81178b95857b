// SPDX-License-Identifier: MIT
// Calls: evaluates the arguments, finds out whose rules apply (model, standard library, C library,
// user code), and stores the result.
#include "engine/ask.h"
#include "engine/doubt.h"
#include "engine/return_facts.h"
#include "engine/work.h"

IrType engine_param_type(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    if (!site->callee) return IR_NONE;
    uint32_t implicit =
        site->callee->is_method || site->callee->is_constructor || site->callee->is_destructor ? 1
                                                                                               : 0;
    if (index < implicit || index - implicit >= site->callee->params.len) return IR_NONE;
    (void)ef;
    return site->callee->params.items[index - implicit];
}

bool engine_param_is_const(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    if (site->callee && site->callee->is_method && index == 0) return site->callee->is_const_method;
    IrType type = engine_param_type(ef, site, index);
    if (type == IR_NONE) return false;
    const IrTypeInfo *info = ir_type(ef->unit, type);
    if (info->kind != IR_TY_POINTER && info->kind != IR_TY_REFERENCE) return false;
    return info->pointee != IR_NONE && ir_type(ef->unit, info->pointee)->is_const;
}

// An object that this function did not fill in itself: somebody else's, or one that a callee filled
// before.
static bool is_opaque_object(const EngineFn *ef, const State *state, LocId object)
{
    SymId whole;
    if (pmap_get(state->env, object, &whole))
        return sym_at(ef->space.values, whole)->kind == SYM_FRESH &&
               loc_at(ef->space.values, object)->is_record;
    return engine_loc_is_external(ef, object);
}

void engine_havoc_scalars(EngineFn *ef, State *state, SymId pointer)
{
    const Sym *sym = sym_at(ef->space.values, pointer);
    if (sym->kind == SYM_INT || sym->kind == SYM_FUNC || sym->kind == SYM_STRING ||
        sym->has_resource)
        return;
    LocId object = loc_pointee(ef->space.values, pointer);
    if (is_opaque_object(ef, state, object)) {
        // Its untouched parts keep the values that conditions were tested with: callees seldom
        // change those, and forgetting them would make `if (o->on) acquire; run(o); if (o->on)
        // release;` look like a leak.
        state_havoc_parts(&ef->space, state, object, ef->point);
        return;
    }
    const Loc *info = loc_at(ef->space.values, object);
    if (info->kind == LOC_INDEX && info->index == 0)
        object = info->parent; // a pointer to the first element: the array
    state_havoc(&ef->space, state, object, ef->point, true);
}

void engine_havoc_pointee(EngineFn *ef, State *state, SymId pointer)
{
    const Sym *sym = sym_at(ef->space.values, pointer);
    bool forgets =
        state->status == RS_RELEASED || (ef->site && ef->site->kind == SITE_UNINITIALIZED);
    if (forgets && sym->kind != SYM_INT && sym->kind != SYM_FUNC && sym->kind != SYM_STRING &&
        !sym->has_resource)
        engine_forget_within(ef, state,
                             loc_pointee(ef->space.values, pointer)); // the callee's business now
    if (!ef->site) engine_note_untold(ef, loc_pointee(ef->space.values, pointer));
    engine_havoc_scalars(ef, state, pointer);
}

// ---- arguments and result -----------------------------------------------------------------------

typedef struct {
    EngineFn *ef;
    const State *state;
    CallSite *site;
} CaptureWalk;

static void collect_field(void *context, LocId loc)
{
    CaptureWalk *walk = context;
    const Loc *info = loc_at(walk->ef->space.values, loc);
    SymId value;
    if (info->kind != LOC_FIELD || !ir_captured_name(info->field)) return;
    if (pmap_get(walk->state->env, loc, &value))
        vec_push(walk->ef->space.arena, &walk->site->captured, value);
}

// What closures captured that the callee gets hold of: an argument itself, or inside an object that
// it is or points to.
static void collect_captures(EngineFn *ef, State *state, CallSite *site, uint32_t index)
{
    const IrExpr *expr = ir_expr_at(ef->fn, site->call->args[index]);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    for (uint32_t i = 0; expr->kind == IR_EX_CLOSURE && i < expr->capture_count; i++)
        vec_push(ef->space.arena, &site->captured, engine_eval(ef, state, expr->captures[i].value));
    const Sym *value = sym_at(ef->space.values, site->args[index]);
    bool is_object = expr->kind == IR_EX_LOAD && expr->type != IR_NONE &&
                     ir_type(ef->unit, expr->type)->kind == IR_TY_RECORD;
    CaptureWalk walk = {.ef = ef, .state = state, .site = site};
    if (value->kind == SYM_ADDR)
        space_each_within(&ef->space, value->loc, collect_field, &walk);
    else if (is_object)
        space_each_within(&ef->space, engine_place(ef, state, expr->place), collect_field, &walk);
}

static CallSite call_site(EngineFn *ef, State *state, const IrCall *call)
{
    CallSite site = {.call = call, .result = IR_NONE, .count = call->arg_count};
    site.args = ARENA_ARRAY(ef->space.arena, SymId, call->arg_count + 1);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        site.args[i] = engine_eval(ef, state, call->args[i]);
        collect_captures(ef, state, &site, i);
    }
    // Overriders work on the object whose part the pointer leads to.
    if (call->is_virtual && site.count > 0)
        site.args[0] = sym_whole_object(ef->space.values, site.args[0]);
    if (call->callee != IR_NONE) {
        site.callee = &ef->unit->callees.items[call->callee];
    } else if (call->target != IR_NONE) {
        const Sym *target = sym_at(ef->space.values, engine_eval(ef, state, call->target));
        if (target->kind == SYM_FUNC) site.callee = &ef->unit->callees.items[target->value];
    }
    if (site.callee) {
        site.first =
            site.callee->is_method || site.callee->is_constructor || site.callee->is_destructor ? 1
                                                                                                : 0;
        site.model = engine_model_of(ef, call, site.callee);
    }
    return site;
}

SymId engine_call_result(EngineFn *ef, State *state, CallSite *site)
{
    if (site->result != IR_NONE) return site->result;
    if (bits_has(&ef->heap_points, ef->point)) return site->result = engine_fresh(ef, state, 0);
    LocId loc = engine_place(ef, state, site->call->dst);
    site->result = sym_fresh(ef->space.values, ef->point, loc);
    if (ef->space.point_in_loop) state_refresh(&ef->space, state, site->result);
    return site->result;
}

static void store_result(EngineFn *ef, State *state, CallSite *site)
{
    if (site->call->dst == IR_NONE || site->result_stored || state->dead) return;
    LocId loc = engine_place(ef, state, site->call->dst);
    SymId value = engine_call_result(ef, state, site);
    if (engine_loc_is_external(ef, loc)) engine_escape(ef, state, value);
    if (loc_at(ef->space.values, loc)->is_pointer) engine_note_overwrite(ef, state, loc);
    if (loc_at(ef->space.values, loc)->is_record) engine_note_untold(ef, loc);
    state_write(&ef->space, state, loc, value, ef->point);
    for (uint32_t i = 0; i < site->result_fields.len; i++) {
        const FieldValue *field = &site->result_fields.items[i];
        LocId place = loc_field(ef->space.values, loc, str_intern(ef->unit->strings, field->name));
        if (!sym_at(ef->space.values, state_read(&ef->space, state, place))->has_resource)
            state_write(&ef->space, state, place, field->value, ef->point);
    }
}

// Whether an exception out of this call is worth following: only where this function may catch it.
static void follow_exception(EngineFn *ef, const State *state, const CallSite *site)
{
    const IrCall *call = site->call;
    bool is_told = site->model && !engine_only_uses(site->model);
    if (call->unwind == IR_NONE || !call->in_try || is_told) return;
    if (site->callee && (site->callee->is_nothrow || site->callee->is_extern_c_like)) return;
    // A callee that throws by itself says when; others may throw whatever they are given.
    const Summary *summary = site->callee ? engine_summary_of(ef, call, site->callee) : NULL;
    if (summary && summary->returns.known && summary->returns.throws) return;
    State thrown = *state;
    thrown.thrown_at = ef->instr->loc;
    engine_work_thrown(ef, &thrown, site);
    engine_leave_by_exception(ef, &thrown, call->unwind);
}

bool engine_is_cpp_library(const CallSite *site)
{
    return site->callee && site->callee->in_system_header && !site->callee->is_extern_c_like;
}

static bool is_lambda_body(const EngineFn *ef, const IrCallee *callee)
{
    return callee->record != IR_NONE && ef->unit->records.items[callee->record].is_closure;
}

const char *engine_callee_name(const EngineFn *ef, const IrCallee *callee)
{
    if (is_lambda_body(ef, callee)) return "the lambda";
    // A deleter goes by its class.
    bool is_object = callee->record != IR_NONE && strcmp(callee->name, "operator()") == 0;
    return is_object ? ef->unit->records.items[callee->record].name : callee->name;
}

const SummaryCall *engine_calls_inside(const EngineFn *ef)
{
    if (!loc_is_valid(ef->inside) || !ef->instr->call || ef->instr->call->callee == IR_NONE)
        return NULL;
    const IrCallee *callee = &ef->unit->callees.items[ef->instr->call->callee];
    return summary_call(ef->summary_arena, callee->name, ef->instr->loc, ef->inside_calls);
}

void engine_exec_call(EngineFn *ef, State *state)
{
    CallSite site = call_site(ef, state, ef->instr->call);
    if (state->dead) return;
    engine_redirect_call(ef, state, &site);
    follow_exception(ef, state, &site);
    bool is_cpp_library = engine_is_cpp_library(&site);
    bool of_container = site.model &&
                        (!site.callee->is_method || engine_is_container_entry(site.model)) &&
                        !engine_only_uses(site.model);
    if (is_cpp_library && site.model) engine_work_refit(ef, state, &site);
    if (is_cpp_library && !of_container)
        engine_call_std(ef, state, &site);
    else if (site.model)
        engine_call_modelled(ef, state, &site);
    else if (site.callee && site.callee->in_system_header)
        engine_call_c_library(ef, state, &site);
    else
        engine_call_user(ef, state, &site);
    if (!site.model || is_cpp_library) engine_work_other_call(ef, state, &site);
    if (site.result == IR_NONE && !site.result_stored && site.callee)
        site.result = engine_answer(ef, state, &site);
    if (site.callee && site.callee->is_noreturn) state->dead = true;
    store_result(ef, state, &site);
    engine_doubt_call(ef, state, &site);
}

// Values inside an object passed by value are passed too.
static void use_argument(EngineFn *ef, State *state, IrExprId arg, SymId value, const char *callee)
{
    engine_use(ef, state, value, callee);
    const IrExpr *expr = ir_expr_at(ef->fn, arg);
    if (state->dead || expr->kind != IR_EX_LOAD || expr->type == IR_NONE) return;
    if (ir_type(ef->unit, expr->type)->kind == IR_TY_RECORD)
        engine_use_within(ef, state, engine_place(ef, state, expr->place), callee);
}

void engine_exec_launch(EngineFn *ef, State *state)
{
    const IrCall *call = ef->instr->call;
    const char *kernel =
        call->callee == IR_NONE ? "the kernel" : ef->unit->callees.items[call->callee].name;
    for (uint32_t i = 0; i < call->arg_count && !state->dead; i++) {
        SymId value = engine_eval(ef, state, call->args[i]);
        use_argument(ef, state, call->args[i], value, kernel);
        if (!state->dead) engine_havoc_pointee(ef, state, value);
    }
    if (call->stream != IR_NONE && !state->dead)
        engine_use(ef, state, engine_eval(ef, state, call->stream), kernel);
    engine_work_launch(ef, state, kernel);
}

// ---- the C library and unknown functions --------------------------------------------------------

void engine_call_c_library(EngineFn *ef, State *state, CallSite *site)
{
    // It keeps and releases nothing; memory it can write may have changed.
    for (uint32_t i = 0; i < site->count; i++)
        if (!engine_param_is_const(ef, site, i)) engine_havoc_pointee(ef, state, site->args[i]);
}

typedef struct {
    EngineFn *ef;
    State *state;
} GlobalWalk;

static void havoc_written_global(void *context, uint32_t loc, uint32_t value)
{
    GlobalWalk *walk = context;
    const Values *values = walk->ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    (void)value;
    if (root->kind != LOC_VAR || walk->ef->fn->vars.items[root->var].kind != IR_VAR_GLOBAL) return;
    if (walk->ef->fn->vars.items[root->var].is_frozen) return;
    SymId bound;
    if (!pmap_get(walk->state->env, loc, &bound)) return;
    // Like somebody else's object: what a callee or a join left there is taken to stay.
    if (sym_at(values, bound)->kind == SYM_FRESH) return;
    if (sym_at(values, bound)->has_resource && walk->state->status == RS_LIVE)
        walk->state->escaped = true;
    state_havoc(&walk->ef->space, walk->state, loc, walk->ef->point, false);
}

// The callee may write the globals that this function itself wrote.
static void havoc_globals(EngineFn *ef, State *state)
{
    if (!ef->has_globals) return;
    GlobalWalk walk = {.ef = ef, .state = state};
    pmap_each(state->env, havoc_written_global, &walk);
}

// Passing a typed pointer on after its release is a use; an untyped base pointer may be mere
// bookkeeping.
static bool passing_is_use(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    bool derived = sym_resource_relation(ef->space.values, site->args[index]) == RES_DERIVED;
    if (derived) return !site->callee || !site->callee->is_variadic;
    IrType type = engine_param_type(ef, site, index);
    if (type == IR_NONE) return false;
    const IrTypeInfo *info = ir_type(ef->unit, type);
    if (info->kind != IR_TY_POINTER || info->pointee == IR_NONE) return false;
    bool typed = ir_type(ef->unit, info->pointee)->kind != IR_TY_VOID;
    return typed && ef->site->resource && ef->site->resource->is_memory;
}

static void pass_to_user(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    SymId value = site->args[index];
    const char *name = site->callee ? site->callee->name : NULL;
    bool is_const = engine_param_is_const(ef, site, index);
    if (sym_resource_relation(ef->space.values, value) != RES_NONE) {
        if (state->status == RS_RELEASED && passing_is_use(ef, site, index))
            engine_use(ef, state, value, name);
        if (!is_const) engine_may_keep(ef, state, value);
        return;
    }
    if (is_const) return;
    engine_may_keep(ef, state, value);
    engine_havoc_pointee(ef, state, value);
}

// A reference by which the callee gets at what it may adopt, constant or not: to a pointer, or to a
// container.
static bool leads_on(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    IrType type = engine_param_type(ef, site, index);
    if (type == IR_NONE) return false;
    const IrTypeInfo *parameter = ir_type(ef->unit, type);
    if (parameter->kind != IR_TY_REFERENCE) return false;
    const IrTypeInfo *object = ir_type(ef->unit, parameter->pointee);
    if (object->kind == IR_TY_RECORD)
        return ef->unit->records.items[object->record].kind == IR_REC_STD;
    if (object->kind != IR_TY_POINTER || object->pointee == IR_NONE) return false;
    return !ir_type(ef->unit, object->pointee)->is_const;
}

// An object passed by value takes what it holds along.
static void pass_object(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    const IrExpr *expr = ir_expr_at(ef->fn, site->call->args[index]);
    if (expr->kind != IR_EX_LOAD || expr->type == IR_NONE) return;
    if (ir_type(ef->unit, expr->type)->kind != IR_TY_RECORD) return;
    engine_may_keep(ef, state, sym_addr(ef->space.values, engine_place(ef, state, expr->place)));
}

// The callee releases the argument: passing it on twice is a double release, not a use.
static bool releases_argument(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    SummaryPath path = {.root = SP_ARGUMENT, .argument = index};
    return summary_find(engine_summary_of(ef, site->call, site->callee), SE_RELEASE, &path) != NULL;
}

// Of a callee that was looked at: it may still write through its arguments.
static void pass_to_known(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    if (state->status == RS_RELEASED && passing_is_use(ef, site, index) &&
        !releases_argument(ef, site, index))
        engine_use(ef, state, site->args[index], site->callee->name);
    if (state->dead || engine_param_is_const(ef, site, index)) return;
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    if (!ef->site && summary_is_untold(summary, index))
        engine_note_untold(ef, loc_pointee(ef->space.values, site->args[index]));
    engine_havoc_scalars(ef, state, site->args[index]);
}

static bool has_summary(const EngineFn *ef, const CallSite *site)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    return summary && summary->known;
}

void engine_call_user(EngineFn *ef, State *state, CallSite *site)
{
    bool known = has_summary(ef, site);
    State before = *state;
    site->before = &before;
    if (known) {
        engine_note_callee(ef, state, site);
        engine_find_distant(ef, state, site);
    } else
        engine_keep_shared(ef, state);
    for (uint32_t i = 0; i < site->count && !state->dead; i++) {
        if (known)
            pass_to_known(ef, state, site, i);
        else
            pass_to_user(ef, state, site, i);
        if (!known) pass_object(ef, state, site, i);
        if (!known && leads_on(ef, site, i)) engine_may_keep(ef, state, site->args[i]);
    }
    for (uint32_t i = 0; i < site->captured.len && !state->dead; i++) {
        // What a lambda does to what it captured is in its summary.
        if (known && is_lambda_body(ef, site->callee)) {
            engine_havoc_scalars(ef, state, site->captured.items[i]);
            continue;
        }
        engine_share(ef, state, site->captured.items[i]);
        engine_havoc_pointee(ef, state, site->captured.items[i]);
    }
    if (!state->dead) havoc_globals(ef, state);
    if (!state->dead) engine_apply_return_facts(ef, state, &before, site);
    if (state->dead || !known || engine_apply_summary(ef, state, site)) return;
    // Nothing is known of the place where the resource lies: as for any unknown callee.
    for (uint32_t i = 0; i < site->count && !state->dead; i++) {
        pass_to_user(ef, state, site, i);
        pass_object(ef, state, site, i);
    }
}

void engine_fork(EngineFn *ef, State *state, CallSite *site)
{
    store_result(ef, state, site);
    if (!state->dead) engine_check_lost(ef, state, EV_OVERWRITE, EXIT_SCOPE);
    if (!state->dead) vec_push(ef->space.arena, &ef->forks, *state);
}
