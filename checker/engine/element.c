// SPDX-License-Identifier: MIT
// Elements of arrays by the variable that names them: `a[i]`, `a[i - 1]`. Of the element into which
// the resource was put the state keeps the name (`State.placed`) while the loop lasts that gives the
// variable its values. Once another element is named, what lies there is not the resource. If the
// two may yet be one, the resource may be gone from then on (`State.mislaid`).
#include "engine/element.h"

struct ElementNames {
    EngineFn *ef;
    ElementName latest; // by the instruction `point`
    uint32_t point;
    PMap of_arrays; // LOC_ANY -> number of the one name that instructions use
    Vec(ElementName) items;
    BitSet has_address; // variables whose address is taken
};

static void note_address(void *context, IrVarId var, IrMention how)
{
    ElementNames *names = context;
    if (how == IR_MENTION_ADDRESS || how == IR_MENTION_ARGUMENT) bits_add(&names->has_address, var);
}

ElementNames *element_names_new(EngineFn *ef)
{
    ElementNames *names = ARENA_NEW(ef->arena, ElementNames);
    *names = (ElementNames){.ef = ef, .point = IR_NONE};
    names->has_address = bits_new(ef->arena, ef->fn->vars.len);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++)
        for (uint32_t i = 0; i < ef->fn->blocks.items[b].instrs.len; i++)
            ir_each_mention(ef->fn, &ef->fn->blocks.items[b].instrs.items[i], note_address, names);
    return names;
}

// ---- names --------------------------------------------------------------------------------------

static bool is_var(const EngineFn *ef, IrPlaceId place, IrVarId var)
{
    return place != IR_NONE && ir_place(ef->fn, place)->kind == IR_PL_VAR &&
           ir_place(ef->fn, place)->var == var;
}

// The expression is a variable, or one and a constant; false where it is something else.
static bool is_var_and_constant(const EngineFn *ef, IrExprId id, IrVarId *var, int64_t *constant)
{
    const IrExpr *expr = ir_without_casts(ef->fn, id);
    *constant = 0;
    if (expr->kind == IR_EX_BINARY && (expr->op == IR_ADD || expr->op == IR_SUB)) {
        const IrExpr *by = ir_without_casts(ef->fn, expr->b);
        if (by->kind != IR_EX_INT) return false;
        *constant = expr->op == IR_ADD ? by->value : -by->value;
        expr = ir_without_casts(ef->fn, expr->a);
    }
    if (expr->kind != IR_EX_LOAD || ir_place(ef->fn, expr->place)->kind != IR_PL_VAR) return false;
    *var = ir_place(ef->fn, expr->place)->var;
    return true;
}

static ElementName name_of(const EngineFn *ef, LocId array, IrExprId index)
{
    ElementName name = {.array = array, .var = IR_NONE};
    IrVarId var;
    if (!is_var_and_constant(ef, index, &var, &name.offset)) return name;
    bool is_own = ef->fn->vars.items[var].kind != IR_VAR_GLOBAL &&
                  !bits_has(&ef->space.names->has_address, var);
    if (is_own) name.var = var;
    return name;
}

static bool is_same_name(const ElementName *a, const ElementName *b)
{
    return a->array == b->array && a->var == b->var && a->offset == b->offset;
}

static void note_name(EngineFn *ef, ElementName name)
{
    ElementNames *names = ef->space.names;
    bool again = names->point == ef->point && names->latest.array == name.array &&
                 !is_same_name(&names->latest, &name);
    names->point = ef->point;
    names->latest = name;
    if (again) names->latest.var = IR_NONE;
    uint32_t known;
    if (!pmap_get(names->of_arrays, name.array, &known)) {
        names->of_arrays = pmap_set(ef->arena, names->of_arrays, name.array, names->items.len);
        vec_push(ef->arena, &names->items, name);
    } else if (!is_same_name(&names->items.items[known], &name)) {
        names->items.items[known].var = IR_NONE;
    }
}

// The element that holds the location, or the pointer that leads there, as the instruction calls it,
// or as the whole function does.
static ElementName find_name(const StateSpace *space, LocId loc, uint32_t point)
{
    const ElementNames *names = space->names;
    ElementName found = {.var = IR_NONE};
    uint32_t known;
    while (loc != IR_NONE) {
        const Loc *info = loc_at(space->values, loc);
        if (names->point == point && names->latest.array == loc)
            found = names->latest;
        else if (pmap_get(names->of_arrays, loc, &known))
            found = names->items.items[known];
        bool is_read =
            info->kind == LOC_MEM && sym_at(space->values, info->sym)->kind == SYM_INITIAL;
        loc = is_read ? sym_at(space->values, info->sym)->loc : info->parent;
    }
    return found;
}

