// SPDX-License-Identifier: MIT
// JUnit's XML, which most build servers show: a test case a file, which fails for its findings and
// errs when it could not be analysed.
#include "base/str.h"
#include "base/utf8.h"
#include "report/report_p.h"

// Prints text for an attribute or an element; what XML has no place for becomes U+FFFD.
static void print_xml(FILE *out, Arena *arena, const char *text)
{
    for (const char *c = utf8_repair(arena, text); *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else if (*c == '\n')
            fputs("&#10;", out);
        else if (*c == '\t')
            fputs("&#9;", out);
        else if (byte < ' ')
            fputs("\xEF\xBF\xBD", out);
        else
            fputc(*c, out);
    }
}

static void print_failure(FILE *out, Arena *arena, const Finding *finding)
{
    fputs("      <failure type=\"", out);
    print_xml(out, arena, finding->rule);
    fputs("\" message=\"", out);
    print_xml(out, arena, finding->message);
    fputs("\">", out);
    print_xml(out, arena,
              arena_printf(arena, "%s:%u: %s: %s [%s]\n", finding->loc.file,
                           (unsigned)finding->loc.line, severity_text(finding->severity),
                           finding->message, finding->rule));
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        if (!loc_is_valid(step->loc)) continue;
        print_xml(out, arena,
                  arena_printf(arena, "%s:%u: note: %s\n", step->loc.file, (unsigned)step->loc.line,
                               report_step_text(arena, step)));
    }
    fputs("</failure>\n", out);
}

static bool is_in(const Finding *finding, const char *file)
{
    return loc_is_valid(finding->loc) && strcmp(finding->loc.file, file) == 0;
}

static void print_case(FILE *out, Arena *arena, const Report *report, const char *file,
                       const char *error)
{
    fputs("    <testcase classname=\"cudalint\" name=\"", out);
    print_xml(out, arena, file);
    fputs("\">\n", out);
    if (error != NULL) {
        fputs("      <error message=\"", out);
        print_xml(out, arena, error);
        fputs("\"/>\n", out);
    }
    for (uint32_t i = 0; i < report->findings.len; i++) {
        if (is_in(&report->findings.items[i], file))
            print_failure(out, arena, &report->findings.items[i]);
    }
    fputs("    </testcase>\n", out);
}

// Headers with findings come after the files of the command line.
static bool is_unit(const Report *report, const char *file)
{
    for (uint32_t i = 0; i < report->unit_count; i++) {
        if (strcmp(report->units[i].file, file) == 0) return true;
    }
    return false;
}

Status report_write_junit(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("junit");
    ReportCounts counts = report_count(report);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    fprintf(out, "  <testsuite name=\"cudalint\" failures=\"%u\" errors=\"%u\">\n",
            (unsigned)report->findings.len, (unsigned)counts.failures);
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        const char *error = unit->error != NULL ? unit->error : status_text(unit->status);
        print_case(out, arena, report, unit->file, unit->status == ST_OK ? NULL : error);
    }
    const char *last = "";
    for (uint32_t i = 0; i < report->findings.len; i++) {
        const char *file = report->findings.items[i].loc.file;
        if (file == NULL || strcmp(file, last) == 0 || is_unit(report, file)) continue;
        print_case(out, arena, report, file, NULL);
        last = file;
    }
    fputs("  </testsuite>\n</testsuites>\n", out);
    arena_free(arena);
    return report_flush(out, err);
}
