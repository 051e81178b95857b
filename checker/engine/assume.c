// SPDX-License-Identifier: MIT
// What is known of values, and taking a condition to be true or false.
#include "engine/mention.h"
#include "engine/state.h"
#include "engine/state_p.h"

static uint64_t range_hash(const Range *range)
{
    uint64_t hash = hash_mix((uint64_t)range->lo, (uint64_t)range->hi);
    for (uint32_t i = 0; i < range->excluded_count; i++)
        hash = hash_mix(hash, (uint64_t)range->excluded[i]);
    return hash;
}

uint32_t space_range_id(StateSpace *space, const Range *range)
{
    uint64_t hash = range_hash(range);
    uint32_t cursor = 0, id;
    while (idtable_next(&space->range_table, hash, &cursor, &id))
        if (range_equal(&space->ranges.items[id], range)) return id;
    vec_push(space->fn_arena, &space->ranges, *range);
    idtable_add(space->fn_arena, &space->range_table, hash, space->ranges.len - 1);
    return space->ranges.len - 1;
}

// What the operands' ranges say of a comparison: 0 or 1, or either.
static Range compare_ranges(StateSpace *space, const State *state, const Sym *sym)
{
    Range a = state_range(space, state, sym->a), b = state_range(space, state, sym->b);
    if (sym->op == IR_LT) {
        if (a.lo != INT64_MIN && a.lo >= b.hi) return range_point(0);
        return a.hi != INT64_MAX && a.hi < b.lo ? range_point(1) : range_between(0, 1);
    }
    Range common = range_intersect(&a, &b);
    int64_t x, y;
    if (range_is_empty(&common)) return range_point(0);
    bool same = range_is_point(&a, &x) && range_is_point(&b, &y) && x == y;
    return same ? range_point(1) : range_between(0, 1);
}

// One of two conditions.
static Range choice_range(StateSpace *space, const State *state, const Sym *sym)
{
    SymId left = sym->a, right = sym->b;
    Range a = state_range(space, state, left), b = state_range(space, state, right);
    if (!range_contains(&a, 0) || !range_contains(&b, 0)) return range_point(1);
    return range_hull(&a, &b);
}

// `2^n - 1`.
static bool is_mask(int64_t number)
{
    return number > 0 && number < INT64_MAX && (number & (number + 1)) == 0;
}

// `sym` is `a % by`, which for a number that is not negative and a power of two is `a & (by - 1)`: so that
// both are one condition. IR_NONE: it is something else.
static SymId low_bits(StateSpace *space, const State *state, const Sym *sym)
{
    int64_t by;
    if (sym->kind != SYM_BINARY || sym->op != IR_REM) return IR_NONE;
    if (!sym_is_int(space->values, sym->b, &by) || by < 2 || !is_mask(by - 1)) return IR_NONE;
    if (state_range(space, state, sym->a).lo < 0) return IR_NONE;
    return sym_binary(space->values, IR_AND, sym->a, sym_int(space->values, by - 1));
}

// `(u + c) % by`, or `(u + c) & mask`, goes with `u % by`: sets `*base` to that and `*step` to c.
static bool residue_of_sum(StateSpace *space, const State *state, const Sym *sym, SymId *base,
                           int64_t *step)
{
    int64_t by;
    const Sym sum = *sym_at(space->values, sym->a);
    if (sum.kind != SYM_BINARY || sum.op != IR_ADD || sum.has_resource ||
        !sym_is_int(space->values, sum.b, step) || !sym_is_int(space->values, sym->b, &by))
        return false;
    if (*step < -INT32_MAX || *step > INT32_MAX) return false;
    bool is_known = sym->op == IR_AND ? is_mask(by)
                                      : by > 1 && state_range(space, state, sum.a).lo >= 0 &&
                                            state_range(space, state, sym->a).lo >= 0;
    if (is_known) *base = sym_binary(space->values, sym->op, sum.a, sym->b);
    return is_known && *base != IR_NONE;
}

// `(residue + step)` within the cycle of the operator.
static int64_t next_residue(IrOperator op, int64_t by, int64_t residue, int64_t step)
{
    int64_t cycle = op == IR_AND ? by + 1 : by;
    return ((residue + step % cycle) % cycle + cycle) % cycle;
}

