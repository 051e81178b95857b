// SPDX-License-Identifier: MIT
// Statements: the dispatch, blocks, if and return.
#include "tu/tu_lower.h"

#include <string.h>

SrcLoc lw_end_loc(Lower *lw, CXCursor statement)
{
    if (loc_is_valid(lw->pinned)) return lw->pinned;
    SrcLoc loc = tu_loc_end(lw->ctx, statement);
    return loc_is_valid(loc) ? loc : lw->loc;
}

void lw_compound(Lower *lw, CXCursor statement)
{
    LwCleanup *scope = lw->top;
    LwCursors parts = lw_children(lw, statement);
    for (uint32_t i = 0; i < parts.count; i++) lw_statement(lw, parts.items[i]);
    lw_leave(lw, scope, lw_end_loc(lw, statement));
}

// The branch of a condition that is known at compile time; false: it is not.
static bool constant_condition(const LwHeader *parts, bool *value)
{
    int64_t number;
    if (!parts->is_constexpr || !lw_evaluate(parts->cond, &number)) return false;
    *value = number != 0;
    return true;
}

static void arm(Lower *lw, CXCursor statement, IrBlockId block, IrBlockId done)
{
    lw_enter(lw, block);
    LwCleanup *scope = lw->top;
    if (!lw_is_null(statement)) lw_statement(lw, statement);
    SrcLoc loc = lw_is_null(statement) ? lw->loc : lw_end_loc(lw, statement);
    lw_leave(lw, scope, loc);
    lw_jump(lw, loc, done);
}

void lw_if(Lower *lw, CXCursor statement)
{
    LwHeader parts = lw_header_if(lw, statement);
    if (parts.is_always) {
        if (!lw_is_null(parts.body)) lw_statement(lw, parts.body);
        return;
    }
    LwCleanup *scope = lw->top;
    if (!lw_is_null(parts.init)) lw_statement(lw, parts.init);
    if (!lw_is_null(parts.variable)) lw_variable(lw, parts.variable);
    IrBlockId then = lw_block(lw), done = lw_block(lw);
    IrBlockId other = lw_is_null(parts.other) ? done : lw_block(lw);
    bool value;
    lw->loc = lw_loc(lw, statement);
    if (constant_condition(&parts, &value))
        lw_jump(lw, lw->loc, value ? then : other);
    else if (lw_is_null(parts.cond))
        lw_branch(lw, lw->loc, lw_unknown(lw, lw_bool_type(lw)),
                  (LwBranch){.yes = then, .no = other, .kind = IR_BR_IF});
    else
        lw_cond(lw, parts.cond, (LwBranch){.yes = then, .no = other, .kind = IR_BR_IF});
    arm(lw, parts.body, then, done);
    if (other != done) arm(lw, parts.other, other, done);
    lw_enter(lw, done);
    lw_leave(lw, scope, lw_end_loc(lw, statement));
}

// ---- return -------------------------------------------------------------------------------------

// The local object that is returned: it is moved or built in the caller's place, not copied and
// destroyed.
static IrVarId returned_local(Lower *lw, CXCursor expr)
{
    CXType type = lw->ret.type;
    for (;;) {
        expr = lw_strip(lw, expr);
        if (!lw_is_kind(expr, CXCursor_CallExpr)) break;
        CXCursor function = clang_getCursorReferenced(expr);
        bool is_move = clang_CXXConstructor_isMoveConstructor(function) ||
                       (strcmp(lw_spelling(lw, expr), "move") == 0 && !tu_is_user_code(function));
        bool is_copy = clang_CXXConstructor_isCopyConstructor(function) != 0;
        if ((!is_move && !is_copy) || clang_Cursor_getNumArguments(expr) < 1) return IR_NONE;
        expr = clang_Cursor_getArgument(expr, 0);
    }
    if (!lw_is_kind(expr, CXCursor_DeclRefExpr) ||
        !lw_is_same(lw_type_of(expr), lw_canonical(type)))
        return IR_NONE;
    LwBinding *binding = lw_binding(lw, clang_getCursorReferenced(expr));
    if (binding == NULL) return IR_NONE;
    const IrPlace *place = lw_place_at(lw, binding->place);
    if (place->kind != IR_PL_VAR) return IR_NONE;
    IrVarKind kind = lw->fn->vars.items[place->var].kind;
    return kind == IR_VAR_LOCAL || kind == IR_VAR_PARAM ? place->var : IR_NONE;
}

