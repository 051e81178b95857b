// SPDX-License-Identifier: MIT
// Copying a callee's body into its caller. Parameters become variables that start with the
// arguments; a return stores the result, ends the body's variables and jumps behind the call.
#include "ir/ir_clone.h"

#include <string.h>

// ---- variables, places, expressions -------------------------------------------------------------

// Variables that are not the callee's own are the same variable in both functions.
static bool is_shared(IrVarKind kind)
{
    return kind == IR_VAR_GLOBAL || kind == IR_VAR_CAPTURE;
}

static IrVarId same_var(IrClone *clone, const IrVar *var)
{
    const IrFunction *to = clone->to;
    for (IrVarId i = 0; i < to->vars.len; i++) {
        const IrVar *other = &to->vars.items[i];
        bool is_global = var->kind == IR_VAR_GLOBAL && other->kind == IR_VAR_GLOBAL;
        if (is_global && var->usr && other->usr && strcmp(var->usr, other->usr) == 0) return i;
    }
    return ir_var_add(clone->unit, clone->to, *var);
}

static void clone_vars(IrClone *clone)
{
    const IrFunction *from = clone->from;
    clone->vars = ARENA_ARRAY(clone->scratch, IrVarId, from->vars.len + 1);
    for (IrVarId i = 0; i < from->vars.len; i++) {
        IrVar var = from->vars.items[i];
        if (is_shared(var.kind)) {
            clone->vars[i] = same_var(clone, &var);
        } else if (var.kind == IR_VAR_TEMP) {
            clone->vars[i] = ir_temp_add(clone->unit, clone->to, var.type, var.loc);
        } else {
            var.kind = IR_VAR_LOCAL;
            clone->vars[i] = ir_var_add(clone->unit, clone->to, var);
        }
    }
}

static IrExprId clone_expr(IrClone *clone, IrExprId id);

static IrPlaceId make_place(IrClone *clone, const IrPlace *place)
{
    IrUnit *unit = clone->unit;
    IrFunction *to = clone->to;
    if (place->kind == IR_PL_VAR) return ir_place_var(unit, to, clone->vars[place->var]);
    IrPlaceId base = clone->places[place->base];
    if (place->kind == IR_PL_FIELD)
        return ir_place_field(unit, to, base, place->field, place->type);
    if (place->kind == IR_PL_DEREF) return ir_place_deref(unit, to, base, place->type);
    return ir_place_index(unit, to, base, clone_expr(clone, place->index), place->type);
}

// Places and expressions are parts of each other; the tables of small functions are small, so the
// chains are short.
static IrPlaceId clone_place(IrClone *clone, IrPlaceId id)
{
    if (id == IR_NONE || clone->places[id] != IR_NONE)
        return id == IR_NONE ? id : clone->places[id];
    const IrPlace *place = ir_place(clone->from, id);
    if (place->kind != IR_PL_VAR) clone_place(clone, place->base);
    return clone->places[id] = make_place(clone, place);
}

static IrCapture *clone_captures(IrClone *clone, const IrExpr *expr)
{
    IrCapture *captures = ARENA_ARRAY(clone->unit->arena, IrCapture, expr->capture_count + 1);
    for (uint32_t i = 0; i < expr->capture_count; i++) {
        captures[i] = expr->captures[i];
        captures[i].value = clone_expr(clone, captures[i].value);
    }
    return captures;
}

static IrExprId clone_expr(IrClone *clone, IrExprId id)
{
    if (id == IR_NONE || clone->exprs[id] != IR_NONE) return id == IR_NONE ? id : clone->exprs[id];
    IrExpr expr = *ir_expr_at(clone->from, id);
    expr.a = clone_expr(clone, expr.a);
    expr.b = clone_expr(clone, expr.b);
    expr.place = clone_place(clone, expr.place);
    if (expr.kind == IR_EX_CLOSURE) expr.captures = clone_captures(clone, &expr);
    // The address of *p is p itself, also where p has only now become known.
    IrExprId made = expr.kind == IR_EX_ADDR ? ir_addr(clone->unit, clone->to, expr.place, expr.type)
                                            : ir_expr(clone->unit, clone->to, expr);
    return clone->exprs[id] = made;
}

static void *none_table(Arena *arena, uint32_t count)
{
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count + 1);
    memset(table, 0xff, sizeof *table * (count + 1)); // IR_NONE
    return table;
}

// ---- instructions -------------------------------------------------------------------------------

static IrInlineId clone_id(const IrClone *clone, IrInlineId id)
{
    return id == IR_NONE ? clone->id : clone->first_id + id;
}

static IrBlockId clone_target(const IrClone *clone, IrBlockId block)
{
    return block == IR_NONE ? IR_NONE : clone->first + block;
}

static void append(IrClone *clone, IrBlockId block, IrInstr instr)
{
    ir_block_append(clone->unit, clone->to, block, instr);
}

static IrCall *clone_call(IrClone *clone, const IrCall *call)
{
    IrCall *made = ir_call_new(clone->unit, call->callee, call->arg_count);
    IrExprId *args = made->args;
    *made = *call;
    made->args = args;
    for (uint32_t i = 0; i < call->arg_count; i++) args[i] = clone_expr(clone, call->args[i]);
    made->target = clone_expr(clone, call->target);
    made->dst = clone_place(clone, call->dst);
    made->grid = clone_expr(clone, call->grid);
    made->block = clone_expr(clone, call->block);
    made->shared_bytes = clone_expr(clone, call->shared_bytes);
    made->stream = clone_expr(clone, call->stream);
    made->in_try |= clone->call->in_try;
    made->unwind =
        call->unwind == IR_NONE ? clone->call->unwind : clone_target(clone, call->unwind);
    return made;
}

