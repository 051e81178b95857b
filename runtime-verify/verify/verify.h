// SPDX-License-Identifier: MIT
// `cudalint verify [OPTIONS] FINDINGS.sarif [SOURCE...] [-- PROGRAM ARGS...]`: makes findings happen.
#ifndef RUNTIME_VERIFY_VERIFY_VERIFY_H
#define RUNTIME_VERIFY_VERIFY_VERIFY_H

#include "base/arena.h"

// Exit code: 0 no finding refuted and no source unclean, 1 some, 2 it could not look.
int verify_main(Arena *arena, int argc, char **argv);

#endif
