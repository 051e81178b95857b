// SPDX-License-Identifier: MIT
// Building of units, functions and blocks. Input: what lowering or the text parser tells; output:
// the IrUnit, all of it in the unit's arena. Types, places and expressions are interned in
// ir_intern.c.
#include "ir/ir_p.h"

#include "base/err.h"

IrUnit *ir_unit_new(Arena *arena, const char *file)
{
    IrUnit *unit = ARENA_NEW(arena, IrUnit);
    unit->arena = arena;
    unit->strings = str_pool_new(arena);
    unit->intern = ARENA_NEW(arena, struct IrUnitIntern);
    unit->file = str_intern(unit->strings, file);
    return unit;
}

IrRecordId ir_record_add(IrUnit *unit, IrRecord record)
{
    vec_push(unit->arena, &unit->records, record);
    return unit->records.len - 1;
}

IrCalleeId ir_callee_add(IrUnit *unit, IrCallee callee)
{
    vec_push(unit->arena, &unit->callees, callee);
    return unit->callees.len - 1;
}

IrFunction *ir_function_new(IrUnit *unit, IrCalleeId callee, const char *name, SrcLoc loc)
{
    BUG_ON(callee >= unit->callees.len);
    IrFunction *fn = ARENA_NEW(unit->arena, IrFunction);
    fn->id = unit->functions.len;
    fn->callee = callee;
    fn->name = str_intern(unit->strings, name);
    fn->loc = loc;
    fn->this_var = IR_NONE;
    fn->intern = ARENA_NEW(unit->arena, struct IrIntern);
    vec_push(unit->arena, &unit->functions, fn);
    unit->callees.items[callee].body = fn->id;
    ir_block_add(unit, fn);
    return fn;
}

void ir_skip(IrUnit *unit, const IrSkipped *skipped)
{
    IrSkipped copy = {.name = str_intern(unit->strings, skipped->name),
                      .loc = skipped->loc,
                      .reason = str_intern(unit->strings, skipped->reason)};
    if (skipped->usr != NULL) copy.usr = str_intern(unit->strings, skipped->usr);
    vec_push(unit->arena, &unit->skipped, copy);
}

void ir_function_abandon(IrUnit *unit, IrFunction *function, const char *reason)
{
    uint32_t id = function->id;
    BUG_ON(id >= unit->functions.len || unit->functions.items[id] != function);
    unit->callees.items[function->callee].body = IR_NONE;
    for (uint32_t i = id + 1; i < unit->functions.len; i++) {
        IrFunction *later = unit->functions.items[i];
        later->id = i - 1;
        unit->callees.items[later->callee].body = i - 1;
        unit->functions.items[i - 1] = later;
    }
    unit->functions.len--;
    IrSkipped skipped = {.name = function->name,
                         .loc = function->loc,
                         .reason = reason,
                         .usr = unit->callees.items[function->callee].usr};
    ir_skip(unit, &skipped);
}

// ---- variables and blocks ---------------------------------------------------------------------

IrVarId ir_var_add(IrUnit *unit, IrFunction *fn, IrVar var)
{
    var.name = str_intern(unit->strings, var.name == NULL ? "" : var.name);
    vec_push(unit->arena, &fn->vars, var);
    return fn->vars.len - 1;
}

IrVarId ir_temp_add(IrUnit *unit, IrFunction *fn, IrType type, SrcLoc loc)
{
    const char *name = str_internf(unit->strings, "%%%u", fn->vars.len);
    return ir_var_add(unit, fn,
                      (IrVar){.name = name, .kind = IR_VAR_TEMP, .type = type, .loc = loc});
}

IrBlockId ir_block_add(IrUnit *unit, IrFunction *fn)
{
    vec_push(unit->arena, &fn->blocks, (IrBlock){.enters = IR_NONE});
    return fn->blocks.len - 1;
}

bool ir_block_is_closed(const IrFunction *fn, IrBlockId block)
{
    const IrBlock *it = &fn->blocks.items[block];
    return it->instrs.len != 0 && ir_is_terminator(vec_last(&it->instrs)->op);
}

void ir_block_append(IrUnit *unit, IrFunction *fn, IrBlockId block, IrInstr instr)
{
    BUG_ON(block >= fn->blocks.len);
    if (ir_block_is_closed(fn, block)) return;
    vec_push(unit->arena, &fn->blocks.items[block].instrs, instr);
}

IrInstr ir_instr(IrOpcode op, SrcLoc loc)
{
    return (IrInstr){.op = op,
                     .loc = loc,
                     .var = IR_NONE,
                     .dst = IR_NONE,
                     .value = IR_NONE,
                     .target = IR_NONE,
                     .other = IR_NONE,
                     .inlined = IR_NONE};
}

IrCall *ir_call_new(IrUnit *unit, IrCalleeId callee, uint32_t arg_count)
{
    IrCall *call = ARENA_NEW(unit->arena, IrCall);
    *call = (IrCall){.callee = callee,
                     .target = IR_NONE,
                     .arg_count = arg_count,
                     .dst = IR_NONE,
                     .unwind = IR_NONE,
                     .grid = IR_NONE,
                     .block = IR_NONE,
                     .shared_bytes = IR_NONE,
                     .stream = IR_NONE};
    call->args = ARENA_ARRAY(unit->arena, IrExprId, arg_count == 0 ? 1 : arg_count);
    for (uint32_t i = 0; i < arg_count; i++) call->args[i] = IR_NONE;
    return call;
}

