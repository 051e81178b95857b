// SPDX-License-Identifier: MIT
// Initialising a place from one initialiser: scalars, objects made by calls, copies, zeroes.
#include "tu/tu_lower.h"

enum { MAX_OBJECT_ELEMENTS = 16 }; // arrays of objects longer than that are not spelled out

IrExprId lw_zero_value(Lower *lw, IrType type)
{
    IrTypeKind kind = ir_type(lw->unit, type)->kind;
    if (kind == IR_TY_FLOAT) {
        IrExpr zero = {.kind = IR_EX_FLOAT,
                       .type = type,
                       .a = IR_NONE,
                       .b = IR_NONE,
                       .place = IR_NONE,
                       .sizeof_type = IR_NONE,
                       .callee = IR_NONE,
                       .text = "0"};
        return ir_expr(lw->unit, lw->fn, zero);
    }
    bool is_scalar = kind == IR_TY_INT || kind == IR_TY_BOOL || kind == IR_TY_POINTER;
    return is_scalar ? lw_const(lw, 0, type) : lw_unknown(lw, type);
}

bool lw_is_spelled_out(Lower *lw, CXType array)
{
    long long extent = clang_getArraySize(clang_getCanonicalType(array));
    CXType element = lw_element(array);
    long long limit =
        lw_is_record(element) || lw_is_array(element) ? MAX_OBJECT_ELEMENTS : LW_MAX_ELEMENTS;
    (void)lw;
    return extent >= 0 && extent <= limit;
}

IrPlaceId lw_element_place(Lower *lw, IrPlaceId array, CXType element, int64_t index)
{
    return lw_index(lw, array, lw_const(lw, index, lw_int_type(lw)), lw_plain_type(lw, element));
}

static void zero_array(Lower *lw, IrPlaceId dst, CXType type, SrcLoc loc)
{
    CXType element = lw_element(type);
    if (!lw_is_spelled_out(lw, type)) {
        lw_zero(lw, lw_index(lw, dst, IR_NONE, lw_plain_type(lw, element)), element, loc);
        return;
    }
    long long extent = clang_getArraySize(clang_getCanonicalType(type));
    for (long long i = 0; i < extent; i++)
        lw_zero(lw, lw_element_place(lw, dst, element, i), element, loc);
}

void lw_zero(Lower *lw, IrPlaceId dst, CXType type, SrcLoc loc)
{
    if (lw_is_array(type)) {
        zero_array(lw, dst, type, loc);
        return;
    }
    LwRecord *record = lw_record(lw, type);
    if (record == NULL) {
        lw_initialize(lw, loc, dst, lw_zero_value(lw, lw_plain_type(lw, type)));
        return;
    }
    IrRecordKind kind = lw_record_kind(lw, type);
    if (kind == IR_REC_UNIQUE_PTR) {
        lw_default_construct(lw, dst, type, loc);
        return;
    }
    if (kind == IR_REC_STD && lw_needs_destroy(lw, type)) return;
    bool is_union = lw->unit->records.items[lw_record_id(lw, type)].is_union;
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField base = record->bases.items[i];
        lw_zero(lw, lw_field(lw, dst, base.name, lw_plain_type(lw, base.type)), base.type, loc);
    }
    for (uint32_t i = 0; i < record->fields.len && !(is_union && i > 0); i++) {
        LwField field = record->fields.items[i];
        if (field.is_alternative) continue;
        lw_zero(lw, lw_field(lw, dst, field.name, lw_plain_type(lw, field.type)), field.type, loc);
    }
}

// What a member that the list leaves out becomes.
void lw_value_initialize(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc)
{
    CXType element = type;
    while (lw_is_array(element)) element = lw_element(element);
    LwRecord *record = lw_record(lw, element);
    if (record == NULL || lw_is_null(lw_find_default_constructor(lw, record)))
        lw_zero(lw, place, type, loc);
    if (record != NULL) lw_default_construct(lw, place, type, loc);
}

// The expressions under a field: a bit-field's width or an array's bound, and the initialiser.
typedef struct {
    CXCursor last; // by position in the source
    unsigned offset;
    uint32_t count;
} FieldInit;

static enum CXChildVisitResult see_field_init(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    FieldInit *out = data;
    if (!clang_isExpression(clang_getCursorKind(cursor))) return CXChildVisit_Continue;
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                               &offset);
    if (out->count++ == 0 || offset >= out->offset) {
        out->last = cursor;
        out->offset = offset;
    }
    return CXChildVisit_Continue;
}

CXCursor lw_field_init(Lower *lw, CXCursor field)
{
    FieldInit out = {.last = clang_getNullCursor()};
    if (!lw_is_kind(field, CXCursor_FieldDecl)) return out.last;
    clang_visitChildren(field, see_field_init, &out);
    if (out.count == 0) return out.last;
    // Clang shows the width of a bit-field, but not always its initialiser.
    if (clang_Cursor_isBitField(field) && out.count < 2) return clang_getNullCursor();
    bool has_other = clang_Cursor_isBitField(field) || lw_is_array(clang_getCursorType(field));
    if (!has_other) return out.last;
    bool has_init = lw_extent_has(lw, field, "=") || lw_extent_has(lw, field, "{");
    return has_init ? out.last : clang_getNullCursor();
}

// ---- one initialiser ----------------------------------------------------------------------------

