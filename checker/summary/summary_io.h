// SPDX-License-Identifier: MIT
// Summaries as bytes: how what one file knows of its functions gets to the files that call them.
// What a summary means and where in the sources it happens are kept apart, so that definitions that
// do the same are the same bytes.
#ifndef CUDALINT_SUMMARY_SUMMARY_IO_H
#define CUDALINT_SUMMARY_SUMMARY_IO_H

#include "base/err.h"
#include "model/model.h"
#include "summary/summary.h"

typedef struct {
    const char *bytes;
    uint32_t len;
} SummaryBytes;

// One function's summary.
typedef struct {
    const char *usr;
    SummaryBytes meaning; // everything but:
    SummaryBytes places;  // source locations
} SummaryRecord;

// Other files can name it: neither static nor in an unnamed namespace. (Clang writes the file
// before the '@' of what is known in one file only.)
bool summary_is_shared_usr(const char *usr);

// Effects on what other files cannot name are left out. Allocated in `arena`; kinds of resources
// and releasing functions are referred to by their numbers in `model`.
SummaryRecord summary_encode(Arena *arena, const Model *model, const char *usr,
                             const Summary *summary);
// Takes any bytes: what is malformed is ST_SYNTAX. Allocated in `arena`, texts in `strings`.
Status summary_decode(Arena *arena, StrPool *strings, const Model *model,
                      const SummaryRecord *record, Summary *summary, Err *err);

#endif
