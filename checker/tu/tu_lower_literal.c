// SPDX-License-Identifier: MIT
// Literals and sizeof: values that are in the source.
#include "tu/tu_lower.h"

#include <string.h>

// The characters between the quotes, escapes as written.
static const char *string_text(Lower *lw, CXCursor expr)
{
    const char *spelling = lw_spelling(lw, expr);
    const char *open = strchr(spelling, '"');
    const char *close = strrchr(spelling, '"');
    if (open == NULL || close <= open) return spelling;
    return str_intern_n(lw->unit->strings, open + 1, (size_t)(close - open - 1));
}

// In decimal, so that equal numbers have equal texts however they are written; NULL: not known.
static const char *float_text(Lower *lw, CXCursor expr)
{
    CXEvalResult result = clang_Cursor_Evaluate(expr);
    if (result == NULL) return NULL;
    bool is_float = clang_EvalResult_getKind(result) == CXEval_Float;
    double value = is_float ? clang_EvalResult_getAsDouble(result) : 0;
    clang_EvalResult_dispose(result);
    return is_float ? str_intern(lw->unit->strings, arena_printf(lw->arena, "%.17g", value)) : NULL;
}

IrExprId lw_literal(Lower *lw, CXCursor expr)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    int64_t value = 0;
    switch (clang_getCursorKind(expr)) {
    case CXCursor_StringLiteral: {
        IrExpr string = ir_blank_expr(IR_EX_STRING, type);
        string.text = string_text(lw, expr);
        return ir_expr(lw->unit, lw->fn, string);
    }
    case CXCursor_FloatingLiteral:
    case CXCursor_FixedPointLiteral: {
        IrExpr number = ir_blank_expr(IR_EX_FLOAT, type);
        number.text = float_text(lw, expr);
        return ir_expr(lw->unit, lw->fn, number);
    }
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return lw_const(lw, 0, type);
    case CXCursor_ImaginaryLiteral:
        return lw_unknown(lw, type);
    default:
        return lw_evaluate(expr, &value) ? lw_const(lw, value, type) : lw_unknown(lw, type);
    }
}

// ---- sizeof -------------------------------------------------------------------------------------

// The text between the parentheses; NULL when it has none of its own.
static const char *operand_text(Lower *lw, CXCursor expr, size_t *len)
{
    size_t size;
    const char *text = lw_text_at(lw, expr, &size);
    if (text == NULL) return NULL;
    const char *open = memchr(text, '(', size < 32 ? size : 32);
    if (open == NULL) return NULL;
    size_t left = size - (size_t)(open - text);
    int depth = 0;
    for (size_t i = 0; i < left; i++) {
        if (open[i] == '(') depth++;
        if (open[i] == ')' && --depth == 0) {
            *len = i - 1;
            return open + 1;
        }
        if (open[i] == ';' || open[i] == '{') return NULL;
    }
    return NULL;
}

// Types that are keywords, by how they may be written; clang names none of them in the tree.
static const struct {
    const char *text, *canonical;
    IrTypeKind kind;
    uint8_t size;
} builtin_types[] = {
    {"void", "void", IR_TY_VOID, 0},
    {"bool", "bool", IR_TY_BOOL, 1},
    {"_Bool", "_Bool", IR_TY_BOOL, 1},
    {"char", "char", IR_TY_INT, 1},
    {"signed char", "signed char", IR_TY_INT, 1},
    {"unsigned char", "unsigned char", IR_TY_INT, 1},
    {"short", "short", IR_TY_INT, 2},
    {"short int", "short", IR_TY_INT, 2},
    {"unsigned short", "unsigned short", IR_TY_INT, 2},
    {"unsigned short int", "unsigned short", IR_TY_INT, 2},
    {"int", "int", IR_TY_INT, 4},
    {"signed", "int", IR_TY_INT, 4},
    {"signed int", "int", IR_TY_INT, 4},
    {"unsigned", "unsigned int", IR_TY_INT, 4},
    {"unsigned int", "unsigned int", IR_TY_INT, 4},
    {"long", "long", IR_TY_INT, 8},
    {"long int", "long", IR_TY_INT, 8},
    {"unsigned long", "unsigned long", IR_TY_INT, 8},
    {"unsigned long int", "unsigned long", IR_TY_INT, 8},
    {"long long", "long long", IR_TY_INT, 8},
    {"long long int", "long long", IR_TY_INT, 8},
    {"unsigned long long", "unsigned long long", IR_TY_INT, 8},
    {"unsigned long long int", "unsigned long long", IR_TY_INT, 8},
    {"float", "float", IR_TY_FLOAT, 4},
    {"double", "double", IR_TY_FLOAT, 8},
    {"long double", "long double", IR_TY_FLOAT, 16},
};

