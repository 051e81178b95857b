// SPDX-License-Identifier: MIT
// A worker process. Input: job numbers from a pipe. Output: one record a job into another pipe. One
// thread, with a large stack, does the jobs; another relays their numbers to it, and when the pipe
// ends, because the work is done or because the parent died, it leaves the process at once,
// whatever is being done. Standard output belongs to the findings, so it is pointed at standard
// error here.
#include "run/run_p.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNAL_STACK_BYTES = 64 << 10 };

typedef struct {
    const Analysis *analysis;
    const JobList *jobs;
    int queue_fd;   // job numbers from the relay
    int results_fd; // records to the parent
} Service;

static bool read_whole(int fd, void *bytes, size_t len)
{
    char *at = bytes;
    while (len != 0) {
        ssize_t got = read(fd, at, len);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        len -= (size_t)got;
    }
    return true;
}

static bool write_whole(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len != 0) {
        ssize_t put = write(fd, at, len);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        at += put;
        len -= (size_t)put;
    }
    return true;
}

// Says what was being analysed, then lets the signal do what it does.
static void on_crash(int number)
{
    crash_context_write(STDERR_FILENO);
    signal(number, SIG_DFL);
    raise(number);
}

// Handlers run on a stack of their own: running out of stack is the likeliest crash.
static void install_crash_handlers(char *signal_stack)
{
    stack_t stack = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK_BYTES};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    if (CUDALINT_IS_SANITIZED) return; // the sanitizer's handlers know more
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        sigaction(signals[i], &action, NULL);
    }
}

static bool serve_job(const Service *service, uint32_t index)
{
    Arena *arena = arena_new("unit");
    UnitResult result;
    job_run(service->analysis, arena, &service->jobs->items[index], &result);
    StrBuf record = {.arena = arena};
    unit_result_write(&record, &result);
    RecordLength len = record.len;
    bool is_sent = write_whole(service->results_fd, &len, sizeof len) &&
                   write_whole(service->results_fd, strbuf_text(&record), record.len);
    arena_free(arena);
    return is_sent;
}

static void *serve_jobs(void *context)
{
    const Service *service = context;
    install_crash_handlers(malloc(SIGNAL_STACK_BYTES)); // for the life of the process
    uint32_t index;
    while (read_whole(service->queue_fd, &index, sizeof index)) {
        if (!serve_job(service, index)) _exit(1);
    }
    return NULL;
}

typedef struct {
    int jobs_fd;  // from the parent
    int queue_fd; // to the working thread
} Relay;

static void *relay_jobs(void *context)
{
    const Relay *relay = context;
    uint32_t index;
    while (read_whole(relay->jobs_fd, &index, sizeof index)) {
        if (!write_whole(relay->queue_fd, &index, sizeof index)) break;
    }
    _exit(0);
}

_Noreturn void worker_serve(const Analysis *analysis, const JobList *jobs, int jobs_fd,
                            int results_fd)
{
    int queue[2];
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ||
        pipe(queue) != 0) {
        log_error("a worker could not set up its files: %s", strerror(errno));
        _exit(1);
    }
    Relay relay = {.jobs_fd = jobs_fd, .queue_fd = queue[1]};
    Service service = {
        .analysis = analysis, .jobs = jobs, .queue_fd = queue[0], .results_fd = results_fd};
    pthread_t relay_thread;
    if (pthread_create(&relay_thread, NULL, relay_jobs, &relay) != 0) _exit(1);
    Err err = {0};
    stack_run(serve_jobs, &service, &err);
    _exit(1); // the relay ends the process in good order; getting here is none
}
