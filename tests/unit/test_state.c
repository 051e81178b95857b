// SPDX-License-Identifier: MIT
// States: memory (read, write, kill, havoc, copy), what is known of values, renewal of values in
// loops, and joins.
#include "engine/state.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "record S { a: int; b: int*; next: S* }\n"
                           "func f(i: int, n: int, t: bool, u: u32, p: int*, l: S*) {\n"
                           "  var x: int\n"
                           "  var s: S\n"
                           "  var r: S\n"
                           "  var v: int*[8]\n"
                           "  static quiet: int = 7 frozen\n"
                           "  static kept: int* = 0\n"
                           "  return\n"
                           "}\n";

enum { VAR_I, VAR_N, VAR_T, VAR_U, VAR_P, VAR_L, VAR_X, VAR_S, VAR_R, VAR_V, VAR_QUIET, VAR_KEPT };

typedef struct {
    Arena *arena;
    IrUnit *unit;
    Values *values;
    StateSpace space;
    State empty;
} Fixture;

static int setup(void **state)
{
    Arena *arena = arena_new("test");
    Fixture *fx = ARENA_NEW(arena, Fixture);
    fx->arena = arena;
    Err err = {.arena = arena};
    if (ir_parse(arena, text, &fx->unit, &err) != ST_OK) {
        print_error("%s\n", err.message);
        arena_free(arena);
        return -1;
    }
    fx->values = values_new(arena, fx->unit, fx->unit->functions.items[0]);
    space_init(&fx->space, arena, fx->unit->functions.items[0], fx->values);
    fx->empty = (State){.attached = IR_NONE};
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    Fixture *fx = *state;
    arena_free(fx->arena);
    return 0;
}

static LocId var(Fixture *fx, IrVarId id)
{
    return loc_var(fx->values, id);
}
static SymId num(Fixture *fx, int64_t value)
{
    return sym_int(fx->values, value);
}
static SymId get(Fixture *fx, const State *state, LocId loc)
{
    return state_read(&fx->space, state, loc);
}
static void put(Fixture *fx, State *state, LocId loc, SymId value)
{
    state_write(&fx->space, state, loc, value, 900);
}
static SymId bin(Fixture *fx, IrOperator op, SymId a, SymId b)
{
    return sym_binary(fx->values, op, a, b);
}
static bool assume(Fixture *fx, State *state, SymId sym, bool truth)
{
    return state_assume(&fx->space, state, sym, truth);
}
// The condition cannot have this truth.
static bool excludes(Fixture *fx, const State *state, SymId sym, bool truth)
{
    State copy = *state;
    return !state_assume(&fx->space, &copy, sym, truth);
}

static bool holds(Fixture *fx, const State *state, LocId loc)
{
    uint32_t relation;
    (void)fx;
    return pmap_get(state->holders, loc, &relation);
}

// ---- memory -------------------------------------------------------------------------------------

static void locations_begin_with_what_they_held(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    assert_int_equal(get(fx, &s, var(fx, VAR_I)), sym_initial(fx->values, var(fx, VAR_I)));
    assert_int_equal(get(fx, &s, var(fx, VAR_QUIET)), num(fx, 7));
    assert_int_equal(get(fx, &s, var(fx, VAR_KEPT)), sym_initial(fx->values, var(fx, VAR_KEPT)));
}

static void writes_are_read_and_copies_are_apart(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    put(fx, &s, var(fx, VAR_X), num(fx, 3));
    State copy = s;
    put(fx, &copy, var(fx, VAR_X), num(fx, 4));
    assert_int_equal(get(fx, &s, var(fx, VAR_X)), num(fx, 3));
    assert_int_equal(get(fx, &copy, var(fx, VAR_X)), num(fx, 4));
}

static void writing_a_whole_replaces_its_parts(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId whole = var(fx, VAR_S), a = loc_field(fx->values, whole, "a"),
          b = loc_field(fx->values, whole, "b");
    put(fx, &s, a, num(fx, 1));
    put(fx, &s, whole, sym_fresh(fx->values, 5, whole));
    assert_int_equal(get(fx, &s, a), sym_fresh(fx->values, 5, a));
    put(fx, &s, a, num(fx, 2));
    assert_int_equal(get(fx, &s, a), num(fx, 2));
    assert_int_equal(get(fx, &s, b), sym_fresh(fx->values, 5, b));
    put(fx, &s, whole, num(fx, 0));
    assert_int_equal(get(fx, &s, a), num(fx, 0));
}

