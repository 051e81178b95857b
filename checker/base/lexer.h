// SPDX-License-Identifier: MIT
// Lexer: the outline of a C++ source: comments apart from strings, words, single characters. It
// knows literals with escapes, raw strings, digit separators, preprocessor lines, and lines that
// end in a backslash; nothing is interpreted.
#ifndef CUDALINT_BASE_LEXER_H
#define CUDALINT_BASE_LEXER_H

#include "base/source.h"

#include <stdbool.h>

typedef enum { TOKEN_END, TOKEN_COMMENT, TOKEN_WORD, TOKEN_LITERAL, TOKEN_CHARACTER } TokenKind;

typedef struct {
    TokenKind kind;
    const char *text; // in the file; of a comment what stands inside it
    size_t len;
    uint32_t line, end_line; // of its first and its last byte
    bool in_directive;       // on a preprocessor line
} Token;

typedef struct {
    const SourceFile *file;
    size_t at;     // next byte
    uint32_t line; // of that byte
    bool is_line_start, in_directive;
} Lexer;

Lexer lexer_start(const SourceFile *file);
// The next token; TOKEN_END at the end, again and again.
Token lexer_next(Lexer *lexer);

#endif
