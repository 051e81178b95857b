// SPDX-License-Identifier: MIT
// Symbolic values: interning and simplification. Simplification puts every comparison into one
// shape (EQ and LT, constant on the right) so that the same condition written differently is the
// same symbol.
#include "engine/value_p.h"

// A value in which more values stand is not known: the same one may stand in it in many places, and
// whoever walks through it passes each of them.
#define MAX_SYM_SIZE 100

Values *values_new(Arena *arena, const IrUnit *unit, const IrFunction *fn)
{
    Values *values = ARENA_NEW(arena, Values);
    values->arena = arena;
    values->unit = unit;
    values->fn = fn;
    return values;
}

void values_set_resource(Values *values, bool is_new, const BitSet *acquire_points)
{
    values->resource_is_new = is_new;
    values->acquire_points = acquire_points;
}

// Two different blocks: the resource and one that existed before or that another call made.
static bool are_distinct_blocks(const Values *values, const Sym *a, const Sym *b)
{
    if (b->kind == SYM_RESOURCE && a->kind != SYM_RESOURCE)
        return are_distinct_blocks(values, b, a);
    if (a->kind != SYM_RESOURCE || !values->resource_is_new) return false;
    bool made = b->kind == SYM_FRESH && b->point < values->acquire_points->size &&
                bits_has(values->acquire_points, b->point);
    return b->kind == SYM_INITIAL || made;
}

const Sym *sym_at(const Values *values, SymId id)
{
    return &values->syms.items[id];
}

static uint64_t sym_hash(const Sym *sym)
{
    uint64_t hash = hash_mix((uint64_t)sym->kind, (uint64_t)sym->op);
    hash = hash_mix(hash, ((uint64_t)sym->a << 32) | sym->b);
    hash = hash_mix(hash, ((uint64_t)sym->c << 32) | sym->loc);
    hash = hash_mix(hash, sym->point);
    return hash_mix(hash, (uint64_t)sym->value);
}

static bool sym_same(const Sym *x, const Sym *y)
{
    return x->kind == y->kind && x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->loc == y->loc && x->point == y->point && x->value == y->value;
}

// Fills in what follows from the operands.
static void derive(const Values *values, Sym *sym)
{
    sym->size = 1;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++) {
        if (operands[i] == IR_NONE) continue;
        const Sym *operand = sym_at(values, operands[i]);
        sym->size = (uint16_t)(sym->size + operand->size);
        if (operand->loc_depth > sym->loc_depth) sym->loc_depth = operand->loc_depth;
        sym->has_resource |= operand->has_resource;
    }
    if (sym->loc != IR_NONE) {
        const Loc *root = loc_at(values, loc_at(values, sym->loc)->root);
        if (root->kind == LOC_MEM)
            sym->size = (uint16_t)(sym->size + sym_at(values, root->sym)->size);
    }
    if (sym->kind == SYM_RESOURCE) sym->has_resource = true;
    if (sym->loc != IR_NONE && (sym->kind == SYM_INITIAL || sym->kind == SYM_FRESH)) {
        const Loc *loc = loc_at(values, sym->loc);
        sym->is_unsigned = loc->is_unsigned;
        sym->is_bool = loc->is_bool;
        sym->loc_depth = loc->depth;
    }
    if (sym->kind == SYM_ADDR) {
        const Loc *root = loc_at(values, loc_at(values, sym->loc)->root);
        sym->has_resource = root->kind == LOC_MEM && sym_at(values, root->sym)->has_resource;
        sym->loc_depth = loc_at(values, sym->loc)->depth;
    }
    if (sym->kind == SYM_INT) {
        sym->is_unsigned = sym->value >= 0;
        sym->is_bool = sym->value == 0 || sym->value == 1;
    }
    if (sym->kind == SYM_OLDER) {
        sym->is_unsigned = sym_at(values, sym->a)->is_unsigned;
        sym->is_bool = sym_at(values, sym->a)->is_bool;
    }
    if (sym->kind == SYM_BINARY && (sym->op == IR_EQ || sym->op == IR_LT)) sym->is_bool = true;
    if (sym->kind == SYM_BINARY && (sym->op == IR_AND || sym->op == IR_OR || sym->op == IR_XOR))
        sym->is_bool = sym_at(values, sym->a)->is_bool && sym_at(values, sym->b)->is_bool;
    if (sym->kind == SYM_ITE)
        sym->is_bool = sym_at(values, sym->b)->is_bool && sym_at(values, sym->c)->is_bool;
}

