// SPDX-License-Identifier: MIT
// What GPU work means for the tracked resource: queued by launches and calls, waited for by others
// (work.c; of other calls work_wait.c), and what must not happen meanwhile (work_hazard.c). Private
// to engine/.
#ifndef CUDALINT_ENGINE_WORK_H
#define CUDALINT_ENGINE_WORK_H

#include "engine/search.h"

// ---- work.c ----
// Notes which instructions queue work and make handles; called once for each function.
void engine_find_work(EngineFn *ef);
// Work that uses the tracked resource is followed in this state.
bool engine_watches_work(const EngineFn *ef, const State *state);
// The stream with that value; IR_NONE: any.
Handle engine_stream_of_value(EngineFn *ef, SymId value);
// The stream that the call names.
Handle engine_stream_of(EngineFn *ef, State *state, const CallSite *site);
// Work in flight in this state: none that was refused, as the status of its call tells.
Pending engine_pending(EngineFn *ef, const State *state);
// The call says by its result whether it queued the work.
void engine_tie_to_status(EngineFn *ef, State *state, CallSite *site, Work *work);
// The same where `queued` is not zero if it did.
void engine_tie_to_value(EngineFn *ef, Work *work, SymId queued);
// A callee orders streams by means of events, not known which.
void engine_order_unknown(EngineFn *ef, State *state);
// A call that the model describes, after its effects.
void engine_work_call(EngineFn *ef, State *state, CallSite *site);
// Work that uses the resource, or none of it, is queued on the stream.
void engine_queue_work(EngineFn *ef, State *state, Work work, Handle stream, const char *by);
// The stream that the constant names which is no handle.
Handle engine_default_stream(EngineFn *ef, int64_t constant);
// The resource is a stream, an event, a library's handle: it may go while work that was given it is
// in flight.
bool engine_is_mere_handle(const EngineFn *ef);

// How the value relates to what is tracked: a resource, or a variable's own memory.
ResourceRelation engine_work_relation(const EngineFn *ef, SymId value);

// ---- call.c ----
// The call's result: where no effect decided it, a value that is made now.
SymId engine_call_result(EngineFn *ef, State *state, CallSite *site);

// ---- block_size.c ----
// `bytes` is as much as `all`, or more, whatever the values in both are.
bool engine_is_at_least(const Values *values, SymId bytes, SymId all);
// The least that it is, if it is not 0.
int64_t engine_least_bytes(const Values *values, SymId bytes);

// ---- work_extent.c ----
// The argument is a variable's value, not computed from it: it stands for all of the memory.
bool engine_names_place(const EngineFn *ef, IrExprId arg);
// The argument names an element of an array, or its address, by an index that is not known: notes that.
void engine_note_element(EngineFn *ef, State *state, IrExprId arg, Work *work);
// The variable is given what may be the resource, from an element of an array: so it is called by that.
void engine_note_taken(EngineFn *ef, State *state, LocId variable, IrExprId from);
// Likewise of a place: through which element it leads to what is tracked.
void engine_note_way(EngineFn *ef, State *state, IrPlaceId place, Work *work);
// Both are given the same element, as far as they are given some element of many.
bool engine_same_element(const Work *a, const Work *b);
// The elements that both are given are told apart for certain.
bool engine_knows_element(EngineFn *ef, const Work *a, const Work *b);
// Or the elements come round in a loop that never waits: some round meets what an earlier one left.
bool engine_meets_element(EngineFn *ef, const Work *a, const Work *b);
// What the work of the call does with the resource.
Work engine_work_of(EngineFn *ef, State *state, const CallSite *site);
// The tracked memory is that of a container of the library: it lies elsewhere.
bool engine_is_container(const EngineFn *ef);
// As many bytes from the start of the tracked memory on as work must use so that it certainly uses
// the location, or what the value points to; INT64_MAX: all, it is not known where that is.
int64_t engine_bytes_to(const EngineFn *ef, LocId loc);
int64_t engine_bytes_to_pointee(const EngineFn *ef, SymId value);
bool engine_certainly_uses(const Work *work, int64_t bytes);

// ---- work_graph.c ----
// Work that uses the resource is recorded for a graph, not queued.
void engine_record_work(EngineFn *ef, State *state, Work work);
// A call that the model describes: a capture ends with a graph, an executable graph is made of one,
// or a graph is launched.
void engine_graph_call(EngineFn *ef, State *state, CallSite *site);
// What the graphs are that the call is given is not known after it.
void engine_forget_graphs(EngineFn *ef, State *state, const CallSite *site);

// ---- work_container.c ----
// The container among whose elements the location is, or IR_NONE.
LocId engine_container_of(const EngineFn *ef, LocId loc);
// The memory that the address lies in: a container's, a local variable's, or IR_NONE.
LocId engine_buffer_of(const EngineFn *ef, SymId value);
// The place stands for where a container's elements lie, which no code names: the container, or
// IR_NONE.
LocId engine_container_at(EngineFn *ef, LocId place);
// In a search for facts: work uses the elements of a container that is the caller's.
void engine_note_container(EngineFn *ef, LocId container);
// What the path leads to at the call: a value, or the address of a container's elements.
SymId engine_work_value(EngineFn *ef, State *state, const CallSite *site, const SummaryPath *path);
// A method of a container, before its effects: its elements may have to move, or live on elsewhere.
void engine_work_refit(EngineFn *ef, State *state, const CallSite *site);
// Likewise what a callee in sight does to containers that it is given.
void engine_work_refit_inside(EngineFn *ef, State *state, const CallSite *site,
                              const Summary *summary);
