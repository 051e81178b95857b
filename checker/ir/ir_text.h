// SPDX-License-Identifier: MIT
// The IR's text form: what --dump=ir prints and what unit tests read. Printing and parsing are
// inverse.
#ifndef CUDALINT_IR_IR_TEXT_H
#define CUDALINT_IR_IR_TEXT_H

#include "base/err.h"
#include "ir/ir.h"

#include <stdio.h>

// Prints every function, or only `function` when not NULL (matched against IrFunction.name).
void ir_print(FILE *out, const IrUnit *unit, const char *function);
void ir_print_function(FILE *out, const IrUnit *unit, const IrFunction *fn);

// Reads a unit from text; errors carry line and column. The unit is allocated in `arena`.
Status ir_parse(Arena *arena, const char *text, IrUnit **unit, Err *err);

// The validator: the form rules of ir.h, indices in range, types present. ST_OK or the first
// violation.
Status ir_check(const IrUnit *unit, const IrFunction *fn, Err *err);

#endif