static SymId intern(Values *values, Sym sym)
{
    uint64_t hash = sym_hash(&sym);
    uint32_t cursor = 0, id;
    while (idtable_next(&values->sym_table, hash, &cursor, &id))
        if (sym_same(&values->syms.items[id], &sym)) return id;
    derive(values, &sym);
    vec_push(values->arena, &values->syms, sym);
    idtable_add(values->arena, &values->sym_table, hash, values->syms.len - 1);
    return values->syms.len - 1;
}

static Sym blank(SymKind kind)
{
    return (Sym){
        .kind = kind, .op = IR_ADD, .a = IR_NONE, .b = IR_NONE, .c = IR_NONE, .loc = IR_NONE};
}

SymId sym_int(Values *values, int64_t value)
{
    Sym sym = blank(SYM_INT);
    sym.value = value;
    return intern(values, sym);
}

SymId sym_resource(Values *values)
{
    return intern(values, blank(SYM_RESOURCE));
}

SymId sym_initial(Values *values, LocId loc)
{
    Sym sym = blank(SYM_INITIAL);
    sym.loc = loc;
    return intern(values, sym);
}

SymId sym_fresh(Values *values, uint32_t point, LocId loc)
{
    Sym sym = blank(SYM_FRESH);
    sym.point = point;
    sym.loc = loc;
    return intern(values, sym);
}

SymId sym_fresh_slot(Values *values, uint32_t point, uint32_t slot)
{
    Sym sym = blank(SYM_FRESH);
    sym.point = point;
    sym.value = slot;
    return intern(values, sym);
}

SymId sym_older(Values *values, SymId fresh)
{
    if (sym_at(values, fresh)->kind == SYM_OLDER) return fresh;
    Sym sym = blank(SYM_OLDER);
    sym.a = fresh;
    return intern(values, sym);
}

SymId sym_addr(Values *values, LocId loc)
{
    const Loc *info = loc_at(values, loc);
    // &*p is p.
    if (info->kind == LOC_INDEX && info->index == 0 &&
        loc_at(values, info->parent)->kind == LOC_MEM)
        return loc_at(values, info->parent)->sym;
    Sym sym = blank(SYM_ADDR);
    sym.loc = loc;
    return intern(values, sym);
}

SymId sym_func(Values *values, IrCalleeId callee)
{
    Sym sym = blank(SYM_FUNC);
    sym.value = callee;
    return intern(values, sym);
}

SymId sym_string(Values *values, IrExprId expr)
{
    Sym sym = blank(SYM_STRING);
    sym.value = expr;
    return intern(values, sym);
}

bool sym_is_int(const Values *values, SymId id, int64_t *value)
{
    const Sym *sym = sym_at(values, id);
    if (sym->kind != SYM_INT) return false;
    *value = sym->value;
    return true;
}

// The operator leaves an address what it is not: null. Blocks lie far above zero, and rounding up or
// down moves little.
static bool stays_nonzero(const Values *values, const Sym *sym)
{
    const int64_t small = 1 << 16;
    const Sym *by = sym_at(values, sym->b);
    if (sym->op == IR_ADD) return true;
    if (by->kind != SYM_INT || !sym_is_nonzero(values, sym->a)) return false;
    if (sym->op == IR_AND) return by->value < 0 && by->value >= -small;
    bool scales = sym->op == IR_MUL || sym->op == IR_DIV;
    return sym->op == IR_OR || (scales && by->value > 0 && by->value <= small);
}

bool sym_is_nonzero(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    switch (sym->kind) {
    case SYM_INT:
        return sym->value != 0;
    case SYM_RESOURCE:
    case SYM_ADDR:
    case SYM_FUNC:
    case SYM_STRING:
        return true;
    case SYM_BINARY:
        return sym_at(values, sym->a)->has_resource && stays_nonzero(values, sym);
    case SYM_INITIAL:
    case SYM_FRESH:
    case SYM_OLDER:
    case SYM_UNARY:
    case SYM_PURE:
    case SYM_ITE:
        return false;
    }
    return false;
}

static bool is_too_large(const Values *values, const SymId *operands, uint32_t count)
{
    uint32_t size = 1;
    for (uint32_t i = 0; i < count; i++) size += sym_at(values, operands[i])->size;
    return size > MAX_SYM_SIZE;
}

