// SPDX-License-Identifier: MIT
// Going over what does not concern the resource.
//
// The blocks that one block dominates are an interval of the dominator tree's numbers. A state at
// the entry of block s differs from the facts there in a few locations: those that hold the
// resource, and what its path knows better. As long as nothing mentions these variables, running
// the blocks from the state does what running them from the facts did. So the state goes on at
//  - the block in the interval that dominates all in it that matter, and
//  - the blocks outside that edges from the rest of the interval lead to,
// with the facts known on these edges, its own differences on top. Returns between are exits on which a live
// resource is lost.
#include "engine/leap_p.h"
#include "engine/mention.h"

// More differences, or ways out, than these: the block is executed.
#define MAX_DIFFERENCES 16
#define MAX_WAYS_OUT 4

// How a state differs from the facts at a block.
typedef struct {
    EngineFn *ef;
    const State *state;
    LocId locs[MAX_DIFFERENCES]; // bound otherwise, or holding the resource
    uint32_t loc_count;
    SymId syms[MAX_DIFFERENCES]; // of which other ranges are known
    uint32_t sym_count;
    IrVarId vars[MAX_DIFFERENCES]; // whose mention matters
    uint32_t var_count;
} Difference;

// Where edges out of a stretch lead.
typedef struct {
    IrBlockId to;
    uint32_t part; // of the facts there
} WayOut;

// The blocks that are gone over.
typedef struct {
    IrBlockId from, inner; // dominated by `from`, but not by `inner` (IR_NONE: all)
    uint32_t enter, leave; // numbers of `from`
    WayOut outer[MAX_WAYS_OUT];
    uint32_t outer_count;
} Stretch;

// Nothing is known of the resource that blocks which do not mention it could change, and no branch
// is of interest for itself.
static bool is_plain(const EngineFn *ef, const State *state)
{
    return ef->site && ef->site_started && ef->site->kind == SITE_ACQUIRE &&
           state->status != RS_NONE && state->holders && !state->kept && !state->escaped &&
           !state->reentered && !state->unwinding && state->left_loops == 0 &&
           state->attached == IR_NONE && state->pending == PENDING_NONE &&
           state->recorded == PENDING_NONE && !state->capturing && !ef->site->has_doubts &&
           !ef->site->has_view;
}

// ---- differences --------------------------------------------------------------------------------

static bool add_var(Difference *difference, LocId loc)
{
    const EngineFn *ef = difference->ef;
    const Loc *root = loc_at(ef->space.values, loc_at(ef->space.values, loc)->root);
    if (root->kind != LOC_VAR || bits_has(&ef->shared_vars, root->var) ||
        bits_has(&ef->leaps->lent, root->var))
        return false;
    IrVarKind kind = ef->fn->vars.items[root->var].kind;
    if (kind != IR_VAR_LOCAL && kind != IR_VAR_TEMP && kind != IR_VAR_PARAM) return false;
    for (uint32_t i = 0; i < difference->var_count; i++)
        if (difference->vars[i] == root->var) return true;
    if (difference->var_count == MAX_DIFFERENCES) return false;
    difference->vars[difference->var_count++] = root->var;
    return true;
}

static bool add_binding(void *context, uint32_t loc, const uint32_t *in_state,
                        const uint32_t *in_facts)
{
    Difference *difference = context;
    (void)in_state, (void)in_facts;
    if (difference->loc_count == MAX_DIFFERENCES || !add_var(difference, loc)) return false;
    difference->locs[difference->loc_count++] = loc;
    return true;
}

// Variables that hold something made of the value.
static bool add_users(Difference *difference, SymId id)
{
    const EngineFn *ef = difference->ef;
    const Sym *sym = sym_at(ef->space.values, id);
    if (sym->kind == SYM_INITIAL || sym->kind == SYM_PURE) return false;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && !add_users(difference, operands[i])) return false;
    if (sym->kind != SYM_FRESH && sym->kind != SYM_OLDER) return true;
    const Mentions *mentions = mentions_of(ef->space.mentions, id);
    uint32_t value;
    for (uint32_t i = 0; mentions && i < mentions->locs.len; i++)
        if (pmap_get(difference->state->env, mentions->locs.items[i], &value) &&
            !add_var(difference, mentions->locs.items[i]))
            return false;
    return true;
}

static bool add_range(void *context, uint32_t sym, const uint32_t *in_state,
                      const uint32_t *in_facts)
{
    Difference *difference = context;
    (void)in_facts;
    if (!in_state) return true; // the facts know more: of no use to this path
    if (difference->sym_count == MAX_DIFFERENCES || !add_users(difference, sym)) return false;
    difference->syms[difference->sym_count++] = sym;
    return true;
}

