// SPDX-License-Identifier: MIT
// Ranges of addresses that were released, in stacks by size: allocators hand out the same address
// again soon, and programs with a dangling pointer should meet the memory's next owner here, too.
#include "sim.h"

#include <stdlib.h>

struct SimRanges {
    size_t size;
    SimRange *items;
    size_t count, capacity;
    UT_hash_handle hh;
};

void sim_ranges_add(SimRanges **ranges, SimRange range)
{
    SimRanges *stack = NULL;
    HASH_FIND(hh, *ranges, &range.size, sizeof range.size, stack);
    if (!stack) {
        stack = sim_allocate(sizeof *stack);
        *stack = (SimRanges){.size = range.size};
        HASH_ADD(hh, *ranges, size, sizeof stack->size, stack);
    }
    stack->items = sim_grow(stack->items, stack->count, &stack->capacity, sizeof *stack->items);
    stack->items[stack->count++] = range;
}

bool sim_ranges_take(const Sim *sim, SimRanges **ranges, size_t size, const SimStream *stream,
                     SimRange *out)
{
    SimRanges *stack = NULL;
    HASH_FIND(hh, *ranges, &size, sizeof size, stack);
    for (size_t i = stack ? stack->count : 0; i-- > 0;) {
        const SimRange *range = &stack->items[i];
        bool is_same_stream = stream && range->stream == stream->object.handle;
        if (!is_same_stream && !sim_work_is_done(sim, range->after)) continue;
        *out = *range;
        for (size_t k = i + 1; k < stack->count; k++) stack->items[k - 1] = stack->items[k];
        stack->count--;
        return true;
    }
    return false;
}

void sim_ranges_delete(Sim *sim, SimRanges **ranges, void (*drop)(Sim *, const SimRange *))
{
    SimRanges *stack = NULL;
    SimRanges *next = NULL;
    HASH_ITER(hh, *ranges, stack, next)
    {
        for (size_t i = 0; drop && i < stack->count; i++) drop(sim, &stack->items[i]);
        HASH_DEL(*ranges, stack);
        free(stack->items);
        free(stack);
    }
}
