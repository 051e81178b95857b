// SPDX-License-Identifier: MIT
// Gathers leaks by kind, function and stack.
#include "watch/leaks.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_site(const LeakSite *site, const Life *life)
{
    const Record *a = site->first->acquired, *b = life->acquired;
    return a->stack == b->stack && site->first->resource == life->resource &&
           strcmp(a->function, b->function) == 0;
}

static int compare_sites(const void *a, const void *b)
{
    const LeakSite *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return (x->first->acquired->n > y->first->acquired->n) -
           (x->first->acquired->n < y->first->acquired->n);
}

LeakSites leaks_by_site(Arena *arena, const Story *story)
{
    LeakSites sites = {0};
    for (uint32_t i = 0; i < story->lives.len; i++) {
        const Life *life = &story->lives.items[i];
        if (!life_is_leak(life)) continue;
        uint32_t at = 0;
        while (at < sites.len && !is_of_site(&sites.items[at], life)) at++;
        if (at == sites.len) vec_push(arena, &sites, (LeakSite){.first = life});
        sites.items[at].count++;
        sites.items[at].bytes += life->acquired->bytes;
    }
    if (sites.len != 0) qsort(sites.items, sites.len, sizeof *sites.items, compare_sites);
    return sites;
}
