// SPDX-License-Identifier: MIT
// A worker process. Input: requests from a pipe. Output: one reply each into another pipe. One
// thread, with a large stack, does the work; another relays the requests to it, and when the pipe
// ends, because the work is done or because the parent died, it leaves the process at once,
// whatever is being done. Files that wait for others are held, so that they need not be parsed
// again, as long as memory for that lasts. Standard output belongs to the findings, so it
// is pointed at standard error here.
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

// Of files that wait for others a worker keeps at least so many bytes, and at most so many.
static const size_t held_least = (size_t)256 << 20, held_most = (size_t)4 << 30;

typedef struct {
    ParsedFile *parsed; // NULL: not held
    size_t bytes;
} HeldFile;

typedef struct {
    const Analysis *analysis;
    const JobList *jobs;
    int queue_fd;      // requests from the relay
    int replies_fd;    // to the parent
    HeldFile *held;    // by job
    size_t held_bytes; // of all together
    size_t held_bytes_max;
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

// A message off the pipe, allocated in `arena`; NULL: there are no more.
static char *read_message(Arena *arena, int fd, MessageLength *len)
{
    if (!read_whole(fd, len, sizeof *len)) return NULL;
    char *bytes = arena_alloc(arena, *len + 1);
    return read_whole(fd, bytes, *len) ? bytes : NULL;
}

static bool write_message(int fd, const char *bytes, MessageLength len)
{
    return write_whole(fd, &len, sizeof len) && write_whole(fd, bytes, len);
}

// The file parsed, now or before, in an arena of its own.
static ParsedFile *parsed_file(const Service *service, uint32_t job)
{
    if (service->held[job].parsed != NULL) return service->held[job].parsed;
    Arena *unit = arena_new("unit");
    ParsedFile *parsed = ARENA_NEW(unit, ParsedFile);
    job_parse(service->analysis, unit, &service->jobs->items[job], parsed);
    return parsed;
}

// A quarter of the machine's memory, shared by a worker for each processor. A file that is not kept is
// parsed again when the others are done, which takes far longer than anything else.
static size_t held_bytes_max(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (pages <= 0 || page <= 0 || processors <= 0) return held_least;
    size_t share = (size_t)pages / 4 * (size_t)page / (size_t)processors;
    if (share < held_least) return held_least;
    return share < held_most ? share : held_most;
}

// Whether the file stays: when it waits for others, and memory lasts.
static bool hold(Service *service, uint32_t job, ParsedFile *parsed, const FileAnalysis *analysis)
{
    HeldFile *held = &service->held[job];
    service->held_bytes -= held->bytes;
    *held = (HeldFile){0};
    if (analysis->exports.is_complete) return false;
    size_t bytes = arena_bytes(parsed->arena) + engine_session_bytes(parsed->session);
    if (service->held_bytes + bytes > service->held_bytes_max) return false;
    service->held_bytes += bytes;
    *held = (HeldFile){.parsed = parsed, .bytes = bytes};
    return true;
}

static bool serve(Service *service, const char *bytes, MessageLength len)
{
    Arena *arena = arena_new("analysis");
    Err err = {.arena = arena};
    Request request;
    BUG_ON(request_read(arena, str_pool_new(arena), bytes, len, &request, &err) != ST_OK);
    ParsedFile *parsed = parsed_file(service, request.job);
    Reply reply;
    job_analyse(service->analysis, arena, parsed, &request.imports, &reply.analysis);
    reply.is_held = hold(service, request.job, parsed, &reply.analysis);
    StrBuf record = {.arena = arena};
    reply_write(&record, &reply);
    bool is_sent = write_message(service->replies_fd, strbuf_text(&record), record.len);
    if (!reply.is_held) arena_free(parsed->arena);
    arena_free(arena);
    return is_sent;
}

static void *serve_requests(void *context)
{
    Service *service = context;
    install_crash_handlers(malloc(SIGNAL_STACK_BYTES)); // for the life of the process
    for (;;) {
        Arena *arena = arena_new("request");
        MessageLength len;
        const char *bytes = read_message(arena, service->queue_fd, &len);
        if (bytes == NULL) return NULL;
        if (!serve(service, bytes, len)) _exit(1);
        arena_free(arena);
    }
}

typedef struct {
    int requests_fd; // from the parent
    int queue_fd;    // to the working thread
} Relay;

static void *relay_requests(void *context)
{
    const Relay *relay = context;
    for (;;) {
        Arena *arena = arena_new("relay");
        MessageLength len;
        const char *bytes = read_message(arena, relay->requests_fd, &len);
        if (bytes == NULL || !write_message(relay->queue_fd, bytes, len)) _exit(0);
        arena_free(arena);
    }
}

_Noreturn void worker_serve(const Analysis *analysis, const JobList *jobs, int requests_fd,
                            int replies_fd)
{
    analysis->progress->is_watched = false; // the parent shows it
    int queue[2];
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ||
        pipe(queue) != 0) {
        log_error("a worker could not set up its files: %s", strerror(errno));
        _exit(1);
    }
    Relay relay = {.requests_fd = requests_fd, .queue_fd = queue[1]};
    Service service = {.analysis = analysis,
                       .jobs = jobs,
                       .queue_fd = queue[0],
                       .replies_fd = replies_fd,
                       .held_bytes_max = held_bytes_max(),
                       .held = calloc(jobs->len, sizeof(HeldFile))}; // for the process's life
    pthread_t relay_thread;
    if (service.held == NULL || pthread_create(&relay_thread, NULL, relay_requests, &relay) != 0)
        _exit(1);
    Err err = {0};
    stack_run(serve_requests, &service, &err);
    _exit(1); // the relay ends the process in good order; getting here is none
}
