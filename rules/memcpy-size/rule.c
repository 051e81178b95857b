// SPDX-License-Identifier: MIT
// memcpy-size: a copy or set is given more bytes than the block has that it reads or writes.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    const char *by = event->acquired_by != NULL ? event->acquired_by : event->kind_title;
    const char *verb = event->access_writes ? "writes" : "reads";
    if (event->used_bytes != NULL && event->block_bytes != NULL)
        rule_report(context, event, event->loc, "%s %s %s bytes of '%s', which has only %s (%s)",
                    callee, verb, event->used_bytes, event->name, event->block_bytes, by);
    else
        rule_report(context, event, event->loc, "%s %s beyond the end of '%s' (%s)", callee, verb,
                    event->name, by);
}

const Rule rule_memcpy_size = {
    .slug = "memcpy-size",
    .title = "A copy goes beyond the end of its block",
    .category = "misuse",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 787,
    .guideline = NULL,
    .wants = EV_BIT(EV_BEYOND_BLOCK),
    .on_event = on_event,
};
