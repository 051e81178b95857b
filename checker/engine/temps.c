// SPDX-License-Identifier: MIT
// A temporary is needed in an interval of the blocks' order: from the first block that mentions it,
// which gives it its value, to the last; where that lies in a loop that the value is brought into,
// to the loop's last block.
#include "engine/temps.h"

// Longer intervals are not worth the list: the temporary stays.
#define MAX_INTERVAL 256

typedef Vec(IrVarId) VarList;

typedef struct {
    uint32_t first, last; // positions in the order of blocks
} Interval;

typedef struct Temps {
    Interval *intervals; // by variable
    VarList *needed_in;  // by block
    BitSet listed;       // variables that have an interval
} Temps;

typedef struct {
    EngineFn *ef;
    Arena *work;
    IrBlockId block;
    BitSet lasting;            // variables whose address is taken, or that have a scope
    BitSet passed;             // variables whose address is passed to a call: it may come back
    Vec(IrBlockId) * mentions; // by variable
    uint32_t *last_of_loop;    // by loop: the greatest position of its blocks
} Scan;

static bool is_scalar_temp(const EngineFn *ef, IrVarId var)
{
    const IrVar *info = &ef->fn->vars.items[var];
    if (info->kind != IR_VAR_TEMP || info->type == IR_NONE) return false;
    IrTypeKind kind = ir_type(ef->unit, info->type)->kind;
    return kind != IR_TY_RECORD && kind != IR_TY_ARRAY;
}

static void look_at_mention(void *context, IrVarId var, IrMention how)
{
    Scan *scan = context;
    if (how == IR_MENTION_ARGUMENT)
        bits_add(&scan->passed, var);
    else if (how != IR_MENTION_VALUE)
        bits_add(&scan->lasting, var);
    if (!is_scalar_temp(scan->ef, var)) return;
    bool is_new = scan->mentions[var].len == 0 || *vec_last(&scan->mentions[var]) != scan->block;
    if (is_new) vec_push(scan->work, &scan->mentions[var], scan->block);
}

static void scan_block(Scan *scan, IrBlockId block)
{
    const EngineFn *ef = scan->ef;
    const FlowLoops *loops = &ef->loops;
    scan->block = block;
    const IrBlock *body = &ef->fn->blocks.items[block];
    for (uint32_t i = 0; i < body->instrs.len; i++)
        ir_each_mention(ef->fn, &body->instrs.items[i], look_at_mention, scan);
    for (uint32_t loop = loops->loop_of[block]; loop != FLOW_NONE;
         loop = loops->loops.items[loop].parent)
        if (scan->last_of_loop[loop] < ef->order[block])
            scan->last_of_loop[loop] = ef->order[block];
}

// The outermost loop that holds `block` but not `other`, or FLOW_NONE.
static uint32_t loop_between(const FlowLoops *loops, IrBlockId block, IrBlockId other)
{
    uint32_t found = FLOW_NONE;
    for (uint32_t loop = loops->loop_of[block];
         loop != FLOW_NONE && !flow_loop_contains(loops, loop, other);
         loop = loops->loops.items[loop].parent)
        found = loop;
    return found;
}

static Interval interval_of(const Scan *scan, IrVarId var)
{
    const EngineFn *ef = scan->ef;
    const IrBlockId *blocks = scan->mentions[var].items;
    uint32_t count = scan->mentions[var].len;
    IrBlockId first = blocks[0];
    for (uint32_t i = 1; i < count; i++)
        if (ef->order[blocks[i]] < ef->order[first]) first = blocks[i];
    Interval interval = {.first = ef->order[first], .last = ef->order[first]};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t loop = loop_between(&ef->loops, blocks[i], first);
        uint32_t end = loop == FLOW_NONE ? ef->order[blocks[i]] : scan->last_of_loop[loop];
        if (interval.last < end) interval.last = end;
    }
    return interval;
}

