// SPDX-License-Identifier: MIT
// emplace_back and its like: the container constructs an element from the arguments. That is written
// out: the element is made here, and the call puts it in.
#include "tu/tu_lower.h"

#include <string.h>

// The methods, and the number of the first argument that is for the element.
static const struct {
    const char *qualified;
    uint32_t first;
} emplacing[] = {
    {"std::vector::emplace_back", 0}, {"std::deque::emplace_back", 0},
    {"std::list::emplace_back", 0},   {"std::deque::emplace_front", 0},
    {"std::list::emplace_front", 0},  {"std::forward_list::emplace_front", 0},
    {"std::vector::emplace", 1},      {"std::deque::emplace", 1},
    {"std::list::emplace", 1},        {"std::stack::emplace", 0},
    {"std::queue::emplace", 0},       {"std::priority_queue::emplace", 0},
    {"std::set::emplace", 0},
};

static bool is_emplacing(Lower *lw, CXCursor function, uint32_t *first)
{
    if (!lw_is_kind(function, CXCursor_CXXMethod)) return false;
    if (!str_starts_with(lw_spelling(lw, function), "emplace")) return false;
    const char *qualified = lw_qualified(lw, function);
    for (size_t i = 0; i < sizeof emplacing / sizeof *emplacing; i++) {
        if (strcmp(qualified, emplacing[i].qualified) != 0) continue;
        *first = emplacing[i].first;
        return true;
    }
    return false;
}

typedef struct {
    CXCursor call;
    uint32_t first, count; // its arguments for the element
    CXCursor found;
    uint32_t constructors, matches;
} Choice;

// As far as can be seen without resolving overloads: objects for objects, scalars for scalars.
static bool fits(const Choice *choice, uint32_t index, CXType parameter)
{
    if (lw_is_reference(parameter)) parameter = lw_pointee(parameter);
    CXCursor value = clang_Cursor_getArgument(choice->call, choice->first + index);
    CXType type = lw_type_of(value);
    if (lw_is_synthetic(value)) return false;
    return lw_is_record(parameter) ? lw_is_same(type, lw_canonical(parameter))
                                   : !lw_is_record(type);
}

static bool see_constructor(void *context, CXCursor member)
{
    Choice *choice = context;
    if (!lw_is_kind(member, CXCursor_Constructor)) return true;
    if (clang_CXXConstructor_isCopyConstructor(member) ||
        clang_CXXConstructor_isMoveConstructor(member))
        return true;
    choice->constructors++;
    if (clang_Cursor_getNumArguments(member) != (int)choice->count) return true;
    CXType type = clang_getCanonicalType(clang_getCursorType(member));
    for (uint32_t i = 0; i < choice->count; i++)
        if (!fits(choice, i, clang_getCanonicalType(clang_getArgType(type, i)))) return true;
    choice->found = member;
    choice->matches++;
    return true;
}

static void call_constructor(Lower *lw, IrPlaceId element, const Choice *choice)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(choice->found));
    IrCall *made = lw_call_new(lw, lw_callee(lw, choice->found), choice->count + 1);
    for (uint32_t i = 0; i < choice->count; i++)
        made->args[i + 1] =
            lw_argument(lw, clang_Cursor_getArgument(choice->call, choice->first + i),
                        clang_getArgType(type, i));
    made->args[0] = lw_address(lw, element);
    lw_emit_call(lw, lw_loc(lw, choice->call), made);
}

// An aggregate: its fields in order, the others zeroed.
static bool fill_fields(Lower *lw, IrPlaceId element, const LwRecord *record, const Choice *choice)
{
    if (record->bases.len > 0 || choice->count > record->fields.len) return false;
    for (uint32_t i = 0; i < choice->count; i++)
        if (lw_is_array(record->fields.items[i].type) ||
            !fits(choice, i, record->fields.items[i].type))
            return false;
    for (uint32_t i = 0; i < record->fields.len; i++) {
        LwField field = record->fields.items[i];
        IrPlaceId place = lw_field(lw, element, field.name, lw_plain_type(lw, field.type));
        if (i < choice->count)
            lw_init(lw, place, field.type,
                    clang_Cursor_getArgument(choice->call, choice->first + i));
        else
            lw_value_initialize(lw, place, field.type, lw_loc(lw, choice->call));
    }
    return true;
}

// Makes the element; false: it is not known how.
static bool make_element(Lower *lw, IrPlaceId element, CXType type, Choice *choice)
{
    if (lw_tuple_size(lw, type) > 0)
        return lw_tuple_init(lw, element, type, choice->call, choice->first);
    LwRecord *record = lw_record(lw, type);
    if (lw_record_kind(lw, type) != IR_REC_USER || !lw_is_null(record->pattern)) return false;
    lw_record_members(lw, record, see_constructor, choice);
    if (choice->constructors == 0) return fill_fields(lw, element, record, choice);
    if (choice->matches != 1) return false;
    call_constructor(lw, element, choice);
    return true;
}

// Whatever it is made into may keep the arguments.
static void make_unknown(Lower *lw, IrPlaceId element, const Choice *choice)
{
    IrCall *made = lw_call_new(lw, IR_NONE, choice->count);
    CXType unknown = {.kind = CXType_Invalid};
    for (uint32_t i = 0; i < choice->count; i++)
        made->args[i] =
            lw_argument(lw, clang_Cursor_getArgument(choice->call, choice->first + i), unknown);
    made->target = lw_unknown(lw, lw_void_pointer(lw));
    made->dst = element;
    lw_emit_call(lw, lw_loc(lw, choice->call), made);
}

// Puts the element in. It is a temporary that the container moves from.
static LwOperand put_in(Lower *lw, CXCursor function, const Choice *choice, IrPlaceId element,
                        IrPlaceId dst)
{
    IrCall *made = lw_call_new(lw, lw_callee(lw, function), choice->first + 2);
    CXType signature = clang_getCanonicalType(clang_getCursorType(function));
    if (choice->first > 0)
        made->args[1] = lw_argument(lw, clang_Cursor_getArgument(choice->call, 0),
                                    clang_getArgType(signature, 0));
    IrPlaceId object = lw_call_object(lw, choice->call);
    made->args[0] =
        object == IR_NONE ? lw_unknown(lw, lw_void_pointer(lw)) : lw_address(lw, object);
    made->args[choice->first + 1] = lw_address(lw, element);
    return lw_call_finish(lw, lw_loc(lw, choice->call), made, clang_getResultType(signature), dst,
                          false);
}

bool lw_emplace_call(Lower *lw, CXCursor call, CXCursor function, IrPlaceId dst, LwOperand *result)
{
    uint32_t first;
    if (!is_emplacing(lw, function, &first)) return false;
    int given = clang_Cursor_getNumArguments(call);
    CXType type = lw_canonical(clang_Type_getTemplateArgumentAsType(
        lw_type_of(clang_getCursorSemanticParent(function)), 0));
    if (given <= (int)first || !lw_is_record(type)) return false;
    Choice choice = {.call = call, .first = first, .count = (uint32_t)given - first};
    bool is_copy = choice.count == 1 &&
                   lw_is_same(lw_type_of(clang_Cursor_getArgument(call, (unsigned)first)), type);
    if (is_copy || lw_is_unique_ptr(lw, type)) return false; // the container copies or moves it
    IrPlaceId element = lw_new_object(lw, type, lw_loc(lw, call));
    if (!make_element(lw, element, type, &choice)) make_unknown(lw, element, &choice);
    lw_push_var(lw, lw_place_at(lw, element)->var, type);
    *result = put_in(lw, function, &choice, element, dst);
    return true;
}
