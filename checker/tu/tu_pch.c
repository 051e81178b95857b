// SPDX-License-Identifier: MIT
// Precompiled headers in the cache: the preamble, the bundled runtime API and the common C++
// headers, parsed once per language standard. A file's name carries the key of what it was made
// from and the hash of its contents, so that several processes may write at once and a damaged file
// is seen. Nothing here is an error: without a precompiled header a file takes longer and gives the
// same result. They are made in a process of their own, because clang ends the process when a disk
// is full.
#include "tu/tu_parse_p.h"

#include "base/log.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PREFIX TU_VIRTUAL_ROOT "prefix.h"
enum { FORMAT = 2, DAYS_KEPT = 30, DAY_SECONDS = 24 * 3600 };

// Everything the precompiled header depends on.
static uint64_t pch_key(TuParser *parser, Arena *arena)
{
    CXString version = clang_getClangVersion();
    uint64_t key = tu_hash_text(TU_HASH_START + FORMAT, clang_getCString(version));
    clang_disposeString(version);
    key = tu_hash(key, &parser->system_identity, sizeof parser->system_identity);
    TuFlags flags = tu_base_flags(parser, arena, false);
    for (uint32_t i = 0; i < flags.len; i++) key = tu_hash_text(key, flags.items[i]);
    for (uint32_t i = 0; i < parser->file_count; i++) {
        key = tu_hash_text(key, parser->files[i].Filename);
        key = tu_hash(key, parser->files[i].Contents, parser->files[i].Length);
    }
    struct stat st;
    if (parser->cuda_path != NULL &&
        stat(arena_printf(arena, "%s/cuda_runtime_api.h", parser->cuda_path), &st) == 0)
        key = tu_hash_file(key, &st);
    return key;
}

// Hash of a file's contents; false when it cannot be read. Eight bytes at a time: these files have
// some 14 MB.
static bool content_hash(const char *path, uint64_t *hash)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return false;
    bool is_ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
    void *map = is_ok ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED) return false;
    size_t size = (size_t)st.st_size;
    uint64_t h = tu_hash(TU_HASH_START, &size, sizeof size);
    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)map + at, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    *hash = tu_hash(h, (const char *)map + size / 8 * 8, size % 8);
    munmap(map, size);
    return true;
}

bool tu_make_dirs(Arena *arena, const char *path)
{
    char *copy = arena_strdup(arena, path);
    for (char *at = copy + 1; *at != '\0'; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(copy, 0755);
        *at = '/';
    }
    return mkdir(copy, 0755) == 0 || errno == EEXIST;
}

// The file in `dir` with this key whose contents are what its name says; damaged ones are removed.
static const char *find_in(Arena *arena, const char *dir, const char *key)
{
    DIR *handle = opendir(dir);
    if (handle == NULL) return NULL;
    const char *found = NULL;
    for (struct dirent *entry; found == NULL && (entry = readdir(handle)) != NULL;) {
        if (!str_starts_with(entry->d_name, key) || !str_ends_with(entry->d_name, ".pch")) continue;
        const char *path = arena_printf(arena, "%s/%s", dir, entry->d_name);
        uint64_t hash;
        if (content_hash(path, &hash) &&
            strcmp(entry->d_name,
                   arena_printf(arena, "%s-%016llx.pch", key, (unsigned long long)hash)) == 0) {
            found = path;
        } else {
            log_note("%s is damaged: removed", path);
            unlink(path);
        }
    }
    closedir(handle);
    if (found != NULL) utimensat(AT_FDCWD, found, NULL, 0); // in use: not to be swept
    return found;
}

// Removes what has not been used for a month, other versions' files mostly, and what an interrupted
// run left behind.
static void sweep(Arena *arena, const char *dir)
{
    DIR *handle = opendir(dir);
    if (handle == NULL) return;
    time_t now = time(NULL);
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;) {
        const char *path = arena_printf(arena, "%s/%s", dir, entry->d_name);
        time_t days = str_ends_with(entry->d_name, ".pch") ? DAYS_KEPT : 1;
        struct stat st;
        if (entry->d_name[0] != '.' && stat(path, &st) == 0 &&
            st.st_mtime < now - days * DAY_SECONDS)
            unlink(path);
    }
    closedir(handle);
}

static const char *first_error(Arena *arena, CXTranslationUnit tu)
{
    const char *text = NULL;
    for (unsigned i = 0; text == NULL && i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString string =
                clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation);
            text = arena_strdup(arena, clang_getCString(string));
            clang_disposeString(string);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return text;
}

