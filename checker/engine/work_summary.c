// SPDX-License-Identifier: MIT
// Work and summaries: what a function leaves in flight on its caller's memory, and whether the host
// touches that memory in it; and what such a callee means at a call.
#include "engine/summarize.h"
#include "engine/work.h"

_Static_assert((int)SUMMARY_LAST_WORK == (int)WORK_SET &&
                   (int)SUMMARY_LAST_ACCESS == (int)WORK_UNSURE,
               "summaries hold these numbers");

// ---- computing ----------------------------------------------------------------------------------

void engine_note_host_use(EngineFn *ef, const State *state, SymId value, bool writes, bool at_start)
{
    if (!ef->site || ef->site->kind != SITE_ENTRY || state->status != RS_LIVE) return;
    if (sym_resource_relation(ef->space.values, value) == RES_NONE) return;
    ef->site->host_reads |= !writes;
    ef->site->host_writes |= writes;
    ef->site->host_writes_start |= writes && at_start;
}

// How the caller names the stream; false when it cannot.
static bool stream_path(EngineFn *ef, Handle stream, SummaryWork *work)
{
    work->on_default = (stream.facts & HANDLE_LEGACY) != 0;
    if (work->on_default) return true;
    if (stream.value == IR_NONE || (stream.facts & HANDLE_OWN)) return false;
    const Sym *sym = sym_at(ef->space.values, stream.value);
    return sym->kind == SYM_INITIAL && summarize_path(ef, sym->loc, &work->stream);
}

// What the release of the current instruction is, seen from what was queued before the function
// was entered.
static ReleaseTime release_time(EngineFn *ef, State *state, const CallSite *call, SummaryWork *work)
{
    if (engine_waited_before(ef)) return RELEASE_LATER;
    const SummaryEffect *inside = ef->inside_release;
    if (inside && inside->time != RELEASE_IN_ORDER) return inside->time;
    if (!inside && !call->model) return RELEASE_LATER;
    if (!inside && call->model->order != ORDER_ENQUEUE) return RELEASE_AT_ONCE;
    Handle stream = engine_release_stream(ef, state, call);
    return stream_path(ef, stream, work) ? RELEASE_IN_ORDER : RELEASE_LATER;
}

static bool is_same_stream(const SummaryWork *a, const SummaryWork *b)
{
    return a->on_default == b->on_default &&
           (a->on_default || summary_path_equal(&a->stream, &b->stream));
}

void engine_note_release_time(EngineFn *ef, State *state, const CallSite *call)
{
    Site *site = ef->site;
    if (site->kind != SITE_ENTRY) return;
    SummaryWork work = {0};
    ReleaseTime time = release_time(ef, state, call, &work);
    bool is_first = !site->is_timed;
    bool is_same = site->release_time == time &&
                   (time != RELEASE_IN_ORDER || is_same_stream(&site->release_work, &work));
    site->is_timed = true;
    if (is_first) {
        site->release_time = time;
        site->release_work = work;
    } else if (!is_same) {
        site->release_time = RELEASE_LATER;
    }
}

static const Work *work_at(const EngineFn *ef, const Exit *exit, uint32_t point)
{
    const Pending *pending = pending_at(&ef->space.pendings, exit->state.pending);
    for (uint32_t i = 0; i < pending->count && exit->state.status == RS_LIVE; i++)
        if (pending->works[i].point == point) return &pending->works[i];
    return NULL;
}

// The exit's outcomes where the call that queued the work did so, or where it refused to.
static uint32_t outcomes_where(EngineFn *ef, const Exit *exit, const Work *work, bool queued)
{
    if (!work->has_status) return queued ? exit->outcomes : 0;
    State state = exit->state;
    if (!state_assume(&ef->space, &state, work->queued, queued)) return 0;
    return exit->value == IR_NONE ? exit->outcomes : engine_outcomes(ef, &state, exit->value);
}

static void summarize_one(Arena *arena, EngineFn *ef, const Site *site, const Work *work,
                          Summary *summary)
{
    SummaryEffect effect = {.kind = SE_QUEUE};
    bool is_use = work->kind == WORK_KERNEL || work->kind == WORK_COPY || work->kind == WORK_SET;
    // Something beside its stream tells its end: the caller may know that, too.
    if (!is_use || work->cover_count > 1 || !summarize_path(ef, site->entry, &effect.path)) return;
    if (!stream_path(ef, work->covers[0], &effect.work)) return;
    effect.work.kind = (uint8_t)work->kind;
    effect.work.access = (uint8_t)work->access;
    effect.work.is_whole = work->is_whole;
    effect.work.bytes = work->bytes;
    uint32_t without = 0, refused = 0;
    for (uint32_t i = 0; i < site->exits.len; i++) {
        const Exit *exit = &site->exits.items[i];
        const Work *same = work_at(ef, exit, work->point);
        if (same && same->cover_count == 1 && same->covers[0].value == work->covers[0].value) {
            uint32_t queued = outcomes_where(ef, exit, same, true);
            effect.may |= queued;
            refused |= outcomes_where(ef, exit, same, false) & ~queued;
        } else {
            without |= exit->outcomes;
        }
    }
    effect.possible = effect.may | refused;
    effect.must = effect.may & ~without & ~refused;
    if (effect.must && !without) summary_add(arena, summary, effect);
}

