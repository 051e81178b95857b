// SPDX-License-Identifier: MIT
// The parser of one process: libclang's index, the virtual files with the preamble and the bundled
// CUDA headers, and the command line that makes clang read CUDA host code with no toolkit
// installed.
#include "tu/tu_parse_p.h"

#include "base/embed.h"
#include "base/log.h"
#include "base/str.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX TU_VIRTUAL_ROOT "prefix.h"

static void close_index(void *index)
{
    clang_disposeIndex(index);
}

static void load_virtual_files(TuParser *parser)
{
    parser->file_count = (uint32_t)embed_decls_count;
    parser->files = ARENA_ARRAY(parser->arena, struct CXUnsavedFile, embed_decls_count);
    for (size_t i = 0; i < embed_decls_count; i++) {
        const EmbeddedFile *file = &embed_decls[i];
        const char *path = arena_printf(parser->arena, TU_VIRTUAL_ROOT "%s", file->path);
        parser->files[i] = (struct CXUnsavedFile){path, file->text, file->len};
    }
}

// A toolkit is named by its root or by its include directory.
static Status find_toolkit(TuParser *parser, const char *given, Err *err)
{
    static const char *const BELOW[] = {"include", "targets/x86_64-linux/include", "."};
    for (size_t i = 0; i < sizeof BELOW / sizeof *BELOW; i++) {
        const char *dir = arena_printf(parser->arena, "%s/%s", given, BELOW[i]);
        if (access(arena_printf(parser->arena, "%s/cuda_runtime_api.h", dir), R_OK) != 0) continue;
        parser->cuda_path = dir;
        return ST_OK;
    }
    return err_set(err, ST_NOT_FOUND,
                   "'%s' is not a CUDA toolkit: it has no include/cuda_runtime_api.h", given);
}

// Where a distribution puts the toolkit's headers among its own: naming that folder again would
// move it before the C++ library, which must find the C library behind itself.
static bool is_system_dir(const TuParser *parser)
{
    struct stat cuda, dir;
    if (stat(parser->cuda_path, &cuda) != 0) return false;
    for (uint32_t i = 0; i < parser->system_dirs.len; i++)
        if (stat(parser->system_dirs.items[i], &dir) == 0 && dir.st_dev == cuda.st_dev &&
            dir.st_ino == cuda.st_ino)
            return true;
    return false;
}

static Status set_default_args(TuParser *parser, Err *err)
{
    TuCommand none = {0};
    Status status = tu_args_translate(parser->arena, &none, NULL, NULL, &parser->no_args, err);
    parser->args = parser->no_args;
    return status;
}

Status tu_parser_new(Arena *arena, const TuOptions *options, TuParser **out, Err *err)
{
    TuParser *parser = ARENA_NEW(arena, TuParser);
    parser->arena = arena;
    parser->cache_dir =
        options->cache_dir != NULL ? options->cache_dir : tu_default_cache_dir(arena);
    parser->no_pch = options->no_pch;
    parser->on_long = options->on_long;
    parser->context = options->context;
    parser->system_identity = TU_HASH_START;
    Status status = set_default_args(parser, err);
    if (status == ST_OK && options->cuda_path != NULL)
        status = find_toolkit(parser, options->cuda_path, err);
    if (status != ST_OK) return status;
    // libclang would parse on a thread of its own with 8 MiB of stack; the caller's is larger.
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    // What the precompiled header declares is no part of a unit: only its own functions are
    // visited.
    parser->index = clang_createIndex(/*excludeDeclarationsFromPCH=*/1, /*displayDiagnostics=*/0);
    arena_defer(arena, close_index, parser->index);
    load_virtual_files(parser);
    status = tu_system_probe(parser, err);
    if (status != ST_OK) return status;
    if (parser->cuda_path != NULL && !is_system_dir(parser)) {
        parser->cuda_include = parser->cuda_path;
        vec_push(arena, &parser->system_dirs, parser->cuda_path);
    }
    *out = parser;
    return ST_OK;
}

void tu_parser_use(TuParser *parser, const TuInput *input)
{
    parser->args = input->args != NULL ? input->args : parser->no_args;
}

const char *tu_toolkit_unread(const TuParser *parser, const TuArgs *args)
{
    bool names_one = args != NULL && args->toolkit_dirs.len != 0;
    return names_one && parser->cuda_path == NULL ? args->toolkit_dirs.items[0] : NULL;
}

Status tu_parser_prepare(TuParser *parser, const TuInput *input, Err *err)
{
    (void)err; // a precompiled header that cannot be made costs time, nothing else
    tu_parser_use(parser, input);
    if (!tu_args_is_c(parser->args, input->file)) tu_pch_get(parser);
    return ST_OK;
}

// ---- flags --------------------------------------------------------------------------------------

static void add(Arena *arena, TuFlags *flags, const char *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++) vec_push(arena, flags, items[i]);
}

#define ADD(...)                                                                                   \
    do {                                                                                           \
        const char *const items[] = {__VA_ARGS__};                                                 \
        add(arena, &flags, items, sizeof items / sizeof *items);                                   \
    } while (0)

