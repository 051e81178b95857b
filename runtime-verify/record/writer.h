// SPDX-License-Identifier: MIT
// Writer: the record file of this process. Each line is one write to a descriptor opened for
// appending, so nothing that was recorded is lost however the process ends.
#ifndef RUNTIME_VERIFY_RECORD_WRITER_H
#define RUNTIME_VERIFY_RECORD_WRITER_H

#include "record/line.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    char folder[4096];
    int fd;             // -1: not open
    pid_t pid;          // of the process that the file belongs to
    int64_t started_us; // clock when it was opened
    const char *by;     // who records: "gpu", "simulator"
    int32_t driver_version, runtime_version;
} Writer;

// Where the records go is said by the environment. False: nowhere.
bool writer_init(Writer *writer);
// Did a fork make this another process than the file's? Then the next line opens a new file.
bool writer_is_foreign(const Writer *writer);
// Opens the file, if need be, and writes the line.
void writer_put(Writer *writer, Line *line);
void writer_close(Writer *writer);
// Microseconds since the file was opened.
int64_t writer_now(const Writer *writer);

#endif
