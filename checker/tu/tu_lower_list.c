// SPDX-License-Identifier: MIT
// Initialiser lists. Clang shows them as they were written (braces elided, members left out), so
// members are matched with list elements here, in the order of their declaration.
#include "tu/tu_lower.h"

// The elements of a list and how many have been used.
typedef struct {
    LwCursors list;
    uint32_t at;
} Elements;

static void init_elements(Lower *lw, IrPlaceId dst, CXType type, Elements *from);

// A class that a list fills member by member, rather than through a constructor.
static bool is_aggregate(Lower *lw, CXType type)
{
    LwRecord *record = lw_record(lw, type);
    if (record == NULL) return false;
    IrRecordKind kind = lw_record_kind(lw, type);
    if (kind == IR_REC_UNIQUE_PTR || record->is_closure) return false;
    return kind == IR_REC_USER || clang_isPODType(record->type);
}

static bool is_designator(CXCursor element)
{
    return lw_is_kind(element, CXCursor_UnexposedExpr) && lw_is_void(clang_getCursorType(element));
}

// Initialises one member from the next element, or from as many as it needs when its braces were
// left out.
static void take(Lower *lw, IrPlaceId dst, CXType type, Elements *from)
{
    CXCursor element = from->list.items[from->at];
    CXCursor core = lw_strip(lw, element);
    bool is_list = lw_is_kind(core, CXCursor_InitListExpr);
    bool is_string = lw_is_kind(core, CXCursor_StringLiteral) && lw_is_array(type);
    bool is_whole = is_list || is_string || lw_is_same(lw_type_of(element), lw_canonical(type));
    bool elides =
        !is_whole &&
        ((lw_is_array(type) && !lw_is_kind(core, CXCursor_CallExpr)) ||
         (lw_is_record(type) && is_aggregate(lw, type) && !lw_is_record(lw_type_of(core))));
    if (elides) {
        init_elements(lw, dst, type, from);
    } else {
        from->at++;
        lw_init(lw, dst, type, element);
    }
}

static void init_missing(Lower *lw, IrPlaceId object, LwField field, SrcLoc loc)
{
    IrPlaceId place = lw_field(lw, object, field.name, lw_plain_type(lw, field.type));
    CXCursor init = lw_field_init(lw, field.decl);
    if (!lw_is_null(init)) {
        SrcLoc pinned = lw->pinned;
        lw->pinned = loc;
        lw_init(lw, place, field.type, init);
        lw->pinned = pinned;
        return;
    }
    lw_value_initialize(lw, place, field.type, loc);
}

// std::array: its elements are the object's, as those of every container are, and how many is known.
static bool init_library_array(Lower *lw, IrPlaceId dst, CXType type, Elements *from)
{
    LwRecord *record = lw_record(lw, type);
    bool is_array = lw_record_kind(lw, type) == IR_REC_STD && record->bases.len == 0 &&
                    record->fields.len == 1 && lw_is_array(record->fields.items[0].type);
    if (!is_array || from->at == from->list.count) return false;
    CXType elements = record->fields.items[0].type;
    IrType size = lw_size_type(lw);
    long long extent = clang_getArraySize(clang_getCanonicalType(elements));
    take(lw, dst, elements, from);
    lw_initialize(lw, lw->loc, lw_field(lw, dst, "#size", size), lw_const(lw, extent, size));
    return true;
}

static void init_record_elements(Lower *lw, IrPlaceId dst, CXType type, Elements *from)
{
    if (init_library_array(lw, dst, type, from)) return;
    LwRecord *record = lw_record(lw, type);
    SrcLoc loc = lw->loc;
    bool is_union = lw->unit->records.items[lw_record_id(lw, type)].is_union;
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField base = record->bases.items[i];
        IrPlaceId place = lw_field(lw, dst, base.name, lw_plain_type(lw, base.type));
        if (from->at < from->list.count)
            take(lw, place, base.type, from);
        else
            lw_default_construct(lw, place, base.type, loc);
    }
    for (uint32_t i = 0; i < record->fields.len; i++) {
        if (is_union && i > 0) return;
        LwField field = record->fields.items[i];
        if (field.is_alternative) continue;
        IrPlaceId place = lw_field(lw, dst, field.name, lw_plain_type(lw, field.type));
        if (from->at < from->list.count)
            take(lw, place, field.type, from);
        else
            init_missing(lw, dst, field, loc);
    }
}

static void init_array_elements(Lower *lw, IrPlaceId dst, CXType type, Elements *from)
{
    CXType element = lw_element(type);
    long long extent = clang_getArraySize(clang_getCanonicalType(type));
    uint32_t given = from->list.count - from->at;
    bool is_short = lw_is_spelled_out(lw, type);
    if (!is_short && given > LW_MAX_ELEMENTS) {
        while (from->at < from->list.count) lw_effect(lw, from->list.items[from->at++]);
        lw_clobber(lw, lw->loc, dst);
        return;
    }
    if (!is_short) lw_zero(lw, dst, type, lw->loc);
    long long i = 0;
    for (; from->at < from->list.count && (extent < 0 || i < extent); i++)
        take(lw, lw_element_place(lw, dst, element, i), element, from);
    for (; is_short && i < extent; i++) {
        IrPlaceId place = lw_element_place(lw, dst, element, i);
        lw_value_initialize(lw, place, element, lw->loc);
    }
}

static void init_elements(Lower *lw, IrPlaceId dst, CXType type, Elements *from)
{
    if (lw_is_array(type))
        init_array_elements(lw, dst, type, from);
    else
        init_record_elements(lw, dst, type, from);
}

