// SPDX-License-Identifier: MIT
// A join gives a loop's counter a new value, of which only a range is known. What the old one was
// modulo a small constant, plus the step, the new one is, too.
#include "engine/phase.h"

#include "engine/state_p.h"

enum {
    MAX_CYCLE = 8, // longer ones are no rings of buffers
    MAX_PHASES = 8,
    MAX_RESIDUES = 32,
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
    if (phase.loop == FLOW_NONE) return;
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *known = &space->phases.items[i];
        if (known->var == phase.var && known->is_residue == phase.is_residue &&
            known->op == phase.op && known->by == phase.by)
            return;
    }
    if (space->phases.len < MAX_PHASES) vec_push(space->fn_arena, &space->phases, phase);
}

// Some assignment in the innermost loop that the instruction is in gives the variable a value.
static bool changes(const EngineFn *ef, IrVarId var)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        if (!flow_loop_contains(&ef->loops, ef->space.loop, b)) continue;
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            const IrInstr *instr = &block->instrs.items[i];
            if (instr->op != IR_ASSIGN) continue;
            const IrPlace *to = ir_place(ef->fn, instr->dst);
            if (to->kind == IR_PL_VAR && to->var == var) return true;
        }
    }
    return false;
}

// The expression may have another value in the next round.
static bool may_change(const EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_without_casts(ef->fn, id);
    if (expr->kind == IR_EX_BINARY) return may_change(ef, expr->a) || may_change(ef, expr->b);
    if (expr->kind == IR_EX_UNARY) return may_change(ef, expr->a);
    if (expr->kind != IR_EX_LOAD) return false;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    return place->kind != IR_PL_VAR || changes(ef, place->var);
}

static void note_untold(EngineFn *ef, SymId residue, IrExprId of)
{
    StateSpace *space = &ef->space;
    for (uint32_t i = 0; i < space->residues.len; i++)
        if (space->residues.items[i] == residue) return;
    if (space->residues.len < MAX_RESIDUES && may_change(ef, of))
        vec_push(space->fn_arena, &space->residues, residue);
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
                            .by = by,
                            .loop = space->loop});
        return;
    }
    SymId residue = sym_binary(space->values, expr->op, left, right);
    if (residue != IR_NONE) note_untold(ef, residue, expr->a);
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
    if (turns)
        note(&ef->space,
             (Phase){.var = loc_var(ef->space.values, place->var), .loop = ef->space.loop});
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

// The path knows something of the residue that its form alone does not tell.
static bool is_asked(StateSpace *space, const State *state, SymId residue)
{
    uint32_t known;
    return sym_at(space->values, residue)->kind != SYM_INT &&
           pmap_get(state->ranges, state_residue_kept_as(space, state, residue), &known);
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
        if (is_asked(space, a, residue) != is_asked(space, b, residue)) return true;
        if (value_is_known(space, a, residue, &x) && value_is_known(space, b, residue, &y) &&
            x != y)
            return true;
    }
    return false;
}

bool phase_is_lost(EngineFn *ef, const State *state, IrBlockId header)
{
    StateSpace *space = &ef->space;
    int64_t where;
    for (uint32_t i = 0; i < space->residues.len; i++)
        if (is_asked(space, state, space->residues.items[i])) return true;
    for (uint32_t i = 0; i < space->phases.len; i++) {
        const Phase *phase = &space->phases.items[i];
        bool begins = phase->is_residue && ef->loops.loops.items[phase->loop].header == header;
        if (begins && !is_known(space, state, phase, &where)) return true;
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
