// SPDX-License-Identifier: MIT
// Sim itself, and the table of things with handles. A handle is never given twice, so that one that
// is used after its release is always seen to be.
#include "sim.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

// Handles look like pointers, lie where no pointer of a program does, and are told apart from the
// reserved stream handles 1 and 2.
static const SimHandle FIRST_HANDLE = 0x7f00000000000100;
enum { HANDLE_STEP = 0x100 };

void *sim_allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory) return memory;
    fputs("simulated CUDA runtime: out of memory\n", stderr);
    abort();
}

void *sim_grow(void *items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity) return items;
    *capacity = *capacity ? *capacity * 2 : 16;
    void *grown = realloc(items, *capacity * item_size);
    if (grown) return grown;
    fputs("simulated CUDA runtime: out of memory\n", stderr);
    abort();
}

Sim *sim_new(int device_count, uint64_t device_bytes, int busy_answers)
{
    Sim *sim = sim_allocate(sizeof *sim);
    sim->device_count = device_count;
    sim->device_bytes = device_bytes;
    sim->busy_answers = busy_answers;
    sim->last_handle = FIRST_HANDLE;
    sim->used_bytes = sim_allocate((size_t)(device_count + 1) * sizeof *sim->used_bytes);
    sim->legacy = sim_allocate((size_t)(device_count + 1) * sizeof *sim->legacy);
    for (int device = 0; device < device_count; device++) {
        sim->legacy[device] = sim_stream_new(sim, device, true);
        sim->legacy[device]->is_legacy = true;
    }
    return sim;
}

void sim_delete(Sim *sim)
{
    for (size_t i = 0; i < sim->pending_count; i++) sim_work_delete(sim->pending[i]);
    while (sim->block_count > 0) sim_memory_release(sim, sim->blocks[sim->block_count - 1]);
    while (sim->objects) sim_object_delete(sim, sim->objects);
    sim_ranges_delete(sim, &sim->free_ranges, NULL);
    sim_space_give_back(sim);
    free((void *)sim->pending);
    free((void *)sim->blocks);
    free(sim->used_bytes);
    free((void *)sim->legacy);
    free((void *)sim->streams);
    free(sim);
}

void *sim_object_new(Sim *sim, SimKind kind, size_t size, int device)
{
    SimObject *object = sim_allocate(size);
    sim->last_handle += HANDLE_STEP;
    *object = (SimObject){.handle = sim->last_handle, .kind = kind, .device = device};
    HASH_ADD(hh, sim->objects, handle, sizeof object->handle, object);
    return object;
}

void *sim_object_find(const Sim *sim, SimHandle handle, SimKind kind)
{
    SimObject *object = NULL;
    HASH_FIND(hh, sim->objects, &handle, sizeof handle, object);
    return object && object->kind == kind ? object : NULL;
}

void sim_object_delete(Sim *sim, void *object)
{
    SimObject *head = object;
    HASH_DEL(sim->objects, head);
    if (head->end) head->end(sim, object);
    free(object);
}
