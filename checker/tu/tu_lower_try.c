// SPDX-License-Identifier: MIT
// try, catch and throw. Which handler catches is not decided here: an exception may enter each of
// them, in order, and goes on outwards unless `catch (...)` ends the list.
#include "tu/tu_lower.h"

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

// Lowers one handler; the current block is where the exception arrives. Leaves the block that
// passes it on current.
static void handler(Lower *lw, CXCursor statement, IrBlockId done, bool rethrows)
{
    LwCursors parts = lw_children(lw, statement);
    if (parts.count == 0) return;
    SrcLoc loc = lw_loc(lw, statement);
    CXCursor variable =
        lw_is_kind(parts.items[0], CXCursor_VarDecl) ? parts.items[0] : clang_getNullCursor();
    IrBlockId body = lw_block(lw), next = lw_block(lw);
    if (lw_is_null(variable))
        lw_jump(lw, loc, body);
    else
        lw_branch(lw, loc, lw_unknown(lw, lw_bool_type(lw)),
                  (LwBranch){body, next, IR_BR_SYNTHETIC});
    lw_enter(lw, body);
    LwCleanup *scope = lw->top;
    if (!lw_is_null(variable)) handler_variable(lw, variable);
    lw_statement(lw, parts.items[parts.count - 1]);
    lw_leave(lw, scope, loc);
    if (rethrows && lw_is_open(lw)) {
        IrInstr instr = ir_instr(IR_THROW, loc);
        instr.target = lw_landing(lw);
        lw_append(lw, instr);
    }
    lw_jump(lw, loc, done);
    lw_enter(lw, next);
}

static void pass_on(Lower *lw, SrcLoc loc)
{
    IrBlockId outer = lw_landing(lw);
    if (outer != IR_NONE)
        lw_jump(lw, loc, outer);
    else
        lw_append(lw, ir_instr(IR_RESUME, loc));
}

void lw_try_block(Lower *lw, CXCursor statement, CXCursor constructor)
{
    LwCursors parts = lw_children(lw, statement);
    SrcLoc loc = lw_loc(lw, statement);
    LwCleanup *scope = lw->top;
    IrBlockId dispatch = lw_block(lw), done = lw_block(lw);
    lw_push_try(lw, dispatch);
    if (!lw_is_null(constructor)) lw_construct_members(lw, constructor);
    if (parts.count > 0) lw_statement(lw, parts.items[0]);
    lw_leave(lw, scope, loc);
    lw_jump(lw, loc, done);
    lw_enter(lw, dispatch);
    for (uint32_t i = 1; i < parts.count; i++) {
        if (lw_is_kind(parts.items[i], CXCursor_CXXCatchStmt))
            handler(lw, parts.items[i], done, !lw_is_null(constructor));
    }
    pass_on(lw, loc);
    lw_enter(lw, done);
}

void lw_try(Lower *lw, CXCursor statement)
{
    lw_try_block(lw, statement, clang_getNullCursor());
}

void lw_throw(Lower *lw, CXCursor expr)
{
    CXCursor operand = lw_operand_of(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrInstr instr = ir_instr(IR_THROW, loc);
    if (!lw_is_null(operand)) {
        CXType type = lw_type_of(operand);
        if (lw_is_record(type)) {
            IrPlaceId object =
                lw_new_object(lw, type, loc); // it belongs to the exception from now on
            lw_init(lw, object, type, operand);
            instr.value = lw_load(lw, object);
        } else {
            instr.value = lw_value(lw, operand);
        }
    }
    instr.target = lw_landing(lw);
    lw_append(lw, instr);
}