void summarize_refits(Arena *arena, EngineFn *ef, Summary *summary);

// ---- work_launch.c ----
// A launch, once its arguments were looked at.
void engine_work_launch(EngineFn *ef, State *state, const char *kernel);
// A call that the model says launches a kernel.
void engine_work_launch_call(EngineFn *ef, State *state, CallSite *site);
// In a search for facts: work uses what the value points to.
void engine_note_work_use(EngineFn *ef, SymId value);
// Tracking the variable's memory begins, if it does so at this instruction.
void engine_start_buffer(EngineFn *ef, State *state);

// ---- work_wait.c ----
// The current instruction is in a loop none of whose calls may wait.
bool engine_is_in_busy_loop(EngineFn *ef);
// The path leaves the loop. One that waits is taken to run, over all streams that there are: what was
// queued before it is done.
void engine_work_leave_loop(EngineFn *ef, State *state, uint32_t loop);
// The function has calls after which work queued before it may be known to be done; called when its
// reachable blocks are known.
bool engine_may_wait(const EngineFn *ef);
// The function, or one that it calls, begins to record work for a graph.
bool engine_may_capture(const EngineFn *ef);
// The function, or one that it calls, records events or makes streams wait for them.
bool engine_may_order(const EngineFn *ef);
// Some path to the current instruction may have waited for work.
bool engine_waited_before(EngineFn *ef);
// After the call the host may know that earlier work is done.
bool engine_call_may_wait(const EngineFn *ef, const CallSite *site);

// ---- work_library.c ----
// The entry says only what the function reads and writes, and where a container's elements lie.
bool engine_only_uses(const ModelFunction *model);
// A function of the C++ library that does not wait.
void engine_work_library_call(EngineFn *ef, State *state, const CallSite *site);

// ---- work_summary.c ----
// Any other call than one that the model describes.
void engine_work_other_call(EngineFn *ef, State *state, CallSite *site);
// The call ends with an exception: it may have waited before.
void engine_work_thrown(const EngineFn *ef, State *thrown, const CallSite *site);
// The host reads or writes what the value points to, certainly its start or not: its caller wants to know.
void engine_note_host_use(EngineFn *ef, const State *state, SymId value, bool writes,
                          bool at_start);
// Adds to the summary what the function leaves in flight on the caller's memory, and whether it
// touches it.
void summarize_work(Arena *arena, EngineFn *ef, const Site *site, Summary *summary);

// ---- lost_error.c ----
// Sends EV_ERROR_LOST for a `main` that can end with errors of its work unseen.
void engine_check_lost_errors(EngineFn *ef, const EngineSink *sink);

// ---- work_hazard.c ----
// Memory of the host that the driver does not know: copies from and to it are staged.
bool engine_is_pageable(const EngineFn *ef);
// Likewise of what the value points to, tracked or not: it is certain.
bool engine_points_to_pageable(const EngineFn *ef, SymId value);
// The driver locks the memory that the value points to.
void engine_work_register(EngineFn *ef, SymId value);
// An event about the tracked memory and the work in flight; the path goes on without that work.
void engine_report_work(EngineFn *ef, State *state, const Work *work, Event event);
// Kinds of work that touch the memory itself.
#define KINDS_OF_USE                                                                               \
    ((1U << (unsigned)WORK_KERNEL) | (1U << (unsigned)WORK_COPY) | (1U << (unsigned)WORK_SET))
// The variable's memory ends.
void engine_work_scope_end(EngineFn *ef, State *state, IrVarId var);
// The host reads or writes memory at `loc`, which the place names.
void engine_work_host_access(EngineFn *ef, State *state, LocId loc, IrPlaceId place, bool writes);
// The host reads or writes what `value` points to, in a call.
void engine_work_host_use(EngineFn *ef, State *state, SymId value, bool writes, const char *callee);
// Likewise something in the memory that `value` points into, not known where; its start at least, or not.
void engine_work_host_use_within(EngineFn *ef, State *state, SymId value, bool writes,
                                 bool at_start, const char *callee);
// The call may move the memory of a container into another one: it does not end with the variable.
void engine_work_moved(EngineFn *ef, State *state, const CallSite *site);
// The object is returned: what a container holds goes along.
void engine_work_returned(EngineFn *ef, State *state, LocId object);
// Work on the stream is about to use the resource: is there other work that it must come after?
void engine_work_use(EngineFn *ef, State *state, const Work *work, Handle stream,
                     const char *callee);
// The call fails unless the work of the event that is tracked is done.
void engine_work_event_needed(EngineFn *ef, State *state, const CallSite *site);
// The call waits for the event that is tracked.
void engine_work_event_wait(EngineFn *ef, State *state, const CallSite *site);
// The stream that the release is queued on.
Handle engine_release_stream(EngineFn *ef, State *state, const CallSite *call);
// The call releases the resource: notes when, for the summary.
void engine_note_release_time(EngineFn *ef, State *state, const CallSite *call);
// The call releases the resource.
void engine_work_release(EngineFn *ef, State *state, const CallSite *call);

#endif
