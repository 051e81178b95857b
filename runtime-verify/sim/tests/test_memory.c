// SPDX-License-Identifier: MIT
// Memory of the simulator's core: addresses, contents, reuse, limits.
#include "core/sim.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { MIB = 1 << 20 };

static int set_up(void **state)
{
    *state = sim_new(2, 64 * MIB, 1);
    return 0;
}

static int tear_down(void **state)
{
    sim_delete(*state);
    return 0;
}

static SimBlock *allocate(Sim *sim, SimSpace space, size_t size)
{
    SimBlock *block = NULL;
    assert_int_equal(sim_memory_new(sim, space, size, 0, &block), SIM_OK);
    return block;
}

static void finds_what_lies_in_a_block(void **state)
{
    Sim *sim = *state;
    SimBlock *a = allocate(sim, SIM_DEVICE, 100);
    SimBlock *b = allocate(sim, SIM_DEVICE, 5000);
    SimBlock *c = allocate(sim, SIM_PINNED, 1);
    assert_ptr_equal(sim_memory_find(sim, a->address), a);
    assert_ptr_equal(sim_memory_find(sim, a->address + 99), a);
    assert_null(sim_memory_find(sim, a->address + 100));
    assert_ptr_equal(sim_memory_find(sim, b->address + 4999), b);
    assert_null(sim_memory_find(sim, b->address - 1));
    assert_ptr_equal(sim_memory_find(sim, c->address), c);
    assert_null(sim_memory_find(sim, 0));
    sim_memory_release(sim, a);
    assert_null(sim_memory_find(sim, b->address - 600));
    assert_ptr_equal(sim_memory_find(sim, b->address), b);
}

static void tells_host_from_device(void **state)
{
    Sim *sim = *state;
    assert_true(sim_memory_is_device_address(sim, allocate(sim, SIM_DEVICE, 8)->address));
    assert_false(sim_memory_is_device_address(sim, allocate(sim, SIM_MANAGED, 8)->address));
    assert_false(sim_memory_is_device_address(sim, (uintptr_t)&sim));
}

// What ends a process that reads the byte; 0: nothing.
static int signal_of_reading(uintptr_t address)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        (void)*(const volatile char *)address;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void faults_on_the_host(void **state)
{
    Sim *sim = *state;
    assert_int_equal(signal_of_reading(allocate(sim, SIM_DEVICE, 64)->address), SIGSEGV);
}

static void memory_of_the_host_is_its_own_only(void **state)
{
    Sim *sim = *state;
    SimBlock *block = allocate(sim, SIM_PINNED, 64);
    uintptr_t address = block->address;
    assert_int_equal(signal_of_reading(address), 0);
    assert_int_equal(signal_of_reading(address - 1), SIGSEGV);
    sim_memory_release(sim, block);
    assert_int_equal(signal_of_reading(address), SIGSEGV);
}

static void hands_addresses_out_again(void **state)
{
    Sim *sim = *state;
    SimBlock *a = allocate(sim, SIM_DEVICE, 1000);
    uintptr_t address = a->address;
    sim_memory_release(sim, a);
    assert_int_not_equal(allocate(sim, SIM_DEVICE, 3000)->address, address);
    assert_int_equal(allocate(sim, SIM_DEVICE, 900)->address, address);
}

static void runs_out_of_memory(void **state)
{
    Sim *sim = *state;
    SimBlock *block = NULL;
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 65 * MIB, 0, &block), SIM_OUT_OF_MEMORY);
    assert_null(block);
    SimBlock *most = allocate(sim, SIM_DEVICE, 63 * MIB);
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 2 * MIB, 0, &block), SIM_OUT_OF_MEMORY);
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 2 * MIB, 1, &block), SIM_OK);
    assert_int_equal(sim_memory_new(sim, SIM_PINNED, (size_t)1 << 60, 0, &block),
                     SIM_OUT_OF_MEMORY);
    assert_int_equal(sim_memory_new(sim, SIM_MANAGED, (size_t)1 << 60, 0, &block),
                     SIM_OUT_OF_MEMORY);
    sim_memory_release(sim, most);
    allocate(sim, SIM_DEVICE, 60 * MIB);
    assert_true(sim->used_bytes[0] < 61 * (uint64_t)MIB);
}

