// SPDX-License-Identifier: MIT
// std::pair and std::tuple: a part for each template argument. What makes them, assigns them and gets
// at their parts is seen through, so that each part is known to hold what it was given.
#include "tu/tu_lower.h"

#include <stdio.h>
#include <string.h>

static bool is_std(Lower *lw, CXCursor decl, const char *name)
{
    char qualified[64];
    if (strcmp(lw_spelling(lw, decl), name) != 0) return false;
    snprintf(qualified, sizeof qualified, "std::%s", name);
    return strcmp(lw_qualified(lw, decl), qualified) == 0;
}

static CXType part_type(CXType tuple, uint32_t index)
{
    return clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(lw_canonical(tuple), index));
}

// Parts that are references refer to what is elsewhere, and objects with a destructor are the
// library's to move.
uint32_t lw_tuple_size(Lower *lw, CXType type)
{
    if (!lw_is_record(type)) return 0;
    CXCursor decl = clang_getTypeDeclaration(lw_canonical(type));
    if (!is_std(lw, decl, "pair") && !is_std(lw, decl, "tuple")) return 0;
    int count = clang_Type_getNumTemplateArguments(lw_canonical(type));
    if (count < 1 || lw_needs_destroy(lw, type)) return 0;
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        CXType part = part_type(type, i);
        if (part.kind == CXType_Invalid || lw_is_reference(part)) return 0;
    }
    return (uint32_t)count;
}

IrPlaceId lw_tuple_part(Lower *lw, IrPlaceId object, CXType type, uint32_t index)
{
    bool is_pair = is_std(lw, clang_getTypeDeclaration(lw_canonical(type)), "pair");
    const char *name =
        is_pair ? index == 0 ? "first" : "second" : arena_printf(lw->arena, "#%u", (unsigned)index);
    return lw_field(lw, object, str_intern(lw->unit->strings, name),
                    lw_plain_type(lw, part_type(type, index)));
}

static void init_part(Lower *lw, IrPlaceId part, CXType type, CXCursor value)
{
    SrcLoc loc = lw_loc(lw, value);
    if (!lw_is_record(type)) {
        lw_initialize(lw, loc, part, lw_convert(lw, lw_value(lw, value), type));
    } else if (!lw_is_same(lw_type_of(value), lw_canonical(type))) {
        lw_effect(lw, value);
        lw_clobber(lw, loc, part);
    } else if (lw_is_prvalue(lw, value)) {
        lw_init(lw, part, type, value);
    } else {
        lw_copy(lw, part, lw_place(lw, value), type, false, false, loc);
    }
}

bool lw_tuple_init(Lower *lw, IrPlaceId dst, CXType type, CXCursor call, uint32_t first)
{
    uint32_t count = lw_tuple_size(lw, type);
    if (count == 0 || clang_Cursor_getNumArguments(call) != (int)(first + count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        CXCursor value = clang_Cursor_getArgument(call, first + i);
        bool is_plain = !lw_is_synthetic(value) &&
                        (lw_is_record(lw_type_of(value)) == lw_is_record(part_type(type, i)));
        if (!is_plain) return false;
    }
    for (uint32_t i = 0; i < count; i++)
        init_part(lw, lw_tuple_part(lw, dst, type, i), part_type(type, i),
                  clang_Cursor_getArgument(call, first + i));
    return true;
}

typedef struct {
    IrPlaceId place;
    CXType type;
} TupleObject;

// Part by part, where the types of the parts are others.
static void copy_parts(Lower *lw, TupleObject dst, TupleObject src, bool is_assignment, SrcLoc loc)
{
    uint32_t count = lw_tuple_size(lw, dst.type);
    for (uint32_t i = 0; i < count; i++) {
        CXType to = part_type(dst.type, i), from = part_type(src.type, i);
        IrPlaceId part = lw_tuple_part(lw, dst.place, dst.type, i);
        IrPlaceId source = lw_tuple_part(lw, src.place, src.type, i);
        if (lw_is_same(lw_canonical(to), lw_canonical(from))) {
            lw_copy(lw, part, source, to, false, is_assignment, loc);
        } else if (lw_is_record(to) || lw_is_record(from)) {
            lw_clobber(lw, loc, part);
        } else {
            IrExprId value = lw_convert(lw, lw_load(lw, source), to);
            if (is_assignment)
                lw_assign(lw, loc, part, value);
            else
                lw_initialize(lw, loc, part, value);
        }
    }
}

bool lw_tuple_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call)
{
    uint32_t count = lw_tuple_size(lw, type);
    if (count == 0) return false;
    if (clang_Cursor_getNumArguments(call) == 1) {
        CXCursor value = clang_Cursor_getArgument(call, 0);
        CXType from = lw_type_of(value);
        if (lw_tuple_size(lw, from) == count) {
            TupleObject to = {dst, type}, source = {lw_place(lw, value), from};
            copy_parts(lw, to, source, false, lw_loc(lw, call));
            return true;
        }
    }
    return lw_tuple_init(lw, dst, type, call, 0);
}

