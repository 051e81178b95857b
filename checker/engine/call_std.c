// SPDX-License-Identifier: MIT
// Methods and functions of C++ system headers. A container holds whatever is put in as its elements
// ("obj[...]"), whatever comes out of it may be one of them, and an iterator stands for its
// container: that covers every container with no list of methods.
#include "engine/search.h"

#include <stdio.h>

// Classes with a modelled size() are containers.
static bool is_container(const EngineFn *ef, const IrCallee *callee)
{
    char name[256];
    const char *colons = NULL;
    for (const char *at = strstr(callee->qualified, "::"); at; at = strstr(at + 2, "::"))
        colons = at;
    if (!colons) return false;
    int written = snprintf(name, sizeof name, "%.*s::size", (int)(colons - callee->qualified),
                           callee->qualified);
    return written > 0 && (size_t)written < sizeof name && model_find(ef->model, name, 0) != NULL;
}

static LocId container_field(EngineFn *ef, LocId object, const char *field)
{
    return loc_field(ef->space.values, object, str_intern(ef->unit->strings, field));
}

// What the object stands for: an iterator for its container.
static LocId target_of(EngineFn *ef, const State *state, LocId object)
{
    const Sym *sym =
        sym_at(ef->space.values, state_read(&ef->space, state, container_field(ef, object, "#of")));
    return sym->kind == SYM_ADDR ? sym->loc : object;
}

void engine_container_size(EngineFn *ef, State *state, LocId container, LocId size)
{
    Values *values = ef->space.values;
    SymId element = state_read(&ef->space, state, loc_any(values, container));
    if (!sym_at(values, element)->has_resource) return;
    (void)state_restrict(&ef->space, state, state_read(&ef->space, state, size),
                         range_between(1, INT64_MAX));
}

typedef struct {
    EngineFn *ef;
    LocId within;
    LocId found;
} HolderWithin;

static void holder_within(void *context, uint32_t loc, uint32_t relation)
{
    HolderWithin *search = context;
    (void)relation;
    if (loc_is_within(search->ef->space.values, loc, search->within)) search->found = loc;
}

// The argument is the resource, or refers to something that holds it; then that value, else
// IR_NONE.
static SymId resource_in(EngineFn *ef, const State *state, SymId value)
{
    Values *values = ef->space.values;
    if (sym_resource_relation(values, value) != RES_NONE) return value;
    const Sym *sym = sym_at(values, value);
    if (sym->kind != SYM_ADDR || !state->holders) return IR_NONE;
    HolderWithin search = {.ef = ef, .within = target_of(ef, state, sym->loc), .found = IR_NONE};
    pmap_each(state->holders, holder_within, &search);
    return search.found == IR_NONE ? IR_NONE : state_read(&ef->space, state, search.found);
}

static void put_into(EngineFn *ef, State *state, LocId container, SymId value)
{
    LocId size = container_field(ef, container, "#size");
    state_write(&ef->space, state, loc_any(ef->space.values, container), value, ef->point);
    state_havoc(&ef->space, state, size, ef->point, true);
    engine_container_size(ef, state, container, size);
}

static void result_of_method(EngineFn *ef, State *state, CallSite *site, LocId target)
{
    Values *values = ef->space.values;
    IrType type = site->callee->result;
    if (type == IR_NONE || site->call->dst == IR_NONE) return;
    IrTypeKind kind = ir_type(ef->unit, type)->kind;
    if (kind == IR_TY_REFERENCE || kind == IR_TY_POINTER) {
        site->result = sym_addr(values, loc_any(values, target));
    } else if (kind == IR_TY_RECORD) {
        LocId dst = engine_place(ef, state, site->call->dst);
        state_write(&ef->space, state, dst, sym_fresh(values, ef->point, dst), ef->point);
        state_write(&ef->space, state, container_field(ef, dst, "#of"), sym_addr(values, target),
                    ef->point);
        site->result = IR_NONE;
        site->result_stored = true;
    }
}

