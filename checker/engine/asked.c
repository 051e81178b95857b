// SPDX-License-Identifier: MIT
// Conditions on arguments and members.
#include "engine/asked.h"

#include "engine/return_expr.h"

#define MAX_ASKED 12

uint32_t asked_first_parameter(const EngineFn *ef)
{
    const IrCallee *callee = &ef->unit->callees.items[ef->fn->callee];
    return callee->is_method || ef->fn->this_var != IR_NONE ? 1 : 0;
}

uint32_t asked_argument_count(const EngineFn *ef)
{
    return ef->fn->params.len + asked_first_parameter(ef);
}

IrVarId asked_parameter(const EngineFn *ef, uint32_t argument)
{
    uint32_t shift = asked_first_parameter(ef);
    return argument < shift ? ef->fn->this_var : ef->fn->params.items[argument - shift];
}

void asked_find_arguments(EngineFn *ef, AskedList *asked)
{
    for (uint32_t i = 0; i < asked_argument_count(ef); i++) {
        IrVarId var = asked_parameter(ef, i);
        if (var == IR_NONE) continue; // a lambda's object
        SymId value = sym_initial(ef->space.values, loc_var(ef->space.values, var));
        vec_push(ef->space.arena, asked, ((Asked){.argument = i, .value = value}));
    }
}

typedef struct {
    EngineFn *ef;
    AskedList *asked;
} MemberSearch;

static void look_at_known(void *context, uint32_t value, uint32_t range)
{
    MemberSearch *search = context;
    EngineFn *ef = search->ef;
    const Sym *sym = sym_at(ef->space.values, value);
    (void)range;
    if (sym->kind != SYM_INITIAL) return;
    const Loc *loc = loc_at(ef->space.values, sym->loc);
    if (loc->kind != LOC_FIELD || loc->is_pointer) return;
    for (uint32_t i = 0; i < search->asked->len; i++)
        if (search->asked->items[i].value == value) return;
    Asked member = {.is_member = true, .value = value};
    if (search->asked->len < MAX_ASKED && return_place_of(ef, sym->loc, &member.place))
        vec_push(ef->space.arena, search->asked, member);
}

void asked_find_members(EngineFn *ef, const State *state, AskedList *asked)
{
    MemberSearch search = {.ef = ef, .asked = asked};
    pmap_each(state->ranges, look_at_known, &search);
}

void asked_add(Arena *arena, const Asked *asked, const Range *range, SummaryEffect *effect)
{
    if (range_is_full(range) || effect->condition_count == SUMMARY_MAX_CONDITIONS) return;
    SummaryCondition condition = {.argument = asked->argument, .range = *range};
    if (asked->is_member) {
        SummaryPath *place = ARENA_NEW(arena, SummaryPath);
        *place = asked->place;
        condition.place = place;
    }
    effect->conditions[effect->condition_count++] = condition;
}
