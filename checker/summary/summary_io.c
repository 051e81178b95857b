// SPDX-License-Identifier: MIT
// Writing and reading summaries.
#include "summary/summary_io.h"

#include "base/wire.h"

enum {
    MAX_DEPTH = 16, // of a result's expression
    // The fewest bytes an entry of each list takes.
    STEP_MIN = 1,
    EFFECT_MIN = 1 + 1 + 1 + 4 * 4 + WIRE_TEXT_MIN + 4,
    RANGE_MIN = 8 + 8 + 1,
    WRITE_MIN = 1 + 1 + 1,
};

static const uint32_t no_effect = UINT32_MAX; // the function number that stands for NULL

enum {
    LAST_OPERATOR = 0
#define IR_OPERATOR(name, text) +1
#include "ir/operators.def"
#undef IR_OPERATOR
                    - 1
};

bool summary_is_shared_usr(const char *usr)
{
    return str_starts_with(usr, "c:@");
}

// ---- writing ------------------------------------------------------------------------------------

static void put_path(StrBuf *out, const SummaryPath *path)
{
    wire_put_int(out, path->root, 1);
    if (path->root == SP_ARGUMENT) wire_put_int(out, path->argument, 4);
    if (path->root == SP_GLOBAL) wire_put_required_text(out, path->global);
    wire_put_int(out, path->step_count, 1);
    for (uint32_t i = 0; i < path->step_count; i++) {
        wire_put_int(out, path->steps[i].kind, 1);
        if (path->steps[i].kind == SP_FIELD) wire_put_required_text(out, path->steps[i].field);
    }
}

// The number of the library function that has the effect, and which of its effects it is.
static void put_model_effect(StrBuf *out, const Model *model, const ModelEffect *effect)
{
    for (uint32_t i = 0; effect && i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        for (uint32_t e = 0; e < function->effects.len; e++) {
            if (&function->effects.items[e] != effect) continue;
            wire_put_int(out, i, 4);
            wire_put_int(out, e, 4);
            return;
        }
    }
    wire_put_int(out, no_effect, 4);
}

static void put_range(StrBuf *out, const Range *range)
{
    wire_put_int(out, (uint64_t)range->lo, 8);
    wire_put_int(out, (uint64_t)range->hi, 8);
    wire_put_int(out, range->excluded_count, 1);
    for (uint32_t i = 0; i < range->excluded_count; i++)
        wire_put_int(out, (uint64_t)range->excluded[i], 8);
}

static void put_conditions(StrBuf *out, const SummaryEffect *effect)
{
    wire_put_int(out, effect->condition_count, 4);
    for (uint32_t i = 0; i < effect->condition_count; i++) {
        const SummaryCondition *condition = &effect->conditions[i];
        wire_put_int(out, condition->place != NULL, 1);
        wire_put_int(out, condition->is_after, 1);
        if (condition->place)
            put_path(out, condition->place);
        else
            wire_put_int(out, condition->argument, 4);
        put_range(out, &condition->range);
    }
}

static void put_work(StrBuf *out, const SummaryWork *work)
{
    wire_put_int(out, work->kind, 1);
    wire_put_int(out, work->is_whole, 1);
    wire_put_int(out, (uint64_t)work->bytes, 8);
    wire_put_int(out, work->on_default, 1);
    put_path(out, &work->stream);
}

static void put_effect(StrBuf *out, const Model *model, const SummaryEffect *effect)
{
    wire_put_int(out, effect->kind, 1);
    put_path(out, &effect->path);
    wire_put_int(out, effect->must, 4);
    wire_put_int(out, effect->may, 4);
    wire_put_int(out, effect->null_after, 4);
    wire_put_int(out, effect->renewed_after, 4);
    wire_put_int(out, effect->possible, 4);
    wire_put_int(out, effect->guards, 4);
    wire_put_int(out, effect->group, 4);
    wire_put_text(out, effect->api);
    if (effect->kind == SE_ACQUIRE) {
        wire_put_int(out, effect->resource, 4);
        wire_put_int(out, effect->is_mute, 1);
        wire_put_int(out, effect->in_new, 1);
    }
    if (effect->kind == SE_RELEASE) {
        put_model_effect(out, model, effect->effect);
        wire_put_int(out, effect->time, 1);
        if (effect->time == RELEASE_IN_ORDER) put_work(out, &effect->work);
    }
    if (effect->kind == SE_USE || effect->kind == SE_QUEUE)
        wire_put_int(out, effect->work.access, 1);
    if (effect->kind == SE_QUEUE) put_work(out, &effect->work);
    put_conditions(out, effect);
}

