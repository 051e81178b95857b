// SPDX-License-Identifier: MIT
// Memory. Device memory has addresses in a reserved part of the address space that nobody can read:
// a host that touches it gets the same SIGSEGV as with a real device. Its contents are elsewhere.
// Memory that the host may read has one address for both. Blocks are kept sorted by address.
#define _DEFAULT_SOURCE
#include "sim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    GRANULE = 512,        // of addresses, as the real allocator
    MAPPED_FROM = 1 << 16 // contents from this size on are mapped, so cost nothing until touched
};

static size_t round_up(size_t size, size_t to)
{
    return (size + to - 1) / to * to;
}

// ---- contents ----

// Memory for the host has pages of its own, and one before it that nobody may touch: the C library's
// free dies of it, and so does who reads it after its release, as of the real one.
static SimBytes *host_bytes_new(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = round_up(size ? size : 1, page);
    char *start = mmap(NULL, page + room, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return NULL;
    mprotect(start, page, PROT_NONE);
    SimBytes *bytes = sim_allocate(sizeof *bytes);
    *bytes =
        (SimBytes){.data = start + page, .size = room, .refs = 1, .is_mapped = true, .guard = page};
    return bytes;
}

SimBytes *sim_bytes_new(size_t size)
{
    SimBytes *bytes = sim_allocate(sizeof *bytes);
    size_t room = round_up(size ? size : 1, GRANULE);
    *bytes = (SimBytes){.size = room, .refs = 1, .is_mapped = room >= MAPPED_FROM};
    if (bytes->is_mapped) {
        bytes->data = mmap(NULL, room, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bytes->data == MAP_FAILED) bytes->data = NULL;
    } else if (posix_memalign((void **)&bytes->data, GRANULE, room) == 0) {
        memset(bytes->data, 0, room);
    }
    if (bytes->data) return bytes;
    free(bytes);
    return NULL;
}

void sim_bytes_drop(SimBytes *bytes)
{
    if (!bytes || --bytes->refs > 0) return;
    if (bytes->is_mapped)
        munmap(bytes->data - bytes->guard, bytes->guard + bytes->size);
    else if (!bytes->is_foreign)
        free(bytes->data);
    free(bytes);
}

// ---- addresses of device memory ----

static void reserve_space(Sim *sim)
{
    for (size_t size = (size_t)1 << 44; size >= (size_t)1 << 32; size >>= 2) {
        void *base =
            mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) continue;
        sim->space_base = sim->space_next = (uintptr_t)base;
        sim->space_end = sim->space_base + size;
        return;
    }
}

void sim_space_give_back(Sim *sim)
{
    if (sim->space_base) munmap((void *)sim->space_base, sim->space_end - sim->space_base);
}

bool sim_memory_is_device_address(const Sim *sim, uintptr_t address)
{
    return address >= sim->space_base && address < sim->space_end;
}

uintptr_t sim_space_take(Sim *sim, size_t size)
{
    if (!sim->space_base) reserve_space(sim);
    SimRange range;
    if (sim_ranges_take(sim, &sim->free_ranges, size, NULL, &range)) return range.address;
    // One granule stays free behind each block, so that an overrun meets nobody's memory.
    if (size > sim->space_end - sim->space_next) return 0;
    uintptr_t address = sim->space_next;
    sim->space_next += size + GRANULE;
    return address;
}

// ---- blocks ----

