// SPDX-License-Identifier: MIT
// What the printer and the parser of the text form must agree on: built-in types, reserved words,
// flag words and the types that are left out because they follow from the context. docs/ir.md
// describes the text.
#ifndef CUDALINT_IR_IR_TEXT_P_H
#define CUDALINT_IR_IR_TEXT_P_H

#include "ir/ir.h"

#include <stddef.h>

typedef struct {
    const char *word; // in the text form
    const char *name; // canonical C++ spelling
    IrTypeKind kind;
    bool is_unsigned;
    uint64_t size;
} IrBuiltin;

// The built-in type of that word, or NULL.
const IrBuiltin *ir_builtin_by_word(const char *word);
// The built-in type that is exactly this (const aside), or NULL. `name` is the spelling without
// "const ".
const IrBuiltin *ir_builtin_of(const IrTypeInfo *info, const char *name);

// Words of the grammar: as names they are written in backquotes.
bool ir_word_is_reserved(const char *word);
// Whether the lexer reads the text as one plain word.
bool ir_word_is_plain(const char *text);

// Whether a number's text is that of a floating constant.
bool ir_number_is_float(const char *text);
// Whether the lexer reads the text as one number, and that as a floating constant; a minus may
// stand before it.
bool ir_float_is_plain(const char *text);

// A flag of a record, callee, function, variable or call: its word and where the bool lies in the
// struct.
typedef struct {
    const char *word;
    size_t offset;
} IrFlag;

extern const IrFlag ir_record_flags[], ir_callee_flags[], ir_function_flags[], ir_call_flags[];

static inline bool *ir_flag_at(void *object, const IrFlag *flag)
{
    return (bool *)((char *)object + flag->offset);
}

const char *ir_branch_word(IrBranchKind kind);

// The spelling of a type without its leading const. Interned.
const char *ir_type_base_name(const IrUnit *unit, const IrTypeInfo *info);

bool ir_operator_is_comparison(IrOperator op);
// How tightly a binary operator binds; 0 for unary ones.
int ir_operator_precedence(IrOperator op);

// Where the context gives a literal its type: that type, or IR_NONE (int and double).
IrType ir_context_int(const IrUnit *unit, IrType expected);
IrType ir_context_float(const IrUnit *unit, IrType expected);
// What the left operand's type makes the context of the right operand.
IrType ir_context_right(const IrUnit *unit, IrOperator op, IrType left);
// The type that a projection of a place has by itself, or IR_NONE.
IrType ir_natural_type(const IrUnit *unit, const IrFunction *fn, const IrPlace *place);

// Whether an index on a place of this type goes through the pointer in it.
bool ir_type_is_pointer_like(const IrUnit *unit, IrType type);

// What usr a callee or record has when the text gives none. Interned.
const char *ir_default_callee_usr(const IrUnit *unit, const IrCallee *callee);
const char *ir_default_record_usr(const IrUnit *unit, const char *name);
// "push_back" of "std::vector::push_back".
const char *ir_last_component(const char *qualified);

// sizeof a type as far as the text form tells it; 0 unknown.
uint64_t ir_textual_size(const IrUnit *unit, IrType type);

#endif
