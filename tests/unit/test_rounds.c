// SPDX-License-Identifier: MIT
// Files that learn of each other's functions, on files in the IR's text form: what is merged, how
// often is analysed again, and that neither order nor recursion changes or prolongs that. The
// parent's and the workers' parts are joined without processes.
#include "run/run_p.h"

#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_FILES = 16 };

static const char model_text[] = "resources:\n"
                                 "  thing: {title: thing, release: drop, memory: true}\n"
                                 "functions:\n"
                                 "  make: {result: status, acquires: {\"*1\": thing}}\n"
                                 "  drop: {result: status, releases: {1: [thing]}, null_ok: true}\n"
                                 "  use: {result: status, reads: 1}\n";

// Declared in each file that mentions it; a file that has the body too is who defines it.
static const struct {
    const char *name, *declaration;
} callees[] = {
    {"make", "callee make(void**) -> int [system extern_c nothrow]\n"},
    {"drop", "callee drop(void*) -> int [system extern_c nothrow]\n"},
    {"use", "callee use(const void*) -> int [system extern_c nothrow]\n"},
    {"end", "callee end(void*) usr \"c:@F@end\"\n"},
    {"pass", "callee pass(void*) usr \"c:@F@pass\"\n"},
    {"again", "callee again(void*) usr \"c:@F@again\"\n"},
    {"new_thing", "callee new_thing(void**) -> int usr \"c:@F@new_thing\"\n"},
    {"user", "callee user() usr \"c:@F@user\"\n"},
    {"local", "callee local(void*) [internal] usr \"c:x.cu@F@local\"\n"},
};

static const char user[] = "func user() {\n  var p: void*\n  call new_thing(&p) @2:1\n"
                           "  call end(p) @3:1\n  return @4:1\n}\n";
static const char allocator[] =
    "func new_thing(p: void**) -> int {\n  %1 = call make(p) @2:1\n  return %1 @3:1\n}\n";
static const char releaser[] = "func end(p: void*) {\n  call drop(p) @2:1\n  return @3:1\n}\n";
static const char reader[] = "func end(p: void*) {\n  call use(p) @2:1\n  return @3:1\n}\n";

typedef struct {
    Arena *arena;
    Analysis analysis;
    ParsedFile files[MAX_FILES];
    FileAnalysis analyses[MAX_FILES];
    uint32_t count;
    Exchange *exchange;
} World;

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    World *world = ARENA_NEW(arena, World);
    Model *model = model_new_empty(arena);
    Err err = {.arena = arena};
    if (model_load_text(model, "test.yaml", model_text, strlen(model_text), &err) != ST_OK)
        return 1;
    *world = (World){.arena = arena};
    world->analysis =
        (Analysis){.model = model, .levels = rule_levels_default(arena), .exchanges = true};
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((World *)*state)->arena);
    return 0;
}

static void add_file(World *world, const char *functions)
{
    Err err = {.arena = world->arena};
    IrUnit *unit;
    const char *name = arena_printf(world->arena, "%c.cu", (int)('a' + world->count));
    StrBuf text = {.arena = world->arena};
    strbuf_printf(&text, "unit \"%s\"\n", name);
    for (size_t i = 0; i < sizeof callees / sizeof callees[0]; i++) {
        const char *mention = arena_printf(world->arena, " %s(", callees[i].name);
        if (strstr(functions, mention) != NULL) strbuf_append(&text, callees[i].declaration);
    }
    strbuf_append(&text, functions);
    if (ir_parse(world->arena, text.text, &unit, &err) != ST_OK) fail_msg("%s", err.message);
    world->files[world->count++] =
        (ParsedFile){.arena = world->arena, .unit = unit, .result = {.file = name}};
}

