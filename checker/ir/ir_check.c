// SPDX-License-Identifier: MIT
// Validator of the IR. Input: a function as lowering or a transform left it; output: ST_OK or the
// first violation of the form rules in ir.h. Later stages rely on these without checking again.
#include "ir/ir_text.h"

typedef struct {
    const IrUnit *unit;
    const IrFunction *fn;
    Err *err;
    IrBlockId block; // being checked
    uint32_t instr;
} Check;

static bool bad(Check *check, const char *what)
{
    err_set(check->err, ST_SYNTAX, "%s: block %u, instruction %u: %s", check->fn->name,
            check->block, check->instr, what);
    return false;
}

static bool is_type(const Check *check, IrType type)
{
    return type < check->unit->types.len;
}

static bool is_place(const Check *check, IrPlaceId place)
{
    return place < check->fn->places.len;
}

static bool is_expr(const Check *check, IrExprId expr)
{
    return expr < check->fn->exprs.len;
}

static bool is_expr_or_none(const Check *check, IrExprId expr)
{
    return expr == IR_NONE || is_expr(check, expr);
}

static bool is_block(const Check *check, IrBlockId block)
{
    return block < check->fn->blocks.len;
}

// ---- the unit's tables ------------------------------------------------------------------------

static bool check_types(Check *check)
{
    for (IrType i = 0; i < check->unit->types.len; i++) {
        const IrTypeInfo *info = ir_type(check->unit, i);
        bool has_pointee = info->kind == IR_TY_POINTER || info->kind == IR_TY_REFERENCE ||
                           info->kind == IR_TY_ARRAY;
        if (info->name == NULL) return bad(check, "a type without name");
        if (info->pointee != IR_NONE && info->pointee >= i)
            return bad(check, "a type made of a later type");
        if (has_pointee && info->pointee == IR_NONE)
            return bad(check, "a pointer type without pointee");
        bool is_record = info->kind == IR_TY_RECORD;
        if (is_record && info->record >= check->unit->records.len)
            return bad(check, "a record type without record");
    }
    return true;
}

static bool check_record(Check *check, const IrRecord *record)
{
    if (record->name == NULL) return bad(check, "a record without name");
    for (uint32_t i = 0; i < record->fields.len; i++) {
        if (record->fields.items[i].name == NULL) return bad(check, "a field without name");
        if (!is_type(check, record->fields.items[i].type))
            return bad(check, "a field without type");
    }
    for (uint32_t i = 0; i < record->bases.len; i++) {
        if (record->bases.items[i] >= check->unit->records.len)
            return bad(check, "a base that is no record");
    }
    bool has_destructor = record->destructor != IR_NONE;
    if (has_destructor && record->destructor >= check->unit->callees.len)
        return bad(check, "destructor out of range");
    return true;
}

static bool check_callee(Check *check, IrCalleeId id)
{
    const IrCallee *callee = &check->unit->callees.items[id];
    if (callee->name == NULL || callee->qualified == NULL)
        return bad(check, "a callee without name");
    if (!is_type(check, callee->result)) return bad(check, "a callee without result type");
    for (uint32_t i = 0; i < callee->params.len; i++) {
        if (!is_type(check, callee->params.items[i]))
            return bad(check, "a callee's parameter without type");
    }
    for (uint32_t i = 0; i < callee->overrides.len; i++) {
        if (callee->overrides.items[i] >= check->unit->callees.len)
            return bad(check, "an overridden method out of range");
    }
    if (callee->record != IR_NONE && callee->record >= check->unit->records.len) {
        return bad(check, "a callee's record out of range");
    }
    if (callee->body == IR_NONE) return true;
    bool is_linked = callee->body < check->unit->functions.len &&
                     check->unit->functions.items[callee->body]->callee == id;
    return is_linked || bad(check, "a callee's body is another function's");
}

static bool check_tables(Check *check)
{
    if (!check_types(check)) return false;
    for (uint32_t i = 0; i < check->unit->records.len; i++) {
        if (!check_record(check, &check->unit->records.items[i])) return false;
    }
    for (IrCalleeId i = 0; i < check->unit->callees.len; i++) {
        if (!check_callee(check, i)) return false;
    }
    return true;
}

// ---- the function's tables --------------------------------------------------------------------

