// SPDX-License-Identifier: MIT
// From results to one report. Input: results in the order of the command line. Output: findings
// sorted, each once, with fingerprints. Nothing here depends on which worker was done first.
#include "run/run_p.h"

#include "base/source.h"

#include <stdlib.h>

typedef struct {
    uint64_t fingerprint; // as the first of its kind
    uint32_t index;       // of the finding
} Numbered;

static int compare_numbered(const void *a, const void *b)
{
    const Numbered *left = a, *right = b;
    if (left->fingerprint != right->fingerprint)
        return left->fingerprint < right->fingerprint ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static uint64_t fingerprint_of(Arena *work, SourceCache *sources, const Finding *finding,
                               uint32_t occurrence)
{
    SourceLine line = {0};
    if (loc_is_valid(finding->loc)) {
        line = source_line(source_file(sources, finding->loc.file), finding->loc.line);
    }
    ArenaMark mark = arena_mark(work);
    const char *text = line.text != NULL ? arena_strndup(work, line.text, line.len) : "";
    uint64_t fingerprint = finding_fingerprint(finding, text, occurrence);
    arena_reset(work, mark);
    return fingerprint;
}

// Findings alike in everything but the line are numbered in their order, so that each has a
// fingerprint of its own.
static void set_fingerprints(FindingList *findings)
{
    if (findings->len == 0) return;
    Arena *work = arena_new("fingerprints");
    Arena *text = arena_new("lines");
    SourceCache *sources = source_cache_new(work);
    Numbered *numbered = ARENA_ARRAY(work, Numbered, findings->len);
    for (uint32_t i = 0; i < findings->len; i++) {
        Finding *finding = &findings->items[i];
        finding->fingerprint = fingerprint_of(text, sources, finding, 0);
        numbered[i] = (Numbered){.fingerprint = finding->fingerprint, .index = i};
    }
    qsort(numbered, findings->len, sizeof *numbered, compare_numbered);
    uint32_t *occurrences = ARENA_ARRAY(work, uint32_t, findings->len);
    for (uint32_t i = 1; i < findings->len; i++) {
        if (numbered[i].fingerprint != numbered[i - 1].fingerprint) continue;
        occurrences[numbered[i].index] = occurrences[numbered[i - 1].index] + 1;
    }
    for (uint32_t i = 0; i < findings->len; i++) {
        Finding *finding = &findings->items[i];
        if (occurrences[i] == 0) continue;
        finding->fingerprint = fingerprint_of(text, sources, finding, occurrences[i]);
    }
    arena_free(text);
    arena_free(work);
}

FindingList merge_findings(Arena *arena, const UnitResult *units, uint32_t unit_count)
{
    FindingList all = {0};
    for (uint32_t i = 0; i < unit_count; i++) {
        for (uint32_t k = 0; k < units[i].findings.len; k++)
            vec_push(arena, &all, units[i].findings.items[k]);
    }
    finding_list_sort(&all);
    set_fingerprints(&all);
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
