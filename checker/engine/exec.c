// SPDX-License-Identifier: MIT
// Executing a block's instructions on a state and queueing what reaches its successors.
#include "engine/doubt.h"
#include "engine/element.h"
#include "engine/leap.h"
#include "engine/phase.h"
#include "engine/temps.h"
#include "engine/unset.h"
#include "engine/work.h"

// Follows an edge out of the block being executed.
static void go_on(EngineFn *ef, State state, IrBlockId to)
{
    engine_leave_loops(ef, &state, to);
    element_leave_loop(ef, &state, to);
    temps_drop_dead(ef, &state, ef->block, to);
    engine_queue(ef, to, state);
}

static bool branch_is_worth_telling(IrBranchKind kind)
{
    return kind == IR_BR_IF || kind == IR_BR_LOOP || kind == IR_BR_TERNARY ||
           kind == IR_BR_RANGE_FOR;
}

static const char *branch_text(IrBranchKind kind, bool truth)
{
    if (kind == IR_BR_LOOP || kind == IR_BR_RANGE_FOR)
        return truth ? "entering the loop body" : "leaving the loop";
    return truth ? "taking the true branch" : "taking the false branch";
}

void engine_tell_branch(EngineFn *ef, State *state, const IrInstr *branch, bool truth)
{
    bool is_open = truth ? branch->target_is_open : branch->other_is_open;
    if (ef->site && branch_is_worth_telling(branch->branch_kind) && !is_open)
        state_remark_branch(&ef->space, state, branch->loc,
                            branch_text(branch->branch_kind, truth != branch->is_negated));
}

static void exec_branch(EngineFn *ef, State *state, const IrInstr *instr)
{
    SymId condition = engine_eval(ef, state, instr->value);
    if (state->dead) return;
    State taken = *state, other = *state;
    bool taken_feasible = state_assume(&ef->space, &taken, condition, true);
    bool other_feasible = state_assume(&ef->space, &other, condition, false);
    if (taken_feasible && other_feasible) {
        engine_doubt_branch(ef, &taken, condition, instr->target);
        engine_doubt_branch(ef, &other, condition, instr->other);
        engine_tell_branch(ef, &taken, instr, true);
        engine_tell_branch(ef, &other, instr, false);
    }
    if (taken_feasible) go_on(ef, taken, instr->target);
    if (other_feasible) go_on(ef, other, instr->other);
}

static void exec_switch(EngineFn *ef, State *state, const IrInstr *instr)
{
    SymId value = engine_eval(ef, state, instr->value);
    if (state->dead) return;
    State rest = *state;
    bool rest_feasible = true;
    for (uint32_t i = 0; i < instr->case_count; i++) {
        const IrCase *branch = &instr->cases[i];
        State taken = *state;
        if (!state_restrict(&ef->space, &taken, value, range_between(branch->lo, branch->hi)))
            continue;
        if (ef->site)
            state_remark_branch(&ef->space, &taken, instr->loc, "taking a case of the switch");
        engine_doubt_branch(ef, &taken, value, branch->target);
        go_on(ef, taken, branch->target);
        Range known = state_range(&ef->space, &rest, value);
        if (branch->lo == branch->hi)
            rest_feasible = rest_feasible && state_restrict(&ef->space, &rest, value,
                                                            range_exclude(&known, branch->lo));
    }
    if (!rest_feasible) return;
    if (ef->site && instr->case_count > 0)
        state_remark_branch(&ef->space, &rest, instr->loc, "taking the default of the switch");
    engine_doubt_branch(ef, &rest, value, instr->target);
    go_on(ef, rest, instr->target);
}

static bool is_record(const EngineFn *ef, IrPlaceId place)
{
    IrType type = ir_place(ef->fn, place)->type;
    return type != IR_NONE && ir_type(ef->unit, type)->kind == IR_TY_RECORD;
}

