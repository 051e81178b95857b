// SPDX-License-Identifier: MIT
// What functions of the C++ library do to memory that work uses: the elements between two iterators
// that are pointers, as the model says, and numbers that are passed by reference.
#include "engine/work.h"

static void touch(EngineFn *ef, State *state, const CallSite *site, SymId value, bool writes)
{
    if (value == IR_NONE) return;
    engine_note_host_use(ef, state, value, writes,
                         ef->site && engine_bytes_to_pointee(ef, value) == 1);
    engine_work_host_use(ef, state, value, writes, site->callee->name);
}

// A number by reference: the function is given it to read it, at least.
static bool refers_to_number(const EngineFn *ef, const CallSite *site, uint32_t index)
{
    IrType type = engine_param_type(ef, site, index);
    if (type == IR_NONE) return false;
    const IrTypeInfo *info = ir_type(ef->unit, type);
    if (info->kind != IR_TY_REFERENCE || info->pointee == IR_NONE) return false;
    IrTypeKind kind = ir_type(ef->unit, info->pointee)->kind;
    return kind == IR_TY_INT || kind == IR_TY_BOOL || kind == IR_TY_FLOAT;
}

static bool is_use(const ModelEffect *effect)
{
    return effect->kind == MODEL_USE_READ || effect->kind == MODEL_USE_WRITE;
}

// Where the elements of a container lie; work_container.c.
static bool is_refit(const ModelEffect *effect)
{
    return effect->kind == MODEL_GROW || effect->kind == MODEL_RESERVE ||
           effect->kind == MODEL_REPLACE || effect->kind == MODEL_EXCHANGE;
}

bool engine_only_uses(const ModelFunction *model)
{
    for (uint32_t i = 0; i < model->effects.len; i++)
        if (!is_use(&model->effects.items[i]) && !is_refit(&model->effects.items[i])) return false;
    return model->order == ORDER_HOST || model->order == ORDER_NONE;
}

void engine_work_library_call(EngineFn *ef, State *state, const CallSite *site)
{
    const ModelFunction *model = site->model;
    for (uint32_t i = 0; model && i < model->effects.len && engine_only_uses(model); i++)
        if (is_use(&model->effects.items[i]))
            touch(ef, state, site,
                  engine_slot_value(ef, state, site, &model->effects.items[i].slot),
                  model->effects.items[i].kind == MODEL_USE_WRITE);
    for (uint32_t i = 0; !model && i < site->count; i++)
        if (refers_to_number(ef, site, i)) touch(ef, state, site, site->args[i], false);
}
