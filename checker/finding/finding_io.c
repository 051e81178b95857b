// SPDX-License-Identifier: MIT
// UnitResult as bytes: what a worker sends its parent. A header (magic with version, length,
// checksum) and a payload of little-endian integers, length-prefixed texts and counted lists. The
// reader trusts nothing: every length is checked against what is left before anything is allocated
// for it.
#include "finding/finding.h"

#include <string.h>
#include <xxhash.h>

#define RESULT_MAGIC "cudares1"

enum {
    MAGIC_SIZE = 8,
    HEADER_SIZE = MAGIC_SIZE + 8 + 8, // magic, length, checksum
    // The fewest bytes an entry of each list can take; bounds what a corrupt count can ask for.
    LOC_MIN = 4 + 4 + 4 + 4,
    STEP_MIN = LOC_MIN + 4 + 4 + 1,
    FINDING_MIN = 4 + 4 + LOC_MIN + 4 + 4 + 4 + 8 + 4,
    NOT_ANALYSED_MIN = 4 + LOC_MIN + 4,
    TEXT_MIN = 4,
};

static const uint32_t no_text = UINT32_MAX; // the length that stands for NULL

static void put_int(StrBuf *out, uint64_t value, int size)
{
    char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (char)(value >> (8 * i));
    strbuf_append_n(out, bytes, (size_t)size);
}

static void put_text(StrBuf *out, const char *text)
{
    size_t len = text != NULL ? strlen(text) : 0;
    BUG_ON(len >= no_text);
    put_int(out, text != NULL ? len : no_text, 4);
    strbuf_append_n(out, text, len);
}

static void put_required_text(StrBuf *out, const char *text)
{
    BUG_ON(text == NULL);
    put_text(out, text);
}

static void put_loc(StrBuf *out, SrcLoc loc)
{
    put_text(out, loc.file);
    put_int(out, loc.line, 4);
    put_int(out, loc.column, 4);
    put_text(out, loc.macro);
}

static void put_double(StrBuf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_int(out, bits, 8);
}

static void put_finding(StrBuf *out, const Finding *finding)
{
    put_required_text(out, finding->rule);
    put_int(out, finding->severity, 4);
    put_loc(out, finding->loc);
    put_required_text(out, finding->message);
    put_text(out, finding->function);
    put_text(out, finding->subject);
    put_int(out, finding->fingerprint, 8);
    put_int(out, finding->steps.len, 4);
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        put_loc(out, finding->steps.items[i].loc);
        put_required_text(out, finding->steps.items[i].text);
        put_int(out, finding->steps.items[i].depth, 4);
        put_int(out, finding->steps.items[i].is_key, 1);
    }
}

static void put_result(StrBuf *out, const UnitResult *result)
{
    put_required_text(out, result->file);
    put_int(out, (uint32_t)result->status, 4);
    put_text(out, result->error);
    put_int(out, result->findings.len, 4);
    for (uint32_t i = 0; i < result->findings.len; i++)
        put_finding(out, &result->findings.items[i]);
    put_int(out, result->not_analysed.len, 4);
    for (uint32_t i = 0; i < result->not_analysed.len; i++) {
        put_required_text(out, result->not_analysed.items[i].name);
        put_loc(out, result->not_analysed.items[i].loc);
        put_required_text(out, result->not_analysed.items[i].reason);
    }
    put_int(out, result->diagnostics.len, 4);
    for (uint32_t i = 0; i < result->diagnostics.len; i++) {
        put_required_text(out, result->diagnostics.items[i]);
    }
    put_int(out, result->host_functions, 4);
    put_int(out, result->analysed, 4);
    put_int(out, result->budget_hits, 4);
    put_double(out, result->parse_ms);
    put_double(out, result->lower_ms);
    put_double(out, result->engine_ms);
    put_int(out, result->peak_bytes, 8);
    put_int(out, result->peak_rss_kib, 8);
}

void unit_result_write(StrBuf *out, const UnitResult *result)
{
    StrBuf payload = {.arena = out->arena};
    put_result(&payload, result);
    strbuf_append_n(out, RESULT_MAGIC, MAGIC_SIZE);
    put_int(out, payload.len, 8);
    put_int(out, XXH3_64bits(strbuf_text(&payload), payload.len), 8);
    strbuf_append_n(out, strbuf_text(&payload), payload.len);
}

// After the first failure `is_bad` is set and everything further reads as 0 or NULL.
typedef struct {
    Arena *arena;
    StrPool *strings;
    const char *bytes;
    size_t left;
    bool is_bad;
} Reader;

static uint64_t get_int(Reader *in, int size)
{
    if (in->is_bad || in->left < (size_t)size) {
        in->is_bad = true;
        return 0;
    }
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)(unsigned char)in->bytes[i] << (8 * i);
    in->bytes += size;
    in->left -= (size_t)size;
    return value;
}

