// SPDX-License-Identifier: MIT
// Fuzzes the translation of compiler options: a command line as a shell would split it, of nvcc or of
// others. Whatever it says, the translation is options that clang knows, or a message. Response
// files are real files, so the fuzzer runs in an empty folder.
#include "base/words.h"
#include "tu/tu_args_p.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_unknown(void *context, const char *option)
{
    BUG_ON(option[0] != '-');
    ++*(uint32_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    Arena *arena = arena_new("fuzz");
    const char *text = arena_strndup(arena, (const char *)data + 1, size - 1);
    Words words = words_split(arena, text, data[0] & 1 ? WORDS_SHELL : WORDS_RESPONSE);
    TuCommand command = {.args = words.items,
                         .count = words.len,
                         .directory = data[0] & 2 ? "/p" : NULL,
                         .is_nvcc = data[0] & 4};
    Err err = {.arena = arena};
    const TuArgs *args = NULL;
    uint32_t unknown = 0;
    Status status = tu_args_translate(arena, &command, count_unknown, &unknown, &args, &err);
    BUG_ON(status != ST_OK && err.message == NULL);
    for (uint32_t i = 0; status == ST_OK && i < args->flags.len; i++)
        BUG_ON(args->flags.items[i] == NULL);
    BUG_ON(status == ST_OK && !tu_args_equal(args, args));
    arena_free(arena);
    return 0;
}
