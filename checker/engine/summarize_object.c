// SPDX-License-Identifier: MIT
// Objects that a function returns by value with what it acquired for them. Other fields often say
// whether it succeeded: an error code, a flag. Callers ask those. Or it leaves the error code in a
// global, or in an object of its caller's.
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

static void add_condition(Arena *arena, SummaryEffect *effect, const SummaryPath *after,
                          const Range *range)
{
    SummaryPath *path = ARENA_NEW(arena, SummaryPath);
    *path = *after;
    effect->conditions[effect->condition_count++] =
        (SummaryCondition){.place = path, .is_after = true, .range = *range};
}

// The value says something of the effect: it is one number then, or none that is zero.
static bool tells(const Range *range)
{
    int64_t point;
    return range_is_point(range, &point) || !range_contains(range, 0);
}

static bool has_result_condition(const SummaryEffect *effect)
{
    for (uint32_t i = 0; i < effect->condition_count; i++)
        if (effect->conditions[i].is_after && effect->conditions[i].place->root == SP_RESULT)
            return true;
    return false;
}

static bool note_field(Arena *arena, EngineFn *ef, const Exit *exit, const IrField *field,
                       SummaryEffect *effect)
{
    IrTypeKind kind = ir_type(ef->unit, field->type)->kind;
    if (kind != IR_TY_INT && kind != IR_TY_BOOL) return true;
    LocId place = loc_field(ef->space.values, exit->object, field->name);
    SymId value = state_read(&ef->space, &exit->state, place);
    Range range = state_range(&ef->space, &exit->state, value);
    if (is_same_everywhere(ef, place, value, &range)) return true;
    if (!tells(&range) || effect->condition_count == SUMMARY_MAX_CONDITIONS) return false;
    SummaryPath path = {.root = SP_RESULT};
    summary_path_push(&path, SP_FIELD, field->name);
    add_condition(arena, effect, &path, &range);
    return true;
}

bool summarize_object(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect)
{
    IrType type = ef->unit->callees.items[ef->fn->callee].result;
    const IrTypeInfo *info = type == IR_NONE ? NULL : ir_type(ef->unit, type);
    if (!info || info->kind != IR_TY_RECORD || info->record == IR_NONE) return false;
    const IrRecord *record = &ef->unit->records.items[info->record];
    if (record->kind != IR_REC_USER || record->bases.len > 0) return false;
    for (uint32_t i = 0; i < record->fields.len; i++)
        if (!note_field(arena, ef, exit, &record->fields.items[i], effect)) return false;
    return true;
}

// ---- left elsewhere -----------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    EngineFn *ef;
    const Exit *exit;
    SummaryEffect *effect;
} LeftSearch;

// A global, what an argument points to, or a field of either, that holds a number.
static bool is_number_of_others(const EngineFn *ef, LocId loc, SummaryPath *path)
{
    const Values *values = ef->space.values;
    const Loc *info = loc_at(values, loc), *root = loc_at(values, info->root);
    bool is_global = root->kind == LOC_VAR && ef->fn->vars.items[root->var].kind == IR_VAR_GLOBAL;
    bool is_field = info->kind == LOC_FIELD && info->field[0] != '#';
    bool is_pointee = info->kind == LOC_INDEX && info->index == 0 && info->parent == info->root;
    bool is_place = is_global ? info->kind == LOC_VAR || is_field
                              : root->kind == LOC_MEM && (is_field || is_pointee);
    if (!is_place || info->size == 0 || info->is_pointer || info->is_record || info->is_family)
        return false;
    if (!summarize_path(ef, loc, path)) return false;
    return path->root != SP_GLOBAL || strcmp(path->global, ENGINE_LAST_ERROR) != 0;
}

static void look_at_left(void *context, uint32_t loc, uint32_t value)
{
    LeftSearch *search = context;
    EngineFn *ef = search->ef;
    SummaryPath path;
    if (search->effect->condition_count == SUMMARY_MAX_CONDITIONS ||
        !is_number_of_others(ef, loc, &path))
        return;
    Range range = state_range(&ef->space, &search->exit->state, value);
    if (tells(&range) && !is_same_everywhere(ef, loc, value, &range))
        add_condition(search->arena, search->effect, &path, &range);
}

// Where it does not return the value, the function returns constants: those say that it failed, and
// the value may be anything else. Statuses of other calls say as much of those.
static bool is_told_by_constants(const EngineFn *ef, SymId value)
{
    bool found = false;
    int64_t constant;
    for (uint32_t i = 0; i < ef->returns.values.len; i++) {
        SymId other = ef->returns.values.items[i];
        if (other == value) continue;
        if (!sym_is_int(ef->space.values, other, &constant)) return false;
        found = true;
    }
    return found;
}

// The number that is returned, where there is more to say of it than that it is zero or not.
static void note_result(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect)
{
    IrType type = ef->unit->callees.items[ef->fn->callee].result;
    bool is_number = type != IR_NONE && ir_type(ef->unit, type)->kind == IR_TY_INT;
    if (!is_number || exit->value == IR_NONE || ef->returns.states.len < 2) return;
    Range range = state_range(&ef->space, &exit->state, exit->value), full = range_full();
    Range nonzero = range_exclude(&full, 0);
    int64_t point;
    bool is_zero = range_is_point(&range, &point) && point == 0;
    SummaryPath path = {.root = SP_RESULT};
    if (!is_zero && tells(&range) && !range_equal(&range, &nonzero))
        add_condition(arena, effect, &path, &range);
    effect->is_mute |= !tells(&range) && is_told_by_constants(ef, exit->value);
}

// The object that is returned, where the resource is elsewhere.
static void note_status(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect)
{
    IrType type = ef->unit->callees.items[ef->fn->callee].result;
    const IrTypeInfo *info = type == IR_NONE ? NULL : ir_type(ef->unit, type);
    bool is_object = info && info->kind == IR_TY_RECORD && info->record != IR_NONE &&
                     exit->object != IR_NONE && effect->path.root != SP_RESULT;
    if (!is_object) return;
    const IrRecord *record = &ef->unit->records.items[info->record];
    for (uint32_t i = 0; i < record->fields.len; i++)
        (void)note_field(arena, ef, exit, &record->fields.items[i], effect); // the others tell
    effect->is_mute |= ef->returns.states.len > 1 && !has_result_condition(effect);
}

void summarize_left(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect)
{
    LeftSearch search = {.arena = arena, .ef = ef, .exit = exit, .effect = effect};
    if (effect->condition_count < SUMMARY_MAX_CONDITIONS) note_result(arena, ef, exit, effect);
    note_status(arena, ef, exit, effect);
    pmap_each(exit->state.env, look_at_left, &search);
}