static void copying_an_object_copies_its_parts(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId from = var(fx, VAR_S), to = var(fx, VAR_R);
    put(fx, &s, loc_field(fx->values, from, "a"), num(fx, 1));
    put(fx, &s, loc_field(fx->values, from, "b"), sym_resource(fx->values));
    put(fx, &s, loc_field(fx->values, to, "a"), num(fx, 9));
    state_copy(&fx->space, &s, to, from, 10);
    assert_int_equal(get(fx, &s, loc_field(fx->values, to, "a")), num(fx, 1));
    assert_true(holds(fx, &s, loc_field(fx->values, to, "b")));
    assert_true(holds(fx, &s, loc_field(fx->values, from, "b")));
    LocId next = loc_field(fx->values, to, "next");
    assert_int_equal(get(fx, &s, next),
                     sym_initial(fx->values, loc_field(fx->values, from, "next")));
}

static void killing_ends_parts_and_holders(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId b = loc_field(fx->values, var(fx, VAR_S), "b");
    put(fx, &s, b, sym_resource(fx->values));
    assert_true(holds(fx, &s, b));
    state_kill(&fx->space, &s, var(fx, VAR_S));
    assert_null(s.holders);
    put(fx, &s, b, bin(fx, IR_ADD, sym_resource(fx->values), num(fx, 4)));
    assert_true(holds(fx, &s, b));
    put(fx, &s, b, num(fx, 0));
    assert_null(s.holders);
}

static void havoc_forgets_all_but_the_resource(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId whole = var(fx, VAR_S), a = loc_field(fx->values, whole, "a"),
          b = loc_field(fx->values, whole, "b");
    put(fx, &s, a, num(fx, 1));
    put(fx, &s, b, sym_resource(fx->values));
    State gone = s;
    state_havoc(&fx->space, &s, whole, 20, true);
    assert_true(holds(fx, &s, b));
    assert_int_not_equal(get(fx, &s, a), num(fx, 1));
    assert_int_not_equal(get(fx, &s, a), sym_initial(fx->values, a));
    state_havoc(&fx->space, &gone, whole, 20, false);
    assert_null(gone.holders);
}

static void havoc_of_parts_keeps_what_was_never_bound(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId object = loc_pointee(fx->values, sym_initial(fx->values, var(fx, VAR_L)));
    LocId a = loc_field(fx->values, object, "a"), next = loc_field(fx->values, object, "next");
    SymId before = get(fx, &s, next);
    put(fx, &s, a, num(fx, 1));
    state_havoc_parts(&fx->space, &s, object, 20);
    assert_int_not_equal(get(fx, &s, a), num(fx, 1));
    assert_int_equal(get(fx, &s, next), before);
}

static void families_hold_the_resource_for_any_element(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    s.status = RS_LIVE;
    LocId v = var(fx, VAR_V), any = loc_any(fx->values, v);
    put(fx, &s, any, sym_resource(fx->values));
    assert_int_equal(get(fx, &s, any), sym_resource(fx->values));
    assert_int_equal(get(fx, &s, loc_index(fx->values, v, 3)), sym_resource(fx->values));
    put(fx, &s, any, num(fx, 0)); // some other element perhaps
    assert_true(holds(fx, &s, any));
    State t = fx->empty;
    t.status = RS_LIVE;
    put(fx, &t, loc_index(fx->values, v, 3), sym_resource(fx->values));
    assert_int_equal(get(fx, &t, any), sym_resource(fx->values));
    assert_int_not_equal(get(fx, &t, loc_index(fx->values, v, 4)), sym_resource(fx->values));
}

static void another_element_is_not_the_resource(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    s.status = RS_LIVE;
    LocId v = var(fx, VAR_V), any = loc_any(fx->values, v), other = loc_other(fx->values, any);
    LocId part = loc_field(fx->values, any, "a"), of_other = loc_field(fx->values, other, "a");
    put(fx, &s, part, sym_resource(fx->values));
    assert_int_not_equal(get(fx, &s, of_other), sym_resource(fx->values));
    put(fx, &s, of_other, num(fx, 0));
    assert_true(holds(fx, &s, part));
    put(fx, &s, other, sym_resource(fx->values)); // then some element of both
    assert_true(holds(fx, &s, any));
    assert_int_not_equal(get(fx, &s, other), sym_resource(fx->values));
    assert_int_equal(loc_rebase(fx->values, of_other, v, part),
                     loc_field(fx->values, loc_other(fx->values, loc_any(fx->values, part)), "a"));
}

