// SPDX-License-Identifier: MIT
// try, catch and throw. A thrown object's type is known, so it goes to the handler that catches it. What a
// call throws is not: it may enter each handler, and is taken to be caught by the last if by none
// before, for handlers are written for what is thrown.
#include "tu/tu_lower.h"

// ---- which handler catches --------------------------------------------------------------------------

static LwAnswer derives(Lower *lw, CXType derived, CXType base)
{
    if (lw_is_same(derived, base)) return LW_YES;
    LwRecord *record = lw_record(lw, derived);
    if (record == NULL) return LW_NO;
    bool is_known = true;
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwAnswer answer = derives(lw, record->bases.items[i].type, base);
        if (answer == LW_YES) return LW_YES;
        if (answer == LW_UNKNOWN) is_known = false;
    }
    // Bases that depend on template parameters are not seen.
    bool may_hide_bases = !lw_is_null(record->pattern);
    return is_known && !may_hide_bases ? LW_NO : LW_UNKNOWN;
}

static LwAnswer catches(Lower *lw, const LwHandler *handler, CXType thrown)
{
    if (handler->catches_all || lw_is_same(handler->type, thrown)) return LW_YES;
    if (lw_is_record(thrown))
        return lw_is_record(handler->type) ? derives(lw, thrown, handler->type) : LW_NO;
    return lw_is_pointer(thrown) && lw_is_pointer(handler->type) ? LW_UNKNOWN : LW_NO;
}

typedef struct {
    bool is_known;       // false: ask the handlers one by one
    LwCleanup *try_node; // NULL: it leaves the function
    IrBlockId handler;
} Destination;

static Destination find_handler(Lower *lw, CXType thrown)
{
    Destination out = {.is_known = true, .handler = IR_NONE};
    for (LwCleanup *at = lw->top; at != NULL; at = at->outer) {
        for (uint32_t i = 0; i < at->handler_count; i++) {
            LwAnswer answer = catches(lw, &at->handlers[i], thrown);
            if (answer == LW_UNKNOWN) return (Destination){.is_known = false};
            if (answer == LW_NO) continue;
            out.try_node = at;
            out.handler = at->handlers[i].entry;
            return out;
        }
    }
    return out;
}

// The block in which a thrown object's way begins: destructors, then the handler.
static IrBlockId way_to(Lower *lw, Destination to, SrcLoc loc)
{
    if (to.try_node == NULL) {
        bool has_work = false;
        for (const LwCleanup *at = lw->top; at != NULL; at = at->outer) has_work |= at->destroys;
        if (!has_work) return IR_NONE;
    }
    IrBlockId from = lw->block, start = lw_block(lw);
    lw_enter(lw, start);
    lw_unwind_exception(lw, to.try_node, loc);
    if (to.try_node == NULL)
        lw_append(lw, ir_instr(IR_RESUME, loc));
    else
        lw_jump(lw, loc, to.handler);
    lw_enter(lw, from);
    return start;
}

