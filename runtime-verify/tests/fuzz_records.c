// SPDX-License-Identifier: MIT
// Any bytes as records: read, replayed and judged.
#include "verify/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    StrPool *strings = str_pool_new(arena);
    Recording recording;
    recording_parse(arena, strings, (const char *)data, size, &recording);
    Trial trial = trial_new(arena, symbols_new(arena, strings), &recording);
    CheckedFinding finding = {.rule = "double-free",
                              .file = "a.cu",
                              .line = 1,
                              .acquired_file = "a.cu",
                              .acquired_line = 1};
    judge_finding(&trial, &finding);
    finding.rule = "leak";
    judge_finding(&trial, &finding);
    judge_clean(&trial, 0);
    arena_free(arena);
    return 0;
}
