// SPDX-License-Identifier: MIT
// Copies and sets: who may reach what, whether the host waits (as measured on a real device), and
// the bytes.
#include "sim.h"

#include <stdlib.h>
#include <string.h>

SimRegion sim_region_at(const Sim *sim, uintptr_t address, size_t pitch, size_t height)
{
    return (SimRegion){.block = sim_memory_find(sim, address),
                       .address = address,
                       .pitch = pitch,
                       .height = height};
}

static SimSpace space_of(const SimRegion *region)
{
    return region->block ? region->block->space : SIM_PAGEABLE;
}

// Memory that lives on the device, as far as waiting is concerned.
static bool is_on_device(SimSpace space)
{
    return !sim_space_is_host(space) || space == SIM_MANAGED || space == SIM_MANAGED_VARIABLE;
}

// Does the extent lie in the region's block? Allocators round sizes up, so a small overrun shows no
// more than it does on a device.
static bool fits(const Sim *sim, const SimRegion *region, const SimExtent *extent)
{
    if (!region->block)
        return region->address && !sim_memory_is_device_address(sim, region->address);
    size_t rows = (extent->depth - 1) * region->height + extent->height;
    size_t bytes = (rows - 1) * region->pitch + extent->width;
    size_t start = region->address - region->block->address;
    size_t size = region->block->bytes->size;
    return start <= size && bytes <= size - start;
}

static bool fits_direction(SimSpace to, SimSpace from, SimDirection direction)
{
    switch (direction) {
    case SIM_HOST_TO_HOST:
        return sim_space_is_host(to) && sim_space_is_host(from);
    case SIM_HOST_TO_DEVICE:
        return to != SIM_PAGEABLE && sim_space_is_host(from);
    case SIM_DEVICE_TO_HOST:
        return sim_space_is_host(to) && from != SIM_PAGEABLE;
    case SIM_DEVICE_TO_DEVICE:
        return to != SIM_PAGEABLE && from != SIM_PAGEABLE;
    case SIM_DIRECTION_OF_POINTERS:
        return true;
    }
    return false;
}

static bool host_waits(SimSpace to, SimSpace from, SimCopyMode mode)
{
    if (is_on_device(to) && is_on_device(from)) return false;
    if (!is_on_device(to) && !is_on_device(from)) return true;
    return mode == SIM_COPY_SYNC || to == SIM_PAGEABLE;
}

static char *row_of(const SimRegion *region, size_t slice, size_t row)
{
    uintptr_t address = region->address + (slice * region->height + row) * region->pitch;
    return region->block ? sim_block_at(region->block, address) : (char *)address;
}

// The source as it is now, rows packed.
static char *staged(const SimWork *work)
{
    const SimExtent *extent = &work->extent;
    char *copy = sim_allocate(extent->width * extent->height * extent->depth);
    char *at = copy;
    for (size_t slice = 0; slice < extent->depth; slice++)
        for (size_t row = 0; row < extent->height; row++, at += extent->width)
            memcpy(at, row_of(&work->from, slice, row), extent->width);
    return copy;
}

void sim_copy_run(const SimWork *work)
{
    const SimExtent *extent = &work->extent;
    for (size_t slice = 0; slice < extent->depth; slice++) {
        for (size_t row = 0; row < extent->height; row++) {
            const char *from = work->staged
                                   ? work->staged + (slice * extent->height + row) * extent->width
                                   : row_of(&work->from, slice, row);
            memmove(row_of(&work->to, slice, row), from, extent->width);
        }
    }
}

void sim_set_run(const SimWork *work)
{
    const SimExtent *extent = &work->extent;
    for (size_t slice = 0; slice < extent->depth; slice++) {
        for (size_t row = 0; row < extent->height; row++) {
            char *to = row_of(&work->to, slice, row);
            for (size_t i = 0; i < extent->width; i += work->value_size)
                memcpy(to + i, &work->value, work->value_size);
        }
    }
}

static bool is_empty(const SimExtent *extent)
{
    return extent->width == 0 || extent->height == 0 || extent->depth == 0;
}

SimError sim_copy(Sim *sim, SimStream *stream, SimWork *work, SimDirection direction,
                  SimCopyMode mode)
{
    SimSpace to = space_of(&work->to);
    SimSpace from = space_of(&work->from);
    bool is_nothing = is_empty(&work->extent);
    if (is_nothing || !fits_direction(to, from, direction) ||
        !fits(sim, &work->to, &work->extent) || !fits(sim, &work->from, &work->extent)) {
        sim_work_delete(work);
        return is_nothing ? SIM_OK : SIM_INVALID_VALUE;
    }
    bool waits = host_waits(to, from, mode) && !stream->capture;
    if (!waits && from == SIM_PAGEABLE && !stream->capture) work->staged = staged(work);
    sim_work_queue(sim, stream, work);
    if (waits) sim_wait_work(sim, work->number);
    return SIM_OK;
}

SimError sim_set(Sim *sim, SimStream *stream, SimWork *work, SimCopyMode mode)
{
    bool is_nothing = is_empty(&work->extent);
    if (is_nothing || !work->to.block || !fits(sim, &work->to, &work->extent)) {
        sim_work_delete(work);
        return is_nothing ? SIM_OK : SIM_INVALID_VALUE;
    }
    bool waits =
        mode == SIM_COPY_SYNC && sim_space_is_host(space_of(&work->to)) && !stream->capture;
    sim_work_queue(sim, stream, work);
    if (waits) sim_wait_work(sim, work->number);
    return SIM_OK;
}
