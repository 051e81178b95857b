// SPDX-License-Identifier: MIT
// free-borrowed: an alias of something that another object owns is released. Listens to releases of
// borrowed things and points at the call.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    const char *lender = event->acquired_by != NULL ? event->acquired_by : "another owner";
    if (event->owner != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is only lent: it belongs to %s, and %s must not release it",
                    event->name, event->kind_title, lender, event->owner, callee);
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is only lent: %s must not release it", event->name,
                    event->kind_title, lender, callee);
}

const Rule rule_free_borrowed = {
    .slug = "free-borrowed",
    .title = "An alias that has another owner is released",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 590,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_BORROWED_RELEASE),
    .on_event = on_event,
};
