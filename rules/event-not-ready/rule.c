// SPDX-License-Identifier: MIT
// event-not-ready: the time of an event is asked for before its work is done, or an event is waited
// for that nothing ever records.
#include "cudalint/rule.h"

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "a call";
    if (event->kind == EV_EVENT_UNRECORDED)
        rule_report(context, event, event->loc,
                    "%s waits for '%s', which is never recorded: it does not wait at all", callee,
                    event->name);
    else
        rule_report(context, event, event->loc,
                    "%s is given '%s' while the work before its record may still be in flight: it "
                    "fails with cudaErrorNotReady",
                    callee, event->name);
}

const Rule rule_event_not_ready = {
    .slug = "event-not-ready",
    .title = "An event is used before it can tell anything",
    .category = "sync",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 666,
    .guideline = NULL,
    .wants = EV_BIT(EV_EVENT_NOT_READY) | EV_BIT(EV_EVENT_UNRECORDED),
    .on_event = on_event,
};
