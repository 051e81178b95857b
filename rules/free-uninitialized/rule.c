// SPDX-License-Identifier: MIT
// free-uninitialized: a path releases a variable that it never assigned. Listens to such releases
// and points at the call; and to exits that leave a member without a value for others to release.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *callee = event->callee != NULL ? event->callee : "this call";
    if (event->kind == EV_LEFT_UNSET)
        rule_report_as(
            context, SEV_NOTE, event, event->loc,
            "'%s' was never assigned where %s fails, and others can reach it and release "
            "it: today's driver stores null there, but no document promises it; assign "
            "it first",
            event->name, callee);
    else
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
    .wants = EV_BIT(EV_UNINITIALIZED_RELEASE) | EV_BIT(EV_LEFT_UNSET),
    .on_event = on_event,
};
