// SPDX-License-Identifier: MIT
// async-buffer-lifetime: the buffer of an asynchronous copy is overwritten or ends before the stream
// has passed the copy.
#include "cudalint/rule.h"

static void on_event(RuleContext *context, const Event *event)
{
    const char *work = rule_work_text(context, event);
    const char *does = event->work_writes ? "write" : event->work_is_kernel ? "use" : "read";
    const char *fate = event->kind == EV_BUFFER_ENDS ? "ends" : "is overwritten";
    if (event->refit_by && event->may_move)
        fate = rule_text(context, "grows in '%s', so that its elements may move to other memory,",
                         event->refit_by);
    else if (event->refit_by)
        fate = rule_text(context, "gets other memory in '%s'", event->refit_by);
    if (event->driver_waits)
        rule_report_as(context, SEV_NOTE, event, event->loc,
                       "'%s' %s while %s may still %s it: today's driver stages copies of pageable "
                       "memory or waits for them, but no document promises it",
                       event->name, fate, work, does);
    else
        rule_report(context, event, event->loc, "'%s' %s while %s may still %s it", event->name,
                    fate, work, does);
}

const Rule rule_async_buffer_lifetime = {
    .slug = "async-buffer-lifetime",
    .title = "The buffer of an asynchronous copy ends or is reused too early",
    .category = "sync",
    .severity = SEV_WARNING,
    .precision = "high",
    .since = "0.1.0",
    .cwe = 362,
    .guideline = NULL,
    .wants = EV_BIT(EV_BUFFER_REUSED) | EV_BIT(EV_BUFFER_ENDS),
    .on_event = on_event,
};
