// SPDX-License-Identifier: MIT
// The command line. Input: argv; output: Options. getopt_long does the reading; this file turns its
// table and its errors into ours. Everything that is wrong is said with what would be right.
#include "config/options.h"

#include "config/nearest.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

typedef enum { KIND_FLAG, KIND_TEXT, KIND_NUMBER, KIND_CHOICE, KIND_LIST } OptionKind;

typedef struct {
    OptionKind kind;
    size_t offset; // of the field in Options
    char letter;   // 0: none
    const char *name;
    // Follows the name in --help; of choices also what is allowed, split by '|'; NULL for flags.
    const char *what;
    const char *initial; // of choices
    const char *help;
    const char *group; // title of the group that starts here, or NULL
} OptionSpec;

// A group is an entry of its own, with nothing but a title.
static const OptionSpec specs[] = {
#define OPT_GROUP(title) {.group = title},
#define OPT_FLAG(field, letter, name, help)                                                        \
    {KIND_FLAG, offsetof(Options, field), letter, name, NULL, NULL, help, NULL},
#define OPT_TEXT(field, letter, name, what, help)                                                  \
    {KIND_TEXT, offsetof(Options, field), letter, name, what, NULL, help, NULL},
#define OPT_NUMBER(field, letter, name, what, help)                                                \
    {KIND_NUMBER, offsetof(Options, field), letter, name, what, NULL, help, NULL},
#define OPT_CHOICE(field, letter, name, choices, initial, help)                                    \
    {KIND_CHOICE, offsetof(Options, field), letter, name, choices, initial, help, NULL},
#define OPT_LIST(field, letter, name, what, help)                                                  \
    {KIND_LIST, offsetof(Options, field), letter, name, what, NULL, help, NULL},
#include "config/options.def"
#undef OPT_GROUP
#undef OPT_FLAG
#undef OPT_TEXT
#undef OPT_NUMBER
#undef OPT_CHOICE
#undef OPT_LIST
};

enum {
    SPEC_COUNT = sizeof specs / sizeof specs[0],
    FIRST_VALUE = CHAR_MAX + 1, // getopt value of specs[0]; below are letters
};

// getopt's tables, made from `specs`.
typedef struct {
    struct option longs[SPEC_COUNT + 1];
    char letters[2 * SPEC_COUNT + 2];
} GetoptTables;

static void tables_fill(GetoptTables *tables)
{
    *tables = (GetoptTables){0};
    size_t longs = 0, letters = 0;
    tables->letters[letters++] = ':'; // report a missing argument as ':'
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (specs[i].name == NULL) continue;
        int has_arg = specs[i].kind == KIND_FLAG ? no_argument : required_argument;
        tables->longs[longs++] =
            (struct option){.name = specs[i].name, .has_arg = has_arg, .val = FIRST_VALUE + i};
        if (specs[i].letter == 0) continue;
        tables->letters[letters++] = specs[i].letter;
        if (has_arg == required_argument) tables->letters[letters++] = ':';
    }
}

// The option for a value that getopt_long returned: a letter or FIRST_VALUE + index.
static const OptionSpec *spec_of(int value)
{
    if (value >= FIRST_VALUE) return &specs[value - FIRST_VALUE];
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (specs[i].letter == value && specs[i].letter != 0) return &specs[i];
    }
    return NULL;
}

static Status unknown_option(const char *given, Err *err)
{
    const char *names[SPEC_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (specs[i].name != NULL) names[count++] = specs[i].name;
    }
    if (given[0] == '-' && given[1] == '-') {
        char word[64] = "";
        size_t len = strcspn(given + 2, "=");
        if (len < sizeof word) memcpy(word, given + 2, len);
        const char *near = nearest_word(word, names, count);
        if (near != NULL) {
            return err_set(err, ST_USAGE, "unknown option '%s'; did you mean '--%s'?", given, near);
        }
    }
    return err_set(
        err, ST_USAGE,
        "unknown option '%s'; see 'cudalint --help' (options of the compiler go after '--')",
        given);
}

static bool choice_is_allowed(const char *choices, const char *value)
{
    size_t len = strlen(value);
    for (const char *choice = choices;; choice++) {
        size_t choice_len = strcspn(choice, "|");
        if (choice_len == len && memcmp(choice, value, len) == 0) return true;
        choice += choice_len;
        if (*choice == '\0') return false;
    }
}

static Status set_number(const OptionSpec *spec, const char *value, uint32_t *field, Err *err)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || number < 1 || number > INT_MAX / 1000) {
        return err_set(err, ST_USAGE, "--%s wants a whole number from 1, not '%s'", spec->name,
                       value);
    }
    *field = (uint32_t)number;
    return ST_OK;
}

