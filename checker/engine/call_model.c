// SPDX-License-Identifier: MIT
// Calls that the model describes: acquisitions, releases, uses and the rest of its vocabulary.
#include "engine/extent.h"
#include "engine/resize.h"
#include "engine/unset.h"
#include "engine/work.h"

#include <stdio.h>

// The location a slot speaks of, for slots that go through a pointer; IR_NONE when the call has no
// such argument.
static LocId slot_loc(EngineFn *ef, const CallSite *site, const ModelSlot *slot)
{
    Values *values = ef->space.values;
    uint32_t index = slot->arg == MODEL_SLOT_THIS ? 0 : site->first + (uint32_t)slot->arg - 1;
    if (slot->arg == 0 || slot->arg == MODEL_SLOT_NONE || index >= site->count) return IR_NONE;
    LocId loc = loc_pointee(values, site->args[index]);
    if (slot->elements) loc = loc_shift(values, loc, IR_NONE);
    if (!slot->field) return loc;
    char part[128];
    for (const char *at = slot->field; *at;) {
        size_t len = strcspn(at, ".");
        snprintf(part, sizeof part, "%.*s", (int)len, at);
        loc = loc_field(values, loc, str_intern(ef->unit->strings, part));
        at += len + (at[len] == '.');
    }
    return loc;
}

SymId engine_slot_value(EngineFn *ef, State *state, const CallSite *site, const ModelSlot *slot)
{
    if (slot->pointee || slot->field) {
        LocId loc = slot_loc(ef, site, slot);
        return loc == IR_NONE ? IR_NONE : state_read(&ef->space, state, loc);
    }
    uint32_t index = slot->arg == MODEL_SLOT_THIS ? 0 : site->first + (uint32_t)slot->arg - 1;
    return slot->arg <= 0 || index >= site->count ? IR_NONE : site->args[index];
}

static bool is_start_of(const EngineFn *ef, const ModelEffect *effect)
{
    return ef->site && !ef->site_started && ef->site->point == ef->point &&
           ef->site->effect == effect;
}

static void start_site(EngineFn *ef, State *state, const CallSite *site)
{
    const char *text = ef->site->kind == SITE_BORROW   ? "lent here by '%s'"
                       : ef->site->kind == SITE_ATTACH ? "registered here by '%s'"
                                                       : "acquired here by '%s'";
    ef->site_started = true;
    if (ef->site->kind == SITE_ACQUIRE) engine_note_block_size(ef, site);
    state->status = RS_LIVE;
    state_remark(&ef->space, state, ef->instr->loc,
                 arena_printf(ef->space.arena, text, site->model->name));
}

// The pointer is null exactly when the status is an error.
static void status_of(EngineFn *ef, State *state, CallSite *site, SymId pointer)
{
    SymId error = engine_fresh(ef, state, 1);
    Range any = range_full();
    if (!state_restrict(&ef->space, state, error, range_exclude(&any, 0))) return;
    site->result = sym_ite(ef->space.values, pointer, sym_int(ef->space.values, 0), error);
}

// Number of the argument through which the slot's place is reached.
static uint32_t slot_argument(const CallSite *site, const ModelSlot *slot)
{
    return slot->arg == MODEL_SLOT_THIS ? 0 : site->first + (uint32_t)slot->arg - 1;
}

// A second pointer to the tracked memory, by which only work reaches it. In a loop it would be that of
// another round's memory.
static void note_view(EngineFn *ef, State *state, const CallSite *site, const ModelEffect *effect,
                      SymId view)
{
    const ModelResource *tracked = ef->site ? ef->site->resource : NULL;
    bool is_memory =
        tracked && tracked->is_memory && model_resource(ef->model, effect->resource)->is_memory;
    if (!is_memory || effect->owner.arg == MODEL_SLOT_NONE || ef->space.point_in_loop) return;
    SymId owner = engine_slot_value(ef, state, site, &effect->owner);
    if (owner != IR_NONE && sym_resource_relation(ef->space.values, owner) == RES_EXACT) {
        ef->site->has_view = true;
        ef->site->view = view;
    } else if (ef->site->view == view) {
        ef->site->has_view = false; // on another path it is other memory's
    }
}

