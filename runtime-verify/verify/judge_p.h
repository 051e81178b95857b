// SPDX-License-Identifier: MIT
// The parts of the judge.
#ifndef RUNTIME_VERIFY_VERIFY_JUDGE_P_H
#define RUNTIME_VERIFY_VERIFY_JUDGE_P_H

#include "verify/judge.h"

// What symptoms.def says of rules.
enum {
    LIVE = 1 << 0,
    AGAIN = 1 << 1,
    WRONG = 1 << 2,
    INSIDE = 1 << 3,
    BORROWED = 1 << 4,
    UNKNOWN = 1 << 5,
    STALE = 1 << 6,
    PENDING = 1 << 7,
    ERROR = 1 << 8,
    CRASH = 1 << 9,
    FAULT = 1 << 10,
    TWICE = 1 << 11,
    COPIES = 1 << 12,
    PASSED = 1 << 13,
    UNORDERED = 1 << 14,
    UNRECORDED = 1 << 15,
    LOST = 1 << 16,
};

// The record's stack, looked up once.
const FrameList *trial_frames(Trial *trial, const Record *record);
// Is the one path the end of the other? Debug information has whole paths, reports relative ones.
bool judge_is_same_file(const char *a, const char *b);
// Does the record's stack go through the line?
bool trial_goes_through(Trial *trial, const Record *record, const char *file, int line);
// "; exit code 2", or "" when it ended with 0.
const char *trial_how_it_ended(const Trial *trial);
// The verdict "confirmed", shown by a record (or NULL).
Verdict trial_confirms(Trial *trial, const Record *record, const char *evidence);

// ---- judge_work.c: work in flight ----

// Work that uses the block was unfinished when it was released on the finding's line.
bool judge_pending(Trial *trial, const CheckedFinding *finding, Verdict *verdict);
// The thread went through the finding's line while the work of its last key step was unfinished.
bool judge_passed(Trial *trial, const CheckedFinding *finding, Verdict *verdict);
// Work queued on the line uses what work of another stream uses, and nothing orders the two.
bool judge_unordered(Trial *trial, const CheckedFinding *finding, Verdict *verdict);
// A call on the line waits for an event that was never recorded.
bool judge_unrecorded(Trial *trial, const CheckedFinding *finding, Verdict *verdict);
// A kernel launched on the line faults.
bool judge_fault(Trial *trial, const CheckedFinding *finding, Verdict *verdict);
// A kernel launched in its last key step faults, and the process ends as if nothing had happened.
bool judge_lost(Trial *trial, const CheckedFinding *finding, Verdict *verdict);

#endif
