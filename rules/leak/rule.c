// SPDX-License-Identifier: MIT
// leak: a resource that no path of the function releases loses its last owner. Listens to losses at
// an exit; claims those that no other leak rule explains, and points at the acquisition, for every
// exit is equally wrong.
#include "cudalint/rule.h"

#include <stddef.h>

static bool is_ours(const Event *event)
{
    return event->must_release && event->exit != EXIT_THROW && !event->in_loop &&
           !event->released_elsewhere && !event->handed_over_elsewhere;
}

static void on_event(RuleContext *context, const Event *event)
{
    if (!is_ours(event)) return;
    SrcLoc loc = loc_is_valid(event->acquired_at) ? event->acquired_at : event->loc;
    if (event->release_hint != NULL)
        rule_report(context, event, loc,
                    "'%s' (%s from %s) is never released; call %s before its last owner ends",
                    event->name, event->kind_title, event->acquired_by, event->release_hint);
    else
        rule_report(context, event, loc,
                    "'%s' (%s from %s) is never released, and its last owner ends", event->name,
                    event->kind_title, event->acquired_by);
}

const Rule rule_leak = {
    .slug = "leak",
    .title = "A resource is never released",
    .category = "lifetime",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_LEAK_AT_EXIT),
    .on_event = on_event,
};
