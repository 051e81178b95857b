// SPDX-License-Identifier: MIT
// leak-on-throw: an exception unwinds past the last owner of a live resource. Listens to losses at
// an exit; claims those whose exit is a throw, in a loop or not, and points at the throw.
#include "cudalint/rule.h"

#include <stdio.h>

static void describe_throw(char *text, size_t size, const Event *event)
{
    if (event->callee != NULL)
        snprintf(text, size, "if %s throws here", event->callee);
    else if (event->loc.macro != NULL)
        snprintf(text, size, "when %s throws here", event->loc.macro);
    else
        snprintf(text, size, "when this exception is thrown");
}

static void on_event(RuleContext *context, const Event *event)
{
    if (!event->must_release || event->exit != EXIT_THROW) return;
    char when[160], more[48] = "";
    describe_throw(when, sizeof when, event);
    if (event->exit_count > 1)
        snprintf(more, sizeof more, " (and on %u more exit%s)", (unsigned)(event->exit_count - 1),
                 event->exit_count == 2 ? "" : "s");
    if (event->release_hint != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is lost %s: no handler or destructor calls %s%s",
                    event->name, event->kind_title, event->acquired_by, when, event->release_hint,
                    more);
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is lost %s: no handler or destructor releases it%s",
                    event->name, event->kind_title, event->acquired_by, when, more);
}

const Rule rule_leak_on_throw = {
    .slug = "leak-on-throw",
    .title = "An exception skips the release of a resource",
    .category = "lifetime",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_LEAK_AT_EXIT),
    .on_event = on_event,
};
