// SPDX-License-Identifier: MIT
// Judging a site's candidates once all its paths are known, and handing the survivors on as events:
// one per kind of defect and place, one for all exits on which the resource is lost.
#include "engine/doubt.h"

#include <stdlib.h>

static int compare_locs(SrcLoc a, SrcLoc b)
{
    int files = a.file == b.file ? 0 : strcmp(a.file ? a.file : "", b.file ? b.file : "");
    if (files != 0) return files;
    if (a.line != b.line) return a.line < b.line ? -1 : 1;
    return a.column == b.column ? 0 : a.column < b.column ? -1 : 1;
}

static bool is_leak(const Event *event)
{
    return event->kind == EV_LEAK_AT_EXIT || event->kind == EV_OVERWRITE;
}

// The function's own behaviour must bear the candidate out.
static bool is_borne_out(const Site *site, const Candidate *candidate)
{
    // A loop that releases the elements of an array runs over those that exist.
    if (is_leak(&candidate->event) && engine_is_in_doubt(site, candidate->doubt)) return false;
    bool discharged = (candidate->left_loops & site->released_in) != 0;
    if (candidate->needs_no_record && site->is_recorded) return false;
    return !discharged && (site->believed || !candidate->needs_belief) &&
           (site->released || !candidate->needs_release);
}

#define LOSS_GROUPS 4
#define MAX_STEPS 100  // of a path that is shown whole
#define SHOWN_STEPS 40 // else: at its beginning, and at its end

// Which finding a loss becomes part of.
static int loss_group(const Event *event)
{
    if (event->kind == EV_LEAK_AT_EXIT && event->exit == EXIT_THROW) return 0;
    return event->in_loop ? 1 : event->kind == EV_OVERWRITE ? 2 : 3;
}

// What the path ends with.
static const char *last_words(Arena *arena, const Event *event)
{
    switch (event->kind) {
    case EV_LEAK_AT_EXIT:
        if (event->exit == EXIT_THROW)
            return arena_printf(arena, "an exception leaves the function; '%s' is lost",
                                event->name);
        if (event->exit == EXIT_SCOPE && event->callee != NULL)
            return arena_printf(arena, "'%s' ends the last holder of '%s' here", event->callee,
                                event->name);
        if (event->exit == EXIT_SCOPE)
            return arena_printf(arena, "the last holder of '%s' ends here", event->name);
        return arena_printf(arena, "returns here without releasing '%s'", event->name);
    case EV_OVERWRITE:
        return arena_printf(arena, "the last holder of '%s' is overwritten here", event->name);
    case EV_DOUBLE_RELEASE:
        return arena_printf(arena, "'%s' is released again here", event->name);
    case EV_USE_AFTER_RELEASE:
        return arena_printf(arena, "'%s' is used here", event->name);
    case EV_WRONG_RELEASE:
    case EV_OFFSET_RELEASE:
    case EV_UNINITIALIZED_RELEASE:
    case EV_BORROWED_RELEASE:
        return arena_printf(arena, "'%s' is passed to '%s' here", event->name, event->callee);
    case EV_RELEASE_IN_FLIGHT:
        return arena_printf(arena, "'%s' is released here by '%s'", event->name, event->callee);
    case EV_HOST_ACCESS_IN_FLIGHT:
    case EV_BUFFER_REUSED:
        return arena_printf(arena, "'%s' is %s here", event->name,
                            event->access_writes ? "written" : "read");
    case EV_HOST_DEREF:
        return arena_printf(arena, "'%s' is %s by the host here", event->name,
                            event->access_writes ? "written" : "read");
    case EV_BEYOND_BLOCK:
        return arena_printf(arena, "'%s' is %s beyond its end here", event->name,
                            event->access_writes ? "written" : "read");
    case EV_COPY_DIRECTION:
        return arena_printf(arena, "'%s' is copied %s here", event->name,
                            event->access_writes ? "to" : "from");
    case EV_LEFT_UNSET:
        return arena_printf(arena, "returns here; others can still reach '%s'", event->name);
    case EV_BUFFER_ENDS:
        if (event->refit_by)
            return arena_printf(arena, "the elements of '%s' may lie elsewhere from here on",
                                event->name);
        return arena_printf(arena, "'%s' ends here", event->name);
    case EV_STREAM_ORDER:
    case EV_EVENT_NOT_READY:
    case EV_EVENT_UNRECORDED:
        return arena_printf(arena, "'%s' is used here", event->name);
    case EV_ERROR_LOST:
    case EV_BAD_ARGUMENT:
    case EV_SIZE_OF_POINTER:
    case EV_MEMBER_LEAK:
    case EV_DANGLING:
    case EV_COPYABLE_OWNER:
    case EV_OWNER_TO_KERNEL:
    case EV_COUNT:
        break;
    }
    return arena_printf(arena, "'%s' is passed here", event->name);
}

// Of all work that was queued on the way, the one that the event speaks of.
static bool tells(const Event *event, const PathNode *node)
{
    return !node->of_work ||
           (loc_is_valid(event->work_at) && compare_locs(event->work_at, node->step.loc) == 0);
}

// What the message speaks of: it is shown wherever on the path it is.
static bool is_spoken_of(const Event *event, SrcLoc loc)
{
    return compare_locs(loc, event->acquired_at) == 0 ||
           compare_locs(loc, event->released_at) == 0 || compare_locs(loc, event->work_at) == 0;
}