static IrType named_type(Lower *lw, const char *name, uint64_t size)
{
    IrTypeInfo info = {.kind = IR_TY_OTHER,
                       .pointee = IR_NONE,
                       .record = IR_NONE,
                       .extent = -1,
                       .size = size,
                       .name = name};
    for (size_t i = 0; i < sizeof builtin_types / sizeof *builtin_types; i++) {
        if (strcmp(builtin_types[i].text, name) != 0) continue;
        info.kind = builtin_types[i].kind;
        info.name = builtin_types[i].canonical;
        info.size = builtin_types[i].size;
        info.is_unsigned = info.kind == IR_TY_INT && str_starts_with(info.name, "unsigned");
    }
    return ir_type_add(lw->unit, info);
}

static enum CXChildVisitResult find_type_reference(CXCursor cursor, CXCursor parent,
                                                   CXClientData data)
{
    (void)parent;
    if (lw_is_kind(cursor, CXCursor_TypeRef)) *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

// The type operand as far as tree and text tell it: clang names classes and typedefs only.
static IrType type_operand(Lower *lw, CXCursor expr, uint64_t size)
{
    CXCursor reference = clang_getNullCursor();
    clang_visitChildren(expr, find_type_reference, &reference);
    size_t len = 0;
    const char *text = operand_text(lw, expr, &len);
    uint32_t stars = 0;
    while (text != NULL && len > 0 && (text[len - 1] == '*' || text[len - 1] == ' ')) {
        if (text[len - 1] == '*') stars++;
        len--;
    }
    IrType type;
    CXType named = clang_getCanonicalType(clang_getCursorType(reference));
    if (!lw_is_null(reference) && named.kind != CXType_Invalid && named.kind != CXType_Unexposed) {
        type = lw_plain_type(lw, named);
    } else {
        while (text != NULL && len > 0 && *text == ' ') text++, len--;
        if (text != NULL && len > 6 && memcmp(text, "const ", 6) == 0) text += 6, len -= 6;
        const char *name = text == NULL ? "?" : str_intern_n(lw->unit->strings, text, len);
        type = named_type(lw, name, stars == 0 ? size : 0);
    }
    for (; stars > 0; stars--) type = lw_pointer_to(lw, type);
    return type;
}

IrExprId lw_sizeof(Lower *lw, CXCursor expr)
{
    IrType type = lw_plain_type(lw, clang_getCursorType(expr));
    int64_t value = 0;
    bool is_constant = lw_evaluate(expr, &value);
    size_t len;
    const char *text = lw_text_at(lw, expr, &len);
    bool is_sizeof = text != NULL && len > 6 && memcmp(text, "sizeof", 6) == 0;
    if (!is_sizeof) return is_constant ? lw_const(lw, value, type) : lw_unknown(lw, type);
    if (!is_constant && lw_sizeof_sizes(lw, expr)) return lw_unknown(lw, type);
    IrExpr result = ir_blank_expr(IR_EX_SIZEOF, type);
    result.value = is_constant ? value : 0;
    CXCursor operand = lw_operand_of(lw, expr);
    if (lw_is_null(operand)) {
        result.sizeof_type = type_operand(lw, expr, (uint64_t)result.value);
        return ir_expr(lw->unit, lw->fn, result);
    }
    result.sizeof_type = lw_plain_type(lw, clang_getCursorType(operand));
    // The operand is not evaluated: only what has no side effects is worth keeping.
    CXCursor core = lw_strip(lw, operand);
    bool is_simple =
        lw_is_kind(core, CXCursor_DeclRefExpr) || lw_is_kind(core, CXCursor_MemberRefExpr);
    if (is_simple) {
        IrBlockId saved = lw->block;
        lw->block = lw_block(lw); // nothing that naming it emits is kept
        result.a = lw_value(lw, core);
        lw->block = saved;
    }
    return ir_expr(lw->unit, lw->fn, result);
}
