// SPDX-License-Identifier: MIT
// What each subcommand does, from options to exit code. Messages go to standard error.
#ifndef CUDALINT_RUN_RUN_H
#define CUDALINT_RUN_RUN_H

#include "config/config.h"

// What the process exits with. Incomplete wins over findings.
typedef enum {
    RUN_CLEAN = 0,      // looked at everything, nothing at or above --fail-on
    RUN_FINDINGS = 1,   // found something
    RUN_INCOMPLETE = 2, // could not do the whole job
} RunResult;

// `configs` holds the configurations read so far; `command_line` is what the user typed, for reports.
// All memory is taken from `arena`.
RunResult run_check(Arena *arena, const Options *options, ConfigTree *configs,
                    const char *command_line);
RunResult run_explain(Arena *arena, const Options *options);
RunResult run_rules(Arena *arena);
RunResult run_version(Arena *arena);
RunResult run_help(Arena *arena);

#endif
