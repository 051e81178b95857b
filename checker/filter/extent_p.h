// SPDX-License-Identifier: MIT
// How far a suppression comment reaches: by statements and blocks.
#ifndef CUDALINT_FILTER_EXTENT_P_H
#define CUDALINT_FILTER_EXTENT_P_H

#include "base/lexer.h"
#include "base/vec.h"

typedef Vec(Token) TokenList;

// Lines, both included.
typedef struct {
    uint32_t first, last;
} Extent;

TokenList token_list_read(Arena *arena, const SourceFile *file);
// Of the comment at `index`. Behind code: from the start of the statement to the comment's line.
// On its own: the statement, block or definition that follows.
Extent extent_of_comment(const TokenList *tokens, uint32_t index);

#endif
