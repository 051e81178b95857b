// SPDX-License-Identifier: MIT
// Places and expressions of the text form. The two share one syntax, so a parsed operand is either a place or a
// value; a place that is used as a value is loaded.
#include "ir/ir_parse_p.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
    bool is_place;
    uint32_t id; // IrPlaceId or IrExprId
} Operand;

static bool parse_binary(Parser *p, int floor, IrType expected, Operand *out);
static bool parse_unary(Parser *p, IrType expected, Operand *out);

static IrType type_of(const Parser *p, IrExprId expr)
{
    return ir_expr_at(p->fn, expr)->type;
}

static bool typed_place(Parser *p, IrPlaceId place)
{
    if (ir_place(p->fn, place)->type != IR_NONE) return true;
    return parse_fail(p, "the type of this place is not known; add it as {TYPE}");
}

static bool to_value(Parser *p, const Operand *operand, IrExprId *value)
{
    if (!operand->is_place) {
        *value = operand->id;
        return true;
    }
    if (!typed_place(p, operand->id)) return false;
    *value = ir_load(p->unit, p->fn, operand->id);
    return true;
}

static Operand as_value(IrExprId expr)
{
    return (Operand){.is_place = false, .id = expr};
}

static IrExpr blank_expr(IrExprKind kind, IrType type)
{
    return (IrExpr){.kind = kind, .type = type, .a = IR_NONE, .b = IR_NONE, .place = IR_NONE,
                    .sizeof_type = IR_NONE, .callee = IR_NONE};
}

// An optional ":TYPE" right behind; else *type stays.
static bool parse_annotation(Parser *p, IrType *type)
{
    if (!token_is(parse_peek(p), ":") || !parse_peek(p)->is_glued) return true;
    p->at++;
    return parse_type(p, type);
}

// ---- literals and keyword forms ---------------------------------------------------------------------

static IrType float_type(Parser *p, IrType expected)
{
    IrType context = ir_context_float(p->unit, expected);
    return context == IR_NONE ? parse_builtin(p, "double") : parse_unqualified(p, context);
}

static bool parse_number(Parser *p, bool is_negative, IrType expected, Operand *out)
{
    const Token *token = parse_peek(p);
    p->at++;
    if (ir_number_is_float(token->text)) {
        IrExpr expr = blank_expr(IR_EX_FLOAT, float_type(p, expected));
        if (!parse_annotation(p, &expr.type)) return false;
        expr.text = is_negative ? str_internf(p->unit->strings, "-%s", token->text) : token->text;
        *out = as_value(ir_expr(p->unit, p->fn, expr));
        return true;
    }
    char *end;
    errno = 0;
    uint64_t magnitude = strtoull(token->text, &end, 10);
    if (*end != '\0' || errno != 0) {
        p->at--;
        return parse_fail(p, "bad number '%s'", token->text);
    }
    IrType context = ir_context_int(p->unit, expected);
    IrType type = context == IR_NONE ? parse_builtin(p, "int") : parse_unqualified(p, context);
    if (!parse_annotation(p, &type)) return false;
    int64_t value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
    *out = as_value(ir_int(p->unit, p->fn, value, type));
    return true;
}

