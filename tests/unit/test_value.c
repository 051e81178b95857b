// SPDX-License-Identifier: MIT
// Symbolic values: what simplification makes of an expression has the expression's value under
// every assignment, and conditions written differently become one symbol. Locations: projection,
// shifting, rebasing, families.
#include "engine/value.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "record S { a: int; b: int*; }\n"
                           "func f(a: int, b: int, u: u32, t: bool, p: int*, q: int*) {\n"
                           "  var s: S\n"
                           "  var v: int*[8]\n"
                           "  return\n"
                           "}\n";

enum { VAR_A, VAR_B, VAR_U, VAR_T, VAR_P, VAR_Q, VAR_S, VAR_V, VAR_COUNT };

typedef struct {
    Arena *arena;
    IrUnit *unit;
    Values *values;
    SymId vars[VAR_COUNT];
} Fixture;

static int setup(void **state)
{
    Arena *arena = arena_new("test");
    Fixture *fx = ARENA_NEW(arena, Fixture);
    fx->arena = arena;
    Err err = {0};
    if (ir_parse(arena, text, &fx->unit, &err) != ST_OK) return -1;
    fx->values = values_new(arena, fx->unit, fx->unit->functions.items[0]);
    for (IrVarId var = 0; var < VAR_COUNT; var++)
        fx->vars[var] = sym_initial(fx->values, loc_var(fx->values, var));
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    Fixture *fx = *state;
    arena_free(fx->arena);
    return 0;
}

// ---- values -------------------------------------------------------------------------------------

typedef struct {
    int64_t of[VAR_COUNT];
} Assignment;

static bool apply(IrOperator op, int64_t x, int64_t y, int64_t *out)
{
    switch (op) {
    case IR_ADD:
        *out = x + y;
        return true;
    case IR_SUB:
        *out = x - y;
        return true;
    case IR_MUL:
        *out = x * y;
        return true;
    case IR_AND:
        *out = x & y;
        return true;
    case IR_OR:
        *out = x | y;
        return true;
    case IR_XOR:
        *out = x ^ y;
        return true;
    case IR_EQ:
        *out = x == y;
        return true;
    case IR_NE:
        *out = x != y;
        return true;
    case IR_LT:
        *out = x < y;
        return true;
    case IR_LE:
        *out = x <= y;
        return true;
    case IR_GT:
        *out = x > y;
        return true;
    case IR_GE:
        *out = x >= y;
        return true;
    default:
        return false;
    }
}

static int64_t value_of(const Fixture *fx, SymId id, const Assignment *given)
{
    const Sym *sym = sym_at(fx->values, id);
    int64_t out = 0;
    switch (sym->kind) {
    case SYM_INT:
        return sym->value;
    case SYM_INITIAL:
        return given->of[loc_at(fx->values, sym->loc)->var];
    case SYM_UNARY:
        assert_int_equal(sym->op, IR_BITNOT);
        return ~value_of(fx, sym->a, given);
    case SYM_BINARY:
        assert_true(apply(sym->op, value_of(fx, sym->a, given), value_of(fx, sym->b, given), &out));
        return out;
    case SYM_ITE:
        return value_of(fx, value_of(fx, sym->a, given) != 0 ? sym->b : sym->c, given);
    default:
        fail_msg("unexpected kind %d", (int)sym->kind);
    }
    return 0;
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

#define ASSIGNMENTS 24

// A random expression: its symbol, and its value under each assignment.
typedef struct {
    SymId sym; // IR_NONE: too deep
    int64_t value[ASSIGNMENTS];
} Sample;

static Sample random_leaf(const Fixture *fx, uint64_t *seed, const Assignment *given)
{
    Sample out;
    uint32_t pick = next_random(seed) % 6;
    bool is_var = pick < 4;
    int64_t constant = (int64_t)(next_random(seed) % 5) - 2;
    out.sym = is_var ? fx->vars[pick] : sym_int(fx->values, constant);
    for (int i = 0; i < ASSIGNMENTS; i++) out.value[i] = is_var ? given[i].of[pick] : constant;
    return out;
}

static Sample random_sample(const Fixture *fx, uint64_t *seed, const Assignment *given, int depth)
{
    static const IrOperator ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR,
                                     IR_EQ,  IR_NE,  IR_LT,  IR_LE,  IR_GT, IR_GE};
    if (depth == 0 || next_random(seed) % 5 == 0) return random_leaf(fx, seed, given);
    Sample a = random_sample(fx, seed, given, depth - 1),
           b = random_sample(fx, seed, given, depth - 1), out;
    uint32_t form = next_random(seed) % 8;
    if (form == 0) {
        out.sym = sym_unary(fx->values, IR_NOT, a.sym);
        for (int i = 0; i < ASSIGNMENTS; i++) out.value[i] = !a.value[i];
    } else if (form == 1) {
        out.sym = sym_unary(fx->values, IR_NEG, a.sym);
        for (int i = 0; i < ASSIGNMENTS; i++) out.value[i] = -a.value[i];
    } else if (form == 2) {
        Sample c = random_sample(fx, seed, given, depth - 1);
        out.sym = sym_ite(fx->values, a.sym, b.sym, c.sym);
        for (int i = 0; i < ASSIGNMENTS; i++)
            out.value[i] = a.value[i] != 0 ? b.value[i] : c.value[i];
    } else {
        IrOperator op = ops[next_random(seed) % (sizeof ops / sizeof ops[0])];
        out.sym = sym_binary(fx->values, op, a.sym, b.sym);
        for (int i = 0; i < ASSIGNMENTS; i++)
            assert_true(apply(op, a.value[i], b.value[i], &out.value[i]));
    }
    return out;
}

