// SPDX-License-Identifier: MIT
// The pool of worker processes, as the parent sees it. Input: jobs. Output: one result a job, in
// order. Each worker has at most one job; a worker that dies or overruns its time is replaced, and
// its job becomes a failure.
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

enum { READ_BYTES = 1 << 16 };

#define NO_JOB UINT32_MAX

typedef struct {
    pid_t pid;      // 0: no process
    int jobs_fd;    // job numbers to it
    int results_fd; // records from it
    uint32_t job;   // in progress, or NO_JOB
    int64_t deadline_ms;
    Arena *arena;  // of `record`, emptied after each
    StrBuf record; // what has arrived of the current record
} Worker;

typedef struct {
    Arena *arena;
    StrPool *strings;
    const Analysis *analysis;
    WorkerLimits limits;
    const JobList *jobs;
    UnitResult *results;
    uint32_t next; // first job not yet given out
    Worker *workers;
} Pool;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_fds(Worker *worker)
{
    close(worker->jobs_fd);
    close(worker->results_fd);
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
    int jobs[2], results[2];
    if (pipe(jobs) != 0) return err_set(err, ST_IO, "no pipe for a worker: %s", strerror(errno));
    if (pipe(results) != 0) {
        int reason = errno;
        close(jobs[0]);
        close(jobs[1]);
        return err_set(err, ST_IO, "no pipe for a worker: %s", strerror(reason));
    }
    pid_t pid = fork();
    if (pid == 0) {
        close_siblings(pool);
        close(jobs[1]);
        close(results[0]);
        worker_serve(pool->analysis, pool->jobs, jobs[0], results[1]);
    }
    int reason = errno;
    close(jobs[0]);
    close(results[1]);
    worker->jobs_fd = jobs[1];
    worker->results_fd = results[0];
    if (pid < 0) {
        close_fds(worker);
        return err_set(err, ST_LIMIT, "no worker process could be started: %s", strerror(reason));
    }
    worker->pid = pid;
    worker->job = NO_JOB;
    worker->record = (StrBuf){.arena = worker->arena};
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
    pool->results[job] =
        (UnitResult){.file = pool->jobs->items[job].file, .status = status, .error = error};
}

static void next_job(Pool *pool)
{
    while (pool->next < pool->jobs->len && pool->jobs->items[pool->next].status != ST_OK) {
        const Job *job = &pool->jobs->items[pool->next];
        fail_job(pool, pool->next, job->status, job->error);
        pool->next++;
    }
}

// Gives the worker the next job, or closes its queue when there is none, so that it leaves.
static void worker_feed(Pool *pool, Worker *worker)
{
    next_job(pool);
    if (pool->next == pool->jobs->len) {
        worker->job = NO_JOB;
        worker_reap(worker);
        return;
    }
    worker->job = pool->next++;
    worker->deadline_ms = now_ms() + (int64_t)pool->limits.timeout_seconds * 1000;
    uint32_t index = worker->job;
    // A worker that is dead already is noticed when its results end.
    while (write(worker->jobs_fd, &index, sizeof index) < 0 && errno == EINTR) continue;
}

static const char *death_text(Arena *arena, int status)
{
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        return arena_printf(arena, "the analysis crashed: signal %d (%s)", number,
                            strsignal(number));
    }
    return arena_printf(arena, "the analysis ended early with exit code %d", WEXITSTATUS(status));
}

