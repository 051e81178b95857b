// SPDX-License-Identifier: MIT
// Places and expressions of the text form. The two share one syntax, so a parsed operand is either
// a place or a value; a place that is used as a value is loaded.
#include "ir/ir_parse_p.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
    bool is_place;
    bool
        // a place that still may be given another type by {TYPE}: it is `part`, not yet in the
        // function
        is_open;
    uint32_t id; // IrPlaceId or IrExprId
    IrPlace part;
} Operand;

static bool parse_binary(Parser *p, int floor, IrType expected, Operand *out);
static bool parse_unary(Parser *p, IrType expected, Operand *out);

static IrType type_of(const Parser *p, IrExprId expr)
{
    return ir_expr_at(p->fn, expr)->type;
}

// Enters an open place into the function.
static bool settle(Parser *p, Operand *operand)
{
    if (!operand->is_place || !operand->is_open) return true;
    const IrPlace *part = &operand->part;
    if (part->type == IR_NONE)
        return parse_fail(p, "the type of this place is not known; add it as {TYPE}");
    operand->is_open = false;
    switch (part->kind) {
    case IR_PL_VAR:
        operand->id = ir_place_var(p->unit, p->fn, part->var);
        break;
    case IR_PL_FIELD:
        operand->id = ir_place_field(p->unit, p->fn, part->base, part->field, part->type);
        break;
    case IR_PL_DEREF:
        operand->id = ir_place_deref(p->unit, p->fn, part->base, part->type);
        break;
    case IR_PL_INDEX:
        operand->id = ir_place_index(p->unit, p->fn, part->base, part->index, part->type);
        break;
    }
    return true;
}

static bool to_value(Parser *p, Operand *operand, IrExprId *value)
{
    if (!settle(p, operand)) return false;
    *value = operand->is_place ? ir_load(p->unit, p->fn, operand->id) : operand->id;
    return true;
}

static Operand as_value(IrExprId expr)
{
    return (Operand){.is_place = false, .id = expr};
}

// An optional ":TYPE" right behind; else *type stays.
static bool parse_annotation(Parser *p, IrType *type)
{
    if (!token_is(parse_peek(p), ":") || !parse_peek(p)->is_glued) return true;
    p->at++;
    return parse_type(p, type);
}

// ---- literals and keyword forms ---------------------------------------------------------------

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
        IrExpr expr = ir_blank_expr(IR_EX_FLOAT, float_type(p, expected));
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
    IrExpr expr = ir_blank_expr(IR_EX_STRING, IR_NONE);
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
    IrExpr expr = ir_blank_expr(IR_EX_FLOAT, float_type(p, expected));
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
    if (type_of(p, a) != type) {
        *out = as_value(ir_cast(p->unit, p->fn, a, type));
        return true;
    }
    // Two types of the front end may have one text; the cast between them is kept as written.
    IrExpr expr = ir_blank_expr(IR_EX_CAST, type);
    expr.a = a;
    *out = as_value(ir_expr(p->unit, p->fn, expr));
    return true;
}

