// SPDX-License-Identifier: MIT
// What a file's analysis and the others tell each other, as bytes with a checksum.
#ifndef CUDALINT_SUMMARY_SUMMARY_PACK_H
#define CUDALINT_SUMMARY_SUMMARY_PACK_H

#include "summary/summary_io.h"

typedef Vec(const char *) UsrList;

// A function that is not analysed before it is known what another one does.
typedef struct {
    const char *usr;
    const char *obstacle;
} SummaryWait;

// What a file says. Functions are those with a body in it that other files can name.
typedef struct {
    bool is_whole;    // it says everything; else what is new since it spoke last
    bool is_complete; // all its functions have been analysed
    Vec(SummaryRecord) functions;
    Vec(SummaryWait) waits; // functions that have not been analysed
    // when it is whole:
    UsrList defines; // all its functions
    UsrList wants;   // functions that it mentions and other files may define, sorted
} SummaryExports;

// What others say of the functions that a file wants; what is in neither list is still to come.
typedef struct {
    Vec(SummaryRecord) functions; // sorted by USR
    UsrList unknown;              // nothing is known of these; sorted
} SummaryImports;

void summary_exports_write(StrBuf *out, const SummaryExports *exports);
void summary_imports_write(StrBuf *out, const SummaryImports *imports);
// These take any bytes: what is malformed is ST_SYNTAX. Allocated in `arena`, texts in `strings`.
Status summary_exports_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                            SummaryExports *exports, Err *err);
Status summary_imports_read(Arena *arena, StrPool *strings, const char *bytes, size_t len,
                            SummaryImports *imports, Err *err);

// The function's summary, or NULL.
const SummaryRecord *summary_imports_find(const SummaryImports *imports, const char *usr);
bool summary_imports_is_unknown(const SummaryImports *imports, const char *usr);

#endif
