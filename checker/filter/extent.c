// SPDX-License-Identifier: MIT
// Statements and blocks by their tokens. Input: a file's tokens; output: the lines that a comment
// speaks of. Braces are paired without knowing types, so `x{1} {` is told from a block by the word
// before it; code that only balances with the preprocessor's help may end later than meant.
#include "filter/extent_p.h"

#include <string.h>

TokenList token_list_read(Arena *arena, const SourceFile *file)
{
    TokenList tokens = {0};
    Lexer lexer = lexer_start(file);
    for (Token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        vec_push(arena, &tokens, token);
    return tokens;
}

static bool is_code(const Token *token)
{
    return token->kind != TOKEN_COMMENT && !token->in_directive;
}

static bool is_character(const Token *token, const char *set)
{
    return token->kind == TOKEN_CHARACTER && strchr(set, token->text[0]) != NULL &&
           token->text[0] != '\0';
}

static bool is_word(const Token *token, const char *word)
{
    return token->kind == TOKEN_WORD && token->len == strlen(word) &&
           memcmp(token->text, word, token->len) == 0;
}

// The index of the next code token from `index` on, or the number of tokens.
static uint32_t next_code(const TokenList *tokens, uint32_t index)
{
    while (index < tokens->len && !is_code(&tokens->items[index])) index++;
    return index;
}

// The index of the code token before `index`, or UINT32_MAX.
static uint32_t previous_code(const TokenList *tokens, uint32_t index)
{
    while (index-- > 0)
        if (is_code(&tokens->items[index])) return index;
    return UINT32_MAX;
}

// ---- behind code --------------------------------------------------------------------------------

// Whether anything but comments stands on the comment's line before it.
static bool is_behind_code(const TokenList *tokens, uint32_t index)
{
    for (uint32_t i = index; i-- > 0;) {
        if (tokens->items[i].end_line != tokens->items[index].line) return false;
        if (tokens->items[i].kind != TOKEN_COMMENT) return true;
    }
    return false;
}

// The line on which the first statement of the comment's line starts.
static uint32_t statement_start(const TokenList *tokens, uint32_t index)
{
    uint32_t line = tokens->items[index].line, first = line;
    int depth = 0; // of parentheses, seen from the right
    for (uint32_t i = previous_code(tokens, index); i != UINT32_MAX; i = previous_code(tokens, i)) {
        const Token *token = &tokens->items[i];
        bool is_boundary = depth <= 0 && is_character(token, ";{}");
        if (is_boundary && token->line < line) return first;
        if (is_character(token, ")")) depth++;
        if (is_character(token, "(")) depth--;
        first = token->line;
    }
    return first;
}

// ---- what follows -------------------------------------------------------------------------------

// The index of the brace that closes the one at `open`, or the last token's.
static uint32_t closing_brace(const TokenList *tokens, uint32_t open)
{
    uint32_t depth = 0;
    for (uint32_t i = open; i < tokens->len; i = next_code(tokens, i + 1)) {
        if (is_character(&tokens->items[i], "{")) depth++;
        if (is_character(&tokens->items[i], "}") && --depth == 0) return i;
    }
    return tokens->len - 1;
}

// Whether the statement goes on behind a brace: `else`, `catch`, the rest of a declaration.
static bool goes_on(const TokenList *tokens, uint32_t open, uint32_t after)
{
    if (after >= tokens->len) return false;
    const Token *next = &tokens->items[after];
    if (is_word(next, "else") || is_word(next, "catch") || is_character(next, ",.;)=?"))
        return true;
    uint32_t before = previous_code(tokens, open);
    if (before == UINT32_MAX) return false;
    const Token *opener = &tokens->items[before];
    if (is_word(opener, "do")) return is_word(next, "while");
    bool is_block_word = is_word(opener, "else") || is_word(opener, "try");
    return is_character(next, "{") && opener->kind == TOKEN_WORD && !is_block_word;
}

// The line on which the statement or definition that starts at token `index` ends.
static uint32_t statement_end(const TokenList *tokens, uint32_t index)
{
    uint32_t depth = 0; // of parentheses and brackets
    uint32_t line = tokens->items[index].line;
    for (uint32_t i = index; i < tokens->len; i = next_code(tokens, i + 1)) {
        const Token *token = &tokens->items[i];
        line = token->end_line;
        if (is_character(token, "([")) depth++;
        if (is_character(token, ")]") && depth > 0) depth--;
        if (depth != 0) continue;
        if (is_character(token, ";}")) return line;
        if (!is_character(token, "{")) continue;
        uint32_t close = closing_brace(tokens, i);
        line = tokens->items[close].end_line;
        if (!goes_on(tokens, i, next_code(tokens, close + 1))) return line;
        i = close;
    }
    return line;
}

Extent extent_of_comment(const TokenList *tokens, uint32_t index)
{
    const Token *comment = &tokens->items[index];
    if (is_behind_code(tokens, index))
        return (Extent){.first = statement_start(tokens, index), .last = comment->line};
    uint32_t next = next_code(tokens, index + 1);
    if (next == tokens->len) return (Extent){.first = comment->line, .last = comment->end_line};
    return (Extent){.first = tokens->items[next].line, .last = statement_end(tokens, next)};
}
