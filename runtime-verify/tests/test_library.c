// SPDX-License-Identifier: MIT
// Calls of libraries, as the wrappers report them, and references that are counted.
#include "tests/bench.h"

static VerdictKind judge(Trial *trial, const char *rule, int acquired, int line)
{
    CheckedFinding finding = finding_at(rule, __FILE__, acquired, line);
    return judge_finding(trial, &finding).kind;
}

// A library's function with one argument, which stores `handle` there if that is not 0.
static int32_t library(Bench *bench, const char *name, uint64_t argument, uint64_t handle)
{
    TrackCall call = {.args = {argument}, .arg_count = 1};
    bool is_made = track_library_enter(bench->tracker, &call, name);
    if (is_made && handle != 0) memcpy((void *)(uintptr_t)argument, &handle, sizeof handle);
    return track_library_leave(bench->tracker, &call, 0);
}

static uint64_t address(uint64_t *slot)
{
    return (uint64_t)(uintptr_t)slot;
}

static void handles_leak_and_are_released_twice(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0, b = 0;
    open_tracker(bench, NULL);
    int kept = __LINE__ + 1;
    library(bench, "cublasCreate", address(&a), 0x5000);
    library(bench, "cudnnCreateTensorDescriptor", address(&b), 0x6000);
    library(bench, "cudnnDestroyTensorDescriptor", b, 0);
    int again = __LINE__ + 1;
    library(bench, "cudnnDestroyTensorDescriptor", b, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge(&trial, "leak", kept, kept), VERDICT_CONFIRMED);
    assert_int_equal(judge(&trial, "double-free", 1, again), VERDICT_CONFIRMED);
    assert_int_equal(trial.story.misuses.len, 1);
}

static void a_handle_may_be_the_int_0(void **state)
{
    Bench *bench = *state;
    // What lies beside the int is no part of it.
    uint64_t plan = UINT64_C(0xabcd) << 32;
    open_tracker(bench, NULL);
    int kept = __LINE__ + 1;
    library(bench, "cufftCreate", address(&plan), 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.lives.len, 1);
    assert_int_equal(judge(&trial, "leak", kept, kept), VERDICT_CONFIRMED);
}

static void an_int_is_released_by_its_value(void **state)
{
    Bench *bench = *state;
    uint64_t plan = UINT64_C(0xabcd) << 32 | 3;
    open_tracker(bench, NULL);
    library(bench, "cufftCreate", address(&plan), 0);
    library(bench, "cufftDestroy", 3, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 0).kind, VERDICT_CLEAN);
}

static void what_is_made_to_fail_is_not_called(void **state)
{
    Bench *bench = *state;
    uint64_t a = 7;
    open_tracker(bench, "cublasCreate");
    TrackCall create = {.args = {address(&a)}, .arg_count = 1};
    assert_false(track_library_enter(bench->tracker, &create, "cublasCreate"));
    assert_int_equal(track_library_leave(bench->tracker, &create, 0),
                     3); // CUBLAS_STATUS_ALLOC_FAILED
    assert_int_equal(a, 7);
    // The runtime's last error is none of the library's business.
    assert_int_equal(call(bench, "cudaGetLastError", (uint64_t[4]){0}, 0, 0, 0), 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.injected.len, 1);
    assert_int_equal(trial.story.lives.len, 0);
    assert_int_equal(bench->device.undone, 0);
}

static void what_a_library_does_inside_a_release_is_that_release(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0;
    open_tracker(bench, NULL);
    TrackCall make = {.args = {address(&a), 64}, .arg_count = 2};
    assert_true(track_library_enter(bench->tracker, &make, "ncclMemAlloc"));
    acquire(bench, "cudaMalloc", &a, 0x10000);
    track_library_leave(bench->tracker, &make, 0);
    TrackCall end = {.args = {a}, .arg_count = 1};
    assert_true(track_library_enter(bench->tracker, &end, "ncclMemFree"));
    release(bench, "cudaFree", a, 0);
    track_library_leave(bench->tracker, &end, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 0).kind, VERDICT_CLEAN);
}