static void apply_acquire(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    bool tracked = is_start_of(ef, effect);
    if (effect->slot.arg == 0) {
        if (tracked) {
            site->result = sym_resource(ef->space.values);
            start_site(ef, state, site);
        } else if (effect->kind == MODEL_ACQUIRE &&
                   !model_resource(ef->model, effect->resource)->must_release) {
            if (site->result == IR_NONE) // host heap: memory of its own
                site->result = engine_fresh(ef, state, 0);
            engine_start_unset(ef, state);
        }
        return;
    }
    LocId loc = slot_loc(ef, site, &effect->slot);
    if (loc == IR_NONE) return;
    const Sym *root = sym_at(ef->space.values, site->args[slot_argument(site, &effect->slot)]);
    if (root->kind == SYM_INT && root->value == 0) bits_add(&ef->null_arguments, ef->point);
    if (engine_fail_to_set(ef, state, site, loc)) return;
    SymId value = sym_resource(ef->space.values);
    if (!tracked) {
        value = sym_fresh(ef->space.values, ef->point, loc);
        if (ef->space.point_in_loop) state_refresh(&ef->space, state, value);
        if (effect->kind == MODEL_BORROW) note_view(ef, state, site, effect, value);
    }
    engine_note_overwrite(ef, state, loc);
    state_write(&ef->space, state, loc, value, ef->point);
    // What the source calls it may be a temporary; the place itself has a better name.
    if (tracked && engine_is_unnamed(ef->site->name))
        ef->site->name = loc_text(ef->arena, ef->space.values, loc);
    if (!tracked) {
        if (site->model->result == MODEL_RESULT_STATUS && site->model->null_on_failure)
            status_of(ef, state, site, value);
        return;
    }
    start_site(ef, state, site);
    // A temporary stands for a place the front end could not name: somebody's, for all that is
    // known.
    const Loc *place = loc_at(ef->space.values, loc_at(ef->space.values, loc)->root);
    if (place->kind == LOC_VAR && ef->fn->vars.items[place->var].kind == IR_VAR_TEMP)
        state->escaped = true;
    if (site->model->result == MODEL_RESULT_STATUS) site->result = sym_int(ef->space.values, 0);
}

static void apply_attach(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    SymId value = engine_slot_value(ef, state, site, &effect->slot);
    if (value == IR_NONE) return;
    engine_work_register(ef, value);
    if (state->status == RS_RELEASED && state->attached == value)
        state->dead = true; // another registration begins
    if (!is_start_of(ef, effect)) return;
    start_site(ef, state, site);
    state->attached = value;
    Range any = range_full(); // nothing can be attached to null
    if (!state_restrict(&ef->space, state, value, range_exclude(&any, 0))) state->dead = true;
    if (site->model->result == MODEL_RESULT_STATUS) site->result = sym_int(ef->space.values, 0);
}

static void apply_detach(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    if (state->status == RS_NONE || state->attached == IR_NONE) return;
    if (model_resource(ef->model, effect->resource) != ef->site->resource) return;
    if (engine_slot_value(ef, state, site, &effect->slot) == state->attached)
        engine_detach(ef, state, site);
}

static void apply_release(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    SymId value = engine_slot_value(ef, state, site, &effect->slot);
    if (value == IR_NONE) return;
    ResourceStatus before = state->status;
    engine_release(ef, state, value, effect, site);
    if (state->attached == value) engine_free_attached(ef, state);
    bool tells = site->model->result == MODEL_RESULT_STATUS && site->call->dst != IR_NONE;
    if (before != RS_RELEASED && state->status == RS_RELEASED && tells)
        state->release_status = engine_call_result(ef, state, site);
    if (state->dead || state->status != before) return;
    // Other memory goes, and with it what was stored inside.
    value = sym_whole_object(ef->space.values, value);
    const Sym *sym = sym_at(ef->space.values, value);
    if (sym->kind == SYM_INT || sym->kind == SYM_ADDR || sym->has_resource) return;
    ef->memory_ended_by = engine_callee_name(ef, site->callee);
    state_kill(&ef->space, state, loc_mem(ef->space.values, value));
}

static void apply_null_when_released(EngineFn *ef, State *state, CallSite *site,
                                     const ModelEffect *effect)
{
    LocId loc = effect->slot.pointee ? slot_loc(ef, site, &effect->slot) : IR_NONE;
    if (site->model->null_when_released && loc != IR_NONE)
        state_write(&ef->space, state, loc, sym_int(ef->space.values, 0), ef->point);
}

static void apply_release_all(EngineFn *ef, State *state)
{
    if (state->status == RS_NONE || !ef->site->resource || !ef->site->resource->released_by_reset)
        return;
    if (state->status == RS_LIVE) ef->site->released = true;
    state->dead = true;
}

static void apply_copy(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    LocId to = slot_loc(ef, site, &effect->slot), from = slot_loc(ef, site, &effect->from);
    if (to == IR_NONE || from == IR_NONE) return;
    bool holds = state->holders && engine_search_holders(ef, state, from).found;
    if (holds && state->status == RS_LIVE && engine_loc_is_external(ef, to)) state->escaped = true;
    engine_note_untold(ef, to);
    engine_write_beyond(ef, state, site, slot_argument(site, &effect->slot));
    state_copy(&ef->space, state, to, from, ef->point);
    engine_copy_elements(ef, state, site, to, from);
}