// Of `a % by` or `a & by`, with a constant.
static Range residue_range(StateSpace *space, const State *state, const Sym *sym, int64_t by)
{
    SymId bits = low_bits(space, state, sym), base;
    if (bits != IR_NONE) return state_range(space, state, bits);
    if (by <= 0) return range_full();
    Range a = state_range(space, state, sym->a);
    int64_t value, step;
    if (range_is_point(&a, &value)) return range_point(sym->op == IR_AND ? value & by : value % by);
    if (residue_of_sum(space, state, sym, &base, &step)) {
        Range before = state_range(space, state, base);
        if (range_is_point(&before, &value))
            return range_point(next_residue(sym->op, by, value, step));
    }
    if (sym->op == IR_AND) return range_between(0, by);
    if (a.lo < 0) return range_between(1 - by, by - 1);
    return a.hi < by ? a : range_between(0, by - 1);
}

// Of `1 - a`, `a ^ 1`: of few values become few.
static Range turned_range(StateSpace *space, const State *state, const Sym *sym)
{
    const int64_t few = 1 << 16;
    Range a = state_range(space, state, sym->a), b = state_range(space, state, sym->b);
    if (a.lo < 0 || b.lo < 0 || a.hi > few || b.hi > few) return range_full();
    int64_t x, y;
    if (sym->op == IR_SUB)
        return a.lo >= b.hi ? range_between(a.lo - b.hi, a.hi - b.lo) : range_full();
    if (range_is_point(&a, &x) && range_is_point(&b, &y)) return range_point(x ^ y);
    int64_t bits = 1;
    while (bits <= a.hi || bits <= b.hi) bits *= 2;
    return range_between(0, bits - 1);
}

// Of an operator that takes numbers round; full: nothing follows.
static Range cyclic_range(StateSpace *space, const State *state, const Sym *sym)
{
    int64_t by;
    if (sym->kind != SYM_BINARY || sym->has_resource) return range_full();
    if (sym->op == IR_SUB || sym->op == IR_XOR) return turned_range(space, state, sym);
    bool is_residue = (sym->op == IR_REM || sym->op == IR_AND) && !sym->is_bool &&
                      sym_is_int(space->values, sym->b, &by);
    return is_residue ? residue_range(space, state, sym, by) : range_full();
}

// What a condition selects.
static Range select_range(StateSpace *space, const State *state, const Sym *sym)
{
    SymId then = sym->b, otherwise = sym->c;
    Range truth = state_range(space, state, sym->a);
    int64_t side;
    if (range_is_point(&truth, &side)) return state_range(space, state, side ? then : otherwise);
    Range a = state_range(space, state, then), b = state_range(space, state, otherwise);
    return range_hull(&a, &b);
}

// What a value's form alone says of it.
static Range intrinsic_range(StateSpace *space, const State *state, SymId id)
{
    Sym copy = *sym_at(space->values, id);
    const Sym *sym = &copy;
    if (sym->kind == SYM_INT) return range_point(sym->value);
    bool compares = sym->kind == SYM_BINARY && (sym->op == IR_EQ || sym->op == IR_LT);
    if (compares) return compare_ranges(space, state, sym);
    if (choice_is(space, id)) return choice_range(space, state, sym);
    Range cyclic = cyclic_range(space, state, sym);
    if (!range_is_full(&cyclic)) return cyclic;
    if (sym->is_bool) return range_between(0, 1);
    Range range = sym->is_unsigned ? range_between(0, INT64_MAX) : range_full();
    int64_t by;
    if (sym->kind == SYM_BINARY && sym->op == IR_ADD && sym_is_int(space->values, sym->b, &by)) {
        Range base = state_range(space, state, sym->a);
        return range_shift(&base, by);
    }
    bool scales = sym->kind == SYM_BINARY && sym->op == IR_MUL && !sym->has_resource;
    if (scales && sym_is_int(space->values, sym->b, &by) && by > 0) {
        Range base = state_range(space, state, sym->a);
        return range_scale(&base, by);
    }
    if (sym->kind == SYM_ITE) return select_range(space, state, sym);
    if (sym_is_nonzero(space->values, id)) return range_exclude(&range, 0);
    return range;
}

Range state_range(StateSpace *space, const State *state, SymId sym)
{
    Range range = intrinsic_range(space, state, sym);
    uint32_t id;
    if (!pmap_get(state->ranges, sym, &id)) return range;
    return range_intersect(&range, &space->ranges.items[id]);
}

// Some step of the distance leads back: a negative one, or one that a join names and that may be
// none.
static bool goes_back(StateSpace *space, const State *state, SymId distance)
{
    const Sym *sym = sym_at(space->values, distance);
    if (sym->kind == SYM_INT) return sym->value < 0;
    if (sym->kind == SYM_OLDER) return goes_back(space, state, sym->a);
    if (sym->kind == SYM_FRESH && sym->point >= space->join_points) {
        Range range = state_range(space, state, distance);
        return range_contains(&range, 0);
    }
    if (sym->kind != SYM_BINARY) return false;
    SymId a = sym->a, b = sym->b;
    return sym->op == IR_SUB || goes_back(space, state, a) || goes_back(space, state, b);
}

