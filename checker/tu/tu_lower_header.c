// SPDX-License-Identifier: MIT
// Which optional parts of an `if` or `for` are present. Clang's tree leaves absent parts out
// without a trace, so the header's text is scanned for its semicolons; where the statement comes
// from a macro's body, types decide.
#include "tu/tu_lower.h"

#include <string.h>

enum { MAX_SEMICOLONS = 3 };

// The header as it stands in the file: offsets from the file's start.
typedef struct {
    bool is_known;
    bool is_constexpr;
    bool is_consteval, is_not_consteval; // if consteval, if !consteval
    uint32_t semicolons[MAX_SEMICOLONS];
    uint32_t semicolon_count;
    uint32_t close; // the matching parenthesis
} Header;

typedef struct {
    const char *text;
    size_t len, at;
} Scanner;

static void skip_quoted(Scanner *in, char quote)
{
    in->at++;
    while (in->at < in->len && in->text[in->at] != quote && in->text[in->at] != '\n') {
        if (in->text[in->at] == '\\') in->at++;
        in->at++;
    }
}

// Steps over a comment at the scanner; false: there is none.
static bool skip_comment(Scanner *in)
{
    if (in->text[in->at] != '/' || in->at + 1 >= in->len) return false;
    char next = in->text[in->at + 1];
    if (next == '/') {
        while (in->at < in->len && in->text[in->at] != '\n') in->at++;
        return true;
    }
    if (next != '*') return false;
    in->at += 2;
    while (in->at + 1 < in->len && (in->text[in->at] != '*' || in->text[in->at + 1] != '/'))
        in->at++;
    in->at++;
    return true;
}

// A quote between digits separates them (1'000).
static bool is_separator(const Scanner *in)
{
    if (in->at == 0 || in->at + 1 >= in->len) return false;
    char before = in->text[in->at - 1], after = in->text[in->at + 1];
    bool digit_before = (before >= '0' && before <= '9') || (before >= 'a' && before <= 'f');
    return digit_before && after >= '0' && after <= '9';
}

static Header scan_header(Lower *lw, CXCursor statement)
{
    Header header = {0};
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(statement));
    CXFile file, spelled_file;
    unsigned offset, spelled;
    clang_getExpansionLocation(start, &file, NULL, NULL, &offset);
    clang_getSpellingLocation(start, &spelled_file, NULL, NULL, &spelled);
    if (offset != spelled || !clang_File_isEqual(file, spelled_file)) return header;
    Scanner in = {.at = offset};
    in.text = tu_file_text(lw->ctx, file, &in.len);
    if (in.text == NULL) return header;
    int depth = 0;
    for (; in.at < in.len; in.at++) {
        if (skip_comment(&in)) continue;
        char c = in.text[in.at];
        if (depth == 0 && c == '!') header.is_not_consteval = true;
        if (depth == 0 && c == 'c' && in.len - in.at > 9 &&
            memcmp(in.text + in.at, "consteval", 9) == 0) {
            header.is_consteval = true;
            return header;
        }
        if (c == '"' || (c == '\'' && !is_separator(&in))) {
            skip_quoted(&in, c);
        } else if (c == '(' || c == '{' || c == '[') {
            depth++;
        } else if (c == ')' || c == '}' || c == ']') {
            if (--depth == 0) break;
        } else if (c == ';' && depth == 1 && header.semicolon_count < MAX_SEMICOLONS) {
            header.semicolons[header.semicolon_count++] = (uint32_t)in.at;
        } else if (depth == 0 && c == 'c' && in.len - in.at > 9 &&
                   memcmp(in.text + in.at, "constexpr", 9) == 0) {
            header.is_constexpr = true;
        }
    }
    header.is_known = depth == 0 && in.at < in.len;
    header.close = (uint32_t)in.at;
    return header;
}

// In which part of the header the child lies: 0, 1, 2 between semicolons; 3 behind the parenthesis.
static uint32_t slot_of(const Header *header, CXCursor child)
{
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(child)), NULL, NULL, NULL,
                               &offset);
    if (offset > header->close) return 3;
    uint32_t slot = 0;
    while (slot < header->semicolon_count && offset > header->semicolons[slot]) slot++;
    return slot;
}

