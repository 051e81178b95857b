// SPDX-License-Identifier: MIT
// Unit tests of base/yaml: the tree with its marks, and every refusal with its place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "base/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int setup(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static const YamlNode *parse(Arena *arena, const char *text)
{
    Err err = {.arena = arena};
    const YamlNode *root = NULL;
    Status status = yaml_parse(arena, "t.yaml", text, strlen(text), &root, &err);
    if (status != ST_OK) print_error("%s\n", err.message);
    assert_int_equal(status, ST_OK);
    return root;
}

static void assert_refused_n(Arena *arena, const char *text, size_t len, const char *message)
{
    Err err = {.arena = arena};
    const YamlNode *root = NULL;
    assert_int_equal(yaml_parse(arena, "t.yaml", text, len, &root, &err), ST_SYNTAX);
    assert_non_null(err.message);
    if (strstr(err.message, message) == NULL)
        print_error("got: %s\nwanted: %s\n", err.message, message);
    assert_non_null(strstr(err.message, message));
}

static void assert_refused(Arena *arena, const char *text, const char *message)
{
    assert_refused_n(arena, text, strlen(text), message);
}

static void tree_has_kinds_order_and_marks(void **state)
{
    const YamlNode *root = parse(*state, "# comment\nb: 1\na:\n  - x\n  - {k: 'v', \"*1\": w}\n");
    assert_int_equal(root->kind, YAML_MAPPING);
    assert_int_equal(root->pairs.len, 2);
    assert_string_equal(root->pairs.items[0].key->text, "b");
    const YamlNode *list = yaml_get(root, "a");
    assert_int_equal(list->kind, YAML_SEQUENCE);
    assert_int_equal(list->items.len, 2);
    assert_string_equal(list->items.items[0]->text, "x");
    assert_int_equal(list->items.items[0]->line, 4);
    assert_int_equal(list->items.items[0]->column, 5);
    const YamlNode *inner = list->items.items[1];
    assert_true(yaml_get(inner, "k")->is_quoted);
    assert_false(yaml_get(inner, "*1")->is_quoted);
    assert_null(yaml_get(inner, "nothing"));
    assert_null(yaml_get(list, "k"));
}

static void columns_count_characters(void **state)
{
    const YamlNode *root = parse(*state, "\"\xC3\xA4\xC3\xB6\": x\n");
    assert_int_equal(root->pairs.items[0].value->column, 7);
}

static void empty_documents_are_empty_mappings(void **state)
{
    const char *texts[] = {"", "\n", "# nothing\n", "---\n", "---\n...\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const YamlNode *root = parse(*state, texts[i]);
        assert_int_equal(root->kind, YAML_MAPPING);
        assert_int_equal(root->pairs.len, 0);
        assert_int_equal(root->line, 1);
    }
}

static void block_texts_are_texts(void **state)
{
    const YamlNode *text = yaml_get(parse(*state, "a: |\n  one\n  two\n"), "a");
    assert_string_equal(text->text, "one\ntwo\n");
    assert_true(text->is_quoted);
}

static void scalars_are_read_strictly(void **state)
{
    Arena *arena = *state;
    Err err = {.arena = arena};
    const YamlNode *root =
        parse(arena, "t: true\nq: \"true\"\ny: yes\nn: -12\nh: 0x10\nbig: 99999999999999999999\n"
                     "e: ''\nl: [1]\nm: '7'\ndash: --1\n");
    bool flag = false;
    assert_int_equal(yaml_bool(yaml_get(root, "t"), "t.yaml", "t", &flag, &err), ST_OK);
    assert_true(flag);
    assert_int_equal(yaml_bool(yaml_get(root, "q"), "t.yaml", "q", &flag, &err), ST_SYNTAX);
    assert_string_equal(err.message, "t.yaml:2:4: q must be true or false");
    assert_int_equal(yaml_bool(yaml_get(root, "y"), "t.yaml", "y", &flag, &err), ST_SYNTAX);
    assert_int_equal(yaml_bool(yaml_get(root, "l"), "t.yaml", "l", &flag, &err), ST_SYNTAX);
    int64_t number = 0;
    assert_int_equal(yaml_int(yaml_get(root, "n"), "t.yaml", "n", &number, &err), ST_OK);
    assert_int_equal(number, -12);
    const char *bad[] = {"h", "big", "e", "l", "m", "dash", "t"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(yaml_int(yaml_get(root, bad[i]), "t.yaml", bad[i], &number, &err),
                         ST_SYNTAX);
    const char *text = NULL;
    assert_int_equal(yaml_text(yaml_get(root, "q"), "t.yaml", "q", &text, &err), ST_OK);
    assert_string_equal(text, "true");
    assert_int_equal(yaml_text(yaml_get(root, "e"), "t.yaml", "e", &text, &err), ST_SYNTAX);
    assert_int_equal(yaml_text(yaml_get(root, "l"), "t.yaml", "l", &text, &err), ST_SYNTAX);
}

static void refusals_name_their_place(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "a: 1\nb: 2\na: 3\n", "t.yaml:3:1: duplicate key 'a' (first on line 1)");
    assert_refused(arena, "x: {k: 1, k: 2}\n", "t.yaml:1:11: duplicate key 'k'");
    assert_refused(arena, "a: &x 1\n", "t.yaml:1:4: anchors, aliases and tags");
    assert_refused(arena, "a: *x\n", "t.yaml:1:4: anchors, aliases and tags");
    assert_refused(arena, "a: &x [1]\nb: {c: 1}\n", "t.yaml:1:4: anchors");
    assert_refused(arena, "a: &x {b: 1}\n", "t.yaml:1:4: anchors");
    assert_refused(arena, "a: !!str 1\n", "t.yaml:1:4: anchors, aliases and tags");
    assert_refused(arena, "a: ! b\n", "t.yaml:1:4: anchors, aliases and tags");
    assert_refused(arena, "a: 1\n---\nb: 2\n", "t.yaml:2:1: more than one document");
    assert_refused(arena, "? [1, 2]\n: x\n", "t.yaml:1:3: a key must be a plain text");
    assert_refused(arena, "a: [1, 2\n", "t.yaml:2:1: did not find expected");
    assert_refused(arena, "a:\n\t- b\n", "t.yaml:2:1: found character");
    assert_refused(arena, "a: \"x\\0y\"\n", "t.yaml:1:4: a text may not hold a NUL");
}