TuFlags tu_base_flags(TuParser *parser, Arena *arena, bool is_c)
{
    TuFlags flags = {0};
    const char *standard = is_c ? parser->args->c_standard : parser->args->cxx_standard;
    if (is_c)
        ADD("-x", "c", "-Wno-implicit-function-declaration", "-Wno-implicit-int",
            "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types",
            "-Wno-return-mismatch");
    else
        // What the driver makes of an installed toolkit's version is said here, because there may
        // be none, or any.
        ADD("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-register",
            "-Wno-unknown-cuda-version", ("--cuda-path=" TU_VIRTUAL_ROOT "none"), "-Xclang",
            "-target-sdk-version=12.5", "-Xclang", "-fcuda-allow-variadic-functions",
            // CUDA has no modules. With them (on since C++20) clang takes the host's and the
            // device's operator new of a precompiled header for one, the device's.
            "-Xclang", "-fno-cxx-modules");
    // -nobuiltininc: clang's CUDA wrappers around <new>, <complex>, <algorithm> clash with the
    // preamble.
    ADD(arena_printf(arena, "-std=%s", standard), "-nobuiltininc", "-isystem",
        parser->resource_include, "-ferror-limit=0", "-fbracket-depth=100000", "-w");
    if (parser->cuda_path == NULL)
        ADD("-DCUDALINT_BUNDLED=1");
    else if (parser->cuda_include != NULL)
        ADD("-isystem", parser->cuda_include);
    if (parser->cuda_path != NULL)
        ADD("-isystem", arena_printf(arena, "%s/cccl", parser->cuda_path));
    ADD("-idirafter", TU_VIRTUAL_ROOT "include");
    return flags;
}

// ---- parsing ------------------------------------------------------------------------------------

typedef Vec(struct CXUnsavedFile) MemoryFiles;

static MemoryFiles memory_files(const TuParser *parser, Arena *arena, const TuExtra *extra)
{
    MemoryFiles files = {0};
    for (uint32_t i = 0; i < parser->file_count; i++) vec_push(arena, &files, parser->files[i]);
    for (uint32_t i = 0; i < extra->files.len; i++) vec_push(arena, &files, extra->files.items[i]);
    return files;
}

static enum CXErrorCode parse_with(TuParser *parser, const char *file, const TuFlags *flags,
                                   const MemoryFiles *files, CXTranslationUnit *tu)
{
    // KeepGoing: after a missing header clang would else stop instantiating templates and hide
    // later errors.
    return clang_parseTranslationUnit2(parser->index, file, flags->items, (int)flags->len,
                                       files->items, files->len, CXTranslationUnit_KeepGoing, tu);
}

static TuFlags all_flags(TuParser *parser, Arena *arena, const char *file, const char *pch,
                         const TuExtra *extra)
{
    bool is_c = tu_args_is_c(parser->args, file);
    TuFlags flags = tu_base_flags(parser, arena, is_c);
    if (pch != NULL)
        ADD("-include-pch", pch);
    else if (!is_c)
        ADD("-include", PREFIX);
    if (tu_args_is_host(parser->args, file)) ADD("-include", TU_VIRTUAL_ROOT "host.h");
    add(arena, &flags, parser->args->flags.items, parser->args->flags.len);
    add(arena, &flags, extra->flags.items, extra->flags.len);
    // With a toolkit of the user's choice, no other one.
    for (uint32_t i = 0; i < parser->args->toolkit_dirs.len && parser->cuda_path == NULL; i++)
        ADD("-idirafter", parser->args->toolkit_dirs.items[i]);
    return flags;
}

Status tu_parse_file(TuParser *parser, Arena *arena, const char *file, const TuExtra *extra,
                     CXTranslationUnit *tu)
{
    bool is_c = tu_args_is_c(parser->args, file);
    const char *pch = is_c ? NULL : tu_pch_get(parser);
    TuFlags flags = all_flags(parser, arena, file, pch, extra);
    MemoryFiles files = memory_files(parser, arena, extra);
    enum CXErrorCode code = parse_with(parser, file, &flags, &files, tu);
    if (code != CXError_Success && pch != NULL) {
        log_note("%s: the precompiled header does not fit (libclang error %d): parsing without it",
                 file, (int)code);
        tu_pch_forget(parser);
        flags = all_flags(parser, arena, file, NULL, extra);
        code = parse_with(parser, file, &flags, &files, tu);
    }
    return code == CXError_Success ? ST_OK : ST_PARSE;
}

// ---- names --------------------------------------------------------------------------------------

const char *tu_default_cache_dir(Arena *arena)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    if (xdg != NULL && xdg[0] == '/') return arena_printf(arena, "%s/cudalint", xdg);
    const char *home = getenv("HOME");
    if (home != NULL && home[0] == '/') return arena_printf(arena, "%s/.cache/cudalint", home);
    const char *tmp = getenv("TMPDIR");
    return arena_printf(arena, "%s/cudalint-%ld", tmp != NULL && tmp[0] == '/' ? tmp : "/tmp",
                        (long)getuid());
}

const char *tu_backend_version(Arena *arena)
{
    CXString string = clang_getClangVersion(); // "Debian clang version 19.1.7 (3~deb12u1)"
    const char *text = clang_getCString(string);
    const char *number = text == NULL ? NULL : strstr(text, "version ");
    number = number == NULL ? "unknown" : number + strlen("version ");
    const char *version = arena_printf(arena, "libclang %.*s", (int)strcspn(number, " "), number);
    clang_disposeString(string);
    return version;
}
