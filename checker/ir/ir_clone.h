// SPDX-License-Identifier: MIT
// Private to ir/: copying a function's body into another function.
#ifndef CUDALINT_IR_IR_CLONE_H
#define CUDALINT_IR_IR_CLONE_H

#include "ir/ir_build.h"

// One copy being made.
typedef struct {
    IrUnit *unit;
    IrFunction *to;
    const IrFunction *from;
    const IrCall *call;  // whose place the body takes
    IrInlineId id;       // of this copy in to->inlined
    SrcLoc loc;          // of the call
    IrBlockId next;      // where the function goes on when the body has returned
    Arena *scratch;      // for the tables below
    IrVarId *vars;       // by variable of `from`: the one it became
    IrPlaceId *places;   // likewise; IR_NONE: not copied yet
    IrExprId *exprs;     // likewise
    IrBlockId first;     // block 0 of `from` became this one, the others follow
    IrInlineId first_id; // likewise for from->inlined
} IrClone;

// Makes the variables, blocks and parameters' values; returns the block that the body begins with.
// `at` is the block that ends in the call's place: it gets the parameters.
IrBlockId ir_clone_body(IrClone *clone, IrBlockId at);

#endif
