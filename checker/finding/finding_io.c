// SPDX-License-Identifier: MIT
// UnitResult as bytes: what a worker sends its parent.
#include "finding/finding.h"

#include "base/wire.h"

#include <string.h>

#define RESULT_MAGIC "cudares3"

enum {
    // The fewest bytes an entry of each list can take; bounds what a corrupt count can ask for.
    STEP_MIN = WIRE_LOC_MIN + 4 + 4 + 1,
    FINDING_MIN = 4 + 4 + WIRE_LOC_MIN + 4 + 4 + 4 + 4 + 4 + 4 + 8 + 4,
    NOT_ANALYSED_MIN = 4 + WIRE_LOC_MIN + 4,
};

static void put_finding(StrBuf *out, const Finding *finding)
{
    wire_put_required_text(out, finding->rule);
    wire_put_int(out, finding->severity, 4);
    wire_put_loc(out, finding->loc);
    wire_put_required_text(out, finding->message);
    wire_put_text(out, finding->function);
    wire_put_text(out, finding->subject);
    wire_put_int(out, finding->more, 4);
    wire_put_int(out, finding->first_line, 4);
    wire_put_int(out, finding->last_line, 4);
    wire_put_int(out, finding->fingerprint, 8);
    wire_put_int(out, finding->steps.len, 4);
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        wire_put_loc(out, finding->steps.items[i].loc);
        wire_put_required_text(out, finding->steps.items[i].text);
        wire_put_int(out, finding->steps.items[i].depth, 4);
        wire_put_int(out, finding->steps.items[i].is_key, 1);
    }
}

static void put_result(StrBuf *out, const UnitResult *result)
{
    wire_put_required_text(out, result->file);
    wire_put_int(out, (uint32_t)result->status, 4);
    wire_put_text(out, result->error);
    wire_put_int(out, result->findings.len, 4);
    for (uint32_t i = 0; i < result->findings.len; i++)
        put_finding(out, &result->findings.items[i]);
    wire_put_int(out, result->not_analysed.len, 4);
    for (uint32_t i = 0; i < result->not_analysed.len; i++) {
        wire_put_required_text(out, result->not_analysed.items[i].name);
        wire_put_loc(out, result->not_analysed.items[i].loc);
        wire_put_required_text(out, result->not_analysed.items[i].reason);
    }
    wire_put_int(out, result->diagnostics.len, 4);
    for (uint32_t i = 0; i < result->diagnostics.len; i++) {
        wire_put_required_text(out, result->diagnostics.items[i]);
    }
    wire_put_int(out, result->host_functions, 4);
    wire_put_int(out, result->analysed, 4);
    wire_put_int(out, result->budget_hits, 4);
    wire_put_double(out, result->parse_ms);
    wire_put_double(out, result->lower_ms);
    wire_put_double(out, result->engine_ms);
    wire_put_int(out, result->peak_bytes, 8);
    wire_put_int(out, result->peak_rss_kib, 8);
}

void unit_result_write(StrBuf *out, const UnitResult *result)
{
    StrBuf payload = {.arena = out->arena};
    put_result(&payload, result);
    wire_put_record(out, RESULT_MAGIC, &payload);
}

// Where lists are allocated, and what they are read from.
typedef struct {
    Arena *arena;
    WireReader wire;
} Reader;

static Finding get_finding(Reader *in)
{
    Finding finding = {0};
    finding.rule = wire_get_required_text(&in->wire);
    uint32_t severity = wire_get_u32(&in->wire);
    if (severity > SEV_ERROR) in->wire.is_bad = true;
    finding.severity = in->wire.is_bad ? SEV_OFF : (Severity)severity;
    finding.loc = wire_get_loc(&in->wire);
    finding.message = wire_get_required_text(&in->wire);
    finding.function = wire_get_text(&in->wire);
    finding.subject = wire_get_text(&in->wire);
    finding.more = wire_get_u32(&in->wire);
    finding.first_line = wire_get_u32(&in->wire);
    finding.last_line = wire_get_u32(&in->wire);
    finding.fingerprint = wire_get_int(&in->wire, 8);
    uint32_t count = wire_get_count(&in->wire, STEP_MIN);
    for (uint32_t i = 0; i < count && !in->wire.is_bad; i++) {
        FindingStep step = {.loc = wire_get_loc(&in->wire)};
        step.text = wire_get_required_text(&in->wire);
        step.depth = wire_get_u32(&in->wire);
        step.is_key = wire_get_int(&in->wire, 1) != 0;
        vec_push(in->arena, &finding.steps, step);
    }
    return finding;
}

static Status get_status(Reader *in)
{
    int32_t value = (int32_t)wire_get_u32(&in->wire);
    switch (value) {
#define STATUS(name, number, text) case number:
#include "base/status.def"
#undef STATUS
        return (Status)value;
    default:
        in->wire.is_bad = true;
        return ST_SYNTAX;
    }
}

static void get_lists(Reader *in, UnitResult *result)
{
    uint32_t count = wire_get_count(&in->wire, FINDING_MIN);
    for (uint32_t i = 0; i < count && !in->wire.is_bad; i++) {
        vec_push(in->arena, &result->findings, get_finding(in));
    }
    count = wire_get_count(&in->wire, NOT_ANALYSED_MIN);
    for (uint32_t i = 0; i < count && !in->wire.is_bad; i++) {
        NotAnalysed skipped = {.name = wire_get_required_text(&in->wire)};
        skipped.loc = wire_get_loc(&in->wire);
        skipped.reason = wire_get_required_text(&in->wire);
        vec_push(in->arena, &result->not_analysed, skipped);
    }
    count = wire_get_count(&in->wire, WIRE_TEXT_MIN);
    for (uint32_t i = 0; i < count && !in->wire.is_bad; i++) {
        vec_push(in->arena, &result->diagnostics, wire_get_required_text(&in->wire));
    }
}

static void get_result(Reader *in, UnitResult *result)
{
    result->file = wire_get_required_text(&in->wire);
    result->status = get_status(in);
    result->error = wire_get_text(&in->wire);
    get_lists(in, result);
    result->host_functions = wire_get_u32(&in->wire);
    result->analysed = wire_get_u32(&in->wire);
    result->budget_hits = wire_get_u32(&in->wire);
    result->parse_ms = wire_get_double(&in->wire);
    result->lower_ms = wire_get_double(&in->wire);
    result->engine_ms = wire_get_double(&in->wire);
    result->peak_bytes = wire_get_int(&in->wire, 8);
    result->peak_rss_kib = wire_get_int(&in->wire, 8);
}

Status unit_result_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                        UnitResult *result, Err *err)
{
    *result = (UnitResult){0};
    Reader in = {.arena = arena};
    Status status =
        wire_open_record(&in.wire, strings, bytes, len, RESULT_MAGIC, "result record", err);
    if (status != ST_OK) return status;
    get_result(&in, result);
    if (in.wire.is_bad || in.wire.left != 0) {
        *result = (UnitResult){0};
        return err_set(err, ST_SYNTAX, "result record malformed");
    }
    return ST_OK;
}