static SymId make_binary(Values *values, IrOperator op, SymId a, SymId b)
{
    if (is_too_large(values, (SymId[]){a, b}, 2)) return IR_NONE;
    Sym sym = blank(SYM_BINARY);
    sym.op = op;
    sym.a = a;
    sym.b = b;
    return intern(values, sym);
}

SymId sym_not(Values *values, SymId a)
{
    return sym_binary(values, IR_EQ, a, sym_int(values, 0));
}

SymId sym_truth(Values *values, SymId a)
{
    if (sym_at(values, a)->is_bool) return a;
    SymId is_zero = sym_not(values, a);
    return is_zero == IR_NONE ? IR_NONE : sym_not(values, is_zero);
}

static bool fold_int(IrOperator op, int64_t x, int64_t y, int64_t *out)
{
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    bool shift_ok = y >= 0 && y < 63;
    switch (op) {
    case IR_ADD:
        *out = (int64_t)(a + b);
        return true;
    case IR_SUB:
        *out = (int64_t)(a - b);
        return true;
    case IR_MUL:
        *out = (int64_t)(a * b);
        return true;
    case IR_DIV:
        *out = y != 0 && y != -1 ? x / y : 0;
        return y != 0 && y != -1;
    case IR_REM:
        *out = y != 0 && y != -1 ? x % y : 0;
        return y != 0 && y != -1;
    case IR_SHL:
        *out = shift_ok ? (int64_t)(a << y) : 0;
        return shift_ok;
    case IR_SHR:
        *out = shift_ok ? x >> y : 0;
        return shift_ok;
    case IR_AND:
        *out = (int64_t)(a & b);
        return true;
    case IR_OR:
        *out = (int64_t)(a | b);
        return true;
    case IR_XOR:
        *out = (int64_t)(a ^ b);
        return true;
    case IR_EQ:
        *out = x == y;
        return true;
    case IR_LT:
        *out = x < y;
        return true;
    case IR_NE:
    case IR_LE:
    case IR_GT:
    case IR_GE:
    case IR_NEG:
    case IR_BITNOT:
    case IR_NOT:
        return false;
    }
    return false;
}

// x + c == d is x == d - c, and so on: the constant moves right.
static void move_constant_right(Values *values, SymId *a, SymId *b)
{
    int64_t right, left;
    const Sym *sum = sym_at(values, *a);
    if (!sym_is_int(values, *b, &right) || sum->kind != SYM_BINARY || sum->op != IR_ADD) return;
    if (!sym_is_int(values, sum->b, &left)) return;
    *a = sum->a;
    *b = sym_int(values, (int64_t)((uint64_t)right - (uint64_t)left));
}

// The two locations certainly lie at different addresses. An object begins where its first part
// does, and what two pointers point to may be one object.
static bool are_apart(const Values *values, LocId a, LocId b)
{
    const Loc *x = loc_at(values, a), *y = loc_at(values, b);
    if (x->is_family || y->is_family || loc_is_within(values, a, b) || loc_is_within(values, b, a))
        return false;
    bool both_variables =
        loc_at(values, x->root)->kind == LOC_VAR && loc_at(values, y->root)->kind == LOC_VAR;
    return x->root == y->root || both_variables;
}

static SymId make_equal(Values *values, SymId a, SymId b)
{
    int64_t constant;
    if (a == b) return sym_int(values, 1);
    if (sym_at(values, a)->kind == SYM_INT || (sym_at(values, b)->kind != SYM_INT && a > b)) {
        SymId swap = a;
        a = b;
        b = swap;
    }
    move_constant_right(values, &a, &b);
    const Sym *left = sym_at(values, a);
    if (sym_is_int(values, b, &constant)) {
        if (constant == 0 && sym_is_nonzero(values, a)) return sym_int(values, 0);
        if (left->is_bool && constant == 1) return a;
        if (left->is_bool && constant != 0) return sym_int(values, 0);
        // !!x of a truth value
        if (constant == 0 && left->kind == SYM_BINARY && left->op == IR_EQ) {
            int64_t inner;
            if (sym_is_int(values, left->b, &inner) && inner == 0 &&
                sym_at(values, left->a)->is_bool)
                return left->a;
        }
        if (left->kind == SYM_ITE) {
            SymId then_eq = sym_binary(values, IR_EQ, left->b, b),
                  else_eq = sym_binary(values, IR_EQ, left->c, b);
            if (then_eq != IR_NONE && else_eq != IR_NONE)
                return sym_ite(values, sym_at(values, a)->a, then_eq, else_eq);
        }
    }
    if (are_distinct_blocks(values, left, sym_at(values, b))) return sym_int(values, 0);
    bool both_addresses = left->kind == SYM_ADDR && sym_at(values, b)->kind == SYM_ADDR;
    if (both_addresses && are_apart(values, left->loc, sym_at(values, b)->loc))
        return sym_int(values, 0);
    return make_binary(values, IR_EQ, a, b);
}

