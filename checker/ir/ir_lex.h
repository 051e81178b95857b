// SPDX-License-Identifier: MIT
// Private to ir/: tokens of the text form.
#ifndef CUDALINT_IR_IR_LEX_H
#define CUDALINT_IR_IR_LEX_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum {
    TOK_END,
    TOK_WORD,   // plain name or word of the grammar
    TOK_NAME,   // name in backquotes
    TOK_STRING, // "..."
    TOK_NUMBER, // digits and what sticks to them
    TOK_PUNCT,
} TokenKind;

typedef struct {
    TokenKind kind;
    bool is_first; // of its line
    bool is_glued; // no space before it
    uint32_t line;
    uint32_t column;
    uint32_t ordinal; // of names: N of name#N, else 0
    const char *text; // decoded, interned
} Token;

typedef Vec(Token) TokenList;

// Splits `text`; the list ends in TOK_END. Tokens are allocated in `arena`, texts in `strings`.
Status ir_lex(Arena *arena, StrPool *strings, const char *text, TokenList *tokens, Err *err);

#endif