static void a_write_to_some_element_makes_all_uncertain(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId v = var(fx, VAR_V), any = loc_any(fx->values, v), third = loc_index(fx->values, v, 3);
    put(fx, &s, third, num(fx, 5));
    put(fx, &s, any, num(fx, 6));
    assert_int_not_equal(get(fx, &s, third), num(fx, 5));
    assert_int_not_equal(get(fx, &s, any), num(fx, 6));
    put(fx, &s, third, num(fx, 7));
    assert_int_equal(get(fx, &s, third), num(fx, 7));
}

static void parts_of_some_element_are_uncertain_too(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId v = var(fx, VAR_V), any = loc_any(fx->values, v), third = loc_index(fx->values, v, 3);
    put(fx, &s, loc_field(fx->values, any, "a"), num(fx, 5));
    put(fx, &s, loc_field(fx->values, third, "b"), num(fx, 5));
    put(fx, &s, loc_field(fx->values, third, "next"), sym_resource(fx->values));
    put(fx, &s, any, num(fx, 0));
    assert_int_not_equal(get(fx, &s, loc_field(fx->values, any, "a")), num(fx, 5));
    assert_int_not_equal(get(fx, &s, loc_field(fx->values, third, "b")), num(fx, 5));
    assert_true(holds(fx, &s, loc_field(fx->values, third, "next")));
    // m[3][i] = 0: m[3][2] is no longer what it was at entry
    LocId row = loc_index(fx->values, v, 3), cell = loc_index(fx->values, row, 2);
    State t = fx->empty;
    put(fx, &t, loc_any(fx->values, row), num(fx, 0));
    assert_int_not_equal(get(fx, &t, cell), sym_initial(fx->values, cell));
}

// ---- what is known of values --------------------------------------------------------------------

static void assumptions_exclude_their_opposite(void **state)
{
    Fixture *fx = *state;
    SymId i = sym_initial(fx->values, var(fx, VAR_I)), n = sym_initial(fx->values, var(fx, VAR_N));
    SymId t = sym_initial(fx->values, var(fx, VAR_T)), p = sym_initial(fx->values, var(fx, VAR_P));
    SymId resource = sym_resource(fx->values);
    const SymId conditions[] = {t,
                                p,
                                bin(fx, IR_LT, i, n),
                                bin(fx, IR_EQ, i, n),
                                bin(fx, IR_EQ, i, num(fx, 4)),
                                bin(fx, IR_LT, i, num(fx, 4)),
                                bin(fx, IR_NE, p, resource),
                                bin(fx, IR_GE, i, n),
                                bin(fx, IR_AND, bin(fx, IR_LT, i, n), t),
                                bin(fx, IR_AND, i, num(fx, 8))};
    for (size_t at = 0; at < sizeof conditions / sizeof conditions[0]; at++) {
        for (int truth = 0; truth < 2; truth++) {
            State s = fx->empty;
            assert_true(assume(fx, &s, conditions[at], truth));
            assert_true(excludes(fx, &s, conditions[at], !truth));
            assert_false(excludes(fx, &s, conditions[at], truth));
            assert_true(excludes(fx, &s, sym_not(fx->values, conditions[at]), truth));
        }
    }
}

static void constants_and_addresses_decide_themselves(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    assert_true(excludes(fx, &s, num(fx, 0), true));
    assert_true(excludes(fx, &s, num(fx, 5), false));
    assert_true(excludes(fx, &s, sym_resource(fx->values), false));
    assert_true(excludes(fx, &s, sym_addr(fx->values, var(fx, VAR_X)), false));
    SymId u = sym_initial(fx->values, var(fx, VAR_U));
    assert_true(excludes(fx, &s, bin(fx, IR_LT, u, num(fx, 0)), true));
    assert_true(excludes(fx, &s, bin(fx, IR_LE, u, num(fx, -1)), true));
}

