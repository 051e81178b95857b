// SPDX-License-Identifier: MIT
// The commands that run programs, `cudalint watch` and `cudalint verify`: a program of its own does
// them, as it must also work on machines with a GPU and no libclang.
#ifndef CUDALINT_CLI_RUNTIME_H
#define CUDALINT_CLI_RUNTIME_H

#include <stdbool.h>

// Is the command line one of theirs?
bool runtime_is_wanted(int argc, char **argv);
// Becomes that program. Returns only when it cannot: the exit code.
int runtime_become(char **argv);

#endif
