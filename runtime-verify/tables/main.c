// SPDX-License-Identifier: MIT
// Run at build time: make_tables WHAT OUTPUT LIBRARIES_I ...
//   api OUT LIBRARIES_I [HEADERS_I]       the table of API functions, from the models
//   callbacks OUT LIBRARIES_I HEADERS_I   the table of CUPTI's callbacks
//   exports OUT LIBRARIES_I HEADERS_I     the names of the driver API
//   wrappers OUT LIBRARIES_I              functions that tell of calls of libraries
//   standin OUT LIBRARIES_I START         the simulated functions whose names begin with START
// LIBRARIES_I are the bundled headers, preprocessed; HEADERS_I those of the toolkit.
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

static bool read_headers(Arena *arena, const char *path, Layout *layout)
{
    Err err = {.arena = arena};
    bool is_read = layout_read(arena, path, layout, &err) == ST_OK;
    if (!is_read) log_error("%s", err.message);
    return is_read;
}

static int make_tables(Arena *arena, int argc, char **argv)
{
    const char *what = argv[1], *path = argv[2], *extra = argc > 4 ? argv[4] : NULL;
    bool is_standin = strcmp(what, "standin") == 0;
    Layout libraries, toolkit;
    if (!read_headers(arena, argv[3], &libraries)) return 2;
    bool has_toolkit = extra != NULL && !is_standin;
    if (has_toolkit && !read_headers(arena, extra, &toolkit)) return 2;
    Layouts layouts = {.toolkit = has_toolkit ? &toolkit : NULL, .libraries = &libraries};
    Model *model = model_new(arena);
    ApiOrder order = emit_order(arena, model);
    FILE *out = open_output(path);
    if (out == NULL) return 2;
    if (strcmp(what, "api") == 0) emit_api(out, model, &order, &layouts);
    if (strcmp(what, "callbacks") == 0 && has_toolkit) emit_callbacks(out, model, &order, &toolkit);
    if (strcmp(what, "exports") == 0 && has_toolkit) emit_exports(out, &toolkit);
    if (strcmp(what, "wrappers") == 0) emit_wrappers(out, model, &libraries);
    if (is_standin && extra != NULL) emit_standin(out, model, &libraries, extra);
    return close_output(out, path) ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5) {
        log_error("usage: make_tables WHAT OUTPUT LIBRARIES_I [HEADERS_I | START]");
        return 2;
    }
    Arena *arena = arena_new("tables");
    int result = make_tables(arena, argc, argv);
    arena_free(arena);
    return result;
}
