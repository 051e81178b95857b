// SPDX-License-Identifier: MIT
// Places and expressions of the printed IR, written as in C. A type is added only where the parser
// would not find the same one by itself.
#include "ir/ir_print_p.h"

// Deeper parts print as unknown values: the parser does not take more, and no source is nested like
// that.
#define PRINT_MAX_DEPTH 200

typedef Vec(uint32_t) IdList;

static uint32_t class_of(const Printer *p, IrType type)
{
    return type < p->unit->types.len ? p->class_of[type] : IR_NONE;
}

static uint32_t bare_class_of(const Printer *p, IrType type)
{
    return type < p->unit->types.len ? p->bare_class_of[type] : IR_NONE;
}

static IrType type_of(const Printer *p, IrExprId expr)
{
    return ir_expr_at(p->fn, expr)->type;
}

void put_var(Printer *p, IrVarId var)
{
    if (p->is_dry) {
        if (p->plan->forms[var] == VAR_ABSENT) p->plan->forms[var] = VAR_LISTED;
        return;
    }
    put(p, p->plan->labels[var]);
}

// ---- places -----------------------------------------------------------------------------------

// Variable first, `place` last.
static IdList place_chain(Printer *p, IrPlaceId place)
{
    IdList chain = {0};
    for (IrPlaceId at = place; at != IR_NONE; at = ir_place(p->fn, at)->base) {
        vec_push(p->arena, &chain, at);
        if (ir_place(p->fn, at)->kind == IR_PL_VAR) break;
    }
    for (uint32_t i = 0, k = chain.len - 1; i < k; i++, k--) {
        uint32_t swapped = chain.items[i];
        chain.items[i] = chain.items[k];
        chain.items[k] = swapped;
    }
    return chain;
}

static bool is_natural(const Printer *p, const IrPlace *place)
{
    return class_of(p, ir_natural_type(p->unit, p->fn, place)) == class_of(p, place->type);
}

// Whether the dereference and what follows it are written as one: p->f, p[i].
static bool merges(const Printer *p, const IrPlace *deref, const IrPlace *next)
{
    if (!is_natural(p, deref)) return false;
    if (next->kind == IR_PL_FIELD) return true;
    return next->kind == IR_PL_INDEX &&
           ir_type_is_pointer_like(p->unit, ir_place(p->fn, deref->base)->type);
}

static void put_index(Printer *p, const IrPlace *place)
{
    put(p, "[");
    if (place->index == IR_NONE)
        put(p, "?");
    else
        put_expr(p, place->index, IR_NONE);
    put(p, "]");
}

static void put_place_type(Printer *p, const IrPlace *place)
{
    if (is_natural(p, place)) return;
    put(p, "{");
    put_type(p, place->type);
    put(p, "}");
}

// Puts `before` in front of what has been written since p->out was opened.
static void wrap(Printer *p, const char *before, const char *after)
{
    if (p->is_dry) return;
    StrBuf wrapped = {.arena = p->arena};
    strbuf_append(&wrapped, before);
    strbuf_append(&wrapped, strbuf_text(p->out));
    strbuf_append(&wrapped, after);
    *p->out = wrapped;
}

// Writes projection `i` of the chain, together with the next where they merge; returns the index
// after it. *is_prefixed: the text so far begins with a star that binds weaker than what may
// follow.
static uint32_t put_projection(Printer *p, const IdList *chain, uint32_t i, bool *is_prefixed)
{
    const IrPlace *place = ir_place(p->fn, chain->items[i]);
    const IrPlace *next = i + 1 < chain->len ? ir_place(p->fn, chain->items[i + 1]) : NULL;
    bool is_merged = place->kind == IR_PL_DEREF && next != NULL && merges(p, place, next);
    if (*is_prefixed && (place->kind != IR_PL_DEREF || is_merged)) {
        wrap(p, "(", ")");
        *is_prefixed = false;
    }
    if (is_merged && next->kind == IR_PL_FIELD) {
        put(p, "->");
        put_name(p, next->field);
        put_place_type(p, next);
    } else if (is_merged) {
        put_index(p, next);
        put_place_type(p, next);
    } else if (place->kind == IR_PL_DEREF) {
        *is_prefixed = is_natural(p, place);
        wrap(p, *is_prefixed ? "*" : "(*", *is_prefixed ? "" : ")");
        put_place_type(p, place);
    } else if (place->kind == IR_PL_FIELD) {
        put(p, ".");
        put_name(p, place->field);
        put_place_type(p, place);
    } else {
        bool is_direct = ir_type_is_pointer_like(p->unit, ir_place(p->fn, place->base)->type);
        if (is_direct) put(p, ".");
        put_index(p, place);
        put_place_type(p, place);
    }
    return i + (is_merged ? 2 : 1);
}

