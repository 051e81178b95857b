// SPDX-License-Identifier: MIT
// In which order a unit's functions are analysed: callees first, and none before what it needs of
// other files is known. The order is fixed when the session is opened; in a cycle of calls the first
// one goes without.
#include "engine/session.h"

#include "engine/classes.h"

// ---- who mentions whom --------------------------------------------------------------------------

typedef struct {
    EngineSession *session;
    CalleeList *list;    // of the function
    IrFuncId *last_seen; // by callee: the last function that mentions it, plus one
    IrFuncId function;
} Mentions;

static void add_mention(Mentions *mentions, IrCalleeId callee)
{
    if (mentions->last_seen[callee] == mentions->function + 1) return;
    mentions->last_seen[callee] = mentions->function + 1;
    vec_push(mentions->session->arena, mentions->list, callee);
}

static void add_call(Mentions *mentions, Arena *work, const IrCall *call)
{
    if (call->callee == IR_NONE) return;
    add_mention(mentions, call->callee);
    if (!call->is_virtual) return;
    CalleeList targets = targets_of(mentions->session->targets, work, call->callee);
    for (uint32_t i = 0; i < targets.len; i++) add_mention(mentions, targets.items[i]);
}

static void list_mentions(EngineSession *session)
{
    const IrUnit *unit = session->input.unit;
    Arena *work = arena_new("mentions");
    Mentions mentions = {.session = session,
                         .last_seen = ARENA_ARRAY(work, IrFuncId, unit->callees.len + 1)};
    for (uint32_t f = 0; f < unit->functions.len; f++) {
        const IrFunction *fn = unit->functions.items[f];
        mentions.function = f;
        mentions.list = &session->mentions[f];
        for (uint32_t b = 0; b < fn->blocks.len; b++) {
            const IrBlock *block = &fn->blocks.items[b];
            for (uint32_t i = 0; i < block->instrs.len; i++)
                if (block->instrs.items[i].op == IR_CALL)
                    add_call(&mentions, work, block->instrs.items[i].call);
        }
        for (uint32_t e = 0; e < fn->exprs.len; e++) {
            const IrExpr *expr = &fn->exprs.items[e];
            if (expr->kind == IR_EX_FUNC || expr->kind == IR_EX_CLOSURE)
                add_mention(&mentions, expr->callee);
        }
    }
    arena_free(work);
}

// ---- callees first ------------------------------------------------------------------------------

typedef struct {
    IrFuncId function;
    uint32_t next; // of its mentions
} Frame;

typedef struct {
    EngineSession *session;
    BitSet seen;
    uint32_t count; // of functions that have their place in the order
} Ordering;

static IrFuncId next_unseen(const Ordering *ordering, Frame *frame)
{
    const CalleeList *mentions = &ordering->session->mentions[frame->function];
    while (frame->next < mentions->len) {
        IrCalleeId callee = mentions->items[frame->next++];
        IrFuncId body = ordering->session->input.unit->callees.items[callee].body;
        if (body != IR_NONE && !bits_has(&ordering->seen, body)) return body;
    }
    return IR_NONE;
}

// The walk keeps its own stack: call chains may be long.
static void order_from(Ordering *ordering, Arena *work, IrFuncId start)
{
    Vec(Frame) stack = {0};
    bits_add(&ordering->seen, start);
    vec_push(work, &stack, ((Frame){.function = start}));
    while (stack.len > 0) {
        IrFuncId next = next_unseen(ordering, vec_last(&stack));
        if (next != IR_NONE) {
            bits_add(&ordering->seen, next);
            vec_push(work, &stack, ((Frame){.function = next}));
            continue;
        }
        ordering->session->order[ordering->count++] = vec_last(&stack)->function;
        stack.len--;
    }
}

static void order_functions(EngineSession *session)
{
    uint32_t count = session->input.unit->functions.len;
    Arena *work = arena_new("order");
    Ordering ordering = {.session = session, .seen = bits_new(work, count)};
    for (uint32_t i = 0; i < count; i++)
        if (!bits_has(&ordering.seen, i)) order_from(&ordering, work, i);
    arena_free(work);
}

EngineSession *engine_open(const EngineInput *input)
{
    const IrUnit *unit = input->unit;
    uint32_t functions = unit->functions.len, callees = unit->callees.len;
    Arena *arena = arena_new("engine");
    EngineSession *session = ARENA_NEW(arena, EngineSession);
    *session = (EngineSession){.input = *input,
                               .arena = arena,
                               .held = {.arena = arena},
                               .own = ARENA_ARRAY(arena, Summary, functions + 1),
                               .summaries = ARENA_ARRAY(arena, const Summary *, callees + 1),
                               .mentions = ARENA_ARRAY(arena, CalleeList, functions + 1),
                               .order = ARENA_ARRAY(arena, IrFuncId, functions + 1),
                               .done = bits_new(arena, functions),
                               .awaited = bits_new(arena, callees),
                               .obstacles = ARENA_ARRAY(arena, IrCalleeId, functions + 1)};
    for (uint32_t i = 0; i < callees; i++) {
        IrFuncId body = unit->callees.items[i].body;
        if (body != IR_NONE) session->summaries[i] = &session->own[body];
    }
    session->targets = targets_new(arena, unit, session->summaries);
    list_mentions(session);
    order_functions(session);
    return session;
}