static void comparisons_bound_both_sides(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    SymId i = sym_initial(fx->values, var(fx, VAR_I)), n = sym_initial(fx->values, var(fx, VAR_N));
    assert_true(assume(fx, &s, bin(fx, IR_GE, i, num(fx, 0)), true));
    assert_true(assume(fx, &s, bin(fx, IR_LT, i, n), true));
    assert_true(excludes(fx, &s, bin(fx, IR_LT, num(fx, 0), n), false));
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, n, num(fx, 0)), true));
    State eq = fx->empty;
    assert_true(assume(fx, &eq, bin(fx, IR_EQ, i, num(fx, 3)), true));
    assert_true(assume(fx, &eq, bin(fx, IR_EQ, i, n), true));
    assert_true(excludes(fx, &eq, bin(fx, IR_EQ, n, num(fx, 3)), false));
    State plus = fx->empty;
    assert_true(
        assume(fx, &plus, bin(fx, IR_EQ, bin(fx, IR_ADD, i, num(fx, 1)), num(fx, 3)), true));
    assert_true(excludes(fx, &plus, bin(fx, IR_EQ, i, num(fx, 2)), false));
}

static void conjunctions_and_choices_split(void **state)
{
    Fixture *fx = *state;
    SymId i = sym_initial(fx->values, var(fx, VAR_I)), t = sym_initial(fx->values, var(fx, VAR_T));
    SymId small = bin(fx, IR_LT, i, num(fx, 4)), both = bin(fx, IR_AND, small, t),
          one = bin(fx, IR_OR, small, t);
    State s = fx->empty;
    assert_true(assume(fx, &s, both, true));
    assert_true(excludes(fx, &s, t, false) && excludes(fx, &s, small, false));
    State neither = fx->empty;
    assert_true(assume(fx, &neither, one, false));
    assert_true(excludes(fx, &neither, t, true) && excludes(fx, &neither, small, true));
    State known = fx->empty;
    assert_true(assume(fx, &known, t, false));
    assert_true(excludes(fx, &known, both, true));
    assert_true(assume(fx, &known, one, true));
    assert_true(excludes(fx, &known, small, false));
    State choice = fx->empty;
    SymId pick = sym_ite(fx->values, t, num(fx, 0), num(fx, 5));
    assert_true(assume(fx, &choice, pick, true));
    assert_true(excludes(fx, &choice, t, true));
}

// status = p ? 0 : s with s not zero: the status tells the pointer and the other way round.
static void a_status_tells_its_pointer(void **state)
{
    Fixture *fx = *state;
    SymId p = sym_initial(fx->values, var(fx, VAR_P)), s = sym_initial(fx->values, var(fx, VAR_I));
    SymId status = sym_ite(fx->values, p, num(fx, 0), s);
    State start = fx->empty;
    assert_true(assume(fx, &start, s, true));
    State good = start, bad = start, both = start;
    assert_true(assume(fx, &good, status, false));
    assert_true(excludes(fx, &good, p, false));
    assert_true(assume(fx, &bad, bin(fx, IR_EQ, status, num(fx, 0)), false));
    assert_true(excludes(fx, &bad, p, true));
    assert_true(state_restrict(&fx->space, &both, status, range_point(0)));
    assert_true(excludes(fx, &both, p, false));
    State null = start;
    assert_true(assume(fx, &null, p, false));
    assert_true(excludes(fx, &null, status, false));
    State no_error = fx->empty;
    assert_true(assume(fx, &no_error, p, true));
    assert_true(excludes(fx, &no_error, bin(fx, IR_EQ, status, num(fx, 5)), true));
}

// ---- loops --------------------------------------------------------------------------------------

static void a_renewed_value_leaves_its_past_behind(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId x = var(fx, VAR_X), i = var(fx, VAR_I);
    SymId fresh = sym_fresh(fx->values, 30, x);
    put(fx, &s, x, fresh);
    put(fx, &s, i, bin(fx, IR_ADD, fresh, num(fx, 1)));
    assert_true(assume(fx, &s, fresh, false));
    state_refresh(&fx->space, &s, fresh);
    put(fx, &s, x, fresh);
    assert_int_equal(get(fx, &s, i), bin(fx, IR_ADD, sym_older(fx->values, fresh), num(fx, 1)));
    assert_false(excludes(fx, &s, fresh, true));
    assert_false(excludes(fx, &s, fresh, false));
}