static bool parse_string(Parser *p, Operand *out)
{
    IrExpr expr = blank_expr(IR_EX_STRING, IR_NONE);
    expr.text = parse_peek(p)->text;
    p->at++;
    IrTypeInfo chars = *ir_type(p->unit, parse_builtin(p, "char"));
    chars.is_const = true;
    chars.name = "const char";
    expr.type = parse_pointer_to(p, ir_type_add(p->unit, chars));
    if (!parse_annotation(p, &expr.type)) return false;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

// "float?" and "float`text`": constants whose literal is not a plain number.
static bool parse_odd_float(Parser *p, IrType expected, Operand *out)
{
    IrExpr expr = blank_expr(IR_EX_FLOAT, float_type(p, expected));
    if (parse_peek(p)->kind == TOK_NAME) {
        expr.text = parse_peek(p)->text;
        p->at++;
    } else if (!parse_expect(p, "?")) {
        return false;
    }
    if (!parse_annotation(p, &expr.type)) return false;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

// cast<T>(a)
static bool parse_cast(Parser *p, Operand *out)
{
    IrType type;
    IrExprId a;
    if (!parse_expect(p, "<") || !parse_type(p, &type) || !parse_expect(p, ">")) return false;
    if (!parse_expect(p, "(") || !parse_expr(p, IR_NONE, &a) || !parse_expect(p, ")")) return false;
    *out = as_value(ir_cast(p->unit, p->fn, a, type));
    return true;
}

// sizeof<T>, sizeof<T>(a), either with {bytes} when T's size is not known from the text
static bool parse_sizeof(Parser *p, Operand *out)
{
    IrExpr expr = blank_expr(IR_EX_SIZEOF, parse_builtin(p, "u64"));
    if (!parse_expect(p, "<") || !parse_type(p, &expr.sizeof_type) || !parse_expect(p, ">")) return false;
    expr.value = (int64_t)ir_textual_size(p->unit, expr.sizeof_type);
    if (parse_accept(p, "(")) {
        if (!parse_expr(p, IR_NONE, &expr.a) || !parse_expect(p, ")")) return false;
    }
    if (parse_accept(p, "{")) {
        uint64_t value;
        if (!parse_uint(p, INT64_MAX, &value) || !parse_expect(p, "}")) return false;
        expr.value = (int64_t)value;
    }
    if (!parse_annotation(p, &expr.type)) return false;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

static bool parse_callee_name(Parser *p, IrCalleeId *callee)
{
    const Token *name;
    if (!parse_name(p, &name)) return false;
    *callee = name_map_find(&p->callees, name);
    if (*callee != IR_NONE) return true;
    p->at--;
    return parse_fail(p, "unknown callee '%s'", name->text);
}

static bool parse_function_address(Parser *p, Operand *out)
{
    IrCalleeId callee;
    if (!parse_callee_name(p, &callee)) return false;
    IrType type = parse_pointer_to(p, parse_builtin(p, "void"));
    if (!parse_annotation(p, &type)) return false;
    *out = as_value(ir_func(p->unit, p->fn, callee, type));
    return true;
}

// closure NAME[ref &x, val y]:T
static bool parse_closure(Parser *p, Operand *out)
{
    IrExpr expr = blank_expr(IR_EX_CLOSURE, IR_NONE);
    Vec(IrCapture) captures = {0};
    if (!parse_callee_name(p, &expr.callee) || !parse_expect(p, "[")) return false;
    while (!parse_accept(p, "]")) {
        IrCapture capture = {.by_reference = parse_accept(p, "ref")};
        if (!capture.by_reference && !parse_expect(p, "val")) return false;
        if (!parse_expr(p, IR_NONE, &capture.value)) return false;
        vec_push(p->unit->arena, &captures, capture);
        if (!parse_accept(p, ",") && !token_is(parse_peek(p), "]")) return parse_expect(p, "]");
    }
    expr.captures = captures.items;
    expr.capture_count = captures.len;
    expr.type = parse_builtin(p, "void");
    if (!parse_annotation(p, &expr.type)) return false;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

// ?(T)
static bool parse_unknown(Parser *p, Operand *out)
{
    IrType type;
    if (!parse_expect(p, "(") || !parse_type(p, &type) || !parse_expect(p, ")")) return false;
    *out = as_value(ir_unknown(p->unit, p->fn, type));
    return true;
}

// ---- places -----------------------------------------------------------------------------------------

// Adds the projection with the type it has by itself.
static IrPlaceId project(Parser *p, IrPlace place)
{
    IrType type = ir_natural_type(p->unit, p->fn, &place);
    switch (place.kind) {
    case IR_PL_VAR: return ir_place_var(p->unit, p->fn, place.var);
    case IR_PL_FIELD: return ir_place_field(p->unit, p->fn, place.base, place.field, type);
    case IR_PL_DEREF: return ir_place_deref(p->unit, p->fn, place.base, type);
    case IR_PL_INDEX: return ir_place_index(p->unit, p->fn, place.base, place.index, type);
    }
    return IR_NONE;
}

static IrPlaceId retype_place(Parser *p, IrPlaceId id, IrType type)
{
    IrPlace place = *ir_place(p->fn, id);
    switch (place.kind) {
    case IR_PL_VAR: return id;
    case IR_PL_FIELD: return ir_place_field(p->unit, p->fn, place.base, place.field, type);
    case IR_PL_DEREF: return ir_place_deref(p->unit, p->fn, place.base, type);
    case IR_PL_INDEX: return ir_place_index(p->unit, p->fn, place.base, place.index, type);
    }
    return id;
}

static bool parse_field(Parser *p, IrPlaceId *place)
{
    const Token *token = parse_peek(p);
    bool is_name = token->kind == TOK_WORD || token->kind == TOK_NAME;
    if (!is_name || token->ordinal != 0) return parse_fail(p, "expected a field");
    p->at++;
    *place = project(p, (IrPlace){.kind = IR_PL_FIELD, .base = *place, .field = token->text});
    return true;
}

// After "[": the index and "]". An index on a pointer goes through it, unless written ".[".
static bool parse_index(Parser *p, bool is_direct, IrPlaceId *place)
{
    IrPlaceId base = *place;
    if (!is_direct && ir_type_is_pointer_like(p->unit, ir_place(p->fn, base)->type)) {
        base = project(p, (IrPlace){.kind = IR_PL_DEREF, .base = base});
        if (!typed_place(p, base)) return false;
    }
    IrExprId index = IR_NONE;
    if (token_is(parse_peek(p), "?") && token_is(parse_peek_at(p, 1), "]")) p->at++;
    else if (!parse_expr(p, IR_NONE, &index)) return false;
    *place = project(p, (IrPlace){.kind = IR_PL_INDEX, .base = base, .index = index});
    return parse_expect(p, "]");
}

static bool parse_arrow(Parser *p, IrPlaceId *place)
{
    *place = project(p, (IrPlace){.kind = IR_PL_DEREF, .base = *place});
    return typed_place(p, *place) && parse_field(p, place);
}

static bool is_postfix(const Token *token)
{
    bool is_one = token_is(token, ".") || token_is(token, "->") || token_is(token, "[") || token_is(token, "{");
    return is_one && token->is_glued;
}

static bool parse_postfix(Parser *p, Operand *out)
{
    while (is_postfix(parse_peek(p))) {
        if (!out->is_place) return parse_fail(p, "only a place has parts");
        if (parse_accept(p, "{")) {
            IrType type;
            if (!parse_type(p, &type) || !parse_expect(p, "}")) return false;
            out->id = retype_place(p, out->id, type);
            continue;
        }
        if (!typed_place(p, out->id)) return false;
        bool is_read;
        if (parse_accept(p, "->")) is_read = parse_arrow(p, &out->id);
        else if (parse_accept(p, "[")) is_read = parse_index(p, false, &out->id);
        else if (token_is(parse_peek_at(p, 1), "[")) p->at += 2, is_read = parse_index(p, true, &out->id);
        else p->at++, is_read = parse_field(p, &out->id);
        if (!is_read) return false;
    }
    return true;
}

static bool parse_variable(Parser *p, Operand *out)
{
    const Token *name;
    if (!parse_name(p, &name)) return false;
    IrVarId var = name_map_find(&p->vars, name);
    if (var == IR_NONE) {
        p->at--;
        return parse_fail(p, "unknown variable '%s'", name->text);
    }
    *out = (Operand){.is_place = true, .id = ir_place_var(p->unit, p->fn, var)};
    return true;
}

// ---- operators --------------------------------------------------------------------------------------

// (x), or (x):T which is x with another type than it has by itself.
static bool parse_group(Parser *p, IrType expected, Operand *out)
{
    if (!parse_binary(p, 1, expected, out) || !parse_expect(p, ")")) return false;
    if (!token_is(parse_peek(p), ":") || !parse_peek(p)->is_glued) return true;
    IrExprId value;
    IrType type;
    if (!to_value(p, out, &value) || !parse_annotation(p, &type)) return false;
    IrExpr expr = *ir_expr_at(p->fn, value);
    expr.type = type;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

static bool parse_primary(Parser *p, IrType expected, Operand *out)
{
    const Token *token = parse_peek(p);
    if (token->kind == TOK_NUMBER) return parse_number(p, false, expected, out);
    if (token->kind == TOK_STRING) return parse_string(p, out);
    if (parse_accept(p, "(")) return parse_group(p, expected, out);
    if (parse_accept(p, "?")) return parse_unknown(p, out);
    if (parse_accept(p, "cast")) return parse_cast(p, out);
    if (parse_accept(p, "sizeof")) return parse_sizeof(p, out);
    if (parse_accept(p, "fn")) return parse_function_address(p, out);
    if (parse_accept(p, "closure")) return parse_closure(p, out);
    if (parse_accept(p, "float")) return parse_odd_float(p, expected, out);
    if (token->kind == TOK_WORD || token->kind == TOK_NAME) return parse_variable(p, out);
    return parse_fail(p, "expected an expression");
}

static bool parse_address(Parser *p, Operand *out)
{
    if (!parse_unary(p, IR_NONE, out)) return false;
    if (!out->is_place) return parse_fail(p, "only a place has an address");
    if (!typed_place(p, out->id)) return false;
    IrType pointer = parse_pointer_to(p, ir_place(p->fn, out->id)->type);
    *out = as_value(ir_addr(p->unit, p->fn, out->id, pointer));
    return true;
}

static bool parse_deref(Parser *p, Operand *out)
{
    if (!parse_unary(p, IR_NONE, out)) return false;
    if (!out->is_place) return parse_fail(p, "only a place can be dereferenced");
    if (!typed_place(p, out->id)) return false;
    out->id = project(p, (IrPlace){.kind = IR_PL_DEREF, .base = out->id});
    return true;
}

static bool parse_unary_operator(Parser *p, IrOperator op, IrType expected, Operand *out)
{
    IrExprId a;
    IrType context = op == IR_NOT ? IR_NONE : expected;
    if (!parse_unary(p, context, out) || !to_value(p, out, &a)) return false;
    IrType type = op == IR_NOT ? parse_builtin(p, "bool") : parse_unqualified(p, type_of(p, a));
    *out = as_value(ir_unary(p->unit, p->fn, op, a, type));
    return true;
}

static bool parse_unary(Parser *p, IrType expected, Operand *out)
{
    if (++p->depth > PARSE_MAX_DEPTH) return parse_fail(p, "expression is nested too deeply");
    bool is_read;
    bool is_negative = token_is(parse_peek(p), "-") && parse_peek_at(p, 1)->kind == TOK_NUMBER;
    if (is_negative) p->at++, is_read = parse_number(p, true, expected, out);
    else if (parse_accept(p, "-")) is_read = parse_unary_operator(p, IR_NEG, expected, out);
    else if (parse_accept(p, "~")) is_read = parse_unary_operator(p, IR_BITNOT, expected, out);
    else if (parse_accept(p, "!")) is_read = parse_unary_operator(p, IR_NOT, expected, out);
    else if (parse_accept(p, "&")) is_read = parse_address(p, out);
    else if (parse_accept(p, "*")) is_read = parse_deref(p, out);
    else is_read = parse_primary(p, expected, out) && parse_postfix(p, out);
    p->depth--;
    return is_read;
}

static bool binary_operator(const Token *token, IrOperator *op)
{
    // A line ends what it holds: the next may begin with a star.
    if (token->kind != TOK_PUNCT || token->is_first) return false;
    for (int i = IR_ADD; i <= IR_GE; i++) {
        *op = (IrOperator)i;
        if (strcmp(ir_operator_text(*op), token->text) == 0) return true;
    }
    return false;
}

static bool parse_binary(Parser *p, int floor, IrType expected, Operand *out)
{
    if (!parse_unary(p, expected, out)) return false;
    IrOperator op;
    while (binary_operator(parse_peek(p), &op) && ir_operator_precedence(op) >= floor) {
        IrExprId left, right;
        p->at++;
        if (!to_value(p, out, &left)) return false;
        IrType context = ir_context_right(p->unit, op, type_of(p, left));
        if (!parse_binary(p, ir_operator_precedence(op) + 1, context, out)) return false;
        if (!to_value(p, out, &right)) return false;
        bool is_comparison = ir_operator_is_comparison(op);
        IrType type = is_comparison ? parse_builtin(p, "bool") : parse_unqualified(p, type_of(p, left));
        *out = as_value(ir_binary(p->unit, p->fn, op, left, right, type));
    }
    return true;
}

bool parse_expr(Parser *p, IrType expected, IrExprId *expr)
{
    Operand operand;
    return parse_binary(p, 1, expected, &operand) && to_value(p, &operand, expr);
}

bool parse_place(Parser *p, IrPlaceId *place)
{
    Operand operand;
    if (!parse_unary(p, IR_NONE, &operand)) return false;
    if (!operand.is_place) return parse_fail(p, "expected a place");
    *place = operand.id;
    return typed_place(p, *place);
}