static void simplification_keeps_the_value(void **state)
{
    const Fixture *fx = *state;
    uint64_t seed = 7;
    Assignment given[ASSIGNMENTS];
    for (int i = 0; i < ASSIGNMENTS; i++) {
        given[i].of[VAR_A] = (int64_t)(next_random(&seed) % 7) - 3;
        given[i].of[VAR_B] = (int64_t)(next_random(&seed) % 7) - 3;
        given[i].of[VAR_U] = (int64_t)(next_random(&seed) % 4);
        given[i].of[VAR_T] = (int64_t)(next_random(&seed) % 2);
    }
    int known = 0;
    for (int round = 0; round < 20000; round++) {
        Sample sample = random_sample(fx, &seed, given, 4);
        if (sample.sym == IR_NONE) continue;
        known++;
        const Sym *sym = sym_at(fx->values, sample.sym);
        for (int i = 0; i < ASSIGNMENTS; i++) {
            int64_t value = value_of(fx, sample.sym, &given[i]);
            assert_true(value == sample.value[i]);
            if (sym->is_bool) assert_true(value == 0 || value == 1);
            if (sym->is_unsigned) assert_true(value >= 0);
            if (sym_is_nonzero(fx->values, sample.sym)) assert_true(value != 0);
        }
    }
    assert_true(known > 15000);
}

static SymId bin(const Fixture *fx, IrOperator op, SymId a, SymId b)
{
    return sym_binary(fx->values, op, a, b);
}

static SymId num(const Fixture *fx, int64_t value)
{
    return sym_int(fx->values, value);
}

static void comparisons_have_one_shape(void **state)
{
    const Fixture *fx = *state;
    SymId a = fx->vars[VAR_A], b = fx->vars[VAR_B], zero = num(fx, 0);
    assert_int_equal(bin(fx, IR_LT, a, b), bin(fx, IR_GT, b, a));
    assert_int_equal(bin(fx, IR_GE, a, b), sym_not(fx->values, bin(fx, IR_LT, a, b)));
    assert_int_equal(bin(fx, IR_LE, a, b), sym_not(fx->values, bin(fx, IR_LT, b, a)));
    assert_int_equal(bin(fx, IR_EQ, a, b), bin(fx, IR_EQ, b, a));
    assert_int_equal(bin(fx, IR_NE, a, zero), sym_truth(fx->values, a));
    assert_int_equal(bin(fx, IR_NE, zero, a), sym_truth(fx->values, a));
    assert_int_equal(bin(fx, IR_EQ, bin(fx, IR_ADD, a, num(fx, 2)), num(fx, 5)),
                     bin(fx, IR_EQ, a, num(fx, 3)));
    assert_int_equal(bin(fx, IR_LT, bin(fx, IR_SUB, a, num(fx, 1)), num(fx, 5)),
                     bin(fx, IR_LT, a, num(fx, 6)));
}

