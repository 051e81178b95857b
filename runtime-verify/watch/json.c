// SPDX-License-Identifier: MIT
// What `cudalint watch --json` writes: for scripts, one line for each thing that leaked.
#include "watch/watch_p.h"

#include <cjson/cJSON.h>

static void put_leak(FILE *out, const Reading *reading, const Recording *recording,
                     const Life *life)
{
    const Record *acquired = life->acquired;
    FrameList frames = story_frames(reading->arena, reading->symbols, recording, acquired);
    const Frame *place = frames_place(&frames);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "process", (double)recording->pid);
    cJSON_AddStringToObject(object, "kind", kind_title(life));
    cJSON_AddNumberToObject(object, "bytes", (double)acquired->bytes);
    cJSON_AddNumberToObject(object, "device", acquired->device);
    cJSON_AddStringToObject(object, "function", acquired->function);
    if (place != NULL) {
        cJSON_AddStringToObject(object, "file", place->file);
        cJSON_AddNumberToObject(object, "line", place->line);
    }
    char *text = cJSON_PrintUnformatted(object);
    if (text != NULL) fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

void watch_print_json(FILE *out, const Reading *reading, const WatchedList *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const Story *story = &list->items[i].story;
        for (uint32_t k = 0; k < story->lives.len; k++) {
            const Life *life = &story->lives.items[k];
            if (life_is_leak(life)) put_leak(out, reading, story->recording, life);
        }
    }
}
