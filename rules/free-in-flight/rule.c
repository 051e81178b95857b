// SPDX-License-Identifier: MIT
// free-in-flight: memory or an object is released while work queued before may still use it, and
// nothing waited. An error where the release does not wait; a note where the driver does today.
#include "cudalint/rule.h"

static void on_event(RuleContext *context, const Event *event)
{
    const char *work = rule_work_text(context, event);
    const char *title = event->acquired_by != NULL ? event->kind_title : "the caller's";
    const char *callee = event->callee != NULL ? event->callee : "a call";
    if (event->driver_waits)
        rule_report_as(
            context, SEV_NOTE, event, event->loc,
            "'%s' (%s) is released by %s while %s may still use it: today's driver waits "
            "for that, but no document promises it",
            event->name, title, callee, work);
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s) is released by %s while %s may still use it: the release does not "
                    "wait",
                    event->name, title, callee, work);
}

const Rule rule_free_in_flight = {
    .slug = "free-in-flight",
    .title = "A resource is released while work in flight may still use it",
    .category = "sync",
    .severity = SEV_ERROR,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 416,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_RELEASE_IN_FLIGHT),
    .on_event = on_event,
};
