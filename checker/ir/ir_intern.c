// SPDX-License-Identifier: MIT
// Interning of types, places and expressions: equal ones get equal indices, each in constant time.
// Places and expressions are interned per function, types per unit. Small algebra happens here too,
// so that every producer gets it: integer constants fold and &*p is p.
#include "ir/ir_p.h"

#include "base/err.h"

uint32_t ir_table_find(const IrTable *table, uint32_t hash, IrSame same, const void *items,
                       const void *key)
{
    if (table->cap == 0) return IR_NONE;
    uint32_t mask = table->cap - 1;
    for (uint32_t at = hash & mask; table->slots[at].index != IR_NONE; at = (at + 1) & mask) {
        const IrSlot *slot = &table->slots[at];
        if (slot->hash == hash && same(items, slot->index, key)) return slot->index;
    }
    return IR_NONE;
}

static void table_insert(IrTable *table, uint32_t hash, uint32_t index)
{
    uint32_t mask = table->cap - 1;
    uint32_t at = hash & mask;
    while (table->slots[at].index != IR_NONE) at = (at + 1) & mask;
    table->slots[at] = (IrSlot){.hash = hash, .index = index};
}

void ir_table_add(Arena *arena, IrTable *table, uint32_t hash, uint32_t index)
{
    if (table->len * 4 >= table->cap * 3) {
        IrTable grown = {.cap = table->cap == 0 ? 32 : table->cap * 2, .len = table->len};
        grown.slots = ARENA_ARRAY(arena, IrSlot, grown.cap);
        for (uint32_t i = 0; i < grown.cap; i++) grown.slots[i].index = IR_NONE;
        for (uint32_t i = 0; i < table->cap; i++) {
            const IrSlot *slot = &table->slots[i];
            if (slot->index != IR_NONE) table_insert(&grown, slot->hash, slot->index);
        }
        *table = grown;
    }
    table_insert(table, hash, index);
    table->len++;
}

// ---- types ------------------------------------------------------------------------------------

static bool same_type(const void *items, uint32_t index, const void *key)
{
    const IrTypeInfo *a = (const IrTypeInfo *)items + index, *b = key;
    return a->kind == b->kind && a->name == b->name && a->pointee == b->pointee &&
           a->record == b->record && a->extent == b->extent && a->is_const == b->is_const &&
           a->is_unsigned == b->is_unsigned;
}

IrType ir_type_add(IrUnit *unit, IrTypeInfo info)
{
    info.name = str_intern(unit->strings, info.name == NULL ? "" : info.name);
    uint32_t hash = ir_hash_ptr(ir_hash(0, (uint64_t)info.kind), info.name);
    hash = ir_hash(ir_hash(hash, info.pointee), info.record);
    IrType known = ir_table_find(&unit->intern->types, hash, same_type, unit->types.items, &info);
    if (known != IR_NONE) {
        // A record may be seen by name before its definition.
        IrTypeInfo *old = &unit->types.items[known];
        if (old->size == 0) old->size = info.size;
        return known;
    }
    vec_push(unit->arena, &unit->types, info);
    ir_table_add(unit->arena, &unit->intern->types, hash, unit->types.len - 1);
    return unit->types.len - 1;
}

// ---- places -----------------------------------------------------------------------------------

static bool same_place(const void *items, uint32_t index, const void *key)
{
    const IrPlace *a = (const IrPlace *)items + index, *b = key;
    return a->kind == b->kind && a->var == b->var && a->base == b->base && a->field == b->field &&
           a->index == b->index && a->type == b->type;
}

static IrPlaceId place_add(IrUnit *unit, IrFunction *fn, IrPlace place)
{
    uint32_t hash = ir_hash(ir_hash((uint32_t)place.kind, place.var), place.base);
    hash = ir_hash(ir_hash_ptr(hash, place.field), place.index);
    hash = ir_hash(hash, place.type);
    IrPlaceId known =
        ir_table_find(&fn->intern->places, hash, same_place, fn->places.items, &place);
    if (known != IR_NONE) return known;
    vec_push(unit->arena, &fn->places, place);
    ir_table_add(unit->arena, &fn->intern->places, hash, fn->places.len - 1);
    return fn->places.len - 1;
}