void lw_throw(Lower *lw, CXCursor expr)
{
    CXCursor operand = lw_operand_of(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrInstr instr = ir_instr(IR_THROW, loc);
    Destination to = {.is_known = false};
    // Another exception from making this one would take much the same way: it gets no edge of its own.
    bool was_in_throw = lw->in_throw;
    lw->in_throw = true;
    if (!lw_is_null(operand)) {
        CXType type = lw_type_of(operand);
        if (lw_is_record(type)) {
            IrPlaceId object = lw_new_object(lw, type, loc); // the exception's from now on
            lw_init(lw, object, type, operand);
            instr.value = lw_load(lw, object);
        } else {
            instr.value = lw_value(lw, operand);
        }
        to = find_handler(lw, type);
    }
    lw->in_throw = was_in_throw;
    instr.target = to.is_known ? way_to(lw, to, loc) : lw_landing(lw);
    lw_append(lw, instr);
}

// ---- try blocks -------------------------------------------------------------------------------------

static void handler_variable(Lower *lw, CXCursor decl)
{
    SrcLoc loc = lw_loc(lw, decl);
    CXType type = clang_getCursorType(decl);
    IrVarId var = lw_var_new(lw, decl, IR_VAR_LOCAL);
    IrPlaceId place = ir_place_var(lw->unit, lw->fn, var);
    lw_declare(lw, var, loc);
    if (lw_is_reference(type))
        lw_initialize(lw, loc, place, lw_unknown(lw, lw_place_at(lw, place)->type));
    else
        lw_clobber(lw, loc, place);
    lw_push_var(lw, var, type);
}

static CXCursor caught_variable(LwCursors parts)
{
    bool has_variable = parts.count > 1 && lw_is_kind(parts.items[0], CXCursor_VarDecl);
    return has_variable ? parts.items[0] : clang_getNullCursor();
}

// The handlers of a try statement, each with a block of its own to enter it.
static LwCleanup *push_handlers(Lower *lw, LwCursors parts, IrBlockId dispatch)
{
    LwCleanup *node = lw_push_try(lw, dispatch);
    node->handlers = ARENA_ARRAY(lw->arena, LwHandler, parts.count);
    for (uint32_t i = 1; i < parts.count; i++) {
        if (!lw_is_kind(parts.items[i], CXCursor_CXXCatchStmt)) continue;
        LwCursors inner = lw_children(lw, parts.items[i]);
        CXCursor variable = caught_variable(inner);
        LwHandler *handler = &node->handlers[node->handler_count++];
        handler->entry = lw_block(lw);
        handler->catches_all = lw_is_null(variable);
        if (handler->catches_all) continue;
        CXType type = clang_getCursorType(variable);
        handler->type = lw_is_reference(type) ? lw_pointee(type) : lw_canonical(type);
    }
    return node;
}

typedef struct {
    IrBlockId entry; // of the handler
    IrBlockId done;  // where it goes on in the end
    IrBlockId next;  // of the next handler
} LwHandlerWay;

// Lowers one handler; the current block is where an unknown exception arrives. Leaves `next` current,
// where one arrives that the handler does not catch; IR_NONE: it is the last.
static void lower_handler(Lower *lw, CXCursor statement, LwHandlerWay way, bool rethrows)
{
    LwCursors parts = lw_children(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    CXCursor variable = caught_variable(parts);
    if (lw_is_null(variable) || way.next == IR_NONE)
        lw_jump(lw, loc, way.entry);
    else
        lw_branch(lw, loc, lw_unknown(lw, lw_bool_type(lw)),
                  (LwBranch){.yes = way.entry, .no = way.next, .kind = IR_BR_SYNTHETIC});
    lw_enter(lw, way.entry);
    LwCleanup *scope = lw->top;
    if (!lw_is_null(variable)) handler_variable(lw, variable);
    if (parts.count > 0) lw_statement(lw, parts.items[parts.count - 1]);
    lw_leave(lw, scope, loc);
    if (rethrows && lw_is_open(lw)) {
        IrInstr instr = ir_instr(IR_THROW, loc);
        instr.target = lw_landing(lw);
        lw_append(lw, instr);
    }
    lw_jump(lw, loc, way.done);
    if (way.next != IR_NONE) lw_enter(lw, way.next);
}

void lw_try_block(Lower *lw, CXCursor statement, CXCursor constructor)
{
    LwCursors parts = lw_children(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    LwCleanup *scope = lw->top;
    IrBlockId dispatch = lw_block(lw), done = lw_block(lw);
    const LwCleanup *node = push_handlers(lw, parts, dispatch);
    if (!lw_is_null(constructor)) lw_construct_members(lw, constructor);
    if (parts.count > 0) lw_statement(lw, parts.items[0]);
    lw_leave(lw, scope, loc);
    lw_jump(lw, loc, done);
    lw_enter(lw, dispatch);
    uint32_t index = 0;
    for (uint32_t i = 1; i < parts.count; i++) {
        if (!lw_is_kind(parts.items[i], CXCursor_CXXCatchStmt)) continue;
        LwHandlerWay way = {.entry = node->handlers[index++].entry, .done = done, .next = IR_NONE};
        if (index < node->handler_count) way.next = lw_block(lw);
        lower_handler(lw, parts.items[i], way, !lw_is_null(constructor));
    }
    lw_enter(lw, done);
}

void lw_try(Lower *lw, CXCursor statement)
{
    lw_try_block(lw, statement, clang_getNullCursor());
}
