// SPDX-License-Identifier: MIT
// Finds what is needed to record a program: the library or the simulator, and a GPU.
#include "launch/launch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The folder of this program.
static const char *own_folder(Arena *arena)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = '\0';
    return arena_strdup(arena, path);
}

// Beside the program in the build folder, or where it is installed; NULL when it is in neither.
static const char *find_part(Arena *arena, const char *name)
{
    const char *folder = own_folder(arena);
    const char *const places[] = {
        arena_printf(arena, "%s/%s", folder, name),
        arena_printf(arena, "%s/../" CUDALINT_LIBDIR "/cudalint/%s", folder, name)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (access(places[i], R_OK) == 0) return places[i];
    }
    return NULL;
}

Status recorder_find(Arena *arena, bool simulated, Recorder *recorder, Err *err)
{
    *recorder = (Recorder){.handles = find_part(arena, "libcudaverify-handles.so")};
    if (recorder->handles == NULL)
        return err_set(err, ST_NOT_FOUND,
                       "libcudaverify-handles.so is not beside cudalint-runtime");
    if (simulated) {
        recorder->simulator = find_part(arena, "lib/simulated");
        if (recorder->simulator == NULL) recorder->simulator = find_part(arena, "simulated");
        if (recorder->simulator == NULL)
            return err_set(err, ST_NOT_FOUND,
                           "this cudalint was built without the simulated runtime: its build needs "
                           "the headers of CUDA 13");
        recorder->library = arena_printf(arena, "%s/libcudart.so.13", recorder->simulator);
        return ST_OK;
    }
    recorder->library = find_part(arena, "libcudaverify.so");
    if (recorder->library != NULL) return ST_OK;
    return err_set(err, ST_NOT_FOUND,
                   "this cudalint was built without libcudaverify.so: its build needs the headers "
                   "and the library of CUPTI, which the CUDA Toolkit brings");
}

// The number of devices, -1: there is no driver.
static int count_devices(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL) return -1;
    int (*init)(unsigned) = (int (*)(unsigned))(uintptr_t)dlsym(driver, "cuInit");
    int (*count)(int *) = (int (*)(int *))(uintptr_t)dlsym(driver, "cuDeviceGetCount");
    int devices = 0;
    if (init == NULL || count == NULL) return -1;
    return init(0) == 0 && count(&devices) == 0 ? devices : 0;
}

// Its number as an exit code: one more.
enum { DEVICES_MOST = 254 };

Status gpu_probe(uint32_t *devices, Err *err)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        unsetenv("CUDA_INJECTION64_PATH");
        int count = count_devices();
        _exit(1 + (count < DEVICES_MOST ? count : DEVICES_MOST));
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return err_set(err, ST_IO, "the driver could not be asked for GPUs");
    if (WEXITSTATUS(status) == 0)
        return err_set(err, ST_NOT_FOUND, "there is no CUDA driver (libcuda.so.1) here");
    if (WEXITSTATUS(status) == 1)
        return err_set(err, ST_NOT_FOUND, "the CUDA driver finds no GPU here");
    *devices = (uint32_t)WEXITSTATUS(status) - 1;
    return ST_OK;
}

Status folder_make(Arena *arena, const char **path, Err *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0') parent = "/tmp";
    char *name = arena_printf(arena, "%s/cudalint-XXXXXX", parent);
    *path = mkdtemp(name);
    return *path != NULL ? ST_OK : err_set(err, ST_IO, "no temporary folder in '%s'", parent);
}

void folder_remove(const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) return;
    char child[PATH_MAX];
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (lstat(child, &info) == 0 && S_ISDIR(info.st_mode))
            folder_remove(child);
        else
            unlink(child);
    }
    closedir(dir);
    rmdir(path);
}

Status folder_create(const char *path, Err *err)
{
    return mkdir(path, 0777) == 0 ? ST_OK
                                  : err_set(err, ST_IO, "cannot make the folder '%s'", path);
}
