// SPDX-License-Identifier: MIT
// What the simulator reads of the fat binaries that nvcc puts into a program: the sizes of a
// kernel's parameters and the first value of a variable. Other input than nvcc's is refused, never
// trusted.
#ifndef RUNTIME_VERIFY_SIM_FATBIN_H
#define RUNTIME_VERIFY_SIM_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint16_t offset, size; // in the parameter space
} SimParameter;

enum { SIM_PARAMETERS_MOST = 1024 };

// The parameters in their order: how many are stored in `out`, or -1 when the binary does not tell
// (it holds no machine code for the kernel, or that is compressed).
int sim_fatbin_parameters(const void *data, size_t size, const char *kernel, SimParameter *out);
// The bytes that the variable starts with, in `data`; NULL when they are zero or not told.
const void *sim_fatbin_initial(const void *data, size_t size, const char *variable, size_t bytes);

#endif