static void what_was_known_of_the_past_stays_known(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId x = var(fx, VAR_X), i = var(fx, VAR_I);
    SymId fresh = sym_fresh(fx->values, 30, x), n = sym_initial(fx->values, var(fx, VAR_N));
    put(fx, &s, x, fresh);
    put(fx, &s, i, fresh);
    assert_true(assume(fx, &s, bin(fx, IR_LT, num(fx, 0), fresh), true));
    assert_true(assume(fx, &s, bin(fx, IR_EQ, fresh, n), true));
    state_refresh(&fx->space, &s, fresh);
    put(fx, &s, x, fresh);
    SymId before = get(fx, &s, i);
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, before, num(fx, 0)), true));
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, before, n), false));
    // Nothing new is remembered: the past stays as it is.
    state_refresh(&fx->space, &s, fresh);
    put(fx, &s, x, fresh);
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, before, n), false));
    // Two rounds are remembered: only what holds for both.
    put(fx, &s, var(fx, VAR_U), fresh);
    assert_true(assume(fx, &s, bin(fx, IR_EQ, fresh, num(fx, 5)), true));
    state_refresh(&fx->space, &s, fresh);
    assert_int_equal(get(fx, &s, var(fx, VAR_U)), before);
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, before, num(fx, 0)), true));
    assert_false(excludes(fx, &s, bin(fx, IR_EQ, before, num(fx, 6)), true));
    assert_false(excludes(fx, &s, bin(fx, IR_EQ, before, n), false));
}

static void renewal_moves_memory_behind_the_old_value(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    LocId l = var(fx, VAR_L);
    SymId fresh = sym_fresh(fx->values, 30, l);
    put(fx, &s, l, fresh);
    LocId b = loc_field(fx->values, loc_pointee(fx->values, fresh), "b");
    put(fx, &s, b, sym_resource(fx->values));
    state_refresh(&fx->space, &s, fresh);
    assert_false(holds(fx, &s, b));
    assert_true(holds(
        fx, &s, loc_field(fx->values, loc_pointee(fx->values, sym_older(fx->values, fresh)), "b")));
}

#define JOIN 100

// Goes round `while (i < n) i++` until the state at the header is stable.
static int run_counter(Fixture *fx, State *header, bool (*body)(Fixture *fx, State *state))
{
    LocId i = var(fx, VAR_I), n = var(fx, VAR_N);
    for (int round = 0; round < 20; round++) {
        State s = *header;
        if (!assume(fx, &s, bin(fx, IR_LT, get(fx, &s, i), get(fx, &s, n)), true)) return round;
        if (body && !body(fx, &s)) return -1;
        put(fx, &s, i, bin(fx, IR_ADD, get(fx, &s, i), num(fx, 1)));
        if (!state_merge(&fx->space, header, &s, JOIN, JOIN_MANY)) return round;
    }
    return -1;
}

static void counters_join_and_settle(void **state)
{
    Fixture *fx = *state;
    State header = fx->empty;
    LocId i = var(fx, VAR_I), n = var(fx, VAR_N);
    put(fx, &header, i, num(fx, 0));
    int rounds = run_counter(fx, &header, NULL);
    assert_true(rounds > 0 && rounds < 6);
    assert_int_equal(get(fx, &header, i), sym_fresh(fx->values, JOIN, i));
    assert_true(excludes(fx, &header, bin(fx, IR_LT, get(fx, &header, i), num(fx, 0)), true));
    assert_false(
        excludes(fx, &header, bin(fx, IR_LT, get(fx, &header, i), get(fx, &header, n)), true));
    assert_false(
        excludes(fx, &header, bin(fx, IR_LT, get(fx, &header, i), get(fx, &header, n)), false));
    // Inside, n is known to be positive; after the loop nothing is.
    State inside = header;
    assert_true(
        assume(fx, &inside, bin(fx, IR_LT, get(fx, &inside, i), get(fx, &inside, n)), true));
    assert_true(excludes(fx, &inside, bin(fx, IR_LT, num(fx, 0), get(fx, &inside, n)), false));
    assert_false(excludes(fx, &header, bin(fx, IR_LT, num(fx, 0), get(fx, &header, n)), false));
}

static bool remember_counter(Fixture *fx, State *s)
{
    put(fx, s, var(fx, VAR_X), get(fx, s, var(fx, VAR_I)));
    return true;
}