static SymId make_less(Values *values, SymId a, SymId b)
{
    if (a == b) return sym_int(values, 0);
    // The start of the block and a pointer into it: only the distance counts.
    SymId resource = sym_at(values, a)->has_resource ? sym_resource(values) : IR_NONE;
    if (resource != IR_NONE && (a == resource || b == resource)) {
        SymId from = sym_resource_offset(values, a), to = sym_resource_offset(values, b);
        if (from != IR_NONE && to != IR_NONE) return sym_binary(values, IR_LT, from, to);
    }
    move_constant_right(values, &a, &b);
    int64_t bound;
    if (sym_is_int(values, b, &bound) && bound <= 0 && sym_at(values, a)->is_unsigned)
        return sym_int(values, 0);
    return make_binary(values, IR_LT, a, b);
}

// Identities of arithmetic; IR_NONE when none applies.
static SymId simplify_arithmetic(Values *values, IrOperator op, SymId a, SymId b)
{
    int64_t x = 0, y = 0;
    bool a_int = sym_is_int(values, a, &x), b_int = sym_is_int(values, b, &y);
    if (b_int && y == 0 &&
        (op == IR_ADD || op == IR_SUB || op == IR_OR || op == IR_XOR || op == IR_SHL ||
         op == IR_SHR))
        return a;
    if (b_int && y == 1 && (op == IR_MUL || op == IR_DIV)) return a;
    if (b_int && y == 0 && (op == IR_MUL || op == IR_AND)) return b;
    if (a_int && x == 0 && (op == IR_MUL || op == IR_AND || op == IR_SHL || op == IR_SHR)) return a;
    if (a == b && (op == IR_SUB || op == IR_XOR)) return sym_int(values, 0);
    if (a == b && (op == IR_AND || op == IR_OR)) return a;
    if (b_int && y == 1 && op == IR_AND && sym_at(values, a)->is_bool) return a;
    if (b_int && y == 1 && op == IR_OR && sym_at(values, a)->is_bool) return b;
    // (x | c) & d
    const Sym *or = sym_at(values, a);
    int64_t mask;
    if (op == IR_AND && b_int && or->kind == SYM_BINARY &&
        or->op == IR_OR && sym_is_int(values, or->b, &mask)) {
        if ((mask & y) == y) return b;
        if ((mask & y) == 0) return sym_binary(values, IR_AND, or->a, b);
    }
    // (x + c) + d
    const Sym *left = sym_at(values, a);
    int64_t inner;
    if (op == IR_ADD && b_int && left->kind == SYM_BINARY && left->op == IR_ADD &&
        sym_is_int(values, left->b, &inner))
        return sym_binary(values, IR_ADD, left->a,
                          sym_int(values, (int64_t)((uint64_t)inner + (uint64_t)y)));
    // (x + y) - y, (x - y) + y
    if (op == IR_SUB && left->kind == SYM_BINARY && left->op == IR_ADD && left->b == b)
        return left->a;
    if (op == IR_ADD && left->kind == SYM_BINARY && left->op == IR_SUB && left->b == b)
        return left->a;
    return IR_NONE;
}