static void registers_memory_once(void **state)
{
    Sim *sim = *state;
    static char memory[4096];
    uintptr_t at = (uintptr_t)memory;
    SimBlock *block = NULL;
    SimBlock *other = NULL;
    assert_int_equal(sim_memory_register(sim, at + 1024, 1024, SIM_REGISTERED, &block), SIM_OK);
    assert_int_equal(sim_memory_register(sim, at, 1025, SIM_REGISTERED, &other),
                     SIM_ALREADY_REGISTERED);
    assert_int_equal(sim_memory_register(sim, at + 2047, 10, SIM_REGISTERED, &other),
                     SIM_ALREADY_REGISTERED);
    assert_int_equal(sim_memory_register(sim, at, 1024, SIM_REGISTERED, &other), SIM_OK);
    assert_int_equal(sim_memory_register(sim, at + 2048, 1, SIM_REGISTERED, &other), SIM_OK);
    assert_ptr_equal(sim_memory_find(sim, at + 1500), block);
}

static void a_reset_takes_one_device(void **state)
{
    Sim *sim = *state;
    SimBlock *other = NULL;
    uintptr_t address = allocate(sim, SIM_DEVICE, 100)->address;
    assert_int_equal(sim_memory_new(sim, SIM_DEVICE, 100, 1, &other), SIM_OK);
    sim_memory_release_all(sim, 0);
    assert_null(sim_memory_find(sim, address));
    assert_ptr_equal(sim_memory_find(sim, other->address), other);
}

static void handles_are_never_given_twice(void **state)
{
    Sim *sim = *state;
    SimEvent *event = sim_event_new(sim, 0, 0);
    SimHandle handle = event->object.handle;
    assert_ptr_equal(sim_object_find(sim, handle, SIM_EVENT), event);
    assert_null(sim_object_find(sim, handle, SIM_STREAM));
    sim_object_delete(sim, event);
    assert_null(sim_object_find(sim, handle, SIM_EVENT));
    assert_int_not_equal(sim_event_new(sim, 0, 0)->object.handle, handle);
}

// What is freed on a stream is the next allocation's on that stream, contents and all; another
// stream gets it only when the work before the free is done.
static void a_pool_reuses_in_stream_order(void **state)
{
    Sim *sim = *state;
    SimPool *pool = sim_pool_new(sim, 0);
    SimStream *one = sim_stream_new(sim, 0, false);
    SimStream *two = sim_stream_new(sim, 0, false);
    SimBlock *a = NULL;
    SimBlock *b = NULL;
    assert_int_equal(sim_pool_allocate(sim, pool, 4096, one, &a), SIM_OK);
    uintptr_t address = a->address;
    *sim_block_at(a, address) = 42;
    sim_work_queue(sim, one, sim_work_new(SIM_WORK_MARK));
    sim_pool_free(sim, a, one);
    assert_null(sim_memory_find(sim, address));
    assert_int_equal(sim_pool_allocate(sim, pool, 4096, two, &b), SIM_OK);
    assert_int_not_equal(b->address, address);
    assert_int_equal(sim_pool_allocate(sim, pool, 4096, one, &a), SIM_OK);
    assert_int_equal(a->address, address);
    assert_int_equal(*sim_block_at(a, address), 42);
    sim_pool_free(sim, a, one);
    sim_wait_stream(sim, one);
    assert_int_equal(sim_pool_allocate(sim, pool, 4096, two, &b), SIM_OK);
    assert_int_equal(b->address, address);
}

static void a_destroyed_pool_lives_as_long_as_its_memory(void **state)
{
    Sim *sim = *state;
    SimPool *pool = sim_pool_new(sim, 0);
    SimStream *stream = sim_stream_new(sim, 0, false);
    SimHandle handle = pool->object.handle;
    SimBlock *block = NULL;
    assert_int_equal(sim_pool_allocate(sim, pool, 100, stream, &block), SIM_OK);
    sim_pool_delete(sim, pool);
    assert_non_null(sim_object_find(sim, handle, SIM_MEMPOOL));
    sim_pool_free(sim, block, stream);
    assert_null(sim_object_find(sim, handle, SIM_MEMPOOL));
    assert_int_equal(sim->used_bytes[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_what_lies_in_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_host_from_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_on_the_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_of_the_host_is_its_own_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hands_addresses_out_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_out_of_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(registers_memory_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reset_takes_one_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(handles_are_never_given_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pool_reuses_in_stream_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_destroyed_pool_lives_as_long_as_its_memory, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests_name("sim memory", tests, NULL, NULL);
}
