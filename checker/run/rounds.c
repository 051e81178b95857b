// SPDX-License-Identifier: MIT
// Files that know of each other: each is parsed and analysed as far as that goes by itself; what it
// waits for, others say, and it goes on, round by round, until all are done.
#include "run/run_p.h"

typedef struct {
    Arena *arena;
    const JobList *jobs;
    Reply *replies;    // of the round under way, by job
    UnitResult *units; // what has been said so far
    Exchange *exchange;
} Rounds;

// All files that can be analysed.
static RequestList first_requests(Rounds *rounds)
{
    RequestList requests = {0};
    for (uint32_t i = 0; i < rounds->jobs->len; i++) {
        const Job *job = &rounds->jobs->items[i];
        if (job->status == ST_OK)
            vec_push(rounds->arena, &requests, ((Request){.job = i}));
        else
            rounds->units[i] =
                (UnitResult){.file = job->file, .status = job->status, .error = job->error};
    }
    return requests;
}

// Adds what is new to what the file said before.
static void add_result(Arena *arena, UnitResult *unit, const UnitResult *more)
{
    for (uint32_t i = 0; i < more->findings.len; i++)
        vec_push(arena, &unit->findings, more->findings.items[i]);
    for (uint32_t i = 0; i < more->diagnostics.len; i++)
        vec_push(arena, &unit->diagnostics, more->diagnostics.items[i]);
    unit->budget_hits += more->budget_hits;
    unit->engine_ms += more->engine_ms;
    if (more->peak_bytes > unit->peak_bytes) unit->peak_bytes = more->peak_bytes;
    if (more->peak_rss_kib > unit->peak_rss_kib) unit->peak_rss_kib = more->peak_rss_kib;
}

static void take_reply(Rounds *rounds, uint32_t job)
{
    const Reply *reply = &rounds->replies[job];
    const FileAnalysis *analysis = &reply->analysis;
    if (analysis->exports.is_whole)
        rounds->units[job] = analysis->result;
    else
        add_result(rounds->arena, &rounds->units[job], &analysis->result);
    // A file that failed has no exports; one that was parsed in part has.
    if (analysis->result.status == ST_CRASH || analysis->result.status == ST_LIMIT)
        exchange_drop(rounds->exchange, job);
    else
        exchange_put(rounds->exchange, job, &analysis->exports, reply->is_held);
}

static RequestList next_requests(Rounds *rounds)
{
    RequestList requests = {0};
    BitSet files = exchange_next_round(rounds->exchange);
    for (uint32_t job = bits_next(&files, 0); job < files.size; job = bits_next(&files, job + 1)) {
        Request request = {.job = job,
                           .imports = exchange_imports(rounds->exchange, rounds->arena, job)};
        vec_push(rounds->arena, &requests, request);
    }
    return requests;
}

Status rounds_run(Arena *arena, const Analysis *analysis, WorkerLimits limits, const JobList *jobs,
                  UnitResult *units, ExchangeStats *stats, Err *err)
{
    Pool *pool;
    Status status = pool_open(arena, str_pool_new(arena), analysis, limits, jobs, &pool, err);
    if (status != ST_OK) return status;
    Rounds rounds = {.arena = arena,
                     .jobs = jobs,
                     .replies = ARENA_ARRAY(arena, Reply, jobs->len + 1),
                     .units = units,
                     .exchange = exchange_new(arena, jobs->len)};
    RequestList requests = first_requests(&rounds);
    analysis->progress->total = requests.len;
    while (requests.len != 0) {
        pool_run(pool, &requests, rounds.replies);
        for (uint32_t i = 0; i < requests.len; i++) take_reply(&rounds, requests.items[i].job);
        requests = next_requests(&rounds);
    }
    pool_close(pool);
    *stats = exchange_stats(rounds.exchange);
    return ST_OK;
}
