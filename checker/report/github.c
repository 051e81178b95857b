// SPDX-License-Identifier: MIT
// GitHub's workflow commands: each finding becomes an annotation of the pull request, in any job that
// prints them; code scanning and its permissions are not needed.
#include "base/str.h"
#include "base/utf8.h"
#include "report/report_p.h"
#include "report/uri.h"

// Spells what a workflow command must not hold as it is, in its text and besides in its properties;
// control characters would reach the terminal of whoever reads the log.
static void append_escaped(StrBuf *out, const char *raw, bool is_property)
{
    for (const char *text = utf8_repair(out->arena, raw); *text != '\0'; text++) {
        bool is_special = *text == '%' || *text == '\r' || *text == '\n' ||
                          (is_property && (*text == ':' || *text == ','));
        if (is_special)
            strbuf_printf(out, "%%%02X", (unsigned)*text);
        else if ((unsigned char)*text < ' ' && *text != '\t')
            strbuf_append(out, "\xEF\xBF\xBD");
        else
            strbuf_append_n(out, text, 1);
    }
}

static const char *command_name(Severity severity)
{
    switch (severity) {
    case SEV_ERROR:
        return "error";
    case SEV_WARNING:
        return "warning";
    case SEV_NOTE:
    case SEV_OFF:
        break;
    }
    return "notice";
}

static const char *plain(Arena *arena, const UriBase *base, const char *path)
{
    bool is_relative;
    return uri_plain_path(arena, base, path, &is_relative);
}

static void print_finding(FILE *out, Arena *arena, const UriBase *base, const Finding *finding)
{
    StrBuf line = {.arena = arena};
    strbuf_printf(&line, "::%s ", command_name(finding->severity));
    if (loc_is_valid(finding->loc)) {
        strbuf_append(&line, "file=");
        append_escaped(&line, plain(arena, base, finding->loc.file), true);
        strbuf_printf(&line, ",line=%u,", (unsigned)finding->loc.line);
        if (finding->loc.column != 0)
            strbuf_printf(&line, "col=%u,", (unsigned)finding->loc.column);
    }
    strbuf_append(&line, "title=");
    append_escaped(&line, finding->rule, true);
    strbuf_append(&line, "::");
    append_escaped(&line, finding->message, false);
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        const char *text = report_step_text(arena, step);
        if (loc_is_valid(step->loc))
            text = arena_printf(arena, "\n%s:%u: %s", plain(arena, base, step->loc.file),
                                (unsigned)step->loc.line, text);
        else
            text = arena_printf(arena, "\n%s", text);
        append_escaped(&line, text, false);
    }
    fprintf(out, "%s\n", strbuf_text(&line));
}

Status report_write_github(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("github");
    UriBase base = uri_base_find(arena);
    for (uint32_t i = 0; i < report->findings.len; i++) {
        print_finding(out, arena, &base, &report->findings.items[i]);
    }
    arena_free(arena);
    return report_flush(out, err);
}
