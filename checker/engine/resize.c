// SPDX-License-Identifier: MIT
// Calls that move a block of host memory (realloc): what lay in the old block lies in the new one
// afterwards. Where they fail, everything stays.
#include "engine/resize.h"

// The argument whose block moves to where the result leads; IR_NONE: the function moves none.
static uint32_t moved_argument(const CallSite *site)
{
    const ModelEffect *release = NULL;
    bool acquires = false;
    for (uint32_t i = 0; i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        if (effect->kind == MODEL_RELEASE && effect->on_success) release = effect;
        acquires |= effect->kind == MODEL_ACQUIRE && effect->slot.arg == 0;
    }
    bool moves = acquires && release && release->slot.arg > 0 && !release->slot.pointee;
    uint32_t index = moves ? site->first + (uint32_t)release->slot.arg - 1 : IR_NONE;
    return moves && index < site->count ? index : IR_NONE;
}

// The whole block that the pointer leads to; IR_NONE: not in sight.
static LocId block_of(EngineFn *ef, SymId pointer)
{
    const Sym *sym = sym_at(ef->space.values, pointer);
    if (sym->kind == SYM_INT || sym->kind == SYM_ADDR || sym->has_resource) return IR_NONE;
    return loc_mem(ef->space.values, pointer);
}

// The place that the result is stored in: perhaps by way of a temporary.
static IrPlaceId stored_in(const EngineFn *ef, const CallSite *site)
{
    const IrBlock *block = &ef->fn->blocks.items[ef->block];
    uint32_t next = ef->point - ef->first_point[ef->block] + 1;
    const IrInstr *after = next < block->instrs.len ? &block->instrs.items[next] : NULL;
    if (!after || after->op != IR_ASSIGN) return site->call->dst;
    const IrExpr *value = ir_without_casts(ef->fn, after->value);
    bool is_result = value->kind == IR_EX_LOAD && value->place == site->call->dst;
    return is_result ? after->dst : site->call->dst;
}

// p = realloc(p, n): that p is lost where the call fails is no matter of what lies in the block.
static bool replaces_argument(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    const IrExpr *expr = ir_without_casts(ef->fn, site->call->args[index]);
    return expr->kind == IR_EX_LOAD && expr->place == stored_in(ef, site);
}

void engine_move_block(EngineFn *ef, State *state, CallSite *site)
{
    uint32_t index = moved_argument(site);
    bool is_start = ef->site && !ef->site_started && ef->site->point == ef->point;
    if (index == IR_NONE || is_start || block_of(ef, site->args[index]) == IR_NONE) return;
    bool holds =
        state->holders && engine_search_holders(ef, state, block_of(ef, site->args[index])).found;
    if (holds && !replaces_argument(ef, site, index)) {
        State failed = *state;
        CallSite failure = *site;
        failure.result = sym_int(ef->space.values, 0);
        engine_fork(ef, &failed, &failure);
    }
    // The old block may be what this very call made the last time round a loop.
    SymId fresh = sym_fresh_slot(ef->space.values, ef->point, 0);
    site->result = engine_fresh(ef, state, 0);
    if (ef->space.point_in_loop)
        site->args[index] = sym_replace(ef->space.values, site->args[index], fresh,
                                        sym_older(ef->space.values, fresh));
    if (holds) {
        Range any = range_full();
        (void)state_restrict(&ef->space, state, site->result, range_exclude(&any, 0));
    }
    state_copy(&ef->space, state, block_of(ef, site->result), block_of(ef, site->args[index]),
               ef->point);
}
