// SPDX-License-Identifier: MIT
// Compares what a run shows with what a finding says.
#include "verify/judge_p.h"

#include <inttypes.h>
#include <string.h>

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
                   .exit_code = -1,
                   .frames = ARENA_ARRAY(arena, FrameList, count),
                   .has_frames = ARENA_ARRAY(arena, bool, count)};
}

const FrameList *trial_frames(Trial *trial, const Record *record)
{
    uint32_t stack = record->stack <= trial->story.recording->stacks.len ? record->stack : 0;
    if (!trial->has_frames[stack]) {
        trial->frames[stack] =
            story_frames(trial->arena, trial->symbols, trial->story.recording, record);
        trial->has_frames[stack] = true;
    }
    return &trial->frames[stack];
}

bool judge_is_same_file(const char *a, const char *b)
{
    while (str_starts_with(a, "./") || str_starts_with(a, "../")) a = strchr(a, '/') + 1;
    while (str_starts_with(b, "./") || str_starts_with(b, "../")) b = strchr(b, '/') + 1;
    return path_ends_with(a, b) || path_ends_with(b, a);
}

bool trial_goes_through(Trial *trial, const Record *record, const char *file, int line)
{
    const FrameList *frames = trial_frames(trial, record);
    for (uint32_t i = 0; i < frames->len; i++) {
        const Frame *frame = &frames->items[i];
        if (frame->file == NULL) continue;
        // What a destructor does stands on the line of the brace, for the compiler.
        bool is_line = frame->line == line || (i > 0 && frame->line == line + 1);
        if (is_line && judge_is_same_file(frame->file, file)) return true;
    }
    return false;
}

const char *trial_how_it_ended(const Trial *trial)
{
    return trial->ending != NULL ? arena_printf(trial->arena, "; %s", trial->ending) : "";
}

Verdict trial_confirms(Trial *trial, const Record *record, const char *evidence)
{
    return (Verdict){.kind = VERDICT_CONFIRMED,
                     .evidence = evidence,
                     .frames = record != NULL ? *trial_frames(trial, record) : (FrameList){0}};
}

static Verdict judge_acquired(Trial *trial, const CheckedFinding *finding)
{
    uint32_t acquired = 0, live = 0;
    uint64_t bytes = 0;
    const Record *last = NULL;
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->lives.len; i++) {
        const Life *life = &story->lives.items[i];
        if (!trial_goes_through(trial, life->acquired, finding->acquired_file,
                                finding->acquired_line))
            continue;
        acquired++;
        if (!life_is_leak(life)) continue;
        live++;
        bytes += life->acquired->bytes;
        last = life->acquired;
    }
    if (live != 0)
        return trial_confirms(
            trial, last,
            arena_printf(trial->arena,
                         "%" PRIu32 " of %" PRIu32
                         " acquired on line %d by %s live at the end, %" PRIu64 " bytes",
                         live, acquired, finding->acquired_line, last->function, bytes));
    if (acquired == 0)
        return (Verdict){.kind = VERDICT_NOT_REACHED,
                         .evidence = arena_printf(trial->arena, "nothing was acquired on line %d",
                                                  finding->acquired_line)};
    return (Verdict){.kind = VERDICT_REFUTED,
                     .evidence =
                         arena_printf(trial->arena, "%" PRIu32 " acquired on line %d, all released",
                                      acquired, finding->acquired_line)};
}

// What the finding speaks of is acquired at its first key step, or where it stands itself.
static Verdict judge_live(Trial *trial, const CheckedFinding *finding)
{
    Verdict verdict = judge_acquired(trial, finding);
    if (verdict.kind != VERDICT_NOT_REACHED || finding->acquired_line == finding->line)
        return verdict;
    CheckedFinding here = *finding;
    here.acquired_file = finding->file;
    here.acquired_line = finding->line;
    Verdict second = judge_acquired(trial, &here);
    return second.kind != VERDICT_NOT_REACHED ? second : verdict;
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
        if (!trial_goes_through(trial, misuse->record, finding->file, finding->line)) continue;
        const char *result =
            misuse->error != 0
                ? arena_printf(trial->arena, ", which returned %" PRId64, misuse->error)
                : "";
        *verdict =
            trial_confirms(trial, misuse->record,
                           arena_printf(trial->arena, "%s by %s%s", misuse_text(misuse->kind),
                                        misuse->record->function, result));
        return true;
    }
    return false;
}

