// SPDX-License-Identifier: MIT
// Computing and applying return facts.
#include "engine/return_facts.h"

#define MAX_RETURN_DEPTH 8

static IrVarId argument_var(const IrFunction *fn, uint32_t index)
{
    if (fn->this_var == IR_NONE) return fn->params.items[index];
    return index == 0 ? fn->this_var : fn->params.items[index - 1];
}

static uint32_t argument_count(const IrFunction *fn)
{
    return fn->params.len + (fn->this_var != IR_NONE ? 1 : 0);
}

static SymId argument_sym(EngineFn *ef, uint32_t index)
{
    return sym_initial(ef->space.values, loc_var(ef->space.values, argument_var(ef->fn, index)));
}

// ---- the result in terms of the parameters ------------------------------------------------------

static const ReturnExpr *export(Arena *arena, EngineFn *ef, SymId id, int depth)
{
    if (id == IR_NONE || depth > MAX_RETURN_DEPTH) return NULL;
    Sym sym = *sym_at(ef->space.values, id);
    ReturnExpr expr = {.op = sym.op};
    if (sym.kind == SYM_INT) {
        expr.kind = RX_INT;
        expr.value = sym.value;
    } else if (sym.kind == SYM_INITIAL) {
        uint32_t index = 0, count = argument_count(ef->fn);
        while (index < count && argument_sym(ef, index) != id) index++;
        if (index == count) return NULL;
        expr.kind = RX_PARAM;
        expr.value = index;
    } else if (sym.kind == SYM_UNARY || sym.kind == SYM_BINARY || sym.kind == SYM_ITE) {
        expr.kind = sym.kind == SYM_UNARY ? RX_UNARY : sym.kind == SYM_BINARY ? RX_BINARY : RX_ITE;
        expr.a = export(arena, ef, sym.a, depth + 1);
        expr.b = sym.b == IR_NONE ? NULL : export(arena, ef, sym.b, depth + 1);
        expr.c = sym.c == IR_NONE ? NULL : export(arena, ef, sym.c, depth + 1);
        if (!expr.a || (sym.b != IR_NONE && !expr.b) || (sym.c != IR_NONE && !expr.c)) return NULL;
    } else {
        return NULL;
    }
    ReturnExpr *copy = ARENA_NEW(arena, ReturnExpr);
    *copy = expr;
    return copy;
}

static SymId import(EngineFn *ef, const ReturnExpr *expr, const CallSite *site)
{
    Values *values = ef->space.values;
    switch (expr->kind) {
    case RX_INT:
        return sym_int(values, expr->value);
    case RX_PARAM:
        return (uint64_t)expr->value < site->count ? site->args[expr->value] : IR_NONE;
    case RX_UNARY:
        return sym_unary(values, expr->op, import(ef, expr->a, site));
    case RX_BINARY: {
        SymId a = import(ef, expr->a, site);
        return sym_binary(values, expr->op, a, import(ef, expr->b, site));
    }
    case RX_ITE: {
        SymId condition = import(ef, expr->a, site), then = import(ef, expr->b, site);
        return sym_ite(values, condition, then, import(ef, expr->c, site));
    }
    }
    return IR_NONE;
}

// The argument is zero in this state, not zero, or either.
typedef enum { ZERO_YES, ZERO_NO, ZERO_MAYBE } ZeroFact;

static ZeroFact zero_fact(EngineFn *ef, const State *state, SymId argument)
{
    Range range = state_range(&ef->space, state, argument);
    int64_t value;
    if (!range_contains(&range, 0)) return ZERO_NO;
    return range_is_point(&range, &value) ? ZERO_YES : ZERO_MAYBE;
}

// Two returns that a parameter's being zero tells apart: `argument == 0 ? when_zero : otherwise`.
static const ReturnExpr *by_zero_argument(Arena *arena, EngineFn *ef, uint32_t index)
{
    SymId argument = argument_sym(ef, index), when_zero = IR_NONE, otherwise = IR_NONE;
    for (uint32_t i = 0; i < ef->returns.len; i++) {
        ZeroFact fact = zero_fact(ef, &ef->returns.items[i], argument);
        SymId *slot = fact == ZERO_YES ? &when_zero : &otherwise;
        bool conflict = *slot != IR_NONE && *slot != ef->return_values.items[i];
        if (fact == ZERO_MAYBE || conflict) return NULL;
        *slot = ef->return_values.items[i];
    }
    if (when_zero == IR_NONE || otherwise == IR_NONE) return NULL;
    SymId is_zero = sym_not(ef->space.values, argument);
    return export(arena, ef, sym_ite(ef->space.values, is_zero, when_zero, otherwise), 0);
}

static const ReturnExpr *common_result(Arena *arena, EngineFn *ef)
{
    if (ef->return_values.len == 0) return NULL;
    bool same = true;
    for (uint32_t i = 1; i < ef->return_values.len; i++)
        same &= ef->return_values.items[i] == ef->return_values.items[0];
    if (same) return export(arena, ef, ef->return_values.items[0], 0);
    for (uint32_t index = 0; index < argument_count(ef->fn); index++) {
        const ReturnExpr *expr = by_zero_argument(arena, ef, index);
        if (expr) return expr;
    }
    return NULL;
}

static Range hull_over(EngineFn *ef, const State *states, uint32_t count, SymId argument)
{
    Range hull = count == 0 ? range_full() : state_range(&ef->space, &states[0], argument);
    for (uint32_t i = 1; i < count; i++) {
        Range range = state_range(&ef->space, &states[i], argument);
        hull = range_hull(&hull, &range);
    }
    return hull;
}

void return_facts_compute(Arena *arena, EngineFn *ef, ReturnFacts *facts)
{
    if (ef->gave_up) return;
    facts->known = true;
    facts->returns = ef->returns.len > 0;
    facts->throws = ef->throws.len > 0;
    facts->arg_count = argument_count(ef->fn);
    facts->when_returned = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    facts->when_thrown = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    for (uint32_t i = 0; i < facts->arg_count; i++) {
        SymId argument = argument_sym(ef, i);
        facts->when_returned[i] = hull_over(ef, ef->returns.items, ef->returns.len, argument);
        facts->when_thrown[i] = hull_over(ef, ef->throws.items, ef->throws.len, argument);
    }
    facts->result = common_result(arena, ef);
}

// ---- at a call ----------------------------------------------------------------------------------

static bool restrict_arguments(EngineFn *ef, State *state, const CallSite *site,
                               const Range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < site->count && i < count; i++)
        if (!range_is_full(&ranges[i]) &&
            !state_narrow(&ef->space, state, site->args[i], ranges[i]))
            return false;
    return true;
}

void engine_apply_return_facts(EngineFn *ef, State *state, CallSite *site)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    if (!summary || !summary->returns.known) return;
    const ReturnFacts *facts = &summary->returns;
    if (facts->throws) {
        State thrown = *state;
        if (restrict_arguments(ef, &thrown, site, facts->when_thrown, facts->arg_count)) {
            if (ef->site)
                state_remark(
                    &ef->space, &thrown, ef->instr->loc,
                    arena_printf(ef->space.arena, "'%s' throws an exception", site->callee->name));
            thrown.thrown_at = ef->instr->loc;
            engine_leave_by_exception(ef, &thrown, site->call->unwind);
        }
    }
    if (!facts->returns ||
        !restrict_arguments(ef, state, site, facts->when_returned, facts->arg_count)) {
        state->dead = true;
        return;
    }
    if (facts->result) site->result = import(ef, facts->result, site);
}