static void look_at_holder(void *context, uint32_t loc, uint32_t relation)
{
    Difference *difference = context;
    (void)relation;
    if (difference->ef && !add_var(difference, loc)) difference->ef = NULL;
}

// The variables that hold the resource; false when something else does.
static bool add_holders(Difference *difference)
{
    pmap_each(difference->state->holders, look_at_holder, difference);
    return difference->ef != NULL;
}

static bool find_differences(Difference *difference, const State *facts)
{
    const State *state = difference->state;
    uint32_t *limit = &difference->ef->comparisons;
    return add_holders(difference) &&
           pmap_each_difference(state->env, facts->env, limit, add_binding, difference) &&
           pmap_each_difference(state->ranges, facts->ranges, limit, add_range, difference);
}

// ---- the stretch --------------------------------------------------------------------------------

// Widens [*low, *high] by the places between the two numbers.
static void span(const Places *places, const Stretch *stretch, uint32_t *low, uint32_t *high)
{
    uint32_t first = places_from(places, stretch->enter);
    if (first == places->len || places->items[first] > stretch->leave) return;
    uint32_t last = places->items[places_from(places, stretch->leave + 1) - 1];
    if (places->items[first] < *low) *low = places->items[first];
    if (*high == IR_NONE || last > *high) *high = last;
}

// The block through which all blocks are entered that matter; false when that is the first one.
static bool find_inner(const EngineFn *ef, const Difference *difference, Stretch *stretch)
{
    const LeapIndex *index = ef->leaps;
    uint32_t low = IR_NONE, high = IR_NONE;
    span(&index->loud, stretch, &low, &high);
    for (uint32_t i = 0; i < difference->var_count && low != stretch->enter; i++)
        span(&index->mentions[difference->vars[i]], stretch, &low, &high);
    if (low == stretch->enter) return false;
    if (low == IR_NONE) return true;
    IrBlockId inner = index->block_at[high];
    while (!flow_dominates(&ef->dom, inner, index->block_at[low])) inner = ef->dom.idom[inner];
    while (inner != stretch->from && !facts_are_exact(ef, inner)) inner = ef->dom.idom[inner];
    stretch->inner = inner;
    return inner != stretch->from;
}

static bool is_passed(const EngineFn *ef, const Stretch *stretch, uint32_t number)
{
    return stretch->inner == IR_NONE || number < ef->dom.enter[stretch->inner] ||
           number > ef->dom.leave[stretch->inner];
}

static bool add_outer(const EngineFn *ef, Stretch *stretch, const JoinEdge *edge)
{
    if (flow_dominates(&ef->dom, stretch->from, edge->to)) return true;
    for (uint32_t i = 0; i < stretch->outer_count; i++)
        if (stretch->outer[i].to == edge->to && stretch->outer[i].part == edge->part) return true;
    if (stretch->outer_count == MAX_WAYS_OUT || !facts_are_exact(ef, edge->to)) return false;
    stretch->outer[stretch->outer_count++] = (WayOut){.to = edge->to, .part = edge->part};
    return true;
}

static bool find_outer(const EngineFn *ef, Stretch *stretch)
{
    const LeapIndex *index = ef->leaps;
    uint32_t low = 0, high = index->edges.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->edges.items[middle].from < stretch->enter)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < index->edges.len && index->edges.items[low].from <= stretch->leave; low++) {
        const JoinEdge *edge = &index->edges.items[low];
        if (is_passed(ef, stretch, edge->from) && !add_outer(ef, stretch, edge)) return false;
    }
    return true;
}

static uint32_t subtree_size(const FlowDom *dom, IrBlockId block)
{
    return (dom->leave[block] - dom->enter[block] + 1) / 2;
}

static bool is_worth_it(const FlowDom *dom, const Stretch *stretch)
{
    uint32_t size = subtree_size(dom, stretch->from);
    if (stretch->inner != IR_NONE) size -= subtree_size(dom, stretch->inner);
    return size >= LEAP_MIN_BLOCKS;
}

// ---- landing ------------------------------------------------------------------------------------

// The search goes on at the block with these facts, but for what the state knows better.
static void land(EngineFn *ef, const Difference *difference, IrBlockId block, const State *facts)
{
    const State *state = difference->state;
    State landed = *state;
    uint32_t bound;
    landed.env = facts->env;
    landed.ranges = facts->ranges;
    for (uint32_t i = 0; i < difference->loc_count; i++) {
        LocId loc = difference->locs[i];
        landed.env = pmap_get(state->env, loc, &bound)
                         ? pmap_set(ef->space.arena, landed.env, loc, bound)
                         : pmap_remove(ef->space.arena, landed.env, loc);
    }
    for (uint32_t i = 0; i < difference->sym_count; i++)
        if (pmap_get(state->ranges, difference->syms[i], &bound))
            landed.ranges = pmap_set(ef->space.arena, landed.ranges, difference->syms[i], bound);
    engine_queue(ef, block, landed);
}

