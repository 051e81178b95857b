// SPDX-License-Identifier: MIT
// Destroying objects: the destructor calls that clang's tree does not show. A user-written
// destructor destroys the members and bases itself, at the end of its own body; an implicit one is
// spelled out where the object dies.
#include "tu/tu_lower.h"

static void call_destructor(Lower *lw, IrCalleeId destructor, IrPlaceId place, SrcLoc loc)
{
    IrCall *call = lw_call_new(lw, destructor, 1);
    call->args[0] = lw_address(lw, place);
    call->is_implicit = true;
    call->is_virtual =
        lw_callee_at(lw, destructor)->is_virtual && lw_place_at(lw, place)->kind == IR_PL_DEREF;
    lw_emit_call(lw, loc, call);
}

void lw_destroy_members(Lower *lw, IrPlaceId object, CXType type, SrcLoc loc)
{
    LwRecord *record = lw_record(lw, type);
    if (record == NULL || lw->unit->records.items[lw_record_id(lw, type)].is_union) return;
    for (uint32_t i = record->fields.len; i > 0; i--) {
        LwField field = record->fields.items[i - 1];
        if (field.is_variant || !lw_needs_destroy(lw, field.type)) continue;
        lw_destroy(lw, lw_field(lw, object, field.name, lw_plain_type(lw, field.type)), field.type,
                   loc);
    }
    for (uint32_t i = record->bases.len; i > 0; i--) {
        LwField base = record->bases.items[i - 1];
        if (!lw_needs_destroy(lw, base.type)) continue;
        lw_destroy(lw, lw_field(lw, object, base.name, lw_plain_type(lw, base.type)), base.type,
                   loc);
    }
}

// One after the other, by a counter that nobody wrote.
static void destroy_elements(Lower *lw, IrPlaceId array, CXType type, SrcLoc loc)
{
    CXType element = lw_element(type);
    IrType plain = lw_plain_type(lw, element), size = lw_size_type(lw);
    long long extent = clang_getArraySize(clang_getCanonicalType(type));
    if (extent < 0) {
        lw_destroy(lw, lw_index(lw, array, IR_NONE, plain), element, loc);
        return;
    }
    IrPlaceId counter = lw_spill(lw, loc, lw_const(lw, 0, size));
    IrBlockId test = lw_block(lw), body = lw_block(lw), end = lw_block(lw);
    lw_jump(lw, loc, test);
    lw_enter(lw, test);
    IrExprId count = lw_load(lw, counter);
    lw_branch(
        lw, loc,
        ir_binary(lw->unit, lw->fn, IR_LT, count, lw_const(lw, extent, size), lw_bool_type(lw)),
        (LwBranch){.yes = body, .no = end, .kind = IR_BR_SYNTHETIC});
    lw_enter(lw, body);
    lw_destroy(lw, lw_index(lw, array, count, plain), element, loc);
    lw_assign(lw, loc, counter,
              ir_binary(lw->unit, lw->fn, IR_ADD, count, lw_const(lw, 1, size), size));
    lw_jump(lw, loc, test);
    lw_enter(lw, end);
}

void lw_destroy(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc)
{
    if (!lw_needs_destroy(lw, type)) return;
    if (lw_is_array(type)) {
        destroy_elements(lw, place, type, loc);
        return;
    }
    LwRecord *record = lw_record(lw, type);
    IrRecordKind kind = lw_record_kind(lw, type);
    if (kind == IR_REC_UNIQUE_PTR) {
        lw_unique_destroy(lw, place, type, loc);
    } else if (kind == IR_REC_STD || !lw_is_null(record->destructor) || record->is_destroying) {
        // A class that owns objects of its own class (a list's node) is spelled out once.
        call_destructor(lw, lw_destructor_callee(lw, type), place, loc);
    } else {
        record->is_destroying = true;
        lw_destroy_members(lw, place, type, loc);
        record->is_destroying = false;
    }
}
