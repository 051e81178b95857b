// SPDX-License-Identifier: MIT
// What `cudalint watch` prints.
#include "watch/watch_p.h"

#include <inttypes.h>
#include <string.h>

uint32_t watched_count_leaks(const WatchedList *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        for (uint32_t k = 0; k < list->items[i].leaks.len; k++)
            count += list->items[i].leaks.items[k].count;
    }
    return count;
}

uint32_t watched_count_misuses(const WatchedList *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->len; i++) count += list->items[i].story.misuses.len;
    return count;
}

const char *kind_title(const Life *life)
{
    if (life->resource != NULL) return life->resource->title;
    return life->acquired->resource != NULL ? life->acquired->resource : "resource";
}

const char *place_text(const Reading *reading, const Recording *recording, const Record *record)
{
    FrameList frames = story_frames(reading->arena, reading->symbols, recording, record);
    const Frame *frame = frames_place(&frames);
    if (frame != NULL)
        return arena_printf(reading->arena, "%s (%s:%d)",
                            frame->function != NULL ? frame->function : "?", frame->file,
                            frame->line);
    if (frames.len == 0) return "an unknown place";
    const char *function = frames.items[0].function;
    return arena_printf(reading->arena, "%s (%s)", function != NULL ? function : "?",
                        frames.items[0].module);
}

static void print_frames(FILE *out, const FrameList *frames)
{
    for (uint32_t i = 0; i < frames->len; i++) {
        const Frame *frame = &frames->items[i];
        const char *function = frame->function != NULL ? frame->function : "?";
        if (frame->file != NULL)
            fprintf(out, "    %s %s (%s:%d)\n", i == 0 ? "at" : "by", function, frame->file,
                    frame->line);
        else
            fprintf(out, "    %s %s (%s)\n", i == 0 ? "at" : "by", function, frame->module);
        if (strcmp(function, "main") == 0) return;
    }
}

static void print_leak(FILE *out, const Reading *reading, const Story *story, const LeakSite *site)
{
    FrameList frames =
        story_frames(reading->arena, reading->symbols, story->recording, site->first->acquired);
    fprintf(out, "leak: %" PRIu32 " x %s, %" PRIu64 " bytes, by %s\n", site->count,
            kind_title(site->first), site->bytes, site->first->acquired->function);
    print_frames(out, &frames);
}

static void print_misuse(FILE *out, const Reading *reading, const Story *story,
                         const Misuse *misuse)
{
    const Recording *recording = story->recording;
    FrameList frames = story_frames(reading->arena, reading->symbols, recording, misuse->record);
    const Life *life = misuse->life >= 0 ? &story->lives.items[misuse->life] : NULL;
    fprintf(out, "wrong: %s %s, by %s", life != NULL ? kind_title(life) : "something",
            misuse_text(misuse->kind), misuse->record->function);
    if (misuse->error != 0) fprintf(out, " (which returned %" PRId64 ")", misuse->error);
    fputc('\n', out);
    print_frames(out, &frames);
    if (life != NULL)
        fprintf(out, "    acquired at %s\n", place_text(reading, recording, life->acquired));
    if (life != NULL && misuse->kind == MISUSE_RELEASED_AGAIN && life->ended != NULL)
        fprintf(out, "    released at %s\n", place_text(reading, recording, life->ended));
}

void watch_print(FILE *out, const Reading *reading, const WatchedList *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const Watched *watched = &list->items[i];
        const Story *story = &watched->story;
        if (list->len > 1) fprintf(out, "process %" PRId64 ":\n", story->recording->pid);
        for (uint32_t k = 0; k < watched->leaks.len; k++)
            print_leak(out, reading, story, &watched->leaks.items[k]);
        for (uint32_t k = 0; k < story->misuses.len; k++)
            print_misuse(out, reading, story, &story->misuses.items[k]);
        if (story->crash != NULL)
            fprintf(out, "crash: signal %" PRId64 " at %s\n", story->crash->code,
                    place_text(reading, story->recording, story->crash));
    }
}
