// SPDX-License-Identifier: MIT
// Blocks: what the program owns, by handle. Memory is found by any address in it; other things by
// their handle, each kind for itself, as handles of different kinds may be equal. What was released
// stays known until something else takes its place.
#ifndef RUNTIME_VERIFY_RECORD_BLOCKS_H
#define RUNTIME_VERIFY_RECORD_BLOCKS_H

#include "base/vec.h"
#include "record/api.h"

#define BLOCK_USES 4

// Work that uses a block, the latest on one stream.
typedef struct {
    uint64_t stream;
    uint64_t n;      // the call that queued it
    uint64_t number; // of the work on that stream, from 1
} BlockUse;

typedef struct {
    uint32_t space; // 0: memory; otherwise 1 + the kind, or the kind it is the same as
    uint64_t handle;
    uint64_t bytes; // at least 1
    uint64_t n;     // the call that acquired it
    uint16_t resource;
    int16_t device;
    bool is_live;
    uint32_t references; // of a counted kind: releases that leave it live
    uint8_t use_count;
    BlockUse uses[BLOCK_USES];
} Block;

typedef struct {
    Vec(Block) blocks;    // sorted by space and handle; those of one space do not overlap
    Vec(uint32_t) spaces; // those that occur
} Blocks;

// The space of a kind.
uint32_t block_space(uint16_t resource);
// Adds a block, copied; blocks that it overlaps are forgotten.
void blocks_add(Arena *arena, Blocks *blocks, const Block *block);
// The block of that space that holds the address, live or not; NULL when there is none.
Block *blocks_at(Blocks *blocks, uint32_t space, uint64_t address);
// The block that starts at the handle, in any space, live ones first; NULL when there is none.
Block *blocks_with_handle(Blocks *blocks, uint64_t handle);
// The block that the call `n` acquired with that handle, or NULL.
Block *blocks_acquired_by(Blocks *blocks, uint64_t n, uint64_t handle);
// Notes that work number `number` of the stream, queued by call `n`, uses the block.
void block_use(Block *block, uint64_t stream, uint64_t n, uint64_t number);

#endif