static Status set_option(Arena *arena, const OptionSpec *spec, const char *value, Options *options,
                         Err *err)
{
    void *field = (char *)options + spec->offset;
    switch (spec->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return ST_OK;
    case KIND_NUMBER:
        return set_number(spec, value, field, err);
    case KIND_LIST:
        vec_push(arena, (TextList *)field, value);
        return ST_OK;
    case KIND_CHOICE:
        if (!choice_is_allowed(spec->what, value)) {
            return err_set(err, ST_USAGE, "--%s cannot be '%s'; it is one of %s", spec->name, value,
                           spec->what);
        }
        *(const char **)field = value;
        return ST_OK;
    case KIND_TEXT:
        if (value[0] == '\0')
            return err_set(err, ST_USAGE, "--%s wants a %s", spec->name, spec->what);
        *(const char **)field = value;
        return ST_OK;
    }
    return ST_OK;
}

static Status parse_options(Arena *arena, int argc, char **argv, Options *options, Err *err)
{
    GetoptTables tables;
    tables_fill(&tables);
    opterr = 0; // our messages, not getopt's
    optind = 0; // begin afresh, as if never called before
    for (;;) {
        int current = optind == 0 ? 1 : optind;
        int value = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        if (value == -1) return ST_OK;
        // getopt has moved on only when it was done with the whole argument.
        const char *given = argv[optind > current ? optind - 1 : current];
        if (value == '?') {
            const OptionSpec *known = spec_of(optopt);
            if (known != NULL && known->kind == KIND_FLAG && given[0] == '-' && given[1] == '-') {
                return err_set(err, ST_USAGE, "--%s takes no value", known->name);
            }
            return unknown_option(given, err);
        }
        if (value == ':') {
            const OptionSpec *lacking = spec_of(optopt);
            BUG_ON(lacking == NULL);
            return err_set(err, ST_USAGE, "--%s lacks its value: --%s %s", lacking->name,
                           lacking->name, lacking->what);
        }
        Status status = set_option(arena, spec_of(value), optarg, options, err);
        if (status != ST_OK) return status;
    }
}

// Takes the subcommand off the operands, if the first is one.
static void take_command(Options *options)
{
    static const struct {
        const char *name;
        Command command;
    } commands[] = {
        {"check", COMMAND_CHECK}, {"explain", COMMAND_EXPLAIN}, {"rules", COMMAND_RULES}};
    if (options->operands.len == 0) return;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(options->operands.items[0], commands[i].name) != 0) continue;
        options->command = commands[i].command;
        options->operands.items++;
        options->operands.len--;
        return;
    }
}

// Each of these is the whole output of a run, or the opposite of the other.
static Status check_exclusive(const Options *options, Err *err)
{
    const struct {
        bool both;
        const char *text;
    } pairs[] = {
        {options->quiet && options->verbose, "-q and -v exclude each other"},
        {options->config && options->no_config, "--config and --no-config exclude each other"},
        {options->dump && options->expect, "--dump and --expect exclude each other"},
        {options->dump && options->write_baseline,
         "--dump and --write-baseline exclude each other"},
        {options->expect && options->write_baseline,
         "--expect and --write-baseline exclude each other"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].both) return err_set(err, ST_USAGE, "%s", pairs[i].text);
    return ST_OK;
}

static Status check_operands(const Options *options, Err *err)
{
    if (options->help || options->version) return ST_OK;
    switch (options->command) {
    case COMMAND_CHECK:
        if (options->operands.len == 0 && options->build == NULL) {
            return err_set(err, ST_USAGE,
                           "no files given; try 'cudalint FILE.cu' or 'cudalint --help'");
        }
        if (options->write_baseline != NULL &&
            (options->baseline != NULL || options->since != NULL)) {
            return err_set(
                err, ST_USAGE,
                "--write-baseline lists all findings: it goes with neither --baseline nor "
                "--since");
        }
        if (options->build != NULL && options->compiler_args.len != 0) {
            return err_set(err, ST_USAGE,
                           "-p and '--' exclude each other: both say how the files are compiled");
        }
        break;
    case COMMAND_EXPLAIN:
        if (options->operands.len == 0) {
            return err_set(err, ST_USAGE, "explain wants a rule; 'cudalint rules' lists them");
        }
        break;
    case COMMAND_RULES:
        if (options->operands.len != 0) {
            return err_set(err, ST_USAGE,
                           "rules takes nothing after it; 'cudalint explain RULE' explains one");
        }
        break;
    }
    return check_exclusive(options, err);
}

