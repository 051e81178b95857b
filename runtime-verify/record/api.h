// SPDX-License-Identifier: MIT
// What API functions do, as recorders need it: a constant table made from checker/model/data/*.yaml
// at build time (tables/), so that a recorder needs neither YAML nor allocation.
#ifndef RUNTIME_VERIFY_RECORD_API_H
#define RUNTIME_VERIFY_RECORD_API_H

#include "model/model.h" // the vocabulary only: its enums

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_NONE UINT16_MAX

typedef struct {
    const char *name;    // "device_memory"
    const char *title;   // for people: "device memory"
    const char *release; // the function that releases it ("cudaFree"), or NULL
    uint16_t same_as;    // kind whose releasing functions fit this one too, or API_NONE
    bool must_release;
    bool borrowed;
    bool is_memory; // its handle is an address of bytes
    bool released_by_reset;
    bool is_counted;
    bool is_stream_ordered;
    bool defers_work; // attached to a stream: what is queued there meanwhile does not run
} ApiResource;

typedef struct {
    ModelEffectKind kind;
    int arg;              // 1.. an argument
    bool pointee;         // what it points to, not its value
    bool elements;        // each element of the array that it points to
    bool is_handle;       // its type is that of a handle, not of an address of bytes
    bool is_int;          // the handle is an int of 4 bytes, not a pointer
    bool may_be_unseen;   // release: a kind of these is also acquired in a way that is not recorded
    uint16_t offset;      // of the field in it, in bytes
    uint16_t resource;    // index in api_resources, or API_NONE
    const uint16_t *fits; // release: kinds that it rightly releases
    size_t fits_count;
} ApiEffect;

typedef struct {
    const char *name;
    int min_args, max_args;
    const ApiEffect *effects;
    size_t effect_count;
    bool returns_status;
    bool is_fallible; // may be made to fail: RECORDS.md
    bool null_ok;
    bool null_on_failure;
    ModelLastError last_error;
    ModelOrder order;
    int stream_arg;         // as ModelFunction.stream_arg
    bool stream_in_pointee; // the stream is in what that argument points to,
    uint16_t stream_offset; // at that offset
    int event_arg;          // 1.. the event that it records or waits for; 0: none
    int32_t
        out_of_memory; // of a library's function: what it returns when it is made to fail; else 0
    int graph_arg;     // 1.. the graph that it launches or makes another of; 0: none
    int nonblocking_arg; // 1.. the flags that make a stream one that ignores the default stream; 0: none
} ApiFunction;

extern const ApiResource api_resources[];
extern const size_t api_resource_count;
// Sorted by name; variants of one function stand together.
extern const ApiFunction api_functions[];
extern const size_t api_function_count;

// The function of that name with so many arguments, or NULL. The versioned names of the toolkit
// (_v2, _v11020, _ptsz, ...) are those of the plain function.
const ApiFunction *api_find(const char *name, int arg_count);

// Is `kind` one of the kinds that the release lets go of?
bool api_fits(const ApiEffect *release, uint16_t kind);

#endif
