// SPDX-License-Identifier: MIT
// Work in flight: what is done by which wait, and what is not.
#include "core/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DEVICE_BYTES = 1 << 26 };

static int set_up(void **state)
{
    *state = sim_new(2, DEVICE_BYTES, 1);
    return 0;
}

static int tear_down(void **state)
{
    sim_delete(*state);
    return 0;
}

// Work that appends its letter.
typedef struct {
    char *text;
    char letter;
} Letter;

static void append(void *data)
{
    const Letter *letter = data;
    size_t length = strlen(letter->text);
    letter->text[length] = letter->letter;
}

static uint64_t queue(Sim *sim, SimStream *stream, Letter *letter)
{
    SimWork *work = sim_work_new(SIM_WORK_HOST);
    work->host_function = append;
    work->host_data = letter;
    sim_work_queue(sim, stream, work);
    return stream->last;
}

static void nothing_happens_before_a_wait(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    uint64_t first = queue(sim, stream, &a);
    queue(sim, stream, &b);
    assert_string_equal(text, "");
    assert_true(sim_stream_is_busy(sim, stream));
    sim_wait_work(sim, first);
    assert_string_equal(text, "a");
    sim_wait_stream(sim, stream);
    assert_string_equal(text, "ab");
    assert_false(sim_stream_is_busy(sim, stream));
}

static void streams_are_independent(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    SimStream *one = sim_stream_new(sim, 0, true);
    SimStream *two = sim_stream_new(sim, 0, true);
    queue(sim, one, &a);
    queue(sim, two, &b);
    sim_wait_stream(sim, two);
    assert_string_equal(text, "b");
}

static void the_legacy_stream_is_ordered_with_blocking_streams(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    Letter c = {text, 'c'};
    Letter d = {text, 'd'};
    SimStream *blocking = sim_stream_new(sim, 0, true);
    SimStream *other = sim_stream_new(sim, 0, true);
    SimStream *free_running = sim_stream_new(sim, 0, false);
    queue(sim, free_running, &d);
    queue(sim, blocking, &a);
    queue(sim, sim->legacy[0], &b);
    queue(sim, other, &c);
    sim_wait_stream(sim, other);
    assert_string_equal(text, "abc");
    assert_true(sim_stream_is_busy(sim, free_running));
    sim_wait_stream(sim, sim->legacy[0]);
    assert_true(sim_stream_is_busy(sim, free_running));
}

static void waiting_for_the_legacy_stream_waits_for_blocking_ones(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    queue(sim, sim_stream_new(sim, 0, true), &a);
    sim_wait_stream(sim, sim->legacy[0]);
    assert_string_equal(text, "a");
}

static void a_device_wait_is_for_one_device(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    queue(sim, sim_stream_new(sim, 0, false), &a);
    queue(sim, sim_stream_new(sim, 1, false), &b);
    sim_wait_device(sim, 1);
    assert_string_equal(text, "b");
    sim_wait_device(sim, 0);
    assert_string_equal(text, "ba");
}

static void events_order_streams(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    Letter c = {text, 'c'};
    SimStream *one = sim_stream_new(sim, 0, false);
    SimStream *two = sim_stream_new(sim, 0, false);
    SimEvent *event = sim_event_new(sim, 0, 0);
    queue(sim, one, &a);
    assert_int_equal(sim_event_record(sim, event, one), SIM_OK);
    queue(sim, one, &c);
    assert_int_equal(sim_stream_wait_event(sim, two, event), SIM_OK);
    queue(sim, two, &b);
    sim_wait_stream(sim, two);
    assert_string_equal(text, "ab");
}

static void an_event_never_recorded_is_done(void **state)
{
    Sim *sim = *state;
    SimEvent *event = sim_event_new(sim, 0, 0);
    assert_int_equal(sim_event_query(sim, event), SIM_OK);
    float ms = -1;
    assert_int_equal(sim_event_elapsed(sim, event, event, &ms), SIM_INVALID_HANDLE);
}

static void elapsed_time_wants_finished_work(void **state)
{
    Sim *sim = *state;
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimEvent *start = sim_event_new(sim, 0, 0);
    SimEvent *stop = sim_event_new(sim, 0, 0);
    float ms = -1;
    assert_int_equal(sim_event_record(sim, start, stream), SIM_OK);
    assert_int_equal(sim_event_record(sim, stop, stream), SIM_OK);
    assert_int_equal(sim_event_elapsed(sim, start, stop, &ms), SIM_NOT_READY);
    sim_wait_stream(sim, stream);
    assert_int_equal(sim_event_elapsed(sim, start, stop, &ms), SIM_OK);
    assert_true(ms >= 0);
}

static void a_query_finds_work_unfinished_and_then_done(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    queue(sim, stream, &a);
    assert_int_equal(sim_stream_query(sim, stream), SIM_NOT_READY);
    assert_string_equal(text, "");
    assert_int_equal(sim_stream_query(sim, stream), SIM_OK);
    assert_string_equal(text, "a");
}

