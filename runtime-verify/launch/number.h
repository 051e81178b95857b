// SPDX-License-Identifier: MIT
// Numbers on command lines.
#ifndef RUNTIME_VERIFY_LAUNCH_NUMBER_H
#define RUNTIME_VERIFY_LAUNCH_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

// Reads the value of an option of `command`: a whole number from 1 to 1,000,000. Otherwise an error is logged.
bool number_option(const char *command, const char *option, const char *text, uint32_t *number);

#endif
