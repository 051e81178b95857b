// SPDX-License-Identifier: MIT
// Which calls may let the host know that work is done, and which may begin to record work for a
// graph. A call that is not seen may wait; one of the library does not, unless the model says that
// it waits for others or its types say that it runs code of the user's.
#include "engine/work.h"

// The parameter may bring code that the library then runs: a functor, a lambda.
static bool brings_code(const EngineFn *ef, IrType type)
{
    const IrTypeInfo *info = ir_type(ef->unit, type);
    bool by_reference = info->kind == IR_TY_REFERENCE && info->pointee != IR_NONE;
    if (by_reference) info = ir_type(ef->unit, info->pointee);
    if (info->kind != IR_TY_RECORD || info->record == IR_NONE) return false;
    const IrRecord *record = &ef->unit->records.items[info->record];
    return record->runs_user_code || record->is_closure ||
           (record->kind == IR_REC_USER && !by_reference);
}

// A function of the library may run the user's code: that of elements, of functions that it is
// given. Methods that change nothing only look, but for those of a functor.
static bool runs_user_code(const EngineFn *ef, const IrCallee *callee)
{
    for (uint32_t i = 0; i < callee->params.len; i++)
        if (brings_code(ef, callee->params.items[i])) return true;
    if (callee->record == IR_NONE || !ef->unit->records.items[callee->record].runs_user_code)
        return false;
    return !callee->is_const_method || str_starts_with(callee->name, "operator()");
}

// A function of the C or C++ library that neither waits for others nor runs the user's code.
static bool is_plain_library(const EngineFn *ef, const CallSite *site)
{
    if (!site->callee || !site->callee->in_system_header || site->captured.len > 0) return false;
    if (site->model && site->model->order == ORDER_MAY_SYNC) return false;
    if (runs_user_code(ef, site->callee)) return false;
    for (uint32_t i = 0; i < site->count; i++)
        if (sym_at(ef->space.values, site->args[i])->kind == SYM_FUNC) return false;
    return site->callee->is_extern_c_like || str_starts_with(site->callee->qualified, "std::");
}

bool engine_call_may_wait(const EngineFn *ef, const CallSite *site)
{
    if (is_plain_library(ef, site)) return false;
    const Summary *summary = site->callee ? engine_summary_of(ef, site->call, site->callee) : NULL;
    return !summary || !summary->known || !summary->never_waits;
}

// The model's call can make the host know that work is done.
static bool order_may_wait(ModelOrder order)
{
    return order != ORDER_NONE && order != ORDER_HOST && order != ORDER_ENQUEUE &&
           order != ORDER_COPY_ASYNC && order != ORDER_SET && order != ORDER_RECORD_EVENT &&
           order != ORDER_WAIT_EVENT && order != ORDER_HINT && order != ORDER_NEEDS_EVENT &&
           order != ORDER_BIND_STREAM;
}

static bool instr_may_wait(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_CALL) return false;
    CallSite site = {.call = instr->call};
    if (instr->call->callee == IR_NONE) return true;
    site.callee = &ef->unit->callees.items[instr->call->callee];
    site.model = engine_model_of(ef, instr->call, site.callee);
    if (site.model && !engine_is_cpp_library(&site)) return order_may_wait(site.model->order);
    return engine_call_may_wait(ef, &site);
}

static bool waits_within(const EngineFn *ef, IrBlockId block, uint32_t end)
{
    const IrBlock *body = &ef->fn->blocks.items[block];
    for (uint32_t i = 0; i < end; i++)
        if (instr_may_wait(ef, &body->instrs.items[i])) return true;
    return false;
}

typedef struct {
    EngineFn *ef;
    bool changed;
} Spread;

static void spread_to(void *context, IrBlockId successor)
{
    Spread *spread = context;
    if (bits_has(&spread->ef->waited_before, successor)) return;
    bits_add(&spread->ef->waited_before, successor);
    spread->changed = true;
}

