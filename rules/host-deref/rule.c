// SPDX-License-Identifier: MIT
// host-deref: the host reads or writes memory that only the device can reach, by dereferencing the
// pointer or by handing it to a function such as memcpy. The process gets SIGSEGV.
#include "cudalint/rule.h"

#include <stddef.h>
#include <stdio.h>

static void on_event(RuleContext *context, const Event *event)
{
    char user[160] = "the host";
    if (event->callee != NULL) snprintf(user, sizeof user, "%s on the host", event->callee);
    rule_report(context, event, event->loc,
                "'%s' is %s (%s), which cannot be %s by %s; copy it to host memory first",
                event->name, event->kind_title, event->acquired_by ? event->acquired_by : "a call",
                event->access_writes ? "written" : "read", user);
}

const Rule rule_host_deref = {
    .slug = "host-deref",
    .title = "Device memory is dereferenced on the host",
    .category = "misuse",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 119,
    .guideline = NULL,
    .wants = EV_BIT(EV_HOST_DEREF),
    .on_event = on_event,
};
