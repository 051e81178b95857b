// SPDX-License-Identifier: MIT
// owner-copyable: a destructor releases a member, and the compiler may copy the object with that
// member. A class of which a copy is seen, or whose copies are declared `= default`, is a defect;
// others get a note, which is shown when asked for.
#include "cudalint/rule.h"

#include <stddef.h>

static const char *unqualified(const char *name)
{
    const char *start = name;
    int depth = 0;
    for (const char *at = name; *at != '\0'; at++) {
        depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
        if (depth == 0 && at[0] == ':' && at[1] == ':') start = at + 2;
    }
    return start;
}

static void on_event(RuleContext *context, const Event *event)
{
    const char *by = event->released_by != NULL ? event->released_by : "its release";
    const char *full = event->class_name != NULL ? event->class_name : "T";
    const char *class = unqualified(full);
    size_t length = 0; // of the name without template arguments
    while (class[length] != '\0' && class[length] != '<') length++;
    int n = (int)length;
    bool is_seen = event->is_copy_defaulted || loc_is_valid(event->copied_at);
    const char *how = event->is_copy_defaulted         ? "is copied by `= default`"
                      : loc_is_valid(event->copied_at) ? "is copied, member by member"
                                                       : "can be copied, member by member";
    Severity severity = is_seen ? SEV_WARNING : SEV_NOTE;
    if (event->is_assignment_written) {
        rule_report_as(context, severity, event, event->loc,
                       "'%s' %s, and each copy's destructor calls %s on the same '%s'; write "
                       "`%.*s(const %.*s &) = delete;` (and a move constructor, if objects are to "
                       "be handed on)",
                       full, how, by, event->name, n, class, n, class);
        return;
    }
    rule_report_as(
        context, severity, event, event->loc,
        "'%s' %s, and each copy's destructor calls %s on the same '%s'; write "
        "`%.*s(const %.*s &) = delete; %.*s &operator=(const %.*s &) = delete;` (and a move "
        "constructor, if objects are to be handed on)",
        full, how, by, event->name, n, class, n, class, n, class, n, class);
}

const Rule rule_owner_copyable = {
    .slug = "owner-copyable",
    .title = "A class whose destructor releases a member can be copied",
    .category = "ownership",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 415,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_COPYABLE_OWNER),
    .on_event = on_event,
};