// What a call returned may lead to the temporary, but not past the end of the loop's body. False
// when there is no loop.
static bool extend_to_loop_end(const Scan *scan, Interval *interval)
{
    const EngineFn *ef = scan->ef;
    uint32_t loop = ef->loops.loop_of[ef->by_order[interval->first]];
    if (loop == FLOW_NONE) return false;
    if (interval->last < scan->last_of_loop[loop]) interval->last = scan->last_of_loop[loop];
    return true;
}

static void list_temp(const Scan *scan, Temps *temps, IrVarId var)
{
    Interval interval = interval_of(scan, var);
    if (bits_has(&scan->passed, var) && !extend_to_loop_end(scan, &interval)) return;
    if (interval.last - interval.first > MAX_INTERVAL) return;
    temps->intervals[var] = interval;
    bits_add(&temps->listed, var);
    for (uint32_t at = interval.first; at <= interval.last; at++)
        vec_push(scan->ef->arena, &temps->needed_in[scan->ef->by_order[at]], var);
}

Temps *temps_new(EngineFn *ef)
{
    uint32_t vars = ef->fn->vars.len, blocks = ef->fn->blocks.len;
    Temps *temps = ARENA_NEW(ef->arena, Temps);
    temps->intervals = ARENA_ARRAY(ef->arena, Interval, vars + 1);
    temps->needed_in = ARENA_ARRAY(ef->arena, VarList, blocks + 1);
    temps->listed = bits_new(ef->arena, vars);
    Arena *work = arena_new("temps");
    Scan scan = {
        .ef = ef, .work = work, .lasting = bits_new(work, vars), .passed = bits_new(work, vars)};
    scan.mentions = arena_alloc(work, (vars + 1) * sizeof *scan.mentions);
    scan.last_of_loop = ARENA_ARRAY(work, uint32_t, ef->loops.loops.len + 1);
    for (uint32_t b = 0; b < blocks; b++)
        if (ef->order[b] != FLOW_NONE) scan_block(&scan, b);
    for (IrVarId var = 0; var < vars; var++)
        if (scan.mentions[var].len > 0 && !bits_has(&scan.lasting, var))
            list_temp(&scan, temps, var);
    arena_free(work);
    return temps;
}

// ---- leaving them behind ------------------------------------------------------------------------

static bool is_dead(const EngineFn *ef, IrVarId var, uint32_t position)
{
    Interval interval = ef->temps->intervals[var];
    return bits_has(&ef->temps->listed, var) &&
           (position <= interval.first || position > interval.last);
}

typedef struct {
    const EngineFn *ef;
    uint32_t position; // of the block that the path goes on to
    bool found;        // a holder that is still needed
} HolderCheck;

static void look_at_holder(void *context, uint32_t loc, uint32_t relation)
{
    HolderCheck *check = context;
    const Values *values = check->ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    (void)relation;
    check->found |= root->kind != LOC_VAR || !is_dead(check->ef, root->var, check->position);
}

// What nothing else holds would be lost without the temporary: that is not for here to say.
static bool is_last_holder(const EngineFn *ef, const State *state, LocId loc, uint32_t position)
{
    uint32_t relation;
    if (!pmap_get(state->holders, loc, &relation)) return false;
    HolderCheck check = {.ef = ef, .position = position};
    pmap_each(state->holders, look_at_holder, &check);
    return !check.found;
}

void temps_drop_dead(EngineFn *ef, State *state, IrBlockId from, IrBlockId to)
{
    const VarList *needed = &ef->temps->needed_in[from];
    uint32_t position = ef->order[to], value;
    for (uint32_t i = 0; i < needed->len; i++) {
        if (!is_dead(ef, needed->items[i], position)) continue;
        LocId loc = loc_var(ef->space.values, needed->items[i]);
        if (pmap_get(state->env, loc, &value) && !is_last_holder(ef, state, loc, position))
            state_drop_holder(&ef->space, state, loc);
    }
}
