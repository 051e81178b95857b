// SPDX-License-Identifier: MIT
// Merging two states at a join: what they agree on stays, a location on which they differ holds a
// value named by the join. That value's previous meaning (the last time round a loop) must not be
// mistaken for the new one.
#include "engine/element.h"
#include "engine/mention.h"
#include "engine/phase.h"
#include "engine/state.h"
#include "engine/state_p.h"

bool state_same_signature(const State *a, const State *b, bool holders_matter)
{
    return a->status == b->status && a->kept == b->kept && a->mislaid == b->mislaid &&
           a->escaped == b->escaped && a->reentered == b->reentered && a->attached == b->attached &&
           a->pending == b->pending && a->recorded == b->recorded && a->capturing == b->capturing &&
           a->attempt == b->attempt && (!holders_matter || pmap_equal(a->holders, b->holders));
}

// ---- arrival ------------------------------------------------------------------------------------

typedef struct {
    StateSpace *space;
    const State *state;
    uint32_t point;
    Vec(SymId) stale; // values of the join that lead to bound memory and are no longer current
} Arrival;

static void add_stale(Arrival *arrival, SymId id)
{
    for (uint32_t i = 0; i < arrival->stale.len; i++)
        if (arrival->stale.items[i] == id) return;
    vec_push(arrival->space->arena, &arrival->stale, id);
}

static void find_stale(Arrival *arrival, SymId id)
{
    Values *values = arrival->space->values;
    const Sym sym = *sym_at(values, id);
    bool is_join = sym.kind == SYM_FRESH && sym.point == arrival->point && sym.loc != IR_NONE;
    if (is_join && state_read(arrival->space, arrival->state, sym.loc) != id)
        add_stale(arrival, id);
    const SymId operands[] = {sym.a, sym.b, sym.c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && sym.kind != SYM_OLDER) find_stale(arrival, operands[i]);
    if (sym.loc == IR_NONE) return;
    const Loc *root = loc_at(values, loc_at(values, sym.loc)->root);
    if (root->kind == LOC_MEM) find_stale(arrival, root->sym);
}

static void look_at_root(void *context, uint32_t loc, uint32_t value)
{
    Arrival *arrival = context;
    const Values *values = arrival->space->values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    (void)value;
    if (root->kind == LOC_MEM) find_stale(arrival, root->sym);
}

void state_arrive(StateSpace *space, State *state, uint32_t point)
{
    Arrival arrival = {.space = space, .state = state, .point = point};
    pmap_each(state->env, look_at_root, &arrival);
    for (uint32_t i = 0; i < arrival.stale.len; i++)
        state_refresh(space, state, arrival.stale.items[i]);
}

// ---- merging ------------------------------------------------------------------------------------

typedef struct {
    StateSpace *space;
    const State *old;
    const State *incoming;
    uint32_t point;
    JoinKind kind;
    Vec(SymId) renewed; // join values bound anew by this merge
    Vec(Range) ranges;  // and what is known of them
    bool seeks_choices;
    ChoiceSide here, there;
    Decider decider;
} Merge;

// True when a value of the incoming state speaks of a join value of this very block that no longer
// is current there: it was made the last time round.
static bool is_stale(const Merge *merge, SymId id)
{
    Values *values = merge->space->values;
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_FRESH && sym->point == merge->point && sym->loc != IR_NONE)
        return state_read(merge->space, merge->incoming, sym->loc) != id;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && is_stale(merge, operands[i])) return true;
    return false;
}

static Range range_of(StateSpace *space, const State *state, SymId sym)
{
    return sym == IR_NONE ? range_full() : state_range(space, state, sym);
}

// The value that this join gave the location when other states met here.
static bool is_join_of(const Merge *merge, LocId loc, SymId value)
{
    const Sym *sym = sym_at(merge->space->values, value);
    return sym->kind == SYM_FRESH && sym->point == merge->point && sym->loc == loc;
}