// A closure is an object of what it captured. Stored where others see it, unknown code may run it at
// any time.
static void capture_closure(EngineFn *ef, State *state, const IrExpr *expr, LocId to)
{
    bool is_external = engine_loc_is_external(ef, to);
    engine_note_untold(ef, to);
    state_write(&ef->space, state, to, sym_fresh(ef->space.values, ef->point, to), ef->point);
    for (uint32_t i = 0; i < expr->capture_count; i++) {
        const IrCapture *capture = &expr->captures[i];
        SymId captured = engine_eval(ef, state, capture->value);
        if (is_external) {
            engine_may_keep(ef, state, captured);
            engine_share(ef, state, captured);
        }
        state_write(&ef->space, state, loc_field(ef->space.values, to, capture->field), captured,
                    ef->point);
    }
    // What holds a copy of the closure can call it.
    LocId body = loc_field(ef->space.values, to, str_intern(ef->unit->strings, ENGINE_CALLED));
    state_write(&ef->space, state, body, sym_func(ef->space.values, expr->callee), ef->point);
}

static void exec_assign(EngineFn *ef, State *state, const IrInstr *instr)
{
    const IrExpr *expr = ir_expr_at(ef->fn, instr->value);
    LocId to = engine_place(ef, state, instr->dst);
    engine_note_access(ef, state, to, instr->dst, true);
    if (state->dead) return;
    if (expr->kind == IR_EX_CLOSURE) {
        capture_closure(ef, state, expr, to);
        return;
    }
    if (expr->kind == IR_EX_LOAD && is_record(ef, instr->dst) && is_record(ef, expr->place)) {
        LocId from = engine_place(ef, state, expr->place);
        engine_note_access(ef, state, from, expr->place, false);
        engine_note_untold(ef, to);
        state_copy(&ef->space, state, to, from, ef->point);
        return;
    }
    if (ef->space.point_in_loop) phase_note_turn(ef, instr->dst, instr->value);
    SymId value = engine_eval(ef, state, instr->value);
    if (state->dead) return;
    if (engine_loc_is_external(ef, to)) engine_share(ef, state, value);
    if (loc_at(ef->space.values, to)->is_pointer) engine_note_overwrite(ef, state, to);
    state_write(&ef->space, state, to, value, ef->point);
    bool takes = ef->site && ef->has_work && loc_at(ef->space.values, to)->kind == LOC_VAR &&
                 sym_at(ef->space.values, value)->has_resource;
    if (takes) engine_note_taken(ef, state, to, instr->value);
}

uint32_t engine_outcomes(EngineFn *ef, const State *state, SymId value)
{
    if (value == IR_NONE) return OUTCOME_RETURNED;
    Range range = state_range(&ef->space, state, value);
    int64_t point;
    uint32_t outcomes = range_contains(&range, 0) ? OUTCOME_ZERO : 0;
    if (!range_is_point(&range, &point) || point != 0) outcomes |= OUTCOME_NONZERO;
    return outcomes;
}

static bool may_be(EngineFn *ef, const State *state, SymId value, bool truth)
{
    State tried = *state;
    return state_assume(&ef->space, &tried, value, truth);
}

// During a search: a value that depends on others is what the state knows of them, too.
static uint32_t outcomes_here(EngineFn *ef, const State *state, SymId value)
{
    uint32_t outcomes = engine_outcomes(ef, state, value);
    if (outcomes != OUTCOME_RETURNED || value == IR_NONE) return outcomes;
    if (!may_be(ef, state, value, false)) return OUTCOME_NONZERO;
    return may_be(ef, state, value, true) ? OUTCOME_RETURNED : OUTCOME_ZERO;
}

static void note_exit(EngineFn *ef, const State *state, SymId value, LocId object,
                      uint32_t outcomes)
{
    Exit exit = {.state = *state, .value = value, .object = object, .outcomes = outcomes};
    vec_push(ef->space.arena, &ef->site->exits, exit);
}

// Where the object lies that the function returns; IR_NONE: it returns none, or one without a place.
static LocId returned_object(EngineFn *ef, State *state, const IrInstr *instr)
{
    if (instr->value == IR_NONE) return IR_NONE;
    const IrExpr *expr = ir_expr_at(ef->fn, instr->value);
    bool is_object = expr->kind == IR_EX_LOAD && is_record(ef, expr->place);
    return is_object ? engine_place(ef, state, expr->place) : IR_NONE;
}

