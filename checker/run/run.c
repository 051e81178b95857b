// SPDX-License-Identifier: MIT
// The main job, from options to exit code: set up, plan, analyse in workers, merge, report.
#include "run/run.h"

#include "base/log.h"
#include "base/path.h"
#include "config/settings.h"
#include "filter/filter.h"
#include "report/report.h"
#include "run/run_p.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Everything that a run needs and that does not depend on the files.
typedef struct {
    const Options *options;
    const char *command_line;
    const Config *config; // of the folder that all operands share
    Analysis analysis;
    Progress progress;
    const ReportWriter *writer;
    Severity lowest;  // shown from here
    Severity fail_on; // exit code 1 from here; SEV_OFF: never
} Run;

static Status set_up(Arena *arena, Run *run, Err *err)
{
    const Options *options = run->options;
    log_set_level(options->quiet ? LOG_QUIET : options->verbose ? LOG_VERBOSE : LOG_NORMAL);
    progress_start(&run->progress, options);
    run->analysis.progress = &run->progress;
    run->writer = report_writer_find(options->format);
    if (run->writer == NULL) {
        return err_set(err, ST_USAGE, "--format cannot be '%s'; it is one of %s", options->format,
                       report_writer_names());
    }
    run->fail_on = SEV_OFF; // "never" is no severity
    if (strcmp(options->fail_on, "never") != 0) {
        Status status = severity_parse(options->fail_on, &run->fail_on);
        if (status != ST_OK) return status;
    }
    bool wants_notes = options->notes || options->expect || run->fail_on == SEV_NOTE;
    run->lowest = wants_notes ? SEV_NOTE : SEV_WARNING;
    Status status = output_check(arena, options->output, err);
    if (status == ST_OK) status = output_check(arena, options->write_baseline, err);
    if (status == ST_OK)
        status = config_tree_get(run->analysis.configs, settings_folder(arena, &options->operands),
                                 &run->config, err);
    return status == ST_OK ? analysis_set_up(arena, options, &run->analysis, err) : status;
}

static uint32_t worker_count(const Options *options)
{
    if (options->jobs != 0) return options->jobs;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : (uint32_t)processors;
}

static const ReportRule *report_rules(Arena *arena, const Run *run)
{
    const Severity *levels = run->analysis.levels.severities;
    BUG_ON(levels == NULL);
    ReportRule *rules = ARENA_ARRAY(arena, ReportRule, rule_count() + 1);
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        rules[i] = (ReportRule){
            .slug = rule->slug,
            .title = rule->title,
            .category = rule->category,
            .precision = rule->precision,
            .guideline = rule->guideline,
            .page = rule_page(rule->slug),
            .severity = levels[i],
            .cwe = rule->cwe,
        };
    }
    return rules;
}

static bool wants_colour(const Options *options)
{
    if (strcmp(options->colour, "auto") != 0) return strcmp(options->colour, "always") == 0;
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (no_colour != NULL && no_colour[0] != '\0') return false;
    if (terminal != NULL && strcmp(terminal, "dumb") == 0) return false;
    return options->output == NULL && isatty(STDOUT_FILENO);
}

static RunResult exit_result(const Run *run, const Report *report)
{
    if (merge_failures(report->units, report->unit_count) != 0) return RUN_INCOMPLETE;
    if (run->fail_on == SEV_OFF || run->options->exit_zero) return RUN_CLEAN;
    for (uint32_t i = 0; i < report->findings.len; i++) {
        if (report->findings.items[i].severity >= run->fail_on) return RUN_FINDINGS;
    }
    return RUN_CLEAN;
}

// Compares each file's marks with its findings; the differences are the report.
static RunResult write_expectations(const Report *report, FILE *out, Err *err)
{
    uint32_t differences = 0;
    for (uint32_t i = 0; i < report->unit_count; i++) {
        differences += report_expect(out, report, report->units[i].file, err);
        if (err->message != NULL) return RUN_INCOMPLETE;
    }
    if (merge_failures(report->units, report->unit_count) != 0) return RUN_INCOMPLETE;
    return differences != 0 ? RUN_FINDINGS : RUN_CLEAN;
}

