// SPDX-License-Identifier: MIT
// libFuzzer target: the parser of the IR's text form takes any bytes. What it accepts is validated,
// printed, and must print the same after being parsed again.
#include "ir/ir_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *print(const IrUnit *unit)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    BUG_ON(out == NULL);
    ir_print(out, unit, NULL);
    fclose(out);
    return text;
}

static void check_round_trip(Arena *arena, const IrUnit *unit)
{
    Err err = {.arena = arena};
    IrUnit *again;
    char *first = print(unit);
    Status status = ir_parse(arena, first, &again, &err);
    if (status != ST_OK) fprintf(stderr, "%s\n%s", err.message, first);
    BUG_ON(status != ST_OK);
    char *second = print(again);
    bool is_same = strcmp(first, second) == 0;
    if (!is_same) fprintf(stderr, "%s----\n%s", first, second);
    BUG_ON(!is_same);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    IrUnit *unit;
    char *text = arena_strndup(arena, (const char *)data, size);
    if (ir_parse(arena, text, &unit, &err) == ST_OK) {
        bool is_valid = true;
        for (uint32_t i = 0; i < unit->functions.len && is_valid; i++) {
            is_valid = ir_check(unit, unit->functions.items[i], &err) == ST_OK;
        }
        if (is_valid) {
            for (uint32_t i = 0; i < unit->functions.len; i++)
                ir_function_finish(unit, unit->functions.items[i]);
            check_round_trip(arena, unit);
        }
    }
    arena_free(arena);
    return 0;
}