// `.a.b = v`, `[2] = v`: follows the designators. Returns the value's cursor.
static CXCursor designated(Lower *lw, CXCursor element, IrPlaceId *place, CXType *type)
{
    LwCursors parts = lw_children(lw, element);
    for (uint32_t i = 0; i + 1 < parts.count; i++) {
        CXCursor part = parts.items[i];
        if (lw_is_kind(part, CXCursor_MemberRef)) {
            *type = lw_type_of(clang_getCursorReferenced(part));
            *place = lw_field(lw, *place, lw_spelling(lw, part), lw_plain_type(lw, *type));
        } else if (clang_isExpression(clang_getCursorKind(part)) && lw_is_array(*type)) {
            *type = lw_element(*type);
            *place = lw_index(lw, *place, lw_value(lw, part), lw_plain_type(lw, *type));
        }
    }
    return parts.count == 0 ? clang_getNullCursor() : parts.items[parts.count - 1];
}

static bool is_designated(Lower *lw, LwCursors list, const char *field)
{
    for (uint32_t i = 0; i < list.count; i++) {
        if (!is_designator(list.items[i])) continue;
        LwCursors parts = lw_children(lw, list.items[i]);
        bool names_whole = parts.count == 2 && lw_is_kind(parts.items[0], CXCursor_MemberRef);
        if (names_whole && lw_spelling(lw, parts.items[0]) == field) return true;
    }
    return false;
}

// What the designators leave out.
static void init_others(Lower *lw, IrPlaceId dst, CXType type, LwCursors list)
{
    LwRecord *record = lw_record(lw, type);
    bool is_union = record != NULL && lw->unit->records.items[lw_record_id(lw, type)].is_union;
    if (record == NULL) lw_value_initialize(lw, dst, type, lw->loc);
    for (uint32_t i = 0; record != NULL && !is_union && i < record->fields.len; i++)
        if (!record->fields.items[i].is_alternative &&
            !is_designated(lw, list, record->fields.items[i].name))
            init_missing(lw, dst, record->fields.items[i], lw->loc);
}

// Which member or element of the whole a designated element begins with.
static uint32_t designated_index(Lower *lw, CXCursor element, CXType type)
{
    LwCursors parts = lw_children(lw, element);
    int64_t index = 0;
    if (parts.count == 0) return 0;
    if (lw_is_array(type))
        return lw_evaluate(parts.items[0], &index) && index >= 0 ? (uint32_t)index : 0;
    LwRecord *record = lw_record(lw, type);
    const char *name = lw_spelling(lw, parts.items[0]);
    for (uint32_t i = 0; record != NULL && i < record->fields.len; i++)
        if (record->fields.items[i].name == name) return i;
    return 0;
}

static bool nth_member(Lower *lw, uint32_t index, IrPlaceId *place, CXType *type)
{
    if (lw_is_array(*type)) {
        *type = lw_element(*type);
        *place = lw_element_place(lw, *place, *type, index);
        return true;
    }
    LwRecord *record = lw_record(lw, *type);
    if (record == NULL || index >= record->fields.len) return false;
    LwField field = record->fields.items[index];
    *type = field.type;
    *place = lw_field(lw, *place, field.name, lw_plain_type(lw, field.type));
    return true;
}

static void init_designated(Lower *lw, IrPlaceId dst, CXType type, LwCursors list)
{
    init_others(lw, dst, type, list);
    uint32_t next = 0; // the member that an element without designator is for (C)
    for (uint32_t i = 0; i < list.count; i++) {
        CXCursor element = list.items[i];
        IrPlaceId place = dst;
        CXType inner = lw_canonical(type);
        CXCursor value = element;
        if (is_designator(element))
            value = designated(lw, element, &place, &inner);
        else if (!nth_member(lw, next, &place, &inner))
            return;
        next = is_designator(element) ? designated_index(lw, element, type) + 1 : next + 1;
        if (!lw_is_null(value)) lw_init(lw, place, inner, value);
    }
}

void lw_init_list(Lower *lw, IrPlaceId dst, CXType type, CXCursor list)
{
    LwCursors elements = lw_operands(lw, list);
    lw->loc = lw_loc(lw, list);
    for (uint32_t i = 0; i < elements.count; i++) {
        if (!is_designator(elements.items[i])) continue;
        init_designated(lw, dst, type, elements);
        return;
    }
    Elements from = {.list = elements};
    if (lw_is_array(type)) {
        bool is_string = elements.count == 1 &&
                         lw_is_kind(lw_strip(lw, elements.items[0]), CXCursor_StringLiteral) &&
                         !lw_is_pointer(lw_element(type));
        if (is_string)
            lw_init(lw, dst, type, elements.items[0]);
        else
            init_array_elements(lw, dst, type, &from);
    } else if (lw_is_record(type)) {
        bool is_copy =
            elements.count == 1 && lw_is_same(lw_type_of(elements.items[0]), lw_canonical(type));
        if (is_copy)
            lw_init(lw, dst, type, elements.items[0]);
        else if (is_aggregate(lw, type))
            init_record_elements(lw, dst, type, &from);
        else if (elements.count == 0)
            lw_default_construct(lw, dst, type, lw->loc);
        else {
            for (uint32_t i = 0; i < elements.count; i++)
                lw_store(lw,
                         lw_index(lw, dst, lw_const(lw, i, lw_int_type(lw)),
                                  lw_plain_type(lw, lw_type_of(elements.items[i]))),
                         lw_type_of(elements.items[i]), elements.items[i]);
        }
    } else if (elements.count == 0) {
        lw_zero(lw, dst, type, lw->loc);
    } else {
        lw_init(lw, dst, type, elements.items[0]);
    }
}
