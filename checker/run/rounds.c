// SPDX-License-Identifier: MIT
// Files that know of each other: all are analysed once, each by itself; then those again that learn
// something new of the functions they call, until none does. The last analysis of each file counts.
#include "run/run_p.h"

// All files that can be analysed, each by itself.
static RequestList first_requests(Arena *arena, const JobList *jobs, FileAnalysis *analyses)
{
    RequestList requests = {0};
    for (uint32_t i = 0; i < jobs->len; i++) {
        const Job *job = &jobs->items[i];
        if (job->status == ST_OK)
            vec_push(arena, &requests, ((Request){.job = i}));
        else
            analyses[i].result =
                (UnitResult){.file = job->file, .status = job->status, .error = job->error};
    }
    return requests;
}

// Tells the exchange what the files requested say now, and makes the requests of the next round.
static RequestList next_requests(Arena *arena, Exchange *exchange, const RequestList *done,
                                 const FileAnalysis *analyses)
{
    for (uint32_t i = 0; i < done->len; i++) {
        // What is said is kept when the analysis of a later round takes its place.
        SummaryPack *exports = ARENA_NEW(arena, SummaryPack);
        *exports = analyses[done->items[i].job].exports;
        exchange_put(exchange, done->items[i].job, exports);
    }
    RequestList requests = {0};
    BitSet again = exchange_next_round(exchange);
    for (uint32_t job = bits_next(&again, 0); job < again.size; job = bits_next(&again, job + 1)) {
        Request request = {.job = job, .imports = exchange_imports(exchange, arena, job)};
        vec_push(arena, &requests, request);
    }
    return requests;
}

Status rounds_run(Arena *arena, const Analysis *analysis, WorkerLimits limits, const JobList *jobs,
                  UnitResult *units, ExchangeStats *stats, Err *err)
{
    Pool *pool;
    Status status = pool_open(arena, str_pool_new(arena), analysis, limits, jobs, &pool, err);
    if (status != ST_OK) return status;
    FileAnalysis *analyses = ARENA_ARRAY(arena, FileAnalysis, jobs->len);
    Exchange *exchange = exchange_new(arena, jobs->len);
    RequestList requests = first_requests(arena, jobs, analyses);
    while (requests.len != 0) {
        pool_run(pool, &requests, analyses);
        requests = next_requests(arena, exchange, &requests, analyses);
    }
    pool_close(pool);
    for (uint32_t i = 0; i < jobs->len; i++) units[i] = analyses[i].result;
    *stats = exchange_stats(exchange);
    return ST_OK;
}
