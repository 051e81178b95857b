// SPDX-License-Identifier: MIT
// The last words of a run, for standard error: what failed, what was counted, what was left out.
// Input: a report; output: lines. What was not analysed is always counted here, because nothing
// else tells it from clean.
#include "report/report_p.h"

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void print_place(FILE *out, SrcLoc loc, const char *fallback)
{
    snippet_print_text(out, loc.file != NULL ? loc.file : fallback);
    if (loc.line != 0) fprintf(out, ":%u", (unsigned)loc.line);
    if (loc.line != 0 && loc.column != 0) fprintf(out, ":%u", (unsigned)loc.column);
    fputs(": ", out);
}

static void print_failures(FILE *out, const Report *report)
{
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        if (unit->status == ST_OK) continue;
        fputs("cudalint: error: ", out);
        snippet_print_text(out, unit->file);
        fputs(": ", out);
        snippet_print_text(out, unit->error != NULL ? unit->error : status_text(unit->status));
        fputc('\n', out);
    }
}

static void print_left_out(FILE *out, const UnitResult *unit)
{
    for (uint32_t i = 0; i < unit->not_analysed.len; i++) {
        const NotAnalysed *skipped = &unit->not_analysed.items[i];
        fputs("cudalint: note: ", out);
        print_place(out, skipped->loc, unit->file);
        fputs("not analysed: '", out);
        snippet_print_text(out, skipped->name);
        fputs("': ", out);
        snippet_print_text(out, skipped->reason);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < unit->diagnostics.len; i++) {
        fputs("cudalint: note: ", out);
        snippet_print_text(out, unit->diagnostics.items[i]);
        fputc('\n', out);
    }
    if (unit->budget_hits == 0) return;
    fputs("cudalint: note: ", out);
    snippet_print_text(out, unit->file);
    fprintf(out, ": a budget cut the search short in %u function%s\n", (unsigned)unit->budget_hits,
            plural(unit->budget_hits));
}

static void print_counts(FILE *out, const Report *report)
{
    ReportCounts counts = report_count(report);
    fprintf(out, "cudalint: %u error%s, %u warning%s", (unsigned)counts.errors,
            plural(counts.errors), (unsigned)counts.warnings, plural(counts.warnings));
    if (counts.notes != 0)
        fprintf(out, ", %u note%s", (unsigned)counts.notes, plural(counts.notes));
    if (report->suppressed.len != 0)
        fprintf(out, ", %u suppressed", (unsigned)report->suppressed.len);
    if (report->unchanged != 0)
        fprintf(out, ", %u in unchanged functions left out", (unsigned)report->unchanged);
    fprintf(out, " in %u file%s (%u function%s analysed", (unsigned)counts.files,
            plural(counts.files), (unsigned)counts.analysed, plural(counts.analysed));
    if (counts.not_analysed != 0) {
        fprintf(out, ", %u not analysed%s", (unsigned)counts.not_analysed,
                report->verbose ? "" : ": -v names them");
    }
    if (counts.budget_hits != 0) {
        fprintf(out, ", %u searched in part", (unsigned)counts.budget_hits);
    }
    if (counts.failures != 0) {
        fprintf(out, ", %u file%s failed", (unsigned)counts.failures, plural(counts.failures));
    }
    fputs(")\n", out);
}

typedef struct {
    const char *name;
    double total, most;  // ms
    const char *slowest; // file of `most`
} Stage;

static void stage_add(Stage *stage, double ms, const char *file)
{
    stage->total += ms;
    if (stage->slowest != NULL && ms <= stage->most) return;
    stage->most = ms;
    stage->slowest = file;
}

static void print_stats(FILE *out, const Report *report)
{
    Stage stages[] = {{.name = "parse"}, {.name = "lower"}, {.name = "engine"}};
    uint64_t peak_bytes = 0;
    uint64_t peak_rss_kib = 0;
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        stage_add(&stages[0], unit->parse_ms, unit->file);
        stage_add(&stages[1], unit->lower_ms, unit->file);
        stage_add(&stages[2], unit->engine_ms, unit->file);
        if (unit->peak_bytes > peak_bytes) peak_bytes = unit->peak_bytes;
        if (unit->peak_rss_kib > peak_rss_kib) peak_rss_kib = unit->peak_rss_kib;
    }
    fprintf(out, "%-8s %12s %12s  %s\n", "stage", "total ms", "most ms", "in");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        fprintf(out, "%-8s %12.1f %12.1f  ", stages[i].name, stages[i].total, stages[i].most);
        snippet_print_text(out, stages[i].slowest != NULL ? stages[i].slowest : "-");
        fputc('\n', out);
    }
    fprintf(out, "memory of a file, at most: %.1f MiB in arenas, %.1f MiB in all\n",
            (double)peak_bytes / (1 << 20), (double)peak_rss_kib / 1024);
    fprintf(out, "functions in which a budget cut the search short: %u\n",
            (unsigned)report_count(report).budget_hits);
    if (report_count(report).untold > 0)
        fprintf(out, "findings for which others like them speak: %u\n",
                (unsigned)report_count(report).untold);
    const ReportExchange *exchange = &report->exchange;
    fprintf(out, "functions across files: %u offered, %u made known to others",
            (unsigned)exchange->offered, (unsigned)exchange->known);
    fprintf(out, ", %u defined in several ways, %u circle%s of calls\n",
            (unsigned)exchange->disputed, (unsigned)exchange->circles, plural(exchange->circles));
    fprintf(out, "files that went on when others were done: %u, in %u round%s\n",
            (unsigned)exchange->requests, (unsigned)exchange->rounds, plural(exchange->rounds));
}

void report_summary(FILE *out, const Report *report)
{
    print_failures(out, report);
    for (uint32_t i = 0; report->verbose && i < report->unit_count; i++) {
        print_left_out(out, &report->units[i]);
    }
    print_counts(out, report);
    if (report->stats) print_stats(out, report);
}
