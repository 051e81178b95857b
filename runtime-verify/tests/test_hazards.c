// SPDX-License-Identifier: MIT
// Work in flight, from calls to verdicts: what comes behind what, what was running when a line was passed, faults.
#include "tests/bench.h"

#define STREAM_A 0x77
#define STREAM_B 0x99

static void open_recording_calls(Bench *bench)
{
    setenv("CUDALINT_RECORD_CALLS", "1", 1);
    open_tracker(bench, NULL);
    unsetenv("CUDALINT_RECORD_CALLS");
}

static void make_stream(Bench *bench, uint64_t handle, bool is_nonblocking)
{
    uint64_t slot;
    call(bench, "cudaStreamCreateWithFlags",
         (uint64_t[4]){(uint64_t)(uintptr_t)&slot, is_nonblocking}, 2, handle, 0);
}

static void launch(Bench *bench, uint64_t stream, uint64_t block)
{
    TrackCall launch = {
        .function = api_find("cudaLaunchKernel", 6), .args = {[5] = stream}, .arg_count = 6};
    track_enter(bench->tracker, &launch);
    track_launch(bench->tracker, &launch, "kernel", stream, &block, 1);
    track_exit(bench->tracker, &launch, 0);
}

static void record_event(Bench *bench, uint64_t event, uint64_t stream)
{
    call(bench, "cudaEventRecord", (uint64_t[4]){event, stream}, 2, 0, 0);
}

static void wait_event(Bench *bench, uint64_t stream, uint64_t event)
{
    call(bench, "cudaStreamWaitEvent", (uint64_t[4]){stream, event, 0}, 3, 0, 0);
}

// The verdict on a finding whose last key step is at line `step`.
static VerdictKind judge_step(Trial *trial, const char *rule, const char *function, int step,
                              int line)
{
    CheckedFinding finding = finding_at(rule, __FILE__, step, line);
    Place place = {__FILE__, step};
    finding.function = function;
    vec_push(trial->arena, &finding.steps, place);
    return judge_finding(trial, &finding).kind;
}

static VerdictKind judge(Trial *trial, const char *rule, int line)
{
    return judge_step(trial, rule, NULL, line, line);
}

static void two_streams_are_not_ordered(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    launch(bench, STREAM_A, a);
    int same = __LINE__ + 1;
    launch(bench, STREAM_A, a);
    int other = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "stream-order", same), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", other), VERDICT_CONFIRMED);
}

static void an_event_orders_what_it_was_recorded_behind(void **state)
{
    Bench *bench = *state;
    uint64_t a, event = 0x5000;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    int unrecorded = __LINE__ + 1;
    wait_event(bench, STREAM_B, event);
    record_event(bench, event, STREAM_A);
    launch(bench, STREAM_A, a);
    wait_event(bench, STREAM_B, event);
    int before = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    record_event(bench, event, STREAM_A);
    int recorded = __LINE__ + 1;
    wait_event(bench, STREAM_B, event);
    int behind = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "event-not-ready", unrecorded), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "event-not-ready", recorded), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", before), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "stream-order", behind), VERDICT_REFUTED);
}

static void the_default_stream_orders_blocking_streams(void **state)
{
    Bench *bench = *state;
    uint64_t a, b;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, false);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    acquire(bench, "cudaMalloc", &b, 0x20000);
    launch(bench, STREAM_A, a);
    int blocking = __LINE__ + 1;
    launch(bench, 0, a);
    int back = __LINE__ + 1;
    launch(bench, STREAM_A, a);
    launch(bench, STREAM_B, b);
    int nonblocking = __LINE__ + 1;
    launch(bench, 0, b);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "stream-order", blocking), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", back), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", nonblocking), VERDICT_CONFIRMED);
}

static void what_the_host_waited_for_is_over(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    launch(bench, STREAM_A, a);
    call(bench, "cudaStreamSynchronize", (uint64_t[4]){STREAM_A}, 1, 0, 0);
    int waited = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "stream-order", waited), VERDICT_REFUTED);
}

static void a_release_in_order_is_no_hazard(void **state)
{
    Bench *bench = *state;
    uint64_t a, b, event = 0x5000;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    call(bench, "cudaMallocAsync", (uint64_t[4]){(uint64_t)(uintptr_t)&a, 64, STREAM_A}, 3, 0x20000,
         0);
    call(bench, "cudaMallocAsync", (uint64_t[4]){(uint64_t)(uintptr_t)&b, 64, STREAM_A}, 3, 0x30000,
         0);
    launch(bench, STREAM_A, a);
    launch(bench, STREAM_A, b);
    bench->device.is_busy = true;
    int early = __LINE__ + 1;
    call(bench, "cudaFreeAsync", (uint64_t[4]){a, STREAM_B}, 2, 0, 0);
    record_event(bench, event, STREAM_A);
    wait_event(bench, STREAM_B, event);
    int behind = __LINE__ + 1;
    call(bench, "cudaFreeAsync", (uint64_t[4]){b, STREAM_B}, 2, 0, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "free-in-flight", early), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "free-in-flight", behind), VERDICT_REFUTED);
    assert_int_equal(trial.story.misuses.len, 1);
}