void options_init(Options *options)
{
    *options = (Options){.timeout = 300};
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (specs[i].kind != KIND_CHOICE || specs[i].name == NULL) continue;
        *(const char **)((char *)options + specs[i].offset) = specs[i].initial;
    }
}

Status options_set(Arena *arena, Options *options, const char *name, const char *value, Err *err)
{
    for (int i = 0; i < SPEC_COUNT; i++) {
        const OptionSpec *spec = &specs[i];
        if (spec->name == NULL || strcmp(spec->name, name) != 0) continue;
        if (spec->kind != KIND_FLAG) return set_option(arena, spec, value, options, err);
        *(bool *)((char *)options + spec->offset) = strcmp(value, "true") == 0;
        return ST_OK;
    }
    return err_set(err, ST_USAGE, "there is no option --%s", name);
}

void options_get(Arena *arena, const Options *options, const char *name, TextList *values)
{
    for (int i = 0; i < SPEC_COUNT; i++) {
        const OptionSpec *spec = &specs[i];
        if (spec->name == NULL || strcmp(spec->name, name) != 0) continue;
        const void *field = (const char *)options + spec->offset;
        const char *text = NULL;
        switch (spec->kind) {
        case KIND_FLAG:
            text = *(const bool *)field ? "true" : "false";
            break;
        case KIND_TEXT:
        case KIND_CHOICE:
            text = *(const char *const *)field;
            break;
        case KIND_NUMBER:
            if (*(const uint32_t *)field != 0)
                text = arena_printf(arena, "%u", (unsigned)*(const uint32_t *)field);
            break;
        case KIND_LIST:
            *values = *(const TextList *)field;
            break;
        }
        if (text != NULL) vec_push(arena, values, text);
    }
}

Status options_parse(Arena *arena, int argc, char **argv, Options *options, Err *err)
{
    options_init(options);
    return options_parse_over(arena, argc, argv, options, err);
}

Status options_parse_over(Arena *arena, int argc, char **argv, Options *options, Err *err)
{
    options->operands = (TextList){0};
    options->compiler_args = (TextList){0};
    int own = 1; // arguments up to `--` are ours
    while (own < argc && strcmp(argv[own], "--") != 0) own++;
    for (int i = own + 1; i < argc; i++) vec_push(arena, &options->compiler_args, argv[i]);

    Status status = parse_options(arena, own, argv, options, err);
    if (status != ST_OK) return status;
    for (int i = optind; i < own; i++) vec_push(arena, &options->operands, argv[i]);
    take_command(options);
    return check_operands(options, err);
}

void options_print_help(FILE *out)
{
    fputs(
        "cudalint finds resource bugs in CUDA host code before it runs.\n\n"
        "usage: cudalint [check] [OPTION]... FILE|FOLDER... [-- COMPILER-ARGUMENT...]\n"
        "       cudalint [check] [OPTION]... -p BUILD-FOLDER\n"
        "       cudalint explain RULE\n"
        "       cudalint rules\n"
        "       cudalint watch [OPTION]... -- PROGRAM ARGUMENT...\n"
        "       cudalint verify [OPTION]... FINDINGS.sarif [SOURCE...] [-- PROGRAM ARGUMENT...]\n\n"
        "A folder stands for every .cu, .c, .cc, .cpp and .cxx file below it. Headers are "
        "analysed with the\n"
        "files that include them. How a file is compiled is read from the nearest "
        "compile_commands.json, in its\n"
        "folder, a folder `build` or above, or is said after '--', spelled as nvcc, clang or g++ "
        "take it.\n"
        "'watch' and 'verify' run programs on a GPU; each has a --help of its own.\n",
        out);
    for (int i = 0; i < SPEC_COUNT; i++) {
        const OptionSpec *spec = &specs[i];
        if (spec->name == NULL) {
            fprintf(out, "\n%s:\n", spec->group);
            continue;
        }
        char left[80];
        const char *separator = spec->what == NULL ? "" : spec->kind == KIND_CHOICE ? "=" : " ";
        snprintf(left, sizeof left, "%c%c%s--%s%s%s", spec->letter != 0 ? '-' : ' ',
                 spec->letter != 0 ? spec->letter : ' ', spec->letter != 0 ? ", " : "  ",
                 spec->name, separator, spec->what != NULL ? spec->what : "");
        if (strlen(left) > 26)
            fprintf(out, "  %s\n%28s", left, "");
        else
            fprintf(out, "  %-26s", left);
        fprintf(out, "%s", spec->help);
        if (spec->initial != NULL) fprintf(out, " (default: %s)", spec->initial);
        fputc('\n', out);
    }
    fputs(
        "\nExit code: 0 nothing found, 1 findings, 2 wrong usage, or a file was not read whole.\n",
        out);
}