// Whether leaving for the return runs code that could change what the returned expression reads.
static bool leaving_runs_code(const Lower *lw)
{
    const LwCleanup *end = lw->ret.target.scope;
    for (const LwCleanup *at = lw->top; at != NULL && at != end; at = at->outer)
        if (at->destroys) return true;
    return false;
}

static IrExprId returned_value(Lower *lw, CXCursor expr, SrcLoc loc)
{
    CXType type = lw->ret.type;
    if (lw_is_void(type)) {
        lw_effect(lw, expr);
        return IR_NONE;
    }
    if (lw_is_reference(type)) return lw_address(lw, lw_place(lw, expr));
    if (!lw_is_record(type)) {
        IrExprId value = IR_NONE;
        CXCursor core = lw_strip(lw, expr);
        if (lw_is_kind(core, CXCursor_InitListExpr)) {
            IrPlaceId temp = lw_temp(lw, lw_plain_type(lw, type), loc);
            lw_init(lw, temp, type, core);
            value = lw_load(lw, temp);
        } else {
            value = lw_value(lw, expr);
        }
        bool is_constant = lw_expr(lw, value)->kind == IR_EX_INT;
        return is_constant || !leaving_runs_code(lw) ? value
                                                     : lw_load(lw, lw_spill(lw, loc, value));
    }
    lw->returned = returned_local(lw, expr);
    if (lw->returned != IR_NONE) return lw_load(lw, ir_place_var(lw->unit, lw->fn, lw->returned));
    IrPlaceId object = lw_new_object(lw, type, loc);
    lw_init(lw, object, type, expr);
    return lw_load(lw, object);
}

static void return_by_jump(Lower *lw, CXCursor expr, SrcLoc loc)
{
    const LwReturn ret = lw->ret;
    if (ret.result != IR_NONE && lw_is_record(ret.type)) {
        lw->returned = returned_local(lw, expr);
        if (lw->returned == IR_NONE)
            lw_init(lw, ret.result, ret.type, expr);
        else
            lw_initialize(lw, loc, ret.result,
                          lw_load(lw, ir_place_var(lw->unit, lw->fn, lw->returned)));
    } else if (!lw_is_null(expr)) {
        IrExprId value = returned_value(lw, expr, loc);
        if (ret.result != IR_NONE && value != IR_NONE) lw_initialize(lw, loc, ret.result, value);
    }
    lw_unwind_to(lw, ret.target.scope, loc, true);
    lw_jump(lw, loc, ret.target.block);
}

