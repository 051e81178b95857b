// SPDX-License-Identifier: MIT
// Helpers of the standard library that only pass their arguments on: seen through rather than
// called, so that moving or exchanging a pointer is visible as such.
#include "tu/tu_lower.h"

#include <string.h>

// The functions known here, by their names in namespace std (builtins: globally).
typedef enum { STD_TRANSPARENT, STD_ADDRESS, STD_EXCHANGE, STD_SWAP, STD_UNREACHABLE } StdHelper;

static const struct {
    const char *name, *qualified;
    StdHelper helper;
    int arg_count;
} std_helpers[] = {
    {"move", "std::move", STD_TRANSPARENT, 1},
    {"move_if_noexcept", "std::move_if_noexcept", STD_TRANSPARENT, 1},
    {"forward", "std::forward", STD_TRANSPARENT, 1},
    {"as_const", "std::as_const", STD_TRANSPARENT, 1},
    {"__builtin_expect", "__builtin_expect", STD_TRANSPARENT, 2},
    {"launder", "std::launder", STD_TRANSPARENT, 1},
    {"addressof", "std::addressof", STD_ADDRESS, 1},
    {"__addressof", "std::__addressof", STD_ADDRESS, 1},
    {"__builtin_addressof", "__builtin_addressof", STD_ADDRESS, 1},
    {"ref", "std::ref", STD_ADDRESS, 1},
    {"cref", "std::cref", STD_ADDRESS, 1},
    {"exchange", "std::exchange", STD_EXCHANGE, 2},
    {"swap", "std::swap", STD_SWAP, 2},
    {"__builtin_unreachable", "__builtin_unreachable", STD_UNREACHABLE, 0},
    {"unreachable", "std::unreachable", STD_UNREACHABLE, 0},
};

static bool is_scalar(CXType type)
{
    return !lw_is_record(type) && !lw_is_array(type) && !lw_is_reference(type);
}

static bool exchange(Lower *lw, CXCursor call, LwOperand *result)
{
    CXCursor target = clang_Cursor_getArgument(call, 0), value = clang_Cursor_getArgument(call, 1);
    CXType type = lw_type_of(target);
    if (!is_scalar(type)) return false;
    SrcLoc loc = lw_loc(lw, call);
    IrExprId stored = lw_convert(lw, lw_value(lw, value), type);
    IrPlaceId place = lw_place(lw, target);
    IrPlaceId before = lw_spill(lw, loc, lw_load(lw, place));
    lw_assign(lw, loc, place, stored);
    result->value = lw_load(lw, before);
    return true;
}

static bool swap(Lower *lw, CXCursor call)
{
    CXCursor first = clang_Cursor_getArgument(call, 0), second = clang_Cursor_getArgument(call, 1);
    CXType type = lw_type_of(first);
    if (!lw_is_same(type, lw_type_of(second))) return false;
    bool is_unique = lw_is_unique_ptr(lw, type);
    if (!is_scalar(type) && !is_unique) return false;
    IrPlaceId a = lw_place(lw, first), b = lw_place(lw, second);
    SrcLoc loc = lw_loc(lw, call);
    if (is_unique) {
        lw_unique_swap(lw, a, b, type, loc);
        return true;
    }
    IrPlaceId before = lw_spill(lw, loc, lw_load(lw, a));
    lw_assign(lw, loc, a, lw_load(lw, b));
    lw_assign(lw, loc, b, lw_load(lw, before));
    return true;
}

static void see_through(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    CXCursor argument = clang_Cursor_getArgument(call, 0);
    CXType returned = clang_getResultType(clang_getCanonicalType(clang_getCursorType(function)));
    if (lw_is_reference(returned))
        result->place = lw_place(lw, argument);
    else
        result->value = lw_value(lw, argument);
}

bool lw_std_call(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    if (!lw_is_kind(function, CXCursor_FunctionDecl)) return false;
    const char *name = lw_spelling(lw, function);
    int count = clang_Cursor_getNumArguments(call);
    for (size_t i = 0; i < sizeof std_helpers / sizeof *std_helpers; i++) {
        if (strcmp(name, std_helpers[i].name) != 0 || count != std_helpers[i].arg_count) continue;
        if (strcmp(lw_qualified(lw, function), std_helpers[i].qualified) != 0) continue;
        switch (std_helpers[i].helper) {
        case STD_TRANSPARENT:
            see_through(lw, call, function, result);
            return true;
        case STD_ADDRESS:
            result->value = lw_address(lw, lw_place(lw, clang_Cursor_getArgument(call, 0)));
            return true;
        case STD_EXCHANGE:
            return exchange(lw, call, result);
        case STD_SWAP:
            return swap(lw, call);
        case STD_UNREACHABLE:
            lw_unreachable(lw, lw_loc(lw, call));
            return true;
        }
    }
    return false;
}