static void truth_values_fold(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    SymId a = fx->vars[VAR_A], t = fx->vars[VAR_T];
    SymId truth = sym_truth(values, a);
    assert_int_equal(sym_truth(values, truth), truth);
    assert_int_equal(sym_not(values, sym_not(values, t)), t);
    assert_int_equal(sym_truth(values, t), t);
    assert_int_equal(bin(fx, IR_EQ, t, num(fx, 1)), t);
    assert_int_equal(bin(fx, IR_NE, truth, num(fx, 0)), truth);
    assert_int_equal(bin(fx, IR_EQ, t, num(fx, 2)), num(fx, 0));
    assert_int_equal(bin(fx, IR_LT, fx->vars[VAR_U], num(fx, 0)), num(fx, 0));
}

static void choices_fold(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    SymId a = fx->vars[VAR_A], t = fx->vars[VAR_T], one = num(fx, 1), zero = num(fx, 0);
    SymId address = sym_addr(values, loc_var(values, VAR_A));
    assert_int_equal(sym_ite(values, t, one, zero), t);
    assert_int_equal(sym_ite(values, t, zero, one), sym_not(values, t));
    assert_int_equal(sym_ite(values, t, a, a), a);
    assert_int_equal(sym_ite(values, address, a, zero), a);
    // (t ? 2 : 3) == 2 is t
    assert_int_equal(bin(fx, IR_EQ, sym_ite(values, t, num(fx, 2), num(fx, 3)), num(fx, 2)), t);
    assert_int_equal(bin(fx, IR_NE, sym_ite(values, t, num(fx, 2), num(fx, 3)), num(fx, 2)),
                     sym_not(values, t));
}

static void addresses_compare(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId s = loc_var(values, VAR_S), a = loc_var(values, VAR_A);
    assert_int_equal(bin(fx, IR_EQ, sym_addr(values, s), sym_addr(values, a)), num(fx, 0));
    assert_int_equal(bin(fx, IR_EQ, sym_addr(values, s), num(fx, 0)), num(fx, 0));
    assert_int_equal(bin(fx, IR_EQ, sym_resource(values), num(fx, 0)), num(fx, 0));
    // The first field lies where the object lies; what two pointers point to may be the same.
    int64_t known;
    SymId first = bin(fx, IR_EQ, sym_addr(values, s), sym_addr(values, loc_field(values, s, "a")));
    assert_false(sym_is_int(values, first, &known));
    LocId p1 = loc_index(values, loc_mem(values, fx->vars[VAR_P]), 1),
          q1 = loc_index(values, loc_mem(values, fx->vars[VAR_Q]), 1);
    assert_false(
        sym_is_int(values, bin(fx, IR_EQ, sym_addr(values, p1), sym_addr(values, q1)), &known));
    LocId p2 = loc_index(values, loc_mem(values, fx->vars[VAR_P]), 2);
    assert_int_equal(bin(fx, IR_EQ, sym_addr(values, p1), sym_addr(values, p2)), num(fx, 0));
}

static void the_resource_shows_in_what_it_makes(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    SymId resource = sym_resource(values), a = fx->vars[VAR_A];
    assert_int_equal(sym_resource_relation(values, resource), RES_EXACT);
    assert_int_equal(sym_resource_relation(values, bin(fx, IR_ADD, resource, a)), RES_DERIVED);
    assert_int_equal(sym_resource_relation(values, bin(fx, IR_ADD, a, resource)), RES_DERIVED);
    assert_int_equal(sym_resource_relation(values, bin(fx, IR_ADD, resource, num(fx, 0))),
                     RES_EXACT);
    assert_int_equal(
        sym_resource_relation(values, bin(fx, IR_SUB, bin(fx, IR_ADD, resource, a), a)), RES_EXACT);
    assert_int_equal(sym_resource_relation(values, bin(fx, IR_EQ, resource, a)), RES_NONE);
    assert_int_equal(sym_resource_relation(values, sym_truth(values, resource)), RES_NONE);
    assert_int_equal(sym_resource_relation(values, a), RES_NONE);
    SymId inside = sym_addr(values, loc_index(values, loc_mem(values, resource), 3));
    assert_int_equal(sym_resource_relation(values, inside), RES_DERIVED);
    SymId content = sym_initial(values, loc_index(values, loc_mem(values, resource), 3));
    assert_int_equal(sym_resource_relation(values, content), RES_NONE);
}

