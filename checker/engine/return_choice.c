// SPDX-License-Identifier: MIT
// Which of several values a function leaves, as a choice between them: conditions on what places
// held when it was called tell its returns apart. `e == 0 ? 0 : -1` comes out of a ternary, of an
// `if`, of a switch and of a variable alike.
// Requires the returns of EngineFn.returns, one for each path where that could be afforded.
#include "engine/return_expr.h"

enum {
    MAX_RETURNS = 32,
    MAX_CONDITIONS = 16,
    MAX_CHOICES = 4, // one inside another
};

typedef uint32_t ReturnSet; // a bit for each return

// A condition, with the returns on which it may be true, and those on which it may be false.
typedef struct {
    SymId truth;
    const ReturnExpr *expr;
    bool is_zero; // some value is zero
    ReturnSet when_true, when_false;
} Condition;

struct ReturnChoice {
    EngineFn *ef;
    Arena *arena; // of the summary
    uint32_t condition_count;
    Condition conditions[MAX_CONDITIONS];
    bool has_conditions; // the above was filled in
    int64_t ranges;      // expressions RX_RANGE made so far
};

ReturnChoice *return_choice_new(Arena *arena, EngineFn *ef)
{
    ReturnChoice *choice = ARENA_NEW(ef->arena, ReturnChoice);
    *choice = (ReturnChoice){.ef = ef, .arena = arena};
    return choice;
}

// ---- conditions ---------------------------------------------------------------------------------

// `value` lies in the range, as a truth value; IR_NONE when that is not one comparison.
static SymId lies_in(Values *values, SymId value, const Range *range)
{
    int64_t point;
    if (range_is_point(range, &point))
        return sym_binary(values, IR_EQ, value, sym_int(values, point));
    if (range->lo == INT64_MIN && range->hi != INT64_MAX)
        return sym_binary(values, IR_LE, value, sym_int(values, range->hi));
    if (range->hi == INT64_MAX && range->lo > 0)
        return sym_binary(values, IR_GE, value, sym_int(values, range->lo));
    if (range->excluded_count != 1) return IR_NONE;
    return sym_binary(values, IR_NE, value, sym_int(values, range->excluded[0]));
}

static void add_condition(void *context, uint32_t value, uint32_t range_id)
{
    ReturnChoice *choice = context;
    EngineFn *ef = choice->ef;
    const Range *range = &ef->space.ranges.items[range_id];
    if (choice->condition_count == MAX_CONDITIONS) return;
    SymId truth = lies_in(ef->space.values, value, range);
    for (uint32_t i = 0; i < choice->condition_count; i++)
        if (choice->conditions[i].truth == truth) return;
    if (truth == IR_NONE) return;
    Condition condition = {.truth = truth, .is_zero = range->lo == 0 && range->hi == 0};
    condition.expr = return_expr_of(choice->arena, ef, truth);
    if (!condition.expr) return;
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        State holds = ef->returns.states.items[i], fails = holds;
        if (state_assume(&ef->space, &holds, truth, true)) condition.when_true |= 1U << i;
        if (state_assume(&ef->space, &fails, truth, false)) condition.when_false |= 1U << i;
    }
    choice->conditions[choice->condition_count++] = condition;
}

static void find_conditions(ReturnChoice *choice)
{
    const EngineFn *ef = choice->ef;
    for (uint32_t i = 0; i < ef->returns.states.len && !choice->has_conditions; i++)
        pmap_each(ef->returns.states.items[i].ranges, add_condition, choice);
    choice->has_conditions = true;
}

// ---- choosing -----------------------------------------------------------------------------------

static bool is_one_value(const SymId *values, ReturnSet among)
{
    uint32_t first = (uint32_t)__builtin_ctz(among);
    for (uint32_t i = first; i < MAX_RETURNS; i++)
        if ((among >> i & 1) && values[i] != values[first]) return false;
    return true;
}

static const ReturnExpr *some_value(ReturnChoice *choice, const SymId *values, ReturnSet among)
{
    EngineFn *ef = choice->ef;
    Range hull = {0};
    bool found = false;
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        if (!(among >> i & 1)) continue;
        Range range = state_range(&ef->space, &ef->returns.states.items[i], values[i]);
        hull = found ? range_hull(&hull, &range) : range;
        found = true;
    }
    Range *range = ARENA_NEW(choice->arena, Range);
    *range = hull;
    ReturnExpr *expr = ARENA_NEW(choice->arena, ReturnExpr);
    *expr = (ReturnExpr){.kind = RX_RANGE, .value = choice->ranges++, .range = range};
    return expr;
}

// The condition that leaves the fewest values on either side; NULL when none parts the returns.
static const Condition *best_condition(const ReturnChoice *choice, const SymId *values,
                                       ReturnSet among)
{
    const Condition *best = NULL;
    int best_worth = 0;
    for (uint32_t i = 0; i < choice->condition_count; i++) {
        const Condition *condition = &choice->conditions[i];
        ReturnSet then = among & condition->when_true, other = among & condition->when_false;
        if (then == among || other == among || then == 0 || other == 0) continue;
        int worth = 1 + 2 * is_one_value(values, then) + 2 * is_one_value(values, other) +
                    condition->is_zero;
        if (worth > best_worth) best = condition;
        if (worth > best_worth) best_worth = worth;
    }
    return best;
}

// The condition says nothing of the value: it is of one range either way.
static bool are_alike(const ReturnExpr *a, const ReturnExpr *b)
{
    return a->kind == RX_RANGE && b->kind == RX_RANGE && range_equal(a->range, b->range);
}

static const ReturnExpr *choose(ReturnChoice *choice, const SymId *values, ReturnSet among,
                                int depth)
{
    if (is_one_value(values, among)) {
        SymId value = values[__builtin_ctz(among)];
        const ReturnExpr *expr = return_expr_of(choice->arena, choice->ef, value);
        if (expr) return expr;
    }
    const Condition *condition = depth < MAX_CHOICES ? best_condition(choice, values, among) : NULL;
    if (!condition) return some_value(choice, values, among);
    ReturnExpr expr = {.kind = RX_ITE, .a = condition->expr};
    expr.b = choose(choice, values, among & condition->when_true, depth + 1);
    expr.c = choose(choice, values, among & condition->when_false, depth + 1);
    if (are_alike(expr.b, expr.c)) return expr.b;
    ReturnExpr *copy = ARENA_NEW(choice->arena, ReturnExpr);
    *copy = expr;
    return copy;
}

const ReturnExpr *return_choice_of(ReturnChoice *choice, const SymId *values)
{
    uint32_t count = choice->ef->returns.states.len;
    if (count == 0 || count > MAX_RETURNS) return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (values[i] == IR_NONE) return NULL;
    ReturnSet all = count == MAX_RETURNS ? ~0U : (1U << count) - 1;
    if (!is_one_value(values, all)) find_conditions(choice);
    const ReturnExpr *expr = choose(choice, values, all, 0);
    return expr->kind == RX_RANGE ? NULL : expr;
}
