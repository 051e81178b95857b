// SPDX-License-Identifier: MIT
// What messages call a resource: the place that it is stored in first, in the words of the source.
#include "engine/search.h"

#include <ctype.h>

// Members go by their own names.
static const char *without_this(const char *text)
{
    return str_starts_with(text, "this->") ? text + strlen("this->") : text;
}

const char *engine_argument_text(EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    if (expr->kind == IR_EX_ADDR)
        return without_this(ir_place_text(ef->arena, ef->unit, ef->fn, expr->place));
    const char *text = ir_expr_text(ef->arena, ef->unit, ef->fn, id);
    bool is_compound = expr->kind == IR_EX_BINARY || expr->kind == IR_EX_UNARY;
    return arena_printf(ef->arena, is_compound ? "*(%s)" : "*%s", text);
}

// ---- what calls give -----------------------------------------------------------------------------

bool engine_is_unnamed(const char *text)
{
    const char *at = strstr(text, "(...)");
    bool is_call = at && at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    return at && !is_call;
}

static IrVarId root_of(const IrFunction *fn, IrPlaceId place)
{
    while (ir_place(fn, place)->kind != IR_PL_VAR) place = ir_place(fn, place)->base;
    return ir_place(fn, place)->var;
}

// Instructions before a call among which the one that made its argument is looked for.
#define LOOK_BACK 8

// The call before instruction number `i` that made the temporary; NULL.
static const IrCall *made_by(const EngineFn *ef, const IrBlock *block, uint32_t i,
                             IrVarId temporary)
{
    for (uint32_t back = 1; back <= i && back <= LOOK_BACK; back++) {
        const IrInstr *instr = &block->instrs.items[i - back];
        bool makes_it = instr->op == IR_CALL && instr->call->dst != IR_NONE &&
                        root_of(ef->fn, instr->call->dst) == temporary;
        if (makes_it) return instr->call;
    }
    return NULL;
}

static const char *plain_text(EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) id = expr->a, expr = ir_expr_at(ef->fn, id);
    return ir_expr_text(ef->arena, ef->unit, ef->fn, id);
}

// The object of a method call with what joins it to the method's name: "v.", "ctx->", "".
static const char *object_text(EngineFn *ef, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    if (expr->kind == IR_EX_ADDR)
        return arena_printf(ef->arena, "%s.",
                            without_this(ir_place_text(ef->arena, ef->unit, ef->fn, expr->place)));
    const char *text = plain_text(ef, id);
    return strcmp(text, "this") == 0 ? "" : arena_printf(ef->arena, "%s->", text);
}

// The call as it stands in the source, long arguments left out: "v[i]", "pool.take(...)".
static const char *call_text(EngineFn *ef, const IrCall *call)
{
    if (call->callee == IR_NONE) return "the result";
    const IrCallee *callee = &ef->unit->callees.items[call->callee];
    bool has_object = callee->is_method && call->arg_count > 0;
    const char *object = has_object ? object_text(ef, call->args[0]) : "";
    uint32_t written = call->arg_count - (has_object ? 1 : 0);
    const char *last = written > 0 ? plain_text(ef, call->args[call->arg_count - 1]) : "";
    if (engine_is_unnamed(object)) return "the result";
    if (strcmp(callee->name, "operator[]") == 0 && has_object && written == 1)
        return arena_printf(ef->arena, "%.*s[%s]", (int)strlen(object) - 1, object,
                            engine_is_unnamed(last) ? "..." : last);
    if (str_starts_with(callee->name, "operator")) return "the result";
    bool is_short = written == 0 || (written == 1 && strlen(last) <= 20 && !strchr(last, '('));
    return arena_printf(ef->arena, "%s%s(%s)", object, callee->name, is_short ? last : "...");
}

// The text of a place in a temporary, with the call that made the temporary in its place.
static const char *with_call(EngineFn *ef, const IrBlock *block, uint32_t i, const char *text,
                             IrPlaceId place)
{
    const char *at = strstr(text, "(...)");
    const IrCall *call = at ? made_by(ef, block, i, root_of(ef->fn, place)) : NULL;
    if (!call || call->callee == IR_NONE) return text;
    const IrCallee *callee = &ef->unit->callees.items[call->callee];
    const char *inner = call_text(ef, call), *rest = at + strlen("(...)");
    int before = (int)(at - text);
    bool is_reference =
        callee->result != IR_NONE && ir_type(ef->unit, callee->result)->kind == IR_TY_REFERENCE;
    if (strcmp(inner, "the result") == 0) return text;
    if (is_reference && before > 0 && at[-1] == '*') before--;
    if (is_reference && str_starts_with(rest, "->"))
        return arena_printf(ef->arena, "%.*s%s.%s", before, text, inner, rest + 2);
    return arena_printf(ef->arena, "%.*s%s%s", before, text, inner, rest);
}

