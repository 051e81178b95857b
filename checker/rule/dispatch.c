// SPDX-License-Identifier: MIT
// From events to findings. Input: one event of the engine with its path. Output: a finding for
// every report that a rule makes of it, with the path, the function and the severity that the user
// set.
#include "rule/registry.h"

#include <string.h>

struct RuleContext {
    Arena *arena;             // of the findings
    const Rule *rule;         // the rule that is being asked
    Severity severity;        // its level for this run
    bool is_set;              // by the user
    const char *function;     // the event's function, or NULL
    const FindingStep *steps; // the event's path
    uint32_t step_count;
    FindingList *out;
};

void rule_dispatch(Arena *arena, const RuleLevels *levels, const char *function, const Event *event,
                   const FindingStep *steps, uint32_t step_count, FindingList *out)
{
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        if (levels->severities[i] == SEV_OFF || (rule->wants & EV_BIT(event->kind)) == 0) continue;
        RuleContext context = {
            .arena = arena,
            .rule = rule,
            .severity = levels->severities[i],
            .is_set = levels->is_set[i],
            .function = function,
            .steps = steps,
            .step_count = step_count,
            .out = out,
        };
        rule->on_event(&context, event);
    }
}

static const char *copy_text(Arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_strdup(arena, text);
}

static SrcLoc copy_loc(Arena *arena, SrcLoc loc)
{
    loc.file = copy_text(arena, loc.file);
    loc.macro = copy_text(arena, loc.macro);
    return loc;
}

static bool same_place(SrcLoc a, SrcLoc b)
{
    return loc_is_valid(a) && loc_is_valid(b) && a.line == b.line && a.column == b.column &&
           strcmp(a.file, b.file) == 0;
}

// " (and 9 more like it, acquired on lines 3, 5, 7, 9 and others)"; "" where the event speaks for itself alone.
static const char *more_text(Arena *arena, const Event *event)
{
    if (event->more == 0) return "";
    StrBuf text = {.arena = arena};
    strbuf_printf(&text, " (and %u more like it", (unsigned)event->more);
    uint32_t count = 0;
    while (count < EVENT_MORE_LINES && event->more_lines[count] != 0) count++;
    for (uint32_t i = 0; i < count; i++)
        strbuf_printf(&text, "%s%u",
                      i > 0        ? ", "
                      : count == 1 ? ", acquired on line "
                                   : ", acquired on lines ",
                      (unsigned)event->more_lines[i]);
    strbuf_append(&text, count == EVENT_MORE_LINES && event->more > count ? " and others)" : ")");
    return strbuf_text(&text);
}

static void add_finding(RuleContext *context, const Event *event, SrcLoc loc, Severity severity,
                        const char *message)
{
    Arena *arena = context->arena;
    Finding finding = {
        .rule = context->rule->slug,
        .severity = severity,
        .loc = copy_loc(arena, loc),
        .message = arena_printf(arena, "%s%s", message, more_text(arena, event)),
        .more = event->more,
        .function = copy_text(arena, context->function),
        .subject = copy_text(arena, event->name),
    };
    for (uint32_t i = 0; i < context->step_count; i++) {
        FindingStep step = context->steps[i];
        step.loc = copy_loc(arena, step.loc);
        step.text = copy_text(arena, step.text);
        step.is_key = same_place(step.loc, event->acquired_at) ||
                      same_place(step.loc, event->released_at) ||
                      same_place(step.loc, event->work_at);
        vec_push(arena, &finding.steps, step);
    }
    vec_push(arena, context->out, finding);
}

void rule_report(RuleContext *context, const Event *event, SrcLoc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(context->arena, format, args);
    va_end(args);
    add_finding(context, event, loc, context->severity, message);
}

void rule_report_as(RuleContext *context, Severity severity, const Event *event, SrcLoc loc,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(context->arena, format, args);
    va_end(args);
    add_finding(context, event, loc, context->is_set ? context->severity : severity, message);
}

const char *rule_text(RuleContext *context, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(context->arena, format, args);
    va_end(args);
    return text;
}

const char *rule_work_text(RuleContext *context, const Event *event)
{
    const char *by = event->work_by == NULL ? "work" : event->work_by;
    unsigned line = (unsigned)event->work_at.line;
    if (!loc_is_valid(event->work_at)) return arena_printf(context->arena, "'%s'", by);
    bool same_file = loc_is_valid(event->loc) && strcmp(event->work_at.file, event->loc.file) == 0;
    if (same_file) return arena_printf(context->arena, "'%s' (line %u)", by, line);
    return arena_printf(context->arena, "'%s' (%s:%u)", by, event->work_at.file, line);
}
