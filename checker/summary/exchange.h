// SPDX-License-Identifier: MIT
// Exchange: what the files of a run tell each other of their functions, round by round. In each
// round, files are analysed with what the round before knew; then what they say is merged, and the
// files for which something changed are analysed again. So the result depends neither on the order
// of the files nor on who is done first.
#ifndef CUDALINT_SUMMARY_EXCHANGE_H
#define CUDALINT_SUMMARY_EXCHANGE_H

#include "base/bits.h"
#include "summary/summary_io.h"

// After so many rounds of analysing again, what still changes (recursion across files, or call
// chains through more files than that) is unknown in the last one.
#define EXCHANGE_MAX_ROUNDS 8

typedef struct Exchange Exchange;

typedef struct {
    uint32_t exported; // functions that others may ask for
    uint32_t imported; // of those that others do ask for: known, by one definition or equal ones
    uint32_t disputed; // asked for and defined differently in several files
    uint32_t rounds;   // of analysing again
    uint32_t analyses; // files analysed again, each as often as that was done
} ExchangeStats;

Exchange *exchange_new(Arena *arena, uint32_t file_count);
// What the file says now, in place of what it said before; borrowed.
void exchange_put(Exchange *exchange, uint32_t file, const SummaryPack *pack);
// Ends a round: merges, and returns the files to be analysed again; empty: done.
BitSet exchange_next_round(Exchange *exchange);
// What the file wants and others know of, as merged last; allocated in `arena`.
SummaryPack exchange_imports(const Exchange *exchange, Arena *arena, uint32_t file);
ExchangeStats exchange_stats(const Exchange *exchange);

#endif