// A pointer that is known to be one function by now: the call is direct.
static void settle_target(IrClone *clone, IrCall *call)
{
    if (call->callee != IR_NONE || call->target == IR_NONE) return;
    const IrExpr *target = ir_expr_at(clone->to, call->target);
    if (target->kind == IR_EX_FUNC) call->callee = target->callee;
}

static IrCase *clone_cases(IrClone *clone, const IrInstr *instr)
{
    IrCase *cases = ARENA_ARRAY(clone->unit->arena, IrCase, instr->case_count + 1);
    for (uint32_t i = 0; i < instr->case_count; i++) {
        cases[i] = instr->cases[i];
        cases[i].target = clone_target(clone, cases[i].target);
    }
    return cases;
}

static void store_result(IrClone *clone, IrBlockId block, const IrInstr *from)
{
    if (clone->call->dst == IR_NONE) return;
    IrInstr store = ir_instr(from->value == IR_NONE ? IR_CLOBBER : IR_ASSIGN, clone->loc);
    store.dst = clone->call->dst;
    store.value = clone_expr(clone, from->value);
    store.inlined = clone->id;
    append(clone, block, store);
}

static void end_vars(IrClone *clone, IrBlockId block, SrcLoc loc)
{
    for (IrVarId i = 0; i < clone->from->vars.len; i++) {
        if (is_shared(clone->from->vars.items[i].kind)) continue;
        IrInstr end = ir_instr(IR_SCOPE_END, loc);
        end.var = clone->vars[i];
        end.inlined = clone->id;
        append(clone, block, end);
    }
}

static void jump(IrClone *clone, IrBlockId block, SrcLoc loc, IrBlockId to)
{
    IrInstr instr = ir_instr(IR_JUMP, loc);
    instr.target = to;
    instr.inlined = clone->id;
    append(clone, block, instr);
}

static void clone_return(IrClone *clone, IrBlockId block, const IrInstr *instr)
{
    store_result(clone, block, instr);
    end_vars(clone, block, instr->loc);
    jump(clone, block, instr->loc, clone->next);
}

static void clone_instr(IrClone *clone, IrBlockId block, const IrInstr *instr)
{
    if (instr->op == IR_RETURN) {
        clone_return(clone, block, instr);
        return;
    }
    bool goes_on_out = instr->op == IR_RESUME && clone->call->unwind != IR_NONE;
    if (goes_on_out) {
        jump(clone, block, instr->loc, clone->call->unwind);
        return;
    }
    IrInstr made = *instr;
    made.inlined = clone_id(clone, instr->inlined);
    made.var = instr->var == IR_NONE ? IR_NONE : clone->vars[instr->var];
    made.dst = clone_place(clone, instr->dst);
    made.value = clone_expr(clone, instr->value);
    made.target = clone_target(clone, instr->target);
    made.other = clone_target(clone, instr->other);
    if (instr->op == IR_THROW && instr->target == IR_NONE) made.target = clone->call->unwind;
    if (instr->call) {
        made.call = clone_call(clone, instr->call);
        settle_target(clone, made.call);
    }
    if (instr->case_count > 0) made.cases = clone_cases(clone, instr);
    append(clone, block, made);
}

// ---- the body -----------------------------------------------------------------------------------

static void start_parameter(IrClone *clone, IrBlockId at, IrVarId var, IrExprId arg)
{
    IrInstr decl = ir_instr(IR_DECL, clone->loc), init = ir_instr(IR_ASSIGN, clone->loc);
    decl.var = var;
    init.dst = ir_place_var(clone->unit, clone->to, var);
    init.value = arg;
    init.is_init = true;
    decl.inlined = init.inlined = clone->id;
    append(clone, at, decl);
    append(clone, at, init);
}

static void start_parameters(IrClone *clone, IrBlockId at)
{
    const IrFunction *from = clone->from;
    uint32_t shift = from->this_var == IR_NONE ? 0 : 1;
    if (shift) start_parameter(clone, at, clone->vars[from->this_var], clone->call->args[0]);
    for (uint32_t i = 0; i < from->params.len; i++)
        start_parameter(clone, at, clone->vars[from->params.items[i]],
                        clone->call->args[i + shift]);
}

static void clone_blocks(IrClone *clone)
{
    const IrFunction *from = clone->from;
    for (uint32_t b = 0; b < from->blocks.len; b++) {
        const IrBlock *block = &from->blocks.items[b];
        IrBlockId to = clone->first + b;
        clone->to->blocks.items[to].enters = b == 0 ? clone->id
                                             : block->enters == IR_NONE
                                                 ? IR_NONE
                                                 : clone->first_id + block->enters;
        for (uint32_t i = 0; i < block->instrs.len; i++)
            clone_instr(clone, to, &block->instrs.items[i]);
    }
}

// Bodies that the callee took in before come along.
static void clone_inlined(IrClone *clone)
{
    clone->first_id = clone->to->inlined.len;
    for (uint32_t i = 0; i < clone->from->inlined.len; i++) {
        IrInlined inner = clone->from->inlined.items[i];
        inner.within = clone_id(clone, inner.within);
        vec_push(clone->unit->arena, &clone->to->inlined, inner);
    }
}

IrBlockId ir_clone_body(IrClone *clone, IrBlockId at)
{
    clone_inlined(clone);
    clone_vars(clone);
    clone->places = none_table(clone->scratch, clone->from->places.len);
    clone->exprs = none_table(clone->scratch, clone->from->exprs.len);
    clone->first = clone->to->blocks.len;
    for (uint32_t b = 0; b < clone->from->blocks.len; b++) ir_block_add(clone->unit, clone->to);
    start_parameters(clone, at);
    clone_blocks(clone);
    return clone->first;
}
