// SPDX-License-Identifier: MIT
// Expressions over what places held when a function was called.
#include "engine/return_expr.h"

#include "engine/summarize.h"

#define MAX_RETURN_DEPTH 8
// The slot of what lies in a place that the call does not name: the last error, of which nothing is known.
#define SLOT_UNKNOWN 511

bool return_place_of(const EngineFn *ef, LocId loc, SummaryPath *path)
{
    if (!summarize_path(ef, loc, path)) return false;
    bool is_last_error = path->root == SP_GLOBAL && strcmp(path->global, ENGINE_LAST_ERROR) == 0;
    if (path->root != SP_ARGUMENT && !is_last_error) return false;
    for (uint32_t i = 0; i < path->step_count; i++)
        if (path->steps[i].kind == SP_ELEMENT) return false;
    return true;
}

static bool export_leaf(Arena *arena, EngineFn *ef, const Sym *sym, ReturnExpr *expr)
{
    if (sym->kind == SYM_INT) {
        expr->kind = RX_INT;
        expr->value = sym->value;
        return true;
    }
    SummaryPath path;
    if (sym->kind != SYM_INITIAL || !return_place_of(ef, sym->loc, &path)) return false;
    SummaryPath *place = ARENA_NEW(arena, SummaryPath);
    *place = path;
    expr->kind = RX_PLACE;
    expr->place = place;
    return true;
}

static const ReturnExpr *export(Arena *arena, EngineFn *ef, SymId id, int depth)
{
    if (id == IR_NONE || depth > MAX_RETURN_DEPTH) return NULL;
    Sym sym = *sym_at(ef->space.values, id);
    ReturnExpr expr = {.op = sym.op};
    if (sym.kind == SYM_UNARY || sym.kind == SYM_BINARY || sym.kind == SYM_ITE) {
        expr.kind = sym.kind == SYM_UNARY ? RX_UNARY : sym.kind == SYM_BINARY ? RX_BINARY : RX_ITE;
        expr.a = export(arena, ef, sym.a, depth + 1);
        expr.b = sym.b == IR_NONE ? NULL : export(arena, ef, sym.b, depth + 1);
        expr.c = sym.c == IR_NONE ? NULL : export(arena, ef, sym.c, depth + 1);
        if (!expr.a || (sym.b != IR_NONE && !expr.b) || (sym.c != IR_NONE && !expr.c)) return NULL;
    } else if (!export_leaf(arena, ef, &sym, &expr)) {
        return NULL;
    }
    ReturnExpr *copy = ARENA_NEW(arena, ReturnExpr);
    *copy = expr;
    return copy;
}

const ReturnExpr *return_expr_of(Arena *arena, EngineFn *ef, SymId value)
{
    return export(arena, ef, value, 0);
}

SymId return_expr_at_call(EngineFn *ef, State *state, State *before, const CallSite *site,
                          const ReturnExpr *expr)
{
    Values *values = ef->space.values;
    switch (expr->kind) {
    case RX_INT:
        return sym_int(values, expr->value);
    case RX_PLACE: {
        SymId value = engine_value_at_call(ef, before, site, expr->place);
        return value != IR_NONE ? value : engine_fresh(ef, state, SLOT_UNKNOWN);
    }
    case RX_RANGE: {
        SymId some = engine_fresh(ef, state, SLOT_RETURNED + (uint32_t)expr->value);
        if (!state_restrict(&ef->space, state, some, *expr->range)) state->dead = true;
        return some;
    }
    case RX_UNARY:
        return sym_unary(values, expr->op, return_expr_at_call(ef, state, before, site, expr->a));
    case RX_BINARY: {
        SymId a = return_expr_at_call(ef, state, before, site, expr->a);
        return sym_binary(values, expr->op, a,
                          return_expr_at_call(ef, state, before, site, expr->b));
    }
    case RX_ITE: {
        SymId condition = return_expr_at_call(ef, state, before, site, expr->a),
              then = return_expr_at_call(ef, state, before, site, expr->b);
        return sym_ite(values, condition, then,
                       return_expr_at_call(ef, state, before, site, expr->c));
    }
    }
    return IR_NONE;
}