// sizeof<T>, sizeof<T>(a), either with {bytes} when T's size is not known from the text
static bool parse_sizeof(Parser *p, Operand *out)
{
    IrExpr expr = ir_blank_expr(IR_EX_SIZEOF, parse_builtin(p, "u64"));
    if (!parse_expect(p, "<") || !parse_type(p, &expr.sizeof_type) || !parse_expect(p, ">"))
        return false;
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

// ref NAME = &x, val NAME = y
static bool parse_capture(Parser *p, IrCapture *capture)
{
    const Token *name;
    capture->by_reference = parse_accept(p, "ref");
    if (!capture->by_reference && !parse_expect(p, "val")) return false;
    if (!parse_name(p, &name) || !parse_expect(p, "=")) return false;
    const char *kind = capture->by_reference ? IR_FIELD_REF : IR_FIELD_VAL;
    capture->field = str_internf(p->unit->strings, "%s%s", kind, name->text);
    return parse_expr(p, IR_NONE, &capture->value);
}

// closure NAME[ref x = &x, val y = y]:T
static bool parse_closure(Parser *p, Operand *out)
{
    IrExpr expr = ir_blank_expr(IR_EX_CLOSURE, IR_NONE);
    Vec(IrCapture) captures = {0};
    if (!parse_callee_name(p, &expr.callee) || !parse_expect(p, "[")) return false;
    while (!parse_accept(p, "]")) {
        IrCapture capture;
        if (!parse_capture(p, &capture)) return false;
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

// ---- places -----------------------------------------------------------------------------------

// Makes the operand a part of the settled place it was, with the type which that has by itself.
static void project(Parser *p, Operand *operand, IrPlace part)
{
    part.base = operand->id;
    part.type = ir_natural_type(p->unit, p->fn, &part);
    operand->part = part;
    operand->is_open = true;
}

static bool parse_field(Parser *p, Operand *out)
{
    const Token *token = parse_peek(p);
    bool is_name = token->kind == TOK_WORD || token->kind == TOK_NAME;
    if (!is_name || token->ordinal != 0) return parse_fail(p, "expected a field");
    p->at++;
    project(p, out,
            (IrPlace){.kind = IR_PL_FIELD, .var = IR_NONE, .field = token->text, .index = IR_NONE});
    return true;
}

static const IrPlace deref_part = {.kind = IR_PL_DEREF, .var = IR_NONE, .index = IR_NONE};

// After "[": the index and "]". An index on a pointer goes through it, unless written ".[".
static bool parse_index(Parser *p, bool is_direct, Operand *out)
{
    if (!is_direct && ir_type_is_pointer_like(p->unit, ir_place(p->fn, out->id)->type)) {
        project(p, out, deref_part);
        if (!settle(p, out)) return false;
    }
    IrExprId index = IR_NONE;
    if (token_is(parse_peek(p), "?") && token_is(parse_peek_at(p, 1), "]"))
        p->at++;
    else if (!parse_expr(p, IR_NONE, &index))
        return false;
    project(p, out, (IrPlace){.kind = IR_PL_INDEX, .var = IR_NONE, .index = index});
    return parse_expect(p, "]");
}

static bool parse_arrow(Parser *p, Operand *out)
{
    project(p, out, deref_part);
    return settle(p, out) && parse_field(p, out);
}

// {TYPE} behind a part
static bool parse_part_type(Parser *p, Operand *out)
{
    if (!out->is_open) return parse_fail(p, "a variable has its type already");
    return parse_type(p, &out->part.type) && parse_expect(p, "}");
}

static bool is_postfix(const Token *token)
{
    bool is_one = token_is(token, ".") || token_is(token, "->") || token_is(token, "[") ||
                  token_is(token, "{");
    return is_one && token->is_glued;
}

static bool parse_postfix(Parser *p, Operand *out)
{
    while (is_postfix(parse_peek(p))) {
        if (!out->is_place) return parse_fail(p, "only a place has parts");
        if (parse_accept(p, "{")) {
            if (!parse_part_type(p, out)) return false;
            continue;
        }
        if (!settle(p, out)) return false;
        bool is_read;
        bool is_direct_index = token_is(parse_peek(p), ".") && token_is(parse_peek_at(p, 1), "[");
        if (is_direct_index)
            p->at += 2, is_read = parse_index(p, true, out);
        else if (parse_accept(p, "->"))
            is_read = parse_arrow(p, out);
        else if (parse_accept(p, "["))
            is_read = parse_index(p, false, out);
        else
            p->at++, is_read = parse_field(p, out);
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

// ---- operators --------------------------------------------------------------------------------

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
    if (!settle(p, out)) return false;
    IrType pointer = parse_pointer_to(p, ir_place(p->fn, out->id)->type);
    *out = as_value(ir_addr(p->unit, p->fn, out->id, pointer));
    return true;
}

static bool parse_deref(Parser *p, Operand *out)
{
    if (!parse_unary(p, IR_NONE, out)) return false;
    if (!out->is_place) return parse_fail(p, "only a place can be dereferenced");
    if (!settle(p, out)) return false;
    project(p, out, deref_part);
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
    if (is_negative)
        p->at++, is_read = parse_number(p, true, expected, out);
    else if (parse_accept(p, "-"))
        is_read = parse_unary_operator(p, IR_NEG, expected, out);
    else if (parse_accept(p, "~"))
        is_read = parse_unary_operator(p, IR_BITNOT, expected, out);
    else if (parse_accept(p, "!"))
        is_read = parse_unary_operator(p, IR_NOT, expected, out);
    else if (parse_accept(p, "&"))
        is_read = parse_address(p, out);
    else if (parse_accept(p, "*"))
        is_read = parse_deref(p, out);
    else
        is_read = parse_primary(p, expected, out) && parse_postfix(p, out);
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
        IrType type =
            is_comparison ? parse_builtin(p, "bool") : parse_unqualified(p, type_of(p, left));
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
    if (!settle(p, &operand)) return false;
    *place = operand.id;
    return true;
}
