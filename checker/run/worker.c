// SPDX-License-Identifier: MIT
// The pool of worker processes, as the parent sees it. Input: requests. Output: one reply each,
// in the order of the jobs. Each worker has at most one request; a worker that dies or overruns its
// time is replaced, and its job becomes a failure. A file that a worker holds parsed goes to that
// worker again.
#include "run/run_p.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16, SHOW_EVERY_MS = 500 };

#define NO_JOB UINT32_MAX

typedef struct {
    pid_t pid;       // 0: no process
    int requests_fd; // to it
    int replies_fd;  // from it
    uint32_t job;    // in progress, or NO_JOB
    int64_t deadline_ms;
    Arena *arena; // of `reply`, emptied after each
    StrBuf reply; // what has arrived of the current one
    bool *held;   // by job: the worker keeps the file parsed
} Worker;

struct Pool {
    Arena *arena;
    StrPool *strings;
    const Analysis *analysis;
    WorkerLimits limits;
    const JobList *jobs;
    Worker *workers;
    // of the round under way
    const RequestList *requests;
    bool *is_given; // by request
    uint32_t first; // request not yet given out, or none before it is
    Reply *replies; // by job
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_fds(Worker *worker)
{
    close(worker->requests_fd);
    close(worker->replies_fd);
}

// In a new worker: the parent's ends of its siblings' pipes would keep those pipes open after the
// parent died.
static void close_siblings(Pool *pool)
{
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        if (pool->workers[i].pid != 0) close_fds(&pool->workers[i]);
    }
}

static Status worker_start(Pool *pool, Worker *worker, Err *err)
{
    int requests[2], replies[2];
    if (pipe(requests) != 0)
        return err_set(err, ST_IO, "no pipe for a worker: %s", strerror(errno));
    if (pipe(replies) != 0) {
        int reason = errno;
        close(requests[0]);
        close(requests[1]);
        return err_set(err, ST_IO, "no pipe for a worker: %s", strerror(reason));
    }
    pid_t pid = fork();
    if (pid == 0) {
        close_siblings(pool);
        close(requests[1]);
        close(replies[0]);
        worker_serve(pool->analysis, pool->jobs, requests[0], replies[1]);
    }
    int reason = errno;
    close(requests[0]);
    close(replies[1]);
    worker->requests_fd = requests[1];
    worker->replies_fd = replies[0];
    if (pid < 0) {
        close_fds(worker);
        return err_set(err, ST_LIMIT, "no worker process could be started: %s", strerror(reason));
    }
    worker->pid = pid;
    worker->job = NO_JOB;
    worker->reply = (StrBuf){.arena = worker->arena};
    memset(worker->held, 0, pool->jobs->len * sizeof *worker->held);
    return ST_OK;
}

static int worker_reap(Worker *worker)
{
    int status = 0;
    close_fds(worker);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) continue;
    worker->pid = 0;
    return status;
}

static void fail_job(Pool *pool, uint32_t job, Status status, const char *error)
{
    UnitResult *result = &pool->replies[job].analysis.result;
    pool->replies[job] = (Reply){.analysis.exports.is_whole = true};
    *result = (UnitResult){.file = pool->jobs->items[job].file, .status = status, .error = error};
    progress_file(pool->analysis->progress, /*is_done=*/true);
}

// ---- giving out work ----------------------------------------------------------------------------

static bool is_held_elsewhere(const Pool *pool, const Worker *worker, uint32_t job)
{
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        const Worker *other = &pool->workers[i];
        if (other != worker && other->pid != 0 && other->held[job]) return true;
    }
    return false;
}

// The next request for this worker: one that no other worker is better placed for; or NULL.
static const Request *next_request(Pool *pool, const Worker *worker)
{
    const RequestList *requests = pool->requests;
    while (pool->first < requests->len && pool->is_given[pool->first]) pool->first++;
    for (uint32_t i = pool->first; i < requests->len; i++) {
        if (pool->is_given[i] || is_held_elsewhere(pool, worker, requests->items[i].job)) continue;
        pool->is_given[i] = true;
        return &requests->items[i];
    }
    return NULL;
}

static void write_message(int fd, const StrBuf *message)
{
    MessageLength len = message->len;
    const struct {
        const void *bytes;
        size_t len;
    } parts[] = {{&len, sizeof len}, {strbuf_text(message), message->len}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (size_t done = 0; done < parts[i].len;) {
            ssize_t put = write(fd, (const char *)parts[i].bytes + done, parts[i].len - done);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return; // a worker that is dead is noticed when its replies end
            done += (size_t)put;
        }
    }
}

// Gives the worker its next request, if there is one for it.
static void worker_feed(Pool *pool, Worker *worker)
{
    worker->job = NO_JOB;
    const Request *request = next_request(pool, worker);
    if (request == NULL) return;
    worker->job = request->job;
    worker->deadline_ms = now_ms() + (int64_t)pool->limits.timeout_seconds * 1000;
    Arena *arena = arena_new("request");
    StrBuf message = {.arena = arena};
    request_write(&message, request);
    write_message(worker->requests_fd, &message);
    arena_free(arena);
}

// Everyone without work is given some: what a dead worker held is free to all.
static void feed_all(Pool *pool)
{
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        Worker *worker = &pool->workers[i];
        if (worker->pid != 0 && worker->job == NO_JOB) worker_feed(pool, worker);
    }
}

// ---- replies ------------------------------------------------------------------------------------

static const char *death_text(Arena *arena, int status)
{
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        return arena_printf(arena, "the analysis crashed: signal %d (%s)", number,
                            strsignal(number));
    }
    return arena_printf(arena, "the analysis ended early with exit code %d", WEXITSTATUS(status));
}

