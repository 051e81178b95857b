// SPDX-License-Identifier: MIT
// Graphs and capture.
#include "core/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DEVICE_BYTES = 1 << 26 };

static int set_up(void **state)
{
    *state = sim_new(1, DEVICE_BYTES, 1);
    return 0;
}

static int tear_down(void **state)
{
    sim_delete(*state);
    return 0;
}

typedef struct {
    char *text;
    char letter;
} Letter;

static void append(void *data)
{
    const Letter *letter = data;
    letter->text[strlen(letter->text)] = letter->letter;
}

static SimWork *work_for(Letter *letter)
{
    SimWork *work = sim_work_new(SIM_WORK_HOST);
    work->host_function = append;
    work->host_data = letter;
    return work;
}

static void a_launch_keeps_the_edges(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimGraph *graph = sim_graph_new(sim, 0);
    SimNode *second = sim_graph_add(sim, graph, work_for(&b), NULL, 0);
    SimNode *first = sim_graph_add(sim, graph, work_for(&a), NULL, 0);
    assert_int_equal(sim_graph_add_edge(sim, graph, first->object.handle, second->object.handle),
                     SIM_OK);
    SimGraphExec *exec = sim_graph_instantiate(sim, graph);
    sim_object_delete(sim, graph); // the executable graph does not need it
    sim_graph_launch(sim, exec, stream);
    sim_graph_launch(sim, exec, stream);
    assert_string_equal(text, "");
    sim_wait_stream(sim, stream);
    assert_string_equal(text, "abab");
}

static void a_cycle_cannot_be_instantiated(void **state)
{
    Sim *sim = *state;
    SimGraph *graph = sim_graph_new(sim, 0);
    SimHandle a = sim_graph_add(sim, graph, NULL, NULL, 0)->object.handle;
    SimHandle b = sim_graph_add(sim, graph, NULL, &a, 1)->object.handle;
    assert_non_null(sim_graph_instantiate(sim, graph));
    assert_int_equal(sim_graph_add_edge(sim, graph, b, a), SIM_OK);
    assert_null(sim_graph_instantiate(sim, graph));
    assert_int_equal(sim_graph_add_edge(sim, graph, b, 77), SIM_INVALID_VALUE);
}

static void children_are_launched_in_their_place(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    Letter c = {text, 'c'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimGraph *child = sim_graph_new(sim, 0);
    SimGraph *graph = sim_graph_new(sim, 0);
    SimHandle last = sim_graph_add(sim, child, work_for(&c), NULL, 0)->object.handle;
    SimHandle first = sim_graph_add(sim, child, work_for(&b), NULL, 0)->object.handle;
    assert_int_equal(sim_graph_add_edge(sim, child, first, last), SIM_OK);
    SimHandle before = sim_graph_add(sim, graph, work_for(&a), NULL, 0)->object.handle;
    assert_non_null(sim_graph_add_child(sim, graph, child, &before, 1));
    sim_object_delete(sim, child); // the node has a copy
    SimGraph *clone = sim_graph_clone(sim, graph);
    sim_object_delete(sim, graph);
    sim_graph_launch(sim, sim_graph_instantiate(sim, clone), stream);
    sim_wait_stream(sim, stream);
    assert_string_equal(text, "abc");
}

static void a_capture_makes_nodes(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimHandle handle = 0;
    assert_int_equal(sim_capture_begin(sim, stream, false), SIM_OK);
    sim_work_queue(sim, stream, work_for(&a));
    sim_work_queue(sim, stream, work_for(&b));
    assert_int_equal(sim->pending_count, 0);
    assert_int_equal(sim_capture_end(sim, stream, &handle), SIM_OK);
    const SimGraph *graph = sim_object_find(sim, handle, SIM_GRAPH);
    assert_int_equal(graph->node_count, 2);
    sim_graph_launch(sim, sim_graph_instantiate(sim, graph), stream);
    sim_wait_stream(sim, stream);
    assert_string_equal(text, "ab");
    assert_int_equal(sim_capture_end(sim, stream, &handle), SIM_ILLEGAL_STATE);
}

// Another stream joins a capture by waiting for an event of it, and has to be joined back.
static void captures_spread_by_events(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    SimStream *origin = sim_stream_new(sim, 0, true);
    SimStream *other = sim_stream_new(sim, 0, true);
    SimEvent *fork_event = sim_event_new(sim, 0, 0);
    SimEvent *join_event = sim_event_new(sim, 0, 0);
    for (int joins = 0; joins < 2; joins++) {
        SimHandle handle = 0;
        assert_int_equal(sim_capture_begin(sim, origin, false), SIM_OK);
        assert_int_equal(sim_event_record(sim, fork_event, origin), SIM_OK);
        assert_int_equal(sim_stream_wait_event(sim, other, fork_event), SIM_OK);
        sim_work_queue(sim, other, work_for(&a));
        assert_int_equal(sim_event_record(sim, join_event, other), SIM_OK);
        if (joins) assert_int_equal(sim_stream_wait_event(sim, origin, join_event), SIM_OK);
        assert_int_equal(sim_capture_end(sim, origin, &handle),
                         joins ? SIM_OK : SIM_CAPTURE_UNJOINED);
        assert_int_equal(handle != 0, joins);
        assert_int_equal(other->capture, 0);
    }
}

static void an_executable_graph_is_updated(void **state)
{
    Sim *sim = *state;
    char text[8] = "";
    Letter a = {text, 'a'};
    Letter b = {text, 'b'};
    SimStream *stream = sim_stream_new(sim, 0, true);
    SimGraph *old = sim_graph_new(sim, 0);
    SimGraph *fresh = sim_graph_new(sim, 0);
    sim_graph_add(sim, old, work_for(&a), NULL, 0);
    sim_graph_add(sim, fresh, work_for(&b), NULL, 0);
    SimGraphExec *exec = sim_graph_instantiate(sim, old);
    assert_true(sim_graph_update(sim, exec, fresh));
    sim_graph_launch(sim, exec, stream);
    sim_wait_stream(sim, stream);
    assert_string_equal(text, "b");
    sim_graph_add(sim, fresh, work_for(&a), NULL, 0);
    assert_false(sim_graph_update(sim, exec, fresh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_launch_keeps_the_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cycle_cannot_be_instantiated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(children_are_launched_in_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_capture_makes_nodes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(captures_spread_by_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_executable_graph_is_updated, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("sim graph", tests, NULL, NULL);
}
