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

typedef struct {
    EngineFn *ef;
    LocId within;
    LocId found;
} HolderWithin;

// Some element of the container holds the resource, or a part of one does.
static void holder_in_element(void *context, uint32_t loc, uint32_t relation)
{
    HolderWithin *search = context;
    const Values *values = search->ef->space.values;
    LocId family = loc_at(values, search->within)->family;
    (void)relation;
    for (LocId at = loc; loc_at(values, at)->parent != IR_NONE; at = loc_at(values, at)->parent) {
        const Loc *part = loc_at(values, at);
        bool is_element = part->kind == LOC_INDEX || part->kind == LOC_ANY;
        if (is_element && loc_at(values, part->parent)->family == family) search->found = loc;
    }
}

void engine_container_size(EngineFn *ef, State *state, LocId container, LocId size)
{
    HolderWithin search = {.ef = ef, .within = container, .found = IR_NONE};
    if (state->status == RS_LIVE && state->holders)
        pmap_each(state->holders, holder_in_element, &search);
    if (search.found == IR_NONE) return;
    (void)state_restrict(&ef->space, state, state_read(&ef->space, state, size),
                         range_between(1, INT64_MAX));
}

static void holder_within(void *context, uint32_t loc, uint32_t relation)
{
    HolderWithin *search = context;
    (void)relation;
    if (loc_is_within(search->ef->space.values, loc, search->within)) search->found = loc;
}

// Where in the object the resource is held; IR_NONE.
static LocId holder_in(EngineFn *ef, const State *state, LocId object)
{
    HolderWithin search = {.ef = ef, .within = object, .found = IR_NONE};
    if (object != IR_NONE && state->holders) pmap_each(state->holders, holder_within, &search);
    return search.found;
}

// The object that is passed by value; IR_NONE.
static LocId passed_object(EngineFn *ef, State *state, IrExprId arg)
{
    const IrExpr *expr = ir_expr_at(ef->fn, arg);
    bool is_object = expr->kind == IR_EX_LOAD && expr->type != IR_NONE &&
                     ir_type(ef->unit, expr->type)->kind == IR_TY_RECORD;
    return is_object ? engine_place(ef, state, expr->place) : IR_NONE;
}

// The object that the argument is or refers to; of an iterator, the container that it stands for.
static LocId object_of(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    const Sym *sym = sym_at(ef->space.values, site->args[index]);
    if (sym->kind == SYM_ADDR) return target_of(ef, state, sym->loc);
    LocId object = passed_object(ef, state, site->call->args[index]);
    return object == IR_NONE ? IR_NONE : target_of(ef, state, object);
}

// The argument is the resource, or refers to something that holds it; then that value, else
// IR_NONE.
static SymId resource_in(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    SymId value = site->args[index];
    if (sym_resource_relation(ef->space.values, value) != RES_NONE) return value;
    LocId holder = holder_in(ef, state, object_of(ef, state, site, index));
    return holder == IR_NONE ? IR_NONE : state_read(&ef->space, state, holder);
}

static bool keeps_element(const CallSite *site)
{
    for (uint32_t i = 0; site->model && i < site->model->effects.len; i++)
        if (site->model->effects.items[i].kind == MODEL_KEEP) return true;
    return false;
}

// The argument that becomes what a map keeps under a key, or, of number 0, the result that is.
static bool is_mapped(const CallSite *site, int argument)
{
    for (uint32_t i = 0; site->model && i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        if (effect->kind == MODEL_MAPPED && effect->slot.arg == argument) return true;
    }
    return false;
}

static LocId element_of(EngineFn *ef, const CallSite *site, LocId container, int argument)
{
    LocId element = loc_any(ef->space.values, container);
    return is_mapped(site, argument) ? container_field(ef, element, "second") : element;
}

// What becomes an element where the object is put into a container: the object itself, or the element
// of it that holds the resource, where it is a list of them or a container.
static LocId element_put_in(EngineFn *ef, const CallSite *site, LocId object, LocId holder)
{
    const Values *values = ef->space.values;
    if (keeps_element(site)) return object;
    while (holder != object && loc_at(values, holder)->parent != object)
        holder = loc_at(values, holder)->parent;
    LocKind kind = loc_at(values, holder)->kind;
    return holder != object && (kind == LOC_INDEX || kind == LOC_ANY) ? holder : object;
}

