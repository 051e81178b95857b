// SPDX-License-Identifier: MIT
// Draws memory in use over time.
#include "output/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A change of the bytes in use.
typedef struct {
    int64_t us;
    int64_t bytes; // negative when released
} Change;

typedef struct {
    Change *items;
    size_t count;
} Changes;

enum { WIDTH = 900, HEIGHT = 260, LEFT = 80, BOTTOM = 30, TOP = 24 };

static int compare_changes(const void *a, const void *b)
{
    const Change *x = a, *y = b;
    return (x->us > y->us) - (x->us < y->us);
}

static Changes list_changes(const Story *story, const char *kind)
{
    Changes changes = {.items = calloc(story->lives.len * 2 + 1, sizeof *changes.items)};
    if (changes.items == NULL) abort();
    for (uint32_t i = 0; i < story->lives.len; i++) {
        const Life *life = &story->lives.items[i];
        if (life->resource == NULL || strcmp(life->resource->name, kind) != 0) continue;
        int64_t bytes = (int64_t)life->acquired->bytes;
        changes.items[changes.count++] = (Change){life->acquired->us, bytes};
        if (life->ended != NULL) changes.items[changes.count++] = (Change){life->ended->us, -bytes};
    }
    qsort(changes.items, changes.count, sizeof *changes.items, compare_changes);
    return changes;
}

static int64_t peak_of(const Changes *changes)
{
    int64_t now = 0, peak = 0;
    for (size_t i = 0; i < changes->count; i++) {
        now += changes->items[i].bytes;
        if (now > peak) peak = now;
    }
    return peak;
}

static int64_t last_time(const Story *story)
{
    int64_t last = 1;
    for (uint32_t i = 0; i < story->recording->records.len; i++) {
        if (story->recording->records.items[i].us > last)
            last = story->recording->records.items[i].us;
    }
    return last;
}

static void draw_line(FILE *out, const Changes *changes, int64_t end, int64_t peak)
{
    double now = 0, scale_x = (double)(WIDTH - LEFT) / (double)end;
    double scale_y = (double)(HEIGHT - BOTTOM - TOP) / (double)peak;
    fprintf(out, "M%d %d", LEFT, HEIGHT - BOTTOM);
    for (size_t i = 0; i < changes->count; i++) {
        fprintf(out, "H%.1f", LEFT + (double)changes->items[i].us * scale_x);
        now += (double)changes->items[i].bytes;
        fprintf(out, "V%.1f", HEIGHT - BOTTOM - now * scale_y);
    }
    fprintf(out, "H%d", WIDTH);
}

static void draw_axes(FILE *out, int64_t end, int64_t peak)
{
    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Memory in use over time\">\n"
            "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#8b949e\"/>\n",
            WIDTH + 10, HEIGHT, LEFT, TOP, HEIGHT - BOTTOM, WIDTH);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f KiB</text>\n", LEFT - 6, TOP + 4,
            (double)peak / 1024);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n", LEFT - 6,
            HEIGHT - BOTTOM + 4);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f ms</text>\n", WIDTH, HEIGHT - 8,
            (double)end / 1000);
}

void html_memory_plot(FILE *out, const Story *story)
{
    static const char *const colours[] = {"#0969da", "#1a7f37", "#bc4c00", "#8250df", "#bf3989"};
    int64_t end = last_time(story), peak = 0;
    for (size_t i = 0; i < api_resource_count; i++) {
        Changes changes = list_changes(story, api_resources[i].name);
        int64_t own = peak_of(&changes);
        if (own > peak) peak = own;
        free(changes.items);
    }
    if (peak == 0) {
        fputs("<p>No memory was acquired.</p>\n", out);
        return;
    }
    draw_axes(out, end, peak);
    size_t drawn = 0;
    for (size_t i = 0; i < api_resource_count; i++) {
        Changes changes = list_changes(story, api_resources[i].name);
        if (peak_of(&changes) > 0) {
            const char *colour = colours[drawn % (sizeof colours / sizeof *colours)];
            fputs("<path fill=\"none\" stroke-width=\"2\" stroke=\"", out);
            fprintf(out, "%s\" d=\"", colour);
            draw_line(out, &changes, end, peak);
            fprintf(out, "\"/>\n<text x=\"%zu\" y=\"14\" style=\"fill:%s\">", LEFT + 150 * drawn,
                    colour);
            html_text(out, api_resources[i].title);
            fputs("</text>\n", out);
            drawn++;
        }
        free(changes.items);
    }
    fputs("</svg>\n", out);
}
