// SPDX-License-Identifier: MIT
// The simulated driver API: each function is the runtime's, under another name and with contexts of
// its own. It is part of the same library, so that both see the same devices. Private to this folder.
#ifndef RUNTIME_VERIFY_SIM_DRIVER_H
#define RUNTIME_VERIFY_SIM_DRIVER_H

#include "../cudart/runtime.h"

#include <cuda.h>

// The codes of the driver API that the runtime has no equal of.
enum { DRIVER_FILE_NOT_FOUND = 301, DRIVER_NO_CONTEXT = 201, DRIVER_NOT_INITIALIZED = 3 };

// What a function wants before it does anything.
typedef enum { WANTS_NOTHING, WANTS_DRIVER, WANTS_CONTEXT } DriverWants;

Call driver_begin(const char *function, const uint64_t *args, size_t count, DriverWants wants);
CUresult driver_end(Call *call);

#define DRIVER_CALL(wants, ...)                                                                    \
    driver_begin(__func__, (const uint64_t[]){0, __VA_ARGS__},                                     \
                 sizeof((const uint64_t[]){0, __VA_ARGS__}) / sizeof(uint64_t) - 1, wants)
// The body of a function that does what a function of the runtime does. Calls within calls are not
// recorded.
#define DRIVER_IS(runtime_call, ...)                                                               \
    Call call = DRIVER_CALL(WANTS_CONTEXT, __VA_ARGS__);                                           \
    if (call.runs) call.error = (SimError)(runtime_call);                                          \
    return driver_end(&call)

#endif
