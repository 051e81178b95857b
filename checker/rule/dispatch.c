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

void rule_report(RuleContext *context, const Event *event, SrcLoc loc, const char *format, ...)
{
    Arena *arena = context->arena;
    va_list args;
    va_start(args, format);
    Finding finding = {
        .rule = context->rule->slug,
        .severity = context->severity,
        .loc = copy_loc(arena, loc),
        .message = arena_vprintf(arena, format, args),
        .function = copy_text(arena, context->function),
        .subject = copy_text(arena, event->name),
    };
    va_end(args);
    for (uint32_t i = 0; i < context->step_count; i++) {
        FindingStep step = context->steps[i];
        step.loc = copy_loc(arena, step.loc);
        step.text = copy_text(arena, step.text);
        step.is_key =
            same_place(step.loc, event->acquired_at) || same_place(step.loc, event->released_at);
        vec_push(arena, &finding.steps, step);
    }
    vec_push(arena, context->out, finding);
}
