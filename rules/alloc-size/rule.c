// SPDX-License-Identifier: MIT
// alloc-size: the number of bytes is computed from the size of a pointer where the size of what it
// points to is meant.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    rule_report(context, event, event->loc,
                "the size given to %s is computed from the size of the pointer '%s', not of what "
                "it points to; write sizeof(*%s)",
                callee, event->name, event->name);
}

const Rule rule_alloc_size = {
    .slug = "alloc-size",
    .title = "A size is computed from a pointer instead of what it points to",
    .category = "misuse",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 467,
    .guideline = NULL,
    .wants = EV_BIT(EV_SIZE_OF_POINTER),
    .on_event = on_event,
};