static void put_expr(StrBuf *out, const ReturnExpr *expr)
{
    wire_put_int(out, expr != NULL, 1);
    if (expr == NULL) return;
    wire_put_int(out, expr->kind, 4);
    switch (expr->kind) {
    case RX_INT:
        wire_put_int(out, (uint64_t)expr->value, 8);
        return;
    case RX_PLACE:
        put_path(out, expr->place);
        return;
    case RX_RANGE:
        wire_put_int(out, (uint64_t)expr->value, 8);
        put_range(out, expr->range);
        return;
    case RX_UNARY:
    case RX_BINARY:
    case RX_ITE:
        break;
    }
    wire_put_int(out, expr->op, 4);
    put_expr(out, expr->a);
    put_expr(out, expr->b);
    put_expr(out, expr->c);
}

static void put_returns(StrBuf *out, const ReturnFacts *facts)
{
    wire_put_int(out, facts->known, 1);
    if (!facts->known) return;
    wire_put_int(out, facts->returns, 1);
    wire_put_int(out, facts->throws, 1);
    wire_put_int(out, facts->arg_count, 4);
    for (uint32_t i = 0; i < facts->arg_count; i++) {
        put_range(out, &facts->when_returned[i]);
        put_range(out, &facts->when_thrown[i]);
    }
    put_expr(out, facts->result);
    wire_put_int(out, facts->writes.len, 4);
    for (uint32_t i = 0; i < facts->writes.len; i++) {
        put_path(out, &facts->writes.items[i].place);
        put_expr(out, facts->writes.items[i].value);
    }
}

static void put_calls(StrBuf *out, const SummaryCall *calls)
{
    uint32_t count = 0;
    for (const SummaryCall *call = calls; call; call = call->next) count++;
    wire_put_int(out, count, 1);
    for (const SummaryCall *call = calls; call; call = call->next) {
        wire_put_required_text(out, call->callee);
        wire_put_loc(out, call->loc);
    }
}

static bool is_shared_effect(const SummaryEffect *effect)
{
    return effect->path.root != SP_GLOBAL || summary_is_shared_usr(effect->path.global);
}

static SummaryBytes bytes_of(const StrBuf *buf)
{
    BUG_ON(buf->len > UINT32_MAX);
    return (SummaryBytes){.bytes = strbuf_text(buf), .len = (uint32_t)buf->len};
}

SummaryRecord summary_encode(Arena *arena, const Model *model, const char *usr,
                             const Summary *summary)
{
    StrBuf meaning = {.arena = arena}, places = {.arena = arena};
    wire_put_int(&meaning, summary->known, 1);
    wire_put_int(&meaning, summary->outcomes, 4);
    wire_put_int(&meaning, summary->never_waits, 1);
    wire_put_int(&meaning, summary->captures, 1);
    wire_put_int(&meaning, summary->asks, 1);
    wire_put_int(&meaning, summary->gives_heap, 1);
    wire_put_int(&meaning, summary->orders, 1);
    wire_put_int(&meaning, summary->untold, 8);
    uint32_t count = 0;
    for (uint32_t i = 0; i < summary->effects.len; i++)
        count += is_shared_effect(&summary->effects.items[i]) ? 1 : 0;
    wire_put_int(&meaning, count, 4);
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        if (!is_shared_effect(effect)) continue;
        put_effect(&meaning, model, effect);
        wire_put_loc(&places, effect->loc);
        put_calls(&places, effect->calls);
    }
    put_returns(&meaning, &summary->returns);
    return (SummaryRecord){.usr = usr, .meaning = bytes_of(&meaning), .places = bytes_of(&places)};
}

// ---- reading ------------------------------------------------------------------------------------

// A value of 0 .. `last` that was written as one byte.
static uint32_t get_small(WireReader *in, uint32_t last)
{
    uint64_t value = wire_get_int(in, 1);
    if (value > last) in->is_bad = true;
    return in->is_bad ? 0 : (uint32_t)value;
}