void engine_close(EngineSession *session)
{
    arena_free(session->arena);
}

size_t engine_session_bytes(const EngineSession *session)
{
    return arena_bytes(session->arena);
}

const Summary *engine_summary_of(const EngineFn *ef, const IrCall *call, const IrCallee *callee)
{
    if (!callee) return NULL;
    IrCalleeId id = (IrCalleeId)(callee - ef->unit->callees.items);
    return call->is_virtual ? targets_summary(ef->targets, id) : ef->summaries[id];
}

// ---- waiting for others -------------------------------------------------------------------------

void engine_wait_for(EngineSession *session, IrCalleeId callee)
{
    bits_add(&session->awaited, callee);
}

bool engine_waits_for(const EngineSession *session, IrCalleeId callee)
{
    return bits_has(&session->awaited, callee);
}

void engine_resolve(EngineSession *session, IrCalleeId callee, const Summary *summary)
{
    bits_remove(&session->awaited, callee);
    session->summaries[callee] = summary;
}

IrCalleeId engine_obstacle(const EngineSession *session, IrFuncId function)
{
    return bits_has(&session->done, function) ? IR_NONE : session->obstacles[function];
}

// Keeps the callee whose USR comes first; true if that is new.
static bool improve(const EngineSession *session, IrCalleeId *obstacle, IrCalleeId callee)
{
    const IrCallee *callees = session->input.unit->callees.items;
    if (callee == IR_NONE || *obstacle == callee) return false;
    if (*obstacle != IR_NONE && strcmp(callees[*obstacle].usr, callees[callee].usr) <= 0)
        return false;
    *obstacle = callee;
    return true;
}

// What stands in the function's way by its own mentions, given what is known of those it mentions.
static bool look_for_obstacle(EngineSession *session, IrFuncId function)
{
    const IrUnit *unit = session->input.unit;
    bool is_new = false;
    const CalleeList *mentions = &session->mentions[function];
    for (uint32_t i = 0; i < mentions->len; i++) {
        IrCalleeId callee = mentions->items[i];
        IrFuncId body = unit->callees.items[callee].body;
        IrCalleeId through = bits_has(&session->awaited, callee) ? callee
                             : body != IR_NONE                   ? session->obstacles[body]
                                                                 : IR_NONE;
        is_new |= improve(session, &session->obstacles[function], through);
    }
    return is_new;
}

// Callees come first in the order, so that one sweep does but for cycles.
static void find_obstacles(EngineSession *session)
{
    uint32_t count = session->input.unit->functions.len;
    for (uint32_t i = 0; i < count; i++) session->obstacles[i] = IR_NONE;
    if (bits_count(&session->awaited) == 0) return;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < count; i++)
            if (!bits_has(&session->done, session->order[i]))
                again |= look_for_obstacle(session, session->order[i]);
    }
}

// The summaries of the unit's functions and of what they mention. Of other callees nothing is taken,
// for they may be known sooner or later.
static const Summary **settled_summaries(const EngineSession *session)
{
    const IrUnit *unit = session->input.unit;
    const Summary **settled = ARENA_ARRAY(session->arena, const Summary *, unit->callees.len + 1);
    for (IrCalleeId i = 0; i < unit->callees.len; i++)
        if (unit->callees.items[i].body != IR_NONE) settled[i] = session->summaries[i];
    for (uint32_t f = 0; f < unit->functions.len; f++) {
        const CalleeList *mentions = &session->mentions[f];
        for (uint32_t i = 0; i < mentions->len; i++)
            settled[mentions->items[i]] = session->summaries[mentions->items[i]];
    }
    return settled;
}

// What functions do to members tells of classes; then all events can go.
static void finish(EngineSession *session, const EngineSink *sink)
{
    Classes *classes = classes_collect(session->arena, session->input.unit, session->input.model,
                                       settled_summaries(session));
    classes_check_members(classes, &session->held);
    classes_check_copies(classes, &session->held);
    classes_check_unset(classes, &session->held);
    hold_drop_repeats(&session->held);
    hold_send(&session->held, sink);
    session->is_finished = true;
}

void engine_advance(EngineSession *session, const EngineSink *sink, EngineStats *stats)
{
    session->sink = sink;
    session->stats = stats;
    find_obstacles(session);
    for (uint32_t i = 0; i < session->input.unit->functions.len; i++) {
        IrFuncId function = session->order[i];
        if (bits_has(&session->done, function) || session->obstacles[function] != IR_NONE) continue;
        bits_add(&session->done, function);
        engine_analyse(session, session->input.unit->functions.items[function]);
    }
    bool is_complete = bits_count(&session->done) == session->input.unit->functions.len;
    if (is_complete && !session->is_finished) finish(session, sink);
}

void engine_run(const EngineInput *input, const EngineSink *sink, EngineStats *stats)
{
    EngineSession *session = engine_open(input);
    engine_advance(session, sink, stats);
    engine_close(session);
}
