// SPDX-License-Identifier: MIT
// Events held back until every function of the unit is known: a defect of a class is told once, at
// the class, and not again at each of its users. Private to engine/.
#ifndef CUDALINT_ENGINE_HOLD_H
#define CUDALINT_ENGINE_HOLD_H

#include "engine/engine.h"
#include "engine/repeats.h"

typedef struct {
    const IrFunction *fn; // NULL: of no function
    Event event;
    const FindingStep *steps;
    uint32_t step_count;
    bool is_told;      // elsewhere: not sent
    IrRecordId record; // of EV_LEFT_UNSET: the class that the member is in
    const char *field; // and its name there
} HeldEvent;

typedef struct {
    Arena *arena;
    Vec(HeldEvent) events;
    Repeats repeats;
} HeldEvents;

// Copies the event and its path, unless enough events say the same; for EngineSink.on_event,
// `context` being the HeldEvents.
void hold_event(void *context, const IrFunction *fn, const Event *event, const FindingStep *steps,
                uint32_t step_count);
// Those of the events from number `from` on that speak of a member: it is that one.
void hold_member(HeldEvents *held, uint32_t from, IrRecordId record, const char *field);
// The events of users that say what a class's event says are told by that one.
void hold_drop_users(HeldEvents *held, const Event *of_class);
// An event of that kind at that place is held already.
bool hold_has(const HeldEvents *held, EventKind kind, SrcLoc loc);
// Drops what another event of the function says more fully.
void hold_drop_repeats(HeldEvents *held);
// Hands all that is left on, in the order in which it came.
void hold_send(const HeldEvents *held, const EngineSink *sink);

#endif