// Which variable instruction number `i` of the block, or one just behind it, copies the temporary to;
// NULL: none.
static const char *text_of_copy(EngineFn *ef, const IrBlock *block, uint32_t i, IrPlaceId temporary)
{
    for (uint32_t next = i + 1; next < block->instrs.len && next < i + 3; next++) {
        const IrInstr *instr = &block->instrs.items[next];
        if (instr->op != IR_ASSIGN) continue;
        const IrExpr *expr = ir_expr_at(ef->fn, instr->value);
        while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
        IrPlaceId place = expr->kind == IR_EX_LOAD ? expr->place : IR_NONE;
        // A pointer to a base class part
        if (expr->kind == IR_EX_ADDR && ir_place(ef->fn, expr->place)->kind == IR_PL_FIELD) {
            const IrPlace *object = ir_place(ef->fn, ir_place(ef->fn, expr->place)->base);
            if (object->kind == IR_PL_DEREF) place = object->base;
        }
        if (place == temporary) return ir_place_text(ef->arena, ef->unit, ef->fn, instr->dst);
    }
    return NULL;
}

// Where the result of call number `i` of the block goes in the end: the temporary is copied to a
// variable at once.
static const char *result_text(EngineFn *ef, const IrBlock *block, uint32_t i)
{
    IrPlaceId dst = block->instrs.items[i].call->dst;
    if (dst == IR_NONE) return call_text(ef, block->instrs.items[i].call);
    const char *copy = text_of_copy(ef, block, i, dst);
    if (copy) return copy;
    const char *text = ir_place_text(ef->arena, ef->unit, ef->fn, dst);
    return engine_is_unnamed(text) ? call_text(ef, block->instrs.items[i].call) : text;
}

// An argument of call number `i`: of a temporary, such as the pointer that `new` gave, the variable
// that it is copied to.
static const char *argument_text(EngineFn *ef, const IrBlock *block, uint32_t i, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    const char *copy = expr->kind == IR_EX_LOAD ? text_of_copy(ef, block, i, expr->place) : NULL;
    if (copy) return arena_printf(ef->arena, "*%s", copy);
    const char *text = engine_argument_text(ef, id);
    bool has_place = expr->kind == IR_EX_LOAD || expr->kind == IR_EX_ADDR;
    return has_place ? with_call(ef, block, i, text, expr->place) : text;
}

const char *engine_site_name(EngineFn *ef, const IrBlock *block, uint32_t i,
                             const ModelEffect *effect, bool has_object)
{
    const IrCall *call = block->instrs.items[i].call;
    if (effect->slot.arg == 0) return result_text(ef, block, i);
    uint32_t index = (uint32_t)effect->slot.arg - 1 + (has_object ? 1 : 0);
    if (index >= call->arg_count) return "(...)";
    const char *text = argument_text(ef, block, i, call->args[index]);
    if (!effect->slot.pointee) return text[0] == '*' ? text + 1 : text;
    return effect->slot.field ? arena_printf(ef->arena, "%s.%s", text, effect->slot.field) : text;
}

// The place a user function fills, in the words of its caller.
const char *engine_filled_name(EngineFn *ef, const IrBlock *block, uint32_t i,
                               const SummaryPath *path)
{
    const IrCall *call = block->instrs.items[i].call;
    StrBuf text = {.arena = ef->arena};
    uint32_t step = 0;
    if (path->root == SP_GLOBAL) return "a global";
    if (path->root == SP_RESULT) {
        strbuf_append(&text, result_text(ef, block, i));
    } else {
        const char *argument = path->argument < call->arg_count
                                   ? argument_text(ef, block, i, call->args[path->argument])
                                   : "(...)";
        bool address = argument[0] != '*';
        strbuf_append(&text, address ? argument : argument + 1);
        step = address ? 1 : 0;
    }
    bool arrow = false;
    for (; step < path->step_count; step++) {
        const SummaryStep *at = &path->steps[step];
        if (at->kind == SP_POINTEE) arrow = true;
        if (at->kind == SP_ELEMENT) {
            strbuf_append(&text, "[...]");
            arrow = false;
        }
        // Base class parts have no name in the source.
        if (at->kind != SP_FIELD || at->field[0] == '#') continue;
        strbuf_printf(&text, "%s%s", arrow ? "->" : ".", at->field);
        arrow = false;
    }
    return strbuf_text(&text);
}
