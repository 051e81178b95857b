// SPDX-License-Identifier: MIT
// JSON for scripts: findings with their paths, what was not analysed, what failed, and the counts.
// Keys are only ever added. Times and memory are left out, so that equal runs give equal bytes.
#include "report/json_p.h"
#include "report/report_p.h"

#include <inttypes.h>

static void put_place(Arena *arena, cJSON *object, SrcLoc loc)
{
    json_put_text(arena, object, "file", loc.file);
    if (loc.line != 0) json_put_number(object, "line", loc.line);
    if (loc.line != 0 && loc.column != 0) json_put_number(object, "column", loc.column);
    json_put_text(arena, object, "macro", loc.macro);
}

static cJSON *finding_tree(Arena *arena, const Finding *finding)
{
    cJSON *object = json_object();
    json_put_text(arena, object, "rule", finding->rule);
    json_put_text(arena, object, "severity", severity_text(finding->severity));
    put_place(arena, object, finding->loc);
    json_put_text(arena, object, "message", finding->message);
    json_put_text(arena, object, "function", finding->function);
    json_put_text(arena, object, "subject", finding->subject);
    json_put_text(arena, object, "fingerprint",
                  arena_printf(arena, "%016" PRIx64, finding->fingerprint));
    cJSON *path = json_put(object, "path", json_array());
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        cJSON *entry = json_push(path, json_object());
        put_place(arena, entry, step->loc);
        json_put_text(arena, entry, "text", step->text);
        json_put_number(entry, "depth", step->depth);
    }
    return object;
}

static void put_suppressed(Arena *arena, cJSON *root, const Report *report)
{
    static const char *const kinds[] = {[SUPPRESSED_IN_SOURCE] = "comment",
                                        [SUPPRESSED_BY_CONFIG] = "config",
                                        [SUPPRESSED_BASELINE] = "baseline"};
    cJSON *list = json_put(root, "suppressed", json_array());
    for (uint32_t i = 0; i < report->suppressed.len; i++) {
        const SuppressedFinding *suppressed = &report->suppressed.items[i];
        cJSON *entry = json_push(list, finding_tree(arena, &suppressed->finding));
        cJSON *by = json_put(entry, "suppressed_by", json_object());
        json_put_text(arena, by, "kind", kinds[suppressed->kind]);
        json_put_text(arena, by, "reason", suppressed->reason);
        put_place(arena, by, suppressed->by);
    }
}

static void put_left_out(Arena *arena, cJSON *root, const Report *report)
{
    cJSON *not_analysed = json_put(root, "not_analysed", json_array());
    cJSON *failures = json_put(root, "failures", json_array());
    cJSON *diagnostics = json_put(root, "diagnostics", json_array());
    for (uint32_t i = 0; i < report->unit_count; i++) {
        const UnitResult *unit = &report->units[i];
        for (uint32_t k = 0; k < unit->not_analysed.len; k++) {
            const NotAnalysed *skipped = &unit->not_analysed.items[k];
            cJSON *entry = json_push(not_analysed, json_object());
            json_put_text(arena, entry, "function", skipped->name);
            put_place(arena, entry, skipped->loc);
            json_put_text(arena, entry, "reason", skipped->reason);
        }
        for (uint32_t k = 0; k < unit->diagnostics.len; k++) {
            json_push_text(arena, diagnostics, unit->diagnostics.items[k]);
        }
        if (unit->status == ST_OK) continue;
        cJSON *entry = json_push(failures, json_object());
        json_put_text(arena, entry, "file", unit->file);
        json_put_text(arena, entry, "error",
                      unit->error != NULL ? unit->error : status_text(unit->status));
    }
}

static void put_counts(cJSON *root, const Report *report)
{
    ReportCounts counts = report_count(report);
    cJSON *object = json_put(root, "counts", json_object());
    json_put_number(object, "errors", counts.errors);
    json_put_number(object, "warnings", counts.warnings);
    json_put_number(object, "notes", counts.notes);
    json_put_number(object, "suppressed", report->suppressed.len);
    json_put_number(object, "unchanged", report->unchanged);
    json_put_number(object, "files", counts.files);
    json_put_number(object, "failures", counts.failures);
    json_put_number(object, "functions_analysed", counts.analysed);
    json_put_number(object, "functions_not_analysed", counts.not_analysed);
    json_put_number(object, "budget_hits", counts.budget_hits);
}

Status report_write_json(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("json");
    cJSON *root = json_object();
    json_put_text(arena, root, "tool", "cudalint");
    json_put_text(arena, root, "version", report->tool_version);
    cJSON *findings = json_put(root, "findings", json_array());
    for (uint32_t i = 0; i < report->findings.len; i++) {
        json_push(findings, finding_tree(arena, &report->findings.items[i]));
    }
    put_suppressed(arena, root, report);
    put_left_out(arena, root, report);
    put_counts(root, report);
    Status status = json_print(out, root, err);
    arena_free(arena);
    return status;
}
