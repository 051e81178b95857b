// SPDX-License-Identifier: MIT
// The last error that the runtime keeps: where a query of it comes right behind a call that drops or
// keeps its own status, in one block, the query returns that very status. Input: a unit. It is
// changed so that both are one value; the search needs to know nothing of it.
// A function that asks before it calls anything else asks for the status of its caller's last call:
// both name a global for it that the source does not have.
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

// The global by which a function hands the error on to one that it calls.
static IrPlaceId shared_error(Tie *tie, IrType type)
{
    const char *usr = str_intern(tie->unit->strings, ENGINE_LAST_ERROR);
    for (uint32_t v = 0; v < tie->fn->vars.len; v++)
        if (tie->fn->vars.items[v].usr == usr) return ir_place_var(tie->unit, tie->fn, v);
    IrVar var = {.name = usr, .usr = usr, .kind = IR_VAR_GLOBAL, .type = type, .loc = tie->fn->loc};
    return ir_place_var(tie->unit, tie->fn, ir_var_add(tie->unit, tie->fn, var));
}

// A function of the user's that may ask for the error before it does anything else.
static bool may_ask(const Tie *tie, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE) return false;
    return !tie->unit->callees.items[instr->call->callee].in_system_header;
}

// The status of the call at `source` is the error that the function called next finds.
static void share_status(Tie *tie, uint32_t source)
{
    const IrInstr *instr = &tie->block->instrs.items[source];
    IrType type = tie->unit->callees.items[instr->call->callee].result;
    if (instr->call->dst == IR_NONE)
        instr->call->dst =
            ir_place_var(tie->unit, tie->fn, ir_temp_add(tie->unit, tie->fn, type, instr->loc));
    IrPlaceId error = shared_error(tie, type);
    insert(tie, source + 1, assign(tie, instr->loc, error, instr->call->dst));
}

// The first call that the function makes asks for the error that it was entered with.
static void ask_for_entered(Tie *tie)
{
    for (uint32_t i = 0; i < tie->fn->blocks.items[0].instrs.len; i++) {
        const IrInstr *instr = &tie->fn->blocks.items[0].instrs.items[i];
        const ModelFunction *model = model_of(tie, instr);
        if (model && model->last_error != MODEL_LAST_ERROR_NONE && instr->call->dst != IR_NONE) {
            IrPlaceId asked = instr->call->dst;
            tie->block = &tie->fn->blocks.items[0];
            IrPlaceId error = shared_error(tie, ir_place(tie->fn, asked)->type);
            insert(tie, i + 1, assign(tie, instr->loc, asked, error));
            return;
        }
        if (model || !is_harmless(tie, instr)) return;
    }
}

static void tie_block(Tie *tie)
{
    uint32_t source = IR_NONE;
    for (uint32_t i = 0; i < tie->block->instrs.len; i++) {
        const IrInstr *instr = &tie->block->instrs.items[i];
        const ModelFunction *model = model_of(tie, instr);
        if (model == NULL) {
            bool shares = source != IR_NONE && may_ask(tie, instr);
            if (!is_harmless(tie, instr)) {
                if (shares) share_status(tie, source);
                i += shares;
                source = IR_NONE;
            }
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
        if (tie.fn->blocks.len > 0) ask_for_entered(&tie);
    }
}
