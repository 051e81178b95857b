// SPDX-License-Identifier: MIT
// Recording: the records of one process (RECORDS.md), read from its file.
#ifndef RUNTIME_VERIFY_READ_RECORDING_H
#define RUNTIME_VERIFY_READ_RECORDING_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    RECORD_ACQUIRE,
    RECORD_RELEASE,
    RECORD_RESET,
    RECORD_LAUNCH,
    RECORD_USE,
    RECORD_ERROR,
    RECORD_INJECT,
    RECORD_CALL,
    RECORD_CRASH,
    RECORD_UNSUPPORTED,
    RECORD_END,
} RecordType;

// Unfinished work at a release.
typedef struct {
    uint64_t stream, n, later;
} PendingWork;

// A stream that had unfinished work, and the call that queued the last of it.
typedef struct {
    uint64_t stream, n;
} BusyStream;

typedef Vec(uint64_t) NumberList;

// What a key that is missing leaves at zero or NULL, but `device` at -1.
typedef struct {
    RecordType type;
    uint64_t n, k, of;
    uint64_t in;           // the library's call that made it, 0: none
    int64_t us, tid, code; // code: of an error, at the end that of a fault; of a crash, the signal
    const char *function;
    bool is_driver;       // a call of the driver API,
    bool is_library;      // or of a library beside it and the runtime
    const char *resource; // kind
    const char *state;    // of a release
    const char *kernel;
    uint64_t handle, bytes, stream;
    bool has_stream;
    int device;
    Vec(PendingWork) pending;
    Vec(BusyStream) busy;
    NumberList uses, stale, unordered;
    bool names_unrecorded_event;
    uint32_t stack; // 0: none
} Record;

typedef struct {
    uint32_t module; // from 1
    uint64_t offset; // return address as the module's file counts
} StackEntry;

typedef Vec(StackEntry) StackEntries;

typedef struct {
    int number;
    const char *name;
    uint64_t bytes;
} DeviceInfo;

// A file that code was loaded from.
typedef struct {
    const char *path;     // "" when unknown
    const char *build_id; // hexadecimal, or NULL
} ModuleInfo;

typedef struct {
    const char *by;   // "gpu", "simulator"
    const char *time; // UTC
    int64_t pid, driver;
    Vec(const char *) program;
    Vec(DeviceInfo) devices;
    Vec(ModuleInfo) modules;  // by number - 1
    Vec(StackEntries) stacks; // by number - 1
    Vec(Record) records;      // in the order in which they were written
    bool has_end;             // the process ended by itself
    uint32_t unreadable;      // whole lines that are no records
} Recording;

typedef Vec(Recording) RecordingList;

// Reads the text of one file; never fails: what is unreadable is counted. Strings are interned.
void recording_parse(Arena *arena, StrPool *strings, const char *text, size_t len,
                     Recording *recording);
// Reads every file of a folder, in the order of process numbers.
Status recording_read_folder(Arena *arena, StrPool *strings, const char *folder,
                             RecordingList *list, Err *err);

#endif
