// SPDX-License-Identifier: MIT
// Doubtful branches: which calls make them so, and what settles them.
#include "engine/doubt.h"

// The variable that the acquiring call's status is stored in; IR_NONE if it goes nowhere.
static IrVarId status_var(const EngineFn *ef)
{
    const IrInstr *instr = &ef->fn->blocks.items[ef->site->block].instrs.items[ef->site->instr];
    if (instr->op != IR_CALL || instr->call->dst == IR_NONE) return IR_NONE;
    const IrPlace *dst = ir_place(ef->fn, instr->call->dst);
    return dst->kind == IR_PL_VAR ? dst->var : IR_NONE;
}

static bool is_success(EngineFn *ef, const State *state, LocId loc)
{
    Range range = state_range(&ef->space, state, state_read(&ef->space, state, loc));
    int64_t value;
    return range_is_point(&range, &value) && value == 0;
}

// The argument is the status, or its address.
static bool is_status(EngineFn *ef, const State *state, IrExprId argument)
{
    const IrExpr *expr = ir_without_casts(ef->fn, argument);
    if (expr->kind != IR_EX_LOAD && expr->kind != IR_EX_ADDR) return false;
    const IrPlace *place = ir_place(ef->fn, expr->place);
    return place->kind == IR_PL_VAR && place->var == status_var(ef) &&
           (ef->site->is_mute || is_success(ef, state, loc_var(ef->space.values, place->var)));
}

static bool is_doubtful(const EngineFn *ef, SymId value)
{
    return sym_is_made_at(ef->space.values, value, &ef->site->doubtful);
}

// The argument is what another such call made of the status, or leads to it.
static bool carries_doubt(EngineFn *ef, const State *state, SymId argument)
{
    const Sym *sym = sym_at(ef->space.values, argument);
    if (sym->kind == SYM_ADDR) argument = state_read(&ef->space, state, sym->loc);
    return is_doubtful(ef, argument);
}

void engine_doubt_result(EngineFn *ef)
{
    bits_add(&ef->site->doubtful, ef->point);
    ef->site->has_doubts = ef->site->is_mute = true;
}

void engine_doubt_call(EngineFn *ef, const State *state, const CallSite *site)
{
    bool is_tracked = ef->site && ef->site_started && ef->site->kind == SITE_ACQUIRE &&
                      state->status == RS_LIVE && !state->dead;
    if (!is_tracked || site->model || ef->point == ef->site->point) return;
    for (uint32_t i = 0; i < site->count; i++) {
        bool takes = is_status(ef, state, site->call->args[i]) ||
                     (ef->site->has_doubts && carries_doubt(ef, state, site->args[i]));
        if (!takes) continue;
        bits_add(&ef->site->doubtful, ef->point);
        ef->site->has_doubts = true;
    }
}

void engine_doubt_branch(const EngineFn *ef, State *state, SymId value, IrBlockId to)
{
    bool is_first = ef->site && ef->site->has_doubts && state->doubt == 0;
    if (is_first && state->status == RS_LIVE && is_doubtful(ef, value)) state->doubt = to + 1;
}

void engine_settle_doubt(EngineFn *ef, const State *state)
{
    if (state->doubt != 0) bits_add(&ef->site->settled, state->doubt - 1);
}

bool engine_is_in_doubt(const Site *site, uint32_t doubt)
{
    return doubt != 0 && !bits_has(&site->settled, doubt - 1);
}