static RunResult fail(const Err *err, Status status)
{
    log_error("%s", err->message != NULL ? err->message : status_text(status));
    return RUN_INCOMPLETE;
}

static RunResult write_report(Arena *arena, const Run *run, const Report *report, Err *err)
{
    Output output;
    Status status = output_open(arena, run->options->output, &output, err);
    if (status != ST_OK) return fail(err, status);
    RunResult result = (RunResult)report->exit_code;
    if (run->options->expect) {
        result = write_expectations(report, output.file, err);
        if (err->message != NULL) log_error("%s", err->message);
    } else {
        status = run->writer->write(output.file, report, err);
    }
    if (status != ST_OK) {
        output_discard(&output);
        const char *path = run->options->output;
        err_context(err, status, "%s", path != NULL ? path : "standard output");
        return fail(err, status);
    }
    status = output_close(&output, err);
    return status == ST_OK ? result : fail(err, status);
}

// What failed is said even when quiet.
static void say_what_failed(const Report *report)
{
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        if (unit->status != ST_OK) log_error("%s: %s", unit->file, unit->error);
    }
}

static RunResult run_dump(Arena *arena, const Run *run, const JobList *jobs, Err *err)
{
    Output output;
    Status status = output_open(arena, run->options->output, &output, err);
    if (status != ST_OK) return fail(err, status);
    status = dump_stage(arena, &run->analysis, jobs, run->options->dump, output.file, err);
    if (status != ST_OK) {
        output_discard(&output);
        return fail(err, status);
    }
    status = output_close(&output, err);
    return status == ST_OK ? RUN_CLEAN : fail(err, status);
}

static RunResult print_config(Arena *arena, const Run *run, Err *err)
{
    Output output;
    Status status = output_open(arena, run->options->output, &output, err);
    if (status != ST_OK) return fail(err, status);
    settings_print(arena, run->options, run->config, output.file);
    status = output_close(&output, err);
    return status == ST_OK ? RUN_CLEAN : fail(err, status);
}

// The files to analyse, each with how it is compiled, and the rules to look for.
static Status plan(Arena *arena, Run *run, JobList *jobs, Err *err)
{
    const Options *options = run->options;
    ConfigTree *configs = run->analysis.configs;
    *jobs = plan_jobs(arena, &options->operands);
    Status status = configure_jobs(arena, configs, &options->operands, jobs, err);
    if (status == ST_OK) status = plan_commands(arena, options, &run->analysis, jobs, err);
    if (status == ST_OK) status = configure_rules(configs, run->config, &run->analysis.levels, err);
    if (status == ST_OK) status = output_spare_sources(options->output, jobs, err);
    if (status == ST_OK) status = output_spare_sources(options->write_baseline, jobs, err);
    return status;
}

// What findings are held against, asked before the work is done.
static Status set_up_filter(Arena *arena, const Run *run, const JobList *jobs, FilterInput *input,
                            Err *err)
{
    const Options *options = run->options;
    *input = (FilterInput){.levels = &run->analysis.levels, .configs = run->analysis.configs};
    Status status = ST_OK;
    if (options->baseline != NULL)
        status = baseline_load(arena, options->baseline, &input->baseline, err);
    if (status != ST_OK || options->since == NULL) return status;
    const char *folder =
        jobs->len != 0 ? path_parent(arena, jobs->items[0].file) : path_working(arena);
    Changes *changes = NULL;
    status = changes_since(arena, folder, options->since, &changes, err);
    input->changes = changes;
    return status;
}

// Entries of the baseline that were not met, of files that were looked at.
static void say_what_is_gone(const Baseline *baseline, const JobList *jobs)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; baseline != NULL && i < baseline->entries.len; i++) {
        const BaselineEntry *entry = &baseline->entries.items[i];
        for (uint32_t k = 0; k < jobs->len && !entry->is_met; k++) {
            if (strcmp(jobs->items[k].file, entry->file) != 0) continue;
            gone++;
            break;
        }
    }
    if (gone != 0)
        log_note("%s: %u of its findings %s gone; --write-baseline makes it anew", baseline->path,
                 (unsigned)gone, gone == 1 ? "is" : "are");
}

