// SPDX-License-Identifier: MIT
// std::unique_ptr, spelled out: the object is its pointer "#ptr" (and "#del", the deleter, where it
// has state), its members are loads and stores of them, and the deleter is called where the
// standard says so.
#include "tu/tu_lower.h"

#include <string.h>

static enum CXChildVisitResult see_pointer_alias(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    bool is_alias =
        lw_is_kind(cursor, CXCursor_TypedefDecl) || lw_is_kind(cursor, CXCursor_TypeAliasDecl);
    if (!is_alias) return CXChildVisit_Continue;
    CXString spelling = clang_getCursorSpelling(cursor);
    bool is_pointer = strcmp(clang_getCString(spelling), "pointer") == 0;
    clang_disposeString(spelling);
    if (is_pointer) *(CXType *)data = lw_canonical(clang_getTypedefDeclUnderlyingType(cursor));
    return CXChildVisit_Continue;
}

// What "#ptr" holds: T *, or the deleter's own `pointer` type.
static IrType pointer_type(Lower *lw, const LwRecord *record)
{
    CXType alias = {.kind = CXType_Invalid};
    if (lw_is_record(record->deleter)) {
        LwRecord *deleter = lw_record(lw, record->deleter);
        if (lw_record_kind(lw, record->deleter) == IR_REC_USER)
            clang_visitChildren(deleter->decl, see_pointer_alias, &alias);
    }
    if (alias.kind != CXType_Invalid) return lw_plain_type(lw, alias);
    return lw_pointer_to(lw, lw_plain_type(lw, record->element));
}

IrPlaceId lw_unique_ptr(Lower *lw, IrPlaceId place, CXType type)
{
    return lw_field(lw, place, "#ptr", pointer_type(lw, lw_record(lw, type)));
}

static IrPlaceId deleter_place(Lower *lw, IrPlaceId place, CXType type)
{
    return lw_field(lw, place, "#del", lw_plain_type(lw, lw_record(lw, type)->deleter));
}

static bool has_function_deleter(Lower *lw, CXType type)
{
    return lw_is_pointer(lw_record(lw, type)->deleter);
}

static bool is_default_delete(Lower *lw, CXType deleter)
{
    LwRecord *record = lw_record(lw, deleter);
    return record != NULL && lw_record_kind(lw, deleter) == IR_REC_STD &&
           strcmp(lw_spelling(lw, record->decl), "default_delete") == 0;
}

static bool is_array_pointer(CXType type)
{
    return lw_is_array(
        clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(lw_canonical(type), 0)));
}

static void call_deleter(Lower *lw, IrPlaceId place, CXType type, IrExprId pointer, SrcLoc loc)
{
    LwRecord *record = lw_record(lw, type);
    if (is_default_delete(lw, record->deleter)) {
        lw_delete_pointer(lw, pointer, record->element, is_array_pointer(type), loc);
        return;
    }
    IrPlaceId deleter = deleter_place(lw, place, type);
    LwRecord *functor = lw_record(lw, record->deleter);
    CXCursor method =
        functor == NULL ? clang_getNullCursor() : lw_find_method(lw, functor, "operator()");
    IrCall *call;
    if (lw_is_null(method)) {
        call = lw_call_new(lw, IR_NONE, 1);
        call->target = functor == NULL ? lw_load(lw, deleter) : lw_unknown(lw, lw_void_pointer(lw));
        call->args[0] = pointer;
    } else {
        call = lw_call_new(lw, lw_callee(lw, method), 2);
        call->args[0] = lw_address(lw, deleter);
        call->args[1] = pointer;
    }
    call->is_implicit = true;
    lw_emit_nothrow_call(lw, loc, call); // reset and the destructor are noexcept
}

// if (pointer) deleter(pointer)
static void delete_if_set(Lower *lw, IrPlaceId place, CXType type, IrExprId pointer, SrcLoc loc)
{
    IrBlockId owned = lw_block(lw), done = lw_block(lw);
    lw_branch(lw, loc, pointer, (LwBranch){.yes = owned, .no = done, .kind = IR_BR_SYNTHETIC});
    lw_enter(lw, owned);
    call_deleter(lw, place, type, pointer, loc);
    lw_jump(lw, loc, done);
    lw_enter(lw, done);
}

void lw_unique_destroy(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc)
{
    delete_if_set(lw, place, type, lw_load(lw, lw_unique_ptr(lw, place, type)), loc);
}

static void reset(Lower *lw, IrPlaceId place, CXType type, IrExprId value, SrcLoc loc)
{
    IrPlaceId pointer = lw_unique_ptr(lw, place, type);
    IrPlaceId before = lw_spill(lw, loc, lw_load(lw, pointer));
    lw_assign(lw, loc, pointer, value);
    delete_if_set(lw, place, type, lw_load(lw, before), loc);
}

