// SPDX-License-Identifier: MIT
// Sizes that run time computes: those of variable-length arrays, wherever such a type is written: in
// declarations, typedefs, casts and sizeof. Each is evaluated where it stands, outer sizes first.
#include "tu/tu_lower.h"

static bool is_variable(CXType type)
{
    for (;;) {
        type = clang_getCanonicalType(type);
        if (type.kind == CXType_VariableArray) return true;
        if (lw_is_array(type))
            type = clang_getArrayElementType(type);
        else if (lw_is_pointer(type) || lw_is_reference(type))
            type = clang_getPointeeType(type);
        else
            return false;
    }
}

// How many sizes are written in the type itself, at the end of its expressions; before them may stand
// the operand of decltype or typeof, which is not evaluated. UINT32_MAX: all of them, in a typeof that
// is itself of such a type, or where clang does not tell.
static uint32_t sizes_in(CXType type)
{
    uint32_t count = 0;
    while (type.kind == CXType_VariableArray || type.kind == CXType_ConstantArray ||
           type.kind == CXType_Pointer) {
        if (type.kind != CXType_Pointer) count++;
        type = type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                           : clang_getArrayElementType(type);
    }
    return type.kind == CXType_Unexposed && is_variable(type) ? UINT32_MAX : count;
}

static void evaluate(Lower *lw, CXCursor size)
{
    int64_t value;
    if (!lw_evaluate(size, &value)) lw_effect(lw, size);
}

void lw_sizes(Lower *lw, CXCursor holder, CXType type, CXCursor rest)
{
    if (!is_variable(type)) return;
    LwCursors parts = lw_operands(lw, holder);
    uint32_t end = parts.count;
    if (end > 0 && clang_equalCursors(parts.items[end - 1], rest)) end--;
    uint32_t count = sizes_in(type);
    uint32_t first = count < end ? end - count : 0;
    for (uint32_t i = end; i > first; i--) evaluate(lw, parts.items[i - 1]);
}

bool lw_sizeof_sizes(Lower *lw, CXCursor expr)
{
    // Clang shows the sizes of variable arrays twice, the operand of any other sizeof once.
    LwCursors parts = lw_operands(lw, expr);
    bool is_shown_twice = false;
    for (uint32_t i = 0; i < parts.count; i++) {
        bool is_new = true;
        for (uint32_t j = 0; j < i && is_new; j++)
            is_new = !clang_equalCursors(parts.items[i], parts.items[j]);
        is_shown_twice |= !is_new;
    }
    if (!is_shown_twice) return false;
    for (uint32_t i = 0; i < parts.count; i++) {
        bool is_last = true;
        for (uint32_t j = i + 1; j < parts.count && is_last; j++)
            is_last = !clang_equalCursors(parts.items[i], parts.items[j]);
        if (is_last) evaluate(lw, parts.items[i]);
    }
    return true;
}
