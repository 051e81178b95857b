// SPDX-License-Identifier: MIT
// The worklist: states travel through the control-flow graph in reverse post-order. At a block's
// entry a state merges with the one there of the same signature; only what changed is run again.
#include "engine/search.h"
#include "engine/facts.h"
#include "engine/leap.h"
#include "engine/phase.h"

enum {
    // Of functions of which each path is followed on its own:
    MAX_PATH_BLOCKS = 40,
    MAX_PATHS = 16,
    MAX_PATH_STEPS = 200, // block visits
};

static uint32_t join_point(const EngineFn *ef, IrBlockId block)
{
    return ef->join_points + block;
}

static void add_state(EngineFn *ef, IrBlockId block, State state)
{
    BlockStates *here = &ef->blocks[block];
    if (here->states.len >= ef->budget.max_states_per_block) {
        ef->gave_up = "too many distinct states at one point";
        return;
    }
    vec_push(ef->space.arena, &here->states, state);
    vec_push(ef->space.arena, &here->dirty, true);
    bits_add(&ef->pending, ef->order[block]);
}

// The caller's resource, once others know it, is theirs: where else it lies makes no difference to
// the caller.
static bool is_same_state(const EngineFn *ef, const State *a, const State *b)
{
    bool is_known_outside = ef->site && ef->site->kind == SITE_ENTRY && a->escaped;
    return state_same_signature(a, b, !is_known_outside);
}

void engine_queue(EngineFn *ef, IrBlockId block, State state)
{
    if (state.dead || ef->gave_up) return;
    BlockStates *here = &ef->blocks[block];
    if (ef->by_path && !bits_has(&ef->in_loop, block)) {
        add_state(ef, block, state);
        return;
    }
    if (!ef->site && !ef->by_path && facts_arrive(ef, block, state)) return;
    // Where paths are many, what is in flight on each is given up first.
    if (here->states.len >= ENGINE_STATES_WITH_WORK) state.pending = state.recorded = PENDING_NONE;
    bool header = bits_has(&ef->loop_headers, block);
    if (bits_has(&ef->in_loop, block)) state_arrive(&ef->space, &state, join_point(ef, block));
    bool has_rounds = ef->site && ef->has_work && state.status == RS_LIVE;
    if (has_rounds && header && phase_is_lost(ef, &state, block)) state.pending = PENDING_NONE;
    uint32_t like = 0, into = IR_NONE;
    bool apart = false;
    for (uint32_t i = 0; i < here->states.len; i++) {
        if (!is_same_state(ef, &here->states.items[i], &state)) continue;
        // Work of one round meets another round only where that can follow.
        if (has_rounds && phase_differs(&ef->space, &here->states.items[i], &state)) continue;
        like++;
        apart = ef->site && !header &&
                state_differs_by_flag(&ef->space, &here->states.items[i], &state);
        if (into == IR_NONE || !apart) into = i;
        if (!apart) break;
    }
    bool keep_apart = apart && like < ENGINE_STATES_APART;
    if (into == IR_NONE || keep_apart) {
        add_state(ef, block, state);
        return;
    }
    // The first few states come from outside the loop or make its first rounds: their bounds are
    // worth keeping.
    State *known = &here->states.items[into];
    if (!ef->site && !ef->by_path && !header) facts_note_flags(ef, block, known, &state);
    JoinKind kind = !header                            ? JOIN_PATHS
                    : known->merges >= ENGINE_PATIENCE ? JOIN_MANY
                                                       : JOIN_ROUNDS;
    if (!state_merge(&ef->space, known, &state, join_point(ef, block), kind)) return;
    if (known->merges < UINT8_MAX) known->merges++;
    if (has_rounds && known->pending != PENDING_NONE)
        state_forget_branches(&ef->space, known, state.path);
    here->dirty.items[into] = true;
    bits_add(&ef->pending, ef->order[block]);
}

bool engine_take_step(EngineFn *ef)
{
    ef->steps++;
    ef->total_steps++;
    uint64_t max_steps = ef->by_path ? MAX_PATH_STEPS : ef->budget.max_steps;
    if (ef->steps > max_steps || ef->total_steps > ef->budget.max_function_steps)
        ef->gave_up = "the search took too many steps";
    else if (arena_bytes(ef->space.arena) > ef->budget.max_bytes)
        ef->gave_up = "the search took too much memory";
    return !ef->gave_up;
}

static void run_block(EngineFn *ef, IrBlockId block)
{
    BlockStates *here = &ef->blocks[block];
    bool meets = !ef->site && !ef->by_path && !bits_has(&ef->in_loop, block);
    if (meets) facts_meet(ef, block);
    for (uint32_t i = 0; i < here->states.len && !ef->gave_up; i++) {
        if (!meets && !here->dirty.items[i]) continue;
        if (!meets) here->dirty.items[i] = false;
        if (!engine_take_step(ef)) return;
        State state = here->states.items[i];
        if (!leap_blocks(ef, block, &state)) engine_exec_block(ef, block, 0, state);
    }
}

