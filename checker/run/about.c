// SPDX-License-Identifier: MIT
// Subcommands that print what the binary knows: rules, their pages, versions, help.
#include "run/run.h"

#include "base/log.h"
#include "run/run_p.h"

#include <string.h>

// Completes what was printed to standard output.
static RunResult finish(Arena *arena, RunResult result)
{
    Output output;
    Err err = {.arena = arena};
    if (output_open(arena, NULL, &output, &err) == ST_OK && output_close(&output, &err) == ST_OK)
        return result;
    log_error("%s", err.message);
    return RUN_INCOMPLETE;
}

RunResult run_explain(Arena *arena, const Options *options)
{
    for (uint32_t i = 0; i < options->operands.len; i++) {
        const char *slug = options->operands.items[i];
        const char *page = rule_page(slug);
        if (page == NULL) {
            Err err = {.arena = arena};
            rule_unknown(slug, &err);
            log_error("%s", err.message);
            return finish(arena, RUN_INCOMPLETE);
        }
        if (i != 0) fputc('\n', stdout);
        fputs(page, stdout);
    }
    return finish(arena, RUN_CLEAN);
}

RunResult run_rules(Arena *arena)
{
    int width = 0;
    for (uint32_t i = 0; i < rule_count(); i++) {
        int len = (int)strlen(rule_at(i)->slug);
        if (len > width) width = len;
    }
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        printf("%-*s  %-7s  %s\n", width, rule->slug, severity_text(rule->severity), rule->title);
    }
    return finish(arena, RUN_CLEAN);
}

RunResult run_version(Arena *arena)
{
    printf("cudalint %s (%s)\n", CUDALINT_VERSION, tu_backend_version(arena));
    return finish(arena, RUN_CLEAN);
}

RunResult run_help(Arena *arena)
{
    options_print_help(stdout);
    return finish(arena, RUN_CLEAN);
}