// Index of the first live block behind the address.
static size_t index_behind(const Sim *sim, uintptr_t address)
{
    size_t low = 0;
    size_t high = sim->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sim->blocks[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

SimBlock *sim_memory_find(const Sim *sim, uintptr_t address)
{
    size_t behind = index_behind(sim, address);
    if (behind == 0) return NULL;
    SimBlock *block = sim->blocks[behind - 1];
    return address - block->address < block->size || address == block->address ? block : NULL;
}

SimBlock *sim_block_new(Sim *sim, SimSpace space, uintptr_t address, size_t size, SimBytes *bytes)
{
    SimBlock *block = sim_allocate(sizeof *block);
    *block = (SimBlock){.address = address,
                        .size = size,
                        .space = space,
                        .bytes = bytes,
                        .refs = 1,
                        .is_live = true};
    bytes->refs++;
    sim->blocks =
        sim_grow(sim->blocks, sim->block_count, &sim->block_capacity, sizeof *sim->blocks);
    size_t at = index_behind(sim, address);
    memmove(&sim->blocks[at + 1], &sim->blocks[at], (sim->block_count - at) * sizeof *sim->blocks);
    sim->blocks[at] = block;
    sim->block_count++;
    return block;
}

// So much there is of each kind in all. Managed memory may be larger than the device.
static uint64_t limit_of(const Sim *sim, SimSpace space, int device)
{
    uint64_t host = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (space == SIM_PINNED) return host;
    if (space == SIM_MANAGED) return host + sim->device_bytes;
    return sim->device_bytes - sim->used_bytes[device];
}

SimError sim_memory_new(Sim *sim, SimSpace space, size_t size, int device, SimBlock **out)
{
    *out = NULL;
    if (size > limit_of(sim, space, device)) return SIM_OUT_OF_MEMORY;
    bool is_host = sim_space_is_host(space);
    SimBytes *bytes = is_host ? host_bytes_new(size) : sim_bytes_new(size);
    if (!bytes) return SIM_OUT_OF_MEMORY;
    uintptr_t address = is_host ? (uintptr_t)bytes->data : sim_space_take(sim, bytes->size);
    if (address) {
        *out = sim_block_new(sim, space, address, size, bytes);
        (*out)->device = device;
        if (!is_host) sim->used_bytes[device] += bytes->size;
    }
    sim_bytes_drop(bytes);
    return address ? SIM_OK : SIM_OUT_OF_MEMORY;
}

SimError sim_memory_register(Sim *sim, uintptr_t address, size_t size, SimSpace space,
                             SimBlock **out)
{
    *out = NULL;
    size_t behind = index_behind(sim, address + (size - 1));
    if (behind > 0) {
        const SimBlock *last = sim->blocks[behind - 1];
        if (last->address + last->size > address) return SIM_ALREADY_REGISTERED;
    }
    SimBytes *bytes = sim_allocate(sizeof *bytes);
    *bytes = (SimBytes){.data = (char *)address, .size = size, .refs = 1, .is_foreign = true};
    *out = sim_block_new(sim, space, address, size, bytes);
    sim_bytes_drop(bytes);
    return SIM_OK;
}

void sim_memory_release(Sim *sim, SimBlock *block)
{
    size_t at = index_behind(sim, block->address) - 1;
    sim->block_count--;
    memmove(&sim->blocks[at], &sim->blocks[at + 1], (sim->block_count - at) * sizeof *sim->blocks);
    block->is_live = false;
    if (block->space == SIM_DEVICE || block->space == SIM_ARRAY) {
        sim->used_bytes[block->device] -= block->bytes->size;
        sim_ranges_add(&sim->free_ranges,
                       (SimRange){.address = block->address, .size = block->bytes->size});
    }
    sim_block_drop(block);
}

void sim_memory_release_all(Sim *sim, int device)
{
    for (size_t i = sim->block_count; i-- > 0;) {
        SimBlock *block = sim->blocks[i];
        bool is_kept = block->space == SIM_VARIABLE || block->space == SIM_MANAGED_VARIABLE ||
                       block->space == SIM_POOL;
        if (!is_kept && (device < 0 || block->device == device)) sim_memory_release(sim, block);
    }
}

void sim_block_hold(SimBlock *block)
{
    block->refs++;
}

void sim_block_drop(SimBlock *block)
{
    if (--block->refs > 0) return;
    sim_bytes_drop(block->bytes);
    free(block);
}

bool sim_space_is_host(SimSpace space)
{
    switch (space) {
    case SIM_PAGEABLE:
    case SIM_MANAGED:
    case SIM_MANAGED_VARIABLE:
    case SIM_PINNED:
    case SIM_REGISTERED:
        return true;
    case SIM_DEVICE:
    case SIM_POOL:
    case SIM_VARIABLE:
    case SIM_ARRAY:
        return false;
    }
    return false;
}

char *sim_block_at(const SimBlock *block, uintptr_t address)
{
    return block->bytes->data + (address - block->address);
}
