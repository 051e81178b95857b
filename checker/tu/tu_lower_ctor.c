// SPDX-License-Identifier: MIT
// Constructors and destructors: what the compiler adds around their bodies. Bases and members are
// initialised first, in the order of their declaration; a destructor destroys them at its end, in
// the reverse order.
#include "tu/tu_lower.h"

// The written initialisers of a constructor.
typedef struct {
    CXCursor member; // the field; null: a base, or the class itself (delegation)
    CXCursor init;
} MemberInit;

typedef Vec(MemberInit) MemberInits;

static MemberInits written_inits(Lower *lw, CXCursor constructor)
{
    MemberInits out = {0};
    LwCursors parts = lw_children(lw, constructor);
    CXCursor member = clang_getNullCursor();
    for (uint32_t i = 0; i < parts.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(parts.items[i]);
        if (kind == CXCursor_MemberRef) {
            member = clang_getCursorReferenced(parts.items[i]);
        } else if (clang_isExpression(kind)) {
            MemberInit init = {.member = member, .init = parts.items[i]};
            vec_push(lw->arena, &out, init);
            member = clang_getNullCursor();
        }
    }
    return out;
}

static CXCursor find_base_init(const MemberInits *inits, CXType type)
{
    for (uint32_t i = 0; i < inits->len; i++) {
        const MemberInit *init = &inits->items[i];
        if (lw_is_null(init->member) && lw_is_same(lw_type_of(init->init), type)) return init->init;
    }
    return clang_getNullCursor();
}

static CXCursor find_member_init(const MemberInits *inits, CXCursor field)
{
    for (uint32_t i = 0; i < inits->len; i++)
        if (clang_equalCursors(inits->items[i].member, field)) return inits->items[i].init;
    return clang_getNullCursor();
}

static void init_part(Lower *lw, IrPlaceId place, CXType type, CXCursor init)
{
    LwCleanup *scope = lw->top;
    lw->loc = lw_loc(lw, init);
    lw_init(lw, place, type, init);
    lw_leave(lw, scope, lw->loc);
}

static void construct_field(Lower *lw, IrPlaceId object, LwField field, const MemberInits *inits,
                            bool is_union)
{
    IrPlaceId place = lw_field(lw, object, field.name, lw_plain_type(lw, field.type));
    bool is_made = !is_union && !field.is_variant;
    CXCursor init = find_member_init(inits, field.decl);
    if (lw_is_null(init) && !is_union) init = lw_field_init(lw, field.decl);
    if (!lw_is_null(init))
        init_part(lw, place, field.type, init);
    else if (is_made)
        lw_default_construct(lw, place, field.type, lw->fn->loc);
    if (is_made) lw_push_object(lw, place, field.type);
}

// A copy or move constructor without initialisers default-constructs its bases and members like any
// other.
void lw_construct_members(Lower *lw, CXCursor constructor)
{
    CXType type = lw_this_type(lw);
    IrPlaceId object = lw_this(lw);
    LwRecord *record = lw_record(lw, type);
    if (object == IR_NONE || record == NULL) return;
    MemberInits inits = written_inits(lw, constructor);
    CXCursor delegate = find_base_init(&inits, type);
    if (!lw_is_null(delegate)) {
        init_part(lw, object, type, delegate);
        lw_push_object(lw, object, type);
        return;
    }
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField base = record->bases.items[i];
        IrPlaceId place = lw_field(lw, object, base.name, lw_plain_type(lw, base.type));
        CXCursor init = find_base_init(&inits, base.type);
        if (!lw_is_null(init))
            init_part(lw, place, base.type, init);
        else
            lw_default_construct(lw, place, base.type, lw->fn->loc);
        lw_push_object(lw, place, base.type);
    }
    bool is_union = lw->unit->records.items[lw_record_id(lw, type)].is_union;
    for (uint32_t i = 0; i < record->fields.len; i++)
        construct_field(lw, object, record->fields.items[i], &inits, is_union);
}

void lw_constructor(Lower *lw, CXCursor constructor, CXCursor body)
{
    if (lw_is_kind(body, CXCursor_CXXTryStmt)) {
        lw_try_block(lw, body, constructor);
        return;
    }
    LwCleanup *scope = lw->top;
    lw_construct_members(lw, constructor);
    lw_compound(lw, body);
    lw->top = scope; // the members live on
}

void lw_destructor(Lower *lw, CXCursor body)
{
    IrBlockId epilogue = lw_block(lw);
    lw->ret = (LwReturn){.is_jump = true,
                         .target = {.block = epilogue, .scope = lw->top},
                         .result = IR_NONE,
                         .type = lw->ret.type};
    lw_statement(lw, body);
    lw_jump(lw, lw->fn->end, epilogue);
    lw_enter(lw, epilogue);
    IrPlaceId object = lw_this(lw);
    if (object != IR_NONE) lw_destroy_members(lw, object, lw_this_type(lw), lw->fn->end);
}
