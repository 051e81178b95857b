// SPDX-License-Identifier: MIT
// The table of configuration keys.
#ifndef CUDALINT_CONFIG_CONFIG_P_H
#define CUDALINT_CONFIG_CONFIG_P_H

#include "config/config.h"

typedef enum {
    SHAPE_FLAG,
    SHAPE_TEXT,
    SHAPE_NUMBER,
    SHAPE_PATH,
    SHAPE_PATHS,
    SHAPE_PATTERNS,
    SHAPE_RULES,
    SHAPE_SUPPRESS,
    SHAPE_ARGS,
} ConfigShape;

typedef struct {
    const char *name;
    ConfigShape shape;
    const char *option; // long name of the command-line option that it sets, or NULL
    const char *help;
} ConfigKey;

extern const ConfigKey config_keys[];
extern const uint32_t config_key_count;

#endif
