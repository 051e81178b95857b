// SPDX-License-Identifier: MIT
// Launch: runs a program so that it is recorded, and waits for it.
#ifndef RUNTIME_VERIFY_LAUNCH_LAUNCH_H
#define RUNTIME_VERIFY_LAUNCH_LAUNCH_H

#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>

// Who records.
typedef struct {
    const char *library;   // libcudaverify.so; of the simulator: the simulated runtime
    const char *handles;   // libcudaverify-handles.so
    const char *simulator; // folder of the simulated runtime; NULL: a real GPU
} Recorder;

typedef struct {
    const char *const *argv; // ends with NULL
    const char *folder;      // to run in; NULL: here
    const char *records;     // folder for its records; NULL: not recorded
    const char *fail;        // which calls fail (RECORDS.md); NULL: none
    bool records_calls;
    uint32_t devices;   // that the simulated runtime offers; 0: as it is set
    const char *output; // file that its output goes to; NULL: ours
    uint32_t timeout_s; // 0: none
} LaunchRequest;

typedef struct {
    int exit_code;   // when no signal ended it
    int signal;      // 0: none
    bool timed_out;  // it was killed
    int start_error; // errno of a program that could not be started; 0: it ran
} LaunchResult;

// Runs one program and waits. One that cannot be started is ST_NOT_FOUND.
Status launch_run(const Recorder *recorder, const LaunchRequest *request, LaunchResult *result,
                  Err *err);
// Runs `count` programs, `jobs` at once, and waits for all.
void launch_run_all(const Recorder *recorder, const LaunchRequest *requests, LaunchResult *results,
                    size_t count, uint32_t jobs);

// "exit code 2", "killed by signal 11 (Segmentation fault)", "timeout". Allocated in `arena`.
const char *launch_result_text(Arena *arena, const LaunchResult *result);

// Finds the recorder beside this program or where it is installed.
Status recorder_find(Arena *arena, bool simulated, Recorder *recorder, Err *err);
// How many GPUs programs can use. If none, `err` says why. Asked in a process of its own.
Status gpu_probe(uint32_t *devices, Err *err);

// An empty folder of our own, removed with everything in it by folder_remove.
Status folder_make(Arena *arena, const char **path, Err *err);
void folder_remove(const char *path);
// Makes a folder of that name.
Status folder_create(const char *path, Err *err);

#endif