static void replacing_goes_through_memory(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId a = loc_var(values, VAR_A);
    SymId fresh = sym_fresh(values, 4, a), older = sym_older(values, fresh);
    assert_int_equal(sym_older(values, older), older);
    SymId sum = bin(fx, IR_ADD, fresh, fx->vars[VAR_B]);
    assert_true(sym_mentions(values, sum, fresh));
    assert_false(sym_mentions(values, older, sum));
    assert_int_equal(sym_replace(values, sum, fresh, older),
                     bin(fx, IR_ADD, older, fx->vars[VAR_B]));
    assert_int_equal(sym_replace(values, fx->vars[VAR_B], fresh, older), fx->vars[VAR_B]);
    SymId through = sym_initial(values, loc_field(values, loc_pointee(values, fresh), "a"));
    assert_true(sym_mentions(values, through, fresh));
    SymId moved = sym_initial(values, loc_field(values, loc_pointee(values, older), "a"));
    assert_int_equal(sym_replace(values, through, fresh, older), moved);
    // Replacing folds again.
    SymId test = bin(fx, IR_EQ, fresh, num(fx, 3));
    assert_int_equal(sym_replace(values, test, fresh, num(fx, 3)), num(fx, 1));
}

static void large_expressions_are_given_up(void **state)
{
    const Fixture *fx = *state;
    SymId sym = fx->vars[VAR_A];
    int depth = 0;
    while (sym != IR_NONE && depth < 100) {
        sym = bin(fx, IR_MUL, sym, fx->vars[VAR_B]);
        depth++;
    }
    assert_int_equal(sym, IR_NONE);
    assert_true(depth > 5 && depth < 60);
    assert_int_equal(bin(fx, IR_ADD, IR_NONE, fx->vars[VAR_A]), IR_NONE);
    assert_int_equal(sym_ite(fx->values, IR_NONE, fx->vars[VAR_A], fx->vars[VAR_B]), IR_NONE);
}

// What is walked through grows with each operand, not only with the condition.
static void nested_choices_are_given_up(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    SymId chain = fx->vars[VAR_A], tree = fx->vars[VAR_A];
    int links = 0, levels = 0;
    for (; chain != IR_NONE && links < 1000; links++)
        chain = sym_ite(values, bin(fx, IR_EQ, fx->vars[VAR_B], sym_int(values, links)),
                        fx->vars[VAR_P], chain);
    for (; tree != IR_NONE && levels < 100; levels++)
        tree = sym_ite(values, bin(fx, IR_EQ, fx->vars[VAR_B], sym_int(values, levels)),
                       bin(fx, IR_MUL, tree, fx->vars[VAR_U]), tree);
    assert_true(chain == IR_NONE && links > 5 && links < 40);
    assert_true(tree == IR_NONE && levels > 2 && levels < 8);
}

// ---- locations ----------------------------------------------------------------------------------

static void locations_are_interned(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId v = loc_var(values, VAR_V);
    assert_int_equal(loc_var(values, VAR_V), v);
    assert_int_equal(loc_index(values, v, 3), loc_element(values, v, num(fx, 3)));
    assert_int_equal(loc_any(values, v), loc_element(values, v, fx->vars[VAR_A]));
    assert_int_not_equal(loc_index(values, v, 3), loc_index(values, v, 4));
    assert_true(loc_is_within(values, loc_field(values, loc_index(values, v, 3), "a"), v));
    assert_false(loc_is_within(values, v, loc_index(values, v, 3)));
}

