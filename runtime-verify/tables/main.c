// SPDX-License-Identifier: MIT
// Run at build time: make_tables API_C [HEADERS_I [CALLBACKS_C]]
// Writes the table of API functions from the models, with offsets of structures from the toolkit's
// preprocessed headers where there are any, and from the same headers the table of CUPTI's
// callbacks.
#include "base/log.h"
#include "tables/emit.h"

#include <stdio.h>
#include <string.h>

// Opens a file for writing; says why not.
static FILE *open_output(const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) log_error("cannot write '%s'", path);
    return out;
}

static bool close_output(FILE *out, const char *path)
{
    bool is_whole = ferror(out) == 0;
    is_whole = fclose(out) == 0 && is_whole;
    if (!is_whole) log_error("cannot write '%s'", path);
    return is_whole;
}

static int make_tables(Arena *arena, int argc, char **argv)
{
    Err err = {.arena = arena};
    Layout layout;
    bool has_layout = argc > 2;
    if (has_layout && layout_read(arena, argv[2], &layout, &err) != ST_OK) {
        log_error("%s", err.message);
        return 2;
    }
    Model *model = model_new(arena);
    ApiOrder order = emit_order(arena, model);
    FILE *out = open_output(argv[1]);
    if (out == NULL) return 2;
    emit_api(out, model, &order, has_layout ? &layout : NULL);
    if (!close_output(out, argv[1])) return 2;
    if (argc <= 3) return 0;
    out = open_output(argv[3]);
    if (out == NULL) return 2;
    emit_callbacks(out, model, &order, &layout);
    return close_output(out, argv[3]) ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) {
        log_error("usage: make_tables API_C [HEADERS_I [CALLBACKS_C]]");
        return 2;
    }
    Arena *arena = arena_new("tables");
    int result = make_tables(arena, argc, argv);
    arena_free(arena);
    return result;
}