static IrExprId release(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc)
{
    IrPlaceId pointer = lw_unique_ptr(lw, place, type);
    IrPlaceId before = lw_spill(lw, loc, lw_load(lw, pointer));
    lw_assign(lw, loc, pointer, lw_const(lw, 0, lw_place_at(lw, pointer)->type));
    return lw_load(lw, before);
}

static void move_from(Lower *lw, IrPlaceId dst, CXType type, IrPlaceId src, CXType src_type,
                      bool is_assignment, SrcLoc loc)
{
    IrExprId taken = release(lw, src, src_type, loc);
    IrPlaceId pointer = lw_unique_ptr(lw, dst, type);
    if (lw_expr(lw, taken)->type != lw_place_at(lw, pointer)->type)
        taken = ir_cast(lw->unit, lw->fn, taken, lw_place_at(lw, pointer)->type);
    if (is_assignment)
        reset(lw, dst, type, taken, loc);
    else
        lw_initialize(lw, loc, pointer, taken);
    if (has_function_deleter(lw, type) && has_function_deleter(lw, src_type))
        lw_assign(lw, loc, deleter_place(lw, dst, type),
                  lw_load(lw, deleter_place(lw, src, src_type)));
}

void lw_unique_move(Lower *lw, IrPlaceId dst, IrPlaceId src, CXType type, bool is_assignment,
                    SrcLoc loc)
{
    move_from(lw, dst, type, src, type, is_assignment, loc);
}

static void swap_places(Lower *lw, IrPlaceId a, IrPlaceId b, SrcLoc loc)
{
    IrPlaceId before = lw_spill(lw, loc, lw_load(lw, a));
    lw_assign(lw, loc, a, lw_load(lw, b));
    lw_assign(lw, loc, b, lw_load(lw, before));
}

void lw_unique_swap(Lower *lw, IrPlaceId a, IrPlaceId b, CXType type, SrcLoc loc)
{
    swap_places(lw, lw_unique_ptr(lw, a, type), lw_unique_ptr(lw, b, type), loc);
    if (has_function_deleter(lw, type))
        swap_places(lw, deleter_place(lw, a, type), deleter_place(lw, b, type), loc);
}

// ---- constructors -------------------------------------------------------------------------------

static IrExprId pointer_value(Lower *lw, CXCursor argument, IrType type)
{
    IrExprId value = lw_value(lw, argument);
    return lw_expr(lw, value)->type == type ? value : ir_cast(lw->unit, lw->fn, value, type);
}

static void store_deleter(Lower *lw, IrPlaceId dst, CXType type, CXCursor argument, SrcLoc loc)
{
    IrPlaceId deleter = deleter_place(lw, dst, type);
    CXType deleter_type = lw_record(lw, type)->deleter;
    if (!lw_is_record(deleter_type)) {
        lw_initialize(lw, loc, deleter, lw_value(lw, argument));
        return;
    }
    lw_init(lw, deleter, deleter_type, argument);
}

void lw_unique_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call)
{
    SrcLoc loc = lw_loc(lw, call);
    IrPlaceId pointer = lw_unique_ptr(lw, dst, type);
    IrType held = lw_place_at(lw, pointer)->type;
    int count = clang_Cursor_getNumArguments(call);
    while (count > 0 && lw_is_synthetic(clang_Cursor_getArgument(call, (unsigned)count - 1)))
        count--;
    if (count <= 0) {
        lw_initialize(lw, loc, pointer, lw_const(lw, 0, held));
        return;
    }
    CXCursor first = clang_Cursor_getArgument(call, 0);
    CXType from = lw_type_of(first);
    if (lw_is_unique_ptr(lw, from)) {
        bool is_made_here = lw_is_prvalue(lw, first) && lw_is_same(from, lw_canonical(type));
        if (is_made_here)
            lw_init(lw, dst, type, first);
        else
            move_from(lw, dst, type, lw_place(lw, first), from, false, loc);
        return;
    }
    lw_initialize(lw, loc, pointer, pointer_value(lw, first, held));
    if (count > 1) store_deleter(lw, dst, type, clang_Cursor_getArgument(call, 1), loc);
}

// ---- members ------------------------------------------------------------------------------------

