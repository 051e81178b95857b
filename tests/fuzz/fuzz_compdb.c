// SPDX-License-Identifier: MIT
// Fuzzes the reader of compile_commands.json: whatever the bytes, reading ends with commands sorted
// by absolute file, each of which is found, or with a message that begins with the file.
#include "compile/compdb.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(Arena *arena, const CompileDb *db)
{
    for (uint32_t i = 0; i < db->commands.len; i++) {
        const CompileCommand *command = &db->commands.items[i];
        BUG_ON(command->file[0] != '/' || command->directory[0] != '/');
        BUG_ON(i > 0 && strcmp(db->commands.items[i - 1].file, command->file) > 0);
        CompileCommands found = compile_db_commands(arena, db, command->file);
        BUG_ON(found.len == 0 || strcmp(found.items[0].file, command->file) != 0);
    }
    compile_db_nearest(arena, db, "/p/a.cuh");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    CompileDb *db = NULL;
    Status status = compile_db_parse(arena, "/p/c.json", (const char *)data, size, &db, &err);
    BUG_ON(status != ST_OK && strncmp(err.message, "/p/c.json:", 10) != 0);
    if (status == ST_OK) ask(arena, db);
    arena_free(arena);
    return 0;
}
