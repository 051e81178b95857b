// SPDX-License-Identifier: MIT
// Any bytes as SARIF, as a source with comments, and as CUDALINT_FAIL.
#include "record/fail.h"
#include "verify/findings.h"
#include "verify/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    Findings findings = {0};
    ProgramSource source = {0};
    FailSpec fail;
    findings_parse(arena, str_pool_new(arena), (const char *)data, size, &findings, &err);
    program_source_parse(arena, (const char *)data, size, &source);
    fail_parse(arena, arena_strndup(arena, (const char *)data, size), &fail, &err);
    arena_free(arena);
    return 0;
}