SymId sym_binary(Values *values, IrOperator op, SymId a, SymId b)
{
    if (a == IR_NONE || b == IR_NONE) return IR_NONE;
    int64_t x, y, folded;
    SymId inner;
    switch (op) {
    case IR_NE:
        inner = sym_binary(values, IR_EQ, a, b);
        return inner == IR_NONE ? IR_NONE : sym_not(values, inner);
    case IR_GT:
        return sym_binary(values, IR_LT, b, a);
    case IR_LE:
        inner = sym_binary(values, IR_LT, b, a);
        return inner == IR_NONE ? IR_NONE : sym_not(values, inner);
    case IR_GE:
        inner = sym_binary(values, IR_LT, a, b);
        return inner == IR_NONE ? IR_NONE : sym_not(values, inner);
    default:
        break;
    }
    if (sym_is_int(values, a, &x) && sym_is_int(values, b, &y) && fold_int(op, x, y, &folded))
        return sym_int(values, folded);
    if (op == IR_EQ) return make_equal(values, a, b);
    if (op == IR_LT) return make_less(values, a, b);
    if (op == IR_ADD && sym_is_int(values, a, &x)) return sym_binary(values, IR_ADD, b, a);
    if (op == IR_SUB && sym_is_int(values, b, &y) && y != INT64_MIN)
        return sym_binary(values, IR_ADD, a, sym_int(values, -y));
    SymId simple = simplify_arithmetic(values, op, a, b);
    return simple != IR_NONE ? simple : make_binary(values, op, a, b);
}

SymId sym_unary(Values *values, IrOperator op, SymId a)
{
    if (a == IR_NONE) return IR_NONE;
    if (op == IR_NOT) return sym_not(values, a);
    if (op == IR_NEG) return sym_binary(values, IR_SUB, sym_int(values, 0), a);
    int64_t x;
    if (op == IR_BITNOT && sym_is_int(values, a, &x)) return sym_int(values, ~x);
    if (is_too_large(values, &a, 1)) return IR_NONE;
    Sym sym = blank(SYM_UNARY);
    sym.op = op;
    sym.a = a;
    return intern(values, sym);
}

SymId sym_ite(Values *values, SymId condition, SymId then, SymId otherwise)
{
    if (condition == IR_NONE || then == IR_NONE || otherwise == IR_NONE) return IR_NONE;
    int64_t c, t, e;
    if (then == otherwise) return then;
    SymId truth = sym_truth(values, condition);
    if (truth == IR_NONE) return IR_NONE;
    if (sym_is_int(values, truth, &c)) return c != 0 ? then : otherwise;
    if (sym_is_int(values, then, &t) && sym_is_int(values, otherwise, &e)) {
        if (t == 1 && e == 0) return truth;
        if (t == 0 && e == 1) return sym_not(values, truth);
    }
    if (is_too_large(values, (SymId[]){truth, then, otherwise}, 3)) return IR_NONE;
    Sym sym = blank(SYM_ITE);
    sym.a = truth;
    sym.b = then;
    sym.c = otherwise;
    return intern(values, sym);
}

SymId sym_pure(Values *values, IrCalleeId callee, const SymId *args, uint32_t count)
{
    Sym sym = blank(SYM_PURE);
    sym.value = callee;
    if (count == 0 || count > 3 || is_too_large(values, args, count)) return IR_NONE;
    sym.a = args[0];
    sym.b = count > 1 ? args[1] : IR_NONE;
    sym.c = count > 2 ? args[2] : IR_NONE;
    return intern(values, sym);
}

SymId sym_whole_object(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    if (sym->kind != SYM_ADDR) return id;
    const Loc *loc = loc_at(values, sym->loc);
    if (loc->kind != LOC_FIELD) return id;
    while (loc->kind == LOC_FIELD && str_starts_with(loc->field, "#base:"))
        loc = loc_at(values, loc->parent);
    if (loc->kind == LOC_INDEX && loc->index == 0) loc = loc_at(values, loc->parent);
    return loc->kind == LOC_MEM ? loc->sym : id;
}

ResourceRelation sym_resource_relation(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_RESOURCE) return RES_EXACT;
    if (!sym->has_resource) return RES_NONE;
    if (sym->kind == SYM_BINARY) {
        bool moves =
            sym->op == IR_ADD || sym->op == IR_SUB || sym->op == IR_AND || sym->op == IR_OR;
        return moves ? RES_DERIVED : RES_NONE;
    }
    if (sym->kind == SYM_ITE) {
        ResourceRelation then = sym_resource_relation(values, sym->b),
                         other = sym_resource_relation(values, sym->c);
        return then != RES_NONE ? then : other;
    }
    if (sym->kind != SYM_ADDR) return RES_NONE;
    bool is_whole = sym_at(values, sym_whole_object(values, id))->kind == SYM_RESOURCE;
    return is_whole ? RES_EXACT : RES_DERIVED;
}
