// SPDX-License-Identifier: MIT
// Summaries by themselves: merging of effects, and the way through bytes.
#include "summary/summary_pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char model_text[] = "resources:\n"
                                 "  gadget: {title: gadget, release: drop_gadget}\n"
                                 "  thing: {title: thing, release: drop, memory: true}\n"
                                 "functions:\n"
                                 "  make: {result: status, acquires: {\"*1\": thing}}\n"
                                 "  drop: {result: status, reads: 1, releases: {1: [thing]}}\n";

typedef struct {
    Arena *arena;
    Model *model;
    const ModelEffect *release; // of drop
} Fixture;

static int set_up(void **state)
{
    Arena *arena = arena_new("test");
    Fixture *fixture = ARENA_NEW(arena, Fixture);
    *fixture = (Fixture){.arena = arena, .model = model_new_empty(arena)};
    Err err = {.arena = arena};
    *state = fixture;
    if (model_load_text(fixture->model, "t.yaml", model_text, strlen(model_text), &err) != ST_OK)
        return 1;
    const ModelFunction *drop = model_find(fixture->model, "drop", 1);
    for (uint32_t i = 0; i < drop->effects.len; i++)
        if (drop->effects.items[i].kind == MODEL_RELEASE)
            fixture->release = &drop->effects.items[i];
    return fixture->release == NULL;
}

static int tear_down(void **state)
{
    arena_free(((Fixture *)*state)->arena);
    return 0;
}

static SummaryPath argument(uint32_t index)
{
    return (SummaryPath){.root = SP_ARGUMENT, .argument = index};
}

static const ReturnExpr *expr(Arena *arena, ReturnExpr value)
{
    ReturnExpr *copy = ARENA_NEW(arena, ReturnExpr);
    *copy = value;
    return copy;
}

// One that has something in every field.
static Summary full_summary(const Fixture *fixture)
{
    Arena *arena = fixture->arena;
    Summary summary = {.known = true,
                       .outcomes = OUTCOME_NONZERO | OUTCOME_THROWN,
                       .never_waits = true,
                       .captures = true,
                       .orders = true,
                       .untold = UINT64_C(1) << 63 | 2};
    SummaryPath deep = argument(3);
    summary_path_push(&deep, SP_POINTEE, NULL);
    summary_path_push(&deep, SP_FIELD, "buf");
    summary_path_push(&deep, SP_ELEMENT, NULL);
    SummaryPath *status = ARENA_NEW(arena, SummaryPath);
    status->root = SP_RESULT;
    summary_path_push(status, SP_FIELD, "status");
    SummaryEffect release = {
        .kind = SE_RELEASE,
        .path = deep,
        .must = OUTCOME_ZERO,
        .may = OUTCOME_RETURNED,
        .effect = fixture->release,
        .api = "drop",
        .loc = {.file = "a.cu", .line = 7, .column = 3, .macro = "M"},
        .calls = summary_call(
            arena, "inner", (SrcLoc){.file = "b.cu", .line = 8, .column = 4},
            summary_call(arena, "innermost", (SrcLoc){.file = "c.cu", .line = 9}, NULL)),
        .condition_count = 2,
        .conditions = {{.argument = 1, .range = {.lo = -5, .hi = INT64_MAX, .excluded_count = 1}},
                       {.place = status, .is_after = true, .range = {.lo = 0, .hi = 0}}},
        .null_after = OUTCOME_ZERO,
        .renewed_after = OUTCOME_NONZERO,
        .possible = OUTCOME_RETURNED,
        .guards = LOSE_BY_RELATION,
        .time = RELEASE_IN_ORDER,
        .work = {.stream = argument(4)},
    };
    summary_add(arena, &summary, release);
    SummaryEffect acquire = {.kind = SE_ACQUIRE,
                             .path = {.root = SP_GLOBAL, .global = "c:@shared"},
                             .may = OUTCOME_ZERO,
                             .group = 6,
                             .resource = 1,
                             .api = "make"};
    summary_add(arena, &summary, acquire);
    SummaryEffect keep = {.kind = SE_KEEP, .path = {.root = SP_RESULT}, .may = OUTCOME_THROWN};
    summary_add(arena, &summary, keep);
    SummaryEffect queue = {
        .kind = SE_QUEUE,
        .path = argument(0),
        .must = OUTCOME_ZERO,
        .may = OUTCOME_ZERO,
        .work = {.stream = argument(1), .is_whole = true, .bytes = 64, .kind = 1, .access = 2}};
    summary_add(arena, &summary, queue);
    ReturnFacts *facts = &summary.returns;
    *facts = (ReturnFacts){.known = true, .returns = true, .throws = true, .arg_count = 2};
    facts->when_returned = ARENA_ARRAY(arena, Range, 2);
    facts->when_thrown = ARENA_ARRAY(arena, Range, 2);
    facts->when_returned[0] = range_point(0);
    facts->when_returned[1] = range_full();
    facts->when_thrown[0] = range_between(-9, 9);
    facts->when_thrown[0] = range_exclude(&facts->when_thrown[0], 0);
    facts->when_thrown[1] = range_between(INT64_MIN, 4);
    SummaryPath *place = ARENA_NEW(arena, SummaryPath);
    *place = argument(1);
    const ReturnExpr *parameter = expr(arena, (ReturnExpr){.kind = RX_PLACE, .place = place});
    const ReturnExpr *seven = expr(arena, (ReturnExpr){.kind = RX_INT, .value = -7});
    const ReturnExpr *negated =
        expr(arena, (ReturnExpr){.kind = RX_UNARY, .op = IR_NEG, .a = parameter});
    const ReturnExpr *sum =
        expr(arena, (ReturnExpr){.kind = RX_BINARY, .op = IR_ADD, .a = negated, .b = seven});
    facts->result = expr(arena, (ReturnExpr){.kind = RX_ITE, .a = parameter, .b = sum, .c = seven});
    Range *range = ARENA_NEW(arena, Range);
    *range = range_between(2, 5);
    ReturnWrite write = {.place = {.root = SP_RESULT}};
    summary_path_push(&write.place, SP_FIELD, "code");
    write.value = expr(arena, (ReturnExpr){.kind = RX_RANGE, .value = 3, .range = range});
    vec_push(arena, &facts->writes, write);
    return summary;
}