// Through bytes both ways, as between parent and worker.
static void analyse(World *world, uint32_t file, SummaryPack imports)
{
    Arena *arena = world->arena;
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    StrBuf sent = {.arena = arena}, answered = {.arena = arena};
    Request request = {.job = file, .imports = imports};
    request_write(&sent, &request);
    assert_int_equal(request_read(arena, strings, sent.text, sent.len, &request, &err), ST_OK);
    assert_int_equal(request.job, file);
    SummaryTable *table = summary_table_new(arena);
    for (uint32_t i = 0; i < request.imports.functions.len; i++) {
        const SummaryRecord *record = &request.imports.functions.items[i];
        Summary *summary = ARENA_NEW(arena, Summary);
        assert_int_equal(
            summary_decode(arena, strings, world->analysis.model, record, summary, &err), ST_OK);
        summary_table_add(table, record->usr, summary);
    }
    Reply reply = {.is_held = true};
    job_analyse(&world->analysis, arena, &world->files[file], table, &reply.analysis);
    reply_write(&answered, &reply);
    reply = (Reply){0};
    assert_int_equal(reply_read(arena, strings, answered.text, answered.len, &reply, &err), ST_OK);
    assert_true(reply.is_held);
    world->analyses[file] = reply.analysis;
    SummaryPack *pack = ARENA_NEW(arena, SummaryPack);
    *pack = reply.analysis.exports;
    exchange_put(world->exchange, file, pack);
}

// All rounds to the end; returns how many analyses again that took.
static uint32_t run(World *world)
{
    world->exchange = exchange_new(world->arena, world->count);
    for (uint32_t i = 0; i < world->count; i++) analyse(world, i, (SummaryPack){0});
    uint32_t analyses = 0;
    for (uint32_t round = 0; round <= EXCHANGE_MAX_ROUNDS; round++) {
        BitSet again = exchange_next_round(world->exchange);
        if (bits_count(&again) == 0) return analyses;
        SummaryPack imports[MAX_FILES];
        for (uint32_t i = 0; i < world->count; i++)
            imports[i] = exchange_imports(world->exchange, world->arena, i);
        for (uint32_t i = 0; i < world->count; i++) {
            if (!bits_has(&again, i)) continue;
            analyse(world, i, imports[i]);
            analyses++;
        }
    }
    fail_msg("the rounds do not end");
    return 0;
}

// The findings of all files, one a line.
static const char *findings(const World *world)
{
    FindingList all = {0};
    for (uint32_t i = 0; i < world->count; i++) {
        const FindingList *list = &world->analyses[i].result.findings;
        for (uint32_t k = 0; k < list->len; k++) vec_push(world->arena, &all, list->items[k]);
    }
    finding_list_sort(&all);
    StrBuf text = {.arena = world->arena};
    for (uint32_t i = 0; i < all.len; i++)
        strbuf_printf(&text, "%s %s @%u\n", all.items[i].rule, all.items[i].subject,
                      all.items[i].loc.line);
    return strbuf_text(&text);
}

// What is known of the function in the end, as --dump=summary prints it; "" if nothing.
static const char *known(const World *world, const char *usr)
{
    for (uint32_t file = 0; file < world->count; file++) {
        SummaryPack imports = exchange_imports(world->exchange, world->arena, file);
        for (uint32_t i = 0; i < imports.functions.len; i++) {
            const SummaryRecord *record = &imports.functions.items[i];
            if (strcmp(record->usr, usr) != 0) continue;
            Err err = {.arena = world->arena};
            Summary summary;
            assert_int_equal(summary_decode(world->arena, str_pool_new(world->arena),
                                            world->analysis.model, record, &summary, &err),
                             ST_OK);
            char *text = NULL;
            size_t len = 0;
            FILE *out = open_memstream(&text, &len);
            summary_print(out, world->arena, usr, &summary);
            fclose(out);
            const char *copy = arena_strdup(world->arena, text);
            free(text);
            return copy;
        }
    }
    return "";
}

// ---- what files learn ---------------------------------------------------------------------------

static void a_user_learns_what_allocator_and_releaser_do(void **state)
{
    World *world = *state;
    add_file(world, user);
    add_file(world, allocator);
    add_file(world, releaser);
    assert_int_equal(run(world), 1);
    assert_string_equal(findings(world), "");
    assert_string_equal(known(world, "c:@F@end"),
                        "summary c:@F@end; outcomes returned\n"
                        "  releases argument 0 by drop in line 2; always returned\n");
    ExchangeStats stats = exchange_stats(world->exchange);
    assert_int_equal(stats.imported, 2);
    assert_int_equal(stats.rounds, 1);
    assert_int_equal(stats.exported, 3);
}