// The worker is gone: its job has failed, and a new worker takes its place.
static void worker_lost(Pool *pool, Worker *worker)
{
    int status = worker_reap(worker);
    if (worker->job != NO_JOB)
        fail_job(pool, worker->job, ST_CRASH, death_text(pool->arena, status));
    worker->job = NO_JOB;
    arena_free(worker->arena);
    worker->arena = arena_new("reply");
    worker_start(pool, worker, NULL);
    feed_all(pool);
}

static void worker_overran(Pool *pool, Worker *worker)
{
    kill(worker->pid, SIGKILL);
    uint32_t job = worker->job;
    worker->job = NO_JOB;
    uint32_t seconds = pool->limits.timeout_seconds;
    fail_job(pool, job, ST_LIMIT,
             arena_printf(pool->arena, "given up after %u second%s (--timeout)", seconds,
                          seconds == 1 ? "" : "s"));
    worker_lost(pool, worker);
}

// Takes the reply off the buffer if it is complete.
static void worker_take_reply(Pool *pool, Worker *worker)
{
    MessageLength len = 0;
    if (worker->reply.len < sizeof len) return;
    memcpy(&len, worker->reply.text, sizeof len);
    if (worker->reply.len < sizeof len + len) return;
    Err err = {.arena = pool->arena};
    Reply *reply = &pool->replies[worker->job];
    Status status = reply_read(pool->arena, pool->strings, worker->reply.text + sizeof len,
                               (size_t)len, reply, &err);
    if (status != ST_OK) {
        fail_job(pool, worker->job, ST_CRASH, "the analysis sent a broken result");
    } else {
        reply->analysis.result.file = pool->jobs->items[worker->job].file;
        worker->held[worker->job] = reply->is_held;
        progress_file(pool->analysis->progress, reply->analysis.exports.is_complete);
    }
    arena_free(worker->arena);
    worker->arena = arena_new("reply");
    worker->reply = (StrBuf){.arena = worker->arena};
    worker_feed(pool, worker);
}

static void worker_read(Pool *pool, Worker *worker)
{
    char bytes[READ_BYTES];
    ssize_t got = read(worker->replies_fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
        worker_lost(pool, worker);
        return;
    }
    strbuf_append_n(&worker->reply, bytes, (size_t)got);
    worker_take_reply(pool, worker);
}

// Waits until a worker has something to say or overruns; returns how many are at work.
static uint32_t pool_wait(Pool *pool, struct pollfd *fds)
{
    uint32_t at_work = 0;
    int64_t deadline = INT64_MAX;
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        const Worker *worker = &pool->workers[i];
        bool is_at_work = worker->pid != 0 && worker->job != NO_JOB;
        fds[i] = (struct pollfd){.fd = is_at_work ? worker->replies_fd : -1, .events = POLLIN};
        if (!is_at_work) continue;
        at_work++;
        if (worker->deadline_ms < deadline) deadline = worker->deadline_ms;
    }
    if (at_work == 0) return 0;
    int64_t left = deadline - now_ms() + 1;
    if (pool->analysis->progress->is_watched && left > SHOW_EVERY_MS) left = SHOW_EVERY_MS;
    progress_show(pool->analysis->progress);
    if (poll(fds, pool->limits.workers, left < 0 ? 0 : (int)left) <= 0) {
        for (uint32_t i = 0; i < pool->limits.workers; i++) fds[i].revents = 0;
    }
    return at_work;
}

void pool_run(Pool *pool, const RequestList *requests, Reply *replies)
{
    Arena *round = arena_new("round");
    pool->requests = requests;
    pool->is_given = ARENA_ARRAY(round, bool, requests->len + 1);
    pool->first = 0;
    pool->replies = replies;
    struct pollfd *fds = ARENA_ARRAY(round, struct pollfd, pool->limits.workers + 1);
    feed_all(pool);
    while (pool_wait(pool, fds) != 0) {
        for (uint32_t i = 0; i < pool->limits.workers; i++) {
            Worker *worker = &pool->workers[i];
            if (worker->pid == 0 || worker->job == NO_JOB) continue;
            if (fds[i].revents != 0)
                worker_read(pool, worker);
            else if (now_ms() >= worker->deadline_ms)
                worker_overran(pool, worker);
        }
    }
    // Nobody is left to do what remains.
    for (uint32_t i = 0; i < requests->len; i++) {
        if (!pool->is_given[i])
            fail_job(pool, requests->items[i].job, ST_LIMIT, "no worker process could be started");
    }
    arena_free(round);
}

Status pool_open(Arena *arena, StrPool *strings, const Analysis *analysis, WorkerLimits limits,
                 const JobList *jobs, Pool **out, Err *err)
{
    Pool *pool = ARENA_NEW(arena, Pool);
    *pool = (Pool){
        .arena = arena, .strings = strings, .analysis = analysis, .limits = limits, .jobs = jobs};
    if (pool->limits.workers > jobs->len) pool->limits.workers = jobs->len;
    pool->workers = ARENA_ARRAY(arena, Worker, pool->limits.workers + 1);
    Status status = ST_OK;
    uint32_t started = 0;
    while (started < pool->limits.workers && status == ST_OK) {
        Worker *worker = &pool->workers[started];
        worker->arena = arena_new("reply");
        worker->held = ARENA_ARRAY(arena, bool, jobs->len);
        status = worker_start(pool, worker, err);
        if (status == ST_OK)
            started++;
        else
            arena_free(worker->arena);
    }
    pool->limits.workers = started; // with fewer than were wanted it takes longer
    *out = pool;
    return started != 0 || jobs->len == 0 ? ST_OK : status;
}

void pool_close(Pool *pool)
{
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        Worker *worker = &pool->workers[i];
        if (worker->pid != 0) worker_reap(worker);
        arena_free(worker->arena);
    }
}
