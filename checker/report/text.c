// SPDX-License-Identifier: MIT
// Text as clang prints it: the finding, its line with a caret, then the path as notes. Steps that
// follow each other on one line share its picture.
#include "report/report_p.h"

typedef struct {
    FILE *out;
    Arena *arena;
    SourceCache *sources;
    bool colour;
} TextWriter;

#define BOLD "\033[1m"
#define RESET "\033[0m"

static const char *severity_colour(Severity severity)
{
    switch (severity) {
    case SEV_ERROR:
        return "\033[0;1;31m";
    case SEV_WARNING:
        return "\033[0;1;35m";
    case SEV_NOTE:
    case SEV_OFF:
        break;
    }
    return "\033[0;1;36m";
}

static void print_colour(const TextWriter *writer, const char *colour)
{
    if (writer->colour) fputs(colour, writer->out);
}

// "file:line:col: warning: "
static void print_head(const TextWriter *writer, SrcLoc loc, Severity severity)
{
    if (loc_is_valid(loc)) {
        print_colour(writer, BOLD);
        snippet_print_text(writer->out, loc.file);
        fprintf(writer->out, ":%u:", (unsigned)loc.line);
        if (loc.column != 0) fprintf(writer->out, "%u:", (unsigned)loc.column);
        fputc(' ', writer->out);
        print_colour(writer, RESET);
    }
    print_colour(writer, severity_colour(severity));
    fprintf(writer->out, "%s: ", severity_text(severity));
    print_colour(writer, RESET);
}

static void print_picture(const TextWriter *writer, SrcLoc loc, const uint32_t *columns,
                          uint32_t count)
{
    if (!loc_is_valid(loc)) return;
    Snippet snippet = {.line = source_line(source_file(writer->sources, loc.file), loc.line),
                       .number = loc.line,
                       .columns = columns,
                       .column_count = count,
                       .colour = writer->colour};
    snippet_print(writer->out, &snippet);
}

static bool is_same_line(SrcLoc a, SrcLoc b)
{
    if (!loc_is_valid(a) || !loc_is_valid(b) || a.line != b.line) return false;
    return a.file == b.file || strcmp(a.file, b.file) == 0;
}

static void print_steps(const TextWriter *writer, const Finding *finding)
{
    Vec(uint32_t) columns = {0}; // of the steps printed since the last picture
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        print_head(writer, step->loc, SEV_NOTE);
        snippet_print_text(writer->out, report_step_text(writer->arena, step));
        fputc('\n', writer->out);
        if (step->loc.column != 0) vec_push(writer->arena, &columns, step->loc.column);
        bool is_last = i + 1 == finding->steps.len;
        if (!is_last && is_same_line(step->loc, finding->steps.items[i + 1].loc)) continue;
        print_picture(writer, step->loc, columns.items, columns.len);
        columns.len = 0;
    }
}

// One line: where, how bad, what, and the rule.
static void print_message(const TextWriter *writer, const Finding *finding)
{
    print_head(writer, finding->loc, finding->severity);
    print_colour(writer, BOLD);
    snippet_print_text(writer->out, finding->message);
    fprintf(writer->out, " [%s]", finding->rule);
    print_colour(writer, RESET);
    fputc('\n', writer->out);
}

static void print_finding(const TextWriter *writer, const Finding *finding)
{
    print_message(writer, finding);
    print_picture(writer, finding->loc, &finding->loc.column, finding->loc.column != 0);
    print_steps(writer, finding);
}

Status report_write_text(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("text");
    TextWriter writer = {
        .out = out, .arena = arena, .sources = source_cache_new(arena), .colour = report->colour};
    for (uint32_t i = 0; i < report->findings.len; i++) {
        print_finding(&writer, &report->findings.items[i]);
    }
    arena_free(arena);
    return report_flush(out, err);
}

Status report_write_concise(FILE *out, const Report *report, Err *err)
{
    TextWriter writer = {.out = out, .colour = report->colour};
    for (uint32_t i = 0; i < report->findings.len; i++) {
        print_message(&writer, &report->findings.items[i]);
    }
    return report_flush(out, err);
}