// Blocks that a path may come to from a call that may wait.
static void find_waited(EngineFn *ef)
{
    uint32_t count = ef->fn->blocks.len;
    ef->waited_before = bits_new(ef->arena, count);
    Spread spread = {.ef = ef, .changed = true};
    while (spread.changed) {
        spread.changed = false;
        for (uint32_t b = 0; b < count; b++) {
            bool waits = bits_has(&ef->waited_before, b) ||
                         waits_within(ef, b, ef->fn->blocks.items[b].instrs.len);
            if (waits) ir_successors(ef->fn, b, spread_to, &spread);
        }
    }
}

bool engine_waited_before(EngineFn *ef)
{
    if (ef->waited_before.size == 0) find_waited(ef);
    return bits_has(&ef->waited_before, ef->block) ||
           waits_within(ef, ef->block, ef->point - ef->first_point[ef->block]);
}

// ---- loops that wait ----------------------------------------------------------------------------

static void find_waiting_loops(EngineFn *ef)
{
    ef->waiting_loops = bits_new(ef->arena, ef->loops.loops.len);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        uint32_t loop = ef->loops.loop_of[b];
        if (loop == FLOW_NONE || !waits_within(ef, b, ef->fn->blocks.items[b].instrs.len)) continue;
        for (; loop != FLOW_NONE; loop = ef->loops.loops.items[loop].parent)
            bits_add(&ef->waiting_loops, loop);
    }
}

bool engine_is_in_busy_loop(EngineFn *ef)
{
    uint32_t inner = ef->loops.loop_of[ef->block];
    if (ef->waiting_loops.size == 0) find_waiting_loops(ef);
    for (uint32_t loop = inner; loop != FLOW_NONE; loop = ef->loops.loops.items[loop].parent)
        if (bits_has(&ef->waiting_loops, loop)) return false;
    return inner != FLOW_NONE;
}

static bool is_queued_within(const EngineFn *ef, const Work *work, uint32_t loop)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        bool is_here = work->point >= ef->first_point[b] &&
                       work->point < ef->first_point[b] + ef->fn->blocks.items[b].instrs.len;
        if (is_here) return flow_loop_contains(&ef->loops, loop, b);
    }
    return false;
}

void engine_work_leave_loop(EngineFn *ef, State *state, uint32_t loop)
{
    if (state->pending == PENDING_NONE) return;
    if (ef->waiting_loops.size == 0) find_waiting_loops(ef);
    if (!bits_has(&ef->waiting_loops, loop)) return;
    Pending all = engine_pending(ef, state), left = {0};
    for (uint32_t i = 0; i < all.count; i++)
        if (is_queued_within(ef, &all.works[i], loop)) left.works[left.count++] = all.works[i];
    state->pending = pending_id(&ef->space.pendings, &left);
}

typedef bool InstrTest(const EngineFn *ef, const IrInstr *instr);

// The test holds of some instruction that can be reached.
static bool any_instr(const EngineFn *ef, InstrTest *test)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; bits_has(&ef->reached, b) && i < block->instrs.len; i++)
            if (test(ef, &block->instrs.items[i])) return true;
    }
    return false;
}

bool engine_may_wait(const EngineFn *ef)
{
    return any_instr(ef, instr_may_wait);
}

static bool instr_may_capture(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE) return false;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const ModelFunction *model = engine_model_of(ef, instr->call, callee);
    if (!model) {
        const Summary *summary = engine_summary_of(ef, instr->call, callee);
        return summary && summary->known && summary->captures;
    }
    for (uint32_t i = 0; i < model->effects.len; i++)
        if (model->effects.items[i].kind == MODEL_ATTACH &&
            model_resource(ef->model, model->effects.items[i].resource)->defers_work)
            return true;
    return false;
}

bool engine_may_capture(const EngineFn *ef)
{
    return any_instr(ef, instr_may_capture);
}

static bool instr_may_order(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE) return false;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const ModelFunction *model = engine_model_of(ef, instr->call, callee);
    if (model) return model->order == ORDER_RECORD_EVENT || model->order == ORDER_WAIT_EVENT;
    const Summary *summary = engine_summary_of(ef, instr->call, callee);
    return summary && summary->known && summary->orders;
}

bool engine_may_order(const EngineFn *ef)
{
    return any_instr(ef, instr_may_order);
}
