// SPDX-License-Identifier: MIT
// Fuzzes what findings are held against: the bytes as a baseline, and as a diff. Whatever they say,
// reading ends with something that can be asked, or with a message that begins with the file.
#include "filter/baseline.h"
#include "filter/changes.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    Baseline *baseline = NULL;
    const char *text = arena_strndup(arena, (const char *)data, size);
    Status status = baseline_parse(arena, "b.json", text, size, &baseline, &err);
    BUG_ON(status != ST_OK && strncmp(err.message, "b.json:", 7) != 0);
    for (uint32_t i = 0; status == ST_OK && i < baseline->entries.len; i++) {
        Finding finding = {.fingerprint = baseline->entries.items[i].fingerprint};
        BUG_ON(!baseline_has(baseline, &finding));
    }
    Changes changes = {.root = "/r"};
    changes_read_diff(arena, &changes, text, size);
    for (uint32_t i = 0; i < changes.files.len; i++) {
        const ChangedFile *file = &changes.files.items[i];
        BUG_ON(file->lines.len == 0);
        BUG_ON(strncmp(file->path, "/r", 2) == 0 &&
               !changes_touch(&changes, file->path, file->lines.items[0]));
    }
    arena_free(arena);
    return 0;
}
