// SPDX-License-Identifier: MIT
// Messages about the run, on standard error: "cudalint: error|warning|note: ...". Findings never
// pass here.
#ifndef CUDALINT_BASE_LOG_H
#define CUDALINT_BASE_LOG_H

typedef enum { LOG_QUIET = 0, LOG_NORMAL = 1, LOG_VERBOSE = 2 } LogLevel;

// Errors are always printed; warnings from LOG_NORMAL, notes from LOG_VERBOSE. The level is
// process-wide state of the command line, set once at start.
void log_set_level(LogLevel level);
LogLevel log_level(void);
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