static RunResult write_baseline(Arena *arena, const Run *run, const Report *report, Err *err)
{
    Output output;
    StrBuf text = {.arena = arena};
    const char *path = run->options->write_baseline;
    baseline_write(&text, &report->findings);
    Status status = output_open(arena, path, &output, err);
    if (status != ST_OK) return fail(err, status);
    fputs(strbuf_text(&text), output.file);
    status = output_close(&output, err);
    if (status != ST_OK) return fail(err, status);
    if (!run->options->quiet)
        fprintf(stderr, "cudalint: %u finding%s listed in %s\n", (unsigned)report->findings.len,
                report->findings.len == 1 ? "" : "s", path);
    bool is_whole = merge_failures(report->units, report->unit_count) == 0;
    return is_whole ? RUN_CLEAN : RUN_INCOMPLETE;
}

// Analyses the jobs and sorts out what is found; the report lacks its exit code.
static Status make_report(Arena *arena, Run *run, const JobList *jobs, Report *report, Err *err)
{
    const Options *options = run->options;
    FilterInput input;
    Status status = set_up_filter(arena, run, jobs, &input, err);
    if (status != ST_OK) return status;
    UnitResult *units = ARENA_ARRAY(arena, UnitResult, jobs->len + 1);
    WorkerLimits limits = {.workers = worker_count(options), .timeout_seconds = options->timeout};
    ExchangeStats exchange;
    run->analysis.exchanges = jobs->len > 1;
    status = rounds_run(arena, &run->analysis, limits, jobs, units, &exchange, err);
    progress_clear(&run->progress);
    if (status != ST_OK) return status;

    merge_order(arena, units, jobs->len);
    FindingList findings = merge_findings(arena, units, jobs->len);
    Filtered filtered;
    input.units = units;
    input.unit_count = jobs->len;
    status = filter_findings(arena, &input, &findings, &filtered, err);
    say_what_is_gone(input.baseline, jobs);
    *report = (Report){
        .units = units,
        .unit_count = jobs->len,
        .findings = merge_filter(arena, &filtered.shown, run->lowest),
        .suppressed = filtered.suppressed,
        .unchanged = filtered.unchanged,
        .rules = report_rules(arena, run),
        .rule_count = rule_count(),
        .tool_version = CUDALINT_VERSION,
        .command_line = run->command_line,
        .colour = wants_colour(options),
        .verbose = options->verbose,
        .stats = options->stats,
        .exchange = {.offered = exchange.offered,
                     .known = exchange.known,
                     .disputed = exchange.disputed,
                     .circles = exchange.circles,
                     .rounds = exchange.rounds,
                     .requests = exchange.requests},
    };
    return status;
}

RunResult run_check(Arena *arena, const Options *options, ConfigTree *configs,
                    const char *command_line)
{
    Err err = {.arena = arena};
    Run run = {.options = options, .command_line = command_line};
    run.analysis.configs = configs;
    Status status = set_up(arena, &run, &err);
    if (status != ST_OK) return fail(&err, status);
    if (options->print_config) return print_config(arena, &run, &err);

    JobList jobs;
    status = plan(arena, &run, &jobs, &err);
    if (status != ST_OK) return fail(&err, status);
    analysis_prepare(arena, &run.analysis, &jobs);
    progress_clear(&run.progress);
    if (options->dump != NULL) return run_dump(arena, &run, &jobs, &err);

    Report report = {0};
    status = make_report(arena, &run, &jobs, &report, &err);
    bool is_made = report.units != NULL;
    if (!is_made) return fail(&err, status);
    report.exit_code = (int)exit_result(&run, &report);
    // A configuration that could not be read: what is found is shown all the same.
    if (status != ST_OK) report.exit_code = (int)fail(&err, status);
    err.message = NULL;
    RunResult result = options->write_baseline != NULL ? write_baseline(arena, &run, &report, &err)
                                                       : write_report(arena, &run, &report, &err);
    if (options->quiet)
        say_what_failed(&report);
    else if (options->write_baseline == NULL ||
             merge_failures(report.units, report.unit_count) != 0)
        report_summary(stderr, &report);
    return result;
}
