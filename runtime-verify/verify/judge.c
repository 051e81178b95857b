// SPDX-License-Identifier: MIT
// Compares what a run shows with what a finding says.
#include "verify/judge.h"

#include <inttypes.h>
#include <string.h>

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
};

typedef struct {
    const char *rule;
    uint32_t sees;
} Symptom;

static const Symptom symptoms[] = {
#define SYMPTOM(rule, sees) {rule, sees},
#include "verify/symptoms.def"
#undef SYMPTOM
};

Trial trial_new(Arena *arena, Symbols *symbols, const Recording *recording)
{
    uint32_t count = recording->stacks.len + 1;
    return (Trial){.arena = arena,
                   .symbols = symbols,
                   .story = story_tell(arena, symbols, recording),
                   .frames = ARENA_ARRAY(arena, FrameList, count),
                   .has_frames = ARENA_ARRAY(arena, bool, count)};
}

static const FrameList *frames_of(Trial *trial, const Record *record)
{
    uint32_t stack = record->stack <= trial->story.recording->stacks.len ? record->stack : 0;
    if (!trial->has_frames[stack]) {
        trial->frames[stack] =
            story_frames(trial->arena, trial->symbols, trial->story.recording, record);
        trial->has_frames[stack] = true;
    }
    return &trial->frames[stack];
}

// Is the one path the end of the other? Debug information has whole paths, reports relative ones.
static bool is_same_file(const char *a, const char *b)
{
    while (str_starts_with(a, "./") || str_starts_with(a, "../")) a = strchr(a, '/') + 1;
    while (str_starts_with(b, "./") || str_starts_with(b, "../")) b = strchr(b, '/') + 1;
    return path_ends_with(a, b) || path_ends_with(b, a);
}

// Does the record's stack go through the line?
static bool goes_through(Trial *trial, const Record *record, const char *file, int line)
{
    const FrameList *frames = frames_of(trial, record);
    for (uint32_t i = 0; i < frames->len; i++) {
        const Frame *frame = &frames->items[i];
        if (frame->file == NULL) continue;
        // What a destructor does stands on the line of the brace, for the compiler.
        bool is_line = frame->line == line || (i > 0 && frame->line == line + 1);
        if (is_line && is_same_file(frame->file, file)) return true;
    }
    return false;
}

static Verdict confirmed(const char *evidence)
{
    return (Verdict){.kind = VERDICT_CONFIRMED, .evidence = evidence};
}

static Verdict judge_live(Trial *trial, const CheckedFinding *finding)
{
    uint32_t acquired = 0, live = 0;
    uint64_t bytes = 0;
    const char *function = NULL;
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->lives.len; i++) {
        const Life *life = &story->lives.items[i];
        if (!goes_through(trial, life->acquired, finding->acquired_file, finding->acquired_line))
            continue;
        acquired++;
        if (!life_is_leak(life)) continue;
        live++;
        bytes += life->acquired->bytes;
        function = life->acquired->function;
    }
    if (live != 0)
        return confirmed(arena_printf(trial->arena,
                                      "%" PRIu32 " of %" PRIu32
                                      " acquired on line %d by %s live at the end, %" PRIu64
                                      " bytes",
                                      live, acquired, finding->acquired_line, function, bytes));
    if (acquired == 0)
        return (Verdict){.kind = VERDICT_NOT_REACHED,
                         .evidence = arena_printf(trial->arena, "nothing was acquired on line %d",
                                                  finding->acquired_line)};
    return (Verdict){.kind = VERDICT_REFUTED,
                     .evidence =
                         arena_printf(trial->arena, "%" PRIu32 " acquired on line %d, all released",
                                      acquired, finding->acquired_line)};
}

static uint32_t misuse_bit(MisuseKind kind)
{
    switch (kind) {
    case MISUSE_RELEASED_AGAIN:
        return AGAIN;
    case MISUSE_WRONG_RELEASE:
        return WRONG;
    case MISUSE_INSIDE:
        return INSIDE;
    case MISUSE_BORROWED:
        return BORROWED;
    case MISUSE_UNKNOWN:
        return UNKNOWN;
    case MISUSE_STALE:
        return STALE;
    case MISUSE_IN_FLIGHT:
        return PENDING;
    }
    return 0;
}

static bool judge_misuses(Trial *trial, const CheckedFinding *finding, uint32_t sees,
                          Verdict *verdict)
{
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->misuses.len; i++) {
        const Misuse *misuse = &story->misuses.items[i];
        if ((misuse_bit(misuse->kind) & sees) == 0) continue;
        if (!goes_through(trial, misuse->record, finding->file, finding->line)) continue;
        const char *result =
            misuse->error != 0
                ? arena_printf(trial->arena, ", which returned %" PRId64, misuse->error)
                : "";
        *verdict = confirmed(arena_printf(trial->arena, "%s by %s%s", misuse_text(misuse->kind),
                                          misuse->record->function, result));
        return true;
    }
    return false;
}

static bool judge_pending(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->type != RECORD_RELEASE || record->pending.len == 0) continue;
        if (!goes_through(trial, record, finding->file, finding->line)) continue;
        *verdict = confirmed(arena_printf(
            trial->arena, "work on stream 0x%" PRIx64 " was unfinished when %s was called",
            record->pending.items[0].stream, record->function));
        return true;
    }
    return false;
}

static bool judge_errors(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->errors.len; i++) {
        const Record *error = story->errors.items[i];
        if (!goes_through(trial, error, finding->file, finding->line)) continue;
        *verdict = confirmed(
            arena_printf(trial->arena, "%s returned %" PRId64, error->function, error->code));
        return true;
    }
    return false;
}

