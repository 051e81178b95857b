// SPDX-License-Identifier: MIT
// Questions about the IR that every later stage asks: names of opcodes, successors of a block, and
// places and expressions as source-like text for messages.
#include "ir/ir.h"

#include <string.h>

// Deeper parts of an expression print as "...": a message has no room for them.
#define TEXT_DEPTH 24

bool ir_is_terminator(IrOpcode op)
{
    static const bool terminators[] = {
#define IR_OPCODE(name, text, is_terminator) is_terminator,
#include "ir/ops.def"
#undef IR_OPCODE
    };
    return terminators[op];
}

const char *ir_opcode_text(IrOpcode op)
{
    static const char *const texts[] = {
#define IR_OPCODE(name, text, is_terminator) text,
#include "ir/ops.def"
#undef IR_OPCODE
    };
    return texts[op];
}

const char *ir_operator_text(IrOperator op)
{
    static const char *const texts[] = {
#define IR_OPERATOR(name, text) text,
#include "ir/operators.def"
#undef IR_OPERATOR
    };
    return texts[op];
}

void ir_successors(const IrFunction *fn, IrBlockId block,
                   void (*visit)(void *context, IrBlockId successor), void *context)
{
    const IrBlock *it = &fn->blocks.items[block];
    if (it->instrs.len == 0) return;
    const IrInstr *last = vec_last(&it->instrs);
    if (ir_is_terminator(last->op)) {
        if (last->target != IR_NONE && last->op != IR_SWITCH) visit(context, last->target);
        if (last->other != IR_NONE) visit(context, last->other);
        for (uint32_t i = 0; i < last->case_count; i++) visit(context, last->cases[i].target);
        if (last->target != IR_NONE && last->op == IR_SWITCH) visit(context, last->target);
    }
    for (uint32_t i = 0; i < it->instrs.len; i++) {
        const IrCall *call = it->instrs.items[i].call;
        if (call != NULL && call->unwind != IR_NONE) visit(context, call->unwind);
    }
}

// ---- text -------------------------------------------------------------------------------------

const char *ir_captured_name(const char *field)
{
    bool is_capture = str_starts_with(field, IR_FIELD_REF) || str_starts_with(field, IR_FIELD_VAL);
    return is_capture ? field + strlen(IR_FIELD_REF) : NULL;
}

typedef struct {
    StrBuf *out;
    const IrUnit *unit;
    const IrFunction *fn;
} Text;

static void put_place(Text *text, IrPlaceId id, int depth);
static void put_expr(Text *text, IrExprId id, int depth);

static bool is_reference(const Text *text, IrPlaceId id)
{
    IrType type = ir_place(text->fn, id)->type;
    return type != IR_NONE && ir_type(text->unit, type)->kind == IR_TY_REFERENCE;
}

static void put_var(Text *text, IrVarId id)
{
    const IrVar *var = &text->fn->vars.items[id];
    bool is_unnamed = var->kind == IR_VAR_TEMP || var->name[0] == '\0';
    strbuf_append(text->out, is_unnamed ? "(...)" : var->name);
}

static void put_field(Text *text, const IrPlace *place, int depth)
{
    const IrPlace *base = ir_place(text->fn, place->base);
    const char *captured = ir_captured_name(place->field);
    if (captured) {
        strbuf_append(text->out, captured);
        return;
    }
    // The pointer inside a unique_ptr and a base subobject have no spelling of their own: name the
    // object.
    bool is_hidden = place->field[0] == '#';
    if (base->kind == IR_PL_DEREF && !is_reference(text, base->base) && !is_hidden) {
        put_place(text, base->base, depth - 1);
        strbuf_printf(text->out, "->%s", place->field);
        return;
    }
    put_place(text, place->base, depth - 1);
    if (!is_hidden) strbuf_printf(text->out, ".%s", place->field);
}

static void put_index(Text *text, const IrPlace *place, int depth)
{
    const IrPlace *base = ir_place(text->fn, place->base);
    bool is_through_pointer = base->kind == IR_PL_DEREF && !is_reference(text, base->base);
    IrPlaceId indexed = is_through_pointer ? base->base : place->base;
    const IrPlace *it = ir_place(text->fn, indexed);
    bool is_wrapped = it->kind == IR_PL_DEREF && !is_reference(text, it->base);
    if (is_wrapped) strbuf_append(text->out, "(");
    put_place(text, indexed, depth - 1);
    if (is_wrapped) strbuf_append(text->out, ")");
    strbuf_append(text->out, "[");
    if (place->index == IR_NONE)
        strbuf_append(text->out, "...");
    else
        put_expr(text, place->index, depth - 1);
    strbuf_append(text->out, "]");
}

static void put_place(Text *text, IrPlaceId id, int depth)
{
    if (depth <= 0) {
        strbuf_append(text->out, "...");
        return;
    }
    const IrPlace *place = ir_place(text->fn, id);
    switch (place->kind) {
    case IR_PL_VAR:
        put_var(text, place->var);
        break;
    case IR_PL_FIELD:
        put_field(text, place, depth);
        break;
    case IR_PL_DEREF:
        if (!is_reference(text, place->base)) strbuf_append(text->out, "*");
        put_place(text, place->base, depth - 1);
        break;
    case IR_PL_INDEX:
        put_index(text, place, depth);
        break;
    }
}

