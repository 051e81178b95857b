// SPDX-License-Identifier: MIT
// SARIF 2.1.0 as code scanning reads it: the log, its one run, and how the run went. Input: a
// report; output: one JSON document that depends on nothing but the report and the sources.
#include "report/sarif_p.h"

#include "base/log.h"

// Code scanning takes no more results of a run, and no more than 10 MB, which so many compressed ones
// are half of.
enum { MOST_RESULTS = 25000 };

void sarif_notify(Sarif *sarif, const char *level, SrcLoc loc, const char *text)
{
    cJSON *notification = json_push(sarif->notifications, json_object());
    json_put_text(sarif->arena, notification, "level", level);
    const char *sentence = sarif_sentence(sarif->arena, text);
    json_put_text(sarif->arena, json_put(notification, "message", json_object()), "text", sentence);
    if (!loc_is_valid(loc)) return;
    cJSON *locations = json_put(notification, "locations", json_array());
    json_push(locations, sarif_location(sarif, loc, NULL, false));
}

static void notify_of_unit(Sarif *sarif, const UnitResult *unit)
{
    Arena *arena = sarif->arena;
    SrcLoc whole = {.file = unit->file, .line = 1};
    if (unit->status != ST_OK) {
        const char *error = unit->error != NULL ? unit->error : status_text(unit->status);
        sarif_notify(sarif, "error", whole, arena_printf(arena, "File not analysed: %s", error));
    }
    for (uint32_t i = 0; i < unit->not_analysed.len; i++) {
        const NotAnalysed *skipped = &unit->not_analysed.items[i];
        sarif_notify(
            sarif, "warning", loc_is_valid(skipped->loc) ? skipped->loc : whole,
            arena_printf(arena, "Function '%s' not analysed: %s", skipped->name, skipped->reason));
    }
    for (uint32_t i = 0; i < unit->diagnostics.len; i++) {
        sarif_notify(sarif, "warning", whole, unit->diagnostics.items[i]);
    }
    if (unit->budget_hits != 0) {
        sarif_notify(sarif, "note", whole,
                     arena_printf(arena, "A budget cut the search short in %u function(s)",
                                  (unsigned)unit->budget_hits));
    }
}

static cJSON *driver_tree(Sarif *sarif)
{
    Arena *arena = sarif->arena;
    cJSON *driver = json_object();
    json_put_text(arena, driver, "name", "cudalint");
    json_put_text(arena, driver, "fullName",
                  arena_printf(arena, "cudalint %s", sarif->report->tool_version));
    json_put_text(arena, driver, "semanticVersion", sarif->report->tool_version);
    json_put(driver, "rules", sarif_rules(sarif));
    return driver;
}

static void put_invocation(Sarif *sarif, cJSON *run)
{
    const Report *report = sarif->report;
    cJSON *invocation = json_push(json_put(run, "invocations", json_array()), json_object());
    json_put_bool(invocation, "executionSuccessful",
                  report->exit_code == 0 || report->exit_code == 1);
    json_put_number(invocation, "exitCode", report->exit_code);
    if (report->command_line != NULL && report->command_line[0] != '\0') {
        json_put_text(sarif->arena, invocation, "commandLine", report->command_line);
    }
    json_put(invocation, "toolExecutionNotifications", sarif->notifications);
}

// Which findings are among the results: the gravest, and of those the first. `*left`: how many more
// there may be.
static const bool *choose(Sarif *sarif, uint32_t *left)
{
    const FindingList *findings = &sarif->report->findings;
    bool *is_chosen = ARENA_ARRAY(sarif->arena, bool, findings->len + 1);
    static const Severity severities[] = {SEV_ERROR, SEV_WARNING, SEV_NOTE, SEV_OFF};
    for (size_t s = 0; s < sizeof severities / sizeof *severities; s++) {
        for (uint32_t i = 0; i < findings->len && *left != 0; i++) {
            if (findings->items[i].severity != severities[s]) continue;
            is_chosen[i] = true;
            --*left;
        }
    }
    return is_chosen;
}

static cJSON *result_trees(Sarif *sarif)
{
    const Report *report = sarif->report;
    cJSON *results = json_array();
    uint32_t left = MOST_RESULTS, total = report->findings.len + report->suppressed.len;
    const bool *is_chosen = choose(sarif, &left);
    for (uint32_t i = 0; i < report->findings.len; i++) {
        if (is_chosen[i]) json_push(results, sarif_result(sarif, &report->findings.items[i]));
    }
    for (uint32_t i = 0; i < report->suppressed.len && left != 0; i++, left--) {
        json_push(results, sarif_suppressed_result(sarif, &report->suppressed.items[i]));
    }
    if (total <= MOST_RESULTS) return results;
    const char *text = arena_printf(
        sarif->arena,
        "%u of %u results are left out of the SARIF, the least grave and suppressed ones "
        "first: code scanning takes %u",
        (unsigned)(total - MOST_RESULTS), (unsigned)total, (unsigned)MOST_RESULTS);
    sarif_notify(sarif, "warning", (SrcLoc){0}, text);
    log_warning("%s", text);
    return results;
}

static cJSON *run_tree(Sarif *sarif)
{
    Arena *arena = sarif->arena;
    const Report *report = sarif->report;
    cJSON *run = json_object();
    json_put(json_put(run, "tool", json_object()), "driver", driver_tree(sarif));
    json_put_text(arena, json_put(run, "automationDetails", json_object()), "id", "cudalint/");
    json_put_text(arena, run, "columnKind", "utf16CodeUnits");
    cJSON *base =
        json_put(json_put(run, "originalUriBaseIds", json_object()), "%SRCROOT%", json_object());
    json_put_text(arena, json_put(base, "description", json_object()), "text",
                  "The root of the repository.");
    for (uint32_t i = 0; i < report->unit_count; i++) {
        sarif_file(sarif, report->units[i].file)->is_target = true;
    }
    for (uint32_t i = 0; i < report->unit_count; i++) notify_of_unit(sarif, &report->units[i]);
    cJSON *results = result_trees(sarif);
    put_invocation(sarif, run);
    json_put(run, "artifacts", sarif_artifacts(sarif));
    json_put(run, "results", results);
    return run;
}

Status report_write_sarif(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("sarif");
    Sarif sarif = {.arena = arena,
                   .report = report,
                   .sources = source_cache_new(arena),
                   .paths = str_pool_new(arena),
                   .base = uri_base_find(arena),
                   .notifications = json_array()};
    cJSON *log = json_object();
    json_put_text(arena, log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_put_text(arena, log, "version", "2.1.0");
    json_push(json_put(log, "runs", json_array()), run_tree(&sarif));
    Status status = json_print(out, log, err);
    arena_free(arena);
    return status;
}