static void what_was_read_last_time_is_not_what_is_read_now(void **state)
{
    Fixture *fx = *state;
    State header = fx->empty;
    LocId i = var(fx, VAR_I), x = var(fx, VAR_X);
    put(fx, &header, i, num(fx, 0));
    put(fx, &header, x, num(fx, 0));
    assert_true(run_counter(fx, &header, remember_counter) > 0);
    SymId same = bin(fx, IR_EQ, get(fx, &header, i), get(fx, &header, x));
    assert_false(excludes(fx, &header, same, true));
    assert_false(excludes(fx, &header, same, false));
}

static bool make_resource(Fixture *fx, State *s)
{
    put(fx, s, loc_any(fx->values, var(fx, VAR_V)), sym_resource(fx->values));
    s->status = RS_LIVE;
    return true;
}

// The facts of the loop in which the resource was made hold behind it.
static void facts_survive_the_rest_of_the_loop(void **state)
{
    Fixture *fx = *state;
    State header = fx->empty;
    LocId i = var(fx, VAR_I), n = var(fx, VAR_N);
    put(fx, &header, i, num(fx, 0));
    assert_true(run_counter(fx, &header, NULL) > 0);
    State live = header;
    assert_true(assume(fx, &live, bin(fx, IR_LT, get(fx, &live, i), get(fx, &live, n)), true));
    make_resource(fx, &live);
    put(fx, &live, i, bin(fx, IR_ADD, get(fx, &live, i), num(fx, 1)));
    assert_true(run_counter(fx, &live, make_resource) >= 0);
    assert_true(assume(fx, &live, bin(fx, IR_LT, get(fx, &live, i), get(fx, &live, n)), false));
    put(fx, &live, i, num(fx, 0));
    assert_true(excludes(fx, &live, bin(fx, IR_LT, get(fx, &live, i), get(fx, &live, n)), false));
    assert_true(holds(fx, &live, loc_any(fx->values, var(fx, VAR_V))));
}

// for (; l; l = l->next) l->b = resource, acquired once: the next element's b must not be taken for
// the first one's.
static void list_elements_stay_apart(void **state)
{
    Fixture *fx = *state;
    LocId l = var(fx, VAR_L);
    State headers[16];
    int count = 1;
    headers[0] = fx->empty;
    for (int round = 0; round < 40; round++) {
        int before = count;
        for (int at = 0; at < before; at++) {
            State s = headers[at];
            if (!assume(fx, &s, get(fx, &s, l), true)) continue;
            LocId element = loc_pointee(fx->values, get(fx, &s, l)),
                  b = loc_field(fx->values, element, "b");
            assert_false(holds(fx, &s, b));
            put(fx, &s, b, at == 0 ? sym_resource(fx->values) : num(fx, 0));
            s.status = RS_LIVE;
            put(fx, &s, l, get(fx, &s, loc_field(fx->values, element, "next")));
            state_arrive(&fx->space, &s, JOIN);
            int same = 0;
            while (same < count && !state_same_signature(&headers[same], &s, true)) same++;
            if (same < count) {
                state_merge(&fx->space, &headers[same], &s, JOIN, JOIN_MANY);
            } else {
                assert_true(count < 16);
                headers[count++] = s;
            }
        }
        // A second entry to the loop, so that the header's own value is renewed.
        State again = fx->empty;
        put(fx, &again, l, sym_initial(fx->values, var(fx, VAR_P)));
        state_merge(&fx->space, &headers[0], &again, JOIN, JOIN_MANY);
    }
    assert_true(count > 1);
}

// ---- joins --------------------------------------------------------------------------------------

static void joins_keep_what_both_know(void **state)
{
    Fixture *fx = *state;
    SymId n = sym_initial(fx->values, var(fx, VAR_N)), t = sym_initial(fx->values, var(fx, VAR_T));
    LocId x = var(fx, VAR_X);
    State a = fx->empty;
    assert_true(assume(fx, &a, bin(fx, IR_LT, num(fx, 0), n), true));
    State b = a;
    assert_true(assume(fx, &a, t, true) && assume(fx, &b, t, false));
    put(fx, &a, x, num(fx, 1));
    put(fx, &b, x, num(fx, 5));
    assert_true(state_merge(&fx->space, &a, &b, JOIN, JOIN_MANY));
    assert_false(state_merge(&fx->space, &a, &b, JOIN, JOIN_MANY));
    assert_true(excludes(fx, &a, bin(fx, IR_LT, num(fx, 0), n), false));
    assert_false(excludes(fx, &a, t, true) || excludes(fx, &a, t, false));
    assert_true(excludes(fx, &a, get(fx, &a, x), false));
    assert_false(excludes(fx, &a, bin(fx, IR_EQ, get(fx, &a, x), num(fx, 5)), true));
    assert_false(excludes(fx, &a, bin(fx, IR_EQ, get(fx, &a, x), num(fx, 1)), true));
}

