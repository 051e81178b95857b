// SPDX-License-Identifier: MIT
// A join gives a loop's counter a new value, of which only a range is known. What the old one was
// modulo a small constant, plus the step, the new one is, too.
#include "engine/phase.h"

#include "engine/state_p.h"

enum {
    MAX_CYCLE = 8, // longer ones are no rings of buffers
    MAX_PHASES = 8,
};

static const IrPlace *variable_of(const EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_without_casts(ef->fn, id);
    if (expr->kind == IR_EX_BINARY && (expr->op == IR_ADD || expr->op == IR_SUB) &&
        ir_without_casts(ef->fn, expr->b)->kind == IR_EX_INT)
        expr = ir_without_casts(ef->fn, expr->a);
    if (expr->kind != IR_EX_LOAD) return NULL;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    return place->kind == IR_PL_VAR ? place : NULL;
}

static void note(StateSpace *space, Phase phase)
{
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *known = &space->phases.items[i];
        if (known->var == phase.var && known->is_residue == phase.is_residue &&
            known->op == phase.op && known->by == phase.by)
            return;
    }
    if (space->phases.len < MAX_PHASES) vec_push(space->fn_arena, &space->phases, phase);
}

// The value changes with the rounds of a loop: a join gave it.
static bool is_of_round(const StateSpace *space, SymId id)
{
    const Sym *sym = sym_at(space->values, id);
    if (sym->kind == SYM_FRESH && sym->point >= space->join_points) return true;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && is_of_round(space, operands[i])) return true;
    return false;
}

static void note_untold(StateSpace *space, SymId residue)
{
    if (!is_of_round(space, residue)) return;
    for (uint32_t i = 0; i < space->residues.len; i++)
        if (space->residues.items[i] == residue) return;
    if (space->residues.len < MAX_PHASES) vec_push(space->fn_arena, &space->residues, residue);
}

void phase_note_residue(EngineFn *ef, const IrExpr *expr, SymId left, SymId right)
{
    StateSpace *space = &ef->space;
    int64_t by;
    if (expr->op != IR_REM && expr->op != IR_AND) return;
    if (left == IR_NONE || right == IR_NONE || !sym_is_int(space->values, right, &by)) return;
    bool is_small = expr->op == IR_REM ? by > 1 && by <= MAX_CYCLE : by > 0 && by < MAX_CYCLE;
    if (!is_small) return;
    const IrPlace *place = variable_of(ef, expr->a);
    if (place) {
        note(space, (Phase){.var = loc_var(space->values, place->var),
                            .is_residue = true,
                            .op = expr->op,
                            .by = by});
        return;
    }
    SymId residue = sym_binary(space->values, expr->op, left, right);
    if (residue != IR_NONE) note_untold(space, residue);
}

static bool loads(const EngineFn *ef, IrExprId id, IrVarId var)
{
    const IrPlace *place = variable_of(ef, id);
    return place && place->var == var;
}

void phase_note_turn(EngineFn *ef, IrPlaceId to, IrExprId value)
{
    const IrPlace *place = ir_place(ef->fn, to);
    if (place->kind != IR_PL_VAR) return;
    const IrExpr *expr = ir_without_casts(ef->fn, value);
    bool turns = false;
    if (expr->kind == IR_EX_UNARY) turns = expr->op == IR_NOT && loads(ef, expr->a, place->var);
    if (expr->kind == IR_EX_BINARY && expr->op == IR_SUB)
        turns = loads(ef, expr->b, place->var) && !loads(ef, expr->a, place->var);
    else if (expr->kind == IR_EX_BINARY)
        turns =
            (expr->op == IR_XOR || expr->op == IR_REM || expr->op == IR_AND || expr->op == IR_EQ) &&
            loads(ef, expr->a, place->var);
    if (turns) note(&ef->space, (Phase){.var = loc_var(ef->space.values, place->var)});
}

// ---- what is known of a phase -------------------------------------------------------------------

// The value whose range says in which phase a variable is that has the value.
static SymId phase_value(StateSpace *space, const Phase *phase, SymId value)
{
    if (!phase->is_residue) return value;
    return sym_binary(space->values, phase->op, value, sym_int(space->values, phase->by));
}

static bool value_is_known(StateSpace *space, const State *state, SymId value, int64_t *number)
{
    Range range = state_range(space, state, value);
    return range_is_point(&range, number);
}

static bool is_known(StateSpace *space, const State *state, const Phase *phase, int64_t *where)
{
    SymId value = phase_value(space, phase, state_read(space, state, phase->var));
    return value != IR_NONE && value_is_known(space, state, value, where);
}

bool phase_decides(const StateSpace *space, SymId value)
{
    const Sym *sym = sym_at(space->values, value);
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *phase = &space->phases.items[i];
        bool is_residue = phase->is_residue && sym->kind == SYM_BINARY && sym->op == phase->op;
        bool is_turned = !phase->is_residue && sym->loc == phase->var && sym->kind == SYM_FRESH;
        if (is_residue || is_turned) return true;
    }
    return false;
}

bool phase_differs(StateSpace *space, const State *a, const State *b)
{
    int64_t x = 0, y = 0;
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *phase = &space->phases.items[i];
        bool is_here = is_known(space, a, phase, &x), is_there = is_known(space, b, phase, &y);
        if (is_here != is_there || (is_here && x != y)) return true;
    }
    for (uint32_t i = 0; i < space->residues.len; i++) {
        SymId residue = space->residues.items[i];
        bool is_here = value_is_known(space, a, residue, &x),
             is_there = value_is_known(space, b, residue, &y);
        if (is_here != is_there || (is_here && x != y)) return true;
    }
    return false;
}

bool phase_is_lost(StateSpace *space, const State *state)
{
    int64_t where;
    for (uint32_t i = 0; i < space->residues.len; i++)
        if (value_is_known(space, state, space->residues.items[i], &where)) return true;
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *phase = &space->phases.items[i];
        const Sym now = *sym_at(space->values, state_read(space, state, phase->var));
        if (!phase->is_residue || now.kind != SYM_BINARY) continue;
        SymId before = phase_value(space, phase, now.a);
        if (before != IR_NONE && value_is_known(space, state, before, &where) &&
            !is_known(space, state, phase, &where))
            return true;
    }
    return false;
}

void phase_merge(StateSpace *space, State *merged, const State *old, const State *incoming)
{
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *phase = &space->phases.items[i];
        SymId join = state_read(space, merged, phase->var);
        if (!phase->is_residue || sym_at(space->values, join)->kind != SYM_FRESH) continue;
        int64_t x, y;
        if (!is_known(space, old, phase, &x) || !is_known(space, incoming, phase, &y) || x != y)
            continue;
        SymId value = phase_value(space, phase, join);
        if (value != IR_NONE) (void)state_restrict(space, merged, value, range_point(x));
    }
}
