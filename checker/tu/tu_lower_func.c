// SPDX-License-Identifier: MIT
// One function: a definition of clang's tree in, an IrFunction with its control-flow graph out.
// Input: a function with a body; output: a finished function in the unit, or an entry among the
// skipped ones with the reason.
#include "tu/tu_lower.h"

#include <string.h>

static void close_arena(void *arena)
{
    arena_free(arena);
}

static struct TuLowerUnit *unit_tables(TuContext *ctx)
{
    if (ctx->lower == NULL) ctx->lower = ARENA_NEW(ctx->arena, struct TuLowerUnit);
    return ctx->lower;
}

static void declare_this(Lower *lw, CXCursor definition)
{
    const IrCallee *callee = lw_callee_at(lw, lw->fn->callee);
    if (!callee->is_method) return;
    CXType type = lw_type_of(clang_getCursorSemanticParent(definition));
    IrVar var = {.name = "this",
                 .kind = IR_VAR_THIS,
                 .loc = lw->fn->loc,
                 .type = lw_pointer_to(lw, lw_plain_type(lw, type))};
    lw->this_var = lw->fn->this_var = ir_var_add(lw->unit, lw->fn, var);
    if (lw->is_lambda) lw_bind_captures(lw, definition);
}

static void declare_parameters(Lower *lw, CXCursor definition)
{
    int count = clang_Cursor_getNumArguments(definition);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(definition, (unsigned)i);
        IrVarId var = lw_var_new(lw, parameter, IR_VAR_PARAM);
        vec_push(lw->ctx->arena, &lw->fn->params, var);
        CXType type = clang_getCursorType(parameter);
        // An object passed by value dies with the function that received it.
        if (!lw_is_reference(type) && lw_needs_destroy(lw, type)) lw_push_var(lw, var, type);
    }
}

static void lower_body(Lower *lw, CXCursor definition, CXCursor body)
{
    if (lw->fn->is_constructor)
        lw_constructor(lw, definition, body);
    else if (lw->fn->is_destructor)
        lw_destructor(lw, body);
    else
        lw_statement(lw, body);
}

// Falls off the end: main returns 0, anything else returns nothing in particular.
static void finish_body(Lower *lw, CXType result)
{
    SrcLoc loc = lw->fn->end;
    lw_unwind_to(lw, NULL, loc, false);
    IrInstr instr = ir_instr(IR_RETURN, loc);
    bool is_structor = lw->fn->is_constructor || lw->fn->is_destructor;
    if (lw->fn->is_main)
        instr.value = lw_const(lw, 0, lw_int_type(lw));
    else if (!is_structor && !lw_is_void(result))
        instr.value = lw_unknown(lw, lw_plain_type(lw, result));
    lw_append(lw, instr);
    lw->top = NULL;
    lw_gotos_finish(lw);
}

static bool has_unknown_body(CXCursor body)
{
    return !lw_is_kind(body, CXCursor_CompoundStmt) && !lw_is_kind(body, CXCursor_CXXTryStmt);
}

static void describe(Lower *lw, CXCursor definition)
{
    IrFunction *fn = lw->fn;
    const IrCallee *callee = lw_callee_at(lw, fn->callee);
    fn->end = tu_loc_end(lw->ctx, definition);
    fn->is_lambda = lw->is_lambda;
    fn->is_constructor = callee->is_constructor;
    fn->is_destructor = callee->is_destructor;
    fn->is_main = strcmp(callee->qualified, "main") == 0 && callee->record == IR_NONE;
    fn->is_instantiation = !lw_is_null(clang_getSpecializedCursorTemplate(definition));
    lw->loc = fn->loc;
}

static void lower_whole(Lower *lw, CXCursor definition, CXCursor body)
{
    describe(lw, definition);
    CXType result = clang_getCanonicalType(
        clang_getResultType(clang_getCanonicalType(clang_getCursorType(definition))));
    lw->ret = (LwReturn){.target = {.block = IR_NONE}, .result = IR_NONE, .type = result};
    declare_this(lw, definition);
    declare_parameters(lw, definition);
    if (has_unknown_body(body))
        lw_unsupported(lw, definition, "coroutine");
    else
        lower_body(lw, definition, body);
    finish_body(lw, result);
    ir_function_finish(lw->unit, lw->fn);
}

bool lw_function(TuContext *ctx, CXCursor definition, LwBodyKind kind)
{
    CXCursor body = tu_function_body(definition);
    if (lw_is_null(body) || clang_CXXMethod_isDefaulted(definition))
        return true; // nothing was written
    Arena *work = arena_new("lowering");
    Arena *nodes = arena_new("lowering lists");
    arena_defer(work, close_arena, nodes);
    Lower lower = {.ctx = ctx,
                   .unit = ctx->unit,
                   .tables = unit_tables(ctx),
                   .arena = work,
                   .nodes = nodes,
                   .function = definition,
                   .range_element = IR_NONE,
                   .returned = IR_NONE,
                   .resume = IR_NONE,
                   .this_var = IR_NONE,
                   .captured_this = IR_NONE,
                   .is_lambda = kind != LW_BODY_FUNCTION};
    Lower *lw = &lower;
    LwRecord *record = NULL;
    bool is_member = lw_is_kind(definition, CXCursor_CXXMethod) ||
                     lw_is_kind(definition, CXCursor_FunctionTemplate);
    if (is_member) record = lw_record(lw, lw_type_of(clang_getCursorSemanticParent(definition)));
    lw->is_lambda |= record != NULL && record->is_closure;
    const char *name = tu_function_name(ctx, definition);
    IrCalleeId callee =
        kind == LW_BODY_INVOKER ? lw_invoker_callee(lw, definition) : lw_callee(lw, definition);
    lw->fn = ir_function_new(ctx->unit, callee, name, tu_loc(ctx, definition));
    lower_whole(lw, definition, body);
    bool is_whole = lw->unsupported == NULL;
    if (is_whole)
        lw_lambda_functions(lw);
    else
        ir_function_abandon(ctx->unit, lw->fn, lw->unsupported);
    arena_free(work);
    return is_whole;
}

bool tu_lower_function(TuContext *ctx, CXCursor definition)
{
    return lw_function(ctx, definition, LW_BODY_FUNCTION);
}

void tu_lower_declare(TuContext *ctx, CXCursor function)
{
    Arena *work = arena_new("lowering");
    Lower lower = {.ctx = ctx,
                   .unit = ctx->unit,
                   .tables = unit_tables(ctx),
                   .arena = work,
                   .nodes = work,
                   .function = function};
    lw_callee(&lower, function);
    arena_free(work);
}