// x = n > 4 ? 2 : 1, and again with one path more.
static void numbers_are_choices_by_what_tells_the_paths_apart(void **state)
{
    Fixture *fx = *state;
    SymId n = sym_initial(fx->values, var(fx, VAR_N)), is_big = bin(fx, IR_LT, num(fx, 4), n);
    LocId x = var(fx, VAR_X);
    State a = fx->empty, b = fx->empty;
    assert_true(assume(fx, &a, is_big, true) && assume(fx, &b, is_big, false));
    State third = a;
    put(fx, &a, x, num(fx, 2));
    put(fx, &b, x, num(fx, 1));
    assert_true(state_merge(&fx->space, &a, &b, JOIN, JOIN_PATHS));
    State is_two = a, is_one = a;
    assert_true(assume(fx, &is_two, bin(fx, IR_EQ, get(fx, &a, x), num(fx, 2)), true));
    assert_true(excludes(fx, &is_two, is_big, false));
    assert_true(assume(fx, &is_one, bin(fx, IR_LT, get(fx, &a, x), num(fx, 2)), true));
    assert_true(excludes(fx, &is_one, is_big, true));
    // A path that agrees changes nothing; of one that does not, nothing is known but the number.
    put(fx, &third, x, num(fx, 2));
    assert_false(state_merge(&fx->space, &a, &third, JOIN, JOIN_PATHS));
    put(fx, &third, x, num(fx, 1));
    assert_true(state_merge(&fx->space, &a, &third, JOIN, JOIN_PATHS));
    assert_true(assume(fx, &a, bin(fx, IR_EQ, get(fx, &a, x), num(fx, 2)), true));
    assert_false(excludes(fx, &a, is_big, false));
}

// x = n == 3 || n == 5 ? 1 : 0
static void one_of_a_few_values_decides(void **state)
{
    Fixture *fx = *state;
    SymId n = sym_initial(fx->values, var(fx, VAR_N)), is_3 = bin(fx, IR_EQ, n, num(fx, 3)),
          is_5 = bin(fx, IR_EQ, n, num(fx, 5));
    LocId x = var(fx, VAR_X);
    State three = fx->empty, five = fx->empty, other = fx->empty;
    assert_true(assume(fx, &three, is_3, true) && assume(fx, &five, is_5, true));
    assert_true(assume(fx, &other, is_3, false) && assume(fx, &other, is_5, false));
    put(fx, &three, x, num(fx, 1));
    put(fx, &five, x, num(fx, 1));
    put(fx, &other, x, num(fx, 0));
    assert_true(state_merge(&fx->space, &three, &five, JOIN, JOIN_PATHS));
    assert_true(state_merge(&fx->space, &three, &other, JOIN + 1, JOIN_PATHS));
    assert_true(assume(fx, &three, get(fx, &three, x), true));
    assert_true(assume(fx, &three, is_3, false));
    assert_true(excludes(fx, &three, is_5, false));
}

static void states_of_other_signature_are_told_apart(void **state)
{
    Fixture *fx = *state;
    State a = fx->empty, b = fx->empty;
    assert_true(state_same_signature(&a, &b, true));
    put(fx, &b, var(fx, VAR_P), sym_resource(fx->values));
    assert_false(state_same_signature(&a, &b, true));
    put(fx, &a, var(fx, VAR_P), bin(fx, IR_ADD, sym_resource(fx->values), num(fx, 4)));
    assert_false(state_same_signature(&a, &b, true));
    b = a;
    b.status = RS_RELEASED;
    assert_false(state_same_signature(&a, &b, true));
}

static void a_new_call_finds_its_statics(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    put(fx, &s, var(fx, VAR_KEPT), sym_resource(fx->values));
    put(fx, &s, var(fx, VAR_P), sym_resource(fx->values));
    put(fx, &s, var(fx, VAR_X), num(fx, 1));
    state_keep_statics(&fx->space, &s);
    assert_true(holds(fx, &s, var(fx, VAR_KEPT)));
    assert_false(holds(fx, &s, var(fx, VAR_P)));
    assert_int_equal(get(fx, &s, var(fx, VAR_X)), sym_initial(fx->values, var(fx, VAR_X)));
}

