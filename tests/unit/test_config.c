// SPDX-License-Identifier: MIT
// Configuration: what is read and refused, which file wins, patterns; the schema against the keys.
#include "base/path.h"
#include "base/source.h"
#include "config/config_p.h"
#include "config/pattern.h"
#include "config/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

typedef struct {
    Arena *arena;
    char *folder; // of files made by the test, current while it runs
} World;

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    World *world = ARENA_NEW(arena, World);
    world->arena = arena;
    world->folder = arena_strdup(arena, "/tmp/cudalint-test.XXXXXX");
    *state = world;
    return mkdtemp(world->folder) == NULL || chdir(world->folder) != 0 || mkdir(".git", 0777) != 0;
}

static int tear_down(void **state)
{
    World *world = *state;
    int failed = system(arena_printf(world->arena, "rm -rf '%s'", world->folder));
    arena_free(world->arena);
    return failed;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const Config *parse(World *world, const char *text)
{
    const Config *config = NULL;
    Err err = {.arena = world->arena};
    if (config_parse(world->arena, "c.yaml", text, strlen(text), &config, &err) != ST_OK)
        fail_msg("%s", err.message);
    return config;
}

static void assert_refused(void **state, const char *text, const char *message)
{
    World *world = *state;
    const Config *config = NULL;
    Err err = {.arena = world->arena};
    assert_int_not_equal(config_parse(world->arena, "c.yaml", text, strlen(text), &config, &err),
                         ST_OK);
    assert_string_equal(err.message, message);
}

static void test_reads_every_key(void **state)
{
    const Config *config =
        parse(*state, "\xEF\xBB\xBFroot: true\r\nrules: {leak: off, double-free: error}\n"
                      "include: src\nexclude: [third, '*.gen.cu']\n"
                      "suppress:\n  - paths: [old]\n    rules: leak\n    reason: gone soon\n"
                      "notes: true\nfail-on: never\nmodels: [a.yaml, b.yaml]\nbuild: out\n"
                      "baseline: base.json\ncuda-path: /cuda\njobs: 3\ntimeout: 9\n");
    assert_true(config->is_root);
    assert_int_equal(config_level(config, "leak", SEV_ERROR), SEV_OFF);
    assert_int_equal(config_level(config, "double-free", SEV_OFF), SEV_ERROR);
    assert_int_equal(config_level(config, "other", SEV_NOTE), SEV_NOTE);
    assert_int_equal(config->include.len, 1);
    assert_int_equal(config->exclude.len, 2);
    assert_int_equal(config->suppressions.len, 1);
    assert_string_equal(config->suppressions.items[0].reason, "gone soon");
    assert_int_equal(config->settings.len, 9);
    assert_int_equal(parse(*state, "")->settings.len, 0);
}

static void test_says_what_is_wrong_and_where(void **state)
{
    assert_refused(state, "fail-onn: x",
                   "c.yaml:1:1: unknown key 'fail-onn'; did you mean 'fail-on'?");
    assert_refused(state, "\nzzzzzz: 1", "c.yaml:2:1: unknown key 'zzzzzz'");
    assert_refused(state, "notes: 1", "c.yaml:1:8: notes must be true or false");
    assert_refused(state, "notes: 'true'", "c.yaml:1:8: notes must be true or false");
    assert_refused(state, "fail-on: loud",
                   "c.yaml:1:10: fail-on cannot be 'loud'; it is one of error|warning|note|never");
    assert_refused(state, "jobs: 0", "c.yaml:1:7: jobs wants a whole number from 1, not '0'");
    assert_refused(state, "jobs: many", "c.yaml:1:7: jobs must be an integer");
    assert_refused(state, "models: {a: b}", "c.yaml:1:9: models must be a list of texts");
    assert_refused(state, "build: [a]", "c.yaml:1:8: build must be a text");
    assert_refused(state, "rules: [leak]", "c.yaml:1:8: rules must be a list of RULE: LEVEL");
    assert_refused(state, "rules:\n  leak: loud",
                   "c.yaml:2:9: the level of 'leak' must be error, warning, note or off");
    assert_refused(state, "suppress: x",
                   "c.yaml:1:11: suppress must be a list of paths, rules and reasons");
    assert_refused(state, "suppress:\n  - reason: x", "c.yaml:2:5: a suppression wants paths");
    assert_refused(state, "suppress:\n  - path: x",
                   "c.yaml:2:5: unknown key 'path'; did you mean 'paths'?");
    assert_refused(state, "- a", "c.yaml:1:1: a configuration is a list of KEY: VALUE");
    assert_refused(state, "notes: true\nnotes: true",
                   "c.yaml:2:1: duplicate key 'notes' (first on line 1)");
}

static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool means;
    } cases[] = {
        {"third", "third/a.cu", true},
        {"third", "x/third/y/a.cu", true},
        {"third/", "x/third/a.cu", true},
        {"third", "thirds/a.cu", false},
        {"*.gen.cu", "a/b.gen.cu", true},
        {"*.gen.cu", "a/b.cu", false},
        {"src/*.cu", "src/a.cu", true},
        {"src/*.cu", "src/b/a.cu", false},
        {"src/*.cu", "x/src/a.cu", false},
        {"src/**/a.cu", "src/a.cu", true},
        {"src/**/a.cu", "src/b/c/a.cu", true},
        {"src/**", "src/b/c/a.cu", true},
        {"src/**", "srcs/a.cu", false},
        {"**/gen/*", "a/b/gen/x", true},
        {"/a.cu", "a.cu", true},
        {"/a.cu", "b/a.cu", false},
        {"./a/b", "a/b/c", true},
        {"a?c", "abc", true},
        {"a?c", "a/c", false},
        {"*", "a/b", true},
        {"", "a", false},
        {"/", "a", false},
        {"a**b", "axx/yb", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (pattern_means(cases[i].pattern, cases[i].path) != cases[i].means)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].path);
}

