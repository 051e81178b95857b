// SPDX-License-Identifier: MIT
// sync-lost-error: a program launches kernels and ends without having looked at any status that
// could carry their errors.
#include "cudalint/rule.h"

static void on_event(RuleContext *context, const Event *event)
{
    rule_report(context, event, event->loc,
                "the program ends without looking at a status that could carry an error of '%s': "
                "check what the last synchronisation returns",
                event->name);
}

const Rule rule_sync_lost_error = {
    .slug = "sync-lost-error",
    .title = "An error of the last kernels would go unseen",
    .category = "sync",
    .severity = SEV_NOTE,
    .precision = "medium",
    .since = "0.1.0",
    .cwe = 252,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_ERROR_LOST),
    .on_event = on_event,
};
