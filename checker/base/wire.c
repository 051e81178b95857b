// SPDX-License-Identifier: MIT
// Values as bytes and back.
#include "base/wire.h"

#include <string.h>
#include <xxhash.h>

enum { HEADER_SIZE = WIRE_MAGIC_SIZE + 8 + 8 }; // magic, length, checksum

static const uint32_t no_text = UINT32_MAX; // the length that stands for NULL

void wire_put_int(StrBuf *out, uint64_t value, int size)
{
    char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (char)(value >> (8 * i));
    strbuf_append_n(out, bytes, (size_t)size);
}

void wire_put_double(StrBuf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    wire_put_int(out, bits, 8);
}

void wire_put_text(StrBuf *out, const char *text)
{
    size_t len = text != NULL ? strlen(text) : 0;
    BUG_ON(len >= no_text);
    wire_put_int(out, text != NULL ? len : no_text, 4);
    strbuf_append_n(out, text, len);
}

void wire_put_required_text(StrBuf *out, const char *text)
{
    BUG_ON(text == NULL);
    wire_put_text(out, text);
}

void wire_put_bytes(StrBuf *out, const char *bytes, uint32_t len)
{
    wire_put_int(out, len, 4);
    strbuf_append_n(out, bytes, len);
}

void wire_put_loc(StrBuf *out, SrcLoc loc)
{
    wire_put_text(out, loc.file);
    wire_put_int(out, loc.line, 4);
    wire_put_int(out, loc.column, 4);
    wire_put_text(out, loc.macro);
}

void wire_put_record(StrBuf *out, const char *magic, const StrBuf *payload)
{
    strbuf_append_n(out, magic, WIRE_MAGIC_SIZE);
    wire_put_int(out, payload->len, 8);
    wire_put_int(out, XXH3_64bits(strbuf_text(payload), payload->len), 8);
    strbuf_append_n(out, strbuf_text(payload), payload->len);
}

Status wire_open_record(WireReader *in, StrPool *strings, const char *bytes, size_t len,
                        const char *magic, const char *what, Err *err)
{
    *in = (WireReader){.strings = strings, .bytes = bytes, .left = len};
    if (len < HEADER_SIZE) return err_set(err, ST_SYNTAX, "%s cut off after %zu bytes", what, len);
    if (memcmp(bytes, magic, WIRE_MAGIC_SIZE) != 0)
        return err_set(err, ST_SYNTAX, "not a %s of this version", what);
    in->bytes += WIRE_MAGIC_SIZE;
    in->left -= WIRE_MAGIC_SIZE;
    uint64_t size = wire_get_int(in, 8);
    uint64_t checksum = wire_get_int(in, 8);
    if (size != in->left) {
        return err_set(err, ST_SYNTAX, "%s announces %llu bytes and has %zu", what,
                       (unsigned long long)size, in->left);
    }
    if (XXH3_64bits(in->bytes, in->left) != checksum)
        return err_set(err, ST_SYNTAX, "%s damaged: its checksum differs", what);
    return ST_OK;
}

uint64_t wire_get_int(WireReader *in, int size)
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

uint32_t wire_get_u32(WireReader *in)
{
    return (uint32_t)wire_get_int(in, 4);
}

bool wire_get_bool(WireReader *in)
{
    return wire_get_int(in, 1) != 0;
}

uint32_t wire_get_choice(WireReader *in, uint32_t last)
{
    uint32_t value = wire_get_u32(in);
    if (value > last) in->is_bad = true;
    return in->is_bad ? 0 : value;
}

double wire_get_double(WireReader *in)
{
    uint64_t bits = wire_get_int(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const char *wire_get_text(WireReader *in)
{
    uint32_t len = wire_get_u32(in);
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

const char *wire_get_required_text(WireReader *in)
{
    const char *text = wire_get_text(in);
    if (text == NULL) in->is_bad = true;
    return text;
}

const char *wire_get_bytes(WireReader *in, uint32_t *len)
{
    *len = wire_get_count(in, 1);
    const char *bytes = in->bytes;
    in->bytes += *len;
    in->left -= *len;
    return bytes;
}

SrcLoc wire_get_loc(WireReader *in)
{
    SrcLoc loc = {0};
    loc.file = wire_get_text(in);
    loc.line = wire_get_u32(in);
    loc.column = wire_get_u32(in);
    loc.macro = wire_get_text(in);
    return loc;
}

uint32_t wire_get_count(WireReader *in, size_t entry_min)
{
    uint32_t count = wire_get_u32(in);
    if (count > in->left / entry_min) in->is_bad = true;
    return in->is_bad ? 0 : count;
}
