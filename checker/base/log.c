// SPDX-License-Identifier: MIT
// Messages about the run, on standard error. Each goes out in one write where it fits, because
// workers share the stream with their parent. The level is process-wide: it belongs to the command
// line, not to any one piece of work.
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static LogLevel current_level = LOG_NORMAL;

void log_set_level(LogLevel level)
{
    current_level = level;
}

LogLevel log_level(void)
{
    return current_level;
}

__attribute__((format(printf, 2, 0))) static void print_message(const char *kind,
                                                                const char *format, va_list args)
{
    char line[2048];
    va_list again;
    va_copy(again, args);
    int start = snprintf(line, sizeof line, "cudalint: %s: ", kind);
    int len = vsnprintf(line + start, sizeof line - (size_t)start, format, args);
    if (len >= 0 && (size_t)(start + len) + 1 < sizeof line) {
        line[start + len] = '\n';
        fwrite(line, 1, (size_t)(start + len) + 1, stderr);
    } else {
        fprintf(stderr, "cudalint: %s: ", kind);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
}

void log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("error", format, args);
    va_end(args);
}

void log_warning(const char *format, ...)
{
    if (current_level < LOG_NORMAL) return;
    va_list args;
    va_start(args, format);
    print_message("warning", format, args);
    va_end(args);
}

void log_note(const char *format, ...)
{
    if (current_level < LOG_VERBOSE) return;
    va_list args;
    va_start(args, format);
    print_message("note", format, args);
    va_end(args);
}