// A pointer into the resource stays one: the join names how far in it points.
static SymId join_value(Merge *merge, LocId loc, SymId old, SymId incoming)
{
    StateSpace *space = merge->space;
    SymId join = is_join_of(merge, loc, old) ? old : sym_fresh(space->values, merge->point, loc);
    bool both_inside = sym_resource_relation(space->values, old) == RES_DERIVED &&
                       sym_resource_relation(space->values, incoming) == RES_DERIVED;
    SymId moved =
        both_inside ? sym_binary(space->values, IR_ADD, sym_resource(space->values), join) : join;
    if (moved == IR_NONE) return old;
    bool stays_apart = false; // from the start
    if (both_inside) {
        old = sym_resource_offset(space->values, old);
        incoming = sym_resource_offset(space->values, incoming);
        stays_apart = !state_may_be_back(space, merge->old, old) &&
                      !state_may_be_back(space, merge->incoming, incoming);
    }
    Range before = range_of(space, merge->old, old),
          now = range_of(space, merge->incoming, incoming);
    bool again = old == join && merge->kind == JOIN_MANY;
    Range range = again ? range_widen(&before, &now) : range_hull(&before, &now);
    if (stays_apart) range = range_exclude(&range, 0);
    vec_push(space->arena, &merge->renewed, join);
    vec_push(space->arena, &merge->ranges, range);
    return moved;
}

// The join's own value, of which nothing is known that the incoming state denies, and no round of a
// loop can have left anything: it stays as it is.
static bool is_settled(const Merge *merge, LocId loc, SymId old, const uint32_t *in_new)
{
    StateSpace *space = merge->space;
    uint32_t known;
    if (space->point_in_loop || !is_join_of(merge, loc, old)) return false;
    if (!pmap_get(merge->old->ranges, old, &known)) return true;
    SymId incoming = in_new ? *in_new : state_read(space, merge->incoming, loc);
    Range now = range_of(space, merge->incoming, incoming);
    Range both = range_hull(&space->ranges.items[known], &now);
    return range_equal(&both, &space->ranges.items[known]);
}

// A number that the path tells: IR_NONE when it does not.
static SymId select_value(const Merge *merge, LocId loc, SymId old, SymId incoming)
{
    const Loc *info = loc_at(merge->space->values, loc);
    if (merge->kind != JOIN_PATHS || info->is_pointer || info->is_record || info->is_family)
        return IR_NONE;
    return decider_select(merge->space, &merge->decider, old, merge->incoming, incoming);
}

static bool combine_values(void *context, uint32_t loc, const uint32_t *in_old,
                           const uint32_t *in_new, uint32_t *out)
{
    Merge *merge = context;
    if (in_old && is_settled(merge, loc, *in_old, in_new)) {
        *out = *in_old;
        return true;
    }
    SymId old = in_old ? *in_old : state_read(merge->space, merge->old, loc);
    SymId incoming = in_new ? *in_new : state_read(merge->space, merge->incoming, loc);
    *out = old;
    if (old == incoming && !is_stale(merge, incoming)) return true;
    *out = select_value(merge, loc, old, incoming);
    if (*out == IR_NONE) *out = join_value(merge, loc, old, incoming);
    return true;
}

// A choice that one state knows of holds for the other, too, if one of its conditions does.
static bool keeps_choice(const Merge *merge, SymId sym, const uint32_t *known, bool is_new,
                         uint32_t *out)
{
    if (!choice_is(merge->space, sym)) return false;
    Range other = state_range(merge->space, is_new ? merge->old : merge->incoming, sym);
    if (!range_equal(&other, &merge->space->ranges.items[*known])) return false;
    *out = *known;
    return true;
}

// What is known of a value that this very join gave: only the states that met here know of it, and
// where it is renewed its range is, too.
static bool is_of_join(const Merge *merge, SymId id)
{
    const Sym *sym = sym_at(merge->space->values, id);
    return !merge->space->point_in_loop && sym->kind == SYM_FRESH && sym->point == merge->point;
}

