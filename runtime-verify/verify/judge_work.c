// SPDX-License-Identifier: MIT
// Judges findings that speak of work in flight.
#include "verify/judge_p.h"

#include <inttypes.h>
#include <string.h>

bool judge_pending(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->type != RECORD_RELEASE || record->pending.len == 0) continue;
        if (!trial_goes_through(trial, record, finding->file, finding->line)) continue;
        *verdict = trial_confirms(trial, record,
                                  arena_printf(trial->arena,
                                               "work on stream 0x%" PRIx64
                                               " was unfinished when %s was called",
                                               record->pending.items[0].stream, record->function));
        return true;
    }
    return false;
}

bool judge_unordered(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (record->unordered.len == 0) continue;
        if (!trial_goes_through(trial, record, finding->file, finding->line)) continue;
        *verdict = trial_confirms(
            trial, record,
            arena_printf(trial->arena,
                         "nothing orders %s behind call %" PRIu64 ", which uses the same memory%s",
                         record->function, record->unordered.items[0], trial_how_it_ended(trial)));
        return true;
    }
    return false;
}

bool judge_unrecorded(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        if (!record->names_unrecorded_event) continue;
        if (!trial_goes_through(trial, record, finding->file, finding->line)) continue;
        *verdict = trial_confirms(
            trial, record,
            arena_printf(trial->arena, "%s was given an event never recorded", record->function));
        return true;
    }
    return false;
}

// ---- faults ----

// The first record from `*at` on that tells of a faulting kernel launched on the line; NULL: none.
static const Record *find_fault(Trial *trial, const char *file, int line)
{
    const Recording *recording = trial->story.recording;
    bool is_launched = false;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        bool tells_launch = record->type == RECORD_LAUNCH || record->type == RECORD_CALL;
        is_launched =
            is_launched || (tells_launch && trial_goes_through(trial, record, file, line));
        bool tells_error = record->type == RECORD_ERROR || record->type == RECORD_END;
        if (is_launched && tells_error && story_is_fault(record->code)) return record;
    }
    return NULL;
}

static const char *fault_text(Trial *trial, const Record *fault)
{
    if (fault->type == RECORD_END)
        return arena_printf(
            trial->arena, "a kernel had faulted (%" PRId64 ") when the process ended", fault->code);
    return arena_printf(trial->arena, "the device faulted: %s returned %" PRId64, fault->function,
                        fault->code);
}

bool judge_fault(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Record *fault = find_fault(trial, finding->file, finding->line);
    if (fault == NULL) return false;
    *verdict = trial_confirms(trial, fault, fault_text(trial, fault));
    return true;
}

bool judge_lost(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    if (finding->steps.len == 0 || trial->exit_code != 0) return false;
    const Place *launch = &finding->steps.items[finding->steps.len - 1];
    const Record *fault = find_fault(trial, launch->file, launch->line);
    if (fault == NULL) return false;
    *verdict = trial_confirms(
        trial, fault,
        arena_printf(trial->arena, "%s, and the exit code is 0", fault_text(trial, fault)));
    return true;
}

// ---- going through a line while work is in flight ----

// The end of a qualified name, without scopes, template arguments and parameters.
static const char *plain_name(const char *name, size_t *len)
{
    const char *start = name;
    int depth = 0;
    for (const char *c = name; *c != '\0' && *c != '('; c++) {
        depth += (*c == '<') - (*c == '>');
        if (depth == 0 && c[0] == ':' && c[1] == ':') start = c + 2;
    }
    *len = strcspn(start, "<(");
    return start;
}

static bool is_same_function(const char *a, const char *b)
{
    size_t a_len, b_len;
    a = plain_name(a, &a_len);
    b = plain_name(b, &b_len);
    return a_len == b_len && strncmp(a, b, a_len) == 0;
}

// The line at which a record's stack is in the finding's function, 0 when it is not.
static int line_in_function(Trial *trial, const Record *record, const CheckedFinding *finding)
{
    const FrameList *frames = trial_frames(trial, record);
    for (uint32_t i = 0; i < frames->len; i++) {
        const Frame *frame = &frames->items[i];
        if (frame->file == NULL || frame->function == NULL) continue;
        if (judge_is_same_file(frame->file, finding->file) &&
            is_same_function(frame->function, finding->function))
            return frame->line;
    }
    return 0;
}

// Did the thread go through the line between two calls that follow each other? `before` and `after` are their
// lines in the function, 0 outside. A call on the line itself comes before or after what else is on it.
static bool goes_between(int before, int after, int line)
{
    if (before == 0 && after == 0) return false;
    if (before == 0) return line <= after;
    if (after == 0) return line >= before;
    if (before < after) return before <= line && line <= after;
    return line >= before || line <= after; // around a loop
}

// The last call not after `n` that queued work on the stream in the step's line; NULL: none.
static const Record *find_work(Trial *trial, const Place *step, const BusyStream *busy)
{
    const Recording *recording = trial->story.recording;
    const Record *found = NULL;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *record = &recording->records.items[i];
        bool is_work = record->type == RECORD_CALL && record->has_stream &&
                       record->stream == busy->stream && record->n <= busy->n;
        if (is_work && trial_goes_through(trial, record, step->file, step->line)) found = record;
    }
    return found;
}

static bool is_passed(Trial *trial, const CheckedFinding *finding, const Record *before,
                      const Record *after, Verdict *verdict)
{
    const Place *step = &finding->steps.items[finding->steps.len - 1];
    int from = line_in_function(trial, before, finding);
    int to = after->stack != 0 ? line_in_function(trial, after, finding) : 0;
    if (!goes_between(from, to, finding->line)) return false;
    for (uint32_t i = 0; i < after->busy.len; i++) {
        const Record *work = find_work(trial, step, &after->busy.items[i]);
        if (work == NULL || work->n > before->n) continue;
        const char *next = after->type == RECORD_END
                               ? "the process ended"
                               : arena_printf(trial->arena, "%s was called", after->function);
        bool is_it = after->busy.items[i].n == work->n;
        *verdict = trial_confirms(
            trial, work,
            arena_printf(trial->arena, "%s of line %d%s was unfinished when, after line %d, %s%s",
                         work->function, step->line, is_it ? "" : ", or work behind it,",
                         finding->line, next, trial_how_it_ended(trial)));
        return true;
    }
    return false;
}

bool judge_passed(Trial *trial, const CheckedFinding *finding, Verdict *verdict)
{
    const Recording *recording = trial->story.recording;
    if (finding->steps.len == 0 || finding->function == NULL) return false;
    for (uint32_t i = 0; i < recording->records.len; i++) {
        const Record *before = &recording->records.items[i];
        if (before->type != RECORD_CALL) continue;
        uint32_t next = i + 1;
        while (next < recording->records.len &&
               (recording->records.items[next].tid != before->tid ||
                (recording->records.items[next].type != RECORD_CALL &&
                 recording->records.items[next].type != RECORD_END)))
            next++;
        if (next == recording->records.len) continue;
        if (is_passed(trial, finding, before, &recording->records.items[next], verdict))
            return true;
    }
    return false;
}
