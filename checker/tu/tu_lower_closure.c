// SPDX-License-Identifier: MIT
// Closures: a lambda as a value. Its class has a field for each captured variable: "#ref:NAME", the
// variable's address, or "#val:NAME", its copy. The body is a method that finds them there.
#include "tu/tu_lower.h"

static IrType reference_to(Lower *lw, IrType type)
{
    IrTypeInfo info = {.kind = IR_TY_REFERENCE,
                       .pointee = type,
                       .record = IR_NONE,
                       .extent = -1,
                       .size = sizeof(void *),
                       .name =
                           str_internf(lw->unit->strings, "%s &", ir_type(lw->unit, type)->name)};
    return ir_type_add(lw->unit, info);
}

// What is captured, as a place of the function that holds the lambda.
static IrPlaceId captured_place(Lower *lw, const LwCapture *capture)
{
    if (lw_is_null(capture->decl)) return lw_this(lw);
    return capture->copy == IR_NONE ? lw_var_place(lw, capture->decl) : capture->copy;
}

static LwClosureField closure_field(Lower *lw, const LwCapture *capture, IrPlaceId place)
{
    bool is_this = lw_is_null(capture->decl);
    IrType type = lw_place_at(lw, place)->type;
    const char *name = is_this ? "this" : lw_spelling(lw, capture->decl);
    LwClosureField field = {.decl = capture->decl};
    if (capture->by_reference && !is_this) {
        field.field = str_internf(lw->unit->strings, IR_FIELD_REF "%s", name);
        field.type = reference_to(lw, type);
    } else {
        field.field = str_internf(lw->unit->strings, IR_FIELD_VAL "%s", name);
        field.type = is_this ? lw_pointer_to(lw, type) : type;
    }
    return field;
}

// The body is lowered after the function around it, and finds here what was captured.
static void remember(Lower *lw, CXCursor method, LwClosure closure)
{
    if (lw_is_null(method)) return;
    vec_push(lw->ctx->arena, &lw->tables->closures, closure);
    lw_cursor_set(lw->ctx->arena, &lw->tables->closure_index, clang_getCanonicalCursor(method),
                  lw->tables->closures.len - 1);
}

static void fill_record(Lower *lw, CXType type, const LwClosure *closure)
{
    IrRecord *record = &lw->unit->records.items[lw_record_id(lw, type)];
    if (record->fields.len > 0) return;
    for (uint32_t i = 0; i < closure->count; i++) {
        IrField field = {.name = closure->fields[i].field, .type = closure->fields[i].type};
        vec_push(lw->ctx->arena, &record->fields, field);
    }
}

IrExprId lw_closure_value(Lower *lw, const LwLambda *lambda)
{
    IrExpr closure = {.kind = IR_EX_CLOSURE,
                      .type = lw_plain_type(lw, clang_getCursorType(lambda->expr)),
                      .a = IR_NONE,
                      .b = IR_NONE,
                      .place = IR_NONE,
                      .sizeof_type = IR_NONE,
                      .capture_count = lambda->capture_count};
    closure.callee = lw_is_null(lambda->method) ? lw_named_callee(lw, "operator()")
                                                : lw_callee(lw, lambda->method);
    closure.captures = ARENA_ARRAY(lw->ctx->arena, IrCapture, lambda->capture_count + 1);
    LwClosure known = {.count = lambda->capture_count};
    known.fields = ARENA_ARRAY(lw->ctx->arena, LwClosureField, lambda->capture_count + 1);
    for (uint32_t i = 0; i < lambda->capture_count; i++) {
        const LwCapture *capture = &lambda->captures[i];
        IrPlaceId place = captured_place(lw, capture);
        known.fields[i] = closure_field(lw, capture, place);
        closure.captures[i] = (IrCapture){
            .field = known.fields[i].field,
            .by_reference = capture->by_reference && !lw_is_null(capture->decl),
            .value = capture->by_reference ? lw_address(lw, place) : lw_load(lw, place),
        };
    }
    if (lw_record(lw, clang_getCursorType(lambda->expr)) != NULL)
        fill_record(lw, clang_getCursorType(lambda->expr), &known);
    remember(lw, lambda->method, known);
    return ir_expr(lw->unit, lw->fn, closure);
}

void lw_bind_captures(Lower *lw, CXCursor method)
{
    uint32_t index = lw_cursor_get(&lw->tables->closure_index, clang_getCanonicalCursor(method));
    if (index == IR_NONE) return;
    const LwClosure *closure = &lw->tables->closures.items[index];
    IrType type = ir_type(lw->unit, lw->fn->vars.items[lw->this_var].type)->pointee;
    IrPlaceId object = lw_deref(lw, ir_place_var(lw->unit, lw->fn, lw->this_var), type);
    for (uint32_t i = 0; i < closure->count; i++) {
        const LwClosureField *field = &closure->fields[i];
        IrPlaceId place = lw_field(lw, object, field->field, field->type);
        const IrTypeInfo *info = ir_type(lw->unit, field->type);
        if (lw_is_null(field->decl))
            lw->captured_this = place;
        else
            lw_bind(lw, field->decl,
                    (LwBinding){.place = info->kind == IR_TY_REFERENCE
                                             ? lw_deref(lw, place, info->pointee)
                                             : place});
    }
}