static void bad_bytes_have_a_place(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "a: 1\nb: \xFF\n", "t.yaml:2:4: not UTF-8 text");
    assert_refused(arena, "\xC3\xA4: \x01\n", "t.yaml:1:4: not UTF-8 text");
    assert_refused(arena, "a: \xED\xA0\x80\n", "t.yaml:1:4: not UTF-8 text");
    assert_refused_n(arena, "a: \0b\n", 6, "t.yaml:1:4: not UTF-8 text");
    // UTF-16 with its mark.
    assert_refused_n(arena,
                     "\xFF\xFE"
                     "a\0:\0",
                     6, "t.yaml:1:1: not UTF-8 text");
}

static void depth_is_limited(void **state)
{
    Arena *arena = *state;
    StrBuf text = {.arena = arena};
    for (int i = 0; i < 32; i++) strbuf_append(&text, "[");
    for (int i = 0; i < 32; i++) strbuf_append(&text, "]");
    parse(arena, strbuf_text(&text));
    const char *deeper = arena_printf(arena, "[%s]", strbuf_text(&text));
    assert_refused(arena, deeper, "t.yaml:1:33: nested too deeply");
    StrBuf bomb = {.arena = arena};
    for (int i = 0; i < 200000; i++) strbuf_append(&bomb, "[");
    assert_refused(arena, strbuf_text(&bomb), "nested too deeply");
}

static void size_is_limited(void **state)
{
    Arena *arena = *state;
    size_t len = (size_t)17 * 1024 * 1024;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, '#', len);
    assert_refused_n(arena, text, len, "t.yaml:1:1: the file is too large");
    free(text);
    StrBuf many = {.arena = arena};
    strbuf_append(&many, "[");
    for (int i = 0; i < 1000001; i++) strbuf_append(&many, "1,");
    strbuf_append(&many, "]");
    assert_refused(arena, strbuf_text(&many), "too many nodes");
}

static void many_keys_are_quick_and_unique(void **state)
{
    Arena *arena = *state;
    StrBuf text = {.arena = arena};
    for (int i = 0; i < 20000; i++) strbuf_printf(&text, "key%d: %d\n", i, i);
    assert_int_equal(parse(arena, strbuf_text(&text))->pairs.len, 20000);
    strbuf_append(&text, "key7: again\n");
    assert_refused(arena, strbuf_text(&text),
                   "t.yaml:20001:1: duplicate key 'key7' (first on line 8)");
}

static void files_are_read(void **state)
{
    Arena *arena = *state;
    Err err = {.arena = arena};
    const YamlNode *root = NULL;
    char path[] = "/tmp/test_yaml_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a: 5\n", 5), 5);
    close(fd);
    assert_int_equal(yaml_parse_file(arena, path, &root, &err), ST_OK);
    assert_string_equal(yaml_get(root, "a")->text, "5");
    unlink(path);
    assert_int_equal(yaml_parse_file(arena, path, &root, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.message, path));
    assert_int_equal(yaml_parse_file(arena, "/tmp", &root, &err), ST_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tree_has_kinds_order_and_marks, setup, teardown),
        cmocka_unit_test_setup_teardown(columns_count_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_documents_are_empty_mappings, setup, teardown),
        cmocka_unit_test_setup_teardown(block_texts_are_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(scalars_are_read_strictly, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals_name_their_place, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_bytes_have_a_place, setup, teardown),
        cmocka_unit_test_setup_teardown(depth_is_limited, setup, teardown),
        cmocka_unit_test_setup_teardown(size_is_limited, setup, teardown),
        cmocka_unit_test_setup_teardown(many_keys_are_quick_and_unique, setup, teardown),
        cmocka_unit_test_setup_teardown(files_are_read, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