// ---- the loop that goes over the elements -------------------------------------------------------

// The instruction gives the variable a value; `*step` is 0 unless it is told by how much it moves.
static bool writes(const EngineFn *ef, const IrInstr *instr, IrVarId var, int64_t *step)
{
    IrVarId from;
    *step = 0;
    if (instr->op == IR_DECL) return instr->var == var;
    if (instr->op == IR_CALL) return is_var(ef, instr->call->dst, var);
    if (instr->op != IR_ASSIGN && instr->op != IR_CLOBBER) return false;
    if (!is_var(ef, instr->dst, var)) return false;
    bool moves = instr->op == IR_ASSIGN && is_var_and_constant(ef, instr->value, &from, step);
    if (!moves || from != var) *step = 0;
    return true;
}

// Whether the loop gives the variable values, and if it only ever moves it up (1) or down (-1).
static bool is_counter(const EngineFn *ef, uint32_t loop, IrVarId var, int *direction)
{
    bool is_written = false, turns = false;
    int64_t step;
    *direction = 0;
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        if (!flow_loop_contains(&ef->loops, loop, b)) continue;
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            if (!writes(ef, &block->instrs.items[i], var, &step)) continue;
            int sign = step > 0 ? 1 : step < 0 ? -1 : 0;
            turns |= is_written && sign != *direction;
            is_written = true;
            *direction = sign;
        }
    }
    if (turns) *direction = 0;
    return is_written;
}

void element_note_placed(StateSpace *space, State *state, LocId loc, uint32_t point)
{
    bool was_placed = state->is_placed;
    state->is_placed = false;
    if (!space->point_in_loop) return;
    const EngineFn *ef = space->names->ef;
    ElementName name = find_name(space, loc, point);
    bool is_elsewhere = was_placed && state->placed.name.array == name.array;
    if (name.var == IR_NONE || is_elsewhere) return;
    int direction;
    uint32_t loop = space->loop;
    while (loop != FLOW_NONE && !is_counter(ef, loop, name.var, &direction))
        loop = ef->loops.loops.items[loop].parent;
    state->is_placed = true;
    state->placed = (Placed){.name = name, .loop = loop == FLOW_NONE ? space->loop : loop};
}

// ---- another one? -------------------------------------------------------------------------------

// `name` is that of an element into which the resource certainly was not put.
static bool is_apart(const EngineFn *ef, const Placed *placed, const ElementName *name)
{
    if (placed->name.var != name->var) return false;
    if (!placed->is_moved) return placed->name.offset != name->offset;
    int direction;
    is_counter(ef, placed->loop, name->var, &direction);
    return (direction > 0 && name->offset >= placed->name.offset) ||
           (direction < 0 && name->offset <= placed->name.offset);
}

LocId element_named(EngineFn *ef, State *state, LocId array, IrExprId index)
{
    if (!ef->space.point_in_loop) return array;
    ElementName name = name_of(ef, array, index);
    note_name(ef, name);
    const Placed *placed = &state->placed;
    if (state->status != RS_LIVE || !state->is_placed || placed->name.array != array) return array;
    if (!placed->is_moved && is_same_name(&placed->name, &name)) return array;
    if (!is_apart(ef, placed, &name)) {
        // An inner loop may come to all that the rounds of the outer one have put there.
        if (ef->space.loop != placed->loop) return array;
        state_mislay(state);
    }
    return loc_other(ef->space.values, array);
}

// ---- along the way ------------------------------------------------------------------------------

void element_leave_loop(const EngineFn *ef, State *state, IrBlockId to)
{
    if (state->is_placed && !flow_loop_contains(&ef->loops, state->placed.loop, to))
        state->is_placed = false;
}

void element_note_write(const StateSpace *space, State *state, LocId loc)
{
    const Loc *info = loc_at(space->values, loc);
    if (state->is_placed && info->kind == LOC_VAR && info->var == state->placed.name.var)
        state->placed.is_moved = true;
}

bool element_merge(State *state, const State *incoming)
{
    if (!state->is_placed) return false;
    const Placed *here = &state->placed, *there = &incoming->placed;
    state->is_placed = incoming->is_placed && is_same_name(&here->name, &there->name) &&
                       here->loop == there->loop && here->is_moved == there->is_moved;
    return !state->is_placed;
}
