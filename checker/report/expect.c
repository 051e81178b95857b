// SPDX-License-Identifier: MIT
// Comparing a file's marks with what was found in it. Input: marks and a report; output: one
// message for each difference, with the mark that would make it go away.
#include "report/mark_p.h"
#include "report/report_p.h"

#include <string.h>
#include <sys/stat.h>

typedef struct {
    FILE *out;
    const Report *report;
    const char *file;
    struct stat identity; // of the file
    MarkList marks;
    uint32_t differences;
} Expectation;

static bool is_this_file(const Expectation *expectation, const char *path)
{
    if (path == NULL) return false;
    if (strcmp(path, expectation->file) == 0) return true;
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == expectation->identity.st_dev &&
           other.st_ino == expectation->identity.st_ino;
}

static void differ(Expectation *expectation, uint32_t line)
{
    expectation->differences++;
    snippet_print_text(expectation->out, expectation->file);
    if (line != 0) fprintf(expectation->out, ":%u", (unsigned)line);
    fputs(": error: ", expectation->out);
}

static bool fits(const Mark *mark, uint32_t line, const char *text)
{
    return mark->line == line && (mark->fragment == NULL || strstr(text, mark->fragment) != NULL);
}

// The mark that is met by what was found, or NULL. Those with a fragment are asked first: they can
// be met by less.
static Mark *find_mark(Expectation *expectation, MarkKind kind, const char *rule, uint32_t line,
                       const char *text)
{
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < expectation->marks.marks.len; i++) {
            Mark *mark = &expectation->marks.marks.items[i];
            if (mark->is_met || mark->kind != kind || (mark->fragment != NULL) != (turn == 0))
                continue;
            if (kind == MARK_FINDING && strcmp(mark->rule, rule) != 0) continue;
            if (fits(mark, line, text)) return mark;
        }
    }
    return NULL;
}

static void print_paste(FILE *out, const char *mark)
{
    fprintf(out, "    paste: // expect: %s\n", mark);
}

static void check_steps(Expectation *expectation, const Finding *finding)
{
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        if (!is_this_file(expectation, step->loc.file)) continue;
        for (uint32_t k = 0; k < expectation->marks.marks.len; k++) {
            Mark *mark = &expectation->marks.marks.items[k];
            mark->is_met |= mark->kind == MARK_STEP && fits(mark, step->loc.line, step->text);
        }
    }
}

static void check_findings(Expectation *expectation)
{
    for (uint32_t i = 0; i < expectation->report->findings.len; i++) {
        const Finding *finding = &expectation->report->findings.items[i];
        check_steps(expectation, finding);
        if (!is_this_file(expectation, finding->loc.file)) continue;
        Mark *mark = find_mark(expectation, MARK_FINDING, finding->rule, finding->loc.line,
                               finding->message);
        if (mark != NULL) {
            mark->is_met = true;
            continue;
        }
        differ(expectation, finding->loc.line);
        fprintf(expectation->out, "not expected: %s: ", severity_text(finding->severity));
        snippet_print_text(expectation->out, finding->message);
        fprintf(expectation->out, " [%s]\n", finding->rule);
        print_paste(expectation->out, finding->rule);
    }
}

static void check_unit(Expectation *expectation, const UnitResult *unit)
{
    if (unit->status != ST_OK && is_this_file(expectation, unit->file)) {
        differ(expectation, 0);
        fputs("not analysed: ", expectation->out);
        snippet_print_text(expectation->out,
                           unit->error != NULL ? unit->error : status_text(unit->status));
        fputc('\n', expectation->out);
    }
    for (uint32_t i = 0; i < unit->not_analysed.len; i++) {
        const NotAnalysed *skipped = &unit->not_analysed.items[i];
        if (!is_this_file(expectation, skipped->loc.file)) continue;
        Mark *mark =
            find_mark(expectation, MARK_NOT_ANALYSED, NULL, skipped->loc.line, skipped->reason);
        if (mark != NULL) {
            mark->is_met = true;
            continue;
        }
        differ(expectation, skipped->loc.line);
        fputs("not analysed: '", expectation->out);
        snippet_print_text(expectation->out, skipped->name);
        fputs("': ", expectation->out);
        snippet_print_text(expectation->out, skipped->reason);
        fputc('\n', expectation->out);
        print_paste(expectation->out, "not-analysed");
    }
}

static bool is_rule(const Report *report, const char *slug)
{
    for (uint32_t i = 0; i < report->rule_count; i++) {
        if (strcmp(report->rules[i].slug, slug) == 0) return true;
    }
    return false;
}

static void check_marks(Expectation *expectation)
{
    FILE *out = expectation->out;
    for (uint32_t i = 0; i < expectation->marks.errors.len; i++) {
        differ(expectation, expectation->marks.errors.items[i].line);
        fprintf(out, "bad mark: %s\n", expectation->marks.errors.items[i].text);
    }
    for (uint32_t i = 0; i < expectation->marks.marks.len; i++) {
        const Mark *mark = &expectation->marks.marks.items[i];
        if (mark->kind == MARK_FINDING && !is_rule(expectation->report, mark->rule)) {
            differ(expectation, mark->written_at);
            fputs("bad mark: no rule is called '", out);
            snippet_print_text(out, mark->rule);
            fputs("'\n", out);
        } else if (!mark->is_met) {
            differ(expectation, mark->line);
            fprintf(out, "expected, not found: %s", mark->rule);
            if (mark->fragment != NULL) {
                fputs(" \"", out);
                snippet_print_text(out, mark->fragment);
                fputc('"', out);
            }
            if (mark->written_at != mark->line)
                fprintf(out, " (marked in line %u)", (unsigned)mark->written_at);
            fputc('\n', out);
        }
    }
}

uint32_t report_expect(FILE *out, const Report *report, const char *file, Err *err)
{
    Arena *arena = arena_new("expect");
    Expectation expectation = {.out = out, .report = report, .file = file};
    const SourceFile *source = source_file(source_cache_new(arena), file);
    if (source == NULL || stat(file, &expectation.identity) != 0) {
        err_set(err, ST_NOT_FOUND, "cannot read '%s'", file);
        arena_free(arena);
        return 1;
    }
    expectation.marks = mark_list_read(arena, source);
    check_findings(&expectation);
    for (uint32_t i = 0; i < report->unit_count; i++) check_unit(&expectation, &report->units[i]);
    check_marks(&expectation);
    arena_free(arena);
    return expectation.differences;
}
