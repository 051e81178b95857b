// SPDX-License-Identifier: MIT
// Launches: of kernels with their arguments written out, and by calls that are given the kernel's
// address and its arguments, or where they lie.
#include "engine/work.h"

#define MAX_KERNEL_ARGUMENTS 64

// One argument of a kernel.
typedef struct {
    SymId value;
    LocId object;   // by value: the object whose members go along; else IR_NONE
    bool is_object; // by value, of a class
    bool is_named;  // a variable's value: it stands for all of the memory
    IrExprId expr;  // as it is written; IR_NONE: elsewhere
} Argument;

typedef struct {
    const IrCallee *kernel; // NULL: not known
    const char *by;
    Handle stream;
    Argument arguments[MAX_KERNEL_ARGUMENTS];
    uint32_t count;
} Launch;

// ---- where tracking begins ----------------------------------------------------------------------

// Found by the search for facts: where tracking the variable's memory begins.
static void note_buffer(EngineFn *ef, SymId value)
{
    const Values *values = ef->space.values;
    LocId buffer = engine_buffer_of(ef, value);
    if (buffer == IR_NONE) return;
    const Loc *root = loc_at(values, loc_at(values, buffer)->root);
    bool is_own = root->kind == LOC_VAR && (ef->fn->vars.items[root->var].kind == IR_VAR_LOCAL ||
                                            ef->fn->vars.items[root->var].is_managed);
    if (!is_own) {
        engine_note_container(ef, buffer);
        return;
    }
    for (uint32_t i = 0; i < ef->buffer_uses.len; i++)
        if (ef->buffer_uses.items[i].point == ef->point &&
            ef->buffer_uses.items[i].buffer == buffer)
            return;
    BufferUse use = {
        .block = ef->block, .point = ef->point, .buffer = buffer, .loc = ef->instr->loc};
    vec_push(ef->arena, &ef->buffer_uses, use);
}

void engine_note_work_use(EngineFn *ef, SymId value)
{
    if (ef->site) return;
    note_buffer(ef, value);
    const Sym *sym = sym_at(ef->space.values, value);
    bool is_callers = sym->kind == SYM_INITIAL && loc_at(ef->space.values, sym->loc)->is_pointer;
    if (is_callers) engine_note_entry(ef, value);
}

void engine_start_buffer(EngineFn *ef, State *state)
{
    bool starts = ef->site && ef->site->kind == SITE_BUFFER && !ef->site_started &&
                  ef->site->point == ef->point;
    if (!starts) return;
    ef->site_started = true;
    state->status = RS_LIVE;
}

// ---- what the kernel does -----------------------------------------------------------------------

// What a kernel does with what its parameter points to, or what the parameter's pointers do.
static uint32_t parameter_access(const EngineFn *ef, const IrCallee *kernel, uint32_t index)
{
    if (!kernel) return WORK_UNSURE;
    const IrTypeInfo *type =
        index < kernel->params.len ? ir_type(ef->unit, kernel->params.items[index]) : NULL;
    bool is_pointer = type && type->kind == IR_TY_POINTER && type->pointee != IR_NONE;
    if (is_pointer && ir_type(ef->unit, type->pointee)->is_const) return WORK_READS;
    uint64_t bit = index < 64 ? UINT64_C(1) << index : 0;
    if (kernel->kernel_writes & bit) return WORK_WRITES;
    return kernel->kernel_reads & bit ? WORK_READS : WORK_UNSURE;
}

// It may be that no thread touches what the parameter leads to.
static bool is_idle(const IrCallee *kernel, uint32_t index)
{
    return kernel && index < 64 && (kernel->kernel_idle & UINT64_C(1) << index) != 0;
}

// The argument is the resource, or an object that holds it.
static ResourceRelation argument_relation(EngineFn *ef, const State *state,
                                          const Argument *argument)
{
    ResourceRelation relation = engine_work_relation(ef, argument->value);
    if (relation != RES_NONE || argument->object == IR_NONE || !state->holders) return relation;
    HolderSearch search = engine_search_holders(ef, state, argument->object);
    uint32_t held;
    if (!search.found) return RES_NONE;
    return pmap_get(state->holders, search.inside, &held) ? (ResourceRelation)held : RES_DERIVED;
}

