// SPDX-License-Identifier: MIT
// The program: reads the command line, runs the subcommand, exits with its result.
#include "base/log.h"
#include "base/str.h"
#include "cli/runtime.h"
#include "config/settings.h"
#include "run/run.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// Opens something on standard descriptors that the caller closed, so that no file of ours takes
// their numbers. Reading and writing them still fails, as it should.
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) continue;
        int filler = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (filler >= 0 && filler != fd) close(filler);
    }
}

static bool is_plain_word(const char *word)
{
    return word[0] != '\0' && word[strcspn(word, " \t\n\"'\\$`*?[](){}<>|&;#!~")] == '\0';
}

// The command line as a shell would read it again, for reports.
static const char *quote_command_line(Arena *arena, int argc, char **argv)
{
    StrBuf line = {.arena = arena};
    for (int i = 0; i < argc; i++) {
        if (i != 0) strbuf_append(&line, " ");
        if (is_plain_word(argv[i])) {
            strbuf_append(&line, argv[i]);
            continue;
        }
        strbuf_append(&line, "'");
        for (const char *c = argv[i]; *c != '\0'; c++) {
            if (*c == '\'')
                strbuf_append(&line, "'\\''");
            else
                strbuf_append_n(&line, c, 1);
        }
        strbuf_append(&line, "'");
    }
    return strbuf_text(&line);
}

static RunResult check(Arena *arena, int argc, char **argv, Options *options,
                       const char *command_line)
{
    Err err = {.arena = arena};
    ConfigTree *configs = NULL;
    if (settings_read(arena, argc, argv, options, &configs, &err) == ST_OK)
        return run_check(arena, options, configs, command_line);
    log_error("%s", err.message);
    return RUN_INCOMPLETE;
}

static RunResult run_command(Arena *arena, int argc, char **argv)
{
    const char *command_line =
        quote_command_line(arena, argc, argv); // before the parser changes the order
    Options options;
    Err err = {.arena = arena};
    if (options_parse(arena, argc, argv, &options, &err) != ST_OK) {
        log_error("%s", err.message);
        return RUN_INCOMPLETE;
    }
    if (options.help) return run_help(arena);
    if (options.version) return run_version(arena);
    switch (options.command) {
    case COMMAND_CHECK:
        return check(arena, argc, argv, &options, command_line);
    case COMMAND_EXPLAIN:
        return run_explain(arena, &options);
    case COMMAND_RULES:
        return run_rules(arena);
    }
    return RUN_INCOMPLETE;
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    if (runtime_is_wanted(argc, argv)) return runtime_become(argv);
    signal(SIGPIPE, SIG_IGN); // a reader that goes away is a failed write
    Arena *arena = arena_new("run");
    RunResult result = run_command(arena, argc, argv);
    arena_free(arena);
    return (int)result;
}
