// SPDX-License-Identifier: MIT
// Splitting blocks. What a call says of its work by its result parts states in the middle of a block,
// and they meet again only where a block begins: code without branches would double them with
// each call.
#include "ir/ir_build.h"

#define MAX_RESULTS 8 // in one block

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

static void split_block(IrUnit *unit, IrFunction *fn, IrBlockId block)
{
    const IrBlock whole = fn->blocks.items[block];
    uint32_t results = 0;
    for (uint32_t i = 0; i < whole.instrs.len; i++)
        results += gives_result(&whole.instrs.items[i]) ? 1 : 0;
    if (results <= MAX_RESULTS) return;
    fn->blocks.items[block] = (IrBlock){.enters = whole.enters};
    results = 0;
    for (uint32_t i = 0; i < whole.instrs.len; i++) {
        const IrInstr *instr = &whole.instrs.items[i];
        if (gives_result(instr) && results++ == MAX_RESULTS) {
            block = begin_block(unit, fn, block, instr);
            results = 1;
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
