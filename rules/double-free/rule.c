// SPDX-License-Identifier: MIT
// double-free: a resource is released although it already was. Listens to second releases and
// points at the second.
#include "cudalint/rule.h"

#include <stdio.h>
#include <string.h>

// " on line 12", with the file where it is another one; "" when the place is unknown. One call in a
// loop can be both.
static void describe_first(char *text, size_t size, const Event *event)
{
    SrcLoc first = event->released_at;
    text[0] = '\0';
    if (!loc_is_valid(first)) return;
    bool same_file = event->loc.file != NULL && strcmp(first.file, event->loc.file) == 0;
    if (same_file && first.line == event->loc.line && first.column == event->loc.column)
        snprintf(text, size, " at this same place");
    else if (same_file)
        snprintf(text, size, " on line %u", (unsigned)first.line);
    else
        snprintf(text, size, " at %s:%u", first.file, (unsigned)first.line);
}

static void on_event(RuleContext *context, const Event *event)
{
    char first[512];
    describe_first(first, sizeof first, event);
    const char *again = event->callee != NULL ? event->callee : "this call";
    const char *before = event->released_by != NULL ? event->released_by : "another call";
    if (event->acquired_by != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is released again by %s; %s already released it%s",
                    event->name, event->kind_title, event->acquired_by, again, before, first);
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s) is released again by %s; %s already released it%s", event->name,
                    event->kind_title, again, before, first);
}

const Rule rule_double_free = {
    .slug = "double-free",
    .title = "A resource is released twice",
    .category = "lifetime",
    .severity = SEV_ERROR,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 415,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_DOUBLE_RELEASE),
    .on_event = on_event,
};
