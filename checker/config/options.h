// SPDX-License-Identifier: MIT
// Options: the command line as data. One table (options.def) yields the fields, the parser and
// --help.
#ifndef CUDALINT_CONFIG_OPTIONS_H
#define CUDALINT_CONFIG_OPTIONS_H

#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

typedef Vec(const char *) TextList;

typedef enum {
    COMMAND_CHECK,   // `cudalint [check] FILE...`
    COMMAND_EXPLAIN, // `cudalint explain RULE`
    COMMAND_RULES,   // `cudalint rules`
} Command;

typedef struct {
    Command command;
    TextList operands;             // files and folders; of `explain` the rules
    TextList compiler_args;        // after `--`
    TextList added_args;           // of the configuration: after each file's own
    const char *added_args_folder; // where their paths start
#define OPT_GROUP(title)
#define OPT_FLAG(field, letter, name, help) bool field;
#define OPT_TEXT(field, letter, name, what, help) const char *field;
#define OPT_NUMBER(field, letter, name, what, help) uint32_t field;
#define OPT_CHOICE(field, letter, name, choices, initial, help) const char *field;
#define OPT_LIST(field, letter, name, what, help) TextList field;
#include "config/options.def"
#undef OPT_GROUP
#undef OPT_FLAG
#undef OPT_TEXT
#undef OPT_NUMBER
#undef OPT_CHOICE
#undef OPT_LIST
} Options;

// Reads the command line. Errors are ST_USAGE and say what would be right. Lists are allocated in
// `arena`, texts are borrowed from `argv`, whose order is changed.
Status options_parse(Arena *arena, int argc, char **argv, Options *options, Err *err);

// The same over what `options` hold already: configuration, or what options_init sets.
Status options_parse_over(Arena *arena, int argc, char **argv, Options *options, Err *err);
// Every option as it is when nobody says anything.
void options_init(Options *options);
// Sets the option of this long name; flags take "true" and "false". Messages are those of the
// command line.
Status options_set(Arena *arena, Options *options, const char *name, const char *value, Err *err);

// What the option holds, as texts: none where nobody set it.
void options_get(Arena *arena, const Options *options, const char *name, TextList *values);

// Prints --help.
void options_print_help(FILE *out);

#endif
