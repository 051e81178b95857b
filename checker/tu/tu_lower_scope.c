// SPDX-License-Identifier: MIT
// Scopes: what has to happen when control leaves them, on the normal way (fall-through, break,
// goto, return) and when an exception passes. Cleanups are a tree of nodes that never change, so a
// place in the source is described by its innermost node alone; landing blocks for exceptions are
// made on demand, one per node.
#include "tu/tu_lower.h"

static LwCleanup *push(Lower *lw, LwCleanup cleanup)
{
    LwCleanup *node = ARENA_NEW(lw->arena, LwCleanup);
    *node = cleanup;
    node->outer = lw->top;
    node->depth = lw->top == NULL ? 1 : lw->top->depth + 1;
    node->on_exit = IR_NONE;
    node->in_try = cleanup.kind == LW_CLEAN_TRY || (lw->top != NULL && lw->top->in_try);
    lw->top = node;
    return node;
}

void lw_push_var(Lower *lw, IrVarId var, CXType type)
{
    bool destroys = !lw_is_reference(type) && lw_needs_destroy(lw, type);
    push(lw, (LwCleanup){.kind = LW_CLEAN_VAR,
                         .var = var,
                         .place = ir_place_var(lw->unit, lw->fn, var),
                         .type = lw_canonical(type),
                         .destroys = destroys,
                         .landing = IR_NONE});
}

void lw_push_object(Lower *lw, IrPlaceId place, CXType type)
{
    if (!lw_needs_destroy(lw, type)) return;
    push(lw, (LwCleanup){.kind = LW_CLEAN_OBJECT,
                         .var = IR_NONE,
                         .place = place,
                         .type = lw_canonical(type),
                         .destroys = true,
                         .landing = IR_NONE});
}

LwCleanup *lw_push_try(Lower *lw, IrBlockId dispatch)
{
    return push(
        lw,
        (LwCleanup){.kind = LW_CLEAN_TRY, .var = IR_NONE, .place = IR_NONE, .landing = dispatch});
}

static void end_storage(Lower *lw, IrVarId var, SrcLoc loc)
{
    IrInstr instr = ir_instr(IR_SCOPE_END, loc);
    instr.var = var;
    lw_append(lw, instr);
}

static void end_object(Lower *lw, const LwCleanup *cleanup, SrcLoc loc)
{
    if (cleanup->on_exit != IR_NONE) {
        IrCall *call = lw_call_new(lw, cleanup->on_exit, 1);
        call->args[0] = lw_address(lw, cleanup->place);
        call->is_implicit = true;
        lw_emit_call(lw, loc, call);
    }
    lw_destroy(lw, cleanup->place, cleanup->type, loc);
}

void lw_unwind_to(Lower *lw, const LwCleanup *scope, SrcLoc loc, bool ends_storage)
{
    LwCleanup *saved = lw->top;
    uint32_t depth = scope == NULL ? 0 : scope->depth;
    for (LwCleanup *at = saved; at != NULL && at->depth > depth && lw_is_open(lw); at = at->outer) {
        lw->top = at->outer;
        if (at->kind != LW_CLEAN_VAR) continue;
        bool is_kept = at->var == lw->returned && lw->returned != IR_NONE;
        if (at->destroys && !is_kept) end_object(lw, at, loc);
        if (ends_storage) end_storage(lw, at->var, loc);
    }
    lw->top = saved;
}

void lw_unwind_exception(Lower *lw, const LwCleanup *scope, SrcLoc loc)
{
    LwCleanup *saved = lw->top;
    for (LwCleanup *at = saved; at != NULL && at != scope; at = at->outer) {
        lw->top = at->outer;
        if (at->destroys) end_object(lw, at, loc);
        if (at->kind == LW_CLEAN_VAR && scope != NULL) end_storage(lw, at->var, loc);
    }
    lw->top = saved;
}

void lw_leave(Lower *lw, LwCleanup *scope, SrcLoc loc)
{
    if (lw_is_open(lw)) lw_unwind_to(lw, scope, loc, true);
    lw->top = scope;
}

static IrBlockId resume_block(Lower *lw)
{
    if (lw->resume == IR_NONE) {
        lw->resume = lw_block(lw);
        ir_block_append(lw->unit, lw->fn, lw->resume, ir_instr(IR_RESUME, lw->fn->end));
    }
    return lw->resume;
}

// The innermost node that has something to do when an exception passes.
static LwCleanup *concerned(LwCleanup *at)
{
    // Outside of try blocks the function is left, which ends all storage by itself.
    while (at != NULL && at->kind != LW_CLEAN_TRY && !at->destroys && !at->in_try) at = at->outer;
    return at;
}

static void fill_landing(Lower *lw, LwCleanup *node, SrcLoc loc)
{
    lw_enter(lw, node->landing);
    lw->top = node->outer;
    if (node->destroys) end_object(lw, node, loc);
    if (node->kind == LW_CLEAN_VAR && node->in_try) end_storage(lw, node->var, loc);
}

IrBlockId lw_landing(Lower *lw)
{
    LwCleanup *first = concerned(lw->top);
    if (first == NULL) return IR_NONE;
    if (first->landing != IR_NONE) return first->landing;
    LwCleanup *saved_top = lw->top;
    IrBlockId saved_block = lw->block;
    SrcLoc loc = lw->fn->end;
    LwCleanup *at = first;
    at->landing = lw_block(lw);
    for (;;) {
        fill_landing(lw, at, loc);
        LwCleanup *next = concerned(at->outer);
        bool is_new = next != NULL && next->landing == IR_NONE;
        if (is_new) next->landing = lw_block(lw);
        lw_jump(lw, loc, next == NULL ? resume_block(lw) : next->landing);
        if (!is_new) break;
        at = next;
    }
    lw->top = saved_top;
    lw->block = saved_block;
    return first->landing;
}