void lw_return(Lower *lw, CXCursor statement)
{
    CXCursor expr = lw_operand_of(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    LwCleanup *scope = lw->top;
    lw->loc = loc;
    if (lw->ret.is_jump) {
        return_by_jump(lw, expr, loc);
    } else {
        IrExprId value = lw_is_null(expr) ? IR_NONE : returned_value(lw, expr, loc);
        lw_unwind_to(lw, NULL, loc, false);
        IrInstr instr = ir_instr(IR_RETURN, loc);
        instr.value = value;
        lw_append(lw, instr);
    }
    lw->top = scope;
    lw->returned = IR_NONE;
}

// ---- statement expressions ----------------------------------------------------------------------

IrExprId lw_statement_value(Lower *lw, CXCursor expr)
{
    LwCursors parts = lw_children(lw, expr);
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    if (parts.count == 0) return lw_unknown(lw, type);
    LwCursors statements = lw_children(lw, parts.items[0]);
    LwCleanup *scope = lw->top;
    SrcLoc loc = lw_loc(lw, expr);
    IrPlaceId result = IR_NONE;
    for (uint32_t i = 0; i < statements.count; i++) {
        CXCursor statement = statements.items[i];
        bool is_last = i + 1 == statements.count;
        if (is_last && clang_isExpression(clang_getCursorKind(statement)) &&
            !lw_is_void(clang_getCursorType(expr))) {
            CXType result_type = lw_type_of(expr);
            result = lw_is_record(result_type) ? lw_new_object(lw, result_type, loc)
                                               : lw_temp(lw, type, loc);
            lw_init(lw, result, result_type, statement);
        } else {
            lw_statement(lw, statement);
        }
    }
    lw_leave(lw, scope, loc);
    if (result == IR_NONE) return lw_unknown(lw, type);
    if (lw_is_record(clang_getCursorType(expr)))
        lw_push_var(lw, lw_place_at(lw, result)->var, lw_type_of(expr));
    return lw_load(lw, result);
}

// ---- dispatch -----------------------------------------------------------------------------------

static void jump_statement(Lower *lw, CXCursor statement, LwTarget target)
{
    SrcLoc loc = lw_loc(lw, statement);
    if (target.block == IR_NONE) {
        lw_unsupported(lw, statement, "break or continue outside of a loop");
        return;
    }
    lw_unwind_to(lw, target.scope, loc, true);
    lw_jump(lw, loc, target.block);
}

static bool is_output(Lower *lw, CXCursor operand)
{
    (void)lw;
    CXCursor core = operand;
    while (lw_is_kind(core, CXCursor_ParenExpr)) core = lw_operand_of(lw, core);
    // An input is loaded, which shows as an implicit node; an output is the object itself.
    return !lw_is_kind(core, CXCursor_UnexposedExpr) && !lw_is_kind(core, CXCursor_IntegerLiteral);
}

static void assembly(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_operands(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    for (uint32_t i = 0; i < parts.count; i++) {
        if (lw_is_kind(parts.items[i], CXCursor_StringLiteral)) continue;
        if (is_output(lw, parts.items[i]))
            lw_clobber(lw, loc, lw_place(lw, parts.items[i]));
        else
            lw_effect(lw, parts.items[i]);
    }
}

// Attributed statements, pragmas: what they stand before.
static void unexposed(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_children(lw, statement);
    bool is_lowered = false;
    for (uint32_t i = 0; i < parts.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(parts.items[i]);
        if (!clang_isStatement(kind) && !clang_isExpression(kind)) continue;
        lw_statement(lw, parts.items[i]);
        is_lowered = true;
    }
    size_t len;
    const char *text = lw_text_at(lw, statement, &len);
    bool is_coroutine = text != NULL && str_starts_with(text, "co_");
    if (is_coroutine && !is_lowered) lw_unsupported(lw, statement, "coroutine");
    if (is_coroutine) lw_unsupported(lw, statement, "coroutine");
}

static void dispatch(Lower *lw, CXCursor statement)
{
    enum CXCursorKind kind = clang_getCursorKind(statement);
    switch (kind) { /* dispatch */
    case CXCursor_CompoundStmt:
        lw_compound(lw, statement);
        return;
    case CXCursor_DeclStmt:
        lw_declaration(lw, statement);
        return;
    case CXCursor_IfStmt:
        lw_if(lw, statement);
        return;
    case CXCursor_WhileStmt:
        lw_while(lw, statement);
        return;
    case CXCursor_DoStmt:
        lw_do(lw, statement);
        return;
    case CXCursor_ForStmt:
        lw_for(lw, statement);
        return;
    case CXCursor_CXXForRangeStmt:
        lw_range_for(lw, statement);
        return;
    case CXCursor_SwitchStmt:
        lw_switch(lw, statement);
        return;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        lw_case(lw, statement);
        return;
    case CXCursor_BreakStmt:
        jump_statement(lw, statement, lw->on_break);
        return;
    case CXCursor_ContinueStmt:
        jump_statement(lw, statement, lw->on_continue);
        return;
    case CXCursor_ReturnStmt:
        lw_return(lw, statement);
        return;
    case CXCursor_GotoStmt:
        lw_goto(lw, statement);
        return;
    case CXCursor_LabelStmt:
        lw_label(lw, statement);
        return;
    case CXCursor_IndirectGotoStmt:
        lw_unsupported(lw, statement, "computed goto");
        return;
    case CXCursor_CXXTryStmt:
        lw_try(lw, statement);
        return;
    case CXCursor_NullStmt:
        return;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        assembly(lw, statement);
        return;
    case CXCursor_UnexposedStmt:
        unexposed(lw, statement);
        return;
    default:
        break;
    }
    if (clang_isExpression(kind)) {
        lw_full_effect(lw, statement);
        return;
    }
    if (clang_isDeclaration(kind) || clang_isReference(kind) || clang_isAttribute(kind)) return;
    CXString name = clang_getCursorKindSpelling(kind);
    lw_unsupported(lw, statement, clang_getCString(name));
    clang_disposeString(name);
}

void lw_statement(Lower *lw, CXCursor statement)
{
    if (!lw_descend(lw, statement)) return;
    ArenaMark mark = arena_mark(lw->nodes);
    dispatch(lw, statement);
    arena_reset(lw->nodes, mark);
    lw->depth--;
}
