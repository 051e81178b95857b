// SPDX-License-Identifier: MIT
// SARIF's results. Input: one finding; output: its place, its path as a code flow, the places its
// message speaks of, and the fingerprints by which an alert is known again.
#include "report/sarif_p.h"

#include <inttypes.h>
#include <string.h>

// Code scanning takes no more steps; of a longer path the middle is left out.
enum { MOST_STEPS = 10000 };

static void put_rule(Sarif *sarif, cJSON *result, const char *slug)
{
    json_put_text(sarif->arena, result, "ruleId", slug);
    for (uint32_t i = 0; i < sarif->report->rule_count; i++) {
        if (strcmp(sarif->report->rules[i].slug, slug) != 0) continue;
        json_put_number(result, "ruleIndex", i);
        return;
    }
}

static void put_function(Sarif *sarif, cJSON *location, const char *function)
{
    if (function == NULL || function[0] == '\0') return;
    cJSON *places = json_put(location, "logicalLocations", json_array());
    cJSON *place = json_push(places, json_object());
    json_put_text(sarif->arena, place, "fullyQualifiedName", function);
    json_put_text(sarif->arena, place, "kind", "function");
}

static void put_step(Sarif *sarif, cJSON *steps, const FindingStep *step, uint32_t order)
{
    cJSON *object = json_push(steps, json_object());
    const char *text = report_step_text(sarif->arena, step);
    json_put(object, "location", sarif_location(sarif, step->loc, text, false));
    json_put_number(object, "nestingLevel", step->depth);
    json_put_number(object, "executionOrder", order);
    if (step->is_key) json_put_text(sarif->arena, object, "importance", "essential");
}

static void put_path(Sarif *sarif, cJSON *result, const Finding *finding)
{
    uint32_t count = finding->steps.len;
    if (count == 0) return;
    cJSON *flow = json_push(json_put(result, "codeFlows", json_array()), json_object());
    cJSON *thread = json_push(json_put(flow, "threadFlows", json_array()), json_object());
    cJSON *steps = json_put(thread, "locations", json_array());
    uint32_t order = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (count > MOST_STEPS && i == MOST_STEPS / 2) i = count - MOST_STEPS / 2;
        put_step(sarif, steps, &finding->steps.items[i], ++order);
    }
    if (count <= MOST_STEPS) return;
    sarif_notify(sarif, "note", finding->loc,
                 arena_printf(sarif->arena, "%u steps in the middle of a path of %u are left out",
                              (unsigned)(count - MOST_STEPS), (unsigned)count));
}

static bool is_same_place(SrcLoc a, SrcLoc b)
{
    return a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0;
}

// Where the resource came from and what happened to it: the key steps, or where none is marked, the
// first.
static void put_related(Sarif *sarif, cJSON *result, const Finding *finding)
{
    bool has_key = false;
    for (uint32_t i = 0; i < finding->steps.len; i++) has_key |= finding->steps.items[i].is_key;
    cJSON *related = NULL;
    int id = 0;
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        bool is_wanted = has_key ? step->is_key : i == 0;
        if (!is_wanted || !loc_is_valid(step->loc)) continue;
        if (loc_is_valid(finding->loc) && is_same_place(step->loc, finding->loc)) continue;
        if (related == NULL) related = json_put(result, "relatedLocations", json_array());
        const char *text = report_step_text(sarif->arena, step);
        cJSON *location = json_push(related, sarif_location(sarif, step->loc, text, false));
        json_put_number(location, "id", ++id);
    }
}

static void put_fingerprints(Sarif *sarif, cJSON *result, const Finding *finding)
{
    Arena *arena = sarif->arena;
    cJSON *prints = json_put(result, "partialFingerprints", json_object());
    if (loc_is_valid(finding->loc)) {
        SarifFile *file = sarif_file(sarif, finding->loc.file);
        if (file->source != NULL && file->hashes.count == 0) {
            file->hashes = line_hashes(arena, file->source);
        }
        json_put_text(arena, prints, "primaryLocationLineHash",
                      line_hash_text(arena, &file->hashes, finding->loc.line));
    }
    json_put_text(arena, prints, "cudalint/v1",
                  arena_printf(arena, "%016" PRIx64, finding->fingerprint));
}

cJSON *sarif_result(Sarif *sarif, const Finding *finding)
{
    cJSON *result = json_object();
    put_rule(sarif, result, finding->rule);
    json_put_text(sarif->arena, result, "level",
                  finding->severity == SEV_OFF ? "none" : severity_text(finding->severity));
    const char *message = sarif_sentence(sarif->arena, finding->message);
    json_put_text(sarif->arena, json_put(result, "message", json_object()), "text", message);
    cJSON *locations = json_put(result, "locations", json_array());
    cJSON *location = json_push(locations, sarif_location(sarif, finding->loc, NULL, true));
    put_function(sarif, location, finding->function);
    put_path(sarif, result, finding);
    put_related(sarif, result, finding);
    put_fingerprints(sarif, result, finding);
    return result;
}

cJSON *sarif_suppressed_result(Sarif *sarif, const SuppressedFinding *suppressed)
{
    cJSON *result = sarif_result(sarif, &suppressed->finding);
    cJSON *list = json_put(result, "suppressions", json_array());
    cJSON *suppression = json_push(list, json_object());
    bool is_in_source = suppressed->kind == SUPPRESSED_IN_SOURCE;
    json_put_text(sarif->arena, suppression, "kind", is_in_source ? "inSource" : "external");
    const char *reason = suppressed->reason;
    if (suppressed->kind == SUPPRESSED_BASELINE) reason = "Listed in the baseline.";
    if (reason[0] != '\0') json_put_text(sarif->arena, suppression, "justification", reason);
    if (loc_is_valid(suppressed->by))
        json_put(suppression, "location", sarif_location(sarif, suppressed->by, NULL, false));
    return result;
}
