// SPDX-License-Identifier: MIT
// cudalint-runtime: the commands of cudalint that run programs. A program of its own, so that it
// works on machines with a GPU and no libclang.
#include "base/log.h"
#include "verify/verify.h"
#include "watch/watch.h"

#include <signal.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    signal(SIGPIPE, SIG_IGN);
    Arena *arena = arena_new("run");
    int result = 2;
    if (strcmp(command, "watch") == 0)
        result = watch_main(arena, argc - 1, argv + 1);
    else if (strcmp(command, "verify") == 0)
        result = verify_main(arena, argc - 1, argv + 1);
    else
        log_error("usage: cudalint-runtime watch|verify ...");
    arena_free(arena);
    return result;
}
