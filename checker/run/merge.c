// SPDX-License-Identifier: MIT
// From results to one report. Input: results in the order of the command line. Output: results and
// findings sorted, each once, with fingerprints. Nothing here depends on which worker was done first.
#include "run/run_p.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    UnitResult unit;
    uint32_t at;
} Placed;

static int by_name(const void *left, const void *right)
{
    const Placed *a = left, *b = right;
    int names = strcmp(a->unit.file, b->unit.file);
    return names != 0 ? names : (a->at > b->at) - (a->at < b->at);
}

void merge_order(Arena *arena, UnitResult *units, uint32_t unit_count)
{
    Placed *placed = ARENA_ARRAY(arena, Placed, unit_count + 1);
    for (uint32_t i = 0; i < unit_count; i++) placed[i] = (Placed){.unit = units[i], .at = i};
    qsort(placed, unit_count, sizeof *placed, by_name);
    for (uint32_t i = 0; i < unit_count; i++) units[i] = placed[i].unit;
}

FindingList merge_findings(Arena *arena, const UnitResult *units, uint32_t unit_count)
{
    FindingList all = {0};
    for (uint32_t i = 0; i < unit_count; i++) {
        for (uint32_t k = 0; k < units[i].findings.len; k++)
            vec_push(arena, &all, units[i].findings.items[k]);
    }
    finding_list_sort(&all);
    finding_list_set_fingerprints(&all);
    return all;
}

FindingList merge_filter(Arena *arena, const FindingList *findings, Severity lowest)
{
    FindingList kept = {0};
    for (uint32_t i = 0; i < findings->len; i++) {
        if (findings->items[i].severity >= lowest) vec_push(arena, &kept, findings->items[i]);
    }
    return kept;
}

uint32_t merge_failures(const UnitResult *units, uint32_t unit_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < unit_count; i++) count += units[i].status != ST_OK ? 1 : 0;
    return count;
}
