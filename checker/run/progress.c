// SPDX-License-Identifier: MIT
// What a person at a terminal sees while a run lasts: one line on standard error, rewritten, which
// appears after a second and is gone before anything else is printed. Nobody else sees anything.
#include "run/run_p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 1000, EVERY_MS = 100 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Verbose runs print lines of their own all the time.
static bool is_watched(const Options *options)
{
    const char *terminal = getenv("TERM");
    return !options->quiet && !options->verbose && isatty(STDERR_FILENO) && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

void progress_start(Progress *progress, const Options *options)
{
    *progress = (Progress){.is_watched = is_watched(options), .start_ms = now_ms()};
}

// The line is short enough for any terminal.
static void show(Progress *progress, const char *text)
{
    fprintf(stderr, "\r\033[Kcudalint: %s", text);
    fflush(stderr);
    progress->shown_ms = now_ms();
}

void progress_say(Progress *progress, const char *text)
{
    if (progress->is_watched) show(progress, text);
}

void progress_show(Progress *progress)
{
    if (!progress->is_watched) return;
    int64_t now = now_ms(), elapsed = now - progress->start_ms;
    if (elapsed < QUIET_MS || now - progress->shown_ms < EVERY_MS) return;
    char text[64];
    snprintf(text, sizeof text, "%u of %u file%s read, %u done; %lld s", (unsigned)progress->read,
             (unsigned)progress->total, progress->total == 1 ? "" : "s", (unsigned)progress->done,
             (long long)(elapsed / 1000));
    show(progress, text);
}

void progress_file(Progress *progress, bool is_done)
{
    // Each file is read in the first round, and nothing else happens in it.
    if (progress->read < progress->total) progress->read++;
    if (is_done) progress->done++;
    progress_show(progress);
}

void progress_clear(Progress *progress)
{
    if (progress->shown_ms == 0) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown_ms = 0;
}