static void what_a_handle_needs_goes_with_it(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0, workspace = 0;
    open_tracker(bench, NULL);
    TrackCall make = {.args = {address(&a)}, .arg_count = 1};
    assert_true(track_library_enter(bench->tracker, &make, "cublasCreate"));
    acquire(bench, "cudaMalloc", &workspace, 0x10000);
    a = 0x5000;
    track_library_leave(bench->tracker, &make, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 1).kind, VERDICT_CLEAN);
}

static void what_outlives_its_handle_leaks(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0, workspace = 0;
    open_tracker(bench, NULL);
    TrackCall make = {.args = {address(&a)}, .arg_count = 1};
    assert_true(track_library_enter(bench->tracker, &make, "cublasCreate"));
    acquire(bench, "cudaMalloc", &workspace, 0x10000);
    a = 0x5000;
    track_library_leave(bench->tracker, &make, 0);
    library(bench, "cublasDestroy", a, 0);
    Trial trial = finish(bench);
    assert_int_equal(judge_clean(&trial, 1).kind, VERDICT_CLEAN);
    assert_string_equal(trial.story.lives.items[0].acquired->function, "cudaMalloc");
    assert_true(life_is_leak(&trial.story.lives.items[0]));
}

static void what_may_come_from_an_array_is_not_called_unknown(void **state)
{
    Bench *bench = *state;
    open_tracker(bench, NULL);
    library(bench, "ncclCommDestroy", 0x7000, 0); // ncclCommInitAll makes several at once
    int unknown = __LINE__ + 1;
    library(bench, "cublasDestroy", 0x8000, 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.misuses.len, 1);
    assert_int_equal(judge(&trial, "double-free", 1, unknown), VERDICT_CONFIRMED);
}

static void references_are_counted(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0;
    open_tracker(bench, NULL);
    call(bench, "cuMemCreate", (uint64_t[4]){address(&a), 4096}, 4, 0x9000, 0);
    call(bench, "cuMemRetainAllocationHandle", (uint64_t[4]){address(&a), 1}, 2, 0x9000, 0);
    release(bench, "cuMemRelease", a, 0);
    release(bench, "cuMemRelease", a, 0);
    int again = __LINE__ + 1;
    release(bench, "cuMemRelease", a, 1);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.misuses.len, 1);
    assert_int_equal(judge(&trial, "double-free", 1, again), VERDICT_CONFIRMED);
    assert_int_equal(trial.story.lives.items[0].fate, FATE_RELEASED);
    assert_int_equal(trial.story.lives.items[1].fate, FATE_RELEASED);
}

static void a_reference_that_is_kept_leaks(void **state)
{
    Bench *bench = *state;
    uint64_t a = 0;
    open_tracker(bench, NULL);
    call(bench, "cuMemCreate", (uint64_t[4]){address(&a), 4096}, 4, 0x9000, 0);
    call(bench, "cuMemRetainAllocationHandle", (uint64_t[4]){address(&a), 1}, 2, 0x9000, 0);
    release(bench, "cuMemRelease", a, 0);
    Trial trial = finish(bench);
    assert_int_equal(trial.story.misuses.len, 0);
    assert_int_equal(judge_clean(&trial, 1).kind, VERDICT_CLEAN);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, drop_bench)
    const struct CMUnitTest tests[] = {
        TEST(handles_leak_and_are_released_twice),
        TEST(a_handle_may_be_the_int_0),
        TEST(an_int_is_released_by_its_value),
        TEST(what_is_made_to_fail_is_not_called),
        TEST(what_a_library_does_inside_a_release_is_that_release),
        TEST(what_a_handle_needs_goes_with_it),
        TEST(what_outlives_its_handle_leaks),
        TEST(what_may_come_from_an_array_is_not_called_unknown),
        TEST(references_are_counted),
        TEST(a_reference_that_is_kept_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