static void call_on_object(EngineFn *ef, State *state, CallSite *site)
{
    LocId object = loc_pointee(ef->space.values, site->args[0]);
    LocId target = target_of(ef, state, object);
    bool container = is_container(ef, site->callee) || target != object;
    if (container) loc_set_container(ef->space.values, target);
    bool changes = !site->callee->is_const_method;
    if (changes && !container) engine_note_untold(ef, object);
    for (uint32_t i = 1; i < site->count && !state->dead; i++) {
        SymId value = resource_in(ef, state, site->args[i]);
        if (value == IR_NONE) {
            engine_may_keep(ef, state, site->args[i]); // by way of a closure, say
            continue;
        }
        if (!container) {
            engine_escape(ef, state, value);
        } else if (changes && state->status == RS_LIVE) {
            put_into(ef, state, target, value);
        }
    }
    if (changes && container && target == object && !site->callee->is_destructor)
        state_havoc(&ef->space, state, container_field(ef, object, "#size"), ef->point, true);
    if (container) result_of_method(ef, state, site, target);
}

// An algorithm that is given an iterator may do anything to the elements.
static void keep_what_is_iterated(EngineFn *ef, State *state, IrExprId arg)
{
    const IrExpr *expr = ir_expr_at(ef->fn, arg);
    if (expr->kind != IR_EX_LOAD || expr->type == IR_NONE) return;
    if (ir_type(ef->unit, expr->type)->kind != IR_TY_RECORD) return;
    LocId object = engine_place(ef, state, expr->place);
    engine_may_keep(ef, state, sym_addr(ef->space.values, target_of(ef, state, object)));
}

// A closure object that the argument refers to; IR_NONE.
static LocId closure_at(EngineFn *ef, const State *state, SymId value)
{
    const Sym *sym = sym_at(ef->space.values, value);
    SymId called;
    if (sym->kind != SYM_ADDR) return IR_NONE;
    LocId field = container_field(ef, sym->loc, ENGINE_CALLED);
    return pmap_get(state->env, field, &called) ? sym->loc : IR_NONE;
}

// An object that is made of one closure, or assigned one, holds it.
static void hold_closure(EngineFn *ef, State *state, const CallSite *site)
{
    if (site->count != 2 || site->callee->is_destructor) return;
    LocId closure = closure_at(ef, state, site->args[1]);
    LocId object = loc_pointee(ef->space.values, site->args[0]);
    if (closure != IR_NONE && !engine_loc_is_external(ef, object))
        state_copy(&ef->space, state, object, closure, ef->point);
}

void engine_redirect_call(EngineFn *ef, State *state, CallSite *site)
{
    bool calls = engine_is_cpp_library(site) && !site->model && site->callee->is_method &&
                 strcmp(site->callee->name, "operator()") == 0;
    if (!calls) return;
    LocId object = loc_pointee(ef->space.values, site->args[0]);
    SymId called;
    if (!pmap_get(state->env, container_field(ef, object, ENGINE_CALLED), &called)) return;
    const Sym *function = sym_at(ef->space.values, called);
    if (function->kind != SYM_FUNC) return;
    const IrCallee *callee = &ef->unit->callees.items[function->value];
    if (callee->params.len + 1 == site->count) site->callee = callee;
}

static bool may_run_user_code(const EngineFn *ef, const CallSite *site)
{
    return site->callee->record != IR_NONE &&
           ef->unit->records.items[site->callee->record].runs_user_code;
}

void engine_call_std(EngineFn *ef, State *state, CallSite *site)
{
    if (may_run_user_code(ef, site)) engine_keep_shared(ef, state);
    bool has_object =
        site->callee->is_method || site->callee->is_constructor || site->callee->is_destructor;
    if (has_object && site->count > 0) {
        call_on_object(ef, state, site);
    } else {
        for (uint32_t i = 0; i < site->count; i++) {
            SymId value = resource_in(ef, state, site->args[i]);
            bool by_const = engine_param_is_const(ef, site, i);
            if (value != IR_NONE && !by_const) engine_may_keep(ef, state, value);
            if (!by_const) engine_havoc_pointee(ef, state, site->args[i]);
            keep_what_is_iterated(ef, state, site->call->args[i]);
        }
    }
    for (uint32_t i = 0; i < site->captured.len; i++)
        engine_share(ef, state, site->captured.items[i]);
    if (has_object) hold_closure(ef, state, site);
}
