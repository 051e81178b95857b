// SPDX-License-Identifier: MIT
// dangling-pointer: a method releases a member and leaves the old value in it, and the destructor
// releases what it finds there. A program that does both is double-free's business; this says that
// any may.
#include "cudalint/rule.h"

#include <stddef.h>

static void on_event(RuleContext *context, const Event *event)
{
    const char *method = event->callee != NULL ? event->callee : "a method";
    const char *class = event->class_name != NULL ? event->class_name : "the class";
    const char *by = event->released_by != NULL ? event->released_by : "a call";
    rule_report(context, event, event->loc,
                "'%s' still holds its old value after '%s' released it with %s, and the destructor "
                "of '%s' releases it again; set it to null here",
                event->name, method, by, class);
}

const Rule rule_dangling_pointer = {
    .slug = "dangling-pointer",
    .title = "A member is released and keeps its old value",
    .category = "lifetime",
    .severity = SEV_NOTE,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 416,
    .guideline = "DIRECTIVE-1.2",
    .wants = EV_BIT(EV_DANGLING),
    .on_event = on_event,
};
