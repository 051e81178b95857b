// SPDX-License-Identifier: MIT
// CUPTI's callbacks as generated data (tables/): which function of the models each one stands for,
// and where its arguments lie.
#ifndef RUNTIME_VERIFY_INJECT_CALLBACKS_H
#define RUNTIME_VERIFY_INJECT_CALLBACKS_H

#include "record/api.h"

typedef struct {
    uint16_t offset, size; // in the block of arguments
    bool is_structure;     // passed by value
} CallbackField;

typedef struct {
    const ApiFunction *function; // NULL: not in the models
    bool is_per_thread;          // its default stream is the thread's own
    uint32_t field_count;
    const CallbackField *fields;
} Callback;

// By CUPTI's callback identifier.
extern const Callback callbacks_runtime[];
extern const size_t callbacks_runtime_count;
extern const Callback callbacks_driver[];
extern const size_t callbacks_driver_count;

// By resource kind: releases a handle of it, or NULL where one argument is not enough.
extern int (*const callbacks_undo[])(uint64_t);

#endif
