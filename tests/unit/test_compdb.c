// SPDX-License-Identifier: MIT
// Compile databases: what is read, what is refused, which command a file gets; paths and words.
#include "base/path.h"
#include "base/str.h"
#include "compile/compdb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static CompileDb *parse(Arena *arena, const char *text)
{
    CompileDb *db = NULL;
    Err err = {.arena = arena};
    if (compile_db_parse(arena, "/p/build/compile_commands.json", text, strlen(text), &db, &err) !=
        ST_OK)
        fail_msg("%s", err.message);
    return db;
}

static const char *refused(Arena *arena, const char *text)
{
    CompileDb *db = NULL;
    Err err = {.arena = arena};
    assert_int_equal(compile_db_parse(arena, "c.json", text, strlen(text), &db, &err), ST_SYNTAX);
    return err.message;
}

static const char *joined(Arena *arena, const Words *words)
{
    StrBuf text = {.arena = arena};
    for (uint32_t i = 0; i < words->len; i++)
        strbuf_printf(&text, "%s[%s]", i != 0 ? " " : "", words->items[i]);
    return strbuf_text(&text);
}

static void test_reads_both_forms(void **state)
{
    Arena *arena = *state;
    CompileDb *db = parse(
        arena,
        "\xEF\xBB\xBF[{\"directory\": \"/p/build\", \"file\": \"../src/b.cu\",\r\n"
        "  \"command\": \"/usr/bin/ccache /opt/cuda/bin/nvcc -DX=\\\"\\\\\\\"a b\\\\\\\"\\\" '-I "
        "c' x\"},"
        " {\"file\": \"/p/a.cpp\", \"arguments\": [\"g++\", \"-c\", \"-DY=a b\"], \"output\": 3},"
        " {\"file\": \"/p/z.cu\", \"command\": \"\"}]");
    assert_int_equal(db->commands.len, 3);
    assert_int_equal(db->commands.items[2].args.len, 0);
    const CompileCommand *cpp = &db->commands.items[0], *cu = &db->commands.items[1];
    assert_string_equal(cpp->file, "/p/a.cpp");
    assert_string_equal(cpp->directory, "/p/build");
    assert_false(cpp->is_nvcc);
    assert_string_equal(joined(arena, &cpp->args), "[-c] [-DY=a b]");
    assert_string_equal(cu->file, "/p/src/b.cu");
    assert_true(cu->is_nvcc);
    assert_string_equal(joined(arena, &cu->args), "[-DX=\"a b\"] [-I c] [x]");
}

static void test_says_what_is_wrong_and_where(void **state)
{
    Arena *arena = *state;
    assert_string_equal(refused(arena, ""), "c.json:1:1: not JSON");
    assert_string_equal(refused(arena, "[\n {\"file\": }]"), "c.json:2:11: not JSON");
    assert_string_equal(refused(arena, "[] x"), "c.json:1:4: not JSON");
    assert_string_equal(refused(arena, "{}"), "c.json: must be a list of commands");
    assert_string_equal(refused(arena, "[1]"), "c.json: entry 1: must be an object");
    assert_string_equal(refused(arena, "[{\"file\": \"a\", \"command\": \"x\"}, {\"file\": 1}]"),
                        "c.json: entry 2: \"file\" must be a text");
    assert_string_equal(refused(arena, "[{\"file\": \"a\"}]"),
                        "c.json: entry 1: lacks \"arguments\" and \"command\"");
    assert_string_equal(refused(arena, "[{\"file\": \"a\", \"arguments\": [1]}]"),
                        "c.json: entry 1: \"arguments\" must be a list of texts");
    assert_string_equal(refused(arena, "[{\"file\": \"a\", \"command\": []}]"),
                        "c.json: entry 1: \"command\" must be a text");
    assert_string_equal(refused(arena, "[{\"file\": \"a\", \"directory\": 1, \"command\": \"\"}]"),
                        "c.json: entry 1: \"directory\" must be a text");
}

static void test_finds_every_command_of_a_file(void **state)
{
    Arena *arena = *state;
    CompileDb *db = parse(arena, "[{\"file\": \"/p/a.cu\", \"command\": \"nvcc -D1\"},"
                                 " {\"file\": \"/p/b.cu\", \"command\": \"nvcc\"},"
                                 " {\"file\": \"/p/./a.cu\", \"command\": \"nvcc -D2\"}]");
    CompileCommands found = compile_db_commands(arena, db, "/p/x/../a.cu");
    assert_int_equal(found.len, 2);
    assert_string_equal(found.items[0].args.items[0], "-D1");
    assert_string_equal(found.items[1].args.items[0], "-D2");
    assert_int_equal(compile_db_commands(arena, db, "/p/c.cu").len, 0);
    assert_int_equal(compile_db_commands(arena, parse(arena, "[]"), "/p/c.cu").len, 0);
}