void summarize_work(Arena *arena, EngineFn *ef, const Site *site, Summary *summary)
{
    SummaryEffect use = {.kind = SE_USE, .may = OUTCOME_RETURNED};
    bool touches = site->host_reads || site->host_writes;
    if (touches && summarize_path(ef, site->entry, &use.path)) {
        use.work.access = site->host_writes ? WORK_WRITES : WORK_READS;
        use.work.bytes = site->host_writes_start;
        summary_add(arena, summary, use);
    }
    for (uint32_t i = 0; i < site->exits.len; i++) {
        const Exit *exit = &site->exits.items[i];
        Pending pending = *pending_at(&ef->space.pendings, exit->state.pending);
        for (uint32_t w = 0; w < pending.count && exit->state.status == RS_LIVE; w++)
            summarize_one(arena, ef, site, &pending.works[w], summary);
    }
}

// ---- applying -----------------------------------------------------------------------------------

// The callee's result says whether a call in it refused the work.
static void tie_to_outcome(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *effect,
                           Work *work)
{
    uint32_t queued = effect->must & OUTCOME_RETURNED;
    if (queued == OUTCOME_RETURNED || site->call->dst == IR_NONE) return;
    SymId result = engine_call_result(ef, state, site);
    engine_tie_to_value(ef, work,
                        queued == OUTCOME_ZERO ? sym_not(ef->space.values, result)
                                               : sym_truth(ef->space.values, result));
}

static void queue(EngineFn *ef, State *state, CallSite *site, const SummaryEffect *effect)
{
    if ((effect->must & OUTCOME_RETURNED) == 0) return;
    SymId value = engine_work_value(ef, state, site, &effect->path);
    if (value == IR_NONE) return; // a global of which this function knows nothing
    ResourceRelation relation = engine_work_relation(ef, value);
    if (relation == RES_NONE) return;
    SymId stream = sym_int(ef->space.values, 0);
    if (!effect->work.on_default)
        stream = engine_value_at_call(ef, state, site, &effect->work.stream);
    Handle handle = engine_stream_of_value(ef, stream);
    Work work = {.kind = (WorkKind)effect->work.kind,
                 .access = effect->work.access,
                 .is_whole = effect->work.is_whole && relation == RES_EXACT,
                 .bytes = relation == RES_EXACT ? effect->work.bytes : 0};
    for (uint32_t i = 0; i < effect->path.step_count; i++)
        work.has_element |= effect->path.steps[i].kind == SP_ELEMENT;
    if (work.has_element) work.element = engine_fresh(ef, state, 2); // some element
    tie_to_outcome(ef, state, site, effect, &work);
    engine_queue_work(ef, state, work, handle, site->callee->name);
}

static void touch(EngineFn *ef, State *state, const CallSite *site, const SummaryEffect *effect)
{
    SymId value = engine_value_at_call(ef, state, site, &effect->path);
    if (value == IR_NONE) return;
    bool writes = effect->work.access == WORK_WRITES;
    bool at_start = effect->work.bytes > 0 && engine_bytes_to_pointee(ef, value) == 1;
    engine_note_host_use(ef, state, value, writes, at_start);
    engine_work_host_use_within(ef, state, value, writes, at_start, site->callee->name);
}

static void apply_each(EngineFn *ef, State *state, CallSite *site, const Summary *summary,
                       SummaryEffectKind kind)
{
    for (uint32_t i = 0; i < summary->effects.len && !state->dead; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != kind) continue;
        if (kind == SE_QUEUE)
            queue(ef, state, site, effect);
        else
            touch(ef, state, site, effect);
    }
}

// In a search for facts: what the callee gives to work.
static void note_queued(EngineFn *ef, State *state, const CallSite *site, const Summary *summary)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (effect->kind != SE_QUEUE) continue;
        SymId value = engine_work_value(ef, state, site, &effect->path);
        if (value != IR_NONE) engine_note_work_use(ef, value);
    }
}

void engine_work_thrown(const EngineFn *ef, State *thrown, const CallSite *site)
{
    if (!site->model && engine_call_may_wait(ef, site)) thrown->pending = PENDING_NONE;
}

void engine_work_other_call(EngineFn *ef, State *state, CallSite *site)
{
    const Summary *summary = site->callee ? engine_summary_of(ef, site->call, site->callee) : NULL;
    bool is_known = summary && summary->known;
    bool may_wait = engine_call_may_wait(ef, site);
    // A function of the program that is given anything may record what it can reach.
    bool is_library = site->callee && site->callee->in_system_header && !may_wait;
    if (ef->site && !is_library && site->count + site->captured.len > 0)
        ef->site->is_recorded = true;
    if (is_library) engine_work_library_call(ef, state, site);
    if (is_known) engine_work_refit_inside(ef, state, site, summary);
    // What waits may do so before it touches the memory.
    if (is_known && !may_wait && engine_watches_work(ef, state))
        apply_each(ef, state, site, summary, SE_USE);
    if (may_wait) state->pending = PENDING_NONE;
    if (!is_library) engine_forget_graphs(ef, state, site);
    engine_work_moved(ef, state, site);
    if (is_known && summary->orders && engine_watches_work(ef, state))
        engine_order_unknown(ef, state);
    // Where the capture ends is not followed.
    if (ef->site && ef->has_work && is_known && summary->captures) state->capturing = true;
    if (is_known && !ef->site) note_queued(ef, state, site, summary);
    engine_start_buffer(ef, state);
    if (is_known && engine_watches_work(ef, state)) apply_each(ef, state, site, summary, SE_QUEUE);
}