// Two streams are captured into one graph, the second by an event: what it uses is in use when it is launched, not
// before.
static void a_graph_uses_what_was_captured(void **state)
{
    Bench *bench = *state;
    uint64_t a, b, event = 0x5000, graph = 0xa00, exec = 0xb00, slot;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    acquire(bench, "cudaMalloc", &b, 0x20000);
    call(bench, "cudaStreamBeginCapture", (uint64_t[4]){STREAM_A, 0}, 2, 0, 0);
    launch(bench, STREAM_A, a);
    record_event(bench, event, STREAM_A);
    wait_event(bench, STREAM_B, event);
    launch(bench, STREAM_B, b);
    slot = graph; // what the call stores
    call(bench, "cudaStreamEndCapture", (uint64_t[4]){STREAM_A, (uint64_t)(uintptr_t)&slot}, 2, 0,
         0);
    call(bench, "cudaGraphInstantiate", (uint64_t[4]){(uint64_t)(uintptr_t)&slot, graph, 0}, 3,
         exec, 0);
    int captured = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    call(bench, "cudaStreamSynchronize", (uint64_t[4]){STREAM_B}, 1, 0, 0);
    call(bench, "cudaGraphLaunch", (uint64_t[4]){exec, STREAM_A}, 2, 0, 0);
    int same = __LINE__ + 1;
    launch(bench, STREAM_A, b);
    int other = __LINE__ + 1;
    launch(bench, STREAM_B, b);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "stream-order", captured), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", same), VERDICT_REFUTED);
    assert_int_equal(judge(&trial, "stream-order", other), VERDICT_CONFIRMED);
}

// A capture that was spoilt is over, and leaves no graph.
static void a_failed_capture_is_over(void **state)
{
    Bench *bench = *state;
    uint64_t a, slot = 0;
    open_recording_calls(bench);
    make_stream(bench, STREAM_A, true);
    make_stream(bench, STREAM_B, true);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    call(bench, "cudaStreamBeginCapture", (uint64_t[4]){STREAM_A, 0}, 2, 0, 0);
    call(bench, "cudaStreamEndCapture", (uint64_t[4]){STREAM_A, (uint64_t)(uintptr_t)&slot}, 2, 0,
         901);
    launch(bench, STREAM_A, a);
    int other = __LINE__ + 1;
    launch(bench, STREAM_B, a);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "stream-order", other), VERDICT_CONFIRMED);
}

static void a_line_is_passed_while_work_runs(void **state)
{
    Bench *bench = *state;
    const char *function = __func__;
    uint64_t a;
    open_recording_calls(bench);
    acquire(bench, "cudaMallocManaged", &a, 0x10000);
    bench->device.is_busy = true;
    int step = __LINE__ + 1;
    launch(bench, STREAM_A, a);
    int access = __LINE__;
    call(bench, "cudaDeviceSynchronize", (uint64_t[4]){0}, 0, 0, 0);
    bench->device.is_busy = false;
    int late = __LINE__;
    release(bench, "cudaFree", a, 0);
    Trial trial = finish(bench);
    const char *rule = "host-access-in-flight";
    assert_int_equal(judge_step(&trial, rule, function, step, access), VERDICT_CONFIRMED);
    assert_int_equal(judge_step(&trial, rule, function, step, late), VERDICT_REFUTED);
    assert_int_equal(judge_step(&trial, rule, "elsewhere", step, access), VERDICT_REFUTED);
}

static void a_fault_that_nobody_saw_is_lost(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_recording_calls(bench);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    int step = __LINE__ + 1;
    launch(bench, STREAM_A, a);
    bench->device.fault = 700;
    Trial trial = finish(bench);
    trial.exit_code = 0;
    assert_int_equal(judge_step(&trial, "sync-lost-error", __func__, step, step),
                     VERDICT_CONFIRMED);
    trial.exit_code = 1;
    assert_int_equal(judge_step(&trial, "sync-lost-error", __func__, step, step), VERDICT_REFUTED);
}

static void after_a_fault_nothing_can_leak(void **state)
{
    Bench *bench = *state;
    uint64_t a;
    open_recording_calls(bench);
    acquire(bench, "cudaMalloc", &a, 0x10000);
    launch(bench, STREAM_A, a);
    release(bench, "cudaFree", a, 700);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 0).kind, VERDICT_CLEAN);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, drop_bench)
    const struct CMUnitTest tests[] = {
        TEST(two_streams_are_not_ordered),
        TEST(an_event_orders_what_it_was_recorded_behind),
        TEST(the_default_stream_orders_blocking_streams),
        TEST(what_the_host_waited_for_is_over),
        TEST(a_release_in_order_is_no_hazard),
        TEST(a_graph_uses_what_was_captured),
        TEST(a_failed_capture_is_over),
        TEST(a_line_is_passed_while_work_runs),
        TEST(a_fault_that_nobody_saw_is_lost),
        TEST(after_a_fault_nothing_can_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
