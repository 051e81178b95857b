// SPDX-License-Identifier: MIT
// `cudalint watch [OPTIONS] -- PROGRAM ARGS...`: what a program leaked and released wrongly.
#ifndef RUNTIME_VERIFY_WATCH_WATCH_H
#define RUNTIME_VERIFY_WATCH_WATCH_H

#include "base/arena.h"

// Exit code: 0 nothing wrong, 1 leaks or wrong releases, 2 it could not look.
int watch_main(Arena *arena, int argc, char **argv);

#endif
