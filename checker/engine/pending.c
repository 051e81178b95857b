// SPDX-License-Identifier: MIT
// The algebra of pending work. Where it is not known whether two handles are one, synchronising
// covers: a claim that work is in flight must be certain.
#include "engine/pending.h"

#include <string.h>

void pending_table_init(PendingTable *table, Arena *arena)
{
    *table = (PendingTable){.arena = arena};
    vec_push(arena, &table->sets, (Pending){0});
}

const Pending *pending_at(const PendingTable *table, uint32_t id)
{
    return &table->sets.items[id];
}

static uint64_t work_hash(uint64_t hash, const Work *work)
{
    hash = hash_mix(hash, work->point * UINT64_C(64) + work->kind * UINT64_C(8) + work->access);
    for (uint32_t i = 0; i < work->cover_count; i++)
        hash = hash_mix(hash, ((uint64_t)work->covers[i].value << 8) | work->covers[i].facts);
    return hash;
}

static bool work_equal(const Work *a, const Work *b)
{
    if (a->kind != b->kind || a->access != b->access || a->point != b->point ||
        a->is_whole != b->is_whole || a->bytes != b->bytes || a->has_status != b->has_status ||
        a->has_element != b->has_element || (a->has_element && a->element != b->element) ||
        a->slot != b->slot || a->queued != b->queued || a->cover_count != b->cover_count)
        return false;
    for (uint32_t i = 0; i < a->cover_count; i++)
        if (a->covers[i].value != b->covers[i].value || a->covers[i].facts != b->covers[i].facts)
            return false;
    return true;
}

static bool pending_equal(const Pending *a, const Pending *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!work_equal(&a->works[i], &b->works[i])) return false;
    return true;
}

uint32_t pending_id(PendingTable *table, const Pending *pending)
{
    if (pending->count == 0) return PENDING_NONE;
    uint64_t hash = pending->count;
    for (uint32_t i = 0; i < pending->count; i++) hash = work_hash(hash, &pending->works[i]);
    uint32_t cursor = 0, id;
    while (idtable_next(&table->index, hash, &cursor, &id))
        if (pending_equal(&table->sets.items[id], pending)) return id;
    vec_push(table->arena, &table->sets, *pending);
    idtable_add(table->arena, &table->index, hash, table->sets.len - 1);
    return table->sets.len - 1;
}

// ---- handles ------------------------------------------------------------------------------------

bool handle_may_be(Handle a, Handle b)
{
    const uint32_t defaults = HANDLE_LEGACY | HANDLE_OWN;
    if ((a.facts ^ b.facts) & HANDLE_EVENT) return false;
    if (a.value == b.value) return true;
    if ((a.facts & defaults) && (b.facts & defaults)) return (a.facts & b.facts & defaults) != 0;
    bool a_made = a.facts & HANDLE_CREATED, b_made = b.facts & HANDLE_CREATED;
    if (a_made && b_made) return false;
    if ((a_made && (b.facts & (defaults | HANDLE_ENTRY))) ||
        (b_made && (a.facts & (defaults | HANDLE_ENTRY))))
        return false;
    return true;
}

static bool may_be_legacy(Handle handle)
{
    return (handle.facts & (HANDLE_CREATED | HANDLE_OWN | HANDLE_EVENT)) == 0;
}

static bool may_be_blocking(Handle handle)
{
    return (handle.facts & (HANDLE_NONBLOCKING | HANDLE_EVENT)) == 0;
}

bool handle_may_be_ordered(Handle a, Handle b)
{
    return (may_be_legacy(a) && may_be_blocking(b)) || (may_be_legacy(b) && may_be_blocking(a));
}

// ---- covers -------------------------------------------------------------------------------------

static bool has_cover(const Work *work, Handle handle)
{
    for (uint32_t i = 0; i < work->cover_count; i++)
        if (handle_may_be(work->covers[i], handle)) return true;
    return false;
}

void pending_remove(Pending *pending, uint32_t index)
{
    pending->count--;
    memmove(&pending->works[index], &pending->works[index + 1],
            (pending->count - index) * sizeof *pending->works);
}