// Errors that end a context: every call after a faulting kernel returns one.
static bool is_fault(int64_t code)
{
    return code == 700 || (code >= 714 && code <= 719);
}

static bool judge_fault(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    const Record *launch = NULL;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->type == RECORD_LAUNCH || record->type == RECORD_CALL) {
            if (goes_through(trial, record, finding->file, finding->line)) launch = record;
        }
        if (launch == NULL || record->type != RECORD_ERROR || !is_fault(record->code)) continue;
        *verdict = confirmed(arena_printf(trial->arena, "the device faulted: %s returned %" PRId64,
                                          record->function, record->code));
        return true;
    }
    return false;
}

static bool judge_crash(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Record *crash = trial->story.crash;
    if (crash == NULL || !goes_through(trial, crash, finding->file, finding->line)) return false;
    *verdict = confirmed(
        arena_printf(trial->arena, "signal %" PRId64 " ended the process there", crash->code));
    return true;
}

// Did any call on the finding's line get recorded?
static bool is_reached(Trial *trial, const CheckedFinding *finding)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->stack != 0 && goes_through(trial, record, finding->file, finding->line))
            return true;
    }
    return false;
}

static Verdict judge_by_symptom(Trial *trial, const CheckedFinding *finding)
{
    uint32_t sees = 0;
    for (size_t i = 0; i < sizeof symptoms / sizeof *symptoms; i++) {
        if (strcmp(symptoms[i].rule, finding->rule) == 0) sees = symptoms[i].sees;
    }
    if (sees == 0)
        return (Verdict){.kind = VERDICT_NO_SYMPTOM,
                         .evidence = "the rule claims nothing that a run could show"};
    if ((sees & LIVE) != 0) return judge_live(trial, finding);
    Verdict verdict;
    if (judge_misuses(trial, finding, sees, &verdict)) return verdict;
    if ((sees & PENDING) != 0 && judge_pending(trial, finding, &verdict)) return verdict;
    if ((sees & ERROR) != 0 && judge_errors(trial, finding, &verdict)) return verdict;
    if ((sees & CRASH) != 0 && judge_crash(trial, finding, &verdict)) return verdict;
    if ((sees & FAULT) != 0 && judge_fault(trial, finding, &verdict)) return verdict;
    if (is_reached(trial, finding))
        return (Verdict){.kind = VERDICT_REFUTED,
                         .evidence = "the line was reached, and nothing was wrong there"};
    return (Verdict){.kind = VERDICT_NOT_REACHED, .evidence = "no call on that line was recorded"};
}

static Verdict not_simulated(const Trial *trial)
{
    return (Verdict){.kind = VERDICT_NOT_RUN,
                     .evidence = arena_printf(trial->arena, "the simulator does not know %s",
                                              trial->story.unsupported->function)};
}

Verdict judge_finding(Trial *trial, const CheckedFinding *finding)
{
    Verdict verdict = judge_by_symptom(trial, finding);
    bool is_certain = verdict.kind == VERDICT_CONFIRMED || verdict.kind == VERDICT_NO_SYMPTOM;
    return is_certain || trial->story.unsupported == NULL ? verdict : not_simulated(trial);
}

Verdict judge_clean(Trial *trial, uint32_t live)
{
    if (trial->story.unsupported != NULL) return not_simulated(trial);
    const Story *story = &trial->story;
    uint32_t leaks = 0;
    const Life *last = NULL;
    for (uint32_t i = 0; i < story->lives.len; i++) {
        if (!life_is_leak(&story->lives.items[i])) continue;
        leaks++;
        last = &story->lives.items[i];
    }
    Verdict bad = {.kind = VERDICT_NOT_CLEAN};
    if (story->misuses.len != 0)
        bad.evidence =
            arena_printf(trial->arena, "%s by %s", misuse_text(story->misuses.items[0].kind),
                         story->misuses.items[0].record->function);
    else if (story->crash != NULL)
        bad.evidence = arena_printf(trial->arena, "ended by signal %" PRId64, story->crash->code);
    else if (leaks > live)
        bad.evidence = arena_printf(trial->arena, "%" PRIu32 " live at the end, the last by %s",
                                    leaks, last->acquired->function);
    else if (leaks < live)
        bad.evidence = arena_printf(
            trial->arena, "%" PRIu32 " live at the end, where %" PRIu32 " were to be", leaks, live);
    if (bad.evidence != NULL) return bad;
    return (Verdict){.kind = VERDICT_CLEAN,
                     .evidence = live == 0 ? "everything was released, nothing wrongly"
                                           : "only what may be live at the end is"};
}

static int rank(VerdictKind kind)
{
    switch (kind) {
    case VERDICT_CONFIRMED:
    case VERDICT_NOT_CLEAN:
        return 4;
    case VERDICT_REFUTED:
    case VERDICT_CLEAN:
        return 3;
    case VERDICT_NOT_REACHED:
    case VERDICT_NO_SYMPTOM:
        return 2;
    case VERDICT_TIMEOUT:
    case VERDICT_NOT_RUN:
    case VERDICT_NOT_BUILT:
    case VERDICT_NO_GPU:
        return 1;
    case VERDICT_NONE:
        return 0;
    }
    return 0;
}

Verdict verdict_better(Verdict a, Verdict b)
{
    return rank(b.kind) > rank(a.kind) ? b : a;
}
