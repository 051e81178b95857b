// SPDX-License-Identifier: MIT
// Failures and bugs: texts of statuses, messages that gather context outwards, and the abort of
// BUG_ON. The crash context is process-wide on purpose: a bug may surface far from anyone who knows
// what is being analysed.
#include "base/err.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *translation_unit; // or NULL
    const char *function;         // or NULL
} CrashContext;

static CrashContext crash_context;

const char *status_text(Status status)
{
    switch (status) {
#define STATUS(name, value, text)                                                                  \
    case name:                                                                                     \
        return text;
#include "base/status.def"
#undef STATUS
    }
    return "unknown status";
}

Status err_set(Err *err, Status status, const char *format, ...)
{
    if (err != NULL && err->arena != NULL) {
        va_list args;
        va_start(args, format);
        err->message = arena_vprintf(err->arena, format, args);
        va_end(args);
    }
    return status;
}

Status err_context(Err *err, Status status, const char *format, ...)
{
    if (err != NULL && err->arena != NULL) {
        va_list args;
        va_start(args, format);
        const char *context = arena_vprintf(err->arena, format, args);
        va_end(args);
        const char *inner = err->message != NULL ? err->message : status_text(status);
        err->message = arena_printf(err->arena, "%s: %s", context, inner);
    }
    return status;
}

void crash_context_set(const char *translation_unit, const char *function)
{
    crash_context = (CrashContext){.translation_unit = translation_unit, .function = function};
}

static void write_text(int fd, const char *text)
{
    size_t len = strlen(text);
    while (len != 0) {
        ssize_t written = write(fd, text, len);
        if (written <= 0) return;
        text += written;
        len -= (size_t)written;
    }
}

void crash_context_write(int fd)
{
    if (crash_context.translation_unit != NULL) {
        write_text(fd, "cudalint: note: while analysing ");
        write_text(fd, crash_context.translation_unit);
        write_text(fd, "\n");
    }
    if (crash_context.function != NULL) {
        write_text(fd, "cudalint: note: in function ");
        write_text(fd, crash_context.function);
        write_text(fd, "\n");
    }
}

_Noreturn void bug_abort(const char *what, const char *file, int line)
{
    log_error("internal bug: %s:%d: %s", file, line, what);
    crash_context_write(STDERR_FILENO);
    abort();
}
