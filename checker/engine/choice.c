// SPDX-License-Identifier: MIT
// Choices: where two paths meet, each of which holds something of its own to be so, one of the two
// is so from there on. That is what remains of `if (a) … else if (b) … else return;`: a later chain
// of the same conditions cannot come to its last `else` either.
#include "engine/mention.h"
#include "engine/state_p.h"

// At most so many choices are followed in one function.
#define CHOICES_MAX 16

bool choice_is(const StateSpace *space, SymId id)
{
    const Sym *sym = sym_at(space->values, id);
    return sym->kind == SYM_BINARY && sym->op == IR_OR && sym->is_bool;
}

// `value < bound`, or not, where the range says just that; IR_NONE: it says something else.
static SymId comparison_of(StateSpace *space, SymId id, const Range *range)
{
    int64_t least = sym_at(space->values, id)->is_unsigned ? 0 : INT64_MIN;
    bool is_below = range->lo <= least && range->hi != INT64_MAX;
    bool is_above = range->hi == INT64_MAX && range->lo > least;
    if (range->excluded_count > 0 || (!is_below && !is_above)) return IR_NONE;
    if (is_below)
        return sym_binary(space->values, IR_LT, id, sym_int(space->values, range->hi + 1));
    SymId below = sym_binary(space->values, IR_LT, id, sym_int(space->values, range->lo));
    return below == IR_NONE ? IR_NONE : sym_not(space->values, below);
}

// The condition that the range is of the value; IR_NONE: of no use. What library functions say that
// only look at their arguments, and numbers and flags that the function was given.
static SymId condition_of(StateSpace *space, SymId id, const Range *range)
{
    const Sym *sym = sym_at(space->values, id);
    int64_t value;
    bool is_point = range_is_point(range, &value);
    if (choice_is(space, id)) return is_point && value == 1 ? id : IR_NONE;
    if (sym->kind == SYM_PURE && is_point)
        return sym_binary(space->values, IR_EQ, id, sym_int(space->values, value));
    bool is_given = sym->kind == SYM_INITIAL && !loc_at(space->values, sym->loc)->is_pointer;
    if (!is_given) return IR_NONE;
    SymId comparison = comparison_of(space, id, range);
    if (comparison != IR_NONE) return comparison;
    if (is_point && value == 0) return sym_not(space->values, sym_truth(space->values, id));
    return range_contains(range, 0) ? IR_NONE : sym_truth(space->values, id);
}

void choice_note(StateSpace *space, ChoiceSide *side, SymId id, uint32_t range_id,
                 const State *other)
{
    if (side->count == CHOICE_CONDITIONS) return;
    Range range = space->ranges.items[range_id], there = state_range(space, other, id);
    if (range_equal(&range, &there)) return;
    SymId condition = condition_of(space, id, &range);
    if (condition == IR_NONE) return;
    side->of[side->count] = id;
    side->conditions[side->count++] = condition;
}

bool choice_keep(StateSpace *space, SymId choice)
{
    for (uint32_t i = 0; i < space->choices.len; i++)
        if (space->choices.items[i] == choice) return true;
    if (space->choices.len == CHOICES_MAX) return false;
    vec_push(space->fn_arena, &space->choices, choice);
    return true;
}

void choice_join(StateSpace *space, State *merged, const ChoiceSide *a, const ChoiceSide *b)
{
    Range truth = range_point(1);
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (a->of[i] == b->of[j]) continue;
            SymId choice = sym_binary(space->values, IR_OR, a->conditions[i], b->conditions[j]);
            if (choice == IR_NONE || !choice_is(space, choice) || !choice_keep(space, choice))
                continue;
            merged->ranges =
                pmap_set(space->arena, merged->ranges, choice, space_range_id(space, &truth));
            mentions_add_constraint(space->mentions, choice);
        }
    }
}

bool choice_follow(StateSpace *space, State *state, SymId about)
{
    uint32_t known;
    for (uint32_t i = 0; i < space->choices.len; i++) {
        SymId choice = space->choices.items[i];
        if (!pmap_get(state->ranges, choice, &known) || !sym_mentions(space->values, choice, about))
            continue;
        Sym sym = *sym_at(space->values, choice);
        Range range = state_range(space, state, choice);
        if (range_is_empty(&range)) return false;
        if (sym.kind == SYM_BINARY && !state_assume_other_side(space, state, &sym, true))
            return false;
    }
    return true;
}
