// SPDX-License-Identifier: MIT
// Code of callees that took the place of its call (ir_inline.c): how paths and findings speak of it.
#include "engine/search.h"

void engine_remark_entered(EngineFn *ef, State *state, IrInlineId entered)
{
    if (entered == IR_NONE) return;
    const IrInlined *call = &ef->fn->inlined.items[entered];
    const IrCallee *callee = &ef->unit->callees.items[call->callee];
    if (callee->is_constructor || callee->is_destructor) return;
    state_remark(&ef->space, state, call->loc,
                 arena_printf(ef->space.arena, "calling '%s'", callee->name));
}

static bool is_within(const IrFunction *fn, IrInlineId inner, IrInlineId outer)
{
    while (inner != IR_NONE && inner != outer) inner = fn->inlined.items[inner].within;
    return inner == outer;
}

bool engine_is_told_by_callee(const EngineFn *ef)
{
    if (ef->site->block == IR_NONE || ef->site->kind == SITE_ENTRY) return false;
    const IrBlock *block = &ef->fn->blocks.items[ef->site->block];
    IrInlineId began = block->instrs.items[ef->site->instr].inlined;
    return began != IR_NONE && is_within(ef->fn, ef->instr->inlined, began);
}
