// SPDX-License-Identifier: MIT
// What parent and workers tell each other, as bytes. The parts are records with a checksum each.
#include "run/run_p.h"

#include "base/wire.h"

void request_write(StrBuf *out, const Request *request)
{
    wire_put_int(out, request->job, 4);
    summary_imports_write(out, &request->imports);
}

Status request_read(Arena *arena, StrPool *strings, const char *bytes, size_t len, Request *request,
                    Err *err)
{
    WireReader in = {.strings = strings, .bytes = bytes, .left = len};
    *request = (Request){.job = wire_get_u32(&in)};
    if (in.is_bad) return err_set(err, ST_SYNTAX, "request malformed");
    return summary_imports_read(arena, strings, in.bytes, in.left, &request->imports, err);
}

void reply_write(StrBuf *out, const Reply *reply)
{
    StrBuf result = {.arena = out->arena};
    unit_result_write(&result, &reply->analysis.result);
    BUG_ON(result.len > UINT32_MAX);
    wire_put_int(out, reply->is_held, 1);
    wire_put_bytes(out, strbuf_text(&result), (uint32_t)result.len);
    summary_exports_write(out, &reply->analysis.exports);
}

Status reply_read(Arena *arena, StrPool *strings, const char *bytes, size_t len, Reply *reply,
                  Err *err)
{
    WireReader in = {.strings = strings, .bytes = bytes, .left = len};
    *reply = (Reply){.is_held = wire_get_bool(&in)};
    uint32_t size;
    const char *result = wire_get_bytes(&in, &size);
    if (in.is_bad) return err_set(err, ST_SYNTAX, "reply malformed");
    Status status = unit_result_read(arena, strings, result, size, &reply->analysis.result, err);
    if (status != ST_OK) return status;
    return summary_exports_read(arena, strings, in.bytes, in.left, &reply->analysis.exports, err);
}
