// SPDX-License-Identifier: MIT
// free-offset: memory is released through a pointer into the block, not to its start. Listens to
// such releases and points at the call.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    if (event->acquired_by != NULL)
        rule_report(
            context, event, event->loc,
            "%s is given a pointer into '%s' (%s from %s), not to its start, and frees nothing",
            callee, event->name, event->kind_title, event->acquired_by);
    else
        rule_report(context, event, event->loc,
                    "%s is given a pointer into '%s' (%s), not to its start, and frees nothing",
                    callee, event->name, event->kind_title);
}

const Rule rule_free_offset = {
    .slug = "free-offset",
    .title = "Memory is released through a pointer that is not its start",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 761,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_OFFSET_RELEASE),
    .on_event = on_event,
};
