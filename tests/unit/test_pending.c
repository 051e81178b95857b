// SPDX-License-Identifier: MIT
// The algebra of pending work: what covers what.
#include "engine/pending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const Handle legacy = {0, HANDLE_LEGACY}, own = {2, HANDLE_OWN};
static const Handle blocking = {10, HANDLE_CREATED | HANDLE_BLOCKING},
                    other_blocking = {11, HANDLE_CREATED | HANDLE_BLOCKING},
                    nonblocking = {12, HANDLE_CREATED | HANDLE_NONBLOCKING},
                    other_nonblocking = {13, HANDLE_CREATED | HANDLE_NONBLOCKING};
static const Handle parameter = {20, HANDLE_ENTRY}, unknown = {21, 0};
static const Handle event = {30, HANDLE_EVENT | HANDLE_CREATED},
                    other_event = {31, HANDLE_EVENT | HANDLE_CREATED},
                    unknown_event = {32, HANDLE_EVENT};

static const Work kernel = {.kind = WORK_KERNEL, .access = WORK_WRITES, .point = 1};

static Pending with_work_on(Handle stream)
{
    Pending pending = {0};
    pending_add(&pending, kernel, stream);
    return pending;
}

// What is left of work on `stream` when the host has waited for `waited`.
static uint32_t left_after_sync(Handle stream, Handle waited)
{
    Pending pending = with_work_on(stream);
    pending_sync(&pending, waited);
    return pending.count;
}

static void a_stream_covers_its_own_work(void **state)
{
    (void)state;
    assert_int_equal(left_after_sync(blocking, blocking), 0);
    assert_int_equal(left_after_sync(nonblocking, nonblocking), 0);
    assert_int_equal(left_after_sync(legacy, legacy), 0);
    assert_int_equal(left_after_sync(own, own), 0);
    assert_int_equal(left_after_sync(parameter, parameter), 0);
}

static void other_streams_cover_nothing(void **state)
{
    (void)state;
    assert_int_equal(left_after_sync(blocking, other_blocking), 1);
    assert_int_equal(left_after_sync(blocking, nonblocking), 1);
    assert_int_equal(left_after_sync(legacy, blocking), 1);
    assert_int_equal(left_after_sync(parameter, blocking), 1);
    assert_int_equal(left_after_sync(legacy, own), 1);
}

static void streams_that_may_be_the_same_cover(void **state)
{
    (void)state;
    assert_int_equal(left_after_sync(parameter, unknown), 0);
    assert_int_equal(left_after_sync(unknown, blocking), 0);
    assert_int_equal(left_after_sync(parameter, legacy), 0);
    assert_int_equal(left_after_sync(legacy, parameter), 0);
}

static void the_legacy_stream_waits_for_blocking_streams_only(void **state)
{
    (void)state;
    assert_int_equal(left_after_sync(blocking, legacy), 0);
    assert_int_equal(left_after_sync(own, legacy), 0);
    assert_int_equal(left_after_sync(nonblocking, legacy), 1);
}

static void later_work_of_a_blocking_stream_comes_after_the_legacy_stream(void **state)
{
    (void)state;
    Pending pending = with_work_on(legacy);
    pending_enqueue(&pending, nonblocking);
    pending_sync(&pending, nonblocking);
    assert_int_equal(pending.count, 1);
    pending_enqueue(&pending, blocking);
    pending_sync(&pending, blocking);
    assert_int_equal(pending.count, 0);
}

static void an_event_stands_for_what_was_queued_before_it(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    pending_sync(&pending, event);
    assert_int_equal(pending.count, 1);
    pending_record(&pending, event, other_blocking);
    pending_sync(&pending, event);
    assert_int_equal(pending.count, 1);
    pending_record(&pending, event, blocking);
    pending_sync(&pending, other_event);
    assert_int_equal(pending.count, 1);
    pending_sync(&pending, event);
    assert_int_equal(pending.count, 0);
}

static void a_record_overwrites_the_one_before(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    pending_record(&pending, event, blocking);
    pending_record(&pending, event, other_blocking);
    pending_sync(&pending, event);
    assert_int_equal(pending.count, 1);
}

static void an_event_not_known_may_be_any(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    pending_sync(&pending, unknown_event);
    assert_int_equal(pending.count, 1); // none was recorded since
    pending_record(&pending, event, blocking);
    pending_sync(&pending, unknown_event);
    assert_int_equal(pending.count, 0);
}

static void a_wait_carries_order_to_another_stream(void **state)
{
    (void)state;
    Pending pending = with_work_on(nonblocking);
    pending_wait(&pending, other_nonblocking, event);
    assert_non_null(pending_unordered(&pending, other_nonblocking, ~0U, WORK_UNSURE));
    pending_record(&pending, event, nonblocking);
    pending_wait(&pending, other_nonblocking, event);
    assert_null(pending_unordered(&pending, other_nonblocking, ~0U, WORK_UNSURE));
    pending_sync(&pending, other_nonblocking);
    assert_int_equal(pending.count, 0);
}

