// SPDX-License-Identifier: MIT
// leak-on-return: an exit of the function misses the release that its other paths perform. Listens
// to losses at an exit; claims those that neither a throw nor a loop explains and whose resource is
// released, or handed on, on another path.
#include "cudalint/rule.h"

#include <stdio.h>

static bool is_ours(const Event *event)
{
    return event->must_release && event->exit != EXIT_THROW && !event->in_loop &&
           (event->released_elsewhere || event->handed_over_elsewhere);
}

// "on this return", "on the return inside CHECK", "when 'free' ends its owner here", "when its scope ends here".
static void describe_exit(char *text, size_t size, const Event *event)
{
    if (event->exit == EXIT_SCOPE && event->callee != NULL)
        snprintf(text, size, "when '%s' ends its owner here", event->callee);
    else if (event->exit == EXIT_SCOPE)
        snprintf(text, size, "when its scope ends here");
    else if (event->loc.macro != NULL)
        snprintf(text, size, "on the return inside %s", event->loc.macro);
    else
        snprintf(text, size, "on this return");
}

static void describe_other_exits(char *text, size_t size, const Event *event)
{
    uint32_t more = event->exit_count > 1 ? event->exit_count - 1 : 0;
    text[0] = '\0';
    if (more > 0)
        snprintf(text, size, " and on %u more exit%s", (unsigned)more, more == 1 ? "" : "s");
}

static void on_event(RuleContext *context, const Event *event)
{
    if (!is_ours(event)) return;
    char exit[128], more[48];
    describe_exit(exit, sizeof exit, event);
    describe_other_exits(more, sizeof more, event);
    char elsewhere[128] = "other paths hand it on";
    const char *release = event->released_by != NULL ? event->released_by : event->release_hint;
    if (event->released_elsewhere && release != NULL)
        snprintf(elsewhere, sizeof elsewhere, "other paths call %s", release);
    else if (event->released_elsewhere)
        snprintf(elsewhere, sizeof elsewhere, "other paths release it");
    rule_report(context, event, event->loc, "'%s' (%s from %s) is not released %s%s; %s",
                event->name, event->kind_title, event->acquired_by, exit, more, elsewhere);
}

const Rule rule_leak_on_return = {
    .slug = "leak-on-return",
    .title = "An exit path misses the release that other paths perform",
    .category = "lifetime",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_LEAK_AT_EXIT),
    .on_event = on_event,
};
