// SPDX-License-Identifier: MIT
// The last error that the runtime keeps: where a query of it comes right behind a call that drops or
// keeps its own status, in one block, the query returns that very status. Input: a unit. It is
// changed so that both are one value; the search needs to know nothing of it.
#include "engine/engine.h"
#include "ir/ir_build.h"

#include <string.h>

typedef struct {
    IrUnit *unit;
    const Model *model;
    IrFunction *fn;
    IrBlock *block;
} Tie;

static const ModelFunction *model_of(const Tie *tie, const IrInstr *instr)
{
    const IrCall *call = instr->call;
    if (instr->op != IR_CALL || call->callee == IR_NONE) return NULL;
    const IrCallee *callee = &tie->unit->callees.items[call->callee];
    if (callee->is_method || callee->body != IR_NONE) return NULL;
    return model_find(tie->model, callee->qualified, (int)call->arg_count);
}

// A function of the C library, which leaves the error alone.
static bool is_harmless(const Tie *tie, const IrInstr *instr)
{
    if (instr->op != IR_CALL) return instr->op != IR_LAUNCH;
    if (instr->call->callee == IR_NONE) return false;
    const IrCallee *callee = &tie->unit->callees.items[instr->call->callee];
    return callee->in_system_header && callee->is_extern_c_like;
}

static void insert(Tie *tie, uint32_t index, IrInstr instr)
{
    vec_push(tie->unit->arena, &tie->block->instrs, instr);
    IrInstr *items = tie->block->instrs.items;
    memmove(items + index + 1, items + index, (tie->block->instrs.len - 1 - index) * sizeof *items);
    items[index] = instr;
}

static IrInstr assign(Tie *tie, SrcLoc loc, IrPlaceId dst, IrPlaceId from)
{
    IrInstr instr = ir_instr(IR_ASSIGN, loc);
    instr.dst = dst;
    instr.value = ir_load(tie->unit, tie->fn, from);
    return instr;
}

// The status of the call at `source` is what the query at `query` returns; returns how many
// instructions that took.
static uint32_t tie_query(Tie *tie, uint32_t source, uint32_t query)
{
    const IrInstr *items = tie->block->instrs.items;
    IrPlaceId asked = items[query].call->dst, own = items[source].call->dst;
    IrType type = ir_place(tie->fn, asked)->type;
    IrVarId temp = ir_temp_add(tie->unit, tie->fn, type, items[source].loc);
    IrPlaceId status = ir_place_var(tie->unit, tie->fn, temp);
    insert(tie, query + 1, assign(tie, items[query].loc, asked, status));
    items = tie->block->instrs.items;
    items[source].call->dst = status;
    if (own == IR_NONE) return 1;
    insert(tie, source + 1, assign(tie, items[source].loc, own, status));
    return 2;
}

static void tie_block(Tie *tie)
{
    uint32_t source = IR_NONE;
    for (uint32_t i = 0; i < tie->block->instrs.len; i++) {
        const IrInstr *instr = &tie->block->instrs.items[i];
        const ModelFunction *model = model_of(tie, instr);
        if (model == NULL) {
            if (!is_harmless(tie, instr)) source = IR_NONE;
        } else if (model->last_error == MODEL_LAST_ERROR_NONE) {
            source = model->result == MODEL_RESULT_STATUS ? i : IR_NONE;
        } else if (source != IR_NONE) {
            if (instr->call->dst != IR_NONE) i += tie_query(tie, source, i);
            source = IR_NONE;
        }
    }
}

void engine_tie_last_errors(IrUnit *unit, const Model *model)
{
    Tie tie = {.unit = unit, .model = model};
    for (uint32_t f = 0; f < unit->functions.len; f++) {
        tie.fn = unit->functions.items[f];
        for (uint32_t b = 0; b < tie.fn->blocks.len; b++) {
            tie.block = &tie.fn->blocks.items[b];
            tie_block(&tie);
        }
    }
}