static SummaryPath get_path(WireReader *in)
{
    SummaryPath path = {.root = (SummaryRoot)get_small(in, SP_GLOBAL)};
    if (path.root == SP_ARGUMENT) path.argument = wire_get_u32(in);
    if (path.root == SP_GLOBAL) path.global = wire_get_required_text(in);
    uint32_t count = get_small(in, SUMMARY_MAX_STEPS);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        SummaryStepKind kind = (SummaryStepKind)get_small(in, SP_ELEMENT);
        summary_path_push(&path, kind, kind == SP_FIELD ? wire_get_required_text(in) : NULL);
    }
    return path;
}

static const ModelEffect *get_model_effect(WireReader *in, const Model *model)
{
    uint32_t function = wire_get_u32(in);
    if (in->is_bad || function == no_effect) return NULL;
    uint32_t index = wire_get_u32(in);
    if (function >= model_function_count(model) ||
        index >= model_function_at(model, function)->effects.len) {
        in->is_bad = true;
        return NULL;
    }
    return &model_function_at(model, function)->effects.items[index];
}

static Range get_range(WireReader *in)
{
    Range range = {.lo = (int64_t)wire_get_int(in, 8)};
    range.hi = (int64_t)wire_get_int(in, 8);
    uint32_t count = get_small(in, RANGE_MAX_EXCLUDED);
    int64_t before = range.lo;
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = (int64_t)wire_get_int(in, 8);
        if (value <= before || value >= range.hi) in->is_bad = true;
        range.excluded[range.excluded_count++] = before = value;
    }
    return range;
}

static const SummaryPath *get_new_path(Arena *arena, WireReader *in)
{
    SummaryPath *path = ARENA_NEW(arena, SummaryPath);
    *path = get_path(in);
    return path;
}

static void get_conditions(Arena *arena, WireReader *in, SummaryEffect *effect)
{
    uint32_t count = wire_get_choice(in, SUMMARY_MAX_CONDITIONS);
    for (uint32_t i = 0; i < count; i++) {
        SummaryCondition *condition = &effect->conditions[effect->condition_count++];
        bool has_place = wire_get_bool(in);
        condition->is_after = wire_get_bool(in);
        if (has_place)
            condition->place = get_new_path(arena, in);
        else
            condition->argument = wire_get_u32(in);
        condition->range = get_range(in);
    }
}

static void get_work(WireReader *in, SummaryWork *work)
{
    work->kind = (uint8_t)get_small(in, SUMMARY_LAST_WORK);
    work->is_whole = wire_get_bool(in);
    work->bytes = (int64_t)wire_get_int(in, 8);
    work->on_default = wire_get_bool(in);
    work->stream = get_path(in);
}

static SummaryEffect get_effect(Arena *arena, WireReader *in, const Model *model)
{
    const uint32_t all = OUTCOME_RETURNED | OUTCOME_THROWN;
    SummaryEffect effect = {.kind = (SummaryEffectKind)get_small(in, SE_REFIT)};
    effect.path = get_path(in);
    effect.must = wire_get_choice(in, all);
    effect.may = wire_get_choice(in, all);
    effect.null_after = wire_get_choice(in, all);
    effect.renewed_after = wire_get_choice(in, all);
    effect.possible = wire_get_choice(in, all);
    effect.guards = wire_get_choice(in, LOSE_BY_FLAG | LOSE_BY_RELATION);
    effect.group = wire_get_u32(in);
    effect.api = wire_get_text(in);
    if (effect.kind == SE_ACQUIRE) {
        effect.resource = wire_get_u32(in);
        effect.is_mute = wire_get_bool(in);
        effect.in_new = wire_get_bool(in);
        // Messages name the function that acquires.
        if (effect.resource >= model_resource_count(model) || !effect.api) in->is_bad = true;
    }
    if (effect.kind == SE_RELEASE) {
        effect.effect = get_model_effect(in, model);
        effect.time = (ReleaseTime)get_small(in, RELEASE_IN_ORDER);
        if (effect.time == RELEASE_IN_ORDER) get_work(in, &effect.work);
    }
    if (effect.kind == SE_USE || effect.kind == SE_QUEUE)
        effect.work.access = (uint8_t)get_small(in, SUMMARY_LAST_ACCESS);
    if (effect.kind == SE_QUEUE) get_work(in, &effect.work);
    get_conditions(arena, in, &effect);
    return effect;
}

