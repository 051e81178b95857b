// SPDX-License-Identifier: MIT
// Objects of the program that graphs keep: counted, and destroyed by the program's function with
// the last reference.
#include "graph.h"

#include <stdlib.h>

SimUserObject *sim_user_object_new(Sim *sim, void (*destroy)(void *), void *data,
                                   unsigned references)
{
    SimUserObject *object = sim_object_new(sim, SIM_USER_OBJECT, sizeof *object, 0);
    object->references = references;
    object->destroy = destroy;
    object->data = data;
    return object;
}

SimError sim_user_object_change(Sim *sim, SimHandle handle, unsigned add, unsigned take)
{
    SimUserObject *object = sim_object_find(sim, handle, SIM_USER_OBJECT);
    if (!object || (add == 0 && take == 0) || take > object->references) return SIM_INVALID_VALUE;
    object->references += add;
    object->references -= take;
    if (object->references > 0) return SIM_OK;
    object->destroy(object->data);
    sim_object_delete(sim, object);
    return SIM_OK;
}

void sim_keeps_add(SimKeeps *keeps, SimHandle object, unsigned count)
{
    keeps->items = sim_grow(keeps->items, keeps->count, &keeps->capacity, sizeof *keeps->items);
    keeps->items[keeps->count++] = (SimKept){object, count};
}

SimError sim_keeps_take(Sim *sim, SimKeeps *keeps, SimHandle object, unsigned count)
{
    for (size_t i = 0; i < keeps->count; i++) {
        SimKept *kept = &keeps->items[i];
        if (kept->object != object || kept->count < count) continue;
        kept->count -= count;
        return sim_user_object_change(sim, object, 0, count);
    }
    return SIM_INVALID_VALUE;
}

void sim_keeps_copy(Sim *sim, SimKeeps *to, const SimKeeps *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const SimKept *kept = &from->items[i];
        if (kept->count == 0 || sim_user_object_change(sim, kept->object, kept->count, 0)) continue;
        sim_keeps_add(to, kept->object, kept->count);
    }
}

void sim_keeps_end(Sim *sim, SimKeeps *keeps)
{
    for (size_t i = 0; i < keeps->count; i++)
        sim_user_object_change(sim, keeps->items[i].object, 0, keeps->items[i].count);
    free(keeps->items);
    *keeps = (SimKeeps){0};
}