static uint32_t get_u32(Reader *in)
{
    return (uint32_t)get_int(in, 4);
}

static const char *get_text(Reader *in)
{
    uint32_t len = get_u32(in);
    if (in->is_bad || len == no_text) return NULL;
    if (len > in->left || memchr(in->bytes, '\0', len) != NULL) {
        in->is_bad = true;
        return NULL;
    }
    const char *text = str_intern_n(in->strings, in->bytes, len);
    in->bytes += len;
    in->left -= len;
    return text;
}

// A text that may not be NULL: writers print it as it is.
static const char *get_required_text(Reader *in)
{
    const char *text = get_text(in);
    if (text == NULL) in->is_bad = true;
    return text;
}

// The length of a list whose entries take at least `entry_min` bytes each.
static uint32_t get_count(Reader *in, size_t entry_min)
{
    uint32_t count = get_u32(in);
    if (count > in->left / entry_min) in->is_bad = true;
    return in->is_bad ? 0 : count;
}

static double get_double(Reader *in)
{
    uint64_t bits = get_int(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static SrcLoc get_loc(Reader *in)
{
    SrcLoc loc = {0};
    loc.file = get_text(in);
    loc.line = get_u32(in);
    loc.column = get_u32(in);
    loc.macro = get_text(in);
    return loc;
}

static Finding get_finding(Reader *in)
{
    Finding finding = {0};
    finding.rule = get_required_text(in);
    uint32_t severity = get_u32(in);
    if (severity > SEV_ERROR) in->is_bad = true;
    finding.severity = in->is_bad ? SEV_OFF : (Severity)severity;
    finding.loc = get_loc(in);
    finding.message = get_required_text(in);
    finding.function = get_text(in);
    finding.subject = get_text(in);
    finding.fingerprint = get_int(in, 8);
    uint32_t count = get_count(in, STEP_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        FindingStep step = {.loc = get_loc(in)};
        step.text = get_required_text(in);
        step.depth = get_u32(in);
        step.is_key = get_int(in, 1) != 0;
        vec_push(in->arena, &finding.steps, step);
    }
    return finding;
}

static Status get_status(Reader *in)
{
    int32_t value = (int32_t)get_u32(in);
    switch (value) {
#define STATUS(name, number, text) case number:
#include "base/status.def"
#undef STATUS
        return (Status)value;
    default:
        in->is_bad = true;
        return ST_SYNTAX;
    }
}

static void get_lists(Reader *in, UnitResult *result)
{
    uint32_t count = get_count(in, FINDING_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        vec_push(in->arena, &result->findings, get_finding(in));
    }
    count = get_count(in, NOT_ANALYSED_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        NotAnalysed skipped = {.name = get_required_text(in)};
        skipped.loc = get_loc(in);
        skipped.reason = get_required_text(in);
        vec_push(in->arena, &result->not_analysed, skipped);
    }
    count = get_count(in, TEXT_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++) {
        vec_push(in->arena, &result->diagnostics, get_required_text(in));
    }
}

static void get_result(Reader *in, UnitResult *result)
{
    result->file = get_required_text(in);
    result->status = get_status(in);
    result->error = get_text(in);
    get_lists(in, result);
    result->host_functions = get_u32(in);
    result->analysed = get_u32(in);
    result->budget_hits = get_u32(in);
    result->parse_ms = get_double(in);
    result->lower_ms = get_double(in);
    result->engine_ms = get_double(in);
    result->peak_bytes = get_int(in, 8);
    result->peak_rss_kib = get_int(in, 8);
}

Status unit_result_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                        UnitResult *result, Err *err)
{
    *result = (UnitResult){0};
    Reader in = {.arena = arena, .strings = strings, .bytes = bytes, .left = len};
    if (len < HEADER_SIZE) {
        return err_set(err, ST_SYNTAX, "result record cut off after %zu bytes", len);
    }
    if (memcmp(bytes, RESULT_MAGIC, MAGIC_SIZE) != 0) {
        return err_set(err, ST_SYNTAX, "not a result record of this version");
    }
    in.bytes += MAGIC_SIZE;
    in.left -= MAGIC_SIZE;
    uint64_t size = get_int(&in, 8);
    uint64_t checksum = get_int(&in, 8);
    if (size != in.left) {
        return err_set(err, ST_SYNTAX, "result record announces %llu bytes and has %zu",
                       (unsigned long long)size, in.left);
    }
    if (XXH3_64bits(in.bytes, in.left) != checksum) {
        return err_set(err, ST_SYNTAX, "result record damaged: its checksum differs");
    }
    get_result(&in, result);
    if (in.is_bad || in.left != 0) {
        *result = (UnitResult){0};
        return err_set(err, ST_SYNTAX, "result record malformed");
    }
    return ST_OK;
}
