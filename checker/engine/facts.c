// SPDX-License-Identifier: MIT
// Merging the states of the search for facts where paths meet. Neighbours are merged first: they
// differ least. One after the other they would cost the square of their number where each adds a
// difference, as errors do that go to one label.
#include "engine/facts.h"

#include <stdlib.h>

bool facts_arrive(EngineFn *ef, IrBlockId block, State state)
{
    state.arrival = ef->taken.len;
    vec_push(ef->arena, &ef->taken, ((TakenEdge){.from = ef->block, .to = block}));
    if (bits_has(&ef->in_loop, block)) return false;
    vec_push(ef->space.arena, &ef->blocks[block].states, state);
    bits_add(&ef->pending, ef->order[block]);
    return true;
}

void facts_note_flags(EngineFn *ef, IrBlockId block, const State *a, const State *b)
{
    if (state_differs_by_flag(&ef->space, a, b)) bits_add(&ef->blurred, block);
}

static uint32_t source_of(const EngineFn *ef, const State *state)
{
    return ef->dom.enter[ef->taken.items[state->arrival].from];
}

typedef struct {
    uint32_t source, arrival;
    uint32_t index; // among the states that arrived
} Arrival;

static int compare_arrivals(const void *a, const void *b)
{
    const Arrival *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->arrival < y->arrival ? -1 : x->arrival > y->arrival;
}

// The part that the next state belongs to: the one whose last state no flag tells from it.
static uint32_t part_of(EngineFn *ef, IrBlockId block, Meeting *meeting, const StateList *states,
                        const State *state)
{
    for (uint32_t i = 0; i < meeting->count; i++)
        if (!state_differs_by_flag(&ef->space, vec_last(&states[i]), state)) return i;
    if (meeting->count < ENGINE_STATES_APART) return meeting->count++;
    bits_add(&ef->blurred, block);
    return 0;
}

static void merge(EngineFn *ef, IrBlockId block, State *into, const State *state)
{
    ef->space.point_in_loop = false;
    (void)state_merge(&ef->space, into, state, ef->join_points + block, JOIN_PATHS);
}

// Builds the levels over the states; the last one is a single state.
static void merge_neighbours(EngineFn *ef, IrBlockId block, MeetingPart *part, State *states)
{
    vec_push(ef->arena, &part->levels, states);
    for (uint32_t count = part->sources.len; count > 1; count = (count + 1) / 2) {
        const State *below = *vec_last(&part->levels);
        State *level = ARENA_ARRAY(ef->arena, State, (count + 1) / 2);
        for (uint32_t i = 0; i < count; i += 2) {
            level[i / 2] = below[i];
            if (i + 1 == count) continue;
            facts_note_flags(ef, block, &below[i], &below[i + 1]);
            merge(ef, block, &level[i / 2], &below[i + 1]);
        }
        vec_push(ef->arena, &part->levels, level);
    }
}

static Meeting *part_states(EngineFn *ef, IrBlockId block, const StateList *arrived,
                            StateList *states)
{
    Arrival *arrivals = ARENA_ARRAY(ef->space.arena, Arrival, arrived->len);
    for (uint32_t i = 0; i < arrived->len; i++)
        arrivals[i] = (Arrival){.source = source_of(ef, &arrived->items[i]),
                                .arrival = arrived->items[i].arrival,
                                .index = i};
    qsort(arrivals, arrived->len, sizeof *arrivals, compare_arrivals);
    Meeting *meeting = ARENA_NEW(ef->arena, Meeting);
    for (uint32_t i = 0; i < arrived->len; i++) {
        State state = arrived->items[arrivals[i].index];
        uint32_t part = part_of(ef, block, meeting, states, &state);
        ef->taken.items[state.arrival].part = part;
        vec_push(ef->arena, &states[part], state);
        vec_push(ef->arena, &meeting->parts[part].sources, arrivals[i].source);
    }
    return meeting;
}

void facts_meet(EngineFn *ef, IrBlockId block)
{
    StateList *here = &ef->blocks[block].states;
    StateList states[ENGINE_STATES_APART] = {0};
    Meeting *meeting = part_states(ef, block, here, states);
    ef->meetings[block] = meeting;
    here->len = 1;
    for (uint32_t i = 0; i < meeting->count; i++) {
        MeetingPart *part = &meeting->parts[i];
        merge_neighbours(ef, block, part, states[i].items);
        if (i == 0)
            here->items[0] = **vec_last(&part->levels);
        else
            merge(ef, block, &here->items[0], *vec_last(&part->levels));
    }
}

// All from number `first` on: what a stretch asks for whose blocks are the last to lead here, as
// each step of a long row of checks is. Each tail differs little from the next.
static const State *tail_from(EngineFn *ef, IrBlockId block, MeetingPart *part, uint32_t first)
{
    uint32_t count = part->sources.len;
    Arena *of_search = ef->space.arena;
    ef->space.arena = ef->arena;
    if (!part->tails) {
        part->tails = ARENA_ARRAY(ef->arena, State, count);
        part->first_tail = count;
    }
    while (part->first_tail > first) {
        uint32_t i = --part->first_tail;
        part->tails[i] = part->levels.items[0][i];
        if (i + 1 == count) continue;
        part->tails[i] = part->tails[i + 1];
        merge(ef, block, &part->tails[i], &part->levels.items[0][i]);
    }
    ef->space.arena = of_search;
    return &part->tails[first];
}

static void take(EngineFn *ef, IrBlockId block, const State *state, State *merged, bool *found)
{
    if (*found)
        merge(ef, block, merged, state);
    else
        *merged = *state;
    *found = true;
}

void facts_between(EngineFn *ef, IrBlockId block, uint32_t part, uint32_t low, uint32_t high,
                   State *merged, bool *found)
{
    MeetingPart *states = &ef->meetings[block]->parts[part];
    uint32_t first = 0, end = states->sources.len;
    while (first < end && states->sources.items[first] < low) first++;
    while (end > first && states->sources.items[end - 1] > high) end--;
    if (first < end && end == states->sources.len) {
        take(ef, block, tail_from(ef, block, states, first), merged, found);
        return;
    }
    // Each level has at most one state at either side that the next one does not hold whole.
    for (uint32_t level = 0; first < end; level++, first /= 2, end /= 2) {
        const State *items = states->levels.items[level];
        if (first % 2 == 1) take(ef, block, &items[first++], merged, found);
        bool last = end % 2 == 1 && first < end;
        if (last) take(ef, block, &items[--end], merged, found);
    }
}

bool facts_are_exact(const EngineFn *ef, IrBlockId block)
{
    return bits_has(&ef->reached, block) && !bits_has(&ef->in_loop, block) &&
           !bits_has(&ef->blurred, block);
}
