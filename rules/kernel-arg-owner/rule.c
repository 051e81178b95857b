// SPDX-License-Identifier: MIT
// kernel-arg-owner: a kernel takes by value an object whose destructor releases a member. The copy
// that the launch makes is destroyed on the host while the kernel runs.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *kernel = event->callee != NULL ? event->callee : "the kernel";
    const char *by = event->released_by != NULL ? event->released_by : "its release";
    rule_report(context, event, event->loc,
                "'%s' is passed to '%s' by value: the copy's destructor calls %s while '%s' still "
                "owns the same resource; pass the pointers it holds instead",
                event->name, kernel, by, event->name);
}

const Rule rule_kernel_arg_owner = {
    .slug = "kernel-arg-owner",
    .title = "An owning object is passed to a kernel by value",
    .category = "ownership",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 415,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_OWNER_TO_KERNEL),
    .on_event = on_event,
};
