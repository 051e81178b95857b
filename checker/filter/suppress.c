// SPDX-License-Identifier: MIT
// Reads suppression comments. Input: a source file; output: which rules are silenced on which lines,
// and what could not be understood. What a comment covers follows from the tokens around it.
#include "filter/suppress.h"

#include "base/str.h"
#include "filter/extent_p.h"

#include <fnmatch.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const SourceFile *file;
    TokenList tokens;
    SuppressionList list;
    Vec(uint32_t) open; // NOLINTBEGIN without its end so far: indices of `list.items`
} Reader;

// What is left of a comment.
typedef struct {
    const char *at, *end;
} Rest;

static void skip(Rest *rest, const char *set)
{
    while (rest->at < rest->end && *rest->at != '\0' && strchr(set, *rest->at) != NULL) rest->at++;
}

static bool take(Rest *rest, const char *wanted)
{
    size_t len = strlen(wanted);
    if ((size_t)(rest->end - rest->at) < len || memcmp(rest->at, wanted, len) != 0) return false;
    rest->at += len;
    return true;
}

static bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_name_character(char c)
{
    return is_word_character(c) || c == '-' || c == '*' || c == '.';
}

static const char *take_name(Arena *arena, Rest *rest)
{
    const char *start = rest->at;
    while (rest->at < rest->end && is_name_character(*rest->at)) rest->at++;
    return arena_strndup(arena, start, (size_t)(rest->at - start));
}

static uint32_t column_of(const Reader *reader, const Token *comment)
{
    size_t offset = (size_t)(comment->text - reader->file->text) - 2; // at its opening
    return (uint32_t)(offset - reader->file->line_starts[comment->line - 1]) + 1;
}

static void complain(Reader *reader, const Token *comment, const char *text)
{
    SuppressionError error = {
        .line = comment->line, .column = column_of(reader, comment), .text = text};
    vec_push(reader->arena, &reader->list.errors, error);
}

typedef Vec(const char *) NameList;

// "(a, b)", at its parenthesis; false if it is not closed or holds something else.
static bool take_names(Arena *arena, Rest *rest, NameList *names)
{
    if (!take(rest, "(")) return false;
    do {
        skip(rest, " \t\r\n");
        const char *name = take_name(arena, rest);
        if (name[0] != '\0') vec_push(arena, names, name);
        skip(rest, " \t\r\n");
    } while (take(rest, ","));
    return take(rest, ")");
}

static void add(Reader *reader, const Token *comment, Extent extent, Suppression suppression)
{
    suppression.line = comment->line;
    suppression.column = column_of(reader, comment);
    suppression.first = extent.first;
    suppression.last = extent.last;
    if (suppression.reason == NULL) suppression.reason = "";
    vec_push(reader->arena, &reader->list.items, suppression);
}

// ---- cudalint: allow(...) -----------------------------------------------------------------------

// The rest of the first line, up to another comment within the comment.
static const char *take_reason(Arena *arena, Rest *rest)
{
    skip(rest, " \t:-");
    const char *end = rest->at;
    while (end < rest->end && *end != '\n' && *end != '\r') {
        bool is_nested = end[0] == '/' && end + 1 < rest->end && (end[1] == '/' || end[1] == '*');
        if (is_nested && end > rest->at && end[-1] == ' ') break;
        end++;
    }
    while (end > rest->at && strchr(" \t*", end[-1]) != NULL) end--;
    return arena_strndup(arena, rest->at, (size_t)(end - rest->at));
}

// The text after "cudalint:". Prose that merely speaks of cudalint is left alone.
static void read_directive(Reader *reader, uint32_t index, Rest rest)
{
    const Token *comment = &reader->tokens.items[index];
    skip(&rest, " \t");
    const char *verb = take_name(reader->arena, &rest);
    skip(&rest, " \t");
    bool is_call = rest.at < rest.end && *rest.at == '(';
    if (strcmp(verb, "allow") != 0) {
        if (is_call)
            complain(reader, comment,
                     arena_printf(reader->arena,
                                  "there is no '%s' here; a suppression is 'cudalint: allow(RULE) "
                                  "reason'",
                                  verb));
        return;
    }
    NameList names = {0};
    if (!take_names(reader->arena, &rest, &names) || names.len == 0) {
        complain(reader, comment, "'allow' wants rules in parentheses: 'allow(RULE) reason'");
        return;
    }
    const char *reason = take_reason(reader->arena, &rest);
    Extent extent = extent_of_comment(&reader->tokens, index);
    for (uint32_t i = 0; i < names.len; i++)
        add(reader, comment, extent, (Suppression){.rule = names.items[i], .reason = reason});
}

// ---- NOLINT -------------------------------------------------------------------------------------

typedef enum { NOLINT_LINE, NOLINT_NEXT, NOLINT_BEGIN, NOLINT_END } NolintKind;

// The lines that a NOLINT on `line` is for; those of a BEGIN end where its END comes.
static Extent nolint_extent(NolintKind kind, uint32_t line)
{
    uint32_t first = kind == NOLINT_NEXT ? line + 1 : line;
    return (Extent){.first = first, .last = first};
}

