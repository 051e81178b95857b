// SPDX-License-Identifier: MIT
// leak-in-loop: a round of a loop acquires a resource that is lost when the next round begins.
// Listens to losses at an exit and to overwrites; claims those that the engine attributes to a
// loop, for they grow with every round.
#include "cudalint/rule.h"

#include <stddef.h>

static bool is_ours(const Event *event)
{
    if (!event->must_release || !event->in_loop) return false;
    return event->kind == EV_OVERWRITE || event->exit != EXIT_THROW;
}

// What happens to it, up to the name of the function that is missing.
static const char *how_lost(const Event *event)
{
    if (event->kind == EV_OVERWRITE)
        return "is overwritten by the next iteration of the loop; each must call";
    if (event->released_elsewhere)
        return "is not released on every way round the loop; some iterations do not call";
    return "is lost when the next iteration of the loop begins; each must call";
}

static void on_event(RuleContext *context, const Event *event)
{
    if (!is_ours(event)) return;
    SrcLoc loc = loc_is_valid(event->acquired_at) ? event->acquired_at : event->loc;
    const char *release = event->release_hint != NULL ? event->release_hint : "its release";
    rule_report(context, event, loc, "'%s' (%s from %s) %s %s", event->name, event->kind_title,
                event->acquired_by, how_lost(event), release);
}

const Rule rule_leak_in_loop = {
    .slug = "leak-in-loop",
    .title = "Iterations of a loop leak what they acquire",
    .category = "lifetime",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_LEAK_AT_EXIT) | EV_BIT(EV_OVERWRITE),
    .on_event = on_event,
};
