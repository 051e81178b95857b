// SPDX-License-Identifier: MIT
// free-uninitialized: a path releases a variable that it never assigned. Listens to such releases
// and points at the call.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    rule_report(context, event, event->loc,
                "'%s' is released by %s, but this path never assigned it", event->name, callee);
}

const Rule rule_free_uninitialized = {
    .slug = "free-uninitialized",
    .title = "A variable that was never assigned is released",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 457,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_UNINITIALIZED_RELEASE),
    .on_event = on_event,
};
