// SPDX-License-Identifier: MIT
// Objects that a function returns by value with what it acquired for them. Other fields often say
// whether it succeeded: an error code, a flag. Callers ask those.
#include "engine/summarize.h"

bool summarize_object_path(const EngineFn *ef, const Exit *exit, LocId holder, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *info = loc_at(values, holder);
    bool is_field = exit->object != IR_NONE && info->kind == LOC_FIELD &&
                    info->parent == exit->object && info->field[0] != '#';
    *path = (SummaryPath){.root = SP_RESULT};
    return is_field && summary_path_push(path, SP_FIELD, info->field);
}

// Whatever path returned, the field holds the same, and as much is known of it.
static bool is_same_everywhere(EngineFn *ef, LocId field, SymId value, const Range *range)
{
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        const State *state = &ef->returns.states.items[i];
        if (state_read(&ef->space, state, field) != value) return false;
        Range there = state_range(&ef->space, state, value);
        if (!range_equal(&there, range)) return false;
    }
    return true;
}

static bool note_field(EngineFn *ef, const Exit *exit, const IrField *field, SummaryEffect *effect)
{
    IrTypeKind kind = ir_type(ef->unit, field->type)->kind;
    if (kind != IR_TY_INT && kind != IR_TY_BOOL) return true;
    LocId place = loc_field(ef->space.values, exit->object, field->name);
    SymId value = state_read(&ef->space, &exit->state, place);
    Range range = state_range(&ef->space, &exit->state, value);
    if (is_same_everywhere(ef, place, value, &range)) return true;
    int64_t point;
    bool tells = range_is_point(&range, &point) || !range_contains(&range, 0);
    if (!tells || effect->condition_count == SUMMARY_MAX_CONDITIONS) return false;
    effect->conditions[effect->condition_count++] =
        (SummaryCondition){.field = field->name, .range = range};
    return true;
}

bool summarize_object(EngineFn *ef, const Exit *exit, SummaryEffect *effect)
{
    IrType type = ef->unit->callees.items[ef->fn->callee].result;
    const IrTypeInfo *info = type == IR_NONE ? NULL : ir_type(ef->unit, type);
    if (!info || info->kind != IR_TY_RECORD || info->record == IR_NONE) return false;
    const IrRecord *record = &ef->unit->records.items[info->record];
    if (record->kind != IR_REC_USER || record->bases.len > 0) return false;
    for (uint32_t i = 0; i < record->fields.len; i++)
        if (!note_field(ef, exit, &record->fields.items[i], effect)) return false;
    return true;
}
