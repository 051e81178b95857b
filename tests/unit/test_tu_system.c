// SPDX-License-Identifier: MIT
// What is remembered of the machine: the same as a look at it shows, and forgotten when it no longer
// fits.
#include "base/file.h"
#include "tu/tu_parse_p.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    char *dir = arena_strdup(arena, "/tmp/cudalint-test-XXXXXX");
    assert_non_null(mkdtemp(dir));
    *state = arena;
    setenv("CUDALINT_TEST_DIR", dir, 1);
    return 0;
}

static TuParser *new_parser(Arena *arena)
{
    TuOptions options = {.cache_dir = getenv("CUDALINT_TEST_DIR"), .no_pch = true};
    Err err = {.arena = arena};
    TuParser *parser = NULL;
    assert_int_equal(tu_parser_new(arena, &options, &parser, &err), ST_OK);
    return parser;
}

// The one file in the cache.
static const char *remembered(Arena *arena)
{
    const char *dir = getenv("CUDALINT_TEST_DIR"), *path = NULL;
    DIR *handle = opendir(dir);
    assert_non_null(handle);
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        assert_null(path); // no temporary file is left
        path = arena_printf(arena, "%s/%s", dir, entry->d_name);
    }
    closedir(handle);
    assert_non_null(path);
    return path;
}

static int tear_down(void **state)
{
    unlink(remembered(*state));
    rmdir(getenv("CUDALINT_TEST_DIR"));
    arena_free(*state);
    return 0;
}

static void assert_same(const TuParser *a, const TuParser *b)
{
    assert_int_equal(a->system_identity, b->system_identity);
    assert_string_equal(a->resource_include, b->resource_include);
    assert_int_equal(a->system_dirs.len, b->system_dirs.len);
    for (uint32_t i = 0; i < a->system_dirs.len; i++)
        assert_string_equal(a->system_dirs.items[i], b->system_dirs.items[i]);
}

static void test_recalls_what_it_saw(void **state)
{
    const TuParser *seen = new_parser(*state);
    assert_true(seen->system_dirs.len > 1);
    TuParser probe = {.arena = *state, .cache_dir = getenv("CUDALINT_TEST_DIR")};
    TuFlags headers = {0};
    assert_true(tu_system_recall(&probe, &headers));
    assert_same(seen, new_parser(*state));
}

static void write_over(const char *path, const char *text, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    fclose(file);
}

static void test_forgets_what_no_longer_fits(void **state)
{
    Arena *arena = *state;
    const TuParser *seen = new_parser(arena);
    const char *path = remembered(arena);
    char *whole = NULL;
    size_t len = 0;
    Err err = {.arena = arena};
    assert_int_equal(file_read(arena, path, 1 << 20, &whole, &len, &err), ST_OK);
    // Cut short, another hash, a header that is gone, nothing, no text at all.
    const char *gone = arena_printf(arena, "%s/gone/stddef.h\n", whole);
    whole[0] = whole[0] == '0' ? '1' : '0';
    const struct {
        const char *text;
        size_t len;
    } cases[] = {{whole, len / 2}, {whole, len}, {gone, strlen(gone)}, {"", 0}, {"\0\xff\n", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_over(path, cases[i].text, cases[i].len);
        TuParser probe = {.arena = arena, .cache_dir = getenv("CUDALINT_TEST_DIR")};
        TuFlags headers = {0};
        assert_false(tu_system_recall(&probe, &headers));
        assert_same(seen, new_parser(arena));
        headers = (TuFlags){0};
        assert_true(tu_system_recall(&probe, &headers)); // and it was put right
    }
}

static void test_other_search_path_is_another_machine(void **state)
{
    new_parser(*state);
    setenv("CPATH", "/elsewhere", 1);
    TuParser probe = {.arena = *state, .cache_dir = getenv("CUDALINT_TEST_DIR")};
    TuFlags headers = {0};
    assert_false(tu_system_recall(&probe, &headers));
    unsetenv("CPATH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_recalls_what_it_saw, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forgets_what_no_longer_fits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_search_path_is_another_machine, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