static void a_user_learns_that_nobody_releases(void **state)
{
    World *world = *state;
    add_file(world, user);
    add_file(world, allocator);
    add_file(world, reader);
    run(world);
    assert_string_equal(findings(world), "leak p @2\n");
}

static void a_file_alone_is_analysed_once(void **state)
{
    World *world = *state;
    add_file(world, user);
    assert_int_equal(run(world), 0);
    assert_string_equal(findings(world), "");
    assert_int_equal(exchange_stats(world->exchange).rounds, 0);
}

static void results_do_not_depend_on_the_order_of_files(void **state)
{
    World *world = *state;
    const char *files[] = {user, allocator, reader};
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        world->count = 0;
        for (int k = 0; k < 3; k++) add_file(world, files[orders[i][k]]);
        assert_int_equal(run(world), 1);
        assert_string_equal(findings(world), "leak p @2\n");
    }
}

// ---- merging ------------------------------------------------------------------------------------

static void definitions_that_differ_are_unknown(void **state)
{
    World *world = *state;
    add_file(world, user);
    add_file(world, allocator);
    add_file(world, releaser);
    add_file(world, reader);
    run(world);
    assert_string_equal(findings(world), "");
    assert_string_equal(known(world, "c:@F@end"), "");
    assert_int_equal(exchange_stats(world->exchange).disputed, 1);
    assert_int_equal(exchange_stats(world->exchange).imported, 1);
}

static void definitions_that_do_the_same_are_one(void **state)
{
    World *world = *state;
    static const char lower[] =
        "func end(p: void*) {\n  call drop(p) @7:1\n  return @8:1\n}\n"; // elsewhere
    for (int turn = 0; turn < 2; turn++) {
        world->count = 0;
        add_file(world, user);
        add_file(world, turn == 0 ? releaser : lower);
        add_file(world, turn == 0 ? lower : releaser);
        run(world);
        assert_int_equal(exchange_stats(world->exchange).disputed, 0);
        // The file's name comes first in the order of places.
        assert_non_null(strstr(known(world, "c:@F@end"), turn == 0 ? "in line 2" : "in line 7"));
    }
}

static void what_one_file_keeps_to_itself_is_not_offered(void **state)
{
    World *world = *state;
    add_file(world, "func user(p: void*) {\n  call local(p) @2:1\n  return @3:1\n}\n");
    add_file(world, "func local(p: void*) {\n  call drop(p) @2:1\n  return @3:1\n}\n");
    assert_int_equal(run(world), 0);
    assert_int_equal(world->analyses[0].exports.wants.len, 0);
    assert_int_equal(world->analyses[1].exports.functions.len, 0);
}

// ---- rounds -------------------------------------------------------------------------------------

static void news_travel_one_file_a_round(void **state)
{
    World *world = *state;
    add_file(world, "func user() {\n  var p: void*\n  call make(&p) @2:1\n  call pass(p) @3:1\n"
                    "  call drop(p) @4:1\n  return @5:1\n}\n");
    add_file(world, "func pass(p: void*) {\n  call again(p) @2:1\n  return @3:1\n}\n");
    add_file(world, "func again(p: void*) {\n  call end(p) @2:1\n  return @3:1\n}\n");
    add_file(world, releaser);
    // First all three that call others, then one after the other that calls what changed.
    assert_int_equal(run(world), 3 + 1 + 1);
    assert_int_equal(exchange_stats(world->exchange).rounds, 3);
    assert_string_equal(findings(world), "double-free p @4\n");
}

