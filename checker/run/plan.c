// SPDX-License-Identifier: MIT
// From operands to jobs. Input: file and folder names as the user gave them. Output: one job a
// file; what cannot be analysed becomes a job that carries the reason, so that the report names it
// like any other failure.
#include "base/log.h"
#include "base/path.h"
#include "run/run_p.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_FOLDER_DEPTH = 64, // deeper is a loop of mounts, not a project
    PROBE_BYTES = 8192,    // a NUL byte this early means that it is not a source file
};

typedef struct {
    Arena *arena;
    StrPool *names;
    TextList places; // by job, where its file really is: one file is one job under any of its names
    JobList jobs;
} Planner;

static void plan_add(Planner *planner, const char *file, Status status, const char *error)
{
    const char *name = str_intern(planner->names, file);
    const char *real = path_real(planner->arena, name);
    const char *place = real != NULL ? str_intern(planner->names, real) : name;
    for (uint32_t i = 0; i < planner->places.len; i++) {
        if (planner->places.items[i] == place) return;
    }
    Job job = {.file = name, .status = status, .error = error};
    vec_push(planner->arena, &planner->jobs, job);
    vec_push(planner->arena, &planner->places, place);
}

static bool is_source_name(const char *name)
{
    static const char *const suffixes[] = {".cu", ".c", ".cc", ".cpp", ".cxx"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (str_ends_with(name, suffixes[i])) return true;
    }
    return false;
}

static void plan_unreadable(Planner *planner, const char *file, int reason)
{
    plan_add(planner, file, reason == ENOENT ? ST_NOT_FOUND : ST_IO,
             arena_printf(planner->arena, "cannot be read: %s", strerror(reason)));
}

// Looks whether the file can be read and holds text; says so in a job.
static void plan_file(Planner *planner, const char *file)
{
    // Something that is no file, a pipe for one, may be put there at any time: not to wait for it.
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char probe[PROBE_BYTES];
    ssize_t len = fd < 0 ? -1 : read(fd, probe, sizeof probe);
    if (len < 0) {
        plan_unreadable(planner, file, errno);
    } else if (memchr(probe, '\0', (size_t)len) != NULL) {
        plan_add(planner, file, ST_SYNTAX, "is not a source file: it holds NUL bytes");
    } else {
        plan_add(planner, file, ST_OK, NULL);
    }
    if (fd >= 0) close(fd);
}

static const char *join_path(Arena *arena, const char *folder, const char *name)
{
    if (strcmp(folder, ".") == 0) return name;
    return arena_printf(arena, "%s%s%s", folder, str_ends_with(folder, "/") ? "" : "/", name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names in the folder, hidden ones left out, sorted: the order of a folder's entries is not the
// same everywhere.
static Status list_folder(Arena *arena, const char *folder, TextList *names)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) return ST_IO;
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL; errno = 0) {
        if (entry->d_name[0] == '.') continue;
        const char *name = arena_strdup(arena, entry->d_name);
        vec_push(arena, names, name);
    }
    int reason = errno; // of readdir; 0: that was all
    closedir(dir);
    errno = reason;
    if (names->len != 0) qsort(names->items, names->len, sizeof names->items[0], compare_names);
    return reason == 0 ? ST_OK : ST_IO;
}

// What a build tool made is nobody's source: CMake puts files in there that try the compiler out.
static bool is_build_tree(Arena *arena, const char *folder)
{
    static const char *const marks[] = {"CMakeCache.txt", "meson-private"};
    if (str_ends_with(folder, "/CMakeFiles") || strcmp(folder, "CMakeFiles") == 0) return true;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (access(join_path(arena, folder, marks[i]), F_OK) == 0) return true;
    }
    return false;
}

// Adds the sources below the folder; returns how many entries of the plan that made. Symbolic links
// to folders are not followed: they may lead out of the project or in circles.
static uint32_t plan_folder(Planner *planner, const char *folder, uint32_t depth)
{
    TextList names = {0};
    if (depth > MAX_FOLDER_DEPTH || list_folder(planner->arena, folder, &names) != ST_OK) {
        const char *why = depth > MAX_FOLDER_DEPTH ? "folders too deep" : strerror(errno);
        plan_add(planner, folder, ST_IO, arena_printf(planner->arena, "cannot be read: %s", why));
        return 1;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < names.len; i++) {
        const char *path = join_path(planner->arena, folder, names.items[i]);
        struct stat info;
        if (lstat(path, &info) != 0) {
            if (errno == ENOENT) continue; // gone meanwhile
            plan_unreadable(planner, path, errno);
            found++;
        } else if (S_ISDIR(info.st_mode)) {
            if (is_build_tree(planner->arena, path))
                log_note("%s: a build tree: left out", path);
            else
                found += plan_folder(planner, path, depth + 1);
        } else if (is_source_name(path) && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))) {
            plan_file(planner, path);
            found++;
        }
    }
    return found;
}

static void plan_operand(Planner *planner, const char *operand)
{
    struct stat info;
    if (strcmp(operand, "-") == 0) {
        plan_add(planner, operand, ST_UNSUPPORTED,
                 "standard input cannot be analysed; name a file");
    } else if (stat(operand, &info) != 0) {
        plan_unreadable(planner, operand, errno);
    } else if (S_ISDIR(info.st_mode)) {
        if (plan_folder(planner, operand, 0) == 0) {
            plan_add(planner, operand, ST_NOT_FOUND,
                     "folder without a .cu, .c, .cc, .cpp or .cxx file");
        }
    } else if (!S_ISREG(info.st_mode)) {
        plan_add(planner, operand, ST_UNSUPPORTED, "is neither a file nor a folder");
    } else {
        plan_file(planner, operand);
    }
}

JobList plan_jobs(Arena *arena, const TextList *operands)
{
    Planner planner = {.arena = arena, .names = str_pool_new(arena)};
    for (uint32_t i = 0; i < operands->len; i++) plan_operand(&planner, operands->items[i]);
    return planner.jobs;
}