// Ends the youngest open NOLINTBEGIN for the same rule.
static void close_nolint(Reader *reader, const Token *comment, const char *rule, uint32_t line)
{
    for (uint32_t i = reader->open.len; i-- > 0;) {
        Suppression *begin = &reader->list.items.items[reader->open.items[i]];
        if (strcmp(begin->rule, rule) != 0) continue;
        begin->last = line;
        for (uint32_t k = i + 1; k < reader->open.len; k++)
            reader->open.items[k - 1] = reader->open.items[k];
        reader->open.len--;
        return;
    }
    if (strcmp(rule, "*") != 0)
        complain(reader, comment, "nothing begins what this NOLINTEND ends");
}

static void add_nolint(Reader *reader, const Token *comment, NolintKind kind, uint32_t line,
                       Suppression suppression)
{
    if (kind == NOLINT_END) {
        close_nolint(reader, comment, suppression.rule, line);
        return;
    }
    if (kind == NOLINT_BEGIN) vec_push(reader->arena, &reader->open, reader->list.items.len);
    add(reader, comment, nolint_extent(kind, line), suppression);
}

// The text after "NOLINT". Without a list it is meant for every tool, this one too; of a list only
// what begins with "cudalint-" is ours.
static void read_nolint(Reader *reader, const Token *comment, Rest rest, uint32_t line)
{
    NolintKind kind = take(&rest, "NEXTLINE") ? NOLINT_NEXT
                      : take(&rest, "BEGIN")  ? NOLINT_BEGIN
                      : take(&rest, "END")    ? NOLINT_END
                                              : NOLINT_LINE;
    if (rest.at < rest.end && is_word_character(*rest.at)) return; // another word
    NameList names = {0};
    if (rest.at == rest.end || *rest.at != '(') {
        add_nolint(reader, comment, kind, line, (Suppression){.rule = "*", .is_for_all = true});
        return;
    }
    if (!take_names(reader->arena, &rest, &names)) return; // another tool's syntax
    const char *reason = take_reason(reader->arena, &rest);
    for (uint32_t i = 0; i < names.len; i++) {
        const char *name = names.items[i];
        bool is_for_all = strcmp(name, "*") == 0;
        if (!is_for_all && !str_starts_with(name, "cudalint-")) continue;
        if (!is_for_all) name += strlen("cudalint-");
        if (name[0] == '\0') {
            complain(reader, comment, "'NOLINT(cudalint-)' names no rule");
            continue;
        }
        Suppression suppression = {.rule = name, .reason = reason, .is_for_all = is_for_all};
        add_nolint(reader, comment, kind, line, suppression);
    }
}

static void read_nolints(Reader *reader, const Token *comment)
{
    uint32_t line = comment->line;
    const char *end = comment->text + comment->len;
    for (const char *at = comment->text; at < end; at++) {
        if (*at == '\n') line++;
        bool is_word_start = at == comment->text || !is_word_character(at[-1]);
        Rest rest = {at, end};
        if (is_word_start && take(&rest, "NOLINT")) read_nolint(reader, comment, rest, line);
    }
}

// ---- comments -----------------------------------------------------------------------------------

static void read_comment(Reader *reader, uint32_t index)
{
    const Token *comment = &reader->tokens.items[index];
    const char *end = comment->text + comment->len;
    Rest rest = {comment->text, end};
    skip(&rest, " \t*!/\r\n");
    if (take(&rest, "cudalint:")) {
        read_directive(reader, index, rest);
    } else {
        // A comment may hold another one: `// text // cudalint: allow(leak)`.
        for (const char *at = comment->text; at + 1 < end; at++) {
            if (at[0] != '/' || at[1] != '/') continue;
            Rest nested = {at + 2, end};
            skip(&nested, " \t");
            if (take(&nested, "cudalint:")) read_directive(reader, index, nested);
        }
    }
    read_nolints(reader, comment);
}

static void check_open(Reader *reader)
{
    for (uint32_t i = 0; i < reader->open.len; i++) {
        Suppression *begin = &reader->list.items.items[reader->open.items[i]];
        begin->last = begin->first; // nothing says how far it was to reach
        if (begin->is_for_all) continue;
        SuppressionError error = {.line = begin->line,
                                  .column = begin->column,
                                  .text = "nothing ends what this NOLINTBEGIN begins"};
        vec_push(reader->arena, &reader->list.errors, error);
    }
}

// Whether the file's text holds the word at all: most hold none.
static bool holds(const SourceFile *file, const char *word)
{
    size_t len = strlen(word);
    const char *end = file->text + file->len;
    for (const char *at = file->text; (size_t)(end - at) >= len; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - len + 1);
        if (at == NULL) return false;
        if (memcmp(at, word, len) == 0) return true;
    }
    return false;
}

SuppressionList suppression_list_read(Arena *arena, const SourceFile *file)
{
    Reader reader = {.arena = arena, .file = file};
    if (holds(file, "cudalint:") || holds(file, "NOLINT"))
        reader.tokens = token_list_read(arena, file);
    for (uint32_t i = 0; i < reader.tokens.len; i++)
        if (reader.tokens.items[i].kind == TOKEN_COMMENT) read_comment(&reader, i);
    check_open(&reader);
    return reader.list;
}

bool suppression_covers(const Suppression *suppression, const char *rule, uint32_t line)
{
    return line >= suppression->first && line <= suppression->last &&
           fnmatch(suppression->rule, rule, 0) == 0;
}
