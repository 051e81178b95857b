// SPDX-License-Identifier: MIT
// The command line: what each kind of option does, what is refused and how, suggestions.
#include "config/nearest.h"
#include "config/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX_ARGUMENTS = 16 };

typedef struct {
    Arena *arena;
    Options options;
    Status status;
    const char *message;
} Parsed;

// Parses the words of `line`, split at blanks.
static Parsed parse(const char *line)
{
    Parsed parsed = {.arena = arena_new("test")};
    char *argv[MAX_ARGUMENTS] = {"cudalint"};
    int argc = 1;
    char *rest = NULL;
    char *words = arena_strdup(parsed.arena, line);
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(argc < MAX_ARGUMENTS - 1);
        argv[argc++] = word;
    }
    Err err = {.arena = parsed.arena};
    parsed.status = options_parse(parsed.arena, argc, argv, &parsed.options, &err);
    parsed.message = err.message;
    return parsed;
}

static void assert_refused(const char *line, const char *message)
{
    Parsed parsed = parse(line);
    assert_int_equal(parsed.status, ST_USAGE);
    assert_string_equal(parsed.message, message);
    arena_free(parsed.arena);
}

static void test_defaults(void **state)
{
    (void)state;
    Parsed parsed = parse("a.cu");
    assert_int_equal(parsed.status, ST_OK);
    assert_int_equal(parsed.options.command, COMMAND_CHECK);
    assert_string_equal(parsed.options.format, "text");
    assert_string_equal(parsed.options.fail_on, "warning");
    assert_string_equal(parsed.options.colour, "auto");
    assert_int_equal(parsed.options.timeout, 300);
    assert_int_equal(parsed.options.jobs, 0);
    assert_null(parsed.options.output);
    assert_false(parsed.options.notes);
    assert_int_equal(parsed.options.operands.len, 1);
    arena_free(parsed.arena);
}

static void test_options_and_files_may_mix(void **state)
{
    (void)state;
    Parsed parsed = parse("a.cu -j4 b.cu --format=json -o out --level leak=off --notes "
                          "--level=leak-on-return=error c.cu");
    const Options *options = &parsed.options;
    assert_int_equal(parsed.status, ST_OK);
    assert_int_equal(options->jobs, 4);
    assert_string_equal(options->format, "json");
    assert_string_equal(options->output, "out");
    assert_true(options->notes);
    assert_int_equal(options->levels.len, 2);
    assert_string_equal(options->levels.items[0], "leak=off");
    assert_string_equal(options->levels.items[1], "leak-on-return=error");
    assert_int_equal(options->operands.len, 3);
    assert_string_equal(options->operands.items[2], "c.cu");
    arena_free(parsed.arena);
}

static void test_compiler_arguments_follow_dashes(void **state)
{
    (void)state;
    Parsed parsed = parse("check -q a.cu -- -O2 -I x -- --notes");
    assert_int_equal(parsed.status, ST_OK);
    assert_false(parsed.options.notes);
    assert_int_equal(parsed.options.operands.len, 1);
    assert_int_equal(parsed.options.compiler_args.len, 5);
    assert_string_equal(parsed.options.compiler_args.items[3], "--");
    arena_free(parsed.arena);
}

static void test_commands(void **state)
{
    (void)state;
    Parsed explain = parse("explain leak double-free");
    assert_int_equal(explain.options.command, COMMAND_EXPLAIN);
    assert_int_equal(explain.options.operands.len, 2);
    arena_free(explain.arena);
    Parsed rules = parse("rules");
    assert_int_equal(rules.options.command, COMMAND_RULES);
    arena_free(rules.arena);
    Parsed file = parse("a.cu rules"); // a command stands first
    assert_int_equal(file.options.command, COMMAND_CHECK);
    assert_int_equal(file.options.operands.len, 2);
    arena_free(file.arena);
}

static void test_help_needs_no_files(void **state)
{
    (void)state;
    Parsed parsed = parse("-h");
    assert_int_equal(parsed.status, ST_OK);
    assert_true(parsed.options.help);
    arena_free(parsed.arena);
}

static void test_refusals_say_what_is_right(void **state)
{
    (void)state;
    assert_refused("--nots a.cu", "unknown option '--nots'; did you mean '--notes'?");
    assert_refused(
        "-Z a.cu",
        "unknown option '-Z'; see 'cudalint --help' (options of the compiler go after '--')");
    assert_refused("--format=yaml a.cu", "--format cannot be 'yaml'; it is one of "
                                         "text|concise|json|sarif|github|gitlab|junit");
    assert_refused("--format=tex a.cu", "--format cannot be 'tex'; it is one of "
                                        "text|concise|json|sarif|github|gitlab|junit");
    assert_refused("--format=text|json a.cu", "--format cannot be 'text|json'; it is one of "
                                              "text|concise|json|sarif|github|gitlab|junit");
    assert_refused("-j 0 a.cu", "--jobs wants a whole number from 1, not '0'");
    assert_refused("-j -1 a.cu", "--jobs wants a whole number from 1, not '-1'");
    assert_refused("-j 99999999999999999999 a.cu",
                   "--jobs wants a whole number from 1, not '99999999999999999999'");
    assert_refused("-j 3x a.cu", "--jobs wants a whole number from 1, not '3x'");
    assert_refused("a.cu --output", "--output lacks its value: --output FILE");
    assert_refused("a.cu -o", "--output lacks its value: --output FILE");
    assert_refused("--output= a.cu", "--output wants a FILE");
    assert_refused("--stats=yes a.cu", "--stats takes no value");
    assert_refused("-q -v a.cu", "-q and -v exclude each other");
    assert_refused("", "no files given; try 'cudalint FILE.cu' or 'cudalint --help'");
    assert_refused("check", "no files given; try 'cudalint FILE.cu' or 'cudalint --help'");
    assert_refused("explain", "explain wants a rule; 'cudalint rules' lists them");
    assert_refused("rules leak",
                   "rules takes nothing after it; 'cudalint explain RULE' explains one");
}

static void test_nearest_word(void **state)
{
    (void)state;
    static const char *const words[] = {"leak", "leak-on-return", "double-free"};
    assert_string_equal(nearest_word("leek", words, 3), "leak");
    assert_string_equal(nearest_word("leak-on-retrun", words, 3), "leak-on-return");
    assert_string_equal(nearest_word("doublefree", words, 3), "double-free");
    assert_null(nearest_word("unrelated", words, 3));
    assert_null(nearest_word("", words, 3));
    assert_null(nearest_word("leak", words, 0));
    assert_null(nearest_word(
        "a-word-that-is-longer-than-any-that-could-be-meant-by-anyone-at-all-here", words, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_options_and_files_may_mix),
        cmocka_unit_test(test_compiler_arguments_follow_dashes),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_help_needs_no_files),
        cmocka_unit_test(test_refusals_say_what_is_right),
        cmocka_unit_test(test_nearest_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
