// SPDX-License-Identifier: MIT
// Loops. Each has a block for its condition, its body, what `continue` goes to, and its end.
#include "tu/tu_lower.h"

typedef struct {
    LwTarget on_break, on_continue;
} Loop;

// Makes break and continue lead to these blocks; returns what they led to before.
static Loop loop_enter(Lower *lw, IrBlockId end, LwCleanup *end_scope, IrBlockId again,
                       LwCleanup *again_scope)
{
    Loop outer = {lw->on_break, lw->on_continue};
    lw->on_break = (LwTarget){end, end_scope};
    lw->on_continue = (LwTarget){again, again_scope};
    return outer;
}

static void loop_leave(Lower *lw, Loop outer)
{
    lw->on_break = outer.on_break;
    lw->on_continue = outer.on_continue;
}

// The condition with its variable, if any. Goes to `body`, or out of the variable's scope to `end`.
static void header(Lower *lw, CXCursor variable, CXCursor cond, IrBlockId body, IrBlockId end,
                   SrcLoc loc)
{
    LwCleanup *scope = lw->top;
    if (lw_is_null(variable)) {
        if (lw_is_null(cond))
            lw_jump(lw, loc, body);
        else
            lw_cond(lw, cond, (LwBranch){.yes = body, .no = end, .kind = IR_BR_LOOP});
        return;
    }
    lw_variable(lw, variable);
    IrBlockId leave = lw_block(lw);
    lw_cond(lw, cond, (LwBranch){.yes = body, .no = leave, .kind = IR_BR_LOOP});
    lw_enter(lw, leave);
    lw_unwind_to(lw, scope, loc, true);
    lw_jump(lw, loc, end);
}

void lw_while(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_children(lw, statement);
    if (parts.count < 2) return;
    CXCursor none = clang_getNullCursor();
    CXCursor variable = parts.count > 2 ? parts.items[0] : none;
    SrcLoc loc = lw_loc(lw, statement);
    IrBlockId again = lw_block(lw), body = lw_block(lw), end = lw_block(lw);
    LwCleanup *scope = lw->top;
    lw_jump(lw, loc, again);
    lw_enter(lw, again);
    lw->loc = loc;
    header(lw, variable, parts.items[parts.count - 2], body, end, loc);
    Loop outer = loop_enter(lw, end, scope, again, scope);
    lw_enter(lw, body);
    lw_statement(lw, parts.items[parts.count - 1]);
    lw_leave(lw, scope, lw_end_loc(lw, statement));
    lw_jump(lw, loc, again);
    loop_leave(lw, outer);
    lw_enter(lw, end);
}

void lw_do(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_children(lw, statement);
    if (parts.count < 2) return;
    SrcLoc loc = lw_loc(lw, statement);
    IrBlockId body = lw_block(lw), again = lw_block(lw), end = lw_block(lw);
    Loop outer = loop_enter(lw, end, lw->top, again, lw->top);
    lw_jump(lw, loc, body);
    lw_enter(lw, body);
    lw_statement(lw, parts.items[0]);
    lw_jump(lw, loc, again);
    loop_leave(lw, outer);
    lw_enter(lw, again);
    lw_cond(lw, parts.items[1], (LwBranch){.yes = body, .no = end, .kind = IR_BR_LOOP});
    lw_enter(lw, end);
}