// False when the expression has operands.
static bool get_leaf(Arena *arena, WireReader *in, ReturnExpr *expr)
{
    if (expr->kind == RX_INT || expr->kind == RX_RANGE) expr->value = (int64_t)wire_get_int(in, 8);
    if (expr->kind == RX_RANGE) {
        Range *range = ARENA_NEW(arena, Range);
        *range = get_range(in);
        expr->range = range;
    }
    if (expr->kind == RX_PLACE) expr->place = get_new_path(arena, in);
    return expr->kind == RX_INT || expr->kind == RX_RANGE || expr->kind == RX_PLACE;
}

static const ReturnExpr *get_expr(Arena *arena, WireReader *in, int depth)
{
    if (!wire_get_bool(in)) return NULL;
    if (depth == MAX_DEPTH) in->is_bad = true;
    ReturnExpr *expr = ARENA_NEW(arena, ReturnExpr);
    expr->kind = wire_get_choice(in, RX_ITE);
    if (get_leaf(arena, in, expr)) return expr;
    expr->op = (IrOperator)wire_get_choice(in, LAST_OPERATOR);
    if (in->is_bad) return NULL;
    expr->a = get_expr(arena, in, depth + 1);
    expr->b = get_expr(arena, in, depth + 1);
    expr->c = get_expr(arena, in, depth + 1);
    bool whole = expr->a && (expr->kind < RX_BINARY || expr->b) && (expr->kind < RX_ITE || expr->c);
    if (!whole) in->is_bad = true;
    return expr;
}

static void get_returns(Arena *arena, WireReader *in, ReturnFacts *facts)
{
    facts->known = wire_get_bool(in);
    if (!facts->known) return;
    facts->returns = wire_get_bool(in);
    facts->throws = wire_get_bool(in);
    facts->arg_count = wire_get_count(in, 2 * (size_t)RANGE_MIN);
    facts->when_returned = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    facts->when_thrown = ARENA_ARRAY(arena, Range, facts->arg_count + 1);
    for (uint32_t i = 0; i < facts->arg_count; i++) {
        facts->when_returned[i] = get_range(in);
        facts->when_thrown[i] = get_range(in);
    }
    facts->result = get_expr(arena, in, 0);
    uint32_t count = wire_get_count(in, WRITE_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        ReturnWrite write = {.place = get_path(in)};
        write.value = get_expr(arena, in, 0);
        bool is_field = write.place.step_count == 1 && write.place.steps[0].kind == SP_FIELD;
        if (!write.value || (write.place.root == SP_RESULT && !is_field)) in->is_bad = true;
        vec_push(arena, &facts->writes, write);
    }
}

static const SummaryCall *get_calls(Arena *arena, WireReader *in)
{
    const SummaryCall *first = NULL, **last = &first;
    uint32_t count = get_small(in, SUMMARY_MAX_CALLS);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        SummaryCall *call = ARENA_NEW(arena, SummaryCall);
        call->callee = wire_get_required_text(in);
        call->loc = wire_get_loc(in);
        *last = call;
        last = &call->next;
    }
    return first;
}

Status summary_decode(Arena *arena, StrPool *strings, const Model *model,
                      const SummaryRecord *record, Summary *summary, Err *err)
{
    WireReader in = {
        .strings = strings, .bytes = record->meaning.bytes, .left = record->meaning.len};
    WireReader places = {
        .strings = strings, .bytes = record->places.bytes, .left = record->places.len};
    *summary = (Summary){.known = wire_get_bool(&in)};
    summary->outcomes = wire_get_choice(&in, OUTCOME_RETURNED | OUTCOME_THROWN);
    summary->never_waits = wire_get_bool(&in);
    summary->captures = wire_get_bool(&in);
    summary->asks = wire_get_bool(&in);
    summary->gives_heap = wire_get_bool(&in);
    summary->orders = wire_get_bool(&in);
    summary->untold = wire_get_int(&in, 8);
    uint32_t count = wire_get_count(&in, EFFECT_MIN);
    for (uint32_t i = 0; i < count && !in.is_bad; i++) {
        SummaryEffect effect = get_effect(arena, &in, model);
        effect.loc = wire_get_loc(&places);
        effect.calls = get_calls(arena, &places);
        vec_push(arena, &summary->effects, effect);
    }
    get_returns(arena, &in, &summary->returns);
    if (!in.is_bad && !places.is_bad && in.left == 0 && places.left == 0) return ST_OK;
    *summary = (Summary){0};
    return err_set(err, ST_SYNTAX, "summary of '%s' malformed", record->usr);
}
