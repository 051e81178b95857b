// SPDX-License-Identifier: MIT
// Summaries as text: one line for the function, then one for each thing it does.
#include "summary/summary.h"

#include <inttypes.h>

const char *summary_path_text(Arena *arena, const SummaryPath *path)
{
    StrBuf text = {.arena = arena};
    switch (path->root) {
    case SP_RESULT:
        strbuf_append(&text, "result");
        break;
    case SP_ARGUMENT:
        strbuf_printf(&text, "argument %u", (unsigned)path->argument);
        break;
    case SP_GLOBAL:
        strbuf_printf(&text, "global %s", path->global);
        break;
    }
    for (uint32_t i = 0; i < path->step_count; i++) {
        switch (path->steps[i].kind) {
        case SP_POINTEE:
            strbuf_append(&text, ".*");
            break;
        case SP_FIELD:
            strbuf_printf(&text, ".%s", path->steps[i].field);
            break;
        case SP_ELEMENT:
            strbuf_append(&text, "[...]");
            break;
        }
    }
    return strbuf_text(&text);
}

static const char *kind_text(SummaryEffectKind kind)
{
    switch (kind) {
    case SE_ACQUIRE:
        return "acquires";
    case SE_RELEASE:
        return "releases";
    case SE_KEEP:
        return "keeps";
    case SE_MAY_KEEP:
        return "may keep";
    case SE_RETURN:
        return "returns";
    case SE_LOSE:
        return "loses";
    case SE_LEAVE:
        return "leaves";
    case SE_SHIFT:
        return "moves on";
    case SE_USE:
        return "uses";
    case SE_QUEUE:
        return "leaves in flight";
    case SE_REFIT:
        return "moves the elements of";
    }
    return "?";
}

static void print_outcomes(FILE *out, const char *label, uint32_t outcomes)
{
    static const char *const words[] = {"", " zero", " nonzero", " returned"};
    if (outcomes == 0) return;
    fprintf(out, "; %s%s%s", label, words[outcomes & OUTCOME_RETURNED],
            outcomes & OUTCOME_THROWN ? " thrown" : "");
}

static void print_bounds(FILE *out, const Range *range)
{
    int64_t lo = range->lo, hi = range->hi;
    if (lo == hi) fprintf(out, " = %" PRId64, lo);
    if (lo != hi && lo != INT64_MIN) fprintf(out, " >= %" PRId64, lo);
    if (lo != hi && hi != INT64_MAX) fprintf(out, " <= %" PRId64, hi);
    for (uint32_t i = 0; i < range->excluded_count; i++)
        fprintf(out, " != %" PRId64, range->excluded[i]);
}

static void print_range(FILE *out, uint32_t argument, const Range *range)
{
    fprintf(out, " argument %u", (unsigned)argument);
    print_bounds(out, range);
}

static void print_condition(FILE *out, Arena *arena, const SummaryCondition *condition)
{
    if (!condition->place) {
        print_range(out, condition->argument, &condition->range);
        return;
    }
    fprintf(out, "%s %s", condition->is_after ? " afterwards" : "",
            summary_path_text(arena, condition->place));
    print_bounds(out, &condition->range);
}

// The place was looked at, and nothing happens to what it holds.
static bool is_nothing(const SummaryEffect *effect)
{
    return effect->kind == SE_MAY_KEEP && effect->may == 0;
}