static bool check_vars(Check *check)
{
    const IrFunction *fn = check->fn;
    for (IrVarId i = 0; i < fn->vars.len; i++) {
        if (fn->vars.items[i].name == NULL) return bad(check, "a variable without name");
        if (!is_type(check, fn->vars.items[i].type)) return bad(check, "a variable without type");
    }
    for (uint32_t i = 0; i < fn->params.len; i++) {
        bool is_param = fn->params.items[i] < fn->vars.len &&
                        fn->vars.items[fn->params.items[i]].kind == IR_VAR_PARAM;
        if (!is_param) return bad(check, "a parameter that is not one");
    }
    bool has_this = fn->this_var != IR_NONE;
    bool is_this =
        has_this && fn->this_var < fn->vars.len && fn->vars.items[fn->this_var].kind == IR_VAR_THIS;
    return !has_this || is_this || bad(check, "the object pointer is not one");
}

static bool check_places(Check *check)
{
    const IrFunction *fn = check->fn;
    for (IrPlaceId i = 0; i < fn->places.len; i++) {
        const IrPlace *place = ir_place(fn, i);
        bool is_var = place->kind == IR_PL_VAR;
        if (!is_type(check, place->type)) return bad(check, "a place without type");
        if (is_var && place->var >= fn->vars.len) return bad(check, "a place of no variable");
        if (!is_var && place->base >= i) return bad(check, "a place whose base comes after it");
        if (place->kind == IR_PL_FIELD && place->field == NULL)
            return bad(check, "a field place without field");
        if (place->kind == IR_PL_INDEX && !is_expr_or_none(check, place->index)) {
            return bad(check, "an index out of range");
        }
    }
    return true;
}

static bool check_captures(Check *check, const IrExpr *expr, IrExprId id)
{
    for (uint32_t i = 0; i < expr->capture_count; i++) {
        if (expr->captures[i].value >= id)
            return bad(check, "a capture that comes after its lambda");
    }
    return true;
}

static bool check_expr(Check *check, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(check->fn, id);
    if (!is_type(check, expr->type)) return bad(check, "an expression without type");
    switch (expr->kind) {
    case IR_EX_STRING:
        return expr->text != NULL || bad(check, "a string without text");
    case IR_EX_LOAD:
        return is_place(check, expr->place) || bad(check, "a load of no place");
    case IR_EX_ADDR:
        if (!is_place(check, expr->place)) return bad(check, "an address of no place");
        return ir_place(check->fn, expr->place)->kind != IR_PL_DEREF ||
               bad(check, "&* is not simplified");
    case IR_EX_BINARY:
        if (expr->b >= id) return bad(check, "an operand that comes after its operator");
        return expr->a < id || bad(check, "an operand that comes after its operator");
    case IR_EX_UNARY:
    case IR_EX_CAST:
        return expr->a < id || bad(check, "an operand that comes after its operator");
    case IR_EX_SIZEOF:
        if (!is_type(check, expr->sizeof_type)) return bad(check, "sizeof without type");
        return expr->a == IR_NONE || expr->a < id ||
               bad(check, "an operand that comes after its operator");
    case IR_EX_FUNC:
        return expr->callee < check->unit->callees.len || bad(check, "callee out of range");
    case IR_EX_CLOSURE:
        if (expr->callee >= check->unit->callees.len) return bad(check, "callee out of range");
        return check_captures(check, expr, id);
    case IR_EX_INT:
    case IR_EX_FLOAT:
    case IR_EX_UNKNOWN:
        break;
    }
    return true;
}

// ---- instructions -----------------------------------------------------------------------------

static bool check_call(Check *check, const IrInstr *instr)
{
    const IrCall *call = instr->call;
    if (call == NULL) return bad(check, "a call without callee and arguments");
    bool is_direct = call->callee != IR_NONE;
    if (is_direct && call->callee >= check->unit->callees.len)
        return bad(check, "callee out of range");
    if (!is_direct && !is_expr(check, call->target))
        return bad(check, "an indirect call without target");
    if (call->dst != IR_NONE && !is_place(check, call->dst))
        return bad(check, "destination out of range");
    if (call->unwind != IR_NONE && !is_block(check, call->unwind))
        return bad(check, "unwind block out of range");
    for (uint32_t i = 0; i < call->arg_count; i++) {
        if (!is_expr(check, call->args[i])) return bad(check, "an argument that is no expression");
    }
    bool is_config_ok = is_expr_or_none(check, call->grid) && is_expr_or_none(check, call->block) &&
                        is_expr_or_none(check, call->shared_bytes) &&
                        is_expr_or_none(check, call->stream);
    if (!is_config_ok) return bad(check, "launch configuration out of range");
    if (!is_direct) return true;
    const IrCallee *callee = &check->unit->callees.items[call->callee];
    bool has_object = callee->is_method || callee->is_constructor || callee->is_destructor;
    return !has_object || call->arg_count != 0 || bad(check, "a method called on no object");
}

