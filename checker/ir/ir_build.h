// SPDX-License-Identifier: MIT
// Making and changing the IR: units, functions, blocks, places, expressions, and the transforms that
// keep the form which ir_check checks.
#ifndef CUDALINT_IR_IR_BUILD_H
#define CUDALINT_IR_IR_BUILD_H

#include "ir/ir.h"

// ---- building (ir_build.c) --------------------------------------------------------------------

IrUnit *ir_unit_new(Arena *arena, const char *file);
// Each adds an entry and returns its index. ir_type_add interns: entries that agree in all but
// `size` are one.
IrType ir_type_add(IrUnit *unit, IrTypeInfo info);
IrRecordId ir_record_add(IrUnit *unit, IrRecord record);
IrCalleeId ir_callee_add(IrUnit *unit, IrCallee callee);
// Creates a function with an empty entry block, appends it to unit->functions and links its
// callee's body.
IrFunction *ir_function_new(IrUnit *unit, IrCalleeId callee, const char *name, SrcLoc loc);
// Removes a function again (lowering met a construct it does not know) and records why. Ids of
// functions added after it move down by one; the callees' `body` follow.
void ir_function_abandon(IrUnit *unit, IrFunction *function, const char *reason);
// Texts are copied; `usr` may be NULL.
void ir_skip(IrUnit *unit, const IrSkipped *skipped);

IrVarId ir_var_add(IrUnit *unit, IrFunction *fn, IrVar var);
IrVarId ir_temp_add(IrUnit *unit, IrFunction *fn, IrType type, SrcLoc loc);
IrBlockId ir_block_add(IrUnit *unit, IrFunction *fn);
// Appending to a closed block does nothing: what follows a terminator cannot be reached.
void ir_block_append(IrUnit *unit, IrFunction *fn, IrBlockId block, IrInstr instr);
// True when the block already ends in a terminator.
bool ir_block_is_closed(const IrFunction *fn, IrBlockId block);

IrPlaceId ir_place_var(IrUnit *unit, IrFunction *fn, IrVarId var);
IrPlaceId ir_place_field(IrUnit *unit, IrFunction *fn, IrPlaceId base, const char *field,
                         IrType type);
IrPlaceId ir_place_deref(IrUnit *unit, IrFunction *fn, IrPlaceId base, IrType type);
IrPlaceId ir_place_index(IrUnit *unit, IrFunction *fn, IrPlaceId base, IrExprId index, IrType type);

IrExprId ir_int(IrUnit *unit, IrFunction *fn, int64_t value, IrType type);
// Operators and casts of integer constants fold; the address of *p is the load of p, with p's own
// type.
IrExprId ir_load(IrUnit *unit, IrFunction *fn, IrPlaceId place);
IrExprId ir_addr(IrUnit *unit, IrFunction *fn, IrPlaceId place, IrType pointer_type);
IrExprId ir_unary(IrUnit *unit, IrFunction *fn, IrOperator op, IrExprId a, IrType type);
IrExprId ir_binary(IrUnit *unit, IrFunction *fn, IrOperator op, IrExprId a, IrExprId b,
                   IrType type);
IrExprId ir_cast(IrUnit *unit, IrFunction *fn, IrExprId a, IrType type);
IrExprId ir_func(IrUnit *unit, IrFunction *fn, IrCalleeId callee, IrType type);
IrExprId ir_unknown(IrUnit *unit, IrFunction *fn, IrType type);
// An expression of the kind whose index fields are all IR_NONE.
IrExpr ir_blank_expr(IrExprKind kind, IrType type);
// Any other expression, fields set by the caller.
IrExprId ir_expr(IrUnit *unit, IrFunction *fn, IrExpr expr);

// A zeroed instruction whose index fields are all IR_NONE, and a zeroed call likewise (allocated in
// the unit's arena).
IrInstr ir_instr(IrOpcode op, SrcLoc loc);
IrCall *ir_call_new(IrUnit *unit, IrCalleeId callee, uint32_t arg_count);

// Drops blocks that cannot be reached from the entry, appends blocks to their only predecessor
// where that jumps to them, and renumbers the rest in reverse post-order, the entry being block 0;
// called once lowering is done. Exception edges of calls count.
void ir_function_finish(IrUnit *unit, IrFunction *fn);

// ---- transforming (ir_inline.c, ir_split.c) ----------------------------------------------------

// Puts the bodies of small functions that are handed code in place of their calls.
void ir_inline_calls(IrUnit *unit);

// Has no block keep more than a few calls that give something.
void ir_split_blocks(IrUnit *unit);

#endif