static void land_inside(EngineFn *ef, const Difference *difference, IrBlockId inner)
{
    const Meeting *meeting = ef->meetings[inner];
    for (uint32_t i = 0; i < meeting->count; i++)
        land(ef, difference, inner, *vec_last(&meeting->parts[i].levels));
}

// Only what is known on the edges from the stretch itself.
static void land_outside(EngineFn *ef, const Difference *difference, const Stretch *stretch,
                         WayOut outer)
{
    State facts;
    bool found = false;
    uint32_t low = stretch->enter;
    if (stretch->inner != IR_NONE) {
        facts_between(ef, outer.to, outer.part, low, ef->dom.enter[stretch->inner] - 1, &facts,
                      &found);
        low = ef->dom.leave[stretch->inner] + 1;
    }
    facts_between(ef, outer.to, outer.part, low, stretch->leave, &facts, &found);
    if (found) land(ef, difference, outer.to, &facts);
}

// ---- returns on the way -------------------------------------------------------------------------

static void tell_branch(EngineFn *ef, State *state, IrBlockId block)
{
    IrBlockId before = ef->dom.idom[block];
    const IrInstr *end = vec_last(&ef->fn->blocks.items[before].instrs);
    bool two_ways = end->op == IR_BRANCH && (end->target == block || end->other == block) &&
                    bits_has(&ef->reached, end->target) && bits_has(&ef->reached, end->other);
    if (two_ways) engine_tell_branch(ef, state, end, end->target == block);
}

static void pass_returns(EngineFn *ef, const State *state, const Stretch *stretch)
{
    const LeapIndex *index = ef->leaps;
    if (state->status != RS_LIVE) return;
    State leaving = *state;
    for (uint32_t i = places_from(&index->returns, stretch->enter);
         i < index->returns.len && index->returns.items[i] <= stretch->leave; i++) {
        if (!is_passed(ef, stretch, index->returns.items[i])) continue;
        leaving.path = state->path;
        ef->block = index->block_at[index->returns.items[i]];
        ef->instr = vec_last(&ef->fn->blocks.items[ef->block].instrs);
        tell_branch(ef, &leaving, ef->block);
        engine_check_exit(ef, &leaving, EXIT_RETURN);
    }
}

bool leap_blocks(EngineFn *ef, IrBlockId block, const State *state)
{
    const LeapIndex *index = ef->leaps;
    if (!index || !is_plain(ef, state) || !bits_has(&ef->reached, block) ||
        bits_has(&ef->in_loop, block) || subtree_size(&ef->dom, block) < LEAP_MIN_BLOCKS)
        return false;
    Difference difference = {.ef = ef, .state = state};
    Stretch stretch = {.from = block,
                       .inner = IR_NONE,
                       .enter = ef->dom.enter[block],
                       .leave = ef->dom.leave[block]};
    if (!find_differences(&difference, &ef->entry_facts[block]) ||
        !find_inner(ef, &difference, &stretch) || !is_worth_it(&ef->dom, &stretch) ||
        !find_outer(ef, &stretch))
        return false;
    pass_returns(ef, state, &stretch);
    if (stretch.inner != IR_NONE) land_inside(ef, &difference, stretch.inner);
    for (uint32_t i = 0; i < stretch.outer_count; i++)
        land_outside(ef, &difference, &stretch, stretch.outer[i]);
    return true;
}

uint32_t leap_instrs(EngineFn *ef, IrBlockId block, uint32_t from, const State *state)
{
    const LeapIndex *index = ef->leaps;
    bool is_long = ef->fn->blocks.items[block].instrs.len >= LEAP_MIN_INSTRS;
    if (!index || !is_long || bits_has(&ef->in_loop, block) || !is_plain(ef, state)) return from;
    uint32_t first = ef->first_point[block], to = index->next_loud[first + from];
    Difference difference = {.ef = ef, .state = state};
    if (to == from || !add_holders(&difference)) return from;
    for (uint32_t i = 0; i < difference.var_count; i++) {
        const Places *points = &index->points[difference.vars[i]];
        uint32_t next = places_from(points, first + from);
        if (next < points->len && points->items[next] < first + to)
            to = points->items[next] - first;
    }
    return to;
}