bool state_may_be_back(StateSpace *space, const State *state, SymId distance)
{
    if (distance == IR_NONE) return false;
    Range range = state_range(space, state, distance);
    return range_contains(&range, 0) && goes_back(space, state, distance);
}

static bool store_range(StateSpace *space, State *state, SymId sym, const Range *range)
{
    if (range_is_empty(range)) return false;
    state->ranges = pmap_set(space->arena, state->ranges, sym, space_range_id(space, range));
    mentions_add_constraint(space->mentions, sym);
    return space->choices.len == 0 || choice_follow(space, state, sym);
}

// Nothing but the choice speaks of the value: if it is not the one that is chosen, nobody asks.
static bool is_only_chosen(const StateSpace *space, SymId id)
{
    const Sym *sym = sym_at(space->values, id);
    return sym->kind == SYM_FRESH && sym->loc == IR_NONE && sym->value >= SLOT_RETURNED &&
           sym->value < SLOT_EXPR;
}

// A choice one side of which is ruled out is the other side.
static bool restrict_choice(StateSpace *space, State *state, SymId id, const Range *range)
{
    Sym sym = *sym_at(space->values, id);
    Range then = state_range(space, state, sym.b), other = state_range(space, state, sym.c);
    then = range_intersect(&then, range);
    other = range_intersect(&other, range);
    if (range_is_empty(&then) && range_is_empty(&other)) return false;
    if (range_is_empty(&other))
        return state_assume(space, state, sym.a, true) &&
               state_restrict(space, state, sym.b, *range);
    if (range_is_empty(&then))
        return state_assume(space, state, sym.a, false) &&
               state_restrict(space, state, sym.c, *range);
    bool fits = (!is_only_chosen(space, sym.b) || state_restrict(space, state, sym.b, *range)) &&
                (!is_only_chosen(space, sym.c) || state_restrict(space, state, sym.c, *range));
    if (!fits) return false;
    (void)choice_keep(space, id);
    return store_range(space, state, id, range);
}

SymId state_residue_kept_as(StateSpace *space, const State *state, SymId residue)
{
    const Sym sym = *sym_at(space->values, residue);
    SymId bits = low_bits(space, state, &sym);
    return bits != IR_NONE ? bits : residue;
}

// What is known of `(u + c) % by` is kept as what it says of `u % by`.
static bool restrict_residue(StateSpace *space, State *state, SymId id, const Range *range)
{
    const Sym sym = *sym_at(space->values, id);
    SymId bits = low_bits(space, state, &sym), base;
    if (bits != IR_NONE) return state_restrict(space, state, bits, *range);
    int64_t value, step, by;
    bool moves = range_is_point(range, &value) && sym_is_int(space->values, sym.b, &by) &&
                 residue_of_sum(space, state, &sym, &base, &step);
    if (!moves) return store_range(space, state, id, range);
    return state_restrict(space, state, base, range_point(next_residue(sym.op, by, value, -step)));
}

bool state_restrict(StateSpace *space, State *state, SymId id, Range range)
{
    Range known = state_range(space, state, id);
    Range narrowed = range_intersect(&known, &range);
    if (range_is_empty(&narrowed)) return false;
    if (range_equal(&known, &narrowed)) return true;
    const Sym sym = *sym_at(space->values, id);
    int64_t by;
    if (sym.kind == SYM_BINARY && sym.op == IR_ADD && sym_is_int(space->values, sym.b, &by) &&
        by != INT64_MIN)
        return state_restrict(space, state, sym.a, range_shift(&narrowed, -by));
    if (sym.kind == SYM_ITE) return restrict_choice(space, state, id, &narrowed);
    if (sym.kind == SYM_BINARY && (sym.op == IR_REM || sym.op == IR_AND) && !sym.is_bool)
        return restrict_residue(space, state, id, &narrowed);
    return store_range(space, state, id, &narrowed);
}

