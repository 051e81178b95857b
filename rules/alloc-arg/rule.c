// SPDX-License-Identifier: MIT
// alloc-arg: an acquiring call gets a pointer's value where it wants the pointer's address. Listens
// to such calls and points at them.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : event->acquired_by;
    if (callee == NULL) callee = "this call";
    if (event->expected != NULL)
        rule_report(context, event, event->loc,
                    "%s is given the value of '%s' as the place for its result; pass '%s'", callee,
                    event->name, event->expected);
    else
        rule_report(context, event, event->loc,
                    "%s is given the value of '%s' as the place for its result, not its address",
                    callee, event->name);
}

const Rule rule_alloc_arg = {
    .slug = "alloc-arg",
    .title = "An allocation is given a pointer instead of the pointer's address",
    .category = "misuse",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 687,
    .guideline = NULL,
    .wants = EV_BIT(EV_BAD_ARGUMENT),
    .on_event = on_event,
};
