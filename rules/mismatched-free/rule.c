// SPDX-License-Identifier: MIT
// mismatched-free: a resource is handed to a function that does not release its kind, or by the
// address of the variable instead of its value. Listens to wrong releases and points at the call.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    if (event->expected != NULL)
        rule_report(context, event, event->loc,
                    "%s is given the address of '%s', not its value; pass '%s'", callee,
                    event->name, event->expected);
    else if (event->acquired_by == NULL)
        rule_report(context, event, event->loc, "'%s' (%s) cannot be released by %s", event->name,
                    event->kind_title, callee);
    else if (event->release_hint != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) cannot be released by %s; call %s", event->name,
                    event->kind_title, event->acquired_by, callee, event->release_hint);
    else
        rule_report(context, event, event->loc, "'%s' (%s from %s) cannot be released by %s",
                    event->name, event->kind_title, event->acquired_by, callee);
}

const Rule rule_mismatched_free = {
    .slug = "mismatched-free",
    .title = "A resource is released by a function that is not for its kind",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 762,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_WRONG_RELEASE),
    .on_event = on_event,
};
