// SPDX-License-Identifier: MIT
// The table of blocks: a sorted array, searched by bisection.
#include "record/blocks.h"

#include <string.h>

uint32_t block_space(uint16_t resource)
{
    if (api_resources[resource].is_memory) return 0;
    while (api_resources[resource].same_as != API_NONE) resource = api_resources[resource].same_as;
    return 1u + resource;
}

// Index of the first block that does not lie wholly before the address.
static uint32_t lower_bound(const Blocks *blocks, uint32_t space, uint64_t address)
{
    uint32_t low = 0, high = blocks->blocks.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const Block *block = &blocks->blocks.items[middle];
        bool is_before = block->space < space ||
                         (block->space == space && block->handle + block->bytes <= address);
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_space(Arena *arena, Blocks *blocks, uint32_t space)
{
    for (uint32_t i = 0; i < blocks->spaces.len; i++) {
        if (blocks->spaces.items[i] == space) return;
    }
    vec_push(arena, &blocks->spaces, space);
}

void blocks_add(Arena *arena, Blocks *blocks, const Block *block)
{
    add_space(arena, blocks, block->space);
    uint32_t at = lower_bound(blocks, block->space, block->handle);
    uint32_t end = at;
    for (; end < blocks->blocks.len; end++) {
        const Block *other = &blocks->blocks.items[end];
        if (other->space != block->space || other->handle >= block->handle + block->bytes) break;
    }
    if (end == at) {
        vec_push(arena, &blocks->blocks, *block); // room for one more
        end = at;
    }
    // [at, end) is replaced by the one block.
    Block *items = blocks->blocks.items;
    uint32_t tail = end == at ? blocks->blocks.len - 1 - at : blocks->blocks.len - end;
    memmove(items + at + 1, items + end, tail * sizeof *items);
    blocks->blocks.len = at + 1 + tail;
    items[at] = *block;
}

Block *blocks_at(Blocks *blocks, uint32_t space, uint64_t address)
{
    uint32_t at = lower_bound(blocks, space, address);
    if (at == blocks->blocks.len) return NULL;
    Block *block = &blocks->blocks.items[at];
    return block->space == space && block->handle <= address ? block : NULL;
}

Block *blocks_with_handle(Blocks *blocks, uint64_t handle)
{
    Block *released = NULL;
    for (uint32_t i = 0; i < blocks->spaces.len; i++) {
        Block *block = blocks_at(blocks, blocks->spaces.items[i], handle);
        if (block == NULL || block->handle != handle) continue;
        if (block->is_live) return block;
        if (released == NULL) released = block;
    }
    return released;
}

Block *blocks_acquired_by(Blocks *blocks, uint64_t n, uint64_t handle)
{
    for (uint32_t i = 0; i < blocks->blocks.len; i++) {
        Block *block = &blocks->blocks.items[i];
        if (block->n == n && block->handle == handle) return block;
    }
    return NULL;
}

void block_use(Block *block, uint64_t stream, uint64_t n, uint64_t number)
{
    uint8_t at = 0;
    for (uint8_t i = 0; i < block->use_count; i++) {
        if (block->uses[i].stream == stream) {
            block->uses[i] = (BlockUse){stream, n, number};
            return;
        }
        if (block->uses[i].n < block->uses[at].n) at = i; // the oldest gives way
    }
    if (block->use_count < BLOCK_USES) at = block->use_count++;
    block->uses[at] = (BlockUse){stream, n, number};
}
