// SPDX-License-Identifier: MIT
// Looks at the machine once a run: where clang's own headers are, and which system headers a
// precompiled header would be made of. Both come from parsing a tiny file, so no path is guessed; what
// that showed is kept (tu_system_cache.c).
#include "tu/tu_parse_p.h"

#include "base/str.h"

#include <sys/stat.h>

uint64_t tu_hash(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

uint64_t tu_hash_text(uint64_t hash, const char *text)
{
    return tu_hash(hash, text, strlen(text) + 1);
}

uint64_t tu_hash_file(uint64_t hash, const struct stat *st)
{
    uint64_t facts[] = {(uint64_t)st->st_size, (uint64_t)st->st_mtim.tv_sec,
                        (uint64_t)st->st_mtim.tv_nsec};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        hash = (hash ^ facts[i]) * 0x100000001b3u;
    return hash;
}

// Headers that tell a search directory: the path they were found at, less the name.
static const char *const MARKERS[] = {"/cstddef", "/bits/c++config.h", "/stdio.h", "/sys/cdefs.h"};

static void note_search_dir(TuParser *parser, const char *path)
{
    for (size_t i = 0; i < sizeof MARKERS / sizeof *MARKERS; i++)
        if (str_ends_with(path, MARKERS[i]))
            vec_push(parser->arena, &parser->system_dirs,
                     arena_strndup(parser->arena, path, strlen(path) - strlen(MARKERS[i])));
}

// What the header tells of the machine.
static void take_header(TuParser *parser, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return;
    parser->system_identity = tu_hash_file(tu_hash_text(parser->system_identity, path), &st);
    note_search_dir(parser, path);
    if (parser->resource_include != NULL || !str_ends_with(path, "/stddef.h")) return;
    parser->resource_include =
        arena_strndup(parser->arena, path, strlen(path) - strlen("/stddef.h"));
    vec_push(parser->arena, &parser->system_dirs, parser->resource_include);
}

typedef struct {
    Arena *arena;
    TuFlags *headers;
} Inclusions;

static void note_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack;
    if (depth == 0) return; // the probe itself
    const Inclusions *inclusions = data;
    CXString string = clang_getFileName(file);
    const char *path = clang_getCString(string);
    if (path != NULL)
        vec_push(inclusions->arena, inclusions->headers, arena_strdup(inclusions->arena, path));
    clang_disposeString(string);
}

// The headers that a tiny file includes. `*is_whole`: all of them are there.
static Status look(const TuParser *parser, TuFlags *headers, bool *is_whole, Err *err)
{
    // stddef.h is clang's own, <cstddef> leads to the C++ library's configuration, stdio.h to the C
    // library's.
    static const char text[] = "#include <stddef.h>\n#include <cstddef>\n#include <stdio.h>\n";
    struct CXUnsavedFile file = {TU_VIRTUAL_ROOT "probe.cc", text, sizeof text - 1};
    const char *flags[] = {"-x", "c++", "-std=gnu++17", "-w"};
    CXTranslationUnit tu;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        parser->index, file.Filename, flags, sizeof flags / sizeof *flags, &file, 1, 0, &tu);
    if (code != CXError_Success)
        return err_set(err, ST_UNSUPPORTED, "libclang cannot parse C++ here (error %d)", (int)code);
    Inclusions inclusions = {.arena = parser->arena, .headers = headers};
    clang_getInclusions(tu, note_inclusion, &inclusions);
    *is_whole = clang_getNumDiagnostics(tu) == 0;
    clang_disposeTranslationUnit(tu);
    return ST_OK;
}

Status tu_system_probe(TuParser *parser, Err *err)
{
    TuFlags headers = {0};
    bool is_whole = tu_system_recall(parser, &headers);
    bool is_recalled = is_whole;
    if (!is_recalled) {
        headers = (TuFlags){0};
        Status status = look(parser, &headers, &is_whole, err);
        if (status != ST_OK) return status;
    }
    for (uint32_t i = 0; i < headers.len; i++) take_header(parser, headers.items[i]);
    if (parser->resource_include == NULL)
        return err_set(err, ST_NOT_FOUND, "libclang's own headers (stddef.h) are not installed");
    if (!is_whole)
        return err_set(err, ST_NOT_FOUND,
                       "the C++ standard library's headers (libstdc++) are not installed");
    if (!is_recalled) tu_system_remember(parser, &headers);
    return ST_OK;
}