// The element is a copy, field by field, of what the argument is or refers to.
static void put_into(EngineFn *ef, State *state, LocId container, const CallSite *site,
                     uint32_t index)
{
    LocId element = element_of(ef, site, container, (int)index);
    if (sym_resource_relation(ef->space.values, site->args[index]) == RES_NONE) {
        LocId object = object_of(ef, state, site, index);
        if (object == container) return;
        LocId part = element_put_in(ef, site, object, holder_in(ef, state, object));
        state_copy(&ef->space, state, element, part, ef->point);
    } else {
        state_write(&ef->space, state, element, site->args[index], ef->point);
    }
    LocId size = container_field(ef, container, "#size");
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
        site->result = sym_addr(values, element_of(ef, site, target, 0));
    } else if (kind == IR_TY_RECORD) {
        LocId dst = engine_place(ef, state, site->call->dst);
        state_write(&ef->space, state, dst, sym_fresh(values, ef->point, dst), ef->point);
        state_write(&ef->space, state, container_field(ef, dst, "#of"), sym_addr(values, target),
                    ef->point);
        site->result = IR_NONE;
        site->result_stored = true;
    }
}

static bool may_run_user_code(const EngineFn *ef, const CallSite *site)
{
    return site->callee->record != IR_NONE &&
           ef->unit->records.items[site->callee->record].runs_user_code;
}

// The elements' destructors run: what an element holds may be released by its own.
static void destroy_elements(EngineFn *ef, State *state, const CallSite *site, LocId container)
{
    HolderWithin search = {.ef = ef, .within = container, .found = IR_NONE};
    if (!may_run_user_code(ef, site) || state->status != RS_LIVE || !state->holders) return;
    pmap_each(state->holders, holder_in_element, &search);
    if (search.found != IR_NONE) state->escaped = true;
}

static void call_on_object(EngineFn *ef, State *state, CallSite *site)
{
    LocId object = loc_pointee(ef->space.values, site->args[0]);
    LocId target = target_of(ef, state, object);
    bool container = is_container(ef, site->callee) || target != object;
    if (container) loc_set_container(ef->space.values, target);
    if (container && site->callee->is_destructor) destroy_elements(ef, state, site, target);
    bool changes = !site->callee->is_const_method;
    if (changes && !container) engine_note_untold(ef, object);
    for (uint32_t i = 1; i < site->count && !state->dead; i++) {
        SymId value = resource_in(ef, state, site, i);
        if (value == IR_NONE) {
            engine_may_keep(ef, state, site->args[i]); // by way of a closure, say
            continue;
        }
        if (!container) {
            // The object has it, so that it is no caller's alone, though it be returned.
            engine_may_keep(ef, state, value);
            engine_escape(ef, state, value);
        } else if (changes && state->status == RS_LIVE) {
            put_into(ef, state, target, site, i);
        }
    }
    if (changes && container && target == object && !site->callee->is_destructor)
        state_havoc(&ef->space, state, container_field(ef, object, "#size"), ef->point, true);
    if (container) result_of_method(ef, state, site, target);
}

// An algorithm that is given an iterator may do anything to the elements.
static void keep_what_is_iterated(EngineFn *ef, State *state, IrExprId arg)
{
    LocId object = passed_object(ef, state, arg);
    if (object == IR_NONE) return;
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

// An object that is made of one closure, or assigned one, holds it: it does not run yet.
static bool holds_closure(EngineFn *ef, State *state, const CallSite *site, bool has_object)
{
    if (!has_object || site->count != 2) return false;
    LocId closure = closure_at(ef, state, site->args[1]);
    LocId object = loc_pointee(ef->space.values, site->args[0]);
    if (closure == IR_NONE || engine_loc_is_external(ef, object)) return false;
    state_copy(&ef->space, state, object, closure, ef->point);
    return true;
}

// What closures captured by reference, whoever runs them may write.
static void take_closures(EngineFn *ef, State *state, const CallSite *site, bool has_object)
{
    bool is_kept = site->callee->is_destructor || holds_closure(ef, state, site, has_object);
    for (uint32_t i = 0; i < site->captured.len; i++) {
        engine_share(ef, state, site->captured.items[i]);
        if (!is_kept) engine_havoc_pointee(ef, state, site->captured.items[i]);
    }
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

void engine_call_std(EngineFn *ef, State *state, CallSite *site)
{
    if (may_run_user_code(ef, site)) engine_keep_shared(ef, state);
    bool has_object =
        site->callee->is_method || site->callee->is_constructor || site->callee->is_destructor;
    if (has_object && site->count > 0) {
        call_on_object(ef, state, site);
    } else {
        for (uint32_t i = 0; i < site->count; i++) {
            SymId value = resource_in(ef, state, site, i);
            bool by_const = engine_param_is_const(ef, site, i);
            if (value != IR_NONE && !by_const) engine_may_keep(ef, state, value);
            if (!by_const) engine_havoc_pointee(ef, state, site->args[i]);
            keep_what_is_iterated(ef, state, site->call->args[i]);
        }
    }
    take_closures(ef, state, site, has_object);
}
