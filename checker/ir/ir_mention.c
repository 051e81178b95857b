// SPDX-License-Identifier: MIT
// Which variables an instruction mentions, and how.
#include "ir/ir.h"

typedef struct {
    const IrFunction *fn;
    void (*visit)(void *context, IrVarId var, IrMention how);
    void *context;
} Walk;

static void walk_expr(const Walk *walk, IrExprId id);

// The indices on the way are mentioned, too.
static void walk_place(const Walk *walk, IrPlaceId id, IrMention how)
{
    for (const IrPlace *place;; id = place->base) {
        place = ir_place(walk->fn, id);
        if (place->kind == IR_PL_VAR) {
            walk->visit(walk->context, place->var, how);
            return;
        }
        if (place->kind == IR_PL_DEREF) how = IR_MENTION_VALUE;
        if (place->kind == IR_PL_INDEX && place->index != IR_NONE) walk_expr(walk, place->index);
    }
}

static void walk_expr(const Walk *walk, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(walk->fn, id);
    if (expr->kind == IR_EX_LOAD) walk_place(walk, expr->place, IR_MENTION_VALUE);
    if (expr->kind == IR_EX_ADDR) walk_place(walk, expr->place, IR_MENTION_ADDRESS);
    if (expr->a != IR_NONE) walk_expr(walk, expr->a);
    if (expr->b != IR_NONE) walk_expr(walk, expr->b);
    for (uint32_t i = 0; i < expr->capture_count; i++) walk_expr(walk, expr->captures[i].value);
}

static void walk_argument(const Walk *walk, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(walk->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(walk->fn, expr->a);
    if (expr->kind == IR_EX_ADDR)
        walk_place(walk, expr->place, IR_MENTION_ARGUMENT);
    else
        walk_expr(walk, id);
}

void ir_each_mention(const IrFunction *fn, const IrInstr *instr,
                     void (*visit)(void *context, IrVarId var, IrMention how), void *context)
{
    Walk walk = {.fn = fn, .visit = visit, .context = context};
    if (instr->op == IR_DECL || instr->op == IR_SCOPE_END)
        visit(context, instr->var, IR_MENTION_SCOPE);
    if (instr->dst != IR_NONE) walk_place(&walk, instr->dst, IR_MENTION_VALUE);
    if (instr->value != IR_NONE) walk_expr(&walk, instr->value);
    if (!instr->call) return;
    const IrCall *call = instr->call;
    for (uint32_t i = 0; i < call->arg_count; i++) walk_argument(&walk, call->args[i]);
    if (call->target != IR_NONE) walk_expr(&walk, call->target);
    if (call->stream != IR_NONE) walk_expr(&walk, call->stream);
    if (call->dst != IR_NONE) walk_place(&walk, call->dst, IR_MENTION_VALUE);
}