// A lambda is written as the argument: the variables that it captured by value go along.
static const IrExpr *closure_of(const EngineFn *ef, const Argument *argument)
{
    if (argument->expr == IR_NONE) return NULL;
    const IrExpr *expr = ir_without_casts(ef->fn, argument->expr);
    return expr->kind == IR_EX_CLOSURE ? expr : NULL;
}

// What the lambda's body does with what the captured variable points to.
static uint32_t captured_access(const EngineFn *ef, IrCalleeId body, const char *field)
{
    const Summary *summary = ef->summaries[body];
    for (uint32_t i = 0; summary && summary->known && i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        const SummaryPath *path = &effect->path;
        bool is_it = effect->kind == SE_USE && path->root == SP_ARGUMENT && path->argument == 0 &&
                     path->step_count == 2 && path->steps[1].kind == SP_FIELD &&
                     strcmp(path->steps[1].field, field) == 0;
        if (is_it) return effect->work.access;
    }
    return WORK_UNSURE;
}

static void add_access(Work *work, uint32_t access)
{
    bool writes = work->access == WORK_WRITES || access == WORK_WRITES;
    work->access = writes ? WORK_WRITES : work->access | access;
}

static void take_captured(EngineFn *ef, State *state, const IrExpr *closure, Work *work)
{
    for (uint32_t i = 0; i < closure->capture_count; i++) {
        const IrCapture *capture = &closure->captures[i];
        ResourceRelation relation =
            engine_work_relation(ef, engine_eval(ef, state, capture->value));
        if (relation == RES_NONE) continue;
        add_access(work, captured_access(ef, closure->callee, capture->field));
        work->is_whole |= relation == RES_EXACT;
    }
}

// The object that holds the resource is a lambda, of which it is known what its body does.
static uint32_t object_access(EngineFn *ef, const State *state, const Argument *argument,
                              uint32_t access)
{
    if (argument->object == IR_NONE || !state->holders) return access;
    HolderSearch search = engine_search_holders(ef, state, argument->object);
    const char *called = str_intern(ef->unit->strings, ENGINE_CALLED);
    SymId body;
    bool is_closure =
        search.found && loc_at(ef->space.values, search.inside)->kind == LOC_FIELD &&
        pmap_get(state->env, loc_field(ef->space.values, argument->object, called), &body) &&
        sym_at(ef->space.values, body)->kind == SYM_FUNC;
    if (!is_closure) return access;
    return captured_access(ef, (IrCalleeId)sym_at(ef->space.values, body)->value,
                           loc_at(ef->space.values, search.inside)->field);
}

// In a search for facts: what the argument gives to work.
static void note_argument(EngineFn *ef, State *state, const Argument *argument)
{
    const IrExpr *closure = closure_of(ef, argument);
    for (uint32_t i = 0; closure && i < closure->capture_count; i++)
        engine_note_work_use(ef, engine_eval(ef, state, closure->captures[i].value));
    engine_note_work_use(ef, argument->value);
}

static void take_argument(EngineFn *ef, State *state, const Launch *launch, uint32_t index,
                          Work *work)
{
    const Argument *argument = &launch->arguments[index];
    const IrExpr *closure = closure_of(ef, argument);
    if (closure) take_captured(ef, state, closure, work);
    ResourceRelation relation = argument_relation(ef, state, argument);
    if (relation == RES_NONE || is_idle(launch->kernel, index)) return;
    uint32_t access = parameter_access(ef, launch->kernel, index);
    add_access(work, object_access(ef, state, argument, access));
    work->is_whole |= relation == RES_EXACT && argument->is_named;
    if (argument->expr != IR_NONE) engine_note_element(ef, state, argument->expr, work);
}

// `site` is the call that says by its status whether it launched; NULL: nothing says so.
static void launch(EngineFn *ef, State *state, const Launch *launch, CallSite *site)
{
    for (uint32_t i = 0; i < launch->count && !ef->site; i++)
        note_argument(ef, state, &launch->arguments[i]);
    engine_start_buffer(ef, state);
    bool records = state->capturing && ef->site && ef->site_started;
    if (!(records || engine_watches_work(ef, state)) || engine_is_mere_handle(ef)) return;
    Work work = {.kind = WORK_KERNEL};
    for (uint32_t i = 0; i < launch->count; i++) take_argument(ef, state, launch, i, &work);
    if (records) {
        engine_record_work(ef, state, work);
        return;
    }
    if (site && work.access) engine_tie_to_status(ef, state, site, &work);
    engine_queue_work(ef, state, work, launch->stream, launch->by);
}

