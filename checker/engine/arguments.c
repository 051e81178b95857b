// SPDX-License-Identifier: MIT
// Acquiring calls that are given the pointer where they want the pointer's address:
// `cudaMalloc((void **)p, n)`. Shows in the types of the argument alone; no path is needed but one
// that reaches the call.
#include "engine/search.h"

// What cannot hold an address: the call would store one there all the same.
static bool is_no_pointer_storage(const EngineFn *ef, IrType pointer)
{
    if (pointer == IR_NONE) return false;
    const IrTypeInfo *type = ir_type(ef->unit, pointer);
    if (type->kind != IR_TY_POINTER || type->pointee == IR_NONE) return false;
    const IrTypeInfo *pointee = ir_type(ef->unit, type->pointee);
    bool is_small = pointee->size > 0 && pointee->size < sizeof(void *);
    return pointee->kind == IR_TY_FLOAT ||
           ((pointee->kind == IR_TY_INT || pointee->kind == IR_TY_BOOL) && is_small);
}

// The effect stores an address through an argument that the source names as a value, under a cast.
static bool stores_address(const EngineFn *ef, const IrCall *call, const ModelEffect *effect)
{
    bool stores = effect->kind == MODEL_ACQUIRE && effect->slot.arg > 0 && effect->slot.pointee &&
                  !effect->slot.field && !effect->slot.elements &&
                  model_resource(ef->model, effect->resource)->is_memory;
    if (!stores || (uint32_t)effect->slot.arg > call->arg_count) return false;
    IrExprId arg = call->args[effect->slot.arg - 1];
    const IrExpr *inner = ir_without_casts(ef->fn, arg);
    return inner != ir_expr_at(ef->fn, arg) && inner->kind == IR_EX_LOAD;
}

bool engine_argument_is_bad(const EngineFn *ef, const IrCall *call, const ModelEffect *effect)
{
    // The address of an object is never mistaken for a pointer's value: bytes may serve as a
    // pointer's storage.
    return stores_address(ef, call, effect) &&
           is_no_pointer_storage(ef,
                                 ir_without_casts(ef->fn, call->args[effect->slot.arg - 1])->type);
}

static void report_argument(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                            const ModelEffect *effect, EngineSink sink)
{
    const IrExpr *inner = ir_without_casts(ef->fn, instr->call->args[effect->slot.arg - 1]);
    const char *name = ir_place_text(ef->arena, ef->unit, ef->fn, inner->place);
    const ModelResource *resource = model_resource(ef->model, effect->resource);
    Event event = {.kind = EV_BAD_ARGUMENT,
                   .loc = instr->loc,
                   .name = name,
                   .kind_title = resource->title,
                   .acquired_by = model->name,
                   .acquired_at = instr->loc,
                   .release_hint = resource->release_hint,
                   .callee = model->name,
                   .expected = arena_printf(ef->arena, "&%s", name)};
    FindingStep step = {.loc = instr->loc,
                        .text = arena_printf(ef->arena, "'%s' is passed here", name)};
    sink.on_event(sink.context, ef->fn, &event, &step, 1);
}

static void check_call(EngineFn *ef, const IrInstr *instr, uint32_t point, EngineSink sink)
{
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const ModelFunction *model = engine_model_of(ef, instr->call, callee);
    if (model && !callee->is_method) {
        engine_check_local_directions(ef, instr, model, sink);
        engine_check_size_of_pointer(ef, instr, model, sink);
    }
    for (uint32_t e = 0; model && !callee->is_method && e < model->effects.len; e++) {
        const ModelEffect *effect = &model->effects.items[e];
        bool is_null =
            bits_has(&ef->null_arguments, point) && stores_address(ef, instr->call, effect);
        if (is_null || engine_argument_is_bad(ef, instr->call, effect))
            report_argument(ef, instr, model, effect, sink);
    }
}

void engine_check_arguments(EngineFn *ef, EngineSink sink)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        if (!bits_has(&ef->reached, b)) continue;
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            const IrInstr *instr = &block->instrs.items[i];
            if (instr->op == IR_CALL && instr->call->callee != IR_NONE)
                check_call(ef, instr, ef->first_point[b] + i, sink);
        }
    }
}