static void chains_longer_than_the_rounds_end_unknown(void **state)
{
    World *world = *state;
    for (int i = 0; i < MAX_FILES - 2; i++)
        add_file(world,
                 arena_printf(world->arena,
                              "callee step%d(void*) usr \"c:@F@step%d\"\n"
                              "callee step%d(void*) usr \"c:@F@step%d\"\n"
                              "func step%d(p: void*) {\n  call step%d(p) @2:1\n  return @3:1\n}\n",
                              i, i, i + 1, i + 1, i, i + 1));
    add_file(world, "callee step14(void*) usr \"c:@F@step14\"\n"
                    "func step14(p: void*) {\n  call drop(p) @2:1\n  return @3:1\n}\n");
    run(world);
    assert_int_equal(exchange_stats(world->exchange).rounds, EXCHANGE_MAX_ROUNDS);
    assert_non_null(strstr(known(world, "c:@F@step13"), "releases argument 0 by step14"));
    assert_non_null(strstr(known(world, "c:@F@step8"), "releases argument 0 by step9"));
    assert_string_equal(known(world, "c:@F@step7"), "");
}

static void recursion_across_files_ends(void **state)
{
    World *world = *state;
    static const char half[] = "func %s(p: void*) {\n  branch p != 0 ? b1 : b2\n"
                               "b1:\n  call %s(p) @2:1\n  return @3:1\n"
                               "b2:\n  call drop(p) @4:1\n  return @5:1\n}\n";
    add_file(world, arena_printf(world->arena, half, "pass", "again"));
    add_file(world, arena_printf(world->arena, half, "again", "pass"));
    add_file(world, "func user() {\n  var p: void*\n  call make(&p) @2:1\n  call pass(p) @3:1\n"
                    "  return @5:1\n}\n");
    run(world);
    assert_in_range(exchange_stats(world->exchange).rounds, 1, EXCHANGE_MAX_ROUNDS);
    assert_string_equal(findings(world), "");
}

static void a_file_that_is_gone_says_nothing(void **state)
{
    World *world = *state;
    add_file(world, user);
    add_file(world, releaser);
    run(world);
    assert_string_not_equal(known(world, "c:@F@end"), "");
    exchange_put(world->exchange, 1, ARENA_NEW(world->arena, SummaryPack));
    BitSet again = exchange_next_round(world->exchange);
    assert_int_equal(bits_count(&again), 1);
    assert_true(bits_has(&again, 0));
    assert_string_equal(known(world, "c:@F@end"), "");
}

// ---- messages -----------------------------------------------------------------------------------

static void broken_messages_are_refused(void **state)
{
    World *world = *state;
    Arena *arena = world->arena;
    add_file(world, user);
    world->exchange = exchange_new(arena, 1);
    FileAnalysis analysis;
    job_analyse(&world->analysis, arena, &world->files[0], NULL, &analysis);
    Reply reply = {.analysis = analysis};
    StrBuf bytes = {.arena = arena};
    reply_write(&bytes, &reply);
    StrPool *strings = str_pool_new(arena);
    Err err = {.arena = arena};
    for (size_t len = 0; len < bytes.len; len++)
        assert_int_equal(reply_read(arena, strings, bytes.text, len, &reply, &err), ST_SYNTAX);
    assert_int_equal(reply_read(arena, strings, bytes.text, bytes.len, &reply, &err), ST_OK);
    Request request;
    assert_int_equal(request_read(arena, strings, "\1\0\0", 3, &request, &err), ST_SYNTAX);
    assert_int_equal(request_read(arena, strings, "\1\0\0\0x", 5, &request, &err), ST_SYNTAX);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_user_learns_what_allocator_and_releaser_do),
        TEST(a_user_learns_that_nobody_releases),
        TEST(a_file_alone_is_analysed_once),
        TEST(results_do_not_depend_on_the_order_of_files),
        TEST(definitions_that_differ_are_unknown),
        TEST(definitions_that_do_the_same_are_one),
        TEST(what_one_file_keeps_to_itself_is_not_offered),
        TEST(news_travel_one_file_a_round),
        TEST(chains_longer_than_the_rounds_end_unknown),
        TEST(recursion_across_files_ends),
        TEST(a_file_that_is_gone_says_nothing),
        TEST(broken_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
