// SPDX-License-Identifier: MIT
// The table of output formats, and what all of them need. Adding a format is one function and one
// line here.
#include "report/report_p.h"

#include <errno.h>
#include <string.h>

static const ReportWriter writers[] = {
    {"text", report_write_text},     {"concise", report_write_concise},
    {"json", report_write_json},     {"sarif", report_write_sarif},
    {"github", report_write_github}, {"gitlab", report_write_gitlab},
    {"junit", report_write_junit},
};

const ReportWriter *report_writer_find(const char *name)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (strcmp(writers[i].name, name) == 0) return &writers[i];
    }
    return NULL;
}

const char *report_writer_names(void)
{
    return "text, concise, json, sarif, github, gitlab, junit";
}

ReportCounts report_count(const Report *report)
{
    ReportCounts counts = {0};
    for (uint32_t i = 0; i < report->findings.len; i++) {
        Severity severity = report->findings.items[i].severity;
        counts.errors += severity == SEV_ERROR;
        counts.warnings += severity == SEV_WARNING;
        counts.notes += severity == SEV_NOTE;
        counts.untold += report->findings.items[i].more;
    }
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        // Units of one file follow each other.
        counts.files += i == 0 || strcmp(unit->file, report->units[i - 1].file) != 0;
        counts.analysed += unit->analysed;
        counts.not_analysed += unit->not_analysed.len;
        counts.failures += unit->status != ST_OK;
        counts.budget_hits += unit->budget_hits;
    }
    return counts;
}

const char *report_step_text(Arena *arena, const FindingStep *step)
{
    if (step->loc.macro == NULL) return step->text;
    return arena_printf(arena, "%s (in macro '%s')", step->text, step->loc.macro);
}

Status report_flush(FILE *out, Err *err)
{
    if (fflush(out) == 0 && ferror(out) == 0) return ST_OK;
    return err_set(err, ST_IO, "cannot write the findings: %s", strerror(errno));
}