static void test_finds_files_behind_links(void **state)
{
    Arena *arena = *state;
    char *folder = arena_strdup(arena, "/tmp/cudalint-test.XXXXXX");
    assert_non_null(mkdtemp(folder));
    const char *real = path_join(arena, folder, "real"), *link = path_join(arena, folder, "link");
    assert_int_equal(mkdir(real, 0777), 0);
    assert_int_equal(symlink("real", link), 0);
    const char *file = path_join(arena, real, "a.cu");
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fclose(out);
    CompileDb *db = parse(
        arena, arena_printf(arena, "[{\"file\": \"%s/a.cu\", \"command\": \"nvcc -D1\"}]", link));
    assert_int_equal(compile_db_commands(arena, db, file).len, 1);
    db = parse(arena,
               arena_printf(arena, "[{\"file\": \"%s/a.cu\", \"command\": \"nvcc -D1\"}]", real));
    assert_int_equal(compile_db_commands(arena, db, path_join(arena, link, "a.cu")).len, 1);
    unlink(file);
    unlink(link);
    rmdir(real);
    rmdir(folder);
}

static void test_guesses_from_the_nearest_file(void **state)
{
    Arena *arena = *state;
    CompileDb *db = parse(arena, "[{\"file\": \"/p/src/z.cpp\", \"command\": \"g++\"},"
                                 " {\"file\": \"/p/src/gpu/k.cu\", \"command\": \"nvcc\"},"
                                 " {\"file\": \"/p/lib/util.cu\", \"command\": \"nvcc\"}]");
    assert_string_equal(compile_db_nearest(arena, db, "/p/include/util.cuh")->file,
                        "/p/lib/util.cu");
    assert_string_equal(compile_db_nearest(arena, db, "/p/src/gpu/new.cu")->file,
                        "/p/src/gpu/k.cu");
    assert_string_equal(compile_db_nearest(arena, db, "/p/include/all.h")->file, "/p/lib/util.cu");
    assert_null(compile_db_nearest(arena, db, "/p/tests/unlisted.cu"));
    assert_null(compile_db_nearest(arena, parse(arena, "[]"), "/p/a.h"));
}

static void test_paths(void **state)
{
    Arena *arena = *state;
    assert_string_equal(path_join(arena, "a", "b"), "a/b");
    assert_string_equal(path_join(arena, "a/", "/b"), "/b");
    assert_string_equal(path_join(arena, NULL, "b"), "b");
    assert_string_equal(path_parent(arena, "/a//b"), "/a");
    assert_string_equal(path_parent(arena, "/a"), "/");
    assert_string_equal(path_parent(arena, "a"), ".");
    assert_string_equal(path_plain(arena, "/w", "a/./../b//c"), "/w/b/c");
    assert_string_equal(path_plain(arena, NULL, "../../a"), "../../a");
    assert_string_equal(path_plain(arena, "/", "../.."), "/");
    assert_string_equal(path_short(arena, "/w", "/w/a/b"), "a/b");
    assert_string_equal(path_short(arena, "/w", "/wa/b"), "/wa/b");
    assert_string_equal(path_short(arena, "/w", "/w"), ".");
    assert_null(path_below("/a", "/ab"));
    assert_string_equal(path_below("/", "/ab"), "ab");
}

static void test_words(void **state)
{
    Arena *arena = *state;
    Words words = words_split(arena, " a 'b c'd \"e \\\"f\\g\" \\  '' \"x", WORDS_SHELL);
    assert_string_equal(joined(arena, &words), "[a] [b cd] [e \"f\\g] [ ] [] [x]");
    words = words_split(arena, "\"f\\g\"\n\\", WORDS_RESPONSE);
    assert_string_equal(joined(arena, &words), "[fg] [\\]");
    assert_int_equal(words_split(arena, " \t\n", WORDS_SHELL).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_both_forms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_says_what_is_wrong_and_where, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_finds_every_command_of_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_finds_files_behind_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_guesses_from_the_nearest_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
