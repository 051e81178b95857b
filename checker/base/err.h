// SPDX-License-Identifier: MIT
// Failures: a Status code and an Err that gathers context on the way out. Findings are data, never
// errors; broken invariants are bugs and abort through BUG_ON.
#ifndef CUDALINT_BASE_ERR_H
#define CUDALINT_BASE_ERR_H

#include "base/arena.h"

#include <stdbool.h>

typedef enum {
#define STATUS(name, value, text) name = value,
#include "base/status.def"
#undef STATUS
} Status;

// The fixed text of a status ("no such file").
const char *status_text(Status status);

// Message of a failure, outermost context first. Allocated in `arena`.
typedef struct {
    Arena *arena;        // where messages are built; set by the caller before use
    const char *message; // NULL while there is no failure
} Err;

// Records a failure and returns `status`, so that callers can write `return err_set(err, ST_X,
// ...)`.
Status err_set(Err *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Puts "context: " before the message.
Status err_context(Err *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Names what is being analysed, for bug reports printed by BUG_ON and by the crash handler. Each
// part may be NULL; the strings are borrowed until replaced.
void crash_context_set(const char *translation_unit, const char *function);
// Writes that context to `fd` as notes. Async-signal-safe, for crash handlers.
void crash_context_write(int fd);

// Aborts with file:line, translation unit and function when `cond` holds, in release builds too.
#define BUG_ON(cond) ((cond) ? bug_abort(#cond, __FILE__, __LINE__) : (void)0)
_Noreturn void bug_abort(const char *what, const char *file, int line);

#endif
