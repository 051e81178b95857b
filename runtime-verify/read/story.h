// SPDX-License-Identifier: MIT
// Story: a recording replayed. What lived how long, what was done wrongly, what is live at the end.
#ifndef RUNTIME_VERIFY_READ_STORY_H
#define RUNTIME_VERIFY_READ_STORY_H

#include "read/recording.h"
#include "read/symbols.h"
#include "record/api.h"

typedef enum {
    FATE_LIVE,     // never released
    FATE_RELEASED, // by a call
    FATE_RESET,    // with its device
    FATE_REPLACED, // something else got its handle: it went in a way that was not seen
} Fate;

typedef struct {
    const Record *acquired;
    const ApiResource *resource; // NULL: a kind that the models do not know
    Fate fate;
    const Record *ended; // the call that ended it, or NULL
    bool is_internal; // acquired by the runtime for itself, or by a library for a handle that leaks
} Life;

typedef enum {
    MISUSE_RELEASED_AGAIN, // released before
    MISUSE_WRONG_RELEASE,  // by a function for another kind
    MISUSE_INSIDE,         // not at its start
    MISUSE_BORROWED,       // lent
    MISUSE_UNKNOWN,        // never acquired
    MISUSE_STALE,          // used by work or a call after its release
    MISUSE_IN_FLIGHT,      // released while work that uses it was running, and it may not be
} MisuseKind;

typedef struct {
    MisuseKind kind;
    const Record *record; // the release or use
    int64_t life;         // index of the life that it speaks of, or -1
    int64_t error;        // code that the call returned, 0: none
} Misuse;

typedef struct {
    const Recording *recording;
    Vec(Life) lives;
    Vec(Misuse) misuses;
    Vec(const Record *) errors; // failed calls that are no misuses
    Vec(const Record *) injected;
    const Record *crash;       // or NULL
    const Record *unsupported; // a function that the simulator does not know, or NULL
} Story;

// Allocated in `arena`; borrows the recording.
Story story_tell(Arena *arena, Symbols *symbols, const Recording *recording);

// The frames of a record's stack, innermost first, from the program's own call on: those of the
// recorder, CUPTI, the driver and the runtime are left out.
FrameList story_frames(Arena *arena, Symbols *symbols, const Recording *recording,
                       const Record *record);
// The first frame that has a line, or NULL.
const Frame *frames_place(const FrameList *frames);

// Is it an error that ends a context? Every call after a faulting kernel returns one.
bool story_is_fault(int64_t code);
// Is this life a leak, if the process ends now?
bool life_is_leak(const Life *life);
const char *misuse_text(MisuseKind kind);

#endif
