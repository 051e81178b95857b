// SPDX-License-Identifier: MIT
// Judge: does a run show what a finding says?
#ifndef RUNTIME_VERIFY_VERIFY_JUDGE_H
#define RUNTIME_VERIFY_VERIFY_JUDGE_H

#include "read/story.h"
#include "verify/findings.h"

// One process of one run, ready to be asked. Frames of stacks are looked up once.
typedef struct {
    Arena *arena;
    Symbols *symbols;
    Story story;
    int exit_code;      // of the process; -1: not known, or a signal ended it
    const char *ending; // how it ended, if not with exit code 0; or NULL
    FrameList *frames;  // by number of the stack
    bool *has_frames;
} Trial;

Trial trial_new(Arena *arena, Symbols *symbols, const Recording *recording);

// Judges by one run: confirmed, refuted (the place was reached and nothing was wrong), not
// reached, or no symptom. Evidence is allocated in the trial's arena.
Verdict judge_finding(Trial *trial, const CheckedFinding *finding);

// Judges a run in which nothing may be wrong, except that `live` things may be live at the end.
Verdict judge_clean(Trial *trial, uint32_t live);

// Of two verdicts of one finding by different runs, the one that says more.
Verdict verdict_better(Verdict a, Verdict b);

#endif