static void assign(Lower *lw, IrPlaceId place, CXType type, CXCursor argument, SrcLoc loc)
{
    CXType from = lw_type_of(argument);
    if (!lw_is_unique_ptr(lw, from)) {
        reset(lw, place, type,
              lw_const(lw, 0, lw_place_at(lw, lw_unique_ptr(lw, place, type))->type), loc);
        return;
    }
    IrPlaceId src;
    if (lw_is_prvalue(lw, argument)) {
        src = lw_new_object(lw, from, loc); // emptied at once: nothing to destroy
        lw_init(lw, src, from, argument);
    } else {
        src = lw_place(lw, argument);
    }
    move_from(lw, place, type, src, from, true, loc);
}

static IrPlaceId object_place(Lower *lw, CXCursor call, CXType type)
{
    IrPlaceId object = lw_call_object(lw, call);
    return object != IR_NONE ? object : lw_new_object(lw, type, lw_loc(lw, call));
}

static bool member_call(Lower *lw, CXCursor call, CXType type, const char *name, LwOperand *result)
{
    SrcLoc loc = lw_loc(lw, call);
    LwRecord *record = lw_record(lw, type);
    IrType element = lw_plain_type(lw, record->element);
    IrPlaceId place = object_place(lw, call, type);
    IrPlaceId pointer = lw_unique_ptr(lw, place, type);
    IrType held = lw_place_at(lw, pointer)->type;
    int count = clang_Cursor_getNumArguments(call);
    CXCursor last =
        count > 0 ? clang_Cursor_getArgument(call, (unsigned)count - 1) : clang_getNullCursor();
    if (strcmp(name, "get") == 0 || strcmp(name, "operator->") == 0) {
        result->value = lw_load(lw, pointer);
    } else if (strcmp(name, "operator bool") == 0) {
        result->value = ir_cast(lw->unit, lw->fn, lw_load(lw, pointer), lw_bool_type(lw));
    } else if (strcmp(name, "operator*") == 0) {
        result->place = lw_deref(lw, pointer, element);
    } else if (strcmp(name, "operator[]") == 0) {
        result->place = lw_index_value(lw, lw_load(lw, pointer), lw_value(lw, last), element);
    } else if (strcmp(name, "release") == 0) {
        result->value = release(lw, place, type, loc);
    } else if (strcmp(name, "reset") == 0) {
        bool is_empty = lw_is_null(last) || lw_is_synthetic(last);
        reset(lw, place, type, is_empty ? lw_const(lw, 0, held) : pointer_value(lw, last, held),
              loc);
    } else if (strcmp(name, "swap") == 0) {
        lw_unique_swap(lw, place, lw_place(lw, last), type, loc);
    } else if (strcmp(name, "get_deleter") == 0) {
        result->place = deleter_place(lw, place, type);
    } else if (strcmp(name, "operator=") == 0) {
        assign(lw, place, type, last, loc);
        result->place = place;
    } else {
        return false;
    }
    return true;
}

static IrExprId compared_value(Lower *lw, CXCursor argument)
{
    CXType type = lw_type_of(argument);
    if (lw_is_unique_ptr(lw, type))
        return lw_load(lw, lw_unique_ptr(lw, lw_place(lw, argument), type));
    return lw_const(lw, 0, lw_void_pointer(lw)); // nullptr
}

// u == nullptr, u != v
static bool comparison(Lower *lw, CXCursor call, const char *name, LwOperand *result)
{
    bool is_equal = strcmp(name, "operator==") == 0;
    if ((!is_equal && strcmp(name, "operator!=") != 0) || clang_Cursor_getNumArguments(call) != 2)
        return false;
    CXCursor a = clang_Cursor_getArgument(call, 0), b = clang_Cursor_getArgument(call, 1);
    if (!lw_is_unique_ptr(lw, lw_type_of(a)) && !lw_is_unique_ptr(lw, lw_type_of(b))) return false;
    IrExprId left = compared_value(lw, a), right = compared_value(lw, b);
    result->value =
        ir_binary(lw->unit, lw->fn, is_equal ? IR_EQ : IR_NE, left, right, lw_bool_type(lw));
    return true;
}

bool lw_unique_call(Lower *lw, CXCursor call, CXCursor function, LwOperand *result)
{
    enum CXCursorKind kind = clang_getCursorKind(function);
    if (kind == CXCursor_FunctionDecl) {
        const char *name = lw_spelling(lw, function);
        return str_starts_with(name, "operator") && !tu_is_user_code(function) &&
               comparison(lw, call, name, result);
    }
    if (kind != CXCursor_CXXMethod && kind != CXCursor_ConversionFunction) return false;
    CXType type = lw_type_of(clang_getCursorSemanticParent(function));
    if (!lw_is_unique_ptr(lw, type)) return false;
    return member_call(lw, call, type, lw_spelling(lw, function), result);
}
