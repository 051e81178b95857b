// SPDX-License-Identifier: MIT
// What API functions do, as the recorders need it: a constant table made from
// checker/model/data/*.yaml at build time, so that a recorder needs neither YAML nor allocation.
#ifndef RUNTIME_VERIFY_RECORD_API_H
#define RUNTIME_VERIFY_RECORD_API_H

#include "model/model.h" // the vocabulary only: its enums

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;    // "device_memory"
    const char *release; // the function that releases it ("cudaFree"), or NULL
    bool must_release, borrowed, is_memory, released_by_reset, is_stream_ordered, is_counted;
} ApiResource;

typedef struct {
    ModelEffectKind kind;
    int arg;           // 1.. an argument
    bool pointee;      // what it points to, not its value
    uint16_t offset;   // of the field in it, in bytes
    bool elements;     // of the array it points to
    uint16_t resource; // index in api_resources, or API_NONE
    uint64_t fits;     // release: bit set over api_resources of kinds it rightly releases
} ApiEffect;

#define API_NONE UINT16_MAX

typedef struct {
    const char *name;
    int min_args, max_args;
    const ApiEffect *effects;
    size_t effect_count;
    bool returns_status;
    bool is_fallible; // may be made to fail: RECORDS.md
    bool null_on_failure;
    ModelOrder order;
    int stream_arg; // as ModelFunction.stream_arg
    int event_arg;
} ApiFunction;

extern const ApiResource api_resources[];
extern const size_t api_resource_count;

// The function of that name with so many arguments, or NULL. The versioned names of the toolkit
// (_v2, _ptsz, ...) are those of the plain function.
const ApiFunction *api_find(const char *name, int arg_count);

#endif
