// SPDX-License-Identifier: MIT
// Copying and moving objects where the class leaves it to the compiler: member by member where a
// member's class has its own idea of it, otherwise all at once.
#include "tu/tu_lower.h"

static void call_copy(Lower *lw, CXCursor function, const IrPlaceId places[2], SrcLoc loc)
{
    IrCall *call = lw_call_new(lw, lw_callee(lw, function), 2);
    call->args[0] = lw_address(lw, places[0]);
    call->args[1] = lw_address(lw, places[1]);
    call->is_implicit = true;
    lw_emit_call(lw, loc, call);
}

typedef struct {
    bool is_move, is_assignment;
    SrcLoc loc;
} Copying;

static void copy_object(Lower *lw, const IrPlaceId places[2], CXType type, Copying how);

static void copy_parts(Lower *lw, const IrPlaceId places[2], CXType type, Copying how)
{
    LwRecord *record = lw_record(lw, type);
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField base = record->bases.items[i];
        IrType part = lw_plain_type(lw, base.type);
        IrPlaceId inner[2] = {lw_field(lw, places[0], base.name, part),
                              lw_field(lw, places[1], base.name, part)};
        copy_object(lw, inner, base.type, how);
    }
    for (uint32_t i = 0; i < record->fields.len; i++) {
        LwField field = record->fields.items[i];
        IrType part = lw_plain_type(lw, field.type);
        IrPlaceId inner[2] = {lw_field(lw, places[0], field.name, part),
                              lw_field(lw, places[1], field.name, part)};
        copy_object(lw, inner, field.type, how);
    }
}

static void copy_object(Lower *lw, const IrPlaceId places[2], CXType type, Copying how)
{
    if (lw_is_array(type) && !lw_is_plain_copy(lw, type)) {
        CXType element = lw_element(type);
        IrType part = lw_plain_type(lw, element);
        IrPlaceId inner[2] = {lw_index(lw, places[0], IR_NONE, part),
                              lw_index(lw, places[1], IR_NONE, part)};
        copy_object(lw, inner, element, how);
        return;
    }
    if (lw_is_unique_ptr(lw, type)) {
        lw_unique_move(lw, places[0], places[1], type, how.is_assignment, how.loc);
        return;
    }
    if (lw_is_plain_copy(lw, type)) {
        if (how.is_assignment)
            lw_assign(lw, how.loc, places[0], lw_load(lw, places[1]));
        else
            lw_initialize(lw, how.loc, places[0], lw_load(lw, places[1]));
        return;
    }
    CXCursor written = lw_find_copy(lw, lw_record(lw, type), how.is_move, how.is_assignment);
    if (lw_is_null(written))
        copy_parts(lw, places, type, how);
    else
        call_copy(lw, written, places, how.loc);
}

void lw_copy(Lower *lw, IrPlaceId dst, IrPlaceId src, CXType type, bool is_move, bool is_assignment,
             SrcLoc loc)
{
    IrPlaceId places[2] = {dst, src};
    Copying how = {.is_move = is_move, .is_assignment = is_assignment, .loc = loc};
    copy_object(lw, places, type, how);
}