static void put_operand(Text *text, IrExprId id, int depth)
{
    bool is_binary = ir_expr_at(text->fn, id)->kind == IR_EX_BINARY;
    if (is_binary) strbuf_append(text->out, "(");
    put_expr(text, id, depth - 1);
    if (is_binary) strbuf_append(text->out, ")");
}

static void put_addr(Text *text, const IrExpr *expr, int depth)
{
    // An array that decays is written without its address-of.
    const IrPlace *place = ir_place(text->fn, expr->place);
    bool is_first = place->kind == IR_PL_INDEX && place->index != IR_NONE &&
                    ir_expr_at(text->fn, place->index)->kind == IR_EX_INT &&
                    ir_expr_at(text->fn, place->index)->value == 0;
    if (is_first && ir_place(text->fn, place->base)->kind != IR_PL_DEREF) {
        put_place(text, place->base, depth - 1);
        return;
    }
    strbuf_append(text->out, "&");
    put_place(text, expr->place, depth - 1);
}

static void put_int(Text *text, const IrExpr *expr)
{
    const IrTypeInfo *type = expr->type == IR_NONE ? NULL : ir_type(text->unit, expr->type);
    if (type != NULL && type->kind == IR_TY_POINTER && expr->value == 0)
        strbuf_append(text->out, "nullptr");
    else if (type != NULL && type->kind == IR_TY_BOOL)
        strbuf_append(text->out, expr->value ? "true" : "false");
    else if (type != NULL && type->is_unsigned)
        strbuf_printf(text->out, "%llu", (unsigned long long)expr->value);
    else
        strbuf_printf(text->out, "%lld", (long long)expr->value);
}

static void put_expr(Text *text, IrExprId id, int depth)
{
    if (depth <= 0) {
        strbuf_append(text->out, "...");
        return;
    }
    const IrExpr *expr = ir_expr_at(text->fn, id);
    switch (expr->kind) {
    case IR_EX_INT:
        put_int(text, expr);
        break;
    case IR_EX_FLOAT:
        strbuf_append(text->out, expr->text == NULL ? "..." : expr->text);
        break;
    case IR_EX_STRING:
        strbuf_printf(text->out, "\"%s\"", expr->text == NULL ? "" : expr->text);
        break;
    case IR_EX_LOAD:
        put_place(text, expr->place, depth - 1);
        break;
    case IR_EX_ADDR:
        put_addr(text, expr, depth);
        break;
    case IR_EX_FUNC:
        strbuf_append(text->out, text->unit->callees.items[expr->callee].qualified);
        break;
    case IR_EX_UNARY:
        strbuf_append(text->out, expr->op == IR_NEG ? "-" : ir_operator_text(expr->op));
        put_operand(text, expr->a, depth);
        break;
    case IR_EX_BINARY:
        put_operand(text, expr->a, depth);
        strbuf_printf(text->out, " %s ", ir_operator_text(expr->op));
        put_operand(text, expr->b, depth);
        break;
    case IR_EX_CAST:
        put_expr(text, expr->a, depth - 1);
        break;
    case IR_EX_SIZEOF: {
        bool has_type = expr->sizeof_type != IR_NONE;
        strbuf_printf(text->out, "sizeof(%s)",
                      has_type ? ir_type(text->unit, expr->sizeof_type)->name : "...");
        break;
    }
    case IR_EX_CLOSURE:
        strbuf_append(text->out, "lambda");
        break;
    case IR_EX_UNKNOWN:
        strbuf_append(text->out, "...");
        break;
    }
}

const char *ir_place_text(Arena *arena, const IrUnit *unit, const IrFunction *fn, IrPlaceId place)
{
    StrBuf out = {.arena = arena};
    put_place(&(Text){.out = &out, .unit = unit, .fn = fn}, place, TEXT_DEPTH);
    return strbuf_text(&out);
}

const char *ir_expr_text(Arena *arena, const IrUnit *unit, const IrFunction *fn, IrExprId expr)
{
    StrBuf out = {.arena = arena};
    put_expr(&(Text){.out = &out, .unit = unit, .fn = fn}, expr, TEXT_DEPTH);
    return strbuf_text(&out);
}

bool ir_type_is_volatile(const IrUnit *unit, IrType type)
{
    const IrTypeInfo *info = ir_type(unit, type);
    // Clang spells qualifiers of pointers behind the star, and those of others first.
    const char *name = info->name;
    const char *star = name ? strrchr(name, '*') : NULL;
    return name && strstr(star ? star : name, "volatile") != NULL;
}

const char *ir_storage_of(const IrUnit *unit, const IrFunction *fn, const IrPlace *place)
{
    IrType type = ir_place(fn, place->base)->type;
    if (type == IR_NONE || ir_type(unit, type)->kind != IR_TY_RECORD) return place->field;
    const IrRecord *record = &unit->records.items[ir_type(unit, type)->record];
    for (uint32_t i = 0; record->has_shared && i < record->fields.len; i++) {
        const IrField *field = &record->fields.items[i];
        if (field->shares && strcmp(field->name, place->field) == 0) return field->shares;
    }
    return place->field;
}
