// SPDX-License-Identifier: MIT
// One function: a search for the facts that hold without any resource, then one search per site.
// Memory of a search is given back before the next.
#include "engine/ask.h"
#include "engine/element.h"
#include "engine/return_facts.h"
#include "engine/session.h"
#include "engine/summarize.h"
#include "engine/temps.h"
#include "engine/work.h"

EngineBudget engine_budget_default(void)
{
    return (EngineBudget){.max_states_per_block = 64,
                          .max_steps = 20000,
                          .max_function_steps = 400000,
                          .max_bytes = (size_t)1 << 30};
}

static void number_points(EngineFn *ef)
{
    uint32_t blocks = ef->fn->blocks.len, point = 0;
    ef->first_point = ARENA_ARRAY(ef->arena, uint32_t, blocks + 1);
    for (uint32_t b = 0; b < blocks; b++) {
        ef->first_point[b] = point;
        point += ef->fn->blocks.items[b].instrs.len;
    }
    ef->join_points = ef->space.join_points = point;
    ef->heap_points = bits_new(ef->arena, point);
    ef->acquire_points = bits_new(ef->arena, point);
    ef->null_arguments = bits_new(ef->arena, point);
    ef->shared_vars = bits_new(ef->arena, ef->fn->vars.len);
    ef->untold_vars = bits_new(ef->arena, ef->fn->vars.len);
}

static void note_allocation(EngineFn *ef, const IrInstr *instr, uint32_t point)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE) return;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const ModelFunction *model = engine_model_of(ef, instr->call, callee);
    const Summary *summary = model ? NULL : engine_summary_of(ef, instr->call, callee);
    if (summary && summary->known && summary->gives_heap) bits_add(&ef->heap_points, point);
    for (uint32_t e = 0; model && e < model->effects.len; e++) {
        const ModelEffect *effect = &model->effects.items[e];
        if (effect->kind != MODEL_ACQUIRE) continue;
        const ModelResource *resource = model_resource(ef->model, effect->resource);
        if (effect->slot.arg == 0 && !resource->must_release) bits_add(&ef->heap_points, point);
        if (resource->is_memory) bits_add(&ef->acquire_points, point);
    }
}

static void find_allocations(EngineFn *ef)
{
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++)
            note_allocation(ef, &block->instrs.items[i], ef->first_point[b] + i);
    }
    for (uint32_t v = 0; v < ef->fn->vars.len; v++)
        ef->has_globals |= ef->fn->vars.items[v].kind == IR_VAR_GLOBAL;
}

// Later blocks first, so that what follows is known; a loop is no dead end, as it may go on for ever.
static void find_dead_ends(EngineFn *ef, const FlowGraph *graph, const FlowOrder *order)
{
    ef->dead_ends = bits_new(ef->arena, graph->block_count);
    for (uint32_t i = order->count; i-- > 0;) {
        uint32_t b = order->blocks[i];
        const IrBlock *block = &ef->fn->blocks.items[b];
        bool ends = graph->succ_start[b] < graph->succ_start[b + 1] ||
                    block->instrs.items[block->instrs.len - 1].op == IR_UNREACHABLE;
        for (uint32_t s = graph->succ_start[b]; s < graph->succ_start[b + 1]; s++)
            ends &= bits_has(&ef->dead_ends, graph->succ[s]);
        if (ends) bits_add(&ef->dead_ends, b);
    }
}

static void order_blocks(EngineFn *ef)
{
    FlowGraph graph = flow_graph_of(ef->arena, ef->fn);
    FlowOrder order = flow_order_compute(ef->arena, &graph);
    ef->dom = flow_dom_compute(ef->arena, &graph, &order);
    ef->loops = flow_loops_compute(ef->arena, &graph);
    find_dead_ends(ef, &graph, &order);
    ef->by_order = order.blocks;
    ef->order = order.position;
    ef->in_loop = bits_new(ef->arena, ef->fn->blocks.len);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++)
        if (ef->loops.depth[b] > 0) bits_add(&ef->in_loop, b);
    ef->loop_headers = bits_new(ef->arena, ef->fn->blocks.len);
    for (uint32_t i = 0; i < ef->loops.back_edges.len; i++)
        bits_add(&ef->loop_headers, ef->loops.back_edges.items[i].to);
    ef->temps = temps_new(ef);
}

static void tell_budget(EngineSession *run, const EngineFn *ef)
{
    run->stats->budget_hits++;
    if (run->sink->on_budget) run->sink->on_budget(run->sink->context, ef->fn, ef->gave_up);
}

static bool search_site(EngineSession *run, EngineFn *ef, Site *site, bool told)
{
    engine_search(ef, site);
    if (!ef->gave_up) return true;
    if (!told) tell_budget(run, ef);
    return false;
}

static bool is_pointer(const EngineFn *ef, IrVarId var)
{
    IrType type = ef->fn->vars.items[var].type;
    if (type == IR_NONE) return false;
    IrTypeKind kind = ir_type(ef->unit, type)->kind;
    return kind == IR_TY_POINTER || kind == IR_TY_REFERENCE;
}

static void note_parameter(EngineFn *ef, IrVarId var)
{
    Values *values = ef->space.values;
    if (is_pointer(ef, var)) engine_note_entry(ef, sym_initial(values, loc_var(values, var)));
}

