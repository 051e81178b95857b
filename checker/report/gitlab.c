// SPDX-License-Identifier: MIT
// GitLab's code quality report: an array of findings that a merge request shows beside its changes.
#include "report/json_p.h"
#include "report/report_p.h"
#include "report/uri.h"

#include <inttypes.h>

static const char *quality_severity(Severity severity)
{
    switch (severity) {
    case SEV_ERROR:
        return "critical";
    case SEV_WARNING:
        return "major";
    case SEV_NOTE:
    case SEV_OFF:
        break;
    }
    return "info";
}

static cJSON *finding_tree(Arena *arena, const UriBase *base, const Finding *finding)
{
    cJSON *object = json_object();
    json_put_text(arena, object, "description", finding->message);
    json_put_text(arena, object, "check_name", finding->rule);
    json_put_text(arena, object, "fingerprint",
                  arena_printf(arena, "%016" PRIx64, finding->fingerprint));
    json_put_text(arena, object, "severity", quality_severity(finding->severity));
    cJSON *location = json_put(object, "location", json_object());
    bool is_relative;
    const char *file = loc_is_valid(finding->loc) ? finding->loc.file : ".";
    json_put_text(arena, location, "path", uri_plain_path(arena, base, file, &is_relative));
    json_put_number(json_put(location, "lines", json_object()), "begin",
                    finding->loc.line != 0 ? finding->loc.line : 1);
    return object;
}

Status report_write_gitlab(FILE *out, const Report *report, Err *err)
{
    Arena *arena = arena_new("gitlab");
    UriBase base = uri_base_find(arena);
    cJSON *root = json_array();
    for (uint32_t i = 0; i < report->findings.len; i++) {
        json_push(root, finding_tree(arena, &base, &report->findings.items[i]));
    }
    Status status = json_print(out, root, err);
    arena_free(arena);
    return status;
}