static bool check_switch(Check *check, const IrInstr *instr)
{
    if (!is_expr(check, instr->value)) return bad(check, "a switch on nothing");
    for (uint32_t i = 0; i < instr->case_count; i++) {
        if (!is_block(check, instr->cases[i].target)) return bad(check, "case target out of range");
    }
    return is_block(check, instr->target) || bad(check, "switch without default target");
}

static bool check_assign(Check *check, const IrInstr *instr)
{
    if (!is_place(check, instr->dst)) return bad(check, "an assignment to no place");
    return is_expr(check, instr->value) || bad(check, "an assignment of nothing");
}

static bool check_branch(Check *check, const IrInstr *instr)
{
    if (!is_expr(check, instr->value)) return bad(check, "a branch on nothing");
    bool has_targets = is_block(check, instr->target) && is_block(check, instr->other);
    return has_targets || bad(check, "branch target out of range");
}

static bool check_instr(Check *check, const IrInstr *instr)
{
    bool is_call = instr->op == IR_CALL || instr->op == IR_LAUNCH;
    if (!is_call && instr->call != NULL)
        return bad(check, "an instruction that carries a call but is none");
    switch (instr->op) {
    case IR_DECL:
    case IR_SCOPE_END:
        return instr->var < check->fn->vars.len || bad(check, "variable out of range");
    case IR_ASSIGN:
        return check_assign(check, instr);
    case IR_CALL:
    case IR_LAUNCH:
        return check_call(check, instr);
    case IR_CLOBBER:
        return is_place(check, instr->dst) || bad(check, "place out of range");
    case IR_JUMP:
        return is_block(check, instr->target) || bad(check, "jump target out of range");
    case IR_BRANCH:
        return check_branch(check, instr);
    case IR_SWITCH:
        return check_switch(check, instr);
    case IR_RETURN:
        return is_expr_or_none(check, instr->value) || bad(check, "returned value out of range");
    case IR_THROW:
        if (!is_expr_or_none(check, instr->value)) return bad(check, "thrown value out of range");
        return instr->target == IR_NONE || is_block(check, instr->target) ||
               bad(check, "handler out of range");
    case IR_RESUME:
    case IR_UNREACHABLE:
        break;
    }
    return true;
}

static bool check_block(Check *check)
{
    const IrBlock *block = &check->fn->blocks.items[check->block];
    check->instr = block->instrs.len;
    if (block->instrs.len == 0) return bad(check, "the block is empty");
    for (check->instr = 0; check->instr < block->instrs.len; check->instr++) {
        const IrInstr *instr = &block->instrs.items[check->instr];
        bool is_last = check->instr + 1 == block->instrs.len;
        if (ir_is_terminator(instr->op) && !is_last)
            return bad(check, "a terminator before the end");
        if (!ir_is_terminator(instr->op) && is_last)
            return bad(check, "the block has no terminator");
        if (!check_instr(check, instr)) return false;
    }
    return true;
}

Status ir_check(const IrUnit *unit, const IrFunction *fn, Err *err)
{
    Check check = {.unit = unit, .fn = fn, .err = err};
    if (!check_tables(&check) || !check_vars(&check) || !check_places(&check)) return ST_SYNTAX;
    for (IrExprId i = 0; i < fn->exprs.len; i++) {
        if (!check_expr(&check, i)) return ST_SYNTAX;
    }
    if (fn->blocks.len == 0) {
        bad(&check, "no entry block");
        return ST_SYNTAX;
    }
    for (check.block = 0; check.block < fn->blocks.len; check.block++) {
        if (!check_block(&check)) return ST_SYNTAX;
    }
    return ST_OK;
}
