// SPDX-License-Identifier: MIT
// libcudaverify-handles.so: functions of cuBLAS, cuFFT, cuDNN, NCCL, ... that acquire or release,
// under their own names. LD_PRELOAD puts them before the libraries'. Each one tells the recorder of
// the process and calls the library's. They are generated (tables/emit_libraries.c).
#ifndef RUNTIME_VERIFY_HANDLES_WRAP_H
#define RUNTIME_VERIFY_HANDLES_WRAP_H

#include "record/track.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A function with its names: as libraries export it, and as the models call it.
typedef struct {
    const char *symbol;
    const char *function;
    void *wrapper;
} Wrapped;

// Sorted by symbol.
extern const Wrapped wrapped_functions[];
extern const size_t wrapped_count;
#define WRAPPED_MOST 512

// A call under way.
typedef struct {
    void *real;                      // the library's function
    const LibraryRecorder *recorder; // NULL: nothing is recorded
    TrackCall call;
    bool is_missing; // there is no such library
} WrappedCall;

// Before the call of function number `index`. False: it must not be made.
bool wrap_enter(size_t index, WrappedCall *call, const uint64_t *words, uint32_t count);
// After it returned `result`, or was not made. Returns what the program must see.
uint32_t wrap_leave(WrappedCall *call, uint32_t result);

// The library's function, or NULL when no library that is loaded has it.
void *wrap_find_real(const Wrapped *wrapped);
// The wrapped function of that symbol, or NULL.
const Wrapped *wrap_find(const char *symbol);
// The C library's own dlsym, of which this library has another.
void *wrap_dlsym(void *handle, const char *symbol);

#endif
