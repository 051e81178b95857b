// SPDX-License-Identifier: MIT
// From calls to verdicts: the tracker is told of calls with a backend that is no GPU, its records are read
// back, replayed and judged. Stacks are this program's own.
#include "tests/bench.h"

#include "output/html.h"

static VerdictKind judge(Trial *trial, const char *rule, int acquired, int line)
{
    CheckedFinding finding = finding_at(rule, __FILE__, acquired, line);
    return judge_finding(trial, &finding).kind;
}

static void a_leak_is_confirmed_where_it_was_acquired(void **state)
{
    Bench *bench = *state;
    uint64_t a, b;
    open_tracker(bench, NULL);
    int kept = __LINE__ + 1;
    acquire(bench, "cudaMalloc", &a, 0x10000);
    int freed = __LINE__ + 1;
    acquire(bench, "cudaMalloc", &b, 0x20000);
    release(bench, "cudaFree", b, 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.misuses.len, 0);
    assert_int_equal(judge(&trial, "leak", kept, kept), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "leak-on-return", freed, freed + 1), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "leak", 1, 1), VERDICT_NOT_REACHED);
    assert_int_equal(judge(&trial, "member-leak", 1, kept), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "some-advice", kept, kept), VERDICT_NO_SYMPTOM);
    assert_int_equal(judge_clean(&trial, 0).kind, VERDICT_NOT_CLEAN);
    assert_int_equal(judge_clean(&trial, 1).kind, VERDICT_CLEAN);
    assert_int_equal(judge_clean(&trial, 2).kind, VERDICT_NOT_CLEAN);
}

static void releases_are_told_apart(void **state)
{
    Bench *bench = *state;
    uint64_t a, stream;
    open_tracker(bench, NULL);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    call(bench, "cudaStreamCreate", (uint64_t[4]){(uint64_t)(uintptr_t)&stream}, 1, 0x50000, 0);
    int inside = __LINE__ + 1;
    release(bench, "cudaFree", a + 16, 1);
    int wrong = __LINE__ + 1;
    release(bench, "cudaFreeHost", a, 1);
    int unknown = __LINE__ + 1;
    release(bench, "cudaFree", 0x999000, 1);
    release(bench, "cudaFree", 0, 0);
    release(bench, "cudaFree", a, 0);
    int again = __LINE__ + 1;
    release(bench, "cudaFree", a, 1);
    release(bench, "cudaStreamDestroy", stream, 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.misuses.len, 4);
    assert_int_equal(judge(&trial, "free-offset", 1, inside), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "mismatched-free", 1, wrong), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "free-uninitialized", 1, unknown), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "double-free", 1, again), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "free-offset", 1, again), VERDICT_REFUTED);
    // The wrong releases returned errors: the block lived until the right one.
    assert_int_equal(trial.story.lives.items[0].fate, FATE_RELEASED);
}

static void work_after_the_release_is_stale(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_tracker(bench, NULL);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    release(bench, "cudaFree", a, 0);
    int use = __LINE__ + 1;
    call(bench, "cudaMemset", (uint64_t[4]){a + 8, 0, 64}, 3, 0, 1);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "use-after-free", 1, use), VERDICT_CONFIRMED);
}

static void memory_that_came_again_is_not_stale(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_tracker(bench, NULL);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    release(bench, "cudaFree", a, 0);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    call(bench, "cudaMemset", (uint64_t[4]){a, 0, 64}, 3, 0, 0);
    release(bench, "cudaFree", a, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 0).kind, VERDICT_CLEAN);
}

static void pending_work_is_seen_at_a_release(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_tracker(bench, NULL);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    TrackCall launch = {
        .function = api_find("cudaLaunchKernel", 6), .args = {[5] = 0x77}, .arg_count = 6};
    track_enter(bench->tracker, &launch);
    track_launch(bench->tracker, &launch, "kernel", 0x77, &a, 1);
    track_exit(bench->tracker, &launch, 0);
    bench->device.is_busy = true;
    release(bench, "cudaFree", a, 0);
    Trial trial = finish(bench);
    const Record *record = NULL;
    for (uint32_t i = 0; i < bench->recordings.items[0].records.len; i++) {
        if (bench->recordings.items[0].records.items[i].type == RECORD_RELEASE)
            record = &bench->recordings.items[0].records.items[i];
    }
    assert_int_equal(record->pending.len, 1);
    assert_int_equal(record->pending.items[0].stream, 0x77);
    assert_int_equal(record->pending.items[0].later, 0);
    // cudaFree waits for the device: no hazard.
    assert_int_equal(trial.story.misuses.len, 0);
}

