// SPDX-License-Identifier: MIT
// The page that `cudalint watch --html` writes.
#include "output/html.h"
#include "watch/watch_p.h"

#include <inttypes.h>

static void put_leaks(FILE *out, const Reading *reading, const Watched *watched)
{
    if (watched->leaks.len == 0) {
        fputs("<p class=\"good\">Nothing leaked.</p>\n", out);
        return;
    }
    fputs("<table><tr><th>Count</th><th>Bytes</th><th>What</th><th>Acquired at</th></tr>\n", out);
    for (uint32_t i = 0; i < watched->leaks.len; i++) {
        const LeakSite *site = &watched->leaks.items[i];
        FrameList frames = story_frames(reading->arena, reading->symbols, watched->story.recording,
                                        site->first->acquired);
        fprintf(out, "<tr><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu64 "</td><td>",
                site->count, site->bytes);
        html_text(out, kind_title(site->first));
        fputs(" by <code>", out);
        html_text(out, site->first->acquired->function);
        fputs("</code></td><td>", out);
        html_frames(out, &frames);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void put_misuses(FILE *out, const Reading *reading, const Story *story)
{
    if (story->misuses.len == 0) {
        fputs("<p class=\"good\">No wrong release and no use of anything released.</p>\n", out);
        return;
    }
    fputs("<table><tr><th>What</th><th>Where</th><th>Acquired at</th></tr>\n", out);
    for (uint32_t i = 0; i < story->misuses.len; i++) {
        const Misuse *misuse = &story->misuses.items[i];
        const Life *life = misuse->life >= 0 ? &story->lives.items[misuse->life] : NULL;
        FrameList frames =
            story_frames(reading->arena, reading->symbols, story->recording, misuse->record);
        fputs("<tr><td>", out);
        html_printf(out, "%s %s by %s", life != NULL ? kind_title(life) : "something",
                    misuse_text(misuse->kind), misuse->record->function);
        if (misuse->error != 0) html_printf(out, ", which returned %" PRId64, misuse->error);
        fputs("</td><td>", out);
        html_frames(out, &frames);
        fputs("</td><td>", out);
        if (life != NULL) html_text(out, place_text(reading, story->recording, life->acquired));
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void put_process(FILE *out, const Reading *reading, const Watched *watched)
{
    const Recording *recording = watched->story.recording;
    fputs("<h2>", out);
    html_printf(out, "Process %" PRId64, recording->pid);
    fputs("</h2>\n<p>", out);
    for (uint32_t i = 0; i < recording->devices.len; i++) {
        const char *name = recording->devices.items[i].name;
        html_printf(out, "Device %d: %s. ", recording->devices.items[i].number,
                    name != NULL ? name : "?");
    }
    html_printf(out, "%s, driver %" PRId64 ".", recording->time != NULL ? recording->time : "",
                recording->driver);
    fputs("</p>\n<h3>Memory in use</h3>\n", out);
    html_memory_plot(out, &watched->story);
    fputs("<h3>Leaks</h3>\n", out);
    put_leaks(out, reading, watched);
    fputs("<h3>Wrong releases and uses</h3>\n", out);
    put_misuses(out, reading, &watched->story);
    if (watched->story.crash == NULL) return;
    fputs("<p class=\"bad\">", out);
    html_printf(out, "Ended by signal %" PRId64 " at %s.", watched->story.crash->code,
                place_text(reading, recording, watched->story.crash));
    fputs("</p>\n", out);
}

void watch_print_page(FILE *out, const Reading *reading, const WatchedList *list,
                      const char *program)
{
    html_begin(out, arena_printf(reading->arena, "cudalint watch: %s", program));
    for (uint32_t i = 0; i < list->len; i++) put_process(out, reading, &list->items[i]);
    html_end(out);
}
