// SPDX-License-Identifier: MIT
// FUNCTION@FILE:LINE becomes FUNCTION@MODULE+0xLOW-0xHIGH,..., which recorders understand.
#ifndef RUNTIME_VERIFY_LAUNCH_FAIL_PLACE_H
#define RUNTIME_VERIFY_LAUNCH_FAIL_PLACE_H

#include "base/err.h"
#include "read/symbols.h"

// Rewrites `*fail` if it names a line of a file, by the program's debug information; allocated in
// `arena`. What can be meant no other way is checked, too.
Status fail_resolve(Arena *arena, Symbols *symbols, const char *program, const char **fail,
                    Err *err);

#endif
