// SPDX-License-Identifier: MIT
// Computing and applying return facts.
#include "engine/return_facts.h"

#include "engine/return_expr.h"
#include "engine/summarize.h"
#include "engine/work.h"

static IrVarId argument_var(const IrFunction *fn, uint32_t index)
{
    if (fn->this_var == IR_NONE) return fn->params.items[index];
    return index == 0 ? fn->this_var : fn->params.items[index - 1];
}

static uint32_t argument_count(const IrFunction *fn)
{
    return fn->params.len + (fn->this_var != IR_NONE ? 1 : 0);
}

static SymId argument_sym(EngineFn *ef, uint32_t index)
{
    return sym_initial(ef->space.values, loc_var(ef->space.values, argument_var(ef->fn, index)));
}

// ---- what it leaves in terms of what it was given ----------------------------------------------

#define MAX_WRITES 8

typedef struct {
    EngineFn *ef;
    Arena *arena;
    ReturnFacts *facts;
    ReturnChoice *choice;
    uint32_t number; // of the return that is looked at
    LocList seen;    // places that were considered
} Writes;

static bool is_seen(const LocList *list, LocId loc)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->items[i] == loc) return true;
    return false;
}

// What is left there on each return, if that are numbers: pointers are for effects to tell of.
static void add_write(Writes *writes, const SummaryPath *path, const LocId *places)
{
    EngineFn *ef = writes->ef;
    uint32_t count = ef->returns.states.len;
    SymId *values = ARENA_ARRAY(ef->arena, SymId, count);
    for (uint32_t i = 0; i < count; i++) {
        if (loc_at(ef->space.values, places[i])->is_pointer) return;
        values[i] = state_read(&ef->space, &ef->returns.states.items[i], places[i]);
    }
    const ReturnExpr *value = return_choice_of(writes->choice, values);
    if (!value) return;
    bool stays = value->kind == RX_PLACE && summary_path_equal(value->place, path);
    if (stays) return;
    vec_push(writes->arena, &writes->facts->writes,
             ((ReturnWrite){.place = *path, .value = value}));
}

static void look_at_place(void *context, uint32_t loc, uint32_t value)
{
    Writes *writes = context;
    EngineFn *ef = writes->ef;
    SummaryPath path;
    (void)value;
    if (writes->facts->writes.len == MAX_WRITES || is_seen(&writes->seen, loc) ||
        loc_at(ef->space.values, loc)->kind != LOC_FIELD ||
        loc_at(ef->space.values, loc_at(ef->space.values, loc)->root)->kind != LOC_MEM ||
        !return_place_of(ef, loc, &path))
        return;
    vec_push(ef->arena, &writes->seen, loc);
    LocId *places = ARENA_ARRAY(ef->arena, LocId, ef->returns.states.len);
    for (uint32_t i = 0; i < ef->returns.states.len; i++) places[i] = loc;
    add_write(writes, &path, places);
}

// A field of the object that this return gives, which other returns have in objects of their own.
static void look_at_field(void *context, uint32_t loc)
{
    Writes *writes = context;
    EngineFn *ef = writes->ef;
    Values *values = ef->space.values;
    SymId value;
    bool is_field = loc_at(values, loc)->kind == LOC_FIELD &&
                    loc_at(values, loc)->parent == ef->returns.objects.items[writes->number];
    if (!is_field || writes->facts->writes.len == MAX_WRITES ||
        !pmap_get(ef->returns.states.items[writes->number].env, loc, &value))
        return;
    const char *name = loc_at(values, loc)->field;
    SummaryPath path = {.root = SP_RESULT};
    summary_path_push(&path, SP_FIELD, name);
    LocId *places = ARENA_ARRAY(ef->arena, LocId, ef->returns.states.len);
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        places[i] = loc_field(values, ef->returns.objects.items[i], name);
        if (is_seen(&writes->seen, places[i])) return;
    }
    vec_push(ef->arena, &writes->seen, loc);
    add_write(writes, &path, places);
}