static void order_between_streams_must_be_out_of_the_question(void **state)
{
    (void)state;
    Pending pending = with_work_on(nonblocking);
    assert_non_null(pending_unordered(&pending, legacy, ~0U, WORK_UNSURE));
    assert_non_null(pending_unordered(&pending, parameter, ~0U, WORK_UNSURE));
    assert_null(pending_unordered(&pending, unknown, ~0U, WORK_UNSURE));
    assert_null(pending_unordered(&pending, legacy, ~0U, WORK_READS));
    assert_null(pending_unordered(&pending, legacy, 1U << WORK_COPY, WORK_UNSURE));
    pending = with_work_on(blocking);
    assert_null(pending_unordered(&pending, legacy, ~0U, WORK_UNSURE));
    assert_non_null(pending_unordered(&pending, other_blocking, ~0U, WORK_UNSURE));
}

static void work_of_one_instruction_is_one(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    pending_add(&pending, kernel, other_blocking);
    assert_int_equal(pending.count, 1);
    assert_int_equal(pending.works[0].covers[0].value, other_blocking.value);
}

static void work_by_another_pointer_is_another(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    Work other = kernel;
    for (other.slot = 1; other.slot < PENDING_MAX_WORKS; other.slot++)
        pending_add(&pending, other, blocking);
    assert_int_equal(pending.count, PENDING_MAX_WORKS);
    pending_add(&pending, other, blocking); // in the place of the first
    assert_int_equal(pending.count, PENDING_MAX_WORKS);
    assert_int_equal(pending.works[0].slot, 1);
}

static void more_than_there_is_room_for_is_nothing_certain(void **state)
{
    (void)state;
    Pending pending = {0};
    for (uint32_t i = 0; i < PENDING_MAX_WORKS; i++)
        pending_add(&pending, (Work){.point = i, .access = WORK_READS}, blocking);
    assert_int_equal(pending.count, PENDING_MAX_WORKS);
    pending_add(&pending, (Work){.point = 99, .access = WORK_READS}, blocking);
    assert_int_equal(pending.count, 0);
    pending = with_work_on(blocking);
    for (uint32_t i = 1; i < WORK_MAX_COVERS; i++)
        pending_record(&pending, (Handle){100 + i, HANDLE_EVENT | HANDLE_CREATED}, blocking);
    assert_int_equal(pending.count, 1);
    pending_record(&pending, event, blocking);
    assert_int_equal(pending.count, 0);
}

static void a_handle_can_be_renamed(void **state)
{
    (void)state;
    Pending pending = with_work_on(blocking);
    pending_rename(&pending, blocking.value, 40);
    pending_sync(&pending, blocking);
    assert_int_equal(pending.count, 1);
    pending_sync(&pending, (Handle){40, HANDLE_CREATED});
    assert_int_equal(pending.count, 0);
}

static void equal_sets_have_one_number(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    PendingTable table;
    pending_table_init(&table, arena);
    Pending none = {0}, a = with_work_on(blocking), b = with_work_on(legacy);
    assert_int_equal(pending_id(&table, &none), PENDING_NONE);
    uint32_t first = pending_id(&table, &a);
    assert_int_not_equal(first, PENDING_NONE);
    assert_int_not_equal(pending_id(&table, &b), first);
    Pending again = with_work_on(blocking);
    assert_int_equal(pending_id(&table, &again), first);
    assert_int_equal(pending_at(&table, first)->works[0].covers[0].value, blocking.value);
    again.works[0].slot = 2; // it was given the memory by another pointer
    assert_int_not_equal(pending_id(&table, &again), first);
    arena_free(arena);
}

static void what_happens_out_of_sight_may_order_anything(void **state)
{
    (void)state;
    Pending pending = with_work_on(nonblocking);
    pending_order_unknown(&pending);
    assert_int_equal(pending.count, 1);
    assert_null(pending_unordered(&pending, other_nonblocking, ~0U, WORK_UNSURE));
    pending_record(&pending, unknown_event, other_blocking);
    pending_sync(&pending, event);
    assert_int_equal(pending.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_covers_its_own_work),
        cmocka_unit_test(other_streams_cover_nothing),
        cmocka_unit_test(streams_that_may_be_the_same_cover),
        cmocka_unit_test(the_legacy_stream_waits_for_blocking_streams_only),
        cmocka_unit_test(later_work_of_a_blocking_stream_comes_after_the_legacy_stream),
        cmocka_unit_test(an_event_stands_for_what_was_queued_before_it),
        cmocka_unit_test(a_record_overwrites_the_one_before),
        cmocka_unit_test(an_event_not_known_may_be_any),
        cmocka_unit_test(a_wait_carries_order_to_another_stream),
        cmocka_unit_test(order_between_streams_must_be_out_of_the_question),
        cmocka_unit_test(work_of_one_instruction_is_one),
        cmocka_unit_test(work_by_another_pointer_is_another),
        cmocka_unit_test(more_than_there_is_room_for_is_nothing_certain),
        cmocka_unit_test(a_handle_can_be_renamed),
        cmocka_unit_test(equal_sets_have_one_number),
        cmocka_unit_test(what_happens_out_of_sight_may_order_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
