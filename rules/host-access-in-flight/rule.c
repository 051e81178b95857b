// SPDX-License-Identifier: MIT
// host-access-in-flight: the host reads memory that work in flight may still write, or writes memory
// that it may still use. Nothing waited for that work; the value read may be an old one.
#include "cudalint/rule.h"

#include <stdio.h>

static void on_event(RuleContext *context, const Event *event)
{
    char title[128] = "", user[160] = "the host";
    const char *work = rule_work_text(context, event);
    if (event->acquired_by != NULL) snprintf(title, sizeof title, " (%s)", event->kind_title);
    if (event->callee != NULL) snprintf(user, sizeof user, "%s on the host", event->callee);
    const char *verb = event->access_writes ? "written" : "read";
    const char *does = event->work_writes ? "write" : "use";
    if (event->driver_waits)
        rule_report_as(
            context, SEV_NOTE, event, event->loc,
            "'%s'%s is %s by %s while %s may still %s it: today's driver waits for copies "
            "of pageable memory, but no document promises it",
            event->name, title, verb, user, work, does);
    else
        rule_report(context, event, event->loc, "'%s'%s is %s by %s while %s may still %s it",
                    event->name, title, verb, user, work, does);
}

const Rule rule_host_access_in_flight = {
    .slug = "host-access-in-flight",
    .title = "The host touches memory that work in flight may still use",
    .category = "sync",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 362,
    .guideline = NULL,
    .wants = EV_BIT(EV_HOST_ACCESS_IN_FLIGHT),
    .on_event = on_event,
};