// Of a path that is longer than anybody reads: how it begins and ends, and between what the message speaks of.
static uint32_t shorten(EngineFn *ef, const Event *event, FindingStep *steps, uint32_t count)
{
    if (count <= MAX_STEPS) return count;
    uint32_t kept = 0, left_out = 0;
    FindingStep *gap = NULL;
    for (uint32_t i = 0; i < count; i++) {
        bool is_middle = i >= SHOWN_STEPS && i < count - SHOWN_STEPS;
        if (is_middle && !(kept < MAX_STEPS - SHOWN_STEPS && is_spoken_of(event, steps[i].loc))) {
            if (left_out++ > 0) continue;
            gap = &steps[kept];
        }
        steps[kept++] = steps[i];
    }
    gap->text = arena_printf(ef->space.arena, "(%u steps are left out)", (unsigned)left_out);
    return kept;
}

static void send(EngineFn *ef, const Candidate *candidate, const Event *event, EngineSink sink)
{
    uint32_t count = 0;
    for (const PathNode *node = candidate->path; node; node = node->parent)
        count += tells(event, node);
    FindingStep *steps = ARENA_ARRAY(ef->space.arena, FindingStep, count + 1);
    uint32_t at = count;
    for (const PathNode *node = candidate->path; node; node = node->parent)
        if (tells(event, node)) steps[--at] = node->step;
    count = shorten(ef, event, steps, count);
    steps[count] = (FindingStep){.loc = event->loc, .text = last_words(ef->space.arena, event)};
    sink.on_event(sink.context, ef->fn, event, steps, count + 1);
}

static int compare_places(const void *a, const void *b)
{
    const Candidate *x = *(const Candidate *const *)a, *y = *(const Candidate *const *)b;
    int places = compare_locs(x->event.loc, y->event.loc);
    // Of one place the candidate found first: they lie in one array.
    return places != 0 ? places : x < y ? -1 : 1;
}

// The loss to show of a group: the first in the source; others are counted.
static void send_group(EngineFn *ef, Site *site, int group, EngineSink sink)
{
    const Candidate **losses =
        ARENA_ARRAY(ef->space.arena, const Candidate *, site->candidates.len + 1);
    uint32_t count = 0, exits = 1;
    for (uint32_t i = 0; i < site->candidates.len; i++) {
        const Candidate *candidate = &site->candidates.items[i];
        if (is_leak(&candidate->event) && loss_group(&candidate->event) == group &&
            is_borne_out(site, candidate))
            losses[count++] = candidate;
    }
    qsort(losses, count, sizeof losses[0], compare_places);
    Event event = losses[0]->event;
    for (uint32_t i = 1; i < count; i++) {
        if (compare_locs(losses[i - 1]->event.loc, losses[i]->event.loc) == 0) continue;
        if (exits++ == 1) event.other_exit = losses[i]->event.loc;
    }
    event.released_elsewhere = site->released;
    event.handed_over_elsewhere = site->handed_over;
    event.exit_count = exits;
    send(ef, losses[0], &event, sink);
}

// Where nothing ever releases the resource, one finding says it all: the loss that comes round a
// loop, else the overwrite, else the exit.
static void send_losses(EngineFn *ef, Site *site, EngineSink sink)
{
    bool has[LOSS_GROUPS] = {false}, sent = false;
    for (uint32_t i = 0; i < site->candidates.len; i++) {
        const Candidate *candidate = &site->candidates.items[i];
        if (is_leak(&candidate->event) && is_borne_out(site, candidate))
            has[loss_group(&candidate->event)] = true;
    }
    for (int group = 1; group < LOSS_GROUPS; group++) {
        if (!has[group] || (sent && !site->released)) continue;
        send_group(ef, site, group, sink);
        sent = true;
    }
    if (has[0] && (site->released || !sent)) send_group(ef, site, 0, sink);
}

// At the same place; of work in flight: about the same work.
static bool is_same_defect(const Event *a, const Event *b)
{
    if (loc_is_valid(a->work_at)) return compare_locs(a->work_at, b->work_at) == 0;
    return compare_locs(a->loc, b->loc) == 0;
}

// Both tell of one work in flight, and the other is no mere matter of trust in the driver.
static bool is_graver(const Event *other, const Event *event)
{
    return loc_is_valid(event->work_at) && event->driver_waits && !other->driver_waits &&
           compare_locs(other->work_at, event->work_at) == 0;
}

void engine_deliver(EngineFn *ef, Site *site, EngineSink sink)
{
    send_losses(ef, site, sink);
    for (uint32_t i = 0; i < site->candidates.len; i++) {
        const Candidate *candidate = &site->candidates.items[i];
        if (is_leak(&candidate->event) || !is_borne_out(site, candidate)) continue;
        bool seen = false;
        for (uint32_t j = 0; j < site->candidates.len && !seen; j++) {
            const Event *other = &site->candidates.items[j].event;
            seen = is_graver(other, &candidate->event);
        }
        for (uint32_t j = 0; j < i && !seen; j++) {
            const Event *before = &site->candidates.items[j].event;
            seen =
                before->kind == candidate->event.kind && is_same_defect(before, &candidate->event);
        }
        if (!seen) send(ef, candidate, &candidate->event, sink);
    }
}
