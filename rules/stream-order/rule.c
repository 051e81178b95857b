// SPDX-License-Identifier: MIT
// stream-order: memory is used on one stream while work on another, which nothing orders before it,
// allocates, writes or reads it.
#include "cudalint/rule.h"

static void on_event(RuleContext *context, const Event *event)
{
    const char *work = rule_work_text(context, event);
    const char *callee = event->callee != NULL ? event->callee : "a call";
    if (event->work_creates)
        rule_report(context, event, event->loc,
                    "'%s' (%s) is used by %s on a stream that nothing orders behind its allocation "
                    "by %s",
                    event->name, event->kind_title, callee, work);
    else
        rule_report(context, event, event->loc,
                    "'%s' is used by %s on a stream that nothing orders behind %s, which may still "
                    "%s it",
                    event->name, callee, work, event->work_writes ? "write" : "use");
}

const Rule rule_stream_order = {
    .slug = "stream-order",
    .title = "Work on two streams shares memory with no order between them",
    .category = "sync",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 362,
    .guideline = NULL,
    .wants = EV_BIT(EV_STREAM_ORDER),
    .on_event = on_event,
};
