// SPDX-License-Identifier: MIT
// Private to ir/: state of the parser of the text form, shared by its files. Every parse function
// returns false after the first error, which is recorded with line and column; nothing is read
// after that.
#ifndef CUDALINT_IR_IR_PARSE_P_H
#define CUDALINT_IR_IR_PARSE_P_H

#include "ir/ir_lex.h"
#include "ir/ir_p.h"
#include "ir/ir_text_p.h"

// Nesting of expressions, and stars of one type, that the parser takes; the printer stays far
// below.
#define PARSE_MAX_DEPTH 600
#define PARSE_MAX_SUFFIXES 1000

typedef struct {
    const char *text; // interned
    uint32_t ordinal; // N of name#N
    uint32_t value;
} NameEntry;

// Names in scope: (text, ordinal) to an index. Zeroed means empty.
typedef struct {
    Vec(NameEntry) entries;
    IrTable table;
} NameMap;

typedef struct {
    IrUnit *unit;
    Err *err;
    TokenList tokens;
    uint32_t at;    // index of the next token
    uint32_t depth; // of open expressions

    NameMap types;            // declared types
    NameMap records;          // IrRecordId
    NameMap callees;          // IrCalleeId
    Vec(IrType) record_types; // by record: its unqualified type

    IrFunction *fn;  // whose body is being read
    IrBlockId block; // that receives instructions
    NameMap vars;    // of fn
    NameMap labels;  // of fn
} Parser;

// ---- tokens (ir_parse.c) ----

static inline const Token *parse_peek(const Parser *p)
{
    return &p->tokens.items[p->at];
}
// Looks `ahead` tokens further; TOK_END past the end.
const Token *parse_peek_at(const Parser *p, uint32_t ahead);
// Whether the token is this punctuation or word of the grammar.
bool token_is(const Token *token, const char *text);
bool parse_accept(Parser *p, const char *text);
bool parse_expect(Parser *p, const char *text);
bool parse_fail(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A name that is not a word of the grammar, or any name in backquotes.
bool parse_name(Parser *p, const Token **name);
bool parse_uint(Parser *p, uint64_t max, uint64_t *value);
// An optional "@line:column" with file and macro.
bool parse_loc(Parser *p, SrcLoc *loc);
// An optional "[word word]" that sets bools of `object`.
bool parse_flags(Parser *p, const IrFlag *flags, void *object);

uint32_t name_map_find(const NameMap *map, const Token *name); // IR_NONE when absent
bool name_map_add(Parser *p, NameMap *map, const Token *name, uint32_t value);

// ---- types (ir_parse_type.c) ----

bool parse_type(Parser *p, IrType *type);
IrType parse_builtin(Parser *p, const char *word);
IrType parse_pointer_to(Parser *p, IrType pointee);
// The type without const of its own.
IrType parse_unqualified(Parser *p, IrType type);
// "type NAME = ..." after the word.
bool parse_type_item(Parser *p);

// ---- expressions (ir_parse_expr.c) ----

// `expected` is the type a bare literal takes, or IR_NONE.
bool parse_expr(Parser *p, IrType expected, IrExprId *expr);
bool parse_place(Parser *p, IrPlaceId *place);

// ---- functions (ir_parse_func.c) ----

// The body between braces; p->at is at the opening one.
bool parse_body(Parser *p, IrFunction *fn);
// "var x: T ..." after the word.
bool parse_var(Parser *p, IrVarKind kind);

#endif