static bool is_bool_expression(CXCursor cursor)
{
    return clang_isExpression(clang_getCursorKind(cursor)) && lw_is_bool(lw_type_of(cursor));
}

static LwHeader for_by_types(LwCursors parts, uint32_t count)
{
    CXCursor none = clang_getNullCursor();
    LwHeader out = {none, none, none, none, none, none, false, false};
    bool has_bool = false;
    for (uint32_t i = 0; i < count; i++)
        if (is_bool_expression(parts.items[i])) has_bool = true;
    for (uint32_t i = 0; i < count; i++) {
        CXCursor part = parts.items[i];
        if (lw_is_kind(part, CXCursor_DeclStmt))
            out.init = part;
        else if (lw_is_kind(part, CXCursor_VarDecl))
            out.variable = part;
        else if (lw_is_null(out.cond) && is_bool_expression(part))
            out.cond = part;
        else if (has_bool && lw_is_null(out.cond))
            out.init = part;
        else
            out.inc = part;
    }
    return out;
}

static LwHeader for_by_text(const Header *header, LwCursors parts, uint32_t count)
{
    CXCursor none = clang_getNullCursor();
    LwHeader out = {none, none, none, none, none, none, false, false};
    for (uint32_t i = 0; i < count; i++) {
        CXCursor part = parts.items[i];
        uint32_t slot = slot_of(header, part);
        if (slot == 0)
            out.init = part;
        else if (slot >= 2)
            out.inc = part;
        else if (lw_is_kind(part, CXCursor_VarDecl))
            out.variable = part;
        else
            out.cond = part;
    }
    return out;
}

LwHeader lw_header_for(Lower *lw, CXCursor statement)
{
    LwCursors parts = lw_children(lw, statement);
    uint32_t count = parts.count == 0 ? 0 : parts.count - 1;
    LwHeader out;
    if (count == 3 && !lw_is_kind(parts.items[1], CXCursor_VarDecl)) {
        CXCursor none = clang_getNullCursor();
        out = (LwHeader){parts.items[0], none, parts.items[1], parts.items[2],
                         none,           none, false,          false};
    } else {
        Header header = count == 0 ? (Header){0} : scan_header(lw, statement);
        bool by_text = header.is_known && header.semicolon_count == 2;
        out = by_text ? for_by_text(&header, parts, count) : for_by_types(parts, count);
    }
    out.body = parts.count == 0 ? clang_getNullCursor() : parts.items[parts.count - 1];
    return out;
}

LwHeader lw_header_if(Lower *lw, CXCursor statement)
{
    CXCursor none = clang_getNullCursor();
    LwHeader out = {none, none, none, none, none, none, false, false};
    LwCursors parts = lw_children(lw, statement);
    Header header = scan_header(lw, statement);
    out.is_constexpr = header.is_constexpr;
    if (header.is_consteval) {
        // At run time the other branch is taken.
        uint32_t taken = header.is_not_consteval ? 0 : 1;
        if (taken < parts.count) out.body = parts.items[taken];
        out.is_always = true;
        return out;
    }
    uint32_t at = 0;
    bool has_init = header.is_known && header.semicolon_count > 0;
    // In a macro's body: an init statement is a declaration, or an expression that is no condition
    // before one that is.
    if (!header.is_known && parts.count > 2) {
        bool is_declaration = lw_is_kind(parts.items[0], CXCursor_DeclStmt);
        has_init = is_declaration ||
                   (!lw_is_kind(parts.items[0], CXCursor_VarDecl) &&
                    !is_bool_expression(parts.items[0]) && is_bool_expression(parts.items[1]));
    }
    if (has_init && at < parts.count) out.init = parts.items[at++];
    if (at < parts.count && lw_is_kind(parts.items[at], CXCursor_VarDecl))
        out.variable = parts.items[at++];
    if (at < parts.count) out.cond = parts.items[at++];
    if (at < parts.count) out.body = parts.items[at++];
    if (at < parts.count) out.other = parts.items[at++];
    return out;
}
