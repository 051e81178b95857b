// SPDX-License-Identifier: MIT
// member-leak: a class acquires a member that nothing of it releases. Listens to what the engine
// says of whole classes; a single object that is lost is leak's business.
#include "cudalint/rule.h"

#include <stddef.h>

static const char *or_else(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static void on_event(RuleContext *context, const Event *event)
{
    const char *class = or_else(event->class_name, "the class");
    const char *by = or_else(event->acquired_by, "a call");
    const char *hint = event->release_hint;
    if (event->released_by != NULL)
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is never released: what tears '%s' down releases it only "
                    "with %s, which is not for its kind%s%s",
                    event->name, event->kind_title, by, class, event->released_by,
                    hint != NULL ? "; call " : "", or_else(hint, ""));
    else if (loc_is_valid(event->destructor_at))
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is a member that the destructor of '%s' does not "
                    "release%s%s",
                    event->name, event->kind_title, by, class, hint != NULL ? "; call there " : "",
                    or_else(hint, ""));
    else
        rule_report(context, event, event->loc,
                    "'%s' (%s from %s) is a member that nothing releases: '%s' needs a destructor "
                    "that does%s%s",
                    event->name, event->kind_title, by, class, hint != NULL ? ", with " : "",
                    or_else(hint, ""));
}

const Rule rule_member_leak = {
    .slug = "member-leak",
    .title = "A class acquires a member and does not release it",
    .category = "ownership",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 401,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_MEMBER_LEAK),
    .on_event = on_event,
};
