// SPDX-License-Identifier: MIT
// Fingerprints of a run's findings. Input: sorted findings and the sources they point at; output:
// for each a number that stays when lines move.
#include "base/source.h"
#include "finding/finding.h"

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

void finding_list_set_fingerprints(FindingList *findings)
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
