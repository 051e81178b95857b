// SPDX-License-Identifier: MIT
// Where the report goes. Input: -o's argument. A regular file is written beside its place and
// renamed at the end, so that a full disk or an interruption never leaves half a report; pipes and
// devices are written in place.
#include "run/run_p.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a report to `path` replaces or adds.
typedef struct {
    bool exists;
    bool is_regular;    // of what exists
    mode_t mode;        // for the new file
    const char *target; // `path` with symbolic links followed, so that a link stays one
    const char *folder; // that holds it
} Destination;

static const char *resolve(Arena *arena, const char *path)
{
    char *resolved = realpath(path, NULL);
    if (resolved == NULL) return path;
    const char *copy = arena_strdup(arena, resolved);
    free(resolved);
    return copy;
}

static Destination look_at(Arena *arena, const char *path)
{
    struct stat info;
    Destination to = {.exists = stat(path, &info) == 0, .target = path};
    if (to.exists) {
        to.is_regular = S_ISREG(info.st_mode);
        to.mode = info.st_mode & 07777;
        to.target = resolve(arena, path);
    } else {
        mode_t mask = umask(0);
        umask(mask);
        to.mode = 0666 & ~mask;
    }
    to.folder = dirname(arena_strdup(arena, to.target));
    return to;
}

static Status cannot_write(const char *path, int reason, Err *err)
{
    return err_set(err, ST_IO, "cannot write to %s: %s", path != NULL ? path : "standard output",
                   strerror(reason));
}

Status output_check(Arena *arena, const char *path, Err *err)
{
    if (path == NULL) return ST_OK;
    Destination to = look_at(arena, path);
    struct stat info;
    if (to.exists && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return cannot_write(path, EISDIR, err);
    if (to.exists && access(to.target, W_OK) != 0) return cannot_write(path, errno, err);
    if (to.exists && !to.is_regular) return ST_OK;
    if (access(to.folder, W_OK) != 0) return cannot_write(path, errno, err);
    return ST_OK;
}

Status output_spare_sources(const char *path, const JobList *jobs, Err *err)
{
    struct stat to;
    if (path == NULL || stat(path, &to) != 0 || !S_ISREG(to.st_mode)) return ST_OK;
    for (uint32_t i = 0; i < jobs->len; i++) {
        struct stat source;
        if (stat(jobs->items[i].file, &source) != 0) continue;
        if (source.st_dev == to.st_dev && source.st_ino == to.st_ino)
            return err_set(err, ST_IO, "cannot write to %s: it is one of the files to analyse",
                           path);
    }
    return ST_OK;
}

// An interruption waits until the temporary file has its name or is gone.
static void hold_signals(Output *output)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &output->held_before);
}

static void release_signals(const Output *output)
{
    sigprocmask(SIG_SETMASK, &output->held_before, NULL);
}

static Status open_temp(Arena *arena, const Destination *to, Output *output, Err *err)
{
    char *temp = arena_printf(arena, "%s.XXXXXX", to->target);
    hold_signals(output);
    int fd = mkstemp(temp);
    if (fd >= 0 && fchmod(fd, to->mode) == 0) output->file = fdopen(fd, "w");
    if (output->file != NULL) {
        output->temp = temp;
        return ST_OK;
    }
    int reason = errno;
    if (fd >= 0) {
        close(fd);
        unlink(temp);
    }
    release_signals(output);
    return cannot_write(output->path, reason, err);
}

Status output_open(Arena *arena, const char *path, Output *output, Err *err)
{
    *output = (Output){.path = path};
    sigprocmask(SIG_BLOCK, NULL, &output->held_before);
    if (path == NULL) {
        output->file = stdout;
        return ST_OK;
    }
    Destination to = look_at(arena, path);
    output->target = to.target;
    if (to.exists && !to.is_regular) {
        output->file = fopen(path, "we");
        return output->file != NULL ? ST_OK : cannot_write(path, errno, err);
    }
    return open_temp(arena, &to, output, err);
}

Status output_close(Output *output, Err *err)
{
    errno = 0;
    bool is_written = fflush(output->file) == 0 && !ferror(output->file);
    int reason = errno != 0 ? errno : EIO;
    if (output->path != NULL && fclose(output->file) != 0 && is_written) {
        is_written = false;
        reason = errno;
    }
    output->file = NULL;
    if (is_written && output->temp != NULL && rename(output->temp, output->target) != 0) {
        is_written = false;
        reason = errno;
    }
    if (!is_written && output->temp != NULL) unlink(output->temp);
    release_signals(output);
    return is_written ? ST_OK : cannot_write(output->path, reason, err);
}

void output_discard(Output *output)
{
    if (output->file != NULL && output->path != NULL) fclose(output->file);
    if (output->temp != NULL) unlink(output->temp);
    release_signals(output);
    output->file = NULL;
    output->temp = NULL;
}