static bool make_tuple(Lower *lw, CXCursor call, IrPlaceId dst, LwOperand *result)
{
    CXType type = lw_canonical(clang_getCursorType(call));
    if (lw_tuple_size(lw, type) == 0) return false;
    bool in_place = dst != IR_NONE && lw_place_at(lw, dst)->type == lw_plain_type(lw, type);
    IrPlaceId object = in_place ? dst : lw_new_object(lw, type, lw_loc(lw, call));
    if (!lw_tuple_init(lw, object, type, call, 0)) return false;
    if (!in_place) lw_push_var(lw, lw_place_at(lw, object)->var, type);
    result->place = object;
    return true;
}

// std::get by number or by type.
static bool get(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    CXCursor object = clang_Cursor_getArgument(call, 0);
    CXType type = lw_type_of(object);
    uint32_t count = lw_tuple_size(lw, type), index = count;
    if (clang_Cursor_getNumArguments(call) != 1 || count == 0) return false;
    if (clang_Cursor_getTemplateArgumentKind(function, 0) == CXTemplateArgumentKind_Integral) {
        index = (uint32_t)clang_Cursor_getTemplateArgumentUnsignedValue(function, 0);
    } else {
        CXType wanted = lw_canonical(clang_Cursor_getTemplateArgumentType(function, 0));
        for (uint32_t i = 0; i < count; i++)
            if (lw_is_same(lw_canonical(part_type(type, i)), wanted)) index = i;
    }
    if (index >= count) return false;
    result->place = lw_tuple_part(lw, lw_place(lw, object), type, index);
    return true;
}

static bool assign(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    CXType type = lw_type_of(clang_getCursorSemanticParent(function));
    uint32_t count = lw_tuple_size(lw, type);
    if (count == 0 || clang_Cursor_getNumArguments(call) != 2) return false;
    CXCursor value = clang_Cursor_getArgument(call, 1);
    CXType from = lw_type_of(value);
    if (lw_tuple_size(lw, from) != count) return false;
    TupleObject src = {lw_place(lw, value), from};
    TupleObject dst = {lw_place(lw, clang_Cursor_getArgument(call, 0)), type};
    if (lw_is_same(from, type))
        lw_copy(lw, dst.place, src.place, type, false, true, lw_loc(lw, call));
    else
        copy_parts(lw, dst, src, true, lw_loc(lw, call));
    result->place = dst.place;
    return true;
}

bool lw_tuple_call(Lower *lw, CXCursor call, CXCursor function, IrPlaceId dst, LwOperand *result)
{
    if (strcmp(lw_spelling(lw, function), "operator=") == 0)
        return lw_is_kind(function, CXCursor_CXXMethod) && assign(lw, call, function, result);
    if (!lw_is_kind(function, CXCursor_FunctionDecl)) return false;
    if (is_std(lw, function, "make_pair") || is_std(lw, function, "make_tuple"))
        return make_tuple(lw, call, dst, result);
    return is_std(lw, function, "get") && get(lw, call, function, result);
}
