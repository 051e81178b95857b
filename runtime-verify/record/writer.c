// SPDX-License-Identifier: MIT
// Opens the record file and writes lines to it.
#include "record/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool writer_init(Writer *writer)
{
    const char *folder = getenv("CUDALINT_RECORDS");
    writer->fd = -1;
    if (folder == NULL || folder[0] == '\0' || strlen(folder) >= sizeof writer->folder)
        return false;
    strcpy(writer->folder, folder);
    return true;
}

bool writer_is_foreign(const Writer *writer)
{
    return writer->fd >= 0 && writer->pid != getpid();
}

static void write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, bytes, len);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return; // a full disk: the program goes on without records
        bytes += written;
        len -= (size_t)written;
    }
}

// The arguments of this process, as the kernel knows them.
static void add_program(Line *line)
{
    char text[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0) close(fd);
    if (len < 0) len = 0;
    text[len] = '\0';
    line_list_begin(line, "program");
    for (ssize_t at = 0; at < len && line_has_room(line); at += (ssize_t)strlen(text + at) + 1)
        line_element_text(line, text + at);
    line_list_end(line);
}

static void put_start(Writer *writer)
{
    Line line;
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    line_begin(&line, "start");
    line_number(&line, "v", 1);
    line_number(&line, "pid", writer->pid);
    line_text(&line, "time", text);
    line_text(&line, "by", writer->by);
    if (writer->driver_version != 0) line_number(&line, "driver", writer->driver_version);
    if (writer->runtime_version != 0) line_number(&line, "runtime", writer->runtime_version);
    add_program(&line);
    line_finish(&line);
    write_all(writer->fd, line.text, line.len);
}

// Programs that close every descriptor they do not know usually start at the low ones.
#define FIRST_DESCRIPTOR 700

static void open_file(Writer *writer)
{
    char path[sizeof writer->folder + 32];
    writer->pid = getpid();
    snprintf(path, sizeof path, "%s/%ld.jsonl", writer->folder, (long)writer->pid);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high >= 0) close(fd);
    writer->fd = high >= 0 ? high : fd;
    writer->started_us = clock_us();
    put_start(writer);
}

void writer_put(Writer *writer, Line *line)
{
    if (writer_is_foreign(writer)) {
        close(writer->fd);
        writer->fd = -1;
    }
    if (writer->fd < 0) open_file(writer);
    line_finish(line);
    if (writer->fd >= 0) write_all(writer->fd, line->text, line->len);
}

void writer_close(Writer *writer)
{
    if (writer->fd >= 0) close(writer->fd);
    writer->fd = -1;
}

int64_t writer_now(const Writer *writer)
{
    return writer->started_us == 0 ? 0 : clock_us() - writer->started_us;
}
