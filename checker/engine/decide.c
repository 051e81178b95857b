// SPDX-License-Identifier: MIT
// Numbers that two paths leave differently, where a condition tells the paths apart: behind the join
// they are a choice by that condition, so that `mode == 2` and the `n > 4` that it came from agree.
#include "engine/state_p.h"

enum {
    SELECT_MAX_SIZE = 32,  // larger choices are values of the join, like all others
    SELECT_MAX_VALUES = 3, // of which a condition says that one is meant
};

// The value speaks of one that the join itself gives, which means another one from there on.
static bool is_made_at(const Values *values, SymId id, uint32_t point)
{
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_FRESH) return sym->point == point;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && is_made_at(values, operands[i], point)) return true;
    return false;
}

void decider_note(StateSpace *space, Decider *decider, SymId id, const State *here,
                  const State *there)
{
    if (decider->of != IR_NONE || is_made_at(space->values, id, decider->point)) return;
    Range a = state_range(space, here, id), b = state_range(space, there, id),
          common = range_intersect(&a, &b);
    if (!range_is_empty(&common)) return;
    decider->of = id;
    decider->here = a;
    decider->there = b;
}

// The value is one of the few in the range, as a choice of comparisons.
static SymId is_one_of(StateSpace *space, SymId id, const Range *range)
{
    SymId any = IR_NONE;
    int count = 0;
    uint64_t span = (uint64_t)range->hi - (uint64_t)range->lo;
    if (span >= SELECT_MAX_VALUES + RANGE_MAX_EXCLUDED) return IR_NONE;
    for (uint64_t i = 0; i <= span && count <= SELECT_MAX_VALUES; i++) {
        int64_t value = range->lo + (int64_t)i;
        if (!range_contains(range, value)) continue;
        SymId is_it = sym_binary(space->values, IR_EQ, id, sym_int(space->values, value));
        any = count++ == 0 ? is_it : sym_binary(space->values, IR_OR, any, is_it);
        if (any == IR_NONE || (choice_is(space, any) && !choice_keep(space, any))) return IR_NONE;
    }
    return count <= SELECT_MAX_VALUES ? any : IR_NONE;
}

// The value lies on one side of a bound, as the range does; IR_NONE: it has two.
static SymId lies_beside(StateSpace *space, SymId id, const Range *range)
{
    Values *values = space->values;
    int64_t least = sym_at(values, id)->is_unsigned ? 0 : INT64_MIN;
    if (range->excluded_count > 0) return IR_NONE;
    if (range->hi == INT64_MAX) return sym_binary(values, IR_GE, id, sym_int(values, range->lo));
    return range->lo <= least ? sym_binary(values, IR_LE, id, sym_int(values, range->hi)) : IR_NONE;
}

// A constant, or a choice of such.
static bool is_selectable(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    bool is_choice = sym->kind == SYM_ITE || sym->is_bool;
    return sym->kind == SYM_INT ||
           (is_choice && !sym->has_resource && sym->size <= SELECT_MAX_SIZE);
}

// What it is here if the decider is as here, else what it is there.
static SymId select(StateSpace *space, const Decider *decider, SymId here, SymId there)
{
    Values *values = space->values;
    SymId (*const forms[])(StateSpace *, SymId, const Range *) = {lies_beside, is_one_of};
    for (int i = 0; i < 2; i++) {
        SymId is_here = forms[i](space, decider->of, &decider->here);
        if (is_here != IR_NONE) return sym_ite(values, is_here, here, there);
        SymId is_there = forms[i](space, decider->of, &decider->there);
        if (is_there != IR_NONE) return sym_ite(values, is_there, there, here);
    }
    // The cases of a switch: the last choice made here is made between one value more.
    Sym choice = *sym_at(values, here);
    if (choice.kind != SYM_ITE) return IR_NONE;
    Sym first = *sym_at(values, choice.a);
    int64_t value;
    bool is_case = first.kind == SYM_BINARY && first.op == IR_EQ && first.a == decider->of &&
                   sym_is_int(values, first.b, &value);
    if (!is_case) return IR_NONE;
    Decider rest = *decider;
    rest.here = range_exclude(&decider->here, value);
    return sym_ite(values, choice.a, choice.b, select(space, &rest, choice.c, there));
}

// The choice is what the state there holds, too: it knows which side was taken.
static bool is_same_there(StateSpace *space, SymId choice, const State *there, SymId value)
{
    Sym sym = *sym_at(space->values, choice);
    if (sym.kind != SYM_ITE) return choice == value;
    Range truth = state_range(space, there, sym.a);
    int64_t side;
    return range_is_point(&truth, &side) &&
           is_same_there(space, side != 0 ? sym.b : sym.c, there, value);
}

SymId decider_select(StateSpace *space, const Decider *decider, SymId here, const State *in_there,
                     SymId there)
{
    const Values *values = space->values;
    if (!is_selectable(values, here) || !is_selectable(values, there) ||
        is_made_at(values, here, decider->point) || is_made_at(values, there, decider->point))
        return IR_NONE;
    if (sym_at(values, here)->kind == SYM_ITE && is_same_there(space, here, in_there, there))
        return here;
    return decider->of == IR_NONE ? IR_NONE : select(space, decider, here, there);
}
