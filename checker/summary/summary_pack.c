// SPDX-License-Identifier: MIT
// Lists of summaries and names as bytes.
#include "summary/summary_pack.h"

#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

#define EXPORTS_MAGIC "cudaexp2"
#define IMPORTS_MAGIC "cudaimp2"

enum { RECORD_MIN = WIRE_TEXT_MIN + 4 + 4, WAIT_MIN = 2 * WIRE_TEXT_MIN };

// ---- writing ------------------------------------------------------------------------------------

static void put_records(StrBuf *out, const SummaryRecord *records, uint32_t count)
{
    wire_put_int(out, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        wire_put_required_text(out, records[i].usr);
        wire_put_bytes(out, records[i].meaning.bytes, records[i].meaning.len);
        wire_put_bytes(out, records[i].places.bytes, records[i].places.len);
    }
}

static void put_usrs(StrBuf *out, const UsrList *list)
{
    wire_put_int(out, list->len, 4);
    for (uint32_t i = 0; i < list->len; i++) wire_put_required_text(out, list->items[i]);
}

void summary_exports_write(StrBuf *out, const SummaryExports *exports)
{
    StrBuf payload = {.arena = out->arena};
    wire_put_int(&payload, exports->is_whole, 1);
    wire_put_int(&payload, exports->is_complete, 1);
    put_records(&payload, exports->functions.items, exports->functions.len);
    wire_put_int(&payload, exports->waits.len, 4);
    for (uint32_t i = 0; i < exports->waits.len; i++) {
        wire_put_required_text(&payload, exports->waits.items[i].usr);
        wire_put_required_text(&payload, exports->waits.items[i].obstacle);
    }
    put_usrs(&payload, &exports->defines);
    put_usrs(&payload, &exports->wants);
    wire_put_record(out, EXPORTS_MAGIC, &payload);
}

void summary_imports_write(StrBuf *out, const SummaryImports *imports)
{
    StrBuf payload = {.arena = out->arena};
    put_records(&payload, imports->functions.items, imports->functions.len);
    put_usrs(&payload, &imports->unknown);
    wire_put_record(out, IMPORTS_MAGIC, &payload);
}

// ---- reading ------------------------------------------------------------------------------------

static SummaryBytes get_bytes(Arena *arena, WireReader *in)
{
    uint32_t len;
    const char *bytes = wire_get_bytes(in, &len);
    return (SummaryBytes){.bytes = arena_strndup(arena, bytes, len), .len = len};
}

static SummaryRecord get_record(Arena *arena, WireReader *in)
{
    SummaryRecord record = {.usr = wire_get_required_text(in)};
    record.meaning = get_bytes(arena, in);
    record.places = get_bytes(arena, in);
    return record;
}

static void get_usrs(Arena *arena, WireReader *in, UsrList *list)
{
    uint32_t count = wire_get_count(in, WIRE_TEXT_MIN);
    for (uint32_t i = 0; i < count && !in->is_bad; i++)
        vec_push(arena, list, wire_get_required_text(in));
}

static Status finish(const WireReader *in, Err *err)
{
    if (!in->is_bad && in->left == 0) return ST_OK;
    return err_set(err, ST_SYNTAX, "summary record malformed");
}

Status summary_exports_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                            SummaryExports *exports, Err *err)
{
    *exports = (SummaryExports){0};
    WireReader in;
    Status status =
        wire_open_record(&in, strings, bytes, len, EXPORTS_MAGIC, "summary record", err);
    if (status != ST_OK) return status;
    exports->is_whole = wire_get_bool(&in);
    exports->is_complete = wire_get_bool(&in);
    uint32_t count = wire_get_count(&in, RECORD_MIN);
    for (uint32_t i = 0; i < count && !in.is_bad; i++)
        vec_push(arena, &exports->functions, get_record(arena, &in));
    count = wire_get_count(&in, WAIT_MIN);
    for (uint32_t i = 0; i < count && !in.is_bad; i++) {
        SummaryWait wait = {.usr = wire_get_required_text(&in)};
        wait.obstacle = wire_get_required_text(&in);
        vec_push(arena, &exports->waits, wait);
    }
    get_usrs(arena, &in, &exports->defines);
    get_usrs(arena, &in, &exports->wants);
    status = finish(&in, err);
    if (status != ST_OK) *exports = (SummaryExports){0};
    return status;
}

Status summary_imports_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                            SummaryImports *imports, Err *err)
{
    *imports = (SummaryImports){0};
    WireReader in;
    Status status =
        wire_open_record(&in, strings, bytes, len, IMPORTS_MAGIC, "summary record", err);
    if (status != ST_OK) return status;
    uint32_t count = wire_get_count(&in, RECORD_MIN);
    for (uint32_t i = 0; i < count && !in.is_bad; i++)
        vec_push(arena, &imports->functions, get_record(arena, &in));
    get_usrs(arena, &in, &imports->unknown);
    status = finish(&in, err);
    if (status != ST_OK) *imports = (SummaryImports){0};
    return status;
}

// ---- looking up ---------------------------------------------------------------------------------

static int compare_with_record(const void *usr, const void *record)
{
    return strcmp(usr, ((const SummaryRecord *)record)->usr);
}

static int compare_with_usr(const void *usr, const void *other)
{
    return strcmp(usr, *(const char *const *)other);
}

const SummaryRecord *summary_imports_find(const SummaryImports *imports, const char *usr)
{
    if (imports->functions.len == 0) return NULL;
    return bsearch(usr, imports->functions.items, imports->functions.len,
                   sizeof *imports->functions.items, compare_with_record);
}

bool summary_imports_is_unknown(const SummaryImports *imports, const char *usr)
{
    return imports->unknown.len != 0 &&
           bsearch(usr, imports->unknown.items, imports->unknown.len,
                   sizeof *imports->unknown.items, compare_with_usr) != NULL;
}
