// SPDX-License-Identifier: MIT
// Where a function mentions which variables, and which of its instructions matter to a resource
// that they do not mention.
#include "engine/leap_p.h"

#include <stdlib.h>

typedef struct {
    EngineFn *ef;
    LeapIndex *index;
    uint32_t block; // number of the block being looked at
    uint32_t point; // of the instruction
    bool points;    // looking at single instructions of a long block
} Scan;

uint32_t places_from(const Places *places, uint32_t from)
{
    uint32_t low = 0, high = places->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (places->items[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(Scan *scan, Places *places, uint32_t place)
{
    if (places->len == 0 || *vec_last(places) != place) vec_push(scan->ef->arena, places, place);
}

static void mention(Scan *scan, IrVarId var)
{
    if (scan->points)
        add(scan, &scan->index->points[var], scan->point);
    else
        add(scan, &scan->index->mentions[var], scan->block);
}

// A callee that keeps the address of a variable makes the variable shared: the state says so.
static void look_at_mention(void *context, IrVarId var, IrMention how)
{
    Scan *scan = context;
    mention(scan, var);
    if (how == IR_MENTION_ADDRESS) bits_add(&scan->index->lent, var);
}

static bool is_quiet_effect(const ModelEffect *effect)
{
    return effect->kind == MODEL_ACQUIRE || effect->kind == MODEL_RELEASE ||
           effect->kind == MODEL_USE_READ || effect->kind == MODEL_USE_WRITE ||
           effect->kind == MODEL_WRITE_OUT;
}

// A call that does nothing to resources but those its arguments mention, and does not throw.
static bool is_quiet_call(const EngineFn *ef, const IrInstr *instr)
{
    const IrCall *call = instr->call;
    if (call->callee == IR_NONE || call->is_virtual || call->in_try) return false;
    const IrCallee *callee = &ef->unit->callees.items[call->callee];
    const ModelFunction *model = engine_model_at(ef, instr);
    if (model) {
        bool quiet = !callee->is_method && model->kernel_arg == 0;
        for (uint32_t i = 0; i < model->effects.len; i++)
            quiet &= is_quiet_effect(&model->effects.items[i]);
        return quiet;
    }
    if (callee->in_system_header) return callee->is_extern_c_like;
    const Summary *summary = engine_summary_of(ef, call, callee);
    return summary && summary->known && summary->effects.len == 0 && summary->returns.known &&
           !summary->returns.throws;
}

static bool is_loud(const EngineFn *ef, const IrInstr *instr)
{
    switch (instr->op) {
    case IR_CALL:
        return !is_quiet_call(ef, instr);
    case IR_LAUNCH: // touches what its arguments lead to, on the stream that it mentions
        return instr->call->in_try;
    case IR_THROW:
    case IR_RESUME:
        return true;
    case IR_DECL:
    case IR_ASSIGN:
    case IR_CLOBBER:
    case IR_SCOPE_END:
    case IR_JUMP:
    case IR_BRANCH:
    case IR_SWITCH:
    case IR_RETURN:
    case IR_UNREACHABLE:
        return false;
    }
    return true;
}

// Without the instruction the state would be the same, but for memory that it releases.
static bool is_quiet_release(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->dst != IR_NONE || !is_quiet_call(ef, instr))
        return false;
    const ModelFunction *model = engine_model_at(ef, instr);
    for (uint32_t i = 0; model && i < model->effects.len; i++)
        if (model->effects.items[i].kind != MODEL_RELEASE) return false;
    for (uint32_t i = 0; i < instr->call->arg_count; i++) {
        const IrExpr *expr = ir_without_casts(ef->fn, instr->call->args[i]);
        bool plain = expr->kind == IR_EX_LOAD && ir_place(ef->fn, expr->place)->kind == IR_PL_VAR;
        if (!plain) return false;
    }
    return model != NULL;
}

static void scan_block(Scan *scan, IrBlockId block)
{
    LeapIndex *index = scan->index;
    const IrBlock *body = &scan->ef->fn->blocks.items[block];
    scan->block = scan->ef->dom.enter[block];
    for (uint32_t i = 0; i < body->instrs.len; i++) {
        ir_each_mention(scan->ef->fn, &body->instrs.items[i], look_at_mention, scan);
        if (is_loud(scan->ef, &body->instrs.items[i])) add(scan, &index->loud, scan->block);
    }
    const Meeting *meeting = scan->ef->meetings[block];
    bool tells_apart = bits_has(&scan->ef->blurred, block) || (meeting && meeting->count > 1);
    if (tells_apart) add(scan, &index->loud, scan->block);
    if (vec_last(&body->instrs)->op == IR_RETURN && bits_has(&scan->ef->reached, block))
        add(scan, &index->returns, scan->block);
}

static void scan_long_block(Scan *scan, IrBlockId block)
{
    const IrBlock *body = &scan->ef->fn->blocks.items[block];
    uint32_t first = scan->ef->first_point[block], loud = body->instrs.len - 1;
    for (uint32_t i = body->instrs.len; i-- > 0;) {
        if (!is_quiet_release(scan->ef, &body->instrs.items[i])) loud = i;
        scan->index->next_loud[first + i] = loud;
    }
    for (uint32_t i = 0; i < body->instrs.len; i++) {
        scan->point = first + i;
        ir_each_mention(scan->ef->fn, &body->instrs.items[i], look_at_mention, scan);
    }
}

static int compare_edges(const void *a, const void *b)
{
    const JoinEdge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->part == y->part ? 0 : x->part < y->part ? -1 : 1;
}

static void add_edges(EngineFn *ef, LeapIndex *index)
{
    for (uint32_t i = 0; i < ef->taken.len; i++) {
        TakenEdge edge = ef->taken.items[i];
        if (ef->dom.idom[edge.to] != edge.from)
            vec_push(
                ef->arena, &index->edges,
                ((JoinEdge){.from = ef->dom.enter[edge.from], .to = edge.to, .part = edge.part}));
    }
    if (index->edges.len > 0)
        qsort(index->edges.items, index->edges.len, sizeof *index->edges.items, compare_edges);
}

static LeapIndex *empty_index(EngineFn *ef)
{
    uint32_t blocks = ef->fn->blocks.len, vars = ef->fn->vars.len;
    Arena *arena = ef->arena;
    LeapIndex *index = ARENA_NEW(arena, LeapIndex);
    index->block_at = ARENA_ARRAY(arena, IrBlockId, 2 * blocks);
    for (uint32_t i = 0; i < 2 * blocks; i++) index->block_at[i] = IR_NONE;
    for (uint32_t b = 0; b < blocks; b++)
        if (ef->dom.idom[b] != FLOW_NONE) index->block_at[ef->dom.enter[b]] = b;
    index->mentions = ARENA_ARRAY(arena, Places, vars + 1);
    index->points = ARENA_ARRAY(arena, Places, vars + 1);
    index->next_loud = ARENA_ARRAY(arena, uint32_t, ef->join_points + 1);
    index->lent = bits_new(arena, vars);
    return index;
}

LeapIndex *leap_index_new(EngineFn *ef)
{
    uint32_t blocks = ef->fn->blocks.len;
    if (ef->join_points < LEAP_MIN_INSTRS) return NULL;
    Scan scan = {.ef = ef, .index = empty_index(ef)};
    for (uint32_t i = 0; i < 2 * blocks; i++) {
        if (scan.index->block_at[i] == IR_NONE) continue;
        scan_block(&scan, scan.index->block_at[i]);
    }
    add_edges(ef, scan.index);
    scan.points = true;
    for (uint32_t b = 0; b < blocks; b++)
        if (ef->fn->blocks.items[b].instrs.len >= LEAP_MIN_INSTRS) scan_long_block(&scan, b);
    return scan.index;
}