static void exec_return(EngineFn *ef, State *state, const IrInstr *instr)
{
    SymId value = instr->value == IR_NONE ? IR_NONE : engine_eval(ef, state, instr->value);
    if (state->dead) return;
    if (!ef->site) {
        engine_note_entry(ef, value);
        vec_push(ef->arena, &ef->returns.states, *state);
        vec_push(ef->arena, &ef->returns.values, value);
        vec_push(ef->arena, &ef->returns.objects, returned_object(ef, state, instr));
        return;
    }
    LocId object = IR_NONE;
    if (value != IR_NONE) {
        const IrExpr *expr = ir_expr_at(ef->fn, instr->value);
        bool converts_to_bool =
            expr->type != IR_NONE && ir_type(ef->unit, expr->type)->kind == IR_TY_BOOL;
        // That the caller gets its own resource back is for the summary to say.
        bool is_callers = ef->site->kind == SITE_ENTRY &&
                          sym_resource_relation(ef->space.values, value) == RES_EXACT;
        if (!converts_to_bool && !is_callers) engine_escape(ef, state, value);
        object = returned_object(ef, state, instr);
        if (object != IR_NONE) {
            engine_escape(ef, state, sym_addr(ef->space.values, object));
            engine_work_returned(ef, state, object);
        }
    }
    note_exit(ef, state, value, object, outcomes_here(ef, state, value));
    engine_check_left_unset(ef, state, value);
    engine_check_exit(ef, state, EXIT_RETURN);
}

static void exec_throw(EngineFn *ef, State *state, const IrInstr *instr)
{
    if (instr->value != IR_NONE) engine_escape(ef, state, engine_eval(ef, state, instr->value));
    if (state->dead) return;
    if (ef->site) state_remark(&ef->space, state, instr->loc, "throwing an exception");
    if (!state->unwinding) state->thrown_at = instr->loc;
    engine_leave_by_exception(ef, state, instr->target);
}

void engine_leave_by_exception(EngineFn *ef, State *state, IrBlockId handler)
{
    state->unwinding = true;
    if (handler != IR_NONE) {
        go_on(ef, *state, handler);
    } else if (ef->site) {
        note_exit(ef, state, IR_NONE, IR_NONE, OUTCOME_THROWN);
        engine_check_exit(ef, state, EXIT_THROW);
    } else if (!ef->unit->callees.items[ef->fn->callee].is_nothrow) { // else the process ends
        vec_push(ef->arena, &ef->throws, *state);
    }
    state->dead = true;
}

static void exec_decl(EngineFn *ef, State *state, const IrInstr *instr)
{
    LocId loc = loc_var(ef->space.values, instr->var);
    bool tracked = ef->site && ef->site->kind == SITE_UNINITIALIZED &&
                   ef->site->point == ef->point && !ef->site_started;
    SymId value = sym_fresh(ef->space.values, ef->point, loc);
    if (ef->space.point_in_loop) state_refresh(&ef->space, state, value);
    state_write(&ef->space, state, loc, value, ef->point);
    if (!tracked) return;
    state_write(&ef->space, state, ef->site->unset, sym_resource(ef->space.values), ef->point);
    ef->site_started = true;
    state->status = RS_LIVE;
    state_remark(&ef->space, state, instr->loc, "declared here without a value");
}

// Runs a terminator; the path ends in this block.
static void exec_terminator(EngineFn *ef, State *state, const IrInstr *instr)
{
    switch (instr->op) {
    case IR_JUMP:
        go_on(ef, *state, instr->target);
        break;
    case IR_BRANCH:
        exec_branch(ef, state, instr);
        break;
    case IR_SWITCH:
        exec_switch(ef, state, instr);
        break;
    case IR_RETURN:
        exec_return(ef, state, instr);
        break;
    case IR_THROW:
        exec_throw(ef, state, instr);
        break;
    case IR_RESUME:
        engine_leave_by_exception(ef, state, IR_NONE);
        break;
    case IR_UNREACHABLE:
    case IR_DECL:
    case IR_ASSIGN:
    case IR_CALL:
    case IR_LAUNCH:
    case IR_CLOBBER:
    case IR_SCOPE_END:
        break;
    }
}

