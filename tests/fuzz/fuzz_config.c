// SPDX-License-Identifier: MIT
// Fuzzes the reader of .cudalint.yaml and the patterns in it: whatever the text, reading ends with a
// configuration that can be asked and printed, or with a message that begins with the file.
#include "config/settings.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(Arena *arena, Config *config)
{
    const Config *by = NULL;
    Options options;
    Err err = {.arena = arena};
    options_init(&options);
    config->folder = "/p";
    config_wants(config, "/p/src/a.cu", &by);
    config_suppression(config, "/p/src/a.cu", "leak", &by);
    config_level(config, "leak", SEV_NOTE);
    BUG_ON(config_apply(arena, config, &options, &err) != ST_OK);
    FILE *out = fopen("/dev/null", "w");
    BUG_ON(out == NULL);
    settings_print(arena, &options, config, out);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    const Config *config = NULL;
    Status status = config_parse(arena, "f.yaml", (const char *)data, size, &config, &err);
    BUG_ON(status != ST_OK && strncmp(err.message, "f.yaml:", 7) != 0);
    if (status == ST_OK) {
        Config copy = *config;
        ask(arena, &copy);
    }
    arena_free(arena);
    return 0;
}
