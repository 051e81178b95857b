// SPDX-License-Identifier: MIT
// What holds for a run: the command line, over the configuration, over the defaults.
#ifndef CUDALINT_CONFIG_SETTINGS_H
#define CUDALINT_CONFIG_SETTINGS_H

#include "config/config.h"

// Reads the command line once more, over what the configuration of the operands' common folder says.
// `options` is what options_parse made of it.
Status settings_read(Arena *arena, int argc, char **argv, Options *options, ConfigTree **tree,
                     Err *err);
// The folder whose configuration holds for the whole run: what all operands have in common, or the
// working folder.
const char *settings_folder(Arena *arena, const TextList *operands);
// Prints what holds in the form of a configuration that would say the same: for the run, and for
// files of settings_folder.
Status settings_print(Arena *arena, const Options *options, const Config *config, FILE *out);

#endif
