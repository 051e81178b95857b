// SPDX-License-Identifier: MIT
// Edit distance (Levenshtein) between short words. Input: a word and candidates; output: the
// nearest, or none. Words longer than NEAREST_MAX are never alike.
#include "config/nearest.h"

#include <stddef.h>
#include <string.h>

#define NEAREST_MAX 63

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

// Single-character insertions, deletions and replacements that turn `a` into `b`.
static uint32_t edit_distance(const char *a, const char *b)
{
    size_t len_a = strlen(a), len_b = strlen(b);
    if (len_a > NEAREST_MAX || len_b > NEAREST_MAX) return UINT32_MAX;
    uint32_t row[NEAREST_MAX + 1]; // distances of a's prefix so far to each prefix of b
    for (uint32_t j = 0; j <= len_b; j++) row[j] = j;
    for (uint32_t i = 1; i <= len_a; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= len_b; j++) {
            uint32_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[len_b];
}

const char *nearest_word(const char *word, const char *const *candidates, uint32_t count)
{
    const char *best = NULL;
    uint32_t best_distance =
        (uint32_t)(strlen(word) / 3) + 1; // more edits than that is another word
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance = edit_distance(word, candidates[i]);
        if (distance < best_distance || (best == NULL && distance == best_distance)) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}