void lw_for(Lower *lw, CXCursor statement)
{
    LwHeader parts = lw_header_for(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    LwCleanup *scope = lw->top;
    if (!lw_is_null(parts.init)) lw_statement(lw, parts.init);
    IrBlockId test = lw_block(lw), body = lw_block(lw), again = lw_block(lw), end = lw_block(lw);
    LwCleanup *inner = lw->top;
    lw_jump(lw, loc, test);
    lw_enter(lw, test);
    lw->loc = loc;
    header(lw, parts.variable, parts.cond, body, end, loc);
    Loop outer = loop_enter(lw, end, inner, again, inner);
    lw_enter(lw, body);
    if (!lw_is_null(parts.body)) lw_statement(lw, parts.body);
    lw_leave(lw, inner, lw_end_loc(lw, statement));
    lw_jump(lw, loc, again);
    loop_leave(lw, outer);
    lw_enter(lw, again);
    if (!lw_is_null(parts.inc)) lw_full_effect(lw, parts.inc);
    lw_jump(lw, loc, test);
    lw_enter(lw, end);
    lw_leave(lw, scope, lw_end_loc(lw, statement));
}

// ---- range-for ----------------------------------------------------------------------------------

typedef struct {
    CXCursor decl, range, body;
} RangeParts;

static RangeParts range_parts(Lower *lw, CXCursor statement)
{
    CXCursor none = clang_getNullCursor();
    RangeParts out = {none, none, none};
    LwCursors parts = lw_children(lw, statement);
    if (parts.count < 3) return out;
    out.decl = parts.items[parts.count - 3];
    out.range = parts.items[parts.count - 2];
    out.body = parts.items[parts.count - 1];
    return out;
}

static CXType element_type(CXCursor decl, CXType range)
{
    if (lw_is_array(range)) return lw_element(range);
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    return lw_is_reference(type) ? lw_pointee(type) : lw_canonical(type);
}

// One element after the other, by a counter that nobody wrote: `%i < size`.
static IrExprId range_condition(Lower *lw, IrPlaceId counter, IrPlaceId object, CXType range)
{
    IrType size = lw_size_type(lw);
    long long extent = lw_is_array(range) ? clang_getArraySize(clang_getCanonicalType(range)) : -1;
    IrExprId bound =
        extent >= 0 ? lw_const(lw, extent, size) : lw_load(lw, lw_field(lw, object, "#size", size));
    return ir_binary(lw->unit, lw->fn, IR_LT, lw_load(lw, counter), bound, lw_bool_type(lw));
}

static void declare_element(Lower *lw, CXCursor decl, IrPlaceId element)
{
    IrPlaceId saved = lw->range_element;
    lw->range_element = element;
    lw_declaration(lw, decl);
    lw->range_element = saved;
}

// ---- range-for over a list written out ----------------------------------------------------------

// Longer lists are gone through by a loop.
#define LISTED_MAX 8

// The list of which the range's elements are, in order: `{a, b}` itself, or the initialiser of a
// local array of that many; else a null cursor.
static CXCursor written_list(Lower *lw, CXCursor range)
{
    CXCursor core = lw_strip_casts(lw, range), none = clang_getNullCursor();
    if (lw_is_kind(core, CXCursor_InitListExpr)) return core;
    CXCursor decl = clang_getCursorReferenced(core);
    if (!lw_is_kind(core, CXCursor_DeclRefExpr) || !lw_is_kind(decl, CXCursor_VarDecl)) return none;
    if (clang_Cursor_getStorageClass(decl) == CX_SC_Static || !lw_is_array(lw_type_of(decl)))
        return none;
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    if (lw_is_null(init)) return none;
    init = lw_strip(lw, init);
    long long extent = clang_getArraySize(lw_type_of(decl));
    bool is_full = lw_is_kind(init, CXCursor_InitListExpr) && lw_children(lw, init).count == extent;
    return is_full ? init : none;
}

// What the lowering of a statement must not do twice.
static enum CXChildVisitResult look_for_single(CXCursor cursor, CXCursor parent, CXClientData data)
{
    bool *found = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    *found |= kind == CXCursor_LabelStmt || kind == CXCursor_LambdaExpr ||
              (clang_isDeclaration(kind) && kind != CXCursor_VarDecl) ||
              (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) == CX_SC_Static);
    return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// How many pointers the range lists; 0: it is gone through by a loop.
static uint32_t listed_pointers(Lower *lw, const RangeParts *parts, IrType element)
{
    CXCursor list = written_list(lw, parts->range);
    uint32_t count = lw_is_null(list) ? 0 : lw_children(lw, list).count;
    bool found = !lw_is_kind(parts->decl, CXCursor_VarDecl);
    if (count == 0 || count > LISTED_MAX || lw->in_listed || element == IR_NONE) return 0;
    if (ir_type(lw->unit, element)->kind != IR_TY_POINTER) return 0;
    clang_visitChildren(parts->body, look_for_single, &found);
    return found ? 0 : count;
}

// The body once for each element: each pointer keeps its name, and each its own fate.
static void go_through_list(Lower *lw, CXCursor statement, const RangeParts *parts,
                            IrPlaceId object, IrType element, uint32_t count)
{
    SrcLoc loc = lw->loc;
    IrBlockId end = lw_block(lw);
    LwCleanup *inner = lw->top;
    lw->in_listed = true;
    for (uint32_t i = 0; i < count; i++) {
        IrBlockId again = lw_block(lw);
        Loop outer = loop_enter(lw, end, inner, again, inner);
        IrExprId index = lw_const(lw, i, lw_size_type(lw));
        declare_element(lw, parts->decl, lw_index(lw, object, index, element));
        lw_statement(lw, parts->body);
        lw_leave(lw, inner, lw_end_loc(lw, statement));
        lw_jump(lw, loc, again);
        loop_leave(lw, outer);
        lw_enter(lw, again);
    }
    lw->in_listed = false;
    lw_jump(lw, loc, end);
    lw_enter(lw, end);
}

void lw_range_for(Lower *lw, CXCursor statement)
{
    RangeParts parts = range_parts(lw, statement);
    if (lw_is_null(parts.body)) {
        lw_unsupported(lw, statement, "range-for without its parts");
        return;
    }
    SrcLoc loc = lw_loc(lw, statement);
    lw->loc = loc;
    LwCleanup *scope = lw->top;
    IrPlaceId object = lw_place(lw, parts.range);
    CXType range = lw_type_of(parts.range);
    IrType size = lw_size_type(lw);
    IrType element = lw_plain_type(lw, element_type(parts.decl, range));
    uint32_t listed = listed_pointers(lw, &parts, element);
    if (listed > 0) {
        go_through_list(lw, statement, &parts, object, element, listed);
        lw_leave(lw, scope, lw_end_loc(lw, statement));
        return;
    }
    IrPlaceId counter = lw_spill(lw, loc, lw_const(lw, 0, size));
    IrBlockId test = lw_block(lw), body = lw_block(lw), again = lw_block(lw), end = lw_block(lw);
    LwCleanup *inner = lw->top;
    lw_jump(lw, loc, test);
    lw_enter(lw, test);
    lw_branch(lw, loc, range_condition(lw, counter, object, range),
              (LwBranch){.yes = body, .no = end, .kind = IR_BR_RANGE_FOR});
    Loop outer = loop_enter(lw, end, inner, again, inner);
    lw_enter(lw, body);
    declare_element(lw, parts.decl, lw_index(lw, object, lw_load(lw, counter), element));
    lw_statement(lw, parts.body);
    lw_leave(lw, inner, lw_end_loc(lw, statement));
    lw_jump(lw, loc, again);
    loop_leave(lw, outer);
    lw_enter(lw, again);
    lw_assign(
        lw, loc, counter,
        ir_binary(lw->unit, lw->fn, IR_ADD, lw_load(lw, counter), lw_const(lw, 1, size), size));
    lw_jump(lw, loc, test);
    lw_enter(lw, end);
    lw_leave(lw, scope, lw_end_loc(lw, statement));
}
