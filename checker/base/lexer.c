// SPDX-License-Identifier: MIT
// Splits the text of a source file into tokens. Any bytes will do: what is not closed ends with its
// line (literals) or with the file (comments, raw strings).
#include "base/lexer.h"

#include <string.h>

// The byte `ahead` of the next one; NUL at the end.
static char peek(const Lexer *lexer, size_t ahead)
{
    size_t at = lexer->at + ahead;
    return at < lexer->file->len ? lexer->file->text[at] : '\0';
}

static bool is_at_end(const Lexer *lexer)
{
    return lexer->at >= lexer->file->len;
}

static void step(Lexer *lexer)
{
    if (is_at_end(lexer)) return;
    lexer->at++;
    const SourceFile *file = lexer->file;
    if (lexer->line < file->line_count && lexer->at >= file->line_starts[lexer->line])
        lexer->line++;
}

static void steps(Lexer *lexer, size_t count)
{
    while (count-- > 0) step(lexer);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80) != 0;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

// A backslash before a line end, of one or two bytes; 0 if there is none.
static size_t continuation_length(const Lexer *lexer)
{
    if (peek(lexer, 0) != '\\' || !is_line_end(peek(lexer, 1))) return 0;
    return peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 2;
}

static void skip_blanks(Lexer *lexer)
{
    while (!is_at_end(lexer)) {
        char c = peek(lexer, 0);
        size_t continuation = continuation_length(lexer);
        if (continuation != 0) {
            steps(lexer, continuation);
            continue;
        }
        if (is_line_end(c)) {
            lexer->is_line_start = true;
            lexer->in_directive = false;
        } else if (c != ' ' && c != '\t' && c != '\v' && c != '\f') {
            return;
        }
        step(lexer);
    }
}

static void scan_line_comment(Lexer *lexer)
{
    while (!is_at_end(lexer) && !is_line_end(peek(lexer, 0))) {
        size_t continuation = continuation_length(lexer);
        steps(lexer, continuation != 0 ? continuation : 1);
    }
}

static void scan_block_comment(Lexer *lexer)
{
    while (!is_at_end(lexer) && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/')) step(lexer);
}

// A string or character.
static void scan_literal(Lexer *lexer, char quote)
{
    step(lexer);
    while (!is_at_end(lexer) && peek(lexer, 0) != quote && !is_line_end(peek(lexer, 0))) {
        size_t continuation = continuation_length(lexer);
        steps(lexer, continuation != 0 ? continuation : peek(lexer, 0) == '\\' ? 2 : 1);
    }
    if (peek(lexer, 0) == quote) step(lexer);
}

// R"delimiter( ... )delimiter", at its quote.
static void scan_raw_string(Lexer *lexer)
{
    const char *delimiter = lexer->file->text + lexer->at + 1;
    size_t len = 0;
    while (peek(lexer, 1 + len) != '(' && peek(lexer, 1 + len) != '\0' && len < 17) len++;
    if (peek(lexer, 1 + len) != '(') {
        scan_literal(lexer, '"');
        return;
    }
    steps(lexer, len + 2);
    while (!is_at_end(lexer)) {
        bool fits = lexer->at + len + 1 < lexer->file->len && peek(lexer, 0) == ')' &&
                    peek(lexer, 1 + len) == '"';
        if (fits && memcmp(lexer->file->text + lexer->at + 1, delimiter, len) == 0) break;
        step(lexer);
    }
    steps(lexer, len + 2);
}

// Whether the word that ends at `end` makes the string after it a raw one.
static bool is_raw_prefix(const char *word, size_t len)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == len && memcmp(prefixes[i], word, len) == 0) return true;
    return false;
}

static TokenKind scan_word(Lexer *lexer)
{
    size_t start = lexer->at;
    bool is_number = peek(lexer, 0) >= '0' && peek(lexer, 0) <= '9';
    while (is_word(peek(lexer, 0)) ||
           (is_number && peek(lexer, 0) == '\'' && is_word(peek(lexer, 1))))
        step(lexer);
    const char *word = lexer->file->text + start;
    if (peek(lexer, 0) != '"' || !is_raw_prefix(word, lexer->at - start)) return TOKEN_WORD;
    scan_raw_string(lexer);
    return TOKEN_LITERAL;
}

Lexer lexer_start(const SourceFile *file)
{
    return (Lexer){.file = file, .line = 1, .is_line_start = true};
}

static Token finish(const Lexer *lexer, Token token, size_t start)
{
    token.text = lexer->file->text + start;
    token.len = lexer->at - start;
    token.end_line = lexer->line;
    return token;
}

static Token next_comment(Lexer *lexer, Token token)
{
    bool is_block = peek(lexer, 1) == '*';
    token.kind = TOKEN_COMMENT;
    steps(lexer, 2);
    size_t start = lexer->at;
    if (is_block)
        scan_block_comment(lexer);
    else
        scan_line_comment(lexer);
    token = finish(lexer, token, start);
    if (is_block) steps(lexer, 2);
    return token;
}

Token lexer_next(Lexer *lexer)
{
    skip_blanks(lexer);
    char c = peek(lexer, 0);
    if (c == '#' && lexer->is_line_start) lexer->in_directive = true;
    Token token = {
        .kind = TOKEN_CHARACTER, .line = lexer->line, .in_directive = lexer->in_directive};
    size_t start = lexer->at;
    if (is_at_end(lexer)) {
        token.kind = TOKEN_END;
        return finish(lexer, token, start);
    }
    if (c == '/' && (peek(lexer, 1) == '/' || peek(lexer, 1) == '*'))
        return next_comment(lexer, token);
    lexer->is_line_start = false;
    if (c == '"' || c == '\'') {
        token.kind = TOKEN_LITERAL;
        scan_literal(lexer, c);
    } else if (is_word(c)) {
        token.kind = scan_word(lexer);
    } else {
        step(lexer);
    }
    return finish(lexer, token, start);
}