static bool is_in_own_heap(const EngineFn *ef, LocId loc)
{
    const Values *values = ef->space.values;
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    return root->kind == LOC_MEM && engine_is_own_heap(ef, sym_at(values, root->sym));
}

// The caller's resources: every pointer parameter, the object of a method, and whatever else this
// function does something to that it did not acquire.
static void find_entries(EngineFn *ef, SiteList *sites)
{
    if (ef->fn->this_var != IR_NONE) note_parameter(ef, ef->fn->this_var);
    for (uint32_t i = 0; i < ef->fn->params.len; i++) note_parameter(ef, ef->fn->params.items[i]);
    for (uint32_t i = 0; i < ef->entry_places.len; i++) {
        LocId place = ef->entry_places.items[i];
        // What a new object holds, whoever made it acquired: that is a site of its own.
        if (is_in_own_heap(ef, place)) continue;
        LocId container = engine_container_at(ef, place);
        LocId named = container == IR_NONE ? place : container;
        Site site = {.kind = SITE_ENTRY,
                     .block = 0,
                     .point = IR_NONE,
                     .var = IR_NONE,
                     .buffer = container,
                     .entry = place,
                     .loc = ef->fn->loc,
                     .name = loc_text(ef->arena, ef->space.values, named)};
        vec_push(ef->arena, sites, site);
    }
}

// Whatever the function returns is null, or memory of the host that it allocated and nobody knows.
static bool gives_heap(EngineFn *ef)
{
    bool gives = false;
    for (uint32_t i = 0; i < ef->returns.states.len; i++) {
        SymId value = ef->returns.values.items[i];
        int64_t number;
        if (value == IR_NONE) return false;
        if (sym_is_int(ef->space.values, value, &number) && number == 0) continue;
        LocId object = loc_mem(ef->space.values, value);
        gives = engine_is_own_heap(ef, sym_at(ef->space.values, value));
        if (!gives || engine_is_outside(ef, &ef->returns.states.items[i], object)) return false;
    }
    return gives;
}

static void search_sites(EngineSession *run, EngineFn *ef)
{
    Summary *summary = &run->own[ef->fn->id];
    SiteList sites = {0};
    EngineSink events = {.on_event = hold_event, .context = &run->held};
    engine_check_arguments(ef, events);
    engine_check_lost_errors(ef, &events);
    find_entries(ef, &sites);
    engine_find_sites(ef, &sites);
    run->stats->sites += sites.len;
    bool complete = true;
    Arena *work = arena_new("search");
    ef->space.arena = work;
    for (uint32_t i = 0; i < sites.len; i++) {
        Site *site = &sites.items[i];
        site->number = i;
        ArenaMark mark = arena_mark(work);
        if (!search_site(run, ef, site, !complete)) {
            complete = false;
        } else {
            uint32_t before = run->held.events.len;
            engine_deliver(ef, site, events);
            hold_member(&run->held, before, site->record, site->member);
            if (site->kind == SITE_ENTRY) {
                if (site->buffer == IR_NONE) summarize_entry(run->arena, ef, site, summary);
                summarize_work(run->arena, ef, site, summary);
            } else {
                summarize_acquisition(run->arena, ef, site, summary);
            }
        }
        arena_reset(work, mark);
    }
    arena_free(work);
    for (uint32_t i = 0; i < ef->returns.states.len; i++)
        summary->outcomes |=
            engine_outcomes(ef, &ef->returns.states.items[i], ef->returns.values.items[i]);
    if (ef->throws.len > 0) summary->outcomes |= OUTCOME_THROWN;
    summarize_untold(ef, summary);
    summarize_handed_on(run->arena, ef, summary);
    summarize_refits(run->arena, ef, summary);
    summary->never_waits = !engine_may_wait(ef);
    summary->captures = engine_may_capture(ef);
    summary->gives_heap = gives_heap(ef);
    summary->asks = engine_only_asks(ef);
    summary->orders = engine_may_order(ef);
    summary->known = complete;
}

void engine_analyse(EngineSession *run, const IrFunction *fn)
{
    const EngineInput *input = &run->input;
    Summary *summary = &run->own[fn->id];
    crash_context_set(input->unit->file, fn->name);
    Arena *arena = arena_new("function");
    EngineFn ef = {.arena = arena,
                   .summary_arena = run->arena,
                   .unit = input->unit,
                   .fn = fn,
                   .model = input->model,
                   .summaries = run->summaries,
                   .targets = run->targets,
                   .budget = input->budget};
    space_init(&ef.space, arena, fn, values_new(arena, input->unit, fn));
    number_points(&ef);
    find_allocations(&ef);
    engine_find_work(&ef);
    order_blocks(&ef);
    ef.space.names = element_names_new(&ef);
    engine_search(&ef, NULL);
    engine_search_returns(&ef);
    return_facts_compute(run->arena, &ef, &summary->returns);
    if (ef.gave_up)
        tell_budget(run, &ef);
    else
        search_sites(run, &ef);
    if (run->sink->on_summary) run->sink->on_summary(run->sink->context, fn, summary);
    run->stats->block_visits += ef.total_steps;
    run->stats->functions++;
    arena_free(arena);
    crash_context_set(input->unit->file, NULL);
}