static bool is_only(Fixture *fx, const State *state, SymId sym, int64_t value)
{
    int64_t known;
    Range range = state_range(&fx->space, state, sym);
    return range_is_point(&range, &known) && known == value;
}

static void remainders_go_round(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    SymId u = get(fx, &s, var(fx, VAR_U)), i = get(fx, &s, var(fx, VAR_I));
    SymId odd = bin(fx, IR_REM, u, num(fx, 2)), next = bin(fx, IR_ADD, u, num(fx, 1));
    assert_true(excludes(fx, &s, bin(fx, IR_EQ, odd, num(fx, 2)), true));
    assert_true(assume(fx, &s, odd, true));
    assert_true(is_only(fx, &s, odd, 1));
    // the same bit, and the next number's
    assert_true(is_only(fx, &s, bin(fx, IR_AND, u, num(fx, 1)), 1));
    assert_true(is_only(fx, &s, bin(fx, IR_REM, next, num(fx, 2)), 0));
    State t = fx->empty;
    assert_true(
        assume(fx, &t, bin(fx, IR_EQ, bin(fx, IR_REM, next, num(fx, 3)), num(fx, 0)), true));
    assert_true(is_only(fx, &t, bin(fx, IR_REM, u, num(fx, 3)), 2));
    // What may be negative has other remainders, and -1 has another next one.
    SymId of_any = bin(fx, IR_REM, i, num(fx, 2));
    assert_false(excludes(fx, &t, bin(fx, IR_EQ, of_any, num(fx, -1)), true));
    assert_true(assume(fx, &t, bin(fx, IR_EQ, of_any, num(fx, 1)), true));
    SymId after = bin(fx, IR_REM, bin(fx, IR_ADD, i, num(fx, -3)), num(fx, 2));
    assert_false(is_only(fx, &t, after, 0));
}

static void numbers_that_turn_stay_few(void **state)
{
    Fixture *fx = *state;
    State s = fx->empty;
    SymId u = get(fx, &s, var(fx, VAR_U));
    assert_true(assume(fx, &s, bin(fx, IR_LT, u, num(fx, 2)), true));
    SymId other = bin(fx, IR_SUB, num(fx, 1), u), flipped = bin(fx, IR_XOR, u, num(fx, 1));
    assert_true(excludes(fx, &s, bin(fx, IR_LT, num(fx, 1), other), true));
    assert_true(excludes(fx, &s, bin(fx, IR_LT, num(fx, 1), flipped), true));
    assert_true(assume(fx, &s, u, true));
    assert_true(is_only(fx, &s, other, 0));
    assert_true(is_only(fx, &s, flipped, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(locations_begin_with_what_they_held),
        TEST(writes_are_read_and_copies_are_apart),
        TEST(writing_a_whole_replaces_its_parts),
        TEST(copying_an_object_copies_its_parts),
        TEST(killing_ends_parts_and_holders),
        TEST(havoc_forgets_all_but_the_resource),
        TEST(havoc_of_parts_keeps_what_was_never_bound),
        TEST(families_hold_the_resource_for_any_element),
        TEST(another_element_is_not_the_resource),
        TEST(a_write_to_some_element_makes_all_uncertain),
        TEST(parts_of_some_element_are_uncertain_too),
        TEST(assumptions_exclude_their_opposite),
        TEST(constants_and_addresses_decide_themselves),
        TEST(comparisons_bound_both_sides),
        TEST(conjunctions_and_choices_split),
        TEST(a_status_tells_its_pointer),
        TEST(a_renewed_value_leaves_its_past_behind),
        TEST(what_was_known_of_the_past_stays_known),
        TEST(renewal_moves_memory_behind_the_old_value),
        TEST(counters_join_and_settle),
        TEST(what_was_read_last_time_is_not_what_is_read_now),
        TEST(facts_survive_the_rest_of_the_loop),
        TEST(list_elements_stay_apart),
        TEST(joins_keep_what_both_know),
        TEST(numbers_are_choices_by_what_tells_the_paths_apart),
        TEST(one_of_a_few_values_decides),
        TEST(states_of_other_signature_are_told_apart),
        TEST(a_new_call_finds_its_statics),
        TEST(remainders_go_round),
        TEST(numbers_that_turn_stay_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
