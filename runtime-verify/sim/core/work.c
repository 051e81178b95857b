// SPDX-License-Identifier: MIT
// Work in flight. It is numbered in the order of queueing, and work only ever comes after work with
// a smaller number. So one pass down the list of pending work finds all that a wait needs, and one
// pass up does it.
#include "sim.h"

#include "graph.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A device takes only so much work at a time: then queueing waits for the oldest.
enum { PENDING_MOST = 4096 };

SimWork *sim_work_new(SimWorkKind kind)
{
    SimWork *work = sim_allocate(sizeof *work);
    work->kind = kind;
    return work;
}

static void hold(SimBlock *block)
{
    if (block) sim_block_hold(block);
}

static void drop(SimBlock *block)
{
    if (block) sim_block_drop(block);
}

// From here on the blocks stay, released or not, until the work is deleted.
static void hold_blocks(const SimWork *work)
{
    hold(work->to.block);
    hold(work->from.block);
    for (size_t i = 0; i < work->use_count; i++) hold(work->uses[i]);
}

SimWork *sim_work_copy(const SimWork *work)
{
    SimWork *copy = sim_allocate(sizeof *copy);
    *copy = *work;
    copy->after = NULL;
    copy->after_count = 0;
    copy->is_held = false;
    copy->staged = NULL;
    copy->uses = sim_allocate((work->use_count + 1) * sizeof(SimBlock *));
    for (size_t i = 0; i < work->use_count; i++) copy->uses[i] = work->uses[i];
    sim_work_hold(copy);
    return copy;
}

void sim_work_hold(SimWork *work)
{
    if (work->is_held) return;
    work->is_held = true;
    hold_blocks(work);
}

void sim_work_delete(SimWork *work)
{
    if (work->is_held) {
        drop(work->to.block);
        drop(work->from.block);
        for (size_t i = 0; i < work->use_count; i++) drop(work->uses[i]);
    }
    free((void *)work->uses);
    free(work->after);
    free(work->staged);
    free(work);
}

// ---- queueing ----

// Index of the pending work with that number, or pending_count.
static size_t index_of(const Sim *sim, uint64_t number)
{
    size_t low = 0;
    size_t high = sim->pending_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sim->pending[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sim->pending_count && sim->pending[low]->number == number ? low
                                                                           : sim->pending_count;
}

bool sim_work_is_done(const Sim *sim, uint64_t number)
{
    return index_of(sim, number) == sim->pending_count;
}

void sim_work_comes_after(SimWork *work, uint64_t number)
{
    if (number == 0) return;
    uint64_t *grown = realloc(work->after, (work->after_count + 1) * sizeof *grown);
    if (!grown) abort();
    work->after = grown;
    work->after[work->after_count++] = number;
}

static bool is_blocking_on(const SimStream *stream, int device)
{
    return stream->is_blocking && stream->object.device == device;
}

// The legacy default stream is ordered with every blocking stream of its device, both ways.
static void order_with_legacy(const Sim *sim, const SimStream *stream, SimWork *work)
{
    if (!stream->is_legacy) {
        if (stream->is_blocking)
            sim_work_comes_after(work, sim->legacy[stream->object.device]->last);
        return;
    }
    for (size_t i = 0; i < sim->stream_count; i++)
        if (is_blocking_on(sim->streams[i], stream->object.device))
            sim_work_comes_after(work, sim->streams[i]->last);
}

void sim_work_queue(Sim *sim, SimStream *stream, SimWork *work)
{
    sim_work_hold(work);
    if (stream->capture) {
        sim_capture_work(sim, stream, work);
        return;
    }
    if (sim->pending_count >= PENDING_MOST) sim_wait_work(sim, sim->pending[0]->number);
    work->number = ++sim->last_work;
    work->device = stream->object.device;
    sim_work_comes_after(work, stream->last);
    order_with_legacy(sim, stream, work);
    stream->last = work->number;
    sim->pending = sim_grow((void *)sim->pending, sim->pending_count, &sim->pending_capacity,
                            sizeof(SimWork *));
    sim->pending[sim->pending_count++] = work;
}

// ---- doing ----

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void mark_event(Sim *sim, const SimWork *work)
{
    SimEvent *event = sim_object_find(sim, work->event, SIM_EVENT);
    if (event && event->work == work->number) event->time_ms = now_ms();
}

// A kernel dies of an address that the device cannot reach, and takes the context along.
static bool kernel_faults(const SimWork *work)
{
    if (work->faults) return true;
    for (size_t i = 0; i < work->use_count; i++)
        if (work->uses[i]->is_unmapped) return true;
    return false;
}

static void run(Sim *sim, const SimWork *work)
{
    if (sim->fault) return;
    switch (work->kind) {
    case SIM_WORK_MARK:
        mark_event(sim, work);
        break;
    case SIM_WORK_KERNEL:
        if (kernel_faults(work)) sim->fault = SIM_ILLEGAL_ADDRESS;
        break;
    case SIM_WORK_COPY:
        sim_copy_run(work);
        break;
    case SIM_WORK_SET:
        sim_set_run(work);
        break;
    case SIM_WORK_HOST:
        work->host_function(work->host_data);
        break;
    }
}

static void need(Sim *sim, uint64_t number)
{
    size_t at = index_of(sim, number);
    if (at < sim->pending_count) sim->pending[at]->is_needed = true;
}

// Does what is needed and what that comes after.
static void do_needed(Sim *sim)
{
    for (size_t i = sim->pending_count; i-- > 0;) {
        const SimWork *work = sim->pending[i];
        for (size_t k = 0; work->is_needed && k < work->after_count; k++) need(sim, work->after[k]);
    }
    // A host function may queue nothing (the API forbids it), so the list stays as it is meanwhile.
    size_t left = 0;
    for (size_t i = 0; i < sim->pending_count; i++) {
        SimWork *work = sim->pending[i];
        if (!work->is_needed) {
            sim->pending[left++] = work;
            continue;
        }
        run(sim, work);
        sim_work_delete(work);
    }
    sim->pending_count = left;
}

void sim_wait_work(Sim *sim, uint64_t number)
{
    if (sim_work_is_done(sim, number)) return;
    need(sim, number);
    do_needed(sim);
}

void sim_wait_stream(Sim *sim, SimStream *stream)
{
    stream->queries = 0;
    need(sim, stream->last);
    for (size_t i = 0; stream->is_legacy && i < sim->stream_count; i++)
        if (is_blocking_on(sim->streams[i], stream->object.device))
            need(sim, sim->streams[i]->last);
    do_needed(sim);
}

void sim_wait_device(Sim *sim, int device)
{
    for (size_t i = 0; i < sim->pending_count; i++)
        if (sim->pending[i]->device == device) sim->pending[i]->is_needed = true;
    do_needed(sim);
}

bool sim_stream_is_busy(const Sim *sim, const SimStream *stream)
{
    return !sim_work_is_done(sim, stream->last);
}