static bool assume_equal(StateSpace *space, State *state, SymId id, bool truth)
{
    Sym sym = *sym_at(space->values, id);
    int64_t constant;
    if (sym_is_int(space->values, sym.b, &constant)) {
        if (constant == 0 && sym_at(space->values, sym.a)->is_bool)
            return state_assume(space, state, sym.a, !truth);
        if (truth) return state_restrict(space, state, sym.a, range_point(constant));
        Range known = state_range(space, state, sym.a);
        return state_restrict(space, state, sym.a, range_exclude(&known, constant));
    }
    Range a = state_range(space, state, sym.a), b = state_range(space, state, sym.b);
    if (truth &&
        (!state_restrict(space, state, sym.a, b) || !state_restrict(space, state, sym.b, a)))
        return false;
    int64_t x, y;
    if (!truth && range_is_point(&a, &x)) b = range_exclude(&b, x);
    if (!truth && range_is_point(&b, &y)) a = range_exclude(&a, y);
    if (!truth &&
        (!state_restrict(space, state, sym.a, a) || !state_restrict(space, state, sym.b, b)))
        return false;
    return state_restrict(space, state, id, range_point(truth));
}

static int64_t above(int64_t bound)
{
    return bound == INT64_MAX ? bound : bound + 1;
}
static int64_t below(int64_t bound)
{
    return bound == INT64_MIN ? bound : bound - 1;
}

static bool assume_less(StateSpace *space, State *state, SymId id, bool truth)
{
    Sym sym = *sym_at(space->values, id);
    Range a = state_range(space, state, sym.a), b = state_range(space, state, sym.b);
    // a < b, or else b <= a
    Range new_a = truth ? range_between(INT64_MIN, b.hi == INT64_MAX ? INT64_MAX : below(b.hi))
                        : range_between(b.lo, INT64_MAX);
    Range new_b = truth ? range_between(a.lo == INT64_MIN ? INT64_MIN : above(a.lo), INT64_MAX)
                        : range_between(INT64_MIN, a.hi);
    if (!state_restrict(space, state, sym.a, new_a) || !state_restrict(space, state, sym.b, new_b))
        return false;
    return state_restrict(space, state, id, range_point(truth));
}

static bool assume_ite(StateSpace *space, State *state, SymId id, bool truth)
{
    Sym sym = *sym_at(space->values, id);
    Range then = state_range(space, state, sym.b), other = state_range(space, state, sym.c);
    int64_t value;
    bool then_can =
        truth ? !(range_is_point(&then, &value) && value == 0) : range_contains(&then, 0);
    bool other_can =
        truth ? !(range_is_point(&other, &value) && value == 0) : range_contains(&other, 0);
    if (!then_can && !other_can) return false;
    if (then_can && !other_can)
        return state_assume(space, state, sym.a, true) && state_assume(space, state, sym.b, truth);
    if (!then_can)
        return state_assume(space, state, sym.a, false) && state_assume(space, state, sym.c, truth);
    return true;
}

// `a & b` that is false, or `a | b` that is true, where one side alone would not make it so: the
// other side does.
bool state_assume_other_side(StateSpace *space, State *state, const Sym *sym, bool truth)
{
    Range a = state_range(space, state, sym->a), b = state_range(space, state, sym->b);
    int64_t value;
    SymId left = sym->a, right = sym->b;
    if (range_is_point(&a, &value) && (value != 0) != truth &&
        !state_assume(space, state, right, truth))
        return false;
    return !range_is_point(&b, &value) || (value != 0) == truth ||
           state_assume(space, state, left, truth);
}

bool state_assume(StateSpace *space, State *state, SymId id, bool truth)
{
    const Sym *sym = sym_at(space->values, id);
    Range known = state_range(space, state, id);
    int64_t value;
    if (range_is_point(&known, &value)) return (value != 0) == truth;
    if (sym->kind == SYM_BINARY && sym->op == IR_EQ) return assume_equal(space, state, id, truth);
    if (sym->kind == SYM_BINARY && sym->op == IR_LT) return assume_less(space, state, id, truth);
    if (sym->kind == SYM_ITE) return assume_ite(space, state, id, truth);
    bool is_join =
        sym->kind == SYM_BINARY && sym->is_bool && (sym->op == IR_AND || sym->op == IR_OR);
    if (is_join && sym->op == (truth ? IR_AND : IR_OR)) {
        SymId a = sym->a, b = sym->b;
        if (!state_assume(space, state, a, truth) || !state_assume(space, state, b, truth))
            return false;
    } else if (is_join && !state_assume_other_side(space, state, sym, truth)) {
        return false;
    }
    if (!truth) return state_restrict(space, state, id, range_point(0));
    return state_restrict(space, state, id, range_exclude(&known, 0));
}

bool state_narrow(StateSpace *space, State *state, SymId id, Range range)
{
    int64_t value;
    bool is_point = range_is_point(&range, &value);
    if (!range_contains(&range, 0) && !state_assume(space, state, id, true)) return false;
    if (is_point && value == 0 && !state_assume(space, state, id, false)) return false;
    return state_restrict(space, state, id, range);
}