static bool combine_ranges(void *context, uint32_t sym, const uint32_t *in_old,
                           const uint32_t *in_new, uint32_t *out)
{
    Merge *merge = context;
    if (merge->seeks_choices && in_old)
        choice_note(merge->space, &merge->here, sym, *in_old, merge->incoming);
    if (merge->seeks_choices && in_new)
        choice_note(merge->space, &merge->there, sym, *in_new, merge->old);
    if (merge->kind == JOIN_PATHS)
        decider_note(merge->space, &merge->decider, sym, merge->old, merge->incoming);
    if (in_old && is_of_join(merge, sym)) {
        *out = *in_old;
        return true;
    }
    if (!in_old || !in_new) return keeps_choice(merge, sym, in_old ? in_old : in_new, !in_old, out);
    const Range *ranges = merge->space->ranges.items;
    Range range = merge->kind == JOIN_MANY ? range_widen(&ranges[*in_old], &ranges[*in_new])
                                           : range_hull(&ranges[*in_old], &ranges[*in_new]);
    if (range_is_full(&range)) return false;
    *out = space_range_id(merge->space, &range);
    return true;
}

// What holds the resource in one of the states only may or may not hold it.
static bool keep_common(void *context, uint32_t loc, const uint32_t *in_old, const uint32_t *in_new,
                        uint32_t *out)
{
    (void)context, (void)loc;
    if (!in_old || !in_new || *in_old != *in_new) return false;
    *out = *in_old;
    return true;
}

bool state_merge(StateSpace *space, State *state, const State *incoming, uint32_t point,
                 JoinKind kind)
{
    Merge merge = {
        .space = space, .old = state, .incoming = incoming, .point = point, .kind = kind};
    merge.decider = (Decider){.point = point, .of = IR_NONE};
    merge.seeks_choices = !space->point_in_loop;
    State merged = *state;
    merged.ranges =
        pmap_merge(space->arena, state->ranges, incoming->ranges, combine_ranges, &merge);
    merged.env = pmap_merge(space->arena, state->env, incoming->env, combine_values, &merge);
    if (merge.here.count > 0) choice_join(space, &merged, &merge.here, &merge.there);
    for (uint32_t i = 0; i < merge.renewed.len; i++)
        state_drop_constraints(space, &merged, merge.renewed.items[i]);
    for (uint32_t i = 0; i < merge.renewed.len; i++) {
        SymId join = merge.renewed.items[i];
        mentions_add_join(space->mentions, join);
        if (!range_is_full(&merge.ranges.items[i]))
            merged.ranges = pmap_set(space->arena, merged.ranges, join,
                                     space_range_id(space, &merge.ranges.items[i]));
    }
    if (merge.renewed.len > 0) phase_merge(space, &merged, state, incoming);
    if (!pmap_equal(state->holders, incoming->holders))
        merged.holders =
            pmap_merge(space->arena, state->holders, incoming->holders, keep_common, NULL);
    bool changed = !pmap_equal(merged.env, state->env) ||
                   !pmap_equal(merged.ranges, state->ranges) ||
                   !pmap_equal(merged.holders, state->holders);
    if (state->release_status != incoming->release_status) {
        changed |= state->release_status != IR_NONE;
        state->release_status = IR_NONE;
    }
    changed |= element_merge(state, incoming);
    state->env = merged.env;
    state->holders = merged.holders;
    state->ranges = merged.ranges;
    if (state->doubt != incoming->doubt) {
        changed |= state->doubt != 0;
        state->doubt = 0;
    }
    state->left_loops &= incoming->left_loops;
    state->unwinding &= incoming->unwinding;
    return changed;
}

// Stops at the first variable that holds different constants.
static bool is_no_flag(void *context, uint32_t loc, const uint32_t *in_a, const uint32_t *in_b)
{
    const Values *values = context;
    int64_t x, y;
    if (!in_a || !in_b || loc_at(values, loc)->kind != LOC_VAR) return true;
    return !sym_is_int(values, *in_a, &x) || !sym_is_int(values, *in_b, &y) || x == y;
}

bool state_differs_by_flag(StateSpace *space, const State *a, const State *b)
{
    uint32_t limit = UINT32_MAX;
    return !pmap_each_difference(a->env, b->env, &limit, is_no_flag, space->values);
}