static void run(EngineFn *ef)
{
    for (;;) {
        uint32_t next = bits_next(&ef->pending, 0);
        if (next >= ef->pending.size || ef->gave_up) return;
        bits_remove(&ef->pending, next);
        run_block(ef, ef->by_order[next]);
    }
}

// The tracked resource begins in the middle of its block, with what is known there on every path.
static void start_at_site(EngineFn *ef, const Site *site)
{
    State state = ef->entry_facts[site->block];
    engine_exec_block(ef, site->block, 0, state);
}

// The caller's resource lies in one place when the function is entered.
static void start_at_entry(EngineFn *ef, const Site *site)
{
    State state = {.attached = IR_NONE, .release_status = IR_NONE, .status = RS_LIVE};
    state_write(&ef->space, &state, site->entry, sym_resource(ef->space.values), 0);
    ef->site_started = true;
    engine_queue(ef, 0, state);
}

static void keep_facts(EngineFn *ef)
{
    ef->entry_facts = ARENA_ARRAY(ef->arena, State, ef->fn->blocks.len);
    ef->reached = bits_new(ef->arena, ef->fn->blocks.len);
    for (uint32_t i = 0; i < ef->fn->blocks.len; i++) {
        if (ef->blocks[i].states.len == 0) continue;
        bits_add(&ef->reached, i);
        ef->entry_facts[i] = ef->blocks[i].states.items[0];
    }
    ef->leaps = leap_index_new(ef);
}

void engine_search(EngineFn *ef, Site *site)
{
    ef->site = site;
    ef->site_started = false;
    ef->gave_up = NULL;
    ef->steps = 0;
    ef->comparisons = LEAP_COMPARISONS + 8 * ef->fn->vars.len;
    ef->forks.items = NULL; // the last search's memory is gone
    ef->forks.len = ef->forks.cap = 0;
    values_set_resource(ef->space.values, site && site->kind == SITE_ACQUIRE, &ef->acquire_points);
    ef->blocks = ARENA_ARRAY(ef->space.arena, BlockStates, ef->fn->blocks.len);
    ef->pending = bits_new(ef->space.arena, ef->fn->blocks.len);
    if (site) {
        site->doubtful = bits_new(ef->space.arena, ef->join_points);
        site->settled = bits_new(ef->space.arena, ef->fn->blocks.len);
    }
    if (!site && !ef->by_path) {
        ef->meetings = ARENA_ARRAY(ef->arena, Meeting *, ef->fn->blocks.len);
        ef->blurred = bits_new(ef->arena, ef->fn->blocks.len);
    }
    if (site && site->kind == SITE_ENTRY) {
        start_at_entry(ef, site);
    } else if (site) {
        start_at_site(ef, site);
    } else {
        engine_queue(ef, 0, (State){.attached = IR_NONE, .release_status = IR_NONE});
    }
    run(ef);
    if (!site && !ef->by_path) keep_facts(ef);
}

// Two paths meet somewhere, so that what told them apart may be gone at the return, and there are
// few: a path that goes round a loop counts as one that passes it by.
static bool are_few_paths_that_meet(const EngineFn *ef)
{
    FlowGraph graph = flow_graph_of(ef->arena, ef->fn);
    uint32_t *paths = ARENA_ARRAY(ef->arena, uint32_t, graph.block_count);
    bool meet = false;
    for (uint32_t i = 0; i < graph.block_count; i++) {
        uint32_t block = ef->by_order[i], from = 0;
        if (ef->order[block] != i) break; // the others are not reached
        paths[block] = i == 0 ? 1 : 0;
        for (uint32_t p = graph.pred_start[block]; p < graph.pred_start[block + 1]; p++) {
            uint32_t order = ef->order[graph.pred[p]];
            if (order == FLOW_NONE || order >= i) continue;
            paths[block] += paths[graph.pred[p]];
            from++;
        }
        meet |= from > 1;
        if (paths[block] > MAX_PATHS) return false;
    }
    return meet;
}

void engine_search_returns(EngineFn *ef)
{
    if (ef->gave_up || ef->fn->blocks.len > MAX_PATH_BLOCKS || !are_few_paths_that_meet(ef)) return;
    Returns known = ef->returns;
    StateList throws = ef->throws;
    ef->returns = (Returns){0};
    ef->by_path = true;
    engine_search(ef, NULL);
    ef->by_path = false;
    if (ef->gave_up || ef->returns.states.len == 0) ef->returns = known;
    ef->throws = throws;
    ef->gave_up = NULL;
}
