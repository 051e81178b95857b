// SPDX-License-Identifier: MIT
// Repeats: what is acquired in many places and meets the same fate at one is told a few times
// there; a person who mends these mends the others. Private to engine/.
#ifndef CUDALINT_ENGINE_REPEATS_H
#define CUDALINT_ENGINE_REPEATS_H

#include "base/idtable.h"
#include "base/vec.h"
#include "cudalint/rule.h"
#include "ir/ir.h"

// So many different things are said of one name at one place of a function.
#define REPEATS_TOLD 4

// Events of one kind, function, name and place.
typedef struct {
    const IrFunction *fn;
    uint32_t told[REPEATS_TOLD];  // numbers of the first events that are worded differently
    uint32_t alike[REPEATS_TOLD]; // how many are told in the words of each
    uint32_t count;
} Repeat;

typedef struct {
    Vec(Repeat) repeats;
    IdTable table;
} Repeats;

typedef struct {
    bool is_told;
    uint32_t
        by; // not told: the event that speaks for it; IR_NONE: the same was said in the same words
} Telling;

// Whether the event is told, as number `number`. `events(context, i)` is event number i.
Telling repeats_add(Arena *arena, Repeats *repeats, const IrFunction *fn, const Event *event,
                    uint32_t number, const Event *(*events)(const void *context, uint32_t i),
                    const void *context);
// The event is not told; this one speaks for it.
void repeats_speak_for(Event *speaker, const Event *event);

#endif
