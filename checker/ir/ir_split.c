// SPDX-License-Identifier: MIT
// Splitting blocks. What a call says of its work by its result parts states in the middle of a block,
// and they meet again only where a block begins: code without branches would double them with
// each call. And what is known where a search may start is known at the beginnings of blocks: in long
// code without branches each search would go through all in front of its start.
#include "ir/ir_build.h"

// In one block:
#define MAX_RESULTS 8
#define MAX_INSTRS 64

static bool gives_result(const IrInstr *instr)
{
    return instr->op == IR_CALL && instr->call->dst != IR_NONE;
}

// Behind the block, from the instruction on.
static IrBlockId begin_block(IrUnit *unit, IrFunction *fn, IrBlockId block, const IrInstr *instr)
{
    IrInstr jump = ir_instr(IR_JUMP, instr->loc);
    jump.inlined = instr->inlined;
    jump.target = ir_block_add(unit, fn);
    ir_block_append(unit, fn, block, jump);
    return jump.target;
}

// Where a new block may begin for the length of the last one: between statements.
static bool begins_step(const IrInstr *instr)
{
    return instr->op == IR_CALL || instr->op == IR_LAUNCH;
}

static void split_block(IrUnit *unit, IrFunction *fn, IrBlockId block)
{
    const IrBlock whole = fn->blocks.items[block];
    uint32_t results = 0;
    for (uint32_t i = 0; i < whole.instrs.len; i++)
        results += gives_result(&whole.instrs.items[i]) ? 1 : 0;
    if (results <= MAX_RESULTS && whole.instrs.len <= MAX_INSTRS) return;
    fn->blocks.items[block] = (IrBlock){.enters = whole.enters};
    results = 0;
    for (uint32_t i = 0; i < whole.instrs.len; i++) {
        const IrInstr *instr = &whole.instrs.items[i];
        bool is_long = fn->blocks.items[block].instrs.len >= MAX_INSTRS && begins_step(instr);
        results += gives_result(instr) ? 1 : 0;
        if (results > MAX_RESULTS || is_long) {
            block = begin_block(unit, fn, block, instr);
            results = gives_result(instr) ? 1 : 0;
        }
        ir_block_append(unit, fn, block, *instr);
    }
}

void ir_split_blocks(IrUnit *unit)
{
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        IrFunction *fn = unit->functions.items[i];
        uint32_t blocks = fn->blocks.len; // blocks that are added are short
        for (IrBlockId block = 0; block < blocks; block++) split_block(unit, fn, block);
    }
}
