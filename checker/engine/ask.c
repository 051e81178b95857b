// SPDX-License-Identifier: MIT
// Functions that only ask: what they return depends on the numbers and texts that they are given, and
// they change nothing. Asked twice, they say the same.
#include "engine/ask.h"

static bool is_number(const EngineFn *ef, IrType type)
{
    IrTypeKind kind = type == IR_NONE ? IR_TY_VOID : ir_type(ef->unit, type)->kind;
    return kind == IR_TY_INT || kind == IR_TY_BOOL;
}

// A library function that reads what pointers to const lead to, and numbers (strcmp).
static bool is_pure(const EngineFn *ef, const IrCallee *callee, const ModelFunction *model)
{
    bool reads = false;
    bool is_library = callee->in_system_header && callee->is_extern_c_like && !callee->is_variadic;
    bool tells_success = model && model->result != MODEL_RESULT_OTHER;
    if (!is_library || tells_success || !is_number(ef, callee->result)) return false;
    for (uint32_t i = 0; i < callee->params.len; i++) {
        const IrTypeInfo *info = ir_type(ef->unit, callee->params.items[i]);
        bool is_pointer = info->kind == IR_TY_POINTER;
        if (is_pointer && !ir_type(ef->unit, info->pointee)->is_const) return false;
        if (!is_pointer && !is_number(ef, callee->params.items[i])) return false;
        reads |= is_pointer;
    }
    return reads;
}

// ---- texts --------------------------------------------------------------------------------------

static bool is_text(const EngineFn *ef, IrType type)
{
    const IrTypeInfo *info = ir_type(ef->unit, type);
    if (info->kind == IR_TY_REFERENCE) info = ir_type(ef->unit, info->pointee);
    return info->kind == IR_TY_POINTER ||
           (info->kind == IR_TY_RECORD && info->record != IR_NONE &&
            str_starts_with(ef->unit->records.items[info->record].name, "std::basic_string"));
}

static bool compares_texts(const EngineFn *ef, const IrCallee *callee)
{
    static const char *const operators[] = {"operator==", "operator!=", "operator<"};
    bool compares = false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        compares |= strcmp(callee->name, operators[i]) == 0;
    return compares && callee->in_system_header && !callee->is_method && callee->params.len == 2 &&
           is_text(ef, callee->params.items[0]) && is_text(ef, callee->params.items[1]);
}

// The answer to at most two arguments. A text may have been changed in between: its size then tells.
static SymId answer_about_texts(EngineFn *ef, State *state, const CallSite *site)
{
    SymId args[3];
    uint32_t count = site->count;
    if (count == 0 || count > 2) return IR_NONE;
    for (uint32_t i = 0; i < count; i++) args[i] = site->args[i];
    for (uint32_t i = 0; i < site->count; i++) {
        if (ir_type(ef->unit, site->callee->params.items[i])->kind != IR_TY_REFERENCE) continue;
        LocId text = loc_pointee(ef->space.values, site->args[i]);
        LocId size = loc_field(ef->space.values, text, str_intern(ef->unit->strings, "#size"));
        args[site->count] = state_read(&ef->space, state, size);
        count = site->count + 1;
    }
    return sym_pure(ef->space.values, site->call->callee, args, count);
}

SymId engine_answer(EngineFn *ef, State *state, const CallSite *site)
{
    if (site->call->callee == IR_NONE) return IR_NONE;
    if (is_pure(ef, site->callee, site->model))
        return sym_pure(ef->space.values, site->call->callee, site->args, site->count);
    if (site->model) return IR_NONE;
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    bool asks = compares_texts(ef, site->callee) || (summary && summary->known && summary->asks);
    return asks ? answer_about_texts(ef, state, site) : IR_NONE;
}

// ---- functions of the user's --------------------------------------------------------------------

// A number, or a text that the function does not change.
static bool is_question(const EngineFn *ef, IrType type)
{
    if (is_number(ef, type)) return true;
    const IrTypeInfo *info = ir_type(ef->unit, type);
    if (info->kind != IR_TY_POINTER && info->kind != IR_TY_REFERENCE) return false;
    const IrTypeInfo *pointee = ir_type(ef->unit, info->pointee);
    bool is_letters =
        info->kind == IR_TY_POINTER && pointee->kind == IR_TY_INT && pointee->size == 1;
    return pointee->is_const &&
           (is_letters ||
            (info->kind == IR_TY_REFERENCE && is_text(ef, type) && pointee->kind == IR_TY_RECORD));
}

static bool is_plain_variable(const EngineFn *ef, IrPlaceId place)
{
    return place == IR_NONE || ir_place(ef->fn, place)->kind == IR_PL_VAR;
}

static bool only_asks(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op == IR_LAUNCH || instr->op == IR_CLOBBER || instr->op == IR_THROW) return false;
    if (instr->op == IR_ASSIGN) return is_plain_variable(ef, instr->dst);
    if (instr->op != IR_CALL) return true;
    if (instr->call->callee == IR_NONE || !is_plain_variable(ef, instr->call->dst)) return false;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const ModelFunction *model = engine_model_of(ef, instr->call, callee);
    if (compares_texts(ef, callee) || is_pure(ef, callee, model)) return true;
    const Summary *summary = engine_summary_of(ef, instr->call, callee);
    return !model && summary && summary->known && summary->asks;
}

bool engine_only_asks(const EngineFn *ef)
{
    const IrFunction *fn = ef->fn;
    const IrCallee *callee = &ef->unit->callees.items[fn->callee];
    if (fn->this_var != IR_NONE || !is_number(ef, callee->result)) return false;
    for (uint32_t i = 0; i < fn->params.len; i++)
        if (!is_question(ef, fn->vars.items[fn->params.items[i]].type)) return false;
    for (uint32_t v = 0; v < fn->vars.len; v++) {
        IrVarKind kind = fn->vars.items[v].kind;
        if (kind == IR_VAR_GLOBAL || kind == IR_VAR_STATIC || kind == IR_VAR_CAPTURE) return false;
    }
    for (uint32_t b = 0; b < fn->blocks.len; b++)
        for (uint32_t i = 0; i < fn->blocks.items[b].instrs.len; i++)
            if (!only_asks(ef, &fn->blocks.items[b].instrs.items[i])) return false;
    return true;
}
