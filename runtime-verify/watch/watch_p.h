// SPDX-License-Identifier: MIT
// The parts of `cudalint watch`.
#ifndef RUNTIME_VERIFY_WATCH_WATCH_P_H
#define RUNTIME_VERIFY_WATCH_WATCH_P_H

#include "launch/launch.h"
#include "watch/leaks.h"

#include <stdio.h>

typedef struct {
    Arena *arena;
    StrPool *strings;
    Symbols *symbols;
} Reading; // what it takes to read recordings

// One process, as reports show it.
typedef struct {
    Story story;
    LeakSites leaks;
} Watched;

typedef Vec(Watched) WatchedList;

// Leaks and misuses, all processes together.
uint32_t watched_count_leaks(const WatchedList *list);
uint32_t watched_count_misuses(const WatchedList *list);

void watch_print(FILE *out, const Reading *reading, const WatchedList *list);
void watch_print_page(FILE *out, const Reading *reading, const WatchedList *list,
                      const char *program);
// Each thing that leaked, as a line of JSON.
void watch_print_json(FILE *out, const Reading *reading, const WatchedList *list);
// "device_memory" → "device memory".
const char *kind_title(const Life *life);
// "main (app.cu:12)", or the best that is known. Allocated in `arena`.
const char *place_text(const Reading *reading, const Recording *recording, const Record *record);

#endif