// What the finding's line released is released or used once more.
static bool judge_again(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->misuses.len; i++) {
        const Misuse *misuse = &story->misuses.items[i];
        bool is_again = misuse->kind == MISUSE_RELEASED_AGAIN || misuse->kind == MISUSE_STALE;
        if (!is_again || misuse->life < 0) continue;
        const Record *ended = story->lives.items[misuse->life].ended;
        if (ended == NULL || !trial_goes_through(trial, ended, finding->file, finding->line))
            continue;
        *verdict =
            trial_confirms(trial, misuse->record,
                           arena_printf(trial->arena, "what was released there was %s by %s",
                                        misuse_text(misuse->kind), misuse->record->function));
        return true;
    }
    return false;
}

static bool judge_crash(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Record *crash = trial->story.crash;
    if (crash == NULL || !trial_goes_through(trial, crash, finding->file, finding->line))
        return false;
    *verdict = trial_confirms(
        trial, crash,
        arena_printf(trial->arena, "signal %" PRId64 " ended the process there", crash->code));
    return true;
}

// On the line of a key step something is released that was released before, or the process dies there.
static bool judge_copies(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        CheckedFinding step = *finding;
        step.file = finding->steps.items[i].file;
        step.line = finding->steps.items[i].line;
        if (judge_misuses(trial, &step, AGAIN, verdict)) return true;
        if (judge_crash(trial, &step, verdict)) return true;
    }
    return false;
}

static bool judge_errors(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Story *story = &trial->story;
    for (uint32_t i = 0; i < story->errors.len; i++) {
        const Record *error = story->errors.items[i];
        if (!trial_goes_through(trial, error, finding->file, finding->line)) continue;
        *verdict =
            trial_confirms(trial, error,
                           arena_printf(trial->arena, "%s returned %" PRId64 "%s", error->function,
                                        error->code, trial_how_it_ended(trial)));
        return true;
    }
    return false;
}

// Did any call on the finding's line get recorded?
static bool is_reached(Trial *trial, const CheckedFinding *finding)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->stack != 0 && trial_goes_through(trial, record, finding->file, finding->line))
            return true;
    }
    return false;
}

static uint32_t symptoms_of(const char *rule)
{
    for (size_t i = 0; i < sizeof symptoms / sizeof *symptoms; i++) {
        if (strcmp(symptoms[i].rule, rule) == 0) return symptoms[i].sees;
    }
    return 0;
}

// Is one of the things seen that would confirm it?
static bool is_seen(Trial *trial, const CheckedFinding *finding, uint32_t sees, Verdict *verdict)
{
    typedef bool Judge(Trial *, const CheckedFinding *, Verdict *);
    static const struct {
        uint32_t bit;
        Judge *judge;
    } judges[] = {{TWICE, judge_again},         {COPIES, judge_copies},
                  {PENDING, judge_pending},     {PASSED, judge_passed},
                  {UNORDERED, judge_unordered}, {UNRECORDED, judge_unrecorded},
                  {ERROR, judge_errors},        {CRASH, judge_crash},
                  {FAULT, judge_fault},         {LOST, judge_lost}};
    if (judge_misuses(trial, finding, sees, verdict)) return true;
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        if ((sees & judges[i].bit) != 0 && judges[i].judge(trial, finding, verdict)) return true;
    }
    return false;
}

static Verdict judge_by_symptom(Trial *trial, const CheckedFinding *finding)
{
    Verdict verdict;
    uint32_t sees = symptoms_of(finding->rule);
    if (sees == 0)
        return (Verdict){.kind = VERDICT_NO_SYMPTOM,
                         .evidence = "the rule claims nothing that a run could show"};
    if ((sees & LIVE) != 0) return judge_live(trial, finding);
    if (is_seen(trial, finding, sees, &verdict)) return verdict;
    if (finding->is_note)
        return (Verdict){.kind = VERDICT_NO_SYMPTOM,
                         .evidence = "advice: this run did not do what it warns of"};
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
        bad.evidence = arena_printf(trial->arena, "%" PRIu32 " live at the end, the last by %s%s",
                                    leaks, last->acquired->function, trial_how_it_ended(trial));
    else if (leaks < live)
        bad.evidence = arena_printf(
            trial->arena, "%" PRIu32 " live at the end, where %" PRIu32 " were to be", leaks, live);
    const Record *shown = story->misuses.len != 0 ? story->misuses.items[0].record : story->crash;
    if (shown == NULL && last != NULL) shown = last->acquired;
    if (shown != NULL) bad.frames = *trial_frames(trial, shown);
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
