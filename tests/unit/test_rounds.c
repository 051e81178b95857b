// SPDX-License-Identifier: MIT
// Files that learn of each other's functions, on files in the IR's text form: in which order they
// are analysed, what is merged, and that neither the order of the files nor recursion nor what a
// worker could hold changes what comes out. The parent's and the workers' parts are joined without
// processes.
#include "run/run_p.h"

#include "ir/ir_build.h"
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
    {"extra", "callee extra(void*) usr \"c:@F@extra\"\n"},
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
    const char *texts[MAX_FILES];
    ParsedFile files[MAX_FILES];
    FindingList findings[MAX_FILES]; // by file
    uint32_t count;
    bool forgets; // files are parsed and begun anew each time, as when memory is short
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
    StrBuf text = {.arena = world->arena};
    strbuf_printf(&text, "unit \"%c.cu\"\n", (int)('a' + world->count));
    for (size_t i = 0; i < sizeof callees / sizeof callees[0]; i++) {
        const char *mention = arena_printf(world->arena, " %s(", callees[i].name);
        if (strstr(functions, mention) != NULL) strbuf_append(&text, callees[i].declaration);
    }
    strbuf_append(&text, functions);
    world->texts[world->count++] = text.text;
}

static void parse(World *world, uint32_t file)
{
    Err err = {.arena = world->arena};
    IrUnit *unit;
    if (ir_parse(world->arena, world->texts[file], &unit, &err) != ST_OK)
        fail_msg("%s", err.message);
    world->files[file] =
        (ParsedFile){.arena = world->arena, .unit = unit, .result = {.file = unit->file}};
    job_begin(&world->analysis, &world->files[file]);
}

// Through bytes both ways, as between parent and worker.
static void analyse(World *world, uint32_t file)
{
    Arena *arena = world->arena;
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    StrBuf sent = {.arena = arena}, answered = {.arena = arena};
    Request request = {.job = file, .imports = exchange_imports(world->exchange, arena, file)};
    request_write(&sent, &request);
    assert_int_equal(request_read(arena, strings, sent.text, sent.len, &request, &err), ST_OK);
    assert_int_equal(request.job, file);
    if (world->forgets || world->files[file].unit == NULL) parse(world, file);
    Reply reply = {.is_held = !world->forgets};
    job_analyse(&world->analysis, arena, &world->files[file], &request.imports, &reply.analysis);
    reply_write(&answered, &reply);
    reply = (Reply){0};
    assert_int_equal(reply_read(arena, strings, answered.text, answered.len, &reply, &err), ST_OK);
    assert_true(reply.is_held != world->forgets);
    FindingList *findings = &world->findings[file];
    if (reply.analysis.exports.is_whole) *findings = (FindingList){0};
    for (uint32_t i = 0; i < reply.analysis.result.findings.len; i++)
        vec_push(arena, findings, reply.analysis.result.findings.items[i]);
    SummaryExports *exports = ARENA_NEW(arena, SummaryExports);
    *exports = reply.analysis.exports;
    exchange_put(world->exchange, file, exports, reply.is_held);
}

