// SPDX-License-Identifier: MIT
// Syntax helpers of lowering: children, stripping of implicit nodes, locations, source text. They
// read clang's tree and emit nothing.
#include "tu/tu_lower.h"

#include <string.h>

typedef struct {
    CXCursor *items;
    uint32_t len, cap;
    Arena *arena;
    bool only_expressions;
} Collector;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Collector *out = data;
    if (out->only_expressions && !clang_isExpression(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    if (out->len == out->cap) {
        uint32_t cap = out->cap * 4;
        CXCursor *grown = ARENA_ARRAY(out->arena, CXCursor, cap);
        memcpy(grown, out->items, sizeof *grown * out->len);
        out->items = grown;
        out->cap = cap;
    }
    out->items[out->len++] = cursor;
    return CXChildVisit_Continue;
}

static LwCursors gather(Lower *lw, CXCursor cursor, bool only_expressions)
{
    CXCursor few[4];
    Collector out = {
        .items = few, .cap = 4, .arena = lw->nodes, .only_expressions = only_expressions};
    clang_visitChildren(cursor, collect, &out);
    if (out.items == few) {
        out.items = ARENA_ARRAY(lw->nodes, CXCursor, out.len == 0 ? 1 : out.len);
        memcpy(out.items, few, sizeof *few * out.len);
    }
    return (LwCursors){.items = out.items, .count = out.len};
}

LwCursors lw_children(Lower *lw, CXCursor cursor)
{
    return gather(lw, cursor, false);
}

LwCursors lw_operands(Lower *lw, CXCursor cursor)
{
    return gather(lw, cursor, true);
}

// The last operand and how many there are, without allocating.
typedef struct {
    CXCursor last;
    uint32_t count;
} LastOperand;

static enum CXChildVisitResult keep_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    LastOperand *out = data;
    if (clang_isExpression(clang_getCursorKind(cursor))) {
        out->last = cursor;
        out->count++;
    }
    return CXChildVisit_Continue;
}

static LastOperand last_operand(CXCursor cursor)
{
    LastOperand out = {.last = clang_getNullCursor()};
    clang_visitChildren(cursor, keep_last, &out);
    return out;
}

CXCursor lw_operand_of(Lower *lw, CXCursor cursor)
{
    (void)lw;
    return last_operand(cursor).last;
}

bool lw_is_null(CXCursor cursor)
{
    return clang_Cursor_isNull(cursor) != 0;
}

bool lw_is_kind(CXCursor cursor, enum CXCursorKind kind)
{
    return clang_getCursorKind(cursor) == kind;
}

bool lw_is_synthetic(CXCursor cursor)
{
    return clang_Range_isNull(clang_getCursorExtent(cursor)) != 0;
}

// Before C++17 a copy that the compiler leaves out shows as a call without a callee.
static bool is_elided_copy(CXCursor call)
{
    if (clang_Cursor_getNumArguments(call) != 1 || !lw_is_record(clang_getCursorType(call)))
        return false;
    if (!lw_is_null(clang_getCursorReferenced(call))) return false;
    return lw_is_same(lw_type_of(call), lw_type_of(clang_Cursor_getArgument(call, 0)));
}

CXCursor lw_strip(Lower *lw, CXCursor cursor)
{
    (void)lw;
    for (;;) {
        if (lw_is_kind(cursor, CXCursor_CallExpr) && is_elided_copy(cursor)) {
            cursor = clang_Cursor_getArgument(cursor, 0);
            continue;
        }
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        bool is_extension = kind == CXCursor_UnaryOperator &&
                            clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Extension;
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr && !is_extension)
            return cursor;
        LastOperand inner = last_operand(cursor);
        if (inner.count != 1) return cursor;
        if (kind == CXCursor_UnexposedExpr &&
            !lw_is_same(lw_type_of(cursor), lw_type_of(inner.last)))
            return cursor;
        cursor = inner.last;
    }
}

static bool is_cast(enum CXCursorKind kind)
{
    return kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
           kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CXXConstCastExpr ||
           kind == CXCursor_CXXFunctionalCastExpr || kind == CXCursor_CXXDynamicCastExpr;
}

CXCursor lw_strip_casts(Lower *lw, CXCursor cursor)
{
    (void)lw;
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        LastOperand inner = {.last = clang_getNullCursor()};
        if (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr)
            inner = last_operand(cursor);
        if (inner.count > 1) return cursor;
        if (is_cast(kind)) inner.last = last_operand(cursor).last;
        if (lw_is_null(inner.last)) return cursor;
        cursor = inner.last;
    }
}

CXCursor lw_pointer_origin(Lower *lw, CXCursor cursor)
{
    while (lw_is_kind(cursor, CXCursor_UnexposedExpr)) {
        CXCursor inner = lw_operand_of(lw, cursor);
        if (lw_is_null(inner) || !lw_is_pointer(clang_getCursorType(inner))) break;
        cursor = inner;
    }
    return cursor;
}

SrcLoc lw_loc(Lower *lw, CXCursor cursor)
{
    if (loc_is_valid(lw->pinned)) return lw->pinned;
    SrcLoc loc = tu_loc(lw->ctx, cursor);
    return loc_is_valid(loc) ? loc : lw->loc;
}

const char *lw_text_at(Lower *lw, CXCursor cursor, size_t *len)
{
    CXFile file;
    unsigned offset;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL, NULL,
                              &offset);
    size_t size = 0;
    const char *text = tu_file_text(lw->ctx, file, &size);
    if (text == NULL || offset >= size) return NULL;
    *len = size - offset;
    return text + offset;
}

const char *lw_spelling(Lower *lw, CXCursor cursor)
{
    return tu_str(lw->ctx, clang_getCursorSpelling(cursor));
}

bool lw_evaluate(CXCursor cursor, int64_t *value)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (result == NULL) return false;
    bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_int) {
        *value = clang_EvalResult_isUnsignedInt(result)
                     ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                     : (int64_t)clang_EvalResult_getAsLongLong(result);
    }
    clang_EvalResult_dispose(result);
    return is_int;
}

bool lw_extent_has(Lower *lw, CXCursor cursor, const char *what)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file, end_file;
    unsigned start, end;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, NULL, NULL, &start);
    clang_getSpellingLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &end);
    size_t size = 0;
    const char *text = tu_file_text(lw->ctx, file, &size);
    if (text == NULL || start >= size) return false;
    // An extent that leaves a macro's body has no end there: look a little further than a word.
    size_t limit = clang_File_isEqual(file, end_file) && end > start ? end : start + 64;
    if (limit > size) limit = size;
    size_t len = strlen(what);
    for (size_t i = start; i + len <= limit; i++)
        if (memcmp(text + i, what, len) == 0) return true;
    return false;
}