IrPlaceId ir_place_var(IrUnit *unit, IrFunction *fn, IrVarId var)
{
    BUG_ON(var >= fn->vars.len);
    return place_add(unit, fn,
                     (IrPlace){.kind = IR_PL_VAR,
                               .var = var,
                               .base = IR_NONE,
                               .index = IR_NONE,
                               .type = fn->vars.items[var].type});
}

IrPlaceId ir_place_field(IrUnit *unit, IrFunction *fn, IrPlaceId base, const char *field,
                         IrType type)
{
    BUG_ON(base >= fn->places.len);
    return place_add(unit, fn,
                     (IrPlace){.kind = IR_PL_FIELD,
                               .var = IR_NONE,
                               .base = base,
                               .index = IR_NONE,
                               .field = str_intern(unit->strings, field),
                               .type = type});
}

IrPlaceId ir_place_deref(IrUnit *unit, IrFunction *fn, IrPlaceId base, IrType type)
{
    BUG_ON(base >= fn->places.len);
    return place_add(
        unit, fn,
        (IrPlace){
            .kind = IR_PL_DEREF, .var = IR_NONE, .base = base, .index = IR_NONE, .type = type});
}

IrPlaceId ir_place_index(IrUnit *unit, IrFunction *fn, IrPlaceId base, IrExprId index, IrType type)
{
    BUG_ON(base >= fn->places.len || (index != IR_NONE && index >= fn->exprs.len));
    return place_add(
        unit, fn,
        (IrPlace){.kind = IR_PL_INDEX, .var = IR_NONE, .base = base, .index = index, .type = type});
}

// ---- expressions ------------------------------------------------------------------------------

static bool same_expr(const void *items, uint32_t index, const void *key)
{
    const IrExpr *a = (const IrExpr *)items + index, *b = key;
    return a->kind == b->kind && a->type == b->type && a->op == b->op && a->a == b->a &&
           a->b == b->b && a->place == b->place && a->value == b->value &&
           a->sizeof_type == b->sizeof_type && a->text == b->text && a->callee == b->callee;
}

static bool is_interned(const IrExpr *expr)
{
    if (expr->kind == IR_EX_FLOAT) return expr->text != NULL;
    return expr->kind != IR_EX_UNKNOWN && expr->kind != IR_EX_CLOSURE;
}

IrExpr ir_blank_expr(IrExprKind kind, IrType type)
{
    return (IrExpr){.kind = kind,
                    .type = type,
                    .a = IR_NONE,
                    .b = IR_NONE,
                    .place = IR_NONE,
                    .sizeof_type = IR_NONE,
                    .callee = IR_NONE};
}

IrExprId ir_expr(IrUnit *unit, IrFunction *fn, IrExpr expr)
{
    if (expr.text != NULL) expr.text = str_intern(unit->strings, expr.text);
    if (!is_interned(&expr)) {
        vec_push(unit->arena, &fn->exprs, expr);
        return fn->exprs.len - 1;
    }
    uint32_t hash = ir_hash(ir_hash((uint32_t)expr.kind, expr.type), (uint64_t)expr.op);
    hash = ir_hash(ir_hash(ir_hash(hash, expr.a), expr.b), expr.place);
    hash = ir_hash(ir_hash(hash, (uint64_t)expr.value), expr.sizeof_type);
    hash = ir_hash(ir_hash_ptr(hash, expr.text), expr.callee);
    IrExprId known = ir_table_find(&fn->intern->exprs, hash, same_expr, fn->exprs.items, &expr);
    if (known != IR_NONE) return known;
    vec_push(unit->arena, &fn->exprs, expr);
    ir_table_add(unit->arena, &fn->intern->exprs, hash, fn->exprs.len - 1);
    return fn->exprs.len - 1;
}

