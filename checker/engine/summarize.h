// SPDX-License-Identifier: MIT
// Computing summaries from finished searches, and applying them at calls. Private to engine/.
#ifndef CUDALINT_ENGINE_SUMMARIZE_H
#define CUDALINT_ENGINE_SUMMARIZE_H

#include "engine/search.h"

// What becomes of what a caller's place held.
typedef enum {
    FATE_RELEASED,
    FATE_RETURNED,
    FATE_KEPT,
    FATE_LOST,
    FATE_UNSURE,
    FATE_UNTOUCHED,
    FATE_COUNT
} FateKind;

// The location as a caller sees it; false when no caller can.
bool summarize_path(const EngineFn *ef, LocId loc, SummaryPath *path);
// Adds what the finished search of an acquiring site says: which outcomes hand the resource to the
// caller, and where.
void summarize_acquisition(Arena *arena, EngineFn *ef, const Site *site, Summary *summary);
// Adds what the finished search of a SITE_ENTRY says about the caller's resource.
void summarize_entry(Arena *arena, EngineFn *ef, const Site *site, Summary *summary);
// Adds which arguments lead to memory that is written in ways of which no effect tells.
void summarize_untold(EngineFn *ef, Summary *summary);

// ---- apply_summary.c ----
// The location a path names at this call; IR_NONE: a value, or nothing of ours.
LocId engine_place_at_call(EngineFn *ef, State *state, const CallSite *site,
                           const SummaryPath *path);
// The arguments of this call allow the effect; narrows them to those that do.
bool engine_allow_effect(EngineFn *ef, State *state, const CallSite *site,
                         const SummaryEffect *effect);
// The call's result must be of one of the outcomes; false when it cannot be.
bool engine_restrict_result(EngineFn *ef, State *state, CallSite *site, uint32_t outcomes);
// Tells of the call, and what happens in it at `effect`.
void engine_remark_effect(EngineFn *ef, State *state, const CallSite *site,
                          const SummaryEffect *effect, const char *text);

// ---- apply_fate.c ----
// What a callee's summary says of the place where the tracked resource is.
typedef struct {
    const SummaryEffect *of[FATE_COUNT]; // NULL: never
    const SummaryEffect *mark;  // SE_MAY_KEEP, which says that the callee was looked at; or NULL
    const SummaryEffect *shift; // SE_SHIFT or NULL
    bool is_complete;           // these are all the fates that there are
} Fates;

// No value is in both ranges.
bool engine_are_apart(const Range *a, const Range *b);
Fates engine_fates_of(const Summary *summary, const SummaryPath *path);
// The resource lies where the callee was looked at. Outcomes and arguments with different fates part
// ways here.
void engine_meet_fates(EngineFn *ef, State *state, CallSite *site, const Fates *fates,
                       uint32_t possible);
// Adds what of the caller's the function only hands on.
void summarize_handed_on(Arena *arena, EngineFn *ef, Summary *summary);

// ---- summarize_object.c ----
// The place lies in the object that the function returns by value.
bool summarize_object_path(const EngineFn *ef, const Exit *exit, LocId holder, SummaryPath *path);
// Adds to the effect what the other fields of that object tell of it. False: they tell of it in a
// way that has no words, as a size does that is 0 where there is nothing.
bool summarize_object(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect);
// Adds what numbers tell of it that the function leaves in globals and in its caller's objects.
void summarize_left(Arena *arena, EngineFn *ef, const Exit *exit, SummaryEffect *effect);

#endif