// Adds a cover to the work; without room the work is forgotten. True if it stays.
static bool add_cover(Pending *pending, uint32_t index, Handle handle)
{
    Work *work = &pending->works[index];
    for (uint32_t i = 0; i < work->cover_count; i++)
        if (work->covers[i].value == handle.value && work->covers[i].facts == handle.facts)
            return true;
    if (work->cover_count == WORK_MAX_COVERS) {
        pending_remove(pending, index);
        return false;
    }
    work->covers[work->cover_count++] = handle;
    return true;
}

static void drop_cover(Work *work, Handle handle)
{
    for (uint32_t i = 1; i < work->cover_count;) {
        if (work->covers[i].value == handle.value)
            work->covers[i] = work->covers[--work->cover_count];
        else
            i++;
    }
}

// Work queued on the stream comes after this work, or may.
static bool may_follow(const Work *work, Handle stream)
{
    for (uint32_t i = 0; i < work->cover_count; i++)
        if (handle_may_be(work->covers[i], stream) ||
            handle_may_be_ordered(work->covers[i], stream))
            return true;
    return false;
}

// Work that the same instruction queued before, by the same pointer or by any; none: the count.
static uint32_t queued_before(const Pending *pending, const Work *work, bool by_any)
{
    uint32_t i = 0;
    for (; i < pending->count; i++) {
        const Work *before = &pending->works[i];
        bool is_same = before->point == work->point && before->kind == work->kind;
        if (is_same && (by_any || before->slot == work->slot)) break;
    }
    return i;
}

void pending_add(Pending *pending, Work work, Handle stream)
{
    uint32_t before = queued_before(pending, &work, false);
    if (before == pending->count && before == PENDING_MAX_WORKS)
        before = queued_before(pending, &work, true);
    if (before < pending->count) pending_remove(pending, before);
    if (pending->count == PENDING_MAX_WORKS) {
        pending->count = 0;
        return;
    }
    work.cover_count = 1;
    work.covers[0] = stream;
    pending->works[pending->count++] = work;
}

void pending_enqueue(Pending *pending, Handle stream)
{
    for (uint32_t i = 0; i < pending->count;)
        if (!may_follow(&pending->works[i], stream) || add_cover(pending, i, stream)) i++;
}

void pending_record(Pending *pending, Handle event, Handle stream)
{
    for (uint32_t i = 0; i < pending->count;) {
        Work *work = &pending->works[i];
        if (event.value != HANDLE_UNKNOWN) drop_cover(work, event);
        if (!may_follow(work, stream) || add_cover(pending, i, event)) i++;
    }
}

void pending_wait(Pending *pending, Handle stream, Handle event)
{
    for (uint32_t i = 0; i < pending->count;)
        if (!has_cover(&pending->works[i], event) || add_cover(pending, i, stream)) i++;
}

void pending_order_unknown(Pending *pending)
{
    const Handle any_event = {.value = HANDLE_UNKNOWN, .facts = HANDLE_EVENT},
                 any_stream = {.value = HANDLE_UNKNOWN};
    for (uint32_t i = 0; i < pending->count;)
        if (add_cover(pending, i, any_event) && add_cover(pending, i, any_stream)) i++;
}

void pending_sync(Pending *pending, Handle handle)
{
    for (uint32_t i = 0; i < pending->count;) {
        const Work *work = &pending->works[i];
        // The legacy default stream comes after what blocking streams were given before.
        bool legacy = handle.facts & HANDLE_LEGACY;
        if (has_cover(work, handle) || (legacy && may_follow(work, handle)))
            pending_remove(pending, i);
        else
            i++;
    }
}

void pending_rename(Pending *pending, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < pending->count; i++)
        for (uint32_t c = 0; c < pending->works[i].cover_count; c++)
            if (pending->works[i].covers[c].value == from) pending->works[i].covers[c].value = to;
}

const Work *pending_any(const Pending *pending, uint32_t kinds)
{
    for (uint32_t i = 0; i < pending->count; i++)
        if (kinds & (UINT32_C(1) << pending->works[i].kind)) return &pending->works[i];
    return NULL;
}

const Work *pending_unordered(const Pending *pending, Handle stream, uint32_t kinds,
                              uint32_t access)
{
    for (uint32_t i = 0; i < pending->count; i++) {
        const Work *work = &pending->works[i];
        bool matters = (kinds & (UINT32_C(1) << work->kind)) && (work->access & access);
        if (matters && !may_follow(work, stream)) return work;
    }
    return NULL;
}