static void apply_container(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    Values *values = ef->space.values;
    ModelSlot slot = effect->slot;
    slot.pointee = true;
    LocId container = slot_loc(ef, site, &slot);
    if (container == IR_NONE) return;
    LocId size = loc_field(values, container, str_intern(ef->unit->strings, "#size"));
    if (effect->kind == MODEL_CLEAR_ELEMENTS) {
        ef->memory_ended_by = engine_callee_name(ef, site->callee);
        state_kill(&ef->space, state, loc_any(values, container));
        state_write(&ef->space, state, size, sym_int(values, 0), ef->point);
        return;
    }
    if (effect->kind == MODEL_DROP_ELEMENTS) {
        engine_may_keep(ef, state, sym_addr(values, container));
        if (engine_search_holders(ef, state, container).found) state_mislay(state);
        state_havoc(&ef->space, state, size, ef->point, true);
        return;
    }
    engine_container_size(ef, state, container, size);
    SymId value = state_read(&ef->space, state, size);
    site->result = effect->kind == MODEL_SIZE ? value : sym_not(values, value);
}

bool engine_is_container_entry(const ModelFunction *model)
{
    for (uint32_t i = 0; i < model->effects.len; i++) {
        ModelEffectKind kind = model->effects.items[i].kind;
        if (kind == MODEL_CLEAR_ELEMENTS || kind == MODEL_DROP_ELEMENTS || kind == MODEL_SIZE ||
            kind == MODEL_EMPTY)
            return true;
    }
    return false;
}

static void apply_effect(EngineFn *ef, State *state, CallSite *site, const ModelEffect *effect)
{
    switch (effect->kind) {
    case MODEL_ACQUIRE:
    case MODEL_BORROW:
        apply_acquire(ef, state, site, effect);
        break;
    case MODEL_RELEASE:
        apply_release(ef, state, site, effect);
        apply_null_when_released(ef, state, site, effect);
        break;
    case MODEL_RELEASE_ALL:
        apply_release_all(ef, state);
        break;
    case MODEL_ATTACH:
        apply_attach(ef, state, site, effect);
        break;
    case MODEL_DETACH:
        apply_detach(ef, state, site, effect);
        break;
    case MODEL_USE_READ:
    case MODEL_USE_WRITE: {
        SymId value = engine_slot_value(ef, state, site, &effect->slot);
        if (value == IR_NONE) break;
        bool writes = effect->kind == MODEL_USE_WRITE;
        engine_use(ef, state, value, site->model->name);
        engine_check_direction(ef, state, site, value, writes);
        engine_check_block_size(ef, state, site, value, writes);
        if (site->model->order == ORDER_NEEDS_EVENT) engine_work_event_needed(ef, state, site);
        if (site->model->order == ORDER_HOST) {
            engine_note_host_use(ef, state, value, writes,
                                 ef->site && engine_bytes_to_pointee(ef, value) == 1);
            engine_check_host_access(ef, state, value, writes, site->model->name);
            engine_work_host_use(ef, state, value, writes, site->model->name);
        }
        break;
    }
    case MODEL_WRITE_OUT: // what any argument points to may have been written
    case MODEL_GROW:      // work_container.c
    case MODEL_RESERVE:
    case MODEL_REPLACE:
    case MODEL_EXCHANGE:
        break;
    case MODEL_KEEP: {
        SymId value = engine_slot_value(ef, state, site, &effect->slot);
        if (value != IR_NONE) engine_share(ef, state, value);
        break;
    }
    case MODEL_COPY:
        apply_copy(ef, state, site, effect);
        break;
    case MODEL_MAPPED:
        break; // where an element is put in or got at
    case MODEL_CLEAR_ELEMENTS:
    case MODEL_DROP_ELEMENTS:
    case MODEL_SIZE:
    case MODEL_EMPTY:
        apply_container(ef, state, site, effect);
        break;
    }
}

// What the call stores in memory that this argument points to is decided by an effect.
static bool is_decided(const CallSite *site, uint32_t index)
{
    // A launch only reads where the kernel's arguments lie.
    int written = (int)(index - site->first) + 1;
    if (site->model->kernel_array_arg > 0 && written == site->model->kernel_array_arg) return true;
    for (uint32_t i = 0; i < site->model->effects.len; i++) {
        const ModelEffect *effect = &site->model->effects.items[i];
        bool decides = effect->kind == MODEL_RELEASE || effect->kind == MODEL_DETACH ||
                       effect->kind == MODEL_ACQUIRE || effect->kind == MODEL_BORROW ||
                       effect->kind == MODEL_COPY || effect->kind == MODEL_ATTACH;
        uint32_t at =
            effect->slot.arg == MODEL_SLOT_THIS ? 0 : site->first + (uint32_t)effect->slot.arg - 1;
        if (decides && effect->slot.arg != 0 && at == index) return true;
    }
    return false;
}

void engine_call_modelled(EngineFn *ef, State *state, CallSite *site)
{
    bool is_container_method = site->callee->is_method;
    for (uint32_t i = 0; i < site->count && !is_container_method; i++)
        if (!is_decided(site, i) && !engine_param_is_const(ef, site, i)) {
            engine_write_beyond(ef, state, site, i);
            engine_havoc_pointee(ef, state, site->args[i]);
        }
    engine_move_block(ef, state, site);
    for (uint32_t i = 0; i < site->model->effects.len && !state->dead; i++)
        apply_effect(ef, state, site, &site->model->effects.items[i]);
    engine_fill(ef, state, site);
    engine_work_call(ef, state, site);
}
