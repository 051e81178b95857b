// SPDX-License-Identifier: MIT
// use-after-free: memory or a handle is used after its release. Listens to uses of released
// resources (library calls, kernel launches, accesses by the host) and points at the use.
#include "cudalint/rule.h"

#include <stdio.h>
#include <string.h>

// " on line 12", with the file where it is another one; "" when the place is unknown.
static void describe_release(char *text, size_t size, const Event *event)
{
    SrcLoc release = event->released_at;
    text[0] = '\0';
    if (!loc_is_valid(release)) return;
    if (event->loc.file != NULL && strcmp(release.file, event->loc.file) == 0)
        snprintf(text, size, " on line %u", (unsigned)release.line);
    else
        snprintf(text, size, " at %s:%u", release.file, (unsigned)release.line);
}

static void on_event(RuleContext *context, const Event *event)
{
    char release[512], source[160] = "", user[160] = "here";
    describe_release(release, sizeof release, event);
    if (event->acquired_by != NULL) snprintf(source, sizeof source, " from %s", event->acquired_by);
    if (event->callee != NULL) snprintf(user, sizeof user, "by %s", event->callee);
    rule_report(context, event, event->loc, "'%s' (%s%s) is used %s after %s released it%s",
                event->name, event->kind_title, source, user,
                event->released_by != NULL ? event->released_by : "another call", release);
}

const Rule rule_use_after_free = {
    .slug = "use-after-free",
    .title = "A resource is used after its release",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 416,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_USE_AFTER_RELEASE),
    .on_event = on_event,
};