// ---- launches in the source ---------------------------------------------------------------------

static Argument written_argument(EngineFn *ef, State *state, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    Argument argument = {.value = engine_eval(ef, state, id),
                         .object = IR_NONE,
                         .is_named = engine_names_place(ef, id),
                         .expr = id};
    argument.is_object = expr->kind == IR_EX_LOAD && expr->type != IR_NONE &&
                         ir_type(ef->unit, expr->type)->kind == IR_TY_RECORD;
    if (argument.is_object) argument.object = engine_place(ef, state, expr->place);
    return argument;
}

// The argument lies at the location.
static Argument argument_at(EngineFn *ef, const State *state, LocId loc)
{
    return (Argument){.value = state_read(&ef->space, state, loc),
                      .object = loc,
                      .is_named = true,
                      .expr = IR_NONE};
}

void engine_work_launch(EngineFn *ef, State *state, const char *kernel)
{
    const IrCall *call = ef->instr->call;
    Launch it = {.by = kernel};
    if (call->callee != IR_NONE) it.kernel = &ef->unit->callees.items[call->callee];
    it.stream = call->stream == IR_NONE
                    ? engine_default_stream(ef, 0)
                    : engine_stream_of_value(ef, engine_eval(ef, state, call->stream));
    for (uint32_t i = 0; i < call->arg_count && i < MAX_KERNEL_ARGUMENTS; i++)
        it.arguments[it.count++] = written_argument(ef, state, call->args[i]);
    launch(ef, state, &it, NULL);
}

// ---- launches by calls --------------------------------------------------------------------------

// The array holds the addresses of the arguments.
static void add_listed(EngineFn *ef, State *state, Launch *launch, SymId array)
{
    Values *values = ef->space.values;
    uint32_t count = launch->kernel ? launch->kernel->params.len : MAX_KERNEL_ARGUMENTS;
    for (uint32_t i = 0; i < count && i < MAX_KERNEL_ARGUMENTS; i++) {
        LocId slot = loc_shift(values, loc_pointee(values, array), sym_int(values, i));
        const Sym *address = sym_at(values, state_read(&ef->space, state, slot));
        if (address->kind != SYM_ADDR) return;
        launch->arguments[launch->count++] = argument_at(ef, state, address->loc);
    }
}

// Arguments that the call takes by value, or by reference.
static void add_written(EngineFn *ef, State *state, Launch *launch, const CallSite *site,
                        uint32_t first)
{
    for (uint32_t i = first; i < site->count && launch->count < MAX_KERNEL_ARGUMENTS; i++) {
        IrType type = engine_param_type(ef, site, i);
        const Sym *address = sym_at(ef->space.values, site->args[i]);
        bool by_reference = type != IR_NONE && address->kind == SYM_ADDR &&
                            ir_type(ef->unit, type)->kind == IR_TY_REFERENCE;
        launch->arguments[launch->count++] = by_reference
                                                 ? argument_at(ef, state, address->loc)
                                                 : written_argument(ef, state, site->call->args[i]);
    }
}

void engine_work_launch_call(EngineFn *ef, State *state, CallSite *site)
{
    const ModelFunction *model = site->model;
    Launch it = {.by = model->name, .stream = engine_stream_of(ef, state, site)};
    uint32_t kernel = site->first + (uint32_t)model->kernel_arg - 1,
             first = site->first + (uint32_t)model->kernel_values_arg - 1,
             array = site->first + (uint32_t)model->kernel_array_arg - 1;
    if (kernel < site->count) {
        const Sym *sym = sym_at(ef->space.values, site->args[kernel]);
        if (sym->kind == SYM_FUNC) {
            it.kernel = &ef->unit->callees.items[sym->value];
            it.by = it.kernel->name;
        }
    }
    if (model->kernel_values_arg > 0)
        add_written(ef, state, &it, site, first);
    else if (array < site->count)
        add_listed(ef, state, &it, site->args[array]);
    launch(ef, state, &it, site);
}
