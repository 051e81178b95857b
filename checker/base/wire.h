// SPDX-License-Identifier: MIT
// Wire: values as bytes, for pipes and caches. Little-endian integers, length-prefixed texts, and
// records with a header (magic with version, length, checksum). The reader trusts nothing: every
// length is checked against what is left before anything is allocated for it.
#ifndef CUDALINT_BASE_WIRE_H
#define CUDALINT_BASE_WIRE_H

#include "base/err.h"
#include "base/loc.h"
#include "base/str.h"

#define WIRE_MAGIC_SIZE 8

// ---- writing ------------------------------------------------------------------------------------

// The lowest `size` bytes of the value.
void wire_put_int(StrBuf *out, uint64_t value, int size);
void wire_put_double(StrBuf *out, double value);
// The text may be NULL; a required one may not.
void wire_put_text(StrBuf *out, const char *text);
void wire_put_required_text(StrBuf *out, const char *text);
void wire_put_bytes(StrBuf *out, const char *bytes, uint32_t len);
void wire_put_loc(StrBuf *out, SrcLoc loc);
// The payload behind a header; `magic` has WIRE_MAGIC_SIZE characters.
void wire_put_record(StrBuf *out, const char *magic, const StrBuf *payload);

// ---- reading ------------------------------------------------------------------------------------

// After the first failure `is_bad` is set and everything further reads as 0 or NULL.
typedef struct {
    StrPool *strings;  // where texts are interned
    const char *bytes; // what has not been read yet
    size_t left;
    bool is_bad;
} WireReader;

// The fewest bytes that a text and a location take, for counts.
enum { WIRE_TEXT_MIN = 4, WIRE_LOC_MIN = 4 + 4 + 4 + 4 };

// Opens a record that fills `bytes` to the end; `what` names it in errors ("result record").
Status wire_open_record(WireReader *in, StrPool *strings, const char *bytes, size_t len,
                        const char *magic, const char *what, Err *err);
uint64_t wire_get_int(WireReader *in, int size);
uint32_t wire_get_u32(WireReader *in);
bool wire_get_bool(WireReader *in);
// A value of 0 .. `last`.
uint32_t wire_get_choice(WireReader *in, uint32_t last);
double wire_get_double(WireReader *in);
const char *wire_get_text(WireReader *in);
const char *wire_get_required_text(WireReader *in);
// Borrowed from the record.
const char *wire_get_bytes(WireReader *in, uint32_t *len);
SrcLoc wire_get_loc(WireReader *in);
// The length of a list whose entries take at least `entry_min` bytes each.
uint32_t wire_get_count(WireReader *in, size_t entry_min);

#endif