// Between a throw and its handler only scopes end and destructors run.
static bool is_unwinding_step(const IrInstr *instr)
{
    return instr->op == IR_SCOPE_END || (instr->op == IR_CALL && instr->call->is_implicit);
}

// The resource is what the call returns, and nobody takes it: nothing overwrites it.
static bool is_dropped(const EngineFn *ef, const IrInstr *instr)
{
    const Site *site = ef->site;
    if (instr->op != IR_CALL || instr->call->dst != IR_NONE || !site || site->point != ef->point)
        return false;
    return site->acquires ? site->acquires->path.root == SP_RESULT
                          : site->effect && site->effect->slot.arg == 0;
}

// Who knows the variable's address may have released what it held.
static void exec_scope_end(EngineFn *ef, State *state, IrVarId var)
{
    LocId loc = loc_var(ef->space.values, var);
    engine_work_scope_end(ef, state, var);
    if (bits_has(&ef->shared_vars, var))
        engine_may_keep(ef, state, sym_addr(ef->space.values, loc));
    state_kill(&ef->space, state, loc);
}

// Something that is not understood happens to the place: what had no value may have one now, but a
// resource is not lost by it.
static void exec_clobber(EngineFn *ef, State *state, const IrInstr *instr)
{
    LocId place = engine_place(ef, state, instr->dst);
    bool keeps = !ef->site || ef->site->kind != SITE_UNINITIALIZED;
    engine_note_untold(ef, place);
    state_havoc(&ef->space, state, place, ef->point, keeps);
}

static void exec_instr(EngineFn *ef, State *state, const IrInstr *instr)
{
    if (!is_unwinding_step(instr)) state->unwinding = false;
    ExitKind exit = state->unwinding ? EXIT_THROW : EXIT_SCOPE;
    EventKind lost = EV_OVERWRITE;
    ef->memory_ended_by = NULL;
    ef->inside = (SrcLoc){0};
    ef->inside_by = NULL;
    ef->inside_calls = NULL;
    switch (instr->op) {
    case IR_DECL:
        exec_decl(ef, state, instr);
        break;
    case IR_ASSIGN:
        exec_assign(ef, state, instr);
        break;
    case IR_CALL:
        engine_exec_call(ef, state);
        break;
    case IR_LAUNCH:
        engine_exec_launch(ef, state);
        break;
    case IR_CLOBBER:
        exec_clobber(ef, state, instr);
        break;
    case IR_SCOPE_END:
        exec_scope_end(ef, state, instr->var);
        lost = EV_LEAK_AT_EXIT;
        break;
    case IR_JUMP:
    case IR_BRANCH:
    case IR_SWITCH:
    case IR_RETURN:
    case IR_THROW:
    case IR_RESUME:
    case IR_UNREACHABLE:
        break;
    }
    if (ef->memory_ended_by != NULL || is_dropped(ef, instr)) lost = EV_LEAK_AT_EXIT;
    if (!state->dead) engine_check_lost(ef, state, lost, exit);
}

// States that parted from the last instruction run the rest of the block on their own.
static void run_forks(EngineFn *ef, IrBlockId block, uint32_t from)
{
    while (ef->forks.len > 0) {
        State fork = *vec_last(&ef->forks);
        ef->forks.len--;
        if (!engine_take_step(ef)) return;
        engine_exec_block(ef, block, from, fork);
    }
}

void engine_exec_block(EngineFn *ef, IrBlockId block, uint32_t from, State state)
{
    const IrBlock *body = &ef->fn->blocks.items[block];
    if (from == 0 && ef->site_started) engine_remark_entered(ef, &state, body->enters);
    ef->block = block;
    ef->space.point_in_loop = bits_has(&ef->in_loop, block);
    ef->space.loop = ef->loops.loop_of[block];
    for (uint32_t i = from; i < body->instrs.len && !state.dead && !ef->gave_up; i++) {
        i = leap_instrs(ef, block, i, &state);
        ef->instr = &body->instrs.items[i];
        ef->point = ef->first_point[block] + i;
        if (ir_is_terminator(ef->instr->op)) {
            exec_terminator(ef, &state, ef->instr);
            return;
        }
        exec_instr(ef, &state, ef->instr);
        run_forks(ef, block, i + 1);
    }
}
