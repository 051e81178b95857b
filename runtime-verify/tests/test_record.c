// SPDX-License-Identifier: MIT
// Parts of the recorders: lines of JSON, the table of blocks, what is to fail, the table of functions.
#include "record/blocks.h"
#include "record/fail.h"
#include "record/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static int make_arena(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int drop_arena(void **state)
{
    arena_free(*state);
    return 0;
}

static void a_line_is_json(void **state)
{
    (void)state;
    Line line;
    line_begin(&line, "acquire");
    line_text(&line, "path", "a\"b\\c\n\x01");
    line_address(&line, "h", 0x7f31);
    line_list_begin(&line, "pcs");
    line_open(&line, '[');
    line_element(&line, 1);
    line_element(&line, -2);
    line_close(&line, '[');
    line_element_text(&line, "x");
    line_list_end(&line);
    line_number(&line, "n", 3);
    line_finish(&line);
    assert_memory_equal(line.text + line.len - 2, "}\n", 2);
    cJSON *object = cJSON_ParseWithLength(line.text, line.len);
    assert_non_null(object);
    assert_string_equal(cJSON_GetObjectItem(object, "path")->valuestring, "a\"b\\c\n\x01");
    assert_string_equal(cJSON_GetObjectItem(object, "h")->valuestring, "0x7f31");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(object, "pcs")), 2);
    assert_int_equal(cJSON_GetObjectItem(object, "n")->valueint, 3);
    cJSON_Delete(object);
}

static void a_long_list_is_cut_between_elements(void **state)
{
    (void)state;
    Line line;
    line_begin(&line, "launch");
    line_list_begin(&line, "uses");
    for (int i = 0; i < 100000 && line_has_room(&line); i++) line_element(&line, i);
    line_list_end(&line);
    line_number(&line, "stack", 7);
    line_finish(&line);
    cJSON *object = cJSON_ParseWithLength(line.text, line.len);
    assert_non_null(object);
    assert_int_equal(cJSON_GetObjectItem(object, "stack")->valueint, 7);
    cJSON_Delete(object);
}

static uint16_t kind(const char *name)
{
    for (size_t i = 0; i < api_resource_count; i++) {
        if (strcmp(api_resources[i].name, name) == 0) return (uint16_t)i;
    }
    fail_msg("no kind %s", name);
    return 0;
}

static void add(Arena *arena, Blocks *blocks, uint64_t handle, uint64_t bytes, uint64_t n)
{
    uint16_t resource = kind("device_memory");
    Block block = {.space = block_space(resource),
                   .handle = handle,
                   .bytes = bytes,
                   .n = n,
                   .resource = resource,
                   .is_live = true};
    blocks_add(arena, blocks, &block);
}

static void blocks_are_found_by_any_address(void **state)
{
    Blocks blocks = {0};
    add(*state, &blocks, 0x3000, 0x100, 3);
    add(*state, &blocks, 0x1000, 0x100, 1);
    add(*state, &blocks, 0x2000, 0x100, 2);
    assert_int_equal(blocks_at(&blocks, 0, 0x1000)->n, 1);
    assert_int_equal(blocks_at(&blocks, 0, 0x20ff)->n, 2);
    assert_int_equal(blocks_at(&blocks, 0, 0x3080)->n, 3);
    assert_null(blocks_at(&blocks, 0, 0x1100));
    assert_null(blocks_at(&blocks, 0, 0xfff));
    assert_null(blocks_at(&blocks, 0, 0x3100));
    assert_null(blocks_at(&blocks, 1 + kind("stream"), 0x1000));
}

static void a_block_takes_the_place_of_those_it_overlaps(void **state)
{
    Blocks blocks = {0};
    add(*state, &blocks, 0x1000, 0x100, 1);
    add(*state, &blocks, 0x1100, 0x100, 2);
    add(*state, &blocks, 0x1200, 0x100, 3);
    add(*state, &blocks, 0x1080, 0x100, 4);
    assert_int_equal(blocks.blocks.len, 2);
    assert_int_equal(blocks_at(&blocks, 0, 0x1080)->n, 4);
    assert_null(blocks_at(&blocks, 0, 0x1000));
    assert_int_equal(blocks_at(&blocks, 0, 0x1200)->n, 3);
}

static void the_latest_uses_are_kept(void **state)
{
    (void)state;
    Block block = {.n = 1};
    for (uint64_t stream = 1; stream <= BLOCK_USES + 1; stream++)
        block_use(&block, stream, 10 + stream, 1);
    block_use(&block, 2, 99, 5);
    bool has_first = false, has_second = false;
    for (uint8_t i = 0; i < block.use_count; i++) {
        has_first |= block.uses[i].stream == 1;
        has_second |= block.uses[i].stream == 2 && block.uses[i].n == 99;
    }
    assert_int_equal(block.use_count, BLOCK_USES);
    assert_false(has_first);
    assert_true(has_second);
}

