// SPDX-License-Identifier: MIT
// leak-overwrite: the last owner of a live resource is given another value. Listens to overwrites;
// those made by the next iteration of a loop belong to leak-in-loop.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    if (!event->must_release || event->in_loop) return;
    if (event->is_copy_lost)
        rule_report(
            context, event, event->loc,
            "'%s' (%s from %s) is moved past the start of its block, and nothing keeps the start",
            event->name, event->kind_title, event->acquired_by);
    else if (event->release_hint != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is overwritten while it is the last owner; call %s first",
                    event->name, event->kind_title, event->acquired_by, event->release_hint);
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is overwritten while it is the last owner", event->name,
                    event->kind_title, event->acquired_by);
}

const Rule rule_leak_overwrite = {
    .slug = "leak-overwrite",
    .title = "The last owner of a resource is overwritten",
    .category = "lifetime",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_OVERWRITE),
    .on_event = on_event,
};