static const Config *config_of(World *world, ConfigTree *tree, const char *folder)
{
    const Config *config = NULL;
    Err err = {.arena = world->arena};
    if (config_tree_get(tree, folder, &config, &err) != ST_OK) fail_msg("%s", err.message);
    return config;
}

static void test_the_nearest_wins(void **state)
{
    World *world = *state;
    assert_int_equal(mkdir("a", 0777) | mkdir("a/b", 0777) | mkdir("r", 0777), 0);
    write_file(CONFIG_NAME, "rules: {leak: off, double-free: note}\nexclude: [gen, a/b/x]\n"
                            "suppress: [{paths: a/b, reason: top}]\njobs: 2\nbuild: out\n");
    write_file("a/b/" CONFIG_NAME, "rules: {leak: error}\nexclude: [y]\njobs: 3\n");
    write_file("r/" CONFIG_NAME, "root: true\n");
    ConfigTree *tree = config_tree_new(world->arena, NULL, false);
    const Config *top = config_of(world, tree, "."), *inner = config_of(world, tree, "a/b");
    assert_ptr_equal(config_of(world, tree, "a"), top);
    assert_ptr_equal(inner->parent, top);
    assert_null(config_of(world, tree, "r")->parent);
    assert_int_equal(config_tree_count(tree), 3);
    assert_int_equal(config_level(inner, "leak", SEV_WARNING), SEV_ERROR);
    assert_int_equal(config_level(inner, "double-free", SEV_WARNING), SEV_NOTE);

    const Config *by = NULL;
    const char *file = path_join(world->arena, inner->folder, "y/a.cu");
    assert_false(config_wants(inner, file, &by));
    assert_ptr_equal(by, inner);
    assert_true(config_wants(top, file, &by));
    assert_false(config_wants(inner, path_join(world->arena, inner->folder, "x/a.cu"), &by));
    assert_ptr_equal(by, top);
    assert_non_null(config_suppression(inner, file, "leak", &by));
    assert_null(
        config_suppression(top, path_join(world->arena, top->folder, "a/c.cu"), "leak", &by));

    Options options;
    options_init(&options);
    Err err = {.arena = world->arena};
    assert_int_equal(config_apply(world->arena, inner, &options, &err), ST_OK);
    assert_int_equal(options.jobs, 3);
    assert_string_equal(options.build, "out");
    assert_null(config_of(world, config_tree_new(world->arena, NULL, true), "."));
    assert_int_equal(
        config_of(world, config_tree_new(world->arena, "r/" CONFIG_NAME, false), "a")->is_root,
        true);
}

