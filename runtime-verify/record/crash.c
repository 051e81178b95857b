// SPDX-License-Identifier: MIT
// Crashes: a record of the signal that ends the process, with the stack. What is done here is not
// all safe in a signal handler; the process is lost anyway.
#include "record/track_p.h"

#include <signal.h>
#include <stddef.h>

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A handler is given nothing.
static Tracker *crash_tracker;

static void record_crash(Tracker *tracker, int number)
{
    RawStack stack;
    stack_capture(&stack);
    // The thread that crashed may hold the lock itself.
    if (pthread_mutex_trylock(&tracker->lock) != 0) return;
    track_check_process(tracker);
    uint32_t id = stacks_intern(&tracker->stacks, &stack);
    Line line;
    line_begin(&line, "crash");
    line_number(&line, "us", writer_now(&tracker->writer));
    line_number(&line, "tid", track_thread(tracker)->tid);
    line_number(&line, "code", number);
    line_number(&line, "stack", id);
    writer_put(&tracker->writer, &line);
    pthread_mutex_unlock(&tracker->lock);
}

static void handle(int number)
{
    // The handler is gone: a crash in here ends the process, and so does raising it again.
    record_crash(crash_tracker, number);
    raise(number);
}

void track_catch_crashes(Tracker *tracker)
{
    crash_tracker = tracker;
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) {
        struct sigaction before, ours = {.sa_handler = handle};
        ours.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
        bool is_free = sigaction(fatal_signals[i], NULL, &before) == 0 &&
                       (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
        if (is_free) sigaction(fatal_signals[i], &ours, NULL);
    }
}
