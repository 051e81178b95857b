// SPDX-License-Identifier: MIT
// Lexer of the IR's text form. Input: any bytes; output: tokens with positions, or an error with
// line and column.
#include "ir/ir_lex.h"

#include <ctype.h>

typedef struct {
    Arena *arena;
    StrPool *strings;
    TokenList *tokens;
    Err *err;
    const char *at;         // next byte
    const char *line_start; // first byte of the current line
    uint32_t line;
    bool is_first;
    bool is_glued;
} Lexer;

static Status lex_error(Lexer *lexer, const char *what)
{
    unsigned column = (unsigned)(lexer->at - lexer->line_start) + 1;
    return err_set(lexer->err, ST_SYNTAX, "line %u, column %u: %s", lexer->line, column, what);
}

static void skip_blanks(Lexer *lexer)
{
    for (;; lexer->at++) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
            lexer->is_first = true;
        } else if (c == '/' && lexer->at[1] == '/') {
            while (lexer->at[1] != '\n' && lexer->at[1] != '\0') lexer->at++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        lexer->is_glued = false;
    }
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// Appends a token that starts at `start` and has been read up to lexer->at.
static void push_token(Lexer *lexer, TokenKind kind, const char *start, const char *text)
{
    Token token = {.kind = kind,
                   .is_first = lexer->is_first,
                   .is_glued = lexer->is_glued,
                   .line = lexer->line,
                   .column = (uint32_t)(start - lexer->line_start) + 1,
                   .text = text};
    bool is_name = kind == TOK_WORD || kind == TOK_NAME;
    if (is_name && lexer->at[0] == '#' && isdigit((unsigned char)lexer->at[1])) {
        for (lexer->at++; isdigit((unsigned char)*lexer->at); lexer->at++) {
            token.ordinal = token.ordinal * 10 + (uint32_t)(*lexer->at - '0');
        }
    }
    vec_push(lexer->arena, lexer->tokens, token);
    lexer->is_first = false;
    lexer->is_glued = true;
}

static void lex_word(Lexer *lexer)
{
    const char *start = lexer->at++;
    for (; *lexer->at != '\0'; lexer->at++) {
        const char *at = lexer->at;
        if (is_word_char(*at)) continue;
        bool is_scope = at[0] == ':' && at[1] == ':' &&
                        (is_word_char(at[2]) || (at[2] == '~' && is_word_char(at[3])));
        if (!is_scope) break;
        lexer->at += at[2] == '~' ? 2 : 1;
    }
    size_t len = (size_t)(lexer->at - start);
    push_token(lexer, TOK_WORD, start, str_intern_n(lexer->strings, start, len));
}

static void lex_number(Lexer *lexer)
{
    const char *start = lexer->at++;
    for (;; lexer->at++) {
        char c = *lexer->at, before = lexer->at[-1];
        bool is_exponent =
            (c == '+' || c == '-') && (before == 'e' || before == 'E') && start[1] != 'x';
        bool is_fraction = c == '.' && lexer->at[1] != '.';
        if (!isalnum((unsigned char)c) && !is_fraction && !is_exponent) break;
    }
    size_t len = (size_t)(lexer->at - start);
    push_token(lexer, TOK_NUMBER, start, str_intern_n(lexer->strings, start, len));
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads one escape after the backslash; false: not one.
static bool lex_escape(Lexer *lexer, StrBuf *out)
{
    char c = *lexer->at++;
    if (c == 'x') {
        int high = hex_digit(lexer->at[0]);
        int low = high < 0 ? -1 : hex_digit(lexer->at[1]);
        if (low < 0 || high * 16 + low == 0) return false;
        char byte = (char)(high * 16 + low);
        lexer->at += 2;
        strbuf_append_n(out, &byte, 1);
        return true;
    }
    if (c == 'n')
        c = '\n';
    else if (c == 't')
        c = '\t';
    else if (c != '\\' && c != '"' && c != '`')
        return false;
    strbuf_append_n(out, &c, 1);
    return true;
}

static Status lex_quoted(Lexer *lexer)
{
    const char *start = lexer->at;
    char quote = *lexer->at++;
    StrBuf out = {.arena = lexer->arena};
    while (*lexer->at != quote) {
        if (*lexer->at == '\0' || *lexer->at == '\n') return lex_error(lexer, "unterminated quote");
        if (*lexer->at != '\\') {
            strbuf_append_n(&out, lexer->at++, 1);
            continue;
        }
        lexer->at++;
        if (*lexer->at == '\0' || !lex_escape(lexer, &out))
            return lex_error(lexer, "unknown escape");
    }
    lexer->at++;
    TokenKind kind = quote == '"' ? TOK_STRING : TOK_NAME;
    push_token(lexer, kind, start, str_intern(lexer->strings, strbuf_text(&out)));
    return ST_OK;
}

static Status lex_punct(Lexer *lexer)
{
    static const char *const puncts[] = {
        "<<<", ">>>", "->", "<<", ">>", "<=", ">=", "==", "!=", "..", "&&", "<",
        ">",   "=",   "(",  ")",  "{",  "}",  "[",  "]",  ",",  ":",  ";",  "@",
        "?",   "*",   "&",  ".",  "+",  "-",  "/",  "%",  "~",  "!",  "|",  "^",
    };
    for (size_t i = 0; i < sizeof puncts / sizeof puncts[0]; i++) {
        if (!str_starts_with(lexer->at, puncts[i])) continue;
        const char *start = lexer->at;
        lexer->at += strlen(puncts[i]);
        push_token(lexer, TOK_PUNCT, start, puncts[i]);
        return ST_OK;
    }
    return lex_error(lexer, "unexpected character");
}

Status ir_lex(Arena *arena, StrPool *strings, const char *text, TokenList *tokens, Err *err)
{
    Lexer lexer = {.arena = arena,
                   .strings = strings,
                   .tokens = tokens,
                   .err = err,
                   .at = text,
                   .line_start = text,
                   .line = 1,
                   .is_first = true};
    Status status = ST_OK;
    for (skip_blanks(&lexer); *lexer.at != '\0' && status == ST_OK; skip_blanks(&lexer)) {
        char c = lexer.at[0], next = lexer.at[1];
        bool is_hidden_field = c == '#' && isalpha((unsigned char)next);
        bool is_temp = c == '%' && is_word_char(next);
        if (isalpha((unsigned char)c) || c == '_' || c == '$' || is_hidden_field || is_temp)
            lex_word(&lexer);
        else if (isdigit((unsigned char)c))
            lex_number(&lexer);
        else if (c == '"' || c == '`')
            status = lex_quoted(&lexer);
        else
            status = lex_punct(&lexer);
    }
    push_token(&lexer, TOK_END, lexer.at, "end of text");
    return status;
}