void put_place(Printer *p, IrPlaceId id)
{
    IdList chain = place_chain(p, id);
    StrBuf text = {.arena = p->arena};
    StrBuf *out = p->out;
    p->out = &text;
    bool is_prefixed = false;
    put_var(p, ir_place(p->fn, chain.items[0])->var);
    for (uint32_t i = 1; i < chain.len;) i = put_projection(p, &chain, i, &is_prefixed);
    p->out = out;
    put(p, strbuf_text(&text));
}

// ---- leaves -----------------------------------------------------------------------------------

static void put_annotation(Printer *p, IrType type)
{
    put(p, ":");
    put_type(p, type);
}

static void put_annotation_unless(Printer *p, IrType type, uint32_t class)
{
    if (class_of(p, type) != class) put_annotation(p, type);
}

static void put_int(Printer *p, const IrExpr *expr, IrType expected)
{
    bool is_unsigned = expr->type != IR_NONE && ir_type(p->unit, expr->type)->is_unsigned;
    if (is_unsigned)
        put_format(p, "%llu", (unsigned long long)expr->value);
    else
        put_format(p, "%lld", (long long)expr->value);
    IrType context = ir_context_int(p->unit, expected);
    put_annotation_unless(p, expr->type,
                          context == IR_NONE ? p->int_class : bare_class_of(p, context));
}

static void put_float(Printer *p, const IrExpr *expr, IrType expected)
{
    if (expr->text == NULL) {
        put(p, "float?");
    } else if (ir_float_is_plain(expr->text)) {
        put(p, expr->text);
    } else {
        put(p, "float");
        put_quoted(p, expr->text, '`');
    }
    IrType context = ir_context_float(p->unit, expected);
    put_annotation_unless(p, expr->type,
                          context == IR_NONE ? p->double_class : bare_class_of(p, context));
}

static void put_sizeof(Printer *p, const IrExpr *expr)
{
    put(p, "sizeof<");
    put_type(p, expr->sizeof_type);
    put(p, ">");
    if (expr->a != IR_NONE) {
        put(p, "(");
        put_expr(p, expr->a, IR_NONE);
        put(p, ")");
    }
    bool has_type = expr->sizeof_type < p->unit->types.len;
    bool is_known =
        has_type && ir_textual_size(p->unit, expr->sizeof_type) == (uint64_t)expr->value;
    if (!is_known) put_format(p, "{%lld}", (long long)expr->value);
    put_annotation_unless(p, expr->type, p->u64_class);
}

static void put_closure(Printer *p, const IrExpr *expr)
{
    put(p, "closure ");
    put_callee(p, expr->callee);
    put(p, "[");
    for (uint32_t i = 0; i < expr->capture_count; i++) {
        put(p, i == 0 ? "" : ", ");
        put(p, expr->captures[i].by_reference ? "ref " : "val ");
        put_name(p, ir_captured_name(expr->captures[i].field));
        put(p, " = ");
        put_expr(p, expr->captures[i].value, IR_NONE);
    }
    put(p, "]");
    put_annotation(p, expr->type);
}

// ---- operators --------------------------------------------------------------------------------

static bool is_pointer_to_place(const Printer *p, const IrExpr *expr)
{
    if (expr->type == IR_NONE) return false;
    const IrTypeInfo *info = ir_type(p->unit, expr->type);
    bool is_plain = info->kind == IR_TY_POINTER && !info->is_const;
    return is_plain &&
           class_of(p, info->pointee) == class_of(p, ir_place(p->fn, expr->place)->type);
}

// Whether the parser gives the expression its type without being told.
static bool is_natural_expr(const Printer *p, const IrExpr *expr)
{
    uint32_t class = class_of(p, expr->type);
    switch (expr->kind) {
    case IR_EX_LOAD:
        return class == class_of(p, ir_place(p->fn, expr->place)->type);
    case IR_EX_ADDR:
        return is_pointer_to_place(p, expr);
    case IR_EX_UNARY:
        return class ==
               (expr->op == IR_NOT ? p->bool_class : bare_class_of(p, type_of(p, expr->a)));
    case IR_EX_BINARY:
        if (ir_operator_is_comparison(expr->op)) return class == p->bool_class;
        return class == bare_class_of(p, type_of(p, expr->a));
    case IR_EX_INT:
    case IR_EX_FLOAT:
    case IR_EX_STRING:
    case IR_EX_FUNC:
    case IR_EX_CAST:
    case IR_EX_SIZEOF:
    case IR_EX_CLOSURE:
    case IR_EX_UNKNOWN:
        return true; // these carry their types themselves
    }
    return true;
}

