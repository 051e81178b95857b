// SPDX-License-Identifier: MIT
// switch and goto: control flow to labels, which may stand in nested blocks and before or behind
// the jump.
#include "tu/tu_lower.h"

void lw_switch(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_children(lw, statement);
    if (parts.count < 2) return;
    SrcLoc loc = lw_loc(lw, statement);
    LwCleanup *scope = lw->top;
    lw->loc = loc;
    if (parts.count > 2 && lw_is_kind(parts.items[0], CXCursor_VarDecl))
        lw_variable(lw, parts.items[0]);
    LwCleanup *inner = lw->top;
    IrExprId value = lw_value(lw, parts.items[parts.count - 2]);
    // A variable of the switch's init part begins at its first use, which is here.
    bool has_late = lw->top != inner && lw->top->kind == LW_CLEAN_VAR &&
                    lw->fn->vars.items[lw->top->var].kind == IR_VAR_LOCAL;
    if (has_late) inner = lw->top;
    if (lw->top != inner) {
        value = lw_load(lw, lw_spill(lw, loc, value));
        lw_leave(lw, inner, loc);
    }
    IrBlockId from = lw->block, end = lw_block(lw);
    LwSwitch *outer = lw->sw;
    LwTarget outer_break = lw->on_break;
    LwSwitch own = {.default_block = IR_NONE, .scope = inner};
    lw->sw = &own;
    lw->on_break = (LwTarget){end, inner};
    lw_enter(lw, lw_block(lw)); // what stands before the first label is never reached
    lw_statement(lw, parts.items[parts.count - 1]);
    lw_jump(lw, loc, end);
    lw->sw = outer;
    lw->on_break = outer_break;
    IrInstr instr = ir_instr(IR_SWITCH, loc);
    instr.value = value;
    instr.target = own.default_block == IR_NONE ? end : own.default_block;
    instr.cases = ARENA_ARRAY(lw->ctx->arena, IrCase, own.cases.len == 0 ? 1 : own.cases.len);
    instr.case_count = own.cases.len;
    for (uint32_t i = 0; i < own.cases.len; i++) instr.cases[i] = own.cases.items[i];
    ir_block_append(lw->unit, lw->fn, from, instr);
    lw_enter(lw, end);
    lw_leave(lw, scope, loc);
}

// Adds one label's values. Returns the statement behind it.
static CXCursor add_label(Lower *lw, CXCursor label, IrBlockId block)
{
    LwCursors parts = lw_children(lw, label);
    if (parts.count == 0) return clang_getNullCursor();
    CXCursor statement = parts.items[parts.count - 1];
    if (lw_is_kind(label, CXCursor_DefaultStmt)) {
        lw->sw->default_block = block;
        return statement;
    }
    IrCase added = {.target = block};
    if (parts.count < 2 || !lw_evaluate(parts.items[0], &added.lo)) {
        lw_unsupported(lw, label, "case label that is no constant");
        return statement;
    }
    added.hi = added.lo;
    if (parts.count > 2) lw_evaluate(parts.items[1], &added.hi);
    vec_push(lw->arena, &lw->sw->cases, added);
    return statement;
}

void lw_case(Lower *lw, CXCursor statement)
{
    if (lw->sw == NULL) {
        lw_unsupported(lw, statement, "case label outside of a switch");
        return;
    }
    IrBlockId block = lw_block(lw);
    lw_jump(lw, lw_loc(lw, statement), block);
    lw_enter(lw, block);
    while (lw_is_kind(statement, CXCursor_CaseStmt) || lw_is_kind(statement, CXCursor_DefaultStmt))
        statement = add_label(lw, statement, block);
    if (!lw_is_null(statement)) lw_statement(lw, statement);
}

// ---- goto ---------------------------------------------------------------------------------------

static uint32_t label_of(Lower *lw, CXCursor label)
{
    uint32_t known = lw_cursor_get(&lw->label_index, label);
    if (known != IR_NONE) return known;
    LwLabel added = {.cursor = label, .block = lw_block(lw)};
    vec_push(lw->arena, &lw->labels, added);
    lw_cursor_set(lw->arena, &lw->label_index, label, lw->labels.len - 1);
    return lw->labels.len - 1;
}

void lw_goto(Lower *lw, CXCursor statement)
{
    LwGoto added = {.label = label_of(lw, clang_getCursorReferenced(statement)),
                    .block = lw->block,
                    .scope = lw->top,
                    .loc = lw_loc(lw, statement)};
    if (lw_is_open(lw)) vec_push(lw->arena, &lw->gotos, added);
    lw_enter(lw, lw_block(lw)); // the jump is completed when the label's scope is known
}

void lw_label(Lower *lw, CXCursor statement)
{
    uint32_t index = label_of(lw, statement);
    LwLabel *label = &lw->labels.items[index];
    label->scope = lw->top;
    label->is_placed = true;
    lw_jump(lw, lw_loc(lw, statement), label->block);
    lw_enter(lw, label->block);
    LwCursors parts = lw_children(lw, statement);
    if (parts.count > 0) lw_statement(lw, parts.items[parts.count - 1]);
}

static const LwCleanup *common_scope(const LwCleanup *a, const LwCleanup *b)
{
    while (a != b) {
        if (a == NULL || b == NULL) return NULL;
        if (a->depth > b->depth) {
            a = a->outer;
        } else if (b->depth > a->depth) {
            b = b->outer;
        } else {
            a = a->outer;
            b = b->outer;
        }
    }
    return a;
}

void lw_gotos_finish(Lower *lw)
{
    for (uint32_t i = 0; i < lw->gotos.len; i++) {
        const LwGoto jump = lw->gotos.items[i];
        const LwLabel label = lw->labels.items[jump.label];
        lw_enter(lw, jump.block);
        lw->top = jump.scope;
        if (!label.is_placed) {
            lw_unsupported(lw, label.cursor, "goto without its label");
            lw_unreachable(lw, jump.loc);
            continue;
        }
        lw_unwind_to(lw, common_scope(jump.scope, label.scope), jump.loc, true);
        lw_jump(lw, jump.loc, label.block);
    }
    lw->top = NULL;
}
