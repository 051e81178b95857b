// SPDX-License-Identifier: MIT
// Errors of GPU work that nobody would see: `main` ends though, on some path, no status that could
// carry the error was looked at since the work was queued. A plain forward analysis over blocks; no
// resource is tracked.
#include "engine/work.h"

// What was looked at since work was queued, worst last.
typedef enum {
    SEEN_ALL,     // nothing is unseen
    SEEN_WAITED,  // the host waited, but dropped the status: the last error still tells
    SEEN_NOTHING, // work is in flight, and only a call that waits can tell
} Seen;

typedef struct {
    Seen seen;
    const IrInstr *work; // queued last, of the worst path
} ErrorState;

static bool waits(ModelOrder order)
{
    return order == ORDER_SYNC_DEVICE || order == ORDER_SYNC_STREAM || order == ORDER_SYNC_EVENT ||
           order == ORDER_COPY || order == ORDER_QUERY_STREAM || order == ORDER_QUERY_EVENT;
}

static void pass_call(const EngineFn *ef, const IrInstr *instr, ErrorState *state)
{
    const IrCall *call = instr->call;
    const IrCallee *callee =
        call->callee == IR_NONE ? NULL : &ef->unit->callees.items[call->callee];
    const ModelFunction *model = callee ? engine_model_of(ef, call, callee) : NULL;
    bool is_plain = callee && callee->in_system_header && callee->is_extern_c_like;
    if (!model) {
        // Anything else may look at the error.
        if (!is_plain) state->seen = SEEN_ALL;
        return;
    }
    bool is_seen = call->dst != IR_NONE && model->result == MODEL_RESULT_STATUS;
    bool tells = waits(model->order) || state->seen == SEEN_WAITED;
    if (is_seen && tells)
        state->seen = SEEN_ALL;
    else if (waits(model->order) && state->seen == SEEN_NOTHING)
        state->seen = SEEN_WAITED;
}

static void pass_block(const EngineFn *ef, uint32_t block, ErrorState *state)
{
    const IrBlock *body = &ef->fn->blocks.items[block];
    for (uint32_t i = 0; i < body->instrs.len; i++) {
        const IrInstr *instr = &body->instrs.items[i];
        if (instr->op == IR_LAUNCH) *state = (ErrorState){SEEN_NOTHING, instr};
        if (instr->op == IR_CALL) pass_call(ef, instr, state);
    }
}

// Loops that look at the errors of earlier work and queue none themselves. Such a loop is taken to run:
// over all streams that there are.
static BitSet find_looking_loops(const EngineFn *ef)
{
    BitSet looking = bits_new(ef->arena, ef->loops.loops.len),
           launching = bits_new(ef->arena, ef->loops.loops.len);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        ErrorState state = {.seen = SEEN_NOTHING};
        pass_block(ef, b, &state);
        uint32_t loop = ef->loops.loop_of[b];
        for (; loop != FLOW_NONE; loop = ef->loops.loops.items[loop].parent) {
            if (state.work) bits_add(&launching, loop);
            if (state.seen == SEEN_ALL) bits_add(&looking, loop);
        }
    }
    for (uint32_t loop = 0; loop < ef->loops.loops.len; loop++)
        if (bits_has(&launching, loop)) bits_remove(&looking, loop);
    return looking;
}

static bool leaves_looking_loop(const EngineFn *ef, const BitSet *looking, uint32_t from,
                                uint32_t to)
{
    uint32_t loop = ef->loops.loop_of[from];
    while (loop != FLOW_NONE && !flow_loop_contains(&ef->loops, loop, to)) {
        if (bits_has(looking, loop)) return true;
        loop = ef->loops.loops.items[loop].parent;
    }
    return false;
}

// Success: a path that has met an error says so.
static bool returns_success(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_RETURN) return false;
    if (instr->value == IR_NONE) return true;
    const IrExpr *value = ir_expr_at(ef->fn, instr->value);
    return value->kind == IR_EX_INT && value->value == 0;
}

static const IrInstr *last_instr(const EngineFn *ef, uint32_t block)
{
    return vec_last(&ef->fn->blocks.items[block].instrs);
}

static void report_lost(EngineFn *ef, const IrInstr *exit, const ErrorState *state,
                        const EngineSink *sink)
{
    IrCalleeId callee = state->work->call->callee;
    const char *name = callee == IR_NONE ? "the kernel" : ef->unit->callees.items[callee].name;
    Event event = {.kind = EV_ERROR_LOST,
                   .loc = exit->loc,
                   .name = name,
                   .kind_title = "kernel",
                   .work_at = state->work->loc,
                   .work_by = name,
                   .work_is_kernel = true};
    FindingStep steps[] = {
        {.loc = state->work->loc, .text = arena_printf(ef->arena, "'%s' is launched here", name)},
        {.loc = exit->loc, .text = "the program ends here"},
    };
    sink->on_event(sink->context, ef->fn, &event, steps, 2);
}

void engine_check_lost_errors(EngineFn *ef, const EngineSink *sink)
{
    // Launches that are recorded for a graph do not run.
    if (!ef->fn->is_main || !ef->has_work || engine_may_capture(ef)) return;
    uint32_t count = ef->fn->blocks.len;
    FlowGraph graph = flow_graph_of(ef->arena, ef->fn);
    BitSet looking = find_looking_loops(ef);
    ErrorState *at_entry = ARENA_ARRAY(ef->arena, ErrorState, count);
    BitSet todo = bits_new(ef->arena, count);
    for (uint32_t b = 0; b < count; b++) bits_add(&todo, b);
    const IrInstr *exit = NULL;
    ErrorState at_exit = {0};
    for (uint32_t b; (b = bits_next(&todo, 0)) < count;) {
        bits_remove(&todo, b);
        ErrorState state = at_entry[b];
        pass_block(ef, b, &state);
        bool leaves = returns_success(ef, last_instr(ef, b)) && bits_has(&ef->reached, b);
        if (leaves && state.seen != SEEN_ALL && !exit) {
            exit = last_instr(ef, b);
            at_exit = state;
        }
        for (uint32_t i = graph.succ_start[b]; i < graph.succ_start[b + 1]; i++) {
            ErrorState *next = &at_entry[graph.succ[i]];
            if (state.seen <= next->seen || leaves_looking_loop(ef, &looking, b, graph.succ[i]))
                continue;
            *next = state;
            bits_add(&todo, graph.succ[i]);
        }
    }
    if (exit) report_lost(ef, exit, &at_exit, sink);
}