static void put_operand(Printer *p, IrExprId id, IrType expected, int floor)
{
    const IrExpr *expr = ir_expr_at(p->fn, id);
    bool is_wrapped = expr->kind == IR_EX_BINARY && is_natural_expr(p, expr) &&
                      ir_operator_precedence(expr->op) < floor;
    if (is_wrapped) put(p, "(");
    put_expr(p, id, expected);
    if (is_wrapped) put(p, ")");
}

static void put_unary(Printer *p, const IrExpr *expr, IrType expected)
{
    put(p, expr->op == IR_NEG ? "-" : ir_operator_text(expr->op));
    // "-5" would be read as a literal.
    IrExprKind kind = ir_expr_at(p->fn, expr->a)->kind;
    bool is_literal = kind == IR_EX_INT || kind == IR_EX_FLOAT;
    if (is_literal) put(p, "(");
    put_operand(p, expr->a, expr->op == IR_NOT ? IR_NONE : expected, 99);
    if (is_literal) put(p, ")");
}

// a + b + c without recursion into the left operand: such chains get long.
static void put_binary(Printer *p, IrExprId id, IrType expected)
{
    IdList spine = {0};
    for (;;) {
        const IrExpr *expr = ir_expr_at(p->fn, id);
        const IrExpr *left = ir_expr_at(p->fn, expr->a);
        vec_push(p->arena, &spine, id);
        bool is_chain = left->kind == IR_EX_BINARY && is_natural_expr(p, left) &&
                        ir_operator_precedence(left->op) >= ir_operator_precedence(expr->op);
        if (!is_chain) break;
        id = expr->a;
    }
    const IrExpr *first = ir_expr_at(p->fn, *vec_last(&spine));
    put_operand(p, first->a, expected, ir_operator_precedence(first->op));
    while (spine.len != 0) {
        const IrExpr *expr = ir_expr_at(p->fn, spine.items[--spine.len]);
        put_format(p, " %s ", ir_operator_text(expr->op));
        IrType context = ir_context_right(p->unit, expr->op, type_of(p, expr->a));
        put_operand(p, expr->b, context, ir_operator_precedence(expr->op) + 1);
    }
}

static void put_cast(Printer *p, const IrExpr *expr)
{
    put(p, "cast<");
    put_type(p, expr->type);
    put(p, ">(");
    put_expr(p, expr->a, IR_NONE);
    put(p, ")");
}

static void put_unknown(Printer *p, IrType type)
{
    put(p, "?(");
    put_type(p, type);
    put(p, ")");
}

static void put_bare(Printer *p, IrExprId id, IrType expected)
{
    const IrExpr *expr = ir_expr_at(p->fn, id);
    switch (expr->kind) {
    case IR_EX_INT:
        put_int(p, expr, expected);
        break;
    case IR_EX_FLOAT:
        put_float(p, expr, expected);
        break;
    case IR_EX_STRING:
        put_quoted(p, expr->text == NULL ? "" : expr->text, '"');
        put_annotation_unless(p, expr->type, p->string_class);
        break;
    case IR_EX_LOAD:
        put_place(p, expr->place);
        break;
    case IR_EX_ADDR:
        put(p, "&");
        put_place(p, expr->place);
        break;
    case IR_EX_FUNC:
        put(p, "fn ");
        put_callee(p, expr->callee);
        put_annotation_unless(p, expr->type, p->void_pointer_class);
        break;
    case IR_EX_UNARY:
        put_unary(p, expr, expected);
        break;
    case IR_EX_BINARY:
        put_binary(p, id, expected);
        break;
    case IR_EX_CAST:
        put_cast(p, expr);
        break;
    case IR_EX_SIZEOF:
        put_sizeof(p, expr);
        break;
    case IR_EX_CLOSURE:
        put_closure(p, expr);
        break;
    case IR_EX_UNKNOWN:
        put_unknown(p, expr->type);
        break;
    }
}

void put_expr(Printer *p, IrExprId id, IrType expected)
{
    const IrExpr *expr = ir_expr_at(p->fn, id);
    if (p->depth >= PRINT_MAX_DEPTH) {
        put_unknown(p, expr->type);
        return;
    }
    p->depth++;
    bool is_natural_type = is_natural_expr(p, expr);
    if (!is_natural_type) put(p, "(");
    put_bare(p, id, expected);
    if (!is_natural_type) {
        put(p, ")");
        put_annotation(p, expr->type);
    }
    p->depth--;
}
