// SPDX-License-Identifier: MIT
// How far a call writes from where its argument points: the object named there, or more of what
// lies around it. And objects that a call fills with zeroes.
#include "engine/extent.h"

static const IrTypeInfo *type_of_place(const EngineFn *ef, IrPlaceId id)
{
    IrType type = ir_place(ef->fn, id)->type;
    return type == IR_NONE ? NULL : ir_type(ef->unit, type);
}

// What the place is a member or an element of; IR_NONE for a whole object.
static IrPlaceId enclosing(const EngineFn *ef, IrPlaceId id)
{
    const IrPlace *place = ir_place(ef->fn, id);
    if (place->kind == IR_PL_FIELD) return place->base;
    if (place->kind != IR_PL_INDEX) return IR_NONE;
    const IrTypeInfo *base = type_of_place(ef, place->base);
    return base && base->kind == IR_TY_ARRAY ? place->base : IR_NONE;
}

// The smallest place around `id` that so many bytes fit into (`bytes` is 0 where their number is not
// known: then they stay in one array).
static IrPlaceId place_around(const EngineFn *ef, IrPlaceId id, uint64_t bytes)
{
    for (;;) {
        const IrTypeInfo *type = type_of_place(ef, id);
        bool holds_all = type && (bytes == 0 ? type->kind == IR_TY_ARRAY : bytes <= type->size);
        IrPlaceId whole = enclosing(ef, id);
        if (holds_all || whole == IR_NONE) return id;
        id = whole;
    }
}

// 0: not known.
static uint64_t number_of_bytes(EngineFn *ef, const CallSite *site)
{
    int64_t number;
    SymId bytes = engine_bytes_of(ef, site);
    bool known = bytes != IR_NONE && sym_is_int(ef->space.values, bytes, &number) && number > 0;
    return known ? (uint64_t)number : 0;
}

void engine_write_beyond(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    bool forgets = state->status == RS_RELEASED ||
                   (ef->site && ef->site->kind == SITE_UNINITIALIZED && state->holders);
    if (!forgets || site->model->bytes_args[0] < 1) return;
    const IrExpr *arg = ir_without_casts(ef->fn, site->call->args[index]);
    if (arg->kind != IR_EX_ADDR) return;
    IrPlaceId place = place_around(ef, arg->place, number_of_bytes(ef, site));
    if (place != arg->place) engine_forget_within(ef, state, engine_place(ef, state, place));
}

typedef struct {
    const State *state;
    bool found;
} BoundSearch;

static void look_for_binding(void *context, LocId loc)
{
    BoundSearch *search = context;
    SymId value;
    search->found |= pmap_get(search->state->env, loc, &value);
}

static bool is_bound(EngineFn *ef, const State *state, LocId loc)
{
    BoundSearch search = {.state = state};
    space_each_within(&ef->space, loc, look_for_binding, &search);
    return search.found;
}

// Where the element goes of the array whose element `from` goes to `to`; IR_NONE: nowhere.
static LocId copied_to(Values *values, LocId element, LocId from, LocId to, int64_t count)
{
    const Loc *info = loc_at(values, element), *first = loc_at(values, from);
    LocId array = loc_at(values, to)->parent;
    if (info->kind == LOC_ANY) return loc_any(values, array);
    int64_t steps = info->index - first->index;
    if (info->kind != LOC_INDEX || steps <= 0 || steps >= count) return IR_NONE;
    return loc_index(values, array, loc_at(values, to)->index + steps);
}

void engine_copy_elements(EngineFn *ef, State *state, const CallSite *site, LocId to, LocId from)
{
    Values *values = ef->space.values;
    const Loc *first = loc_at(values, from), *target = loc_at(values, to);
    if (first->kind != LOC_INDEX || target->kind != LOC_INDEX || first->parent == target->parent)
        return;
    uint64_t bytes = number_of_bytes(ef, site);
    int64_t count = INT64_MAX;
    if (bytes > 0 && first->size > 0) count = (int64_t)(bytes / first->size);
    LocList elements = {0};
    for (LocId element = loc_at(values, first->parent)->first_child; element != IR_NONE;
         element = loc_at(values, element)->next_sibling)
        vec_push(ef->space.arena, &elements, element);
    for (uint32_t i = 0; i < elements.len; i++) {
        LocId place = copied_to(values, elements.items[i], from, to, count);
        if (count > 1 && place != IR_NONE && is_bound(ef, state, elements.items[i]))
            state_copy(&ef->space, state, place, elements.items[i], ef->point);
    }
}

// The object that the bytes are, all of it; IR_NONE if none is in sight.
static LocId object_of_bytes(EngineFn *ef, State *state, const CallSite *site, uint32_t index)
{
    uint64_t bytes = number_of_bytes(ef, site);
    const IrExpr *arg = ir_without_casts(ef->fn, site->call->args[index]);
    if (bytes == 0) return IR_NONE;
    if (arg->kind == IR_EX_ADDR) {
        IrPlaceId place = place_around(ef, arg->place, bytes);
        const IrTypeInfo *type = type_of_place(ef, place);
        return type && type->size == bytes ? engine_place(ef, state, place) : IR_NONE;
    }
    const IrTypeInfo *pointer = arg->type == IR_NONE ? NULL : ir_type(ef->unit, arg->type);
    if (!pointer || pointer->kind != IR_TY_POINTER || pointer->pointee == IR_NONE) return IR_NONE;
    if (ir_type(ef->unit, pointer->pointee)->size != bytes) return IR_NONE;
    return loc_pointee(ef->space.values, site->args[index]);
}

void engine_fill(EngineFn *ef, State *state, const CallSite *site)
{
    uint32_t with = site->first + (uint32_t)site->model->fill_arg - 1;
    int64_t byte;
    if (site->model->fill_arg < 1 || with >= site->count || state->dead) return;
    if (!sym_is_int(ef->space.values, site->args[with], &byte) || byte != 0) return;
    for (uint32_t i = 0; i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        uint32_t to = site->first + (uint32_t)effect->slot.arg - 1;
        if (effect->kind != MODEL_USE_WRITE || effect->slot.arg < 1 || to >= site->count) continue;
        LocId object = object_of_bytes(ef, state, site, to);
        if (object == IR_NONE || engine_search_holders(ef, state, object).found) continue;
        state_write(&ef->space, state, object, sym_int(ef->space.values, 0), ef->point);
    }
}