IrExprId ir_int(IrUnit *unit, IrFunction *fn, int64_t value, IrType type)
{
    IrExpr expr = ir_blank_expr(IR_EX_INT, type);
    expr.value = type == IR_NONE ? value : ir_fold_wrap(ir_type(unit, type), value);
    return ir_expr(unit, fn, expr);
}

IrExprId ir_load(IrUnit *unit, IrFunction *fn, IrPlaceId place)
{
    BUG_ON(place >= fn->places.len);
    IrExpr expr = ir_blank_expr(IR_EX_LOAD, ir_place(fn, place)->type);
    expr.place = place;
    return ir_expr(unit, fn, expr);
}

IrExprId ir_addr(IrUnit *unit, IrFunction *fn, IrPlaceId place, IrType pointer_type)
{
    BUG_ON(place >= fn->places.len);
    if (ir_place(fn, place)->kind == IR_PL_DEREF)
        return ir_load(unit, fn, ir_place(fn, place)->base);
    IrExpr expr = ir_blank_expr(IR_EX_ADDR, pointer_type);
    expr.place = place;
    return ir_expr(unit, fn, expr);
}

IrExprId ir_unary(IrUnit *unit, IrFunction *fn, IrOperator op, IrExprId a, IrType type)
{
    BUG_ON(a >= fn->exprs.len);
    int64_t value;
    if (ir_fold_unary(unit, op, ir_expr_at(fn, a), type, &value))
        return ir_int(unit, fn, value, type);
    IrExpr expr = ir_blank_expr(IR_EX_UNARY, type);
    expr.op = op;
    expr.a = a;
    return ir_expr(unit, fn, expr);
}

IrExprId ir_binary(IrUnit *unit, IrFunction *fn, IrOperator op, IrExprId a, IrExprId b, IrType type)
{
    BUG_ON(a >= fn->exprs.len || b >= fn->exprs.len);
    int64_t value;
    IrExpr operands[2] = {*ir_expr_at(fn, a), *ir_expr_at(fn, b)};
    if (ir_fold_binary(unit, op, operands, type, &value)) return ir_int(unit, fn, value, type);
    IrExpr expr = ir_blank_expr(IR_EX_BINARY, type);
    expr.op = op;
    expr.a = a;
    expr.b = b;
    return ir_expr(unit, fn, expr);
}

// A constant that keeps its meaning under the cast: integers to integers, zero to a null pointer.
static bool cast_folds(const IrUnit *unit, const IrExpr *a, IrType type)
{
    if (a->kind != IR_EX_INT || type == IR_NONE || a->type == IR_NONE) return false;
    IrTypeKind to = ir_type(unit, type)->kind;
    if (to == IR_TY_POINTER) return a->value == 0;
    return (to == IR_TY_INT || to == IR_TY_BOOL) && ir_type(unit, a->type)->kind != IR_TY_FLOAT;
}

IrExprId ir_cast(IrUnit *unit, IrFunction *fn, IrExprId a, IrType type)
{
    BUG_ON(a >= fn->exprs.len);
    if (ir_expr_at(fn, a)->type == type) return a;
    if (cast_folds(unit, ir_expr_at(fn, a), type))
        return ir_int(unit, fn, ir_expr_at(fn, a)->value, type);
    IrExpr expr = ir_blank_expr(IR_EX_CAST, type);
    expr.a = a;
    return ir_expr(unit, fn, expr);
}

IrExprId ir_func(IrUnit *unit, IrFunction *fn, IrCalleeId callee, IrType type)
{
    BUG_ON(callee >= unit->callees.len);
    IrExpr expr = ir_blank_expr(IR_EX_FUNC, type);
    expr.callee = callee;
    return ir_expr(unit, fn, expr);
}

IrExprId ir_unknown(IrUnit *unit, IrFunction *fn, IrType type)
{
    return ir_expr(unit, fn, ir_blank_expr(IR_EX_UNKNOWN, type));
}