// ---- finishing --------------------------------------------------------------------------------

typedef Vec(IrBlockId) BlockList;

// Depth-first search that keeps, for each open block, where its unvisited successors end on one
// shared stack.
typedef struct {
    Arena *arena;
    BlockList pending;   // successors still to visit, of all open blocks
    BlockList open;      // blocks on the current path
    BlockList floor;     // for each open block: pending.len below its successors
    BlockList postorder; // finished blocks
    bool *seen;
} Search;

static void push_successor(void *context, IrBlockId successor)
{
    Search *search = context;
    vec_push(search->arena, &search->pending, successor);
}

static void open_block(Search *search, const IrFunction *fn, IrBlockId block)
{
    search->seen[block] = true;
    vec_push(search->arena, &search->open, block);
    vec_push(search->arena, &search->floor, search->pending.len);
    // The last successor is visited first, so that the first comes right after the block in reverse
    // post-order: a dump then reads like the source.
    ir_successors(fn, block, push_successor, search);
}

static void search_blocks(Search *search, const IrFunction *fn)
{
    open_block(search, fn, 0);
    while (search->open.len != 0) {
        if (search->pending.len == *vec_last(&search->floor)) {
            vec_push(search->arena, &search->postorder, *vec_last(&search->open));
            search->open.len--;
            search->floor.len--;
            continue;
        }
        IrBlockId next = search->pending.items[--search->pending.len];
        if (!search->seen[next]) open_block(search, fn, next);
    }
}

static void renumber(const IrBlockId *new_id, IrBlockId *block)
{
    if (*block != IR_NONE) *block = new_id[*block];
}

static void renumber_instr(const IrBlockId *new_id, IrInstr *instr)
{
    renumber(new_id, &instr->target);
    renumber(new_id, &instr->other);
    if (instr->call != NULL) renumber(new_id, &instr->call->unwind);
    for (uint32_t i = 0; i < instr->case_count; i++) renumber(new_id, &instr->cases[i].target);
}

static void count_edge(void *context, IrBlockId successor)
{
    ((uint32_t *)context)[successor]++;
}

// The block that the jump at the end of `block` could swallow: nothing else leads there. Or
// IR_NONE.
static IrBlockId only_next(const IrBlock *block, const uint32_t *edges_in)
{
    if (block->instrs.len == 0) return IR_NONE;
    const IrInstr *last = vec_last(&block->instrs);
    bool is_swallowable = last->op == IR_JUMP && last->target != 0 && edges_in[last->target] == 1;
    return is_swallowable ? last->target : IR_NONE;
}

// Appends to each block those that only its jump leads to; lowering makes many such.
static void merge_chains(IrUnit *unit, IrFunction *fn, Search *search, bool *is_swallowed)
{
    uint32_t *edges_in = ARENA_ARRAY(search->arena, uint32_t, fn->blocks.len);
    for (uint32_t i = 0; i < search->postorder.len; i++) {
        ir_successors(fn, search->postorder.items[i], count_edge, edges_in);
    }
    for (uint32_t i = search->postorder.len; i-- > 0;) {
        IrBlockId id = search->postorder.items[i];
        if (is_swallowed[id]) continue;
        IrBlock *block = &fn->blocks.items[id];
        for (IrBlockId next; (next = only_next(block, edges_in)) != IR_NONE && next != id;) {
            const IrBlock *swallowed = &fn->blocks.items[next];
            is_swallowed[next] = true;
            block->instrs.len--;
            for (uint32_t k = 0; k < swallowed->instrs.len; k++) {
                vec_push(unit->arena, &block->instrs, swallowed->instrs.items[k]);
            }
        }
    }
}

void ir_function_finish(IrUnit *unit, IrFunction *fn)
{
    uint32_t count = fn->blocks.len;
    Arena *scratch = arena_new("ir finish");
    IrBlock *ordered = ARENA_ARRAY(unit->arena, IrBlock, count);
    bool *is_swallowed = ARENA_ARRAY(scratch, bool, count);
    Search search = {.arena = scratch, .seen = ARENA_ARRAY(scratch, bool, count)};
    search_blocks(&search, fn);
    merge_chains(unit, fn, &search, is_swallowed);

    IrBlockId *new_id = ARENA_ARRAY(scratch, IrBlockId, count);
    uint32_t kept = 0;
    for (uint32_t i = search.postorder.len; i-- > 0;) {
        IrBlockId old = search.postorder.items[i];
        if (is_swallowed[old]) continue;
        new_id[old] = kept;
        ordered[kept++] = fn->blocks.items[old];
    }
    for (uint32_t i = 0; i < kept; i++) {
        for (uint32_t k = 0; k < ordered[i].instrs.len; k++) {
            renumber_instr(new_id, &ordered[i].instrs.items[k]);
        }
    }
    fn->blocks.items = ordered;
    fn->blocks.len = kept;
    fn->blocks.cap = count;
    arena_free(scratch);
}