static void test_an_include_list_is_all(void **state)
{
    World *world = *state;
    write_file(CONFIG_NAME, "include: [src, '*.cuh']\n");
    const Config *config = config_of(world, config_tree_new(world->arena, NULL, false), "."),
                 *by = NULL;
    const char *const wanted[] = {"src/a.cu", "lib/b.cuh"};
    for (size_t i = 0; i < 2; i++)
        assert_true(config_wants(config, path_join(world->arena, config->folder, wanted[i]), &by));
    assert_false(config_wants(config, path_join(world->arena, config->folder, "lib/a.cu"), &by));
    assert_true(config_wants(NULL, "/x", &by));
}

static void test_the_command_line_has_the_last_word(void **state)
{
    World *world = *state;
    write_file(CONFIG_NAME, "fail-on: error\njobs: 5\nmodels: [m.yaml]\nbuild: b\n");
    char *argv[] = {"cudalint", "--jobs", "7", "--model", "n.yaml", "a.cu", "--", "-I.", NULL};
    Options options;
    ConfigTree *tree = NULL;
    Err err = {.arena = world->arena};
    assert_int_equal(options_parse(world->arena, 8, argv, &options, &err), ST_OK);
    assert_int_equal(settings_read(world->arena, 8, argv, &options, &tree, &err), ST_OK);
    assert_int_equal(options.jobs, 7);
    assert_string_equal(options.fail_on, "error");
    assert_int_equal(options.models.len, 2);
    assert_string_equal(options.models.items[1], "n.yaml");
    assert_int_equal(options.operands.len, 1);
    assert_null(options.build); // `--` says how files are compiled
}

// What --print-config prints says the same when it is read again.
static void test_prints_what_can_be_read(void **state)
{
    World *world = *state;
    write_file(CONFIG_NAME, "rules: {leak: off}\nexclude: [it''s, a/b]\nmodels: [m.yaml]\n"
                            "suppress: [{paths: [x/y], rules: [leak], reason: \"don't\"}]\n");
    Options options;
    options_init(&options);
    Err err = {.arena = world->arena};
    const Config *config = config_of(world, config_tree_new(world->arena, NULL, false), ".");
    assert_int_equal(config_apply(world->arena, config, &options, &err), ST_OK);
    FILE *out = fopen("printed.yaml", "w");
    assert_non_null(out);
    assert_int_equal(settings_print(world->arena, &options, config, out), ST_OK);
    fclose(out);
    config = config_of(world, config_tree_new(world->arena, "printed.yaml", false), ".");
    assert_int_equal(config_level(config, "leak", SEV_ERROR), SEV_OFF);
    assert_string_equal(config->exclude.items[0], "it''s");
    assert_string_equal(config->suppressions.items[0].reason, "don't");
    assert_string_equal(config->suppressions.items[0].paths.items[0], "x/y");
}

// Editors check configurations against the schema: it must have the keys, all of them, and none
// that the reader does not know.
static void test_the_schema_has_the_keys(void **state)
{
    World *world = *state;
    const SourceFile *file = source_file(source_cache_new(world->arena),
                                         CUDALINT_SOURCE_DIR "/docs/cudalint.schema.json");
    assert_non_null(file);
    cJSON *schema = cJSON_Parse(file->text);
    assert_non_null(schema);
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(schema, "properties");
    assert_int_equal(cJSON_GetArraySize(keys), config_key_count);
    static const char *const types[] = {
        [SHAPE_FLAG] = "boolean", [SHAPE_TEXT] = "string",    [SHAPE_NUMBER] = "integer",
        [SHAPE_PATH] = "string",  [SHAPE_PATHS] = NULL,       [SHAPE_PATTERNS] = NULL,
        [SHAPE_RULES] = "object", [SHAPE_SUPPRESS] = "array", [SHAPE_ARGS] = NULL,
    };
    for (uint32_t i = 0; i < config_key_count; i++) {
        const cJSON *key = cJSON_GetObjectItemCaseSensitive(keys, config_keys[i].name);
        if (key == NULL) fail_msg("the schema lacks '%s'", config_keys[i].name);
        const cJSON *help = cJSON_GetObjectItemCaseSensitive(key, "description");
        assert_string_equal(help->valuestring, config_keys[i].help);
        const char *type = types[config_keys[i].shape];
        if (type == NULL) continue; // a list or one text
        assert_string_equal(cJSON_GetObjectItemCaseSensitive(key, "type")->valuestring, type);
    }
    cJSON_Delete(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_every_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_says_what_is_wrong_and_where, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_patterns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_nearest_wins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_include_list_is_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_command_line_has_the_last_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prints_what_can_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_schema_has_the_keys, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