static void print_effect(FILE *out, Arena *arena, const SummaryEffect *effect)
{
    fprintf(out, "  %s %s", is_nothing(effect) ? "leaves" : kind_text(effect->kind),
            summary_path_text(arena, &effect->path));
    if (effect->api) fprintf(out, " by %s", effect->api);
    if (loc_is_valid(effect->loc)) fprintf(out, " in line %u", (unsigned)effect->loc.line);
    for (const SummaryCall *call = effect->calls; call; call = call->next)
        fprintf(out, " by way of %s", call->callee);
    print_outcomes(out, "always", effect->must);
    print_outcomes(out, "sometimes", effect->may & ~effect->must);
    print_outcomes(out, "null after", effect->null_after);
    print_outcomes(out, "renewed after", effect->renewed_after);
    if (effect->is_mute) fputs("; the result does not tell", out);
    if (effect->in_new) fputs("; in a new object", out);
    if (effect->time == RELEASE_AT_ONCE) fputs("; at once", out);
    if (effect->kind == SE_QUEUE || effect->time == RELEASE_IN_ORDER)
        fprintf(out, "; on %s",
                effect->work.on_default ? "the default stream"
                                        : summary_path_text(arena, &effect->work.stream));
    if (effect->condition_count != 0) fputs("; if", out);
    for (uint32_t i = 0; i < effect->condition_count; i++)
        print_condition(out, arena, &effect->conditions[i]);
    fputc('\n', out);
}

static void print_ranges(FILE *out, const char *label, const Range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (range_is_full(&ranges[i])) continue;
        fprintf(out, "  %s, then", label);
        print_range(out, i, &ranges[i]);
        fputc('\n', out);
    }
}

static void print_expr(FILE *out, Arena *arena, const ReturnExpr *expr)
{
    switch (expr->kind) {
    case RX_INT:
        fprintf(out, "%" PRId64, expr->value);
        return;
    case RX_PLACE:
        fputs(summary_path_text(arena, expr->place), out);
        return;
    case RX_RANGE:
        fputs("something", out);
        print_bounds(out, expr->range);
        return;
    case RX_UNARY:
        fputs(ir_operator_text(expr->op), out);
        print_expr(out, arena, expr->a);
        return;
    case RX_BINARY:
    case RX_ITE:
        fputc('(', out);
        print_expr(out, arena, expr->a);
        fprintf(out, " %s ", expr->kind == RX_ITE ? "?" : ir_operator_text(expr->op));
        print_expr(out, arena, expr->b);
        if (expr->kind == RX_ITE) fputs(" : ", out);
        if (expr->kind == RX_ITE) print_expr(out, arena, expr->c);
        fputc(')', out);
        return;
    }
}

static void print_returns(FILE *out, Arena *arena, const ReturnFacts *facts)
{
    if (!facts->returns) fputs("  never returns\n", out);
    if (facts->throws) fputs("  may throw\n", out);
    if (facts->returns) print_ranges(out, "if it returned", facts->when_returned, facts->arg_count);
    if (facts->throws) print_ranges(out, "if it threw", facts->when_thrown, facts->arg_count);
    if (facts->result) {
        fputs("  returns ", out);
        print_expr(out, arena, facts->result);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < facts->writes.len; i++) {
        fprintf(out, "  sets %s to ", summary_path_text(arena, &facts->writes.items[i].place));
        print_expr(out, arena, facts->writes.items[i].value);
        fputc('\n', out);
    }
}

void summary_print(FILE *out, Arena *arena, const char *function, const Summary *summary)
{
    fprintf(out, "summary %s", function);
    if (!summary->known) fputs("; effects unknown", out);
    print_outcomes(out, "outcomes", summary->outcomes);
    fputc('\n', out);
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        bool is_told = summary_find(summary, SE_RELEASE, &effect->path) ||
                       summary_find(summary, SE_KEEP, &effect->path) ||
                       summary_find(summary, SE_LEAVE, &effect->path);
        if (!is_nothing(effect) || !is_told) print_effect(out, arena, effect);
    }
    for (uint32_t i = 0; i < 64; i++)
        if (summary->untold >> i & 1)
            fprintf(out, "  may write more where argument %u leads to\n", (unsigned)i);
    if (summary->asks) fputs("  only asks\n", out);
    if (summary->gives_heap) fputs("  returns new memory of the host, or null\n", out);
    if (summary->returns.known) print_returns(out, arena, &summary->returns);
}