static void init_choice(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr)
{
    LwCursors parts = lw_operands(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    IrBlockId arms[2] = {lw_block(lw), lw_block(lw)}, done = lw_block(lw);
    lw_cond(lw, parts.items[0], (LwBranch){.yes = arms[0], .no = arms[1], .kind = IR_BR_TERNARY});
    for (uint32_t i = 0; i < 2; i++) {
        lw_enter(lw, arms[i]);
        LwCleanup *scope = lw->top;
        lw_init(lw, dst, type, parts.items[i + 1]);
        lw_leave(lw, scope, loc);
        lw_jump(lw, loc, done);
    }
    lw_enter(lw, done);
}

static void init_from_call(Lower *lw, IrPlaceId dst, CXType type, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    if (lw_is_kind(function, CXCursor_Constructor)) {
        lw_construct(lw, dst, type, call);
        return;
    }
    LwOperand result = lw_call(lw, call, dst, false);
    if (result.value == IR_NONE && result.place == dst) return;
    lw_initialize(lw, lw_loc(lw, call), dst, lw_operand_value(lw, result));
}

// Without the casts that only name the type of the object they make.
static CXCursor strip_making(Lower *lw, CXCursor expr)
{
    for (;;) {
        expr = lw_strip(lw, expr);
        enum CXCursorKind kind = clang_getCursorKind(expr);
        if (kind != CXCursor_CXXFunctionalCastExpr && kind != CXCursor_CompoundLiteralExpr &&
            kind != CXCursor_CStyleCastExpr && kind != CXCursor_CXXStaticCastExpr) {
            return expr;
        }
        CXCursor inner = lw_operand_of(lw, expr);
        if (lw_is_null(inner) || !lw_is_same(lw_type_of(inner), lw_type_of(expr))) return expr;
        expr = inner;
    }
}

// Kinds of expression that lw_place finds an object for without making one.
static bool denotes_object(CXCursor expr)
{
    switch (clang_getCursorKind(expr)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_BinaryOperator: // but for <=>, which makes an object
        return clang_getCursorBinaryOperatorKind(expr) != CXBinaryOperator_Cmp;
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return true;
    default:
        return false;
    }
}

// std::initializer_list over an array: the elements are what matters, and how many there are.
static void init_initializer_list(Lower *lw, IrPlaceId dst, CXType type, CXCursor list)
{
    IrType size = lw_size_type(lw);
    lw_init_list(lw, dst, type, list);
    if (lw_record_kind(lw, type) == IR_REC_STD)
        lw_initialize(lw, lw_loc(lw, list), lw_field(lw, dst, "#size", size),
                      lw_const(lw, lw_children(lw, list).count, size));
}

// An object made from something of another kind, with no constructor call in sight. False: it is
// none.
static bool init_converted(Lower *lw, IrPlaceId dst, CXType type, CXCursor core)
{
    SrcLoc loc = lw_loc(lw, core);
    LwCursors parts = lw_operands(lw, core);
    if (lw_is_kind(core, CXCursor_UnexposedExpr) && parts.count == 0) {
        lw_zero(lw, dst, type, loc); // value-initialisation that nobody wrote
        return true;
    }
    if (!lw_is_record(type)) return false;
    CXCursor from = core;
    bool is_made = lw_is_record(lw_type_of(core));
    if (is_made) {
        bool is_conversion = lw_is_kind(core, CXCursor_UnexposedExpr) ||
                             lw_is_kind(core, CXCursor_CStyleCastExpr) ||
                             lw_is_kind(core, CXCursor_CXXFunctionalCastExpr) ||
                             lw_is_kind(core, CXCursor_CXXStaticCastExpr);
        if (!is_conversion || parts.count == 0) return false;
        from = parts.items[parts.count - 1];
        if (lw_is_record(lw_type_of(from))) return false;
    }
    CXCursor list = strip_making(lw, from);
    if (is_made && lw_is_kind(list, CXCursor_InitListExpr)) {
        init_initializer_list(lw, dst, type, list);
        return true;
    }
    IrExprId value = lw_value(lw, from);
    bool is_null = lw_is_unique_ptr(lw, type) && lw_expr(lw, value)->kind == IR_EX_INT;
    if (is_null)
        lw_default_construct(lw, dst, type, loc);
    else
        lw_clobber(lw, loc, dst);
    return true;
}

static void init_object(Lower *lw, IrPlaceId dst, CXType type, CXCursor init)
{
    CXCursor core = strip_making(lw, init);
    SrcLoc loc = lw_loc(lw, core);
    switch (clang_getCursorKind(core)) {
    case CXCursor_CallExpr:
        init_from_call(lw, dst, type, core);
        return;
    case CXCursor_InitListExpr:
        lw_init_list(lw, dst, type, core);
        return;
    case CXCursor_ConditionalOperator:
        init_choice(lw, dst, type, core);
        return;
    case CXCursor_LambdaExpr:
    case CXCursor_StmtExpr:
        lw_initialize(lw, loc, dst, lw_value(lw, core));
        return;
    case CXCursor_StringLiteral:
        lw_initialize(lw, loc, dst, lw_literal(lw, core));
        return;
    default:
        break;
    }
    if (init_converted(lw, dst, type, core)) return;
    bool is_object = lw_is_record(lw_type_of(core)) || lw_is_array(lw_type_of(core));
    lw_initialize(lw, loc, dst,
                  is_object && denotes_object(core) ? lw_load(lw, lw_place(lw, core))
                                                    : lw_value(lw, core));
}

void lw_init(Lower *lw, IrPlaceId dst, CXType type, CXCursor init)
{
    if (lw_is_record(type) || lw_is_array(type)) {
        init_object(lw, dst, type, init);
        return;
    }
    CXCursor core = lw_strip(lw, init);
    if (lw_is_reference(type))
        lw_initialize(lw, lw_loc(lw, init), dst, lw_address(lw, lw_place(lw, init)));
    else if (lw_is_kind(core, CXCursor_InitListExpr))
        lw_init_list(lw, dst, type, core);
    else
        lw_store_at(lw, dst, type, init, lw_loc(lw, init), true);
}
