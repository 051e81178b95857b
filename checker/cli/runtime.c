// SPDX-License-Identifier: MIT
// Finds cudalint-runtime beside this program, or on the PATH, and becomes it.
#include "cli/runtime.h"

#include "base/log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "cudalint-runtime";

bool runtime_is_wanted(int argc, char **argv)
{
    return argc > 1 && (strcmp(argv[1], "watch") == 0 || strcmp(argv[1], "verify") == 0);
}

int runtime_become(char **argv)
{
    char path[PATH_MAX + sizeof program];
    ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
    if (len < 0) len = 0;
    path[len] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        memcpy(slash + 1, program, sizeof program);
        execv(path, argv);
    }
    execvp(program, argv);
    log_error("%s: %s cannot be run: %s", argv[1], program, strerror(errno));
    return 2;
}
