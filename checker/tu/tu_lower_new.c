// SPDX-License-Identifier: MIT
// new and delete expressions: allocation and construction, destruction and release, as separate
// instructions.
#include "tu/tu_lower.h"

#include <string.h>

// Clang does not tell `new T[n]` and `new (p) T` from `new T`: the text after `new` does.
typedef struct {
    bool is_placement;
    bool is_array;
} NewForm;

static size_t skip_blanks(const char *text, size_t at, size_t len)
{
    while (at < len && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' ||
                        text[at] == '\\' || text[at] == '\r'))
        at++;
    return at;
}

static size_t skip_parentheses(const char *text, size_t at, size_t len)
{
    int depth = 0;
    for (; at < len; at++) {
        if (text[at] == '(') depth++;
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return at;
}

static NewForm new_form(Lower *lw, CXCursor expr)
{
    NewForm form = {0};
    size_t len;
    const char *text = lw_text_at(lw, expr, &len);
    if (text == NULL) return form;
    size_t at = str_starts_with(text, "::") ? 2 : 0;
    at = skip_blanks(text, at, len);
    if (len - at < 3 || memcmp(text + at, "new", 3) != 0) return form;
    at = skip_blanks(text, at + 3, len);
    if (at < len && text[at] == '(') {
        size_t behind = skip_blanks(text, skip_parentheses(text, at, len), len);
        // `new (T)` without anything behind names the type; a placement is followed by it.
        bool names_type = behind < len &&
                          (text[behind] >= 'A' || text[behind] == ':' || text[behind] == '(') &&
                          text[behind] != ']' && text[behind] != '}';
        form.is_placement = names_type;
        if (names_type) at = behind;
    }
    int angles = 0;
    for (; at < len && text[at] != ';' && text[at] != '{' && text[at] != ','; at++) {
        if (text[at] == '<') angles++;
        if (text[at] == '>') angles--;
        if (angles > 0) continue;
        if (text[at] == '(' || text[at] == ')') break;
        if (text[at] == '[') {
            form.is_array = true;
            break;
        }
    }
    return form;
}

typedef struct {
    NewForm form;
    CXCursor size, init, placement; // null cursors where absent
} NewParts;

static bool is_initializer(CXCursor part, CXType object, bool is_array)
{
    if (lw_is_kind(part, CXCursor_InitListExpr)) return true;
    bool is_constructor = lw_is_kind(part, CXCursor_CallExpr) &&
                          lw_is_kind(clang_getCursorReferenced(part), CXCursor_Constructor);
    if (is_array) return is_constructor || lw_is_array(clang_getCursorType(part));
    if (lw_is_record(object)) return is_constructor || lw_is_record(lw_type_of(part));
    return true;
}

// The operands stand in the order placement arguments, size, initialiser.
static NewParts new_parts(Lower *lw, CXCursor expr, CXType object)
{
    CXCursor none = clang_getNullCursor();
    NewParts out = {.form = new_form(lw, expr), .size = none, .init = none, .placement = none};
    LwCursors parts = lw_operands(lw, expr);
    uint32_t at = 0, end = parts.count;
    if (out.form.is_placement && at < end) out.placement = parts.items[at++];
    if (at < end && is_initializer(parts.items[end - 1], object, out.form.is_array))
        out.init = parts.items[--end];
    if (out.form.is_array && at < end) out.size = parts.items[--end];
    for (; at < end; at++) lw_effect(lw, parts.items[at]); // further placement arguments
    return out;
}

static IrExprId allocated_bytes(Lower *lw, const NewParts *parts, CXType object)
{
    IrType size_type = lw_size_type(lw);
    IrExpr bytes = {.kind = IR_EX_SIZEOF,
                    .type = size_type,
                    .a = IR_NONE,
                    .b = IR_NONE,
                    .place = IR_NONE,
                    .callee = IR_NONE};
    bytes.sizeof_type = lw_plain_type(lw, object);
    long long size = clang_Type_getSizeOf(lw_canonical(object));
    bytes.value = size > 0 ? size : 0;
    IrExprId one = ir_expr(lw->unit, lw->fn, bytes);
    if (lw_is_null(parts->size)) return one;
    return ir_binary(lw->unit, lw->fn, IR_MUL, lw_value(lw, parts->size), one, size_type);
}

static IrPlaceId allocate(Lower *lw, CXCursor expr, const NewParts *parts, CXType object)
{
    SrcLoc loc = lw_loc(lw, expr);
    IrPlaceId result = lw_temp(lw, lw_plain_type(lw, clang_getCursorType(expr)), loc);
    bool is_pointer_placement = parts->form.is_placement && !lw_is_null(parts->placement) &&
                                lw_is_pointer(clang_getCursorType(parts->placement));
    if (is_pointer_placement) {
        IrExprId place = lw_value(lw, lw_pointer_origin(lw, parts->placement));
        lw_initialize(lw, loc, result, lw_convert(lw, place, clang_getCursorType(expr)));
        return result;
    }
    if (!lw_is_null(parts->placement)) lw_effect(lw, parts->placement); // std::nothrow
    IrCall *call = lw_call_new(
        lw, lw_named_callee(lw, parts->form.is_array ? "operator new[]" : "operator new"), 1);
    call->args[0] = allocated_bytes(lw, parts, object);
    call->dst = result;
    call->is_new = true;
    lw_emit_call(lw, loc, call);
    return result;
}

IrExprId lw_new(Lower *lw, CXCursor expr)
{
    CXType object = lw_pointee(clang_getCursorType(expr));
    NewParts parts = new_parts(lw, expr, object);
    IrPlaceId pointer = allocate(lw, expr, &parts, object);
    if (lw_is_null(parts.init)) return lw_load(lw, pointer);
    IrType type = lw_plain_type(lw, object);
    IrPlaceId target = lw_deref(lw, pointer, type);
    CXType init_type = lw_type_of(parts.init);
    if (!parts.form.is_array) {
        lw_init(lw, target, object, parts.init);
    } else if (lw_is_kind(parts.init, CXCursor_InitListExpr)) {
        LwCursors list = lw_operands(lw, parts.init);
        for (uint32_t i = 0; i < list.count; i++)
            lw_init(lw, lw_index(lw, target, lw_const(lw, i, lw_int_type(lw)), type), object,
                    list.items[i]);
    } else if (lw_is_array(init_type) || lw_is_record(object)) {
        IrPlaceId element = lw_index(lw, target, IR_NONE, type);
        CXCursor core = lw_strip(lw, parts.init);
        if (lw_is_kind(core, CXCursor_CallExpr))
            lw_construct(lw, element, object, core);
        else
            lw_zero(lw, element, object, lw_loc(lw, expr));
    } else {
        lw_zero(lw, lw_index(lw, target, IR_NONE, type), object, lw_loc(lw, expr)); // new T[n]()
    }
    return lw_load(lw, pointer);
}

void lw_delete_pointer(Lower *lw, IrExprId pointer, CXType type, bool is_array, SrcLoc loc)
{
    LwRecord *record = lw_record(lw, type);
    if (record != NULL && !is_array && lw_has_virtual_destructor(lw, record)) {
        IrCall *destroy = lw_call_new(lw, lw_destructor_callee(lw, type), 1);
        destroy->args[0] = pointer;
        destroy->is_implicit = true;
        destroy->is_virtual = true;
        lw_emit_call(lw, loc, destroy);
    } else if (lw_is_record(type) && lw_needs_destroy(lw, type)) {
        IrPlaceId object = lw_deref_value(lw, pointer, lw_plain_type(lw, type));
        if (is_array) object = lw_index(lw, object, IR_NONE, lw_plain_type(lw, type));
        lw_destroy(lw, object, type, loc);
    }
    IrCall *call =
        lw_call_new(lw, lw_named_callee(lw, is_array ? "operator delete[]" : "operator delete"), 1);
    call->args[0] = pointer;
    call->is_delete = true;
    lw_emit_call(lw, loc, call);
}

void lw_delete(Lower *lw, CXCursor expr)
{
    CXCursor operand = lw_operand_of(lw, expr);
    if (lw_is_null(operand)) return;
    size_t len;
    const char *text = lw_text_at(lw, expr, &len);
    bool is_array = false;
    if (text != NULL) {
        size_t at = text[0] == ':' ? 2 : 0;
        at = skip_blanks(text, at, len);
        if (len - at > 6 && memcmp(text + at, "delete", 6) == 0)
            at = skip_blanks(text, at + 6, len);
        is_array = at < len && text[at] == '[';
    }
    IrExprId pointer = lw_value(lw, operand);
    lw_delete_pointer(lw, pointer, lw_pointee(clang_getCursorType(operand)), is_array,
                      lw_loc(lw, expr));
}