static void a_reset_takes_what_it_takes(void **state)
{
    Bench *bench = *state;
    uint64_t a, pool;
    open_tracker(bench, NULL);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    call(bench, "cudaMallocAsync", (uint64_t[4]){(uint64_t)(uintptr_t)&pool, 64, 0}, 3, 0x20000, 0);
    call(bench, "cudaDeviceReset", (uint64_t[4]){0}, 0, 0, 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.lives.items[0].fate, FATE_RESET);
    assert_int_equal(trial.story.lives.items[1].fate, FATE_LIVE);
}

static void a_call_is_made_to_fail_and_undone(void **state)
{
    Bench *bench = *state;
    uint64_t a = 1, b = 1;
    open_tracker(bench, "cudaMalloc:2");
    assert_int_equal(acquire(bench, "cudaMalloc", &a, 0x10000), 0);
    assert_int_equal(acquire(bench, "cudaMalloc", &b, 0x20000), 2);
    assert_int_equal(b, 0);
    assert_int_equal(bench->device.undone, 0x20000);
    assert_int_equal(call(bench, "cudaPeekAtLastError", (uint64_t[4]){0}, 0, 0, 0), 2);
    assert_int_equal(call(bench, "cudaGetLastError", (uint64_t[4]){0}, 0, 0, 0), 2);
    assert_int_equal(call(bench, "cudaGetLastError", (uint64_t[4]){0}, 0, 0, 0), 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.lives.len, 1);
    assert_int_equal(trial.story.injected.len, 1);
    assert_int_equal(trial.story.injected.items[0]->k, 2);
    assert_int_equal(trial.story.errors.len, 1);
}

static void what_is_cut_off_or_odd_is_survived(void **state)
{
    static const char text[] =
        "{\"t\":\"start\",\"v\":1,\"pid\":\"x\"}\n"
        "not json\n"
        "{\"t\":\"future\",\"n\":1}\n"
        "{\"t\":\"stack\",\"id\":1e300,\"pcs\":[[1,2]]}\n"
        "{\"t\":\"stack\",\"id\":1,\"pcs\":[[0,2],[9,3],[1],7]}\n"
        "{\"t\":\"release\",\"n\":5,\"fn\":7,\"of\":99,\"state\":\"live\",\"stack\":1}\n"
        "{\"t\":\"use\",\"n\":6,\"stale\":[1,-1,\"x\"],\"stack\":12}\n"
        "{\"t\":\"acquire\",\"n\":7,\"res\":\"no such kind\",\"h\":\"0x1\"}\n"
        "{\"t\":\"acquire\",\"n\":8";
    Bench *bench = *state;
    Recording recording;
    recording_parse(bench->arena, bench->strings, text, sizeof text - 1, &recording);
    assert_int_equal(recording.unreadable, 1);
    assert_false(recording.has_end);
    assert_int_equal(recording.records.len, 3);
    Trial trial = trial_new(bench->arena, bench->symbols, &recording);
    assert_int_equal(trial.story.lives.len, 1);
    assert_int_equal(judge(&trial, "leak", 1, 1), VERDICT_NOT_REACHED);
}

static void a_page_escapes_what_it_shows(void **state)
{
    Bench *bench = *state;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    html_begin(out, "<a> & \"b\"");
    html_end(out);
    fclose(out);
    assert_non_null(strstr(text, "&lt;a&gt; &amp; &quot;b&quot;"));
    assert_null(strstr(text, "<a>"));
    free(text);
    (void)bench;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, drop_bench)
    const struct CMUnitTest tests[] = {
        TEST(a_leak_is_confirmed_where_it_was_acquired),
        TEST(releases_are_told_apart),
        TEST(work_after_the_release_is_stale),
        TEST(memory_that_came_again_is_not_stale),
        TEST(pending_work_is_seen_at_a_release),
        TEST(a_reset_takes_what_it_takes),
        TEST(a_call_is_made_to_fail_and_undone),
        TEST(what_is_cut_off_or_odd_is_survived),
        TEST(a_page_escapes_what_it_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