// All rounds to the end; returns how many requests that took after the first round.
static uint32_t run(World *world)
{
    world->exchange = exchange_new(world->arena, world->count);
    for (uint32_t i = 0; i < world->count; i++) {
        world->files[i] = (ParsedFile){0};
        analyse(world, i);
    }
    uint32_t requests = 0;
    for (int round = 0; round < 100; round++) {
        BitSet files = exchange_next_round(world->exchange);
        if (bits_count(&files) == 0) return requests;
        for (uint32_t i = 0; i < world->count; i++) {
            if (!bits_has(&files, i)) continue;
            analyse(world, i);
            requests++;
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
        const FindingList *list = &world->findings[i];
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
        SummaryImports imports = exchange_imports(world->exchange, world->arena, file);
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
                        "  releases argument 0 by drop in line 2; always returned; at once\n");
    ExchangeStats stats = exchange_stats(world->exchange);
    assert_int_equal(stats.known, 2);
    assert_int_equal(stats.rounds, 1);
    assert_int_equal(stats.offered, 3);
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

static void what_nobody_defines_is_not_waited_for_long(void **state)
{
    World *world = *state;
    add_file(world, user);
    assert_int_equal(run(world), 1);
    assert_string_equal(findings(world), "");
    assert_int_equal(exchange_stats(world->exchange).known, 0);
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
    assert_int_equal(exchange_stats(world->exchange).known, 1);
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
    add_file(world, "func mine(p: void*) {\n  call local(p) @2:1\n  return @3:1\n}\n");
    add_file(world, "func local(p: void*) {\n  call drop(p) @2:1\n  return @3:1\n}\n");
    assert_int_equal(run(world), 0);
    assert_int_equal(exchange_stats(world->exchange).offered, 0);
}

// ---- rounds -------------------------------------------------------------------------------------

static void chain(World *world)
{
    add_file(world, "func first(p: void*) {\n  call pass(p) @2:1\n  call drop(p) @3:1\n"
                    "  return @4:1\n}\n"
                    "func user() {\n  var p: void*\n  call make(&p) @6:1\n  call pass(p) @7:1\n"
                    "  call drop(p) @8:1\n  return @9:1\n}\n");
    add_file(world, "func pass(p: void*) {\n  call again(p) @2:1\n  return @3:1\n}\n");
    add_file(world, "func again(p: void*) {\n  call end(p) @2:1\n  return @3:1\n}\n");
    add_file(world, releaser);
}

static void each_file_goes_on_when_what_it_calls_is_known(void **state)
{
    World *world = *state;
    chain(world);
    assert_int_equal(run(world), 3);
    assert_int_equal(exchange_stats(world->exchange).rounds, 3);
    assert_string_equal(findings(world), "double-free p @3\ndouble-free p @8\n");
}

static void files_that_begin_anew_come_to_the_same(void **state)
{
    World *world = *state;
    world->forgets = true;
    chain(world);
    run(world);
    assert_string_equal(findings(world), "double-free p @3\ndouble-free p @8\n");
}

static void what_is_independent_is_not_held_up(void **state)
{
    World *world = *state;
    add_file(world, "func end(p: void*) {\n  call drop(p) @2:1\n  return @3:1\n}\n"
                    "func pass(p: void*) {\n  call again(p) @5:1\n  return @6:1\n}\n");
    add_file(world, "func again(p: void*) {\n  call end(p) @2:1\n  return @3:1\n}\n");
    run(world);
    // The two files need each other, but no function does.
    assert_int_equal(exchange_stats(world->exchange).circles, 0);
    assert_non_null(strstr(known(world, "c:@F@again"), "releases argument 0 by drop"));
}

static const char half[] = "func %s(p: void*) {\n  branch p != 0 ? b1 : b2\n"
                           "b1:\n  call %s(p) @2:1\n  return @3:1\n"
                           "b2:\n  call drop(p) @4:1\n  return @5:1\n}\n";

static void recursion_across_files_ends(void **state)
{
    World *world = *state;
    for (int turn = 0; turn < 2; turn++) {
        world->count = 0;
        world->forgets = turn == 1;
        add_file(world, arena_printf(world->arena, half, "pass", "again"));
        add_file(world, "func user() {\n  var p: void*\n  call make(&p) @2:1\n"
                        "  call pass(p) @3:1\n  return @5:1\n}\n");
        add_file(world, arena_printf(world->arena, half, "again", "pass"));
        run(world);
        assert_int_equal(exchange_stats(world->exchange).circles, 1);
        assert_string_equal(findings(world), "");
        // again goes first in the order of USRs, so it is pass that does not know of it.
        assert_non_null(strstr(known(world, "c:@F@pass"), "may keep argument 0"));
        assert_string_equal(known(world, "c:@F@again"), "");
    }
}

static void two_circles_are_broken_one_by_one(void **state)
{
    World *world = *state;
    add_file(world, arena_printf(world->arena, half, "pass", "again"));
    add_file(world, arena_printf(world->arena, half, "again", "pass"));
    // A function that calls itself through another file, and both through a third.
    add_file(world, "func end(p: void*) {\n  call extra(p) @2:1\n  call pass(p) @3:1\n"
                    "  return @4:1\n}\n");
    add_file(world, "func extra(p: void*) {\n  call end(p) @2:1\n  return @3:1\n}\n");
    run(world);
    assert_int_equal(exchange_stats(world->exchange).circles, 2);
    assert_string_not_equal(known(world, "c:@F@pass"), "");
}

static void what_was_not_analysed_is_unknown_whoever_else_defines_it(void **state)
{
    World *world = *state;
    add_file(world, user);
    add_file(world, allocator);
    add_file(world, reader);
    add_file(world, "");
    // The last file has a body for end, too, which the front end could not lower.
    world->exchange = exchange_new(world->arena, world->count);
    parse(world, 3);
    IrUnit *unit = ir_unit_new(world->arena, "d.cu");
    IrSkipped skipped = {.name = "end", .reason = "unsupported", .usr = "c:@F@end"};
    ir_skip(unit, &skipped);
    ir_skip(unit, &skipped); // twice, as in a header that two ways lead to
    world->files[3].unit = unit;
    job_begin(&world->analysis, &world->files[3]);
    for (uint32_t i = 0; i < world->count; i++) analyse(world, i);
    for (BitSet files = exchange_next_round(world->exchange); bits_count(&files) != 0;
         files = exchange_next_round(world->exchange))
        for (uint32_t i = 0; i < world->count; i++)
            if (bits_has(&files, i)) analyse(world, i);
    assert_string_equal(findings(world), "");
    assert_string_equal(known(world, "c:@F@end"), "");
    assert_int_equal(exchange_stats(world->exchange).disputed, 1);
}

static void a_file_that_is_gone_keeps_nobody_waiting(void **state)
{
    World *world = *state;
    add_file(world, "func again(p: void*) {\n  call pass(p) @2:1\n  return @3:1\n}\n");
    add_file(world, "func pass(p: void*) {\n  call end(p) @2:1\n  return @3:1\n}\n");
    add_file(world, releaser);
    world->exchange = exchange_new(world->arena, world->count);
    for (uint32_t i = 0; i < world->count; i++) analyse(world, i);
    exchange_drop(world->exchange, 1);
    BitSet files = exchange_next_round(world->exchange);
    assert_int_equal(bits_count(&files), 1);
    assert_true(bits_has(&files, 0));
    SummaryImports imports = exchange_imports(world->exchange, world->arena, 0);
    assert_int_equal(imports.functions.len, 0);
    assert_int_equal(imports.unknown.len, 1);
}

// ---- messages -----------------------------------------------------------------------------------

static void broken_messages_are_refused(void **state)
{
    World *world = *state;
    Arena *arena = world->arena;
    add_file(world, user);
    parse(world, 0);
    Reply reply = {0};
    job_analyse(&world->analysis, arena, &world->files[0], &(SummaryImports){0}, &reply.analysis);
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
        TEST(what_nobody_defines_is_not_waited_for_long),
        TEST(results_do_not_depend_on_the_order_of_files),
        TEST(definitions_that_differ_are_unknown),
        TEST(definitions_that_do_the_same_are_one),
        TEST(what_one_file_keeps_to_itself_is_not_offered),
        TEST(each_file_goes_on_when_what_it_calls_is_known),
        TEST(files_that_begin_anew_come_to_the_same),
        TEST(what_is_independent_is_not_held_up),
        TEST(recursion_across_files_ends),
        TEST(two_circles_are_broken_one_by_one),
        TEST(what_was_not_analysed_is_unknown_whoever_else_defines_it),
        TEST(a_file_that_is_gone_keeps_nobody_waiting),
        TEST(broken_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