// Parses the prefix header and saves it at `path`. Bodies are skipped: clang would look at every
// function of the header at the end of every file (30 ms) and instantiate the bodies of the C++
// library in user code (as much again), and no function of a system header is analysed. What a
// library's body alone instantiates is then read from its pattern.
static bool build_at(TuParser *parser, Arena *arena, const char *path)
{
    TuFlags flags = tu_base_flags(parser, arena, false);
    // Without it clang performs the header's pending instantiations again at the end of every file.
    vec_push(arena, &flags, "-fpch-instantiate-templates");
    CXTranslationUnit tu;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        parser->index, PREFIX, flags.items, (int)flags.len, parser->files, parser->file_count,
        CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_Incomplete |
            CXTranslationUnit_ForSerialization | CXTranslationUnit_KeepGoing,
        &tu);
    if (code != CXError_Success) {
        log_note("the precompiled header could not be parsed (libclang error %d)", (int)code);
        return false;
    }
    const char *error = first_error(arena, tu);
    if (error != NULL) {
        log_note("the precompiled header has errors: %s", error);
        return false;
    }
    return clang_saveTranslationUnit(tu, path, clang_defaultSaveOptions(tu)) == CXSaveError_None;
}

// Builds in a child process, which clang may end. What clang has to say to that is not for the user.
static bool build_apart(TuParser *parser, Arena *arena, const char *path)
{
    if (parser->on_long != NULL)
        parser->on_long(parser->context, "precompiling CUDA's headers, for all runs to come");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit no_core = {0};
        setrlimit(RLIMIT_CORE, &no_core);
        int nothing = log_level() == LOG_VERBOSE ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nothing >= 0) dup2(nothing, STDERR_FILENO);
        _exit(build_at(parser, arena, path) ? 0 : 1);
    }
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (status != 0) log_note("cannot make %s", path);
    return status == 0;
}

// Builds under a name of this process and renames: readers see whole files only.
static const char *build_in(TuParser *parser, Arena *arena, const char *dir, const char *key)
{
    if (!tu_make_dirs(arena, dir) || access(dir, W_OK | X_OK) != 0) return NULL;
    const char *temporary = arena_printf(arena, "%s/%s.%ld.tmp", dir, key, (long)getpid());
    uint64_t hash;
    const char *path = NULL;
    if (build_apart(parser, arena, temporary) && content_hash(temporary, &hash)) {
        path = arena_printf(arena, "%s/%s-%016llx.pch", dir, key, (unsigned long long)hash);
        if (rename(temporary, path) != 0) path = NULL;
    }
    if (path == NULL) unlink(temporary);
    return path;
}

static void remove_private_dir(void *object)
{
    TuParser *parser = object;
    if (parser->private_owner != (int32_t)getpid()) return; // a worker's copy of the parser
    for (uint32_t i = 0; i < parser->pchs.len; i++) {
        const char *path = parser->pchs.items[i].path;
        if (path != NULL && str_starts_with(path, parser->private_dir)) unlink(path);
    }
    rmdir(parser->private_dir);
}

static const char *private_dir(TuParser *parser)
{
    if (parser->private_dir != NULL) return parser->private_dir;
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(parser->arena, "%s/cudalint-XXXXXX",
                             tmp != NULL && tmp[0] == '/' ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL) return NULL;
    parser->private_dir = dir;
    parser->private_owner = (int32_t)getpid();
    arena_defer(parser->arena, remove_private_dir, parser);
    return dir;
}

static const char *find_or_build(TuParser *parser)
{
    Arena *arena = parser->arena;
    const char *key = arena_printf(arena, "%016llx", (unsigned long long)pch_key(parser, arena));
    const char *dir = arena_printf(arena, "%s/pch", parser->cache_dir);
    const char *path = find_in(arena, dir, key);
    if (path != NULL) return path;
    path = build_in(parser, arena, dir, key);
    if (path != NULL) {
        sweep(arena, dir);
        return path;
    }
    const char *fallback = private_dir(parser);
    log_note("no precompiled header in %s: %s", dir,
             fallback == NULL ? "parsing without one" : "using a temporary one");
    return fallback == NULL ? NULL : build_in(parser, arena, fallback, key);
}

const char *tu_pch_get(TuParser *parser)
{
    if (parser->no_pch) return NULL;
    const char *standard = parser->args->cxx_standard;
    for (uint32_t i = 0; i < parser->pchs.len; i++)
        if (strcmp(parser->pchs.items[i].standard, standard) == 0)
            return parser->pchs.items[i].path;
    TuPch pch = {.standard = standard, .path = find_or_build(parser)};
    vec_push(parser->arena, &parser->pchs, pch);
    return pch.path;
}

void tu_pch_forget(TuParser *parser)
{
    for (uint32_t i = 0; i < parser->pchs.len; i++)
        if (strcmp(parser->pchs.items[i].standard, parser->args->cxx_standard) == 0)
            parser->pchs.items[i].path = NULL;
}