static void pointees_follow_arithmetic(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    SymId p = fx->vars[VAR_P];
    LocId first = loc_pointee(values, p), v2 = loc_index(values, loc_var(values, VAR_V), 2);
    assert_int_equal(sym_addr(values, first), p);
    assert_int_equal(loc_pointee(values, sym_addr(values, v2)), v2);
    assert_int_equal(loc_pointee(values, bin(fx, IR_ADD, p, num(fx, 3))),
                     loc_index(values, loc_mem(values, p), 3));
    assert_int_equal(loc_pointee(values, bin(fx, IR_ADD, p, fx->vars[VAR_A])),
                     loc_any(values, loc_mem(values, p)));
    assert_int_equal(loc_pointee(values, bin(fx, IR_ADD, sym_addr(values, v2), num(fx, -2))),
                     loc_index(values, loc_var(values, VAR_V), 0));
    assert_int_equal(loc_shift(values, v2, num(fx, 0)), v2);
    assert_int_equal(loc_shift(values, v2, IR_NONE), loc_any(values, loc_var(values, VAR_V)));
    assert_int_equal(loc_shift(values, loc_any(values, v2), num(fx, 1)), loc_any(values, v2));
}

static void families_forget_indices(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId v = loc_var(values, VAR_V), any = loc_any(values, v);
    LocId field = loc_field(values, loc_index(values, v, 3), "a"),
          any_field = loc_field(values, any, "a");
    assert_int_equal(loc_at(values, loc_index(values, v, 3))->family, any);
    assert_int_equal(loc_at(values, field)->family, any_field);
    assert_int_equal(loc_at(values, any_field)->family, any_field);
    assert_int_equal(loc_at(values, v)->family, v);
    assert_int_equal(loc_at(values, loc_index(values, loc_index(values, v, 1), 2))->family,
                     loc_any(values, any));
    assert_true(loc_at(values, any_field)->is_family);
    assert_false(loc_at(values, field)->is_family);
}

static void rebasing_moves_parts(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId s = loc_var(values, VAR_S), v = loc_var(values, VAR_V);
    LocId part = loc_field(values, loc_index(values, loc_field(values, s, "b"), 2), "a");
    LocId moved = loc_field(values, loc_index(values, loc_field(values, v, "b"), 2), "a");
    assert_int_equal(loc_rebase(values, part, s, v), moved);
    assert_int_equal(loc_rebase(values, s, s, v), v);
    SymId whole = sym_initial(values, s);
    assert_int_equal(sym_part(values, whole, v, moved), sym_initial(values, part));
    SymId fresh = sym_fresh(values, 9, s);
    assert_int_equal(sym_part(values, fresh, v, moved), sym_fresh(values, 9, part));
    assert_int_equal(sym_part(values, num(fx, 0), v, moved), num(fx, 0));
}

static void endless_chains_are_cut(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId loc = loc_var(values, VAR_S);
    for (int i = 0; i < 200; i++)
        loc = loc_pointee(values, sym_initial(values, loc_field(values, loc, "b")));
    assert_true(loc_at(values, loc)->depth < 64);
    loc = loc_var(values, VAR_S);
    for (int i = 0; i < 200; i++) loc = loc_field(values, loc, "a");
    assert_int_equal(loc_field(values, loc, "a"), loc);
}

static void locations_read_like_the_source(void **state)
{
    const Fixture *fx = *state;
    Values *values = fx->values;
    LocId v = loc_var(values, VAR_V), s = loc_var(values, VAR_S),
          pointee = loc_pointee(values, fx->vars[VAR_P]);
    assert_string_equal(loc_text(fx->arena, values, loc_index(values, v, 3)), "v[3]");
    assert_string_equal(loc_text(fx->arena, values, loc_any(values, v)), "v[...]");
    assert_string_equal(loc_text(fx->arena, values, loc_field(values, s, "b")), "s.b");
    assert_string_equal(loc_text(fx->arena, values, pointee), "*p");
    assert_string_equal(loc_text(fx->arena, values, loc_field(values, pointee, "b")), "p->b");
    assert_string_equal(
        loc_text(fx->arena, values, loc_index(values, loc_mem(values, fx->vars[VAR_P]), 2)),
        "p[2]");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(simplification_keeps_the_value),
        TEST(comparisons_have_one_shape),
        TEST(truth_values_fold),
        TEST(choices_fold),
        TEST(addresses_compare),
        TEST(the_resource_shows_in_what_it_makes),
        TEST(replacing_goes_through_memory),
        TEST(large_expressions_are_given_up),
        TEST(nested_choices_are_given_up),
        TEST(locations_are_interned),
        TEST(pointees_follow_arithmetic),
        TEST(families_forget_indices),
        TEST(rebasing_moves_parts),
        TEST(endless_chains_are_cut),
        TEST(locations_read_like_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