static void a_destroyed_stream_s_work_goes_on(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    queue(sim, stream, &a);
    sim_object_delete(sim, stream);
    assert_string_equal(text, "");
    sim_wait_device(sim, 0);
    assert_string_equal(text, "a");
}

static SimWork *kernel_on(SimBlock *block)
{
    SimWork *work = sim_work_new(SIM_WORK_KERNEL);
    work->uses = sim_allocate(sizeof(SimBlock *));
    work->uses[0] = block;
    work->use_count = 1;
    return work;
}

static void a_kernel_dies_of_memory_that_went_away(void **state)
{
    Sim *sim = *state;
    SimPool *pool = sim_pool_new(sim, 0);
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimBlock *block = NULL;
    assert_int_equal(sim_pool_allocate(sim, pool, 64, stream, &block), SIM_OK);
    sim_work_queue(sim, stream, kernel_on(block));
    block->is_unmapped = true;
    sim_pool_free(sim, block, NULL);
    assert_int_equal(sim->fault, SIM_OK);
    sim_wait_stream(sim, stream);
    assert_int_equal(sim->fault, SIM_ILLEGAL_ADDRESS);
}

static void copies_run_when_waited_for(void **state)
{
    Sim *sim = *state;
    SimStream *stream = sim_stream_new(sim, 0, false);
    SimBlock *device = NULL;
    SimBlock *pinned = NULL;
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 64, 0, &device), SIM_OK);
    assert_int_equal(sim_memory_new(sim, SIM_PINNED, 64, 0, &pinned), SIM_OK);
    char *host = (char *)pinned->address;
    SimWork *set = sim_work_new(SIM_WORK_SET);
    set->to = sim_region_at(sim, device->address, 64, 1);
    set->extent = (SimExtent){64, 1, 1};
    set->value = 7;
    set->value_size = 1;
    assert_int_equal(sim_set(sim, stream, set, SIM_COPY_ASYNC), SIM_OK);
    SimWork *copy = sim_work_new(SIM_WORK_COPY);
    copy->to = sim_region_at(sim, pinned->address, 64, 1);
    copy->from = sim_region_at(sim, device->address, 64, 1);
    copy->extent = (SimExtent){64, 1, 1};
    assert_int_equal(sim_copy(sim, stream, copy, SIM_DEVICE_TO_HOST, SIM_COPY_ASYNC), SIM_OK);
    assert_int_equal(host[63], 0);
    sim_wait_stream(sim, stream);
    assert_int_equal(host[63], 7);
}

static SimError copy_bytes(Sim *sim, uintptr_t to, uintptr_t from, size_t size,
                           SimDirection direction)
{
    SimWork *copy = sim_work_new(SIM_WORK_COPY);
    copy->to = sim_region_at(sim, to, size, 1);
    copy->from = sim_region_at(sim, from, size, 1);
    copy->extent = (SimExtent){size, 1, 1};
    return sim_copy(sim, sim->legacy[0], copy, direction, SIM_COPY_SYNC);
}

static void copies_check_their_ends(void **state)
{
    Sim *sim = *state;
    SimBlock *device = NULL;
    char host[1024] = "";
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 512, 0, &device), SIM_OK);
    uintptr_t d = device->address;
    uintptr_t h = (uintptr_t)host;
    assert_int_equal(copy_bytes(sim, d, h, 512, SIM_HOST_TO_DEVICE), SIM_OK);
    assert_int_equal(copy_bytes(sim, d, h, 513, SIM_HOST_TO_DEVICE), SIM_INVALID_VALUE);
    assert_int_equal(copy_bytes(sim, d + 500, h, 13, SIM_HOST_TO_DEVICE), SIM_INVALID_VALUE);
    assert_int_equal(copy_bytes(sim, h, d, 4, SIM_HOST_TO_DEVICE), SIM_INVALID_VALUE);
    assert_int_equal(copy_bytes(sim, h, h + 512, 4, SIM_DEVICE_TO_HOST), SIM_INVALID_VALUE);
    assert_int_equal(copy_bytes(sim, h, d, 4, SIM_DIRECTION_OF_POINTERS), SIM_OK);
    assert_int_equal(copy_bytes(sim, 0, d, 4, SIM_DEVICE_TO_HOST), SIM_INVALID_VALUE);
    assert_int_equal(copy_bytes(sim, 0, 0, 0, SIM_DEVICE_TO_HOST), SIM_OK);
    sim_memory_release(sim, device);
    assert_int_equal(copy_bytes(sim, h, d, 4, SIM_DIRECTION_OF_POINTERS), SIM_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_happens_before_a_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(streams_are_independent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_legacy_stream_is_ordered_with_blocking_streams, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(waiting_for_the_legacy_stream_waits_for_blocking_ones,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_wait_is_for_one_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(events_order_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_event_never_recorded_is_done, set_up, tear_down),
        cmocka_unit_test_setup_teardown(elapsed_time_wants_finished_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_query_finds_work_unfinished_and_then_done, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_destroyed_stream_s_work_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kernel_dies_of_memory_that_went_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_run_when_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_check_their_ends, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("sim work", tests, NULL, NULL);
}