// The worker is gone: its job has failed, and a new worker takes its place while there is work.
static void worker_lost(Pool *pool, Worker *worker)
{
    int status = worker_reap(worker);
    if (worker->job != NO_JOB)
        fail_job(pool, worker->job, ST_CRASH, death_text(pool->arena, status));
    worker->job = NO_JOB;
    next_job(pool);
    if (pool->next != pool->jobs->len && worker_start(pool, worker, NULL) == ST_OK)
        worker_feed(pool, worker);
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

// Takes the record off the buffer if it is complete.
static void worker_take_record(Pool *pool, Worker *worker)
{
    RecordLength len = 0;
    if (worker->record.len < sizeof len) return;
    memcpy(&len, worker->record.text, sizeof len);
    if (worker->record.len < sizeof len + len) return;
    Err err = {.arena = pool->arena};
    UnitResult *result = &pool->results[worker->job];
    Status status = unit_result_read(pool->arena, pool->strings, worker->record.text + sizeof len,
                                     (size_t)len, result, &err);
    if (status != ST_OK)
        fail_job(pool, worker->job, ST_CRASH, "the analysis sent a broken result");
    else
        result->file = pool->jobs->items[worker->job].file;

    arena_free(worker->arena);
    worker->arena = arena_new("record");
    worker->record = (StrBuf){.arena = worker->arena};
    worker_feed(pool, worker);
}

static void worker_read(Pool *pool, Worker *worker)
{
    char bytes[READ_BYTES];
    ssize_t got = read(worker->results_fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
        worker_lost(pool, worker);
        return;
    }
    strbuf_append_n(&worker->record, bytes, (size_t)got);
    worker_take_record(pool, worker);
}

// Waits until a worker has something to say or overruns; returns how many processes there are.
static uint32_t pool_wait(Pool *pool, struct pollfd *fds)
{
    uint32_t running = 0;
    int64_t deadline = INT64_MAX;
    for (uint32_t i = 0; i < pool->limits.workers; i++) {
        const Worker *worker = &pool->workers[i];
        fds[i] =
            (struct pollfd){.fd = worker->pid != 0 ? worker->results_fd : -1, .events = POLLIN};
        if (worker->pid == 0) continue;
        running++;
        if (worker->deadline_ms < deadline) deadline = worker->deadline_ms;
    }
    if (running == 0) return 0;
    int64_t left = deadline - now_ms();
    if (poll(fds, pool->limits.workers, left < 0 ? 0 : (int)left + 1) <= 0) {
        for (uint32_t i = 0; i < pool->limits.workers; i++) fds[i].revents = 0;
    }
    return running;
}

static void pool_run(Pool *pool)
{
    struct pollfd *fds = ARENA_ARRAY(pool->arena, struct pollfd, pool->limits.workers);
    while (pool_wait(pool, fds) != 0) {
        for (uint32_t i = 0; i < pool->limits.workers; i++) {
            Worker *worker = &pool->workers[i];
            if (worker->pid == 0) continue;
            if (fds[i].revents != 0)
                worker_read(pool, worker);
            else if (now_ms() >= worker->deadline_ms)
                worker_overran(pool, worker);
        }
    }
}

Status workers_run(Arena *arena, StrPool *strings, const Analysis *analysis, WorkerLimits limits,
                   const JobList *jobs, UnitResult *results, Err *err)
{
    Pool pool = {
        .arena = arena, .strings = strings, .analysis = analysis, .jobs = jobs, .results = results};
    pool.limits = limits;
    if (pool.limits.workers > jobs->len) pool.limits.workers = jobs->len;
    pool.workers = ARENA_ARRAY(arena, Worker, pool.limits.workers + 1);
    next_job(&pool);
    Status status = ST_OK;
    uint32_t started = 0;
    for (uint32_t i = 0; i < pool.limits.workers && pool.next != jobs->len; i++) {
        Worker *worker = &pool.workers[i];
        worker->arena = arena_new("record");
        status = worker_start(&pool, worker, err);
        if (status != ST_OK) break;
        started++;
        worker_feed(&pool, worker);
    }
    pool_run(&pool);
    // Nobody is left to do what remains.
    while (pool.next < jobs->len)
        fail_job(&pool, pool.next++, ST_LIMIT, "no worker process could be started");
    for (uint32_t i = 0; i < pool.limits.workers; i++) {
        if (pool.workers[i].arena != NULL) arena_free(pool.workers[i].arena);
    }
    return started == 0 ? status : ST_OK;
}
