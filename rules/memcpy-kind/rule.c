// SPDX-License-Identifier: MIT
// memcpy-kind: the direction that a copy is given contradicts where its source or destination lies.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    const char *side = event->is_host ? "the host's" : "the device's";
    const char *end = event->access_writes ? "destination" : "source";
    rule_report(context, event, event->loc,
                "the direction given to %s does not fit its %s '%s', which is %s (%s)", callee, end,
                event->name, side, event->kind_title);
}

const Rule rule_memcpy_kind = {
    .slug = "memcpy-kind",
    .title = "The direction of a copy contradicts its pointers",
    .category = "misuse",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 687,
    .guideline = NULL,
    .wants = EV_BIT(EV_COPY_DIRECTION),
    .on_event = on_event,
};