static const char *print(Arena *arena, const Summary *summary)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    summary_print(out, arena, "f", summary);
    fclose(out);
    const char *copy = arena_strdup(arena, text);
    free(text);
    return copy;
}

static bool is_same(SummaryBytes a, SummaryBytes b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

static void every_field_survives(void **state)
{
    const Fixture *fixture = *state;
    Summary summary = full_summary(fixture), again;
    Err err = {.arena = fixture->arena};
    SummaryRecord record = summary_encode(fixture->arena, fixture->model, "f", &summary);
    assert_int_equal(summary_decode(fixture->arena, str_pool_new(fixture->arena), fixture->model,
                                    &record, &again, &err),
                     ST_OK);
    assert_string_equal(print(fixture->arena, &again), print(fixture->arena, &summary));
    assert_ptr_equal(again.effects.items[0].effect, fixture->release);
    assert_int_equal(again.effects.items[0].possible, OUTCOME_RETURNED);
    assert_int_equal(again.effects.items[0].guards, LOSE_BY_RELATION);
    assert_int_equal(again.effects.items[0].time, RELEASE_IN_ORDER);
    assert_int_equal(again.effects.items[0].work.stream.argument, 4);
    assert_int_equal(again.effects.items[1].resource, 1);
    assert_int_equal(again.effects.items[1].group, 6);
    assert_string_equal(again.effects.items[0].loc.file, "a.cu");
    assert_string_equal(again.effects.items[0].loc.macro, "M");
    assert_int_equal(again.effects.items[0].loc.column, 3);
    const SummaryCall *call = again.effects.items[0].calls;
    assert_string_equal(call->callee, "inner");
    assert_int_equal(call->loc.line, 8);
    assert_string_equal(call->next->callee, "innermost");
    assert_null(call->next->next);
    SummaryRecord second = summary_encode(fixture->arena, fixture->model, "f", &again);
    assert_true(is_same(record.meaning, second.meaning));
    assert_true(is_same(record.places, second.places));
    // A field was added or dropped: summary_io.c writes and reads it, and full_summary() fills it.
    if (sizeof(void *) == 8) assert_int_equal(sizeof(SummaryEffect), 688);
    if (sizeof(void *) == 8) assert_int_equal(sizeof(Summary), 88);
}

static void what_is_cut_off_or_changed_is_no_summary(void **state)
{
    const Fixture *fixture = *state;
    Summary summary = full_summary(fixture), again;
    Err err = {.arena = fixture->arena};
    StrPool *strings = str_pool_new(fixture->arena);
    SummaryRecord whole = summary_encode(fixture->arena, fixture->model, "f", &summary);
    for (uint32_t len = 0; len < whole.meaning.len; len++) {
        SummaryRecord cut = whole;
        cut.meaning.len = len;
        assert_int_equal(
            summary_decode(fixture->arena, strings, fixture->model, &cut, &again, &err), ST_SYNTAX);
    }
    SummaryRecord cut = whole;
    cut.places.len--;
    assert_int_equal(summary_decode(fixture->arena, strings, fixture->model, &cut, &again, &err),
                     ST_SYNTAX);
    // Whatever a byte is changed to, it is read or refused.
    char *bytes = arena_strndup(fixture->arena, whole.meaning.bytes, whole.meaning.len);
    for (uint32_t i = 0; i < whole.meaning.len; i++) {
        char was = bytes[i];
        for (int value = 0; value < 256; value += 5) {
            bytes[i] = (char)value;
            SummaryRecord changed = whole;
            changed.meaning.bytes = bytes;
            if (summary_decode(fixture->arena, strings, fixture->model, &changed, &again, &err) ==
                ST_OK)
                print(fixture->arena, &again);
        }
        bytes[i] = was;
    }
}

static void places_are_apart_from_meaning(void **state)
{
    const Fixture *fixture = *state;
    Summary summary = full_summary(fixture);
    SummaryRecord here = summary_encode(fixture->arena, fixture->model, "f", &summary);
    summary.effects.items[0].loc.line = 99;
    SummaryRecord there = summary_encode(fixture->arena, fixture->model, "f", &summary);
    assert_true(is_same(here.meaning, there.meaning));
    assert_false(is_same(here.places, there.places));
    summary.effects.items[0].must = OUTCOME_RETURNED;
    SummaryRecord other = summary_encode(fixture->arena, fixture->model, "f", &summary);
    assert_false(is_same(other.meaning, there.meaning));
}

static void what_a_file_keeps_to_itself_is_left_out(void **state)
{
    const Fixture *fixture = *state;
    assert_true(summary_is_shared_usr("c:@F@f#"));
    assert_false(summary_is_shared_usr("c:a.cu@F@f#"));
    Summary summary = {.known = true, .outcomes = OUTCOME_RETURNED}, again;
    SummaryEffect effect = {.kind = SE_KEEP,
                            .path = {.root = SP_GLOBAL, .global = "c:a.cu@mine"},
                            .may = OUTCOME_RETURNED};
    summary_add(fixture->arena, &summary, effect);
    effect.path.global = "c:@ours";
    summary_add(fixture->arena, &summary, effect);
    SummaryRecord record = summary_encode(fixture->arena, fixture->model, "f", &summary);
    Err err = {.arena = fixture->arena};
    assert_int_equal(summary_decode(fixture->arena, str_pool_new(fixture->arena), fixture->model,
                                    &record, &again, &err),
                     ST_OK);
    assert_int_equal(again.effects.len, 1);
    assert_string_equal(again.effects.items[0].path.global, "c:@ours");
}

static void exports_survive(void **state)
{
    const Fixture *fixture = *state;
    Arena *arena = fixture->arena;
    Summary summary = full_summary(fixture);
    SummaryExports exports = {.is_whole = true, .is_complete = true}, again;
    vec_push(arena, &exports.functions, summary_encode(arena, fixture->model, "c:@F@f", &summary));
    vec_push(arena, &exports.functions, summary_encode(arena, fixture->model, "c:@F@g", &summary));
    vec_push(arena, &exports.waits, ((SummaryWait){.usr = "c:@F@w", .obstacle = "c:@F@h"}));
    vec_push(arena, &exports.defines, "c:@F@f");
    vec_push(arena, &exports.wants, "c:@F@h");
    StrBuf bytes = {.arena = arena};
    summary_exports_write(&bytes, &exports);
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    assert_int_equal(summary_exports_read(arena, strings, bytes.text, bytes.len, &again, &err),
                     ST_OK);
    assert_true(again.is_whole && again.is_complete);
    assert_int_equal(again.functions.len, 2);
    assert_string_equal(again.functions.items[1].usr, "c:@F@g");
    assert_true(is_same(again.functions.items[1].meaning, exports.functions.items[1].meaning));
    assert_true(is_same(again.functions.items[1].places, exports.functions.items[1].places));
    assert_string_equal(again.waits.items[0].usr, "c:@F@w");
    assert_string_equal(again.waits.items[0].obstacle, "c:@F@h");
    assert_string_equal(again.defines.items[0], "c:@F@f");
    assert_string_equal(again.wants.items[0], "c:@F@h");
    SummaryImports imports;
    assert_int_equal(summary_imports_read(arena, strings, bytes.text, bytes.len, &imports, &err),
                     ST_SYNTAX);
    bytes.text[bytes.len / 2] ^= 1;
    assert_int_equal(summary_exports_read(arena, strings, bytes.text, bytes.len, &again, &err),
                     ST_SYNTAX);
    assert_int_equal(again.functions.len, 0);
}

static void imports_survive_and_are_found(void **state)
{
    const Fixture *fixture = *state;
    Arena *arena = fixture->arena;
    Summary summary = full_summary(fixture);
    SummaryImports imports = {0}, again;
    assert_null(summary_imports_find(&imports, "c:@F@f"));
    assert_false(summary_imports_is_unknown(&imports, "c:@F@f"));
    for (int i = 10; i < 40; i++) {
        const char *usr = arena_printf(arena, "c:@F@f%d", i);
        if (i % 3 == 0)
            vec_push(arena, &imports.unknown, usr);
        else
            vec_push(arena, &imports.functions,
                     summary_encode(arena, fixture->model, usr, &summary));
    }
    StrBuf bytes = {.arena = arena};
    summary_imports_write(&bytes, &imports);
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    assert_int_equal(summary_imports_read(arena, strings, bytes.text, bytes.len, &again, &err),
                     ST_OK);
    for (int i = 10; i < 40; i++) {
        const char *usr = arena_printf(arena, "c:@F@f%d", i);
        const SummaryRecord *record = summary_imports_find(&again, usr);
        assert_true((record == NULL) == (i % 3 == 0));
        if (record != NULL) assert_string_equal(record->usr, usr);
        assert_true(summary_imports_is_unknown(&again, usr) == (i % 3 == 0));
    }
    assert_null(summary_imports_find(&again, "c:@F@f"));
    for (size_t len = 0; len < bytes.len; len += 7)
        assert_int_equal(summary_imports_read(arena, strings, bytes.text, len, &again, &err),
                         ST_SYNTAX);
}

static void equal_effects_are_one_that_covers_both(void **state)
{
    const Fixture *fixture = *state;
    Summary summary = {.known = true};
    SummaryEffect effect = {.kind = SE_RELEASE,
                            .path = argument(0),
                            .may = OUTCOME_ZERO,
                            .condition_count = 2,
                            .conditions = {{.argument = 1, .range = range_point(1)},
                                           {.argument = 2, .range = range_point(0)}}};
    summary_add(fixture->arena, &summary, effect);
    effect.may = OUTCOME_NONZERO;
    effect.condition_count = 1;
    effect.conditions[0].range = range_point(4);
    summary_add(fixture->arena, &summary, effect);
    assert_int_equal(summary.effects.len, 1);
    const SummaryEffect *both = summary_find(&summary, SE_RELEASE, &effect.path);
    assert_int_equal(both->may, OUTCOME_RETURNED);
    assert_int_equal(both->condition_count, 1);
    Range both_values = range_between(1, 4);
    both_values = range_exclude(&both_values, 2);
    both_values = range_exclude(&both_values, 3);
    assert_true(range_equal(&both->conditions[0].range, &both_values));
    effect.path.argument = 1;
    summary_add(fixture->arena, &summary, effect);
    assert_int_equal(summary.effects.len, 2);
}

static void of_a_long_way_the_last_calls_are_left_out(void **state)
{
    const Fixture *fixture = *state;
    const SummaryCall *calls = NULL;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (uint32_t i = 6; i-- > 0;)
        calls = summary_call(fixture->arena, names[i], (SrcLoc){.line = i + 1}, calls);
    uint32_t count = 0;
    for (; calls; calls = calls->next) assert_string_equal(calls->callee, names[count++]);
    assert_int_equal(count, SUMMARY_MAX_CALLS);
}

static void what_no_effect_tells_is_said_by_argument(void **state)
{
    (void)state;
    Summary summary = {.untold = UINT64_C(1) << 2};
    assert_true(summary_is_untold(&summary, 2));
    assert_false(summary_is_untold(&summary, 1));
    assert_true(summary_is_untold(&summary, 64));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_field_survives),
        TEST(what_is_cut_off_or_changed_is_no_summary),
        TEST(places_are_apart_from_meaning),
        TEST(what_a_file_keeps_to_itself_is_left_out),
        TEST(exports_survive),
        TEST(imports_survive_and_are_found),
        TEST(equal_effects_are_one_that_covers_both),
        TEST(of_a_long_way_the_last_calls_are_left_out),
        TEST(what_no_effect_tells_is_said_by_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