static void what_fails_is_parsed(void **state)
{
    Arena *arena = *state;
    Err err = {.arena = arena};
    FailSpec spec;
    assert_int_equal(fail_parse(arena, "", &spec, &err), ST_OK);
    assert_false(fail_is_set(&spec));
    assert_int_equal(fail_parse(arena, "12", &spec, &err), ST_OK);
    assert_int_equal(spec.number, 12);
    assert_null(spec.function);
    assert_int_equal(fail_parse(arena, "cudaMalloc:2", &spec, &err), ST_OK);
    assert_string_equal(spec.function, "cudaMalloc");
    assert_int_equal(spec.number, 2);
    const char *places = "cudaMalloc@lib+x.so+0x10-0x2f,app+0x5-0x6";
    assert_int_equal(fail_parse(arena, places, &spec, &err), ST_OK);
    assert_int_equal(spec.ranges.len, 2);
    assert_string_equal(spec.ranges.items[0].module, "lib+x.so");
    assert_int_equal(spec.ranges.items[0].low, 0x10);
    assert_int_equal(spec.ranges.items[1].high, 6);
}

static void nonsense_does_not_fail_anything(void **state)
{
    static const char *const texts[] = {
        "0",       "1x",         ":3",      "f:",          "f:0",          "f@",        "f@m",
        "f@m+0x1", "f@+0x1-0x2", "f@m+1-2", "f@m+0x2-0x2", "f@m+0x1-0x2,", "@m+0x1-0x2"};
    Err err = {.arena = *state};
    FailSpec spec;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(fail_parse(*state, texts[i], &spec, &err), ST_USAGE);
}

static void functions_are_found_under_versioned_names(void **state)
{
    (void)state;
    const ApiFunction *function = api_find("cudaMalloc", 2);
    assert_non_null(function);
    assert_ptr_equal(api_find("cudaMalloc_v3020", 2), function);
    assert_ptr_equal(api_find("cudaMemcpyAsync_ptsz_v7000", 5), api_find("cudaMemcpyAsync", 5));
    assert_non_null(api_find("cuMemFree_v2", 1));
    assert_null(api_find("cudaMallo", 2));
    assert_null(api_find("", 0));
    // Variants by the number of arguments.
    assert_ptr_not_equal(api_find("cudaMallocAsync", 3), api_find("cudaMallocAsync", 4));
}

static void what_may_fail_is_what_can_be_undone(void **state)
{
    (void)state;
    assert_true(api_find("cudaMalloc", 2)->is_fallible);
    assert_true(api_find("cudaMemcpy", 4)->is_fallible);
    assert_true(api_find("cudaDeviceSynchronize", 0)->is_fallible);
    assert_false(api_find("cudaFree", 1)->is_fallible);
    assert_false(api_find("cudaStreamQuery", 1)->is_fallible);
    assert_false(api_find("cudaGetLastError", 0)->is_fallible);
    assert_int_equal(api_find("cudaGetLastError", 0)->last_error, MODEL_LAST_ERROR_TAKE);
}

static void releases_fit_kinds_that_are_the_same(void **state)
{
    (void)state;
    const ApiFunction *function = api_find("cudaFree", 1);
    const ApiEffect *release = NULL;
    for (size_t i = 0; i < function->effect_count; i++) {
        if (function->effects[i].kind == MODEL_RELEASE) release = &function->effects[i];
    }
    assert_non_null(release);
    assert_true(api_fits(release, kind("device_memory")));
    assert_true(api_fits(release, kind("driver_memory")));
    assert_false(api_fits(release, kind("pinned_memory")));
    assert_false(api_fits(release, kind("stream")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_json),
        cmocka_unit_test(a_long_list_is_cut_between_elements),
        cmocka_unit_test_setup_teardown(blocks_are_found_by_any_address, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(a_block_takes_the_place_of_those_it_overlaps, make_arena,
                                        drop_arena),
        cmocka_unit_test(the_latest_uses_are_kept),
        cmocka_unit_test_setup_teardown(what_fails_is_parsed, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(nonsense_does_not_fail_anything, make_arena, drop_arena),
        cmocka_unit_test(functions_are_found_under_versioned_names),
        cmocka_unit_test(what_may_fail_is_what_can_be_undone),
        cmocka_unit_test(releases_fit_kinds_that_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
