// SPDX-License-Identifier: MIT
// libFuzzer target: the reader of summaries takes any bytes. What it accepts must be written and
// read again the same. The first byte says how many of the rest are source locations.
#include "summary/summary_pack.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] = "resources:\n"
                                 "  thing: {title: thing, release: drop, memory: true}\n"
                                 "functions:\n"
                                 "  make: {result: status, acquires: {\"*1\": thing}}\n"
                                 "  drop: {result: status, releases: {1: [thing]}}\n";

static bool is_same(SummaryBytes a, SummaryBytes b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

static void check(Arena *arena, const Model *model, const SummaryRecord *record)
{
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    Summary summary;
    if (summary_decode(arena, strings, model, record, &summary, &err) != ST_OK) return;
    SummaryRecord first = summary_encode(arena, model, "f", &summary);
    BUG_ON(summary_decode(arena, strings, model, &first, &summary, &err) != ST_OK);
    SummaryRecord second = summary_encode(arena, model, "f", &summary);
    BUG_ON(!is_same(first.meaning, second.meaning) || !is_same(first.places, second.places));
    FILE *nowhere = fopen("/dev/null", "w");
    BUG_ON(nowhere == NULL);
    summary_print(nowhere, arena, "f", &summary);
    fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    Arena *arena = arena_new("fuzz");
    Err err = {.arena = arena};
    Model *model = model_new_empty(arena);
    BUG_ON(model_load_text(model, "fuzz.yaml", model_text, strlen(model_text), &err) != ST_OK);
    const char *bytes = arena_strndup(arena, (const char *)data + 1, size - 1);
    uint32_t len = (uint32_t)size - 1;
    uint32_t places = data[0] < len ? data[0] : len;
    SummaryRecord record = {.usr = "f",
                            .meaning = {.bytes = bytes + places, .len = len - places},
                            .places = {.bytes = bytes, .len = places}};
    check(arena, model, &record);
    SummaryExports exports;
    SummaryImports imports;
    summary_exports_read(arena, str_pool_new(arena), bytes, len, &exports, &err);
    summary_imports_read(arena, str_pool_new(arena), bytes, len, &imports, &err);
    arena_free(arena);
    return 0;
}