static void find_writes(Writes *writes)
{
    EngineFn *ef = writes->ef;
    bool gives_object = ef->returns.states.len > 0;
    for (uint32_t i = 0; i < ef->returns.states.len; i++)
        gives_object &= ef->returns.objects.items[i] != IR_NONE;
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        writes->number = i;
        pmap_each(ef->returns.states.items[i].env, look_at_place, writes);
        if (gives_object)
            space_each_within(&ef->space, ef->returns.objects.items[i], look_at_field, writes);
    }
}

static Range hull_over(EngineFn *ef, const State *states, uint32_t count, SymId argument)
{
    Range hull = count == 0 ? range_full() : state_range(&ef->space, &states[0], argument);
    for (uint32_t i = 1; i < count; i++) {
        Range range = state_range(&ef->space, &states[i], argument);
        hull = range_hull(&hull, &range);
    }
    return hull;
}

void return_facts_compute(Arena *arena, EngineFn *ef, ReturnFacts *facts)
{
    if (ef->gave_up) return;
    facts->known = true;
    facts->returns = ef->returns.states.len > 0;
    facts->throws = ef->throws.len > 0;
    facts->arg_count = argument_count(ef->fn);
    facts->when_returned = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    facts->when_thrown = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    for (uint32_t i = 0; i < facts->arg_count; i++) {
        SymId argument = argument_sym(ef, i);
        facts->when_returned[i] =
            hull_over(ef, ef->returns.states.items, ef->returns.states.len, argument);
        facts->when_thrown[i] = hull_over(ef, ef->throws.items, ef->throws.len, argument);
    }
    ReturnChoice *choice = return_choice_new(arena, ef);
    facts->result = return_choice_of(choice, ef->returns.values.items);
    Writes writes = {.ef = ef, .arena = arena, .facts = facts, .choice = choice};
    find_writes(&writes);
}

// ---- at a call ----------------------------------------------------------------------------------

static bool restrict_arguments(EngineFn *ef, State *state, const CallSite *site,
                               const Range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < site->count && i < count; i++)
        if (!range_is_full(&ranges[i]) &&
            !state_narrow(&ef->space, state, site->args[i], ranges[i]))
            return false;
    return true;
}

// What lies where the arguments lead is written at once; fields of the result, once it is stored.
static void apply_writes(EngineFn *ef, State *state, State *before, CallSite *site,
                         const ReturnFacts *facts)
{
    for (uint32_t i = 0; i < facts->writes.len && !state->dead; i++) {
        const ReturnWrite *write = &facts->writes.items[i];
        SymId value = return_expr_at_call(ef, state, before, site, write->value);
        if (value == IR_NONE || state->dead) continue;
        if (write->place.root == SP_RESULT) {
            FieldValue field = {.name = write->place.steps[0].field, .value = value};
            vec_push(ef->space.arena, &site->result_fields, field);
            continue;
        }
        LocId place = engine_place_at_call(ef, before, site, &write->place);
        bool is_one = place != IR_NONE && !loc_is_one_of_many(ef->space.values, place) &&
                      !sym_at(ef->space.values, state_read(&ef->space, state, place))->has_resource;
        if (is_one) state_write(&ef->space, state, place, value, ef->point);
    }
}

void engine_apply_return_facts(EngineFn *ef, State *state, State *before, CallSite *site)
{
    const Summary *summary = engine_summary_of(ef, site->call, site->callee);
    if (!summary || !summary->returns.known) return;
    const ReturnFacts *facts = &summary->returns;
    if (facts->throws) {
        State thrown = *state;
        if (restrict_arguments(ef, &thrown, site, facts->when_thrown, facts->arg_count)) {
            if (ef->site)
                state_remark(
                    &ef->space, &thrown, ef->instr->loc,
                    arena_printf(ef->space.arena, "'%s' throws an exception", site->callee->name));
            thrown.thrown_at = ef->instr->loc;
            engine_work_thrown(ef, &thrown, site);
            engine_leave_by_exception(ef, &thrown, site->call->unwind);
        }
    }
    if (!facts->returns ||
        !restrict_arguments(ef, state, site, facts->when_returned, facts->arg_count)) {
        state->dead = true;
        return;
    }
    if (facts->result) site->result = return_expr_at_call(ef, state, before, site, facts->result);
    apply_writes(ef, state, before, site, facts);
}
