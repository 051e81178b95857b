// SPDX-License-Identifier: MIT
// Exchange: what the files of a run tell each other of their functions, round by round. Every
// function is analysed once, when all that it calls has been, in whatever file; so what comes out
// depends neither on the order of the files nor on who is done first. Where files call each other
// in a circle, the first function in it goes without.
#ifndef CUDALINT_SUMMARY_EXCHANGE_H
#define CUDALINT_SUMMARY_EXCHANGE_H

#include "base/bits.h"
#include "summary/summary_pack.h"

typedef struct Exchange Exchange;

typedef struct {
    uint32_t offered;  // functions that other files can name
    uint32_t known;    // of those that other files mention: told to them
    uint32_t disputed; // of those that other files mention: defined differently in several files
    uint32_t circles;  // of calls through several files
    uint32_t rounds;   // after the first, in which each file is read
    uint32_t requests; // in those rounds
} ExchangeStats;

Exchange *exchange_new(Arena *arena, uint32_t file_count);
// What the file says; borrowed. `is_held`: that it goes on from here costs little, otherwise it
// begins anew.
void exchange_put(Exchange *exchange, uint32_t file, const SummaryExports *exports, bool is_held);
// The file could not be analysed to the end: it will say no more.
void exchange_drop(Exchange *exchange, uint32_t file);
// Ends a round; returns the files that can go on. Empty: all are done.
BitSet exchange_next_round(Exchange *exchange);
// All that the file wants and that is settled by now; allocated in `arena`.
SummaryImports exchange_imports(const Exchange *exchange, Arena *arena, uint32_t file);
ExchangeStats exchange_stats(const Exchange *exchange);

#endif
