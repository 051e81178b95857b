// SPDX-License-Identifier: MIT
// What the engine's files share while one function is analysed: the resource site that is tracked,
// the states at each block, and the findings to be. Private to engine/.
#ifndef CUDALINT_ENGINE_SEARCH_H
#define CUDALINT_ENGINE_SEARCH_H

#include "base/bits.h"
#include "engine/buffers.h"
#include "engine/call_site.h"
#include "engine/engine.h"
#include "engine/state.h"
#include "engine/targets.h"
#include "flow/flow.h"
#include "summary/summary.h"

// States of one signature at one block that are kept apart by what a variable holds in them.
#define ENGINE_STATES_APART 4
// States at one block from which on work in flight is no longer followed.
#define ENGINE_STATES_WITH_WORK 12
// Changes of a loop header's state before bounds that still move are thrown open.
#define ENGINE_PATIENCE 6

typedef enum {
    SITE_ACQUIRE,       // a call acquires the resource
    SITE_BORROW,        // a call lends an alias that must not be released
    SITE_ATTACH,        // a call registers memory that exists already
    SITE_UNINITIALIZED, // a variable, or a member of a new object, begins without a value
    SITE_BUFFER,        // a variable's own memory is given to GPU work
    SITE_ENTRY,         // the caller's: what a place held when the function was entered
} SiteKind;

// Perhaps a defect, once the whole site is known.
typedef struct {
    Event event;
    const PathNode *path;
    uint64_t left_loops;  // see State
    bool needs_release;   // only if some path of the function does release the resource
    bool needs_no_record; // only if no path records the event
    bool needs_belief;    // only if the function shows that the callee did not keep the resource
    uint32_t doubt;       // see State
} Candidate;

// How one path left the function, for the summary.
typedef struct {
    State state;
    SymId value;       // returned; IR_NONE: nothing
    LocId object;      // returned by value; IR_NONE: none
    uint32_t outcomes; // that it may be part of
    SrcLoc lost_at;    // of SITE_ENTRY: where the last holder was overwritten, else invalid,
    const SummaryCall *lost_by; // and the calls on the way
} Exit;

// A place where a tracked resource begins.
typedef struct {
    SiteKind kind;
    IrBlockId block;
    uint32_t instr; // within the block
    uint32_t point;
    uint32_t number;               // of the function's sites: several may begin at one call
    const ModelFunction *model;    // of calls that the model describes, else NULL
    const ModelEffect *effect;     // likewise
    const SummaryEffect *acquires; // of calls of user functions that acquire, else NULL
    const ModelResource *resource; // NULL for SITE_UNINITIALIZED, SITE_BUFFER and SITE_ENTRY
    IrVarId var;                   // SITE_UNINITIALIZED, SITE_BUFFER
    LocId buffer;                  // SITE_BUFFER: the memory; SITE_ENTRY: a container; or IR_NONE
    LocId entry;                   // SITE_ENTRY
    LocId unset;                   // SITE_UNINITIALIZED: the variable, or the part of it
    IrRecordId record;             // and of a new object's member: the class
    const char *member;            // and its name there; NULL: no such site
    const char *acquired_by;       // the library function that acquires it, or NULL
    SrcLoc loc;
    const char *name;     // in the user's words
    bool released;        // some path releases it
    uint64_t released_in; // loops that release it as an element, as bits of loop numbers
    bool has_view; // `view` is a second pointer to the memory: the device's, of mapped memory
    SymId view;
    bool has_bytes;         // the block's size is known, and the same wherever it is asked for
    SymId bytes;            // it
    const char *bytes_text; // and in the words of the source
    bool kind_is_uncertain; // acquired as one of several kinds
    bool handed_over;       // some path leaves it with others
    bool host_reads, host_writes, host_writes_start; // SITE_ENTRY: so does the host with the memory
    bool is_registered; // host memory that some path has the driver lock
    bool is_timed;      // SITE_ENTRY: it was released, and when is known
    ReleaseTime release_time;
    SummaryWork release_work; // of a release in order: its stream
    bool is_recorded;         // an event that some path records, or gives to others
    bool believed;            // some path releases it after a callee might have kept it
    Vec(Candidate) candidates;
    Vec(Exit) exits; // in the search's arena
    BitSet doubtful; // see doubt.h: points of calls that make something of the status
    bool has_doubts; // there are such
    bool is_mute;    // the acquiring call's result is a status of which nothing is known
    BitSet settled;  // blocks behind doubtful branches that have the resource
    // of SITE_ENTRY, once released: what releases it
    const ModelEffect *release_effect; // NULL: several functions do, each for its own kind
    bool has_release;
    const char *released_by;
    SrcLoc released_at;
    const SummaryCall *released_through; // calls on the way there
} Site;

typedef Vec(State) StateList;

typedef struct {
    StateList states;
    Vec(bool) dirty;
} BlockStates;

typedef Vec(LocId) LocList;

// A call returns what the place held at the function's entry.
typedef struct {
    uint32_t point; // of the call
    LocId place;
} ReturnedPlace;

// The ways in which a function returns.
typedef struct {
    StateList states;
    Vec(SymId) values; // what is returned; IR_NONE: nothing
    LocList objects;   // where it lies, if it is an object; IR_NONE: it is none
} Returns;

// One function under analysis.
typedef struct {
    Arena *arena;         // of the function
    Arena *summary_arena; // of its summary
    const IrUnit *unit;
    const IrFunction *fn;
    const Model *model;
    const Summary *const *summaries;    // by callee: of the unit's functions, and imported; or NULL
    Targets *targets;                   // of dispatched calls
    LocList entry_places;               // entry values that something happens to
    Vec(ReturnedPlace) returned_places; // entry values that callees return
    LocList handed_places; // entry values that functions may keep of which nothing is known
    EngineBudget budget;
    StateSpace space;
    uint32_t *first_point; // by block: point of its first instruction
    uint32_t join_points;  // point of block 0's join
    BitSet in_loop;        // blocks that can run again
    BitSet loop_headers;   // blocks that close a loop
    BitSet dead_ends;      // blocks from which every path ends the process
    FlowDom dom;
    FlowLoops loops;
    struct Temps *temps; // see temps.h
    BitSet heap_points;  // points of calls that allocate host memory
    // Points of calls that acquire any memory: never two blocks at one address.
    BitSet acquire_points;
    BitSet untold_vars; // parameters that lead to memory written by means of which no effect tells
    BitSet shared_vars; // variables whose address was stored where unknown code finds it
    // Points of acquiring calls that are given null for where to store the address.
    BitSet null_arguments;
    const char *memory_ended_by; // who ended, in this instruction, the memory that held it; or NULL
    Vec(BufferUse) buffer_uses;
    BitSet registered_vars; // variables whose memory some path has the driver lock
    LocList registered;     // likewise containers elsewhere
    LocList reserved;       // containers for which some path makes room
    Vec(Refit) refits;
    bool has_copies, has_work; // some instruction queues copies, or any work on the GPU
    BitSet handle_points; // points of calls that make streams, events and other handles; of these,
    BitSet blocking_points,
        nonblocking_points; // what certainly waits for the legacy stream, or not
    SrcLoc inside;          // where the callee of the current call does it, or invalid
    const char *inside_by;  // and the library function that it calls there, or NULL
    // The calls on the way there, that of the callee not counted.
    const SummaryCall *inside_calls;
    const SummaryEffect *inside_release; // the release that it does there, or NULL
    BitSet waited_before; // blocks before which something may have waited; see work_wait.c
    BitSet waiting_loops; // work_wait.c: loops in which some call may wait; made on first use
    bool has_globals;     // some variable of the function is a global
    uint32_t *order;      // by block: position in reverse post-order
    uint32_t *by_order;
    // of the search under way
    Site *site; // NULL: facts only
    bool site_started;
    BlockStates *blocks;
    BitSet pending; // blocks with dirty states, by order
    uint64_t steps; // block visits of this search
    uint64_t total_steps;
    const char *gave_up; // why the search was cut short, or NULL
    Vec(State) forks;    // states that part from the current instruction, to go on behind it
    // of the instruction being executed
    IrBlockId block;
    uint32_t point;
    const IrInstr *instr;
    // facts at block entry without any resource; valid after the first search
    State *entry_facts;
    BitSet reached;
    Vec(struct TakenEdge) taken; // see facts.h
    struct Meeting **meetings;   // by block outside loops
    BitSet blurred;              // blocks where facts are of paths that some flag tells apart
    uint32_t comparisons;        // of bindings with the facts that this search may still make
    struct LeapIndex *leaps;     // see leap.h; NULL: no leaps
    Returns returns;             // of the search for facts, or of that for returns
    StateList throws;            // states in which an exception leaves the function
    bool by_path;                // the search for returns: paths do not merge where they meet
} EngineFn;

// ---- eval.c ----
SymId engine_eval(EngineFn *ef, State *state, IrExprId expr);
LocId engine_place(EngineFn *ef, State *state, IrPlaceId place);
// An index: of what goes round in a loop a constant, where the path knows it.
SymId engine_index(EngineFn *ef, State *state, IrExprId expr);
// A new unknown value made by the current instruction, number `slot` of it.
SymId engine_fresh(EngineFn *ef, State *state, uint32_t slot);
// The host reads or writes memory at `loc`, which the place names: a use of what lies there.
void engine_note_access(EngineFn *ef, State *state, LocId loc, IrPlaceId place, bool writes);

// ---- inlined.c ----
// A callee's body begins that took the place of its call: tells of the call.
void engine_remark_entered(EngineFn *ef, State *state, IrInlineId entered);
// The resource came up in a callee's body, and what happens to it now happens there, too: the
// callee's own analysis tells.
bool engine_is_told_by_callee(const EngineFn *ef);

// ---- exec.c ----
// Which outcomes returning `value` may be part of.
uint32_t engine_outcomes(EngineFn *ef, const State *state, SymId value);
// Runs the block from `state`, from instruction `from` on; successors' states are queued.
void engine_exec_block(EngineFn *ef, IrBlockId block, uint32_t from, State state);
bool engine_take_step(EngineFn *ef); // false where it is one too many: the search gives up
// Remarks that the path takes a branch.
void engine_tell_branch(EngineFn *ef, State *state, const IrInstr *branch, bool truth);
// An exception goes on to `handler`, or out of the function (IR_NONE).
void engine_leave_by_exception(EngineFn *ef, State *state, IrBlockId handler);

// ---- call.c, call_model.c, call_std.c, call_user.c ----
// The field of a closure, and of a library object that was given one, that holds its function.
#define ENGINE_CALLED "#called"

void engine_exec_call(EngineFn *ef, State *state);
// What messages call it: the function's name, the class of a function object, or "the lambda".
const char *engine_callee_name(const EngineFn *ef, const IrCallee *callee);
// A library object calls what it was given: then the call is one of that.
void engine_redirect_call(EngineFn *ef, State *state, CallSite *site);
// Unknown code runs: what the tracked resource lies in, and others know of, may be released by it.
void engine_keep_shared(EngineFn *ef, State *state);
// The callee is C++ of a system header: a method of a container, an algorithm.
bool engine_is_cpp_library(const CallSite *site);
void engine_exec_launch(EngineFn *ef, State *state);
void engine_call_modelled(EngineFn *ef, State *state, CallSite *site);
void engine_call_std(EngineFn *ef, State *state, CallSite *site);
// What the model's slot holds at this call; IR_NONE when the call has no such argument.
SymId engine_slot_value(EngineFn *ef, State *state, const CallSite *site, const ModelSlot *slot);
// The entry says what a container method does to the elements or their number.
bool engine_is_container_entry(const ModelFunction *model);
void engine_call_c_library(EngineFn *ef, State *state, CallSite *site);
void engine_call_user(EngineFn *ef, State *state, CallSite *site);
// In a search for facts: what the callee does to values that the function was entered with.
void engine_note_callee(EngineFn *ef, State *state, const CallSite *site);
// Finds what the callee releases far away, before anything that it may write is forgotten.
void engine_find_distant(EngineFn *ef, State *state, CallSite *site);
// Applies the callee's summary; false when it says nothing of the place where the resource is.
bool engine_apply_summary(EngineFn *ef, State *state, CallSite *site);
// What the place that the path names holds at the call; IR_NONE when it names nothing here.
SymId engine_value_at_call(EngineFn *ef, State *state, const CallSite *site,
                           const SummaryPath *path);
// The state goes on behind the call, apart from the one being executed.
void engine_fork(EngineFn *ef, State *state, CallSite *site);
// A container that holds the resource is not empty.
void engine_container_size(EngineFn *ef, State *state, LocId container, LocId size);
// The parameter type of argument `index`, IR_NONE for variadic and unknown ones.
IrType engine_param_type(const EngineFn *ef, const CallSite *site, uint32_t index);
// The callee cannot change what the argument points to.
bool engine_param_is_const(const EngineFn *ef, const CallSite *site, uint32_t index);
// The pointed-to memory may have been changed by a callee.
void engine_havoc_pointee(EngineFn *ef, State *state, SymId pointer);
// The same, but what holds the resource still does.
void engine_havoc_scalars(EngineFn *ef, State *state, SymId pointer);

// The calls on the way to where the callee of the current call does it; NULL: no callee does.
const SummaryCall *engine_calls_inside(const EngineFn *ef);

// ---- resource.c ----
// Which holders the resource has.
typedef struct {
    EngineFn *ef;
    const State *state;
    bool constructor_failed; // the object under construction dies
    LocId within;            // look for holders at or below, or IR_NONE
    bool found;              // there is one
    LocId inside;            // the last one found
    LocId outside;           // a holder outside the function, IR_NONE
    LocId any;               // any holder at all
} HolderSearch;
HolderSearch engine_search_holders(EngineFn *ef, const State *state, LocId within);
// An element of an array or container: one of many.
bool engine_loc_is_element(const EngineFn *ef, LocId loc);
// The function called lets go of what has value `value`.
void engine_release(EngineFn *ef, State *state, SymId value, const ModelEffect *effect,
                    const CallSite *site);
// The tracked registration is undone; its memory is freed.
void engine_detach(EngineFn *ef, State *state, const CallSite *site);
void engine_free_attached(EngineFn *ef, State *state);
// In a search for facts: something happens to a value that the function was entered with.
void engine_note_entry(EngineFn *ef, SymId value);
// Likewise: what lies at `loc` may be written by means of which no effect tells.
void engine_note_untold(EngineFn *ef, LocId loc);
// Likewise: it goes to a function that may keep it.
void engine_note_handed_on(EngineFn *ef, SymId value);
// Likewise: the call returns it.
void engine_note_returned(EngineFn *ef, SymId value);
// Likewise: a pointer is about to be overwritten where others see it.
void engine_note_overwrite(EngineFn *ef, const State *state, LocId loc);
// The value is used by a call, launch or dereference.
void engine_use(EngineFn *ef, State *state, SymId value, const char *callee);
// The object is used whole: so is what it holds.
void engine_use_within(EngineFn *ef, State *state, LocId object, const char *callee);
// Variables at or below `object` that hold the resource may hold something else now.
void engine_forget_within(EngineFn *ef, State *state, LocId object);
// A callee that receives `value` may keep the resource, if that is reachable from it.
void engine_may_keep(EngineFn *ef, State *state, SymId value);
// The value is stored where others see it.
void engine_escape(EngineFn *ef, State *state, SymId value);
// After an instruction: is the resource lost, is there anything left to see?
void engine_check_lost(EngineFn *ef, State *state, EventKind kind, ExitKind exit);
// The function is left.
void engine_check_exit(EngineFn *ef, State *state, ExitKind exit);
// The edge from the block leaves loops.
void engine_leave_loops(EngineFn *ef, State *state, IrBlockId to);
// The value is stored where unknown code may use it later; a variable whose address it is, is
// everybody's.
void engine_share(EngineFn *ef, State *state, SymId value);
bool engine_loc_is_external(const EngineFn *ef, LocId loc);
// Others can get at the location, directly or by way of what they hold.
bool engine_is_outside(EngineFn *ef, const State *state, LocId loc);
// The value points to memory of the host that the function, or a callee for it, allocated.
bool engine_is_own_heap(const EngineFn *ef, const Sym *pointer);
Event engine_event(const EngineFn *ef, const State *state, EventKind kind);
void engine_add_candidate(EngineFn *ef, const State *state, Event event);

// ---- search.c ----
// Queues a state at a block's entry, merged with what is there.
void engine_queue(EngineFn *ef, IrBlockId block, State state);
// Runs the search for `site` (NULL: facts only) to its end.
void engine_search(EngineFn *ef, Site *site);
// Finds the function's returns once more, one for each path that leads there; where those are too
// many, the returns stay as they are.
void engine_search_returns(EngineFn *ef);

// ---- session.c ----
// What is known of the function called; NULL: nothing.
const Summary *engine_summary_of(const EngineFn *ef, const IrCall *call, const IrCallee *callee);

// ---- sites.c ----
typedef Vec(Site) SiteList;
// The sites of the function, in order.
void engine_find_sites(EngineFn *ef, SiteList *sites);
// The model's entry for the call; NULL if there is none or the user defined the function.
const ModelFunction *engine_model_of(const EngineFn *ef, const IrCall *call,
                                     const IrCallee *callee);
// Of the function that the instruction calls directly; NULL: it is no such call.
const ModelFunction *engine_model_at(const EngineFn *ef, const IrInstr *instr);

// ---- naming.c ----
// The argument in the words of the source, without casts and '&'.
const char *engine_argument_text(EngineFn *ef, IrExprId id);
// What call number `i` of the block acquires by the effect of the model, or by a callee in sight.
const char *engine_site_name(EngineFn *ef, const IrBlock *block, uint32_t i,
                             const ModelEffect *effect, bool has_object);
const char *engine_filled_name(EngineFn *ef, const IrBlock *block, uint32_t i,
                               const SummaryPath *path);
// The text has a temporary in it, for which there are no words.
bool engine_is_unnamed(const char *text);

// ---- arguments.c ----
// Sends EV_BAD_ARGUMENT for acquiring calls whose argument cannot be where an address is stored.
void engine_check_arguments(EngineFn *ef, EngineSink sink);
// The effect's argument is such a one: the call acquires nothing that the function could hold.
bool engine_argument_is_bad(const EngineFn *ef, const IrCall *call, const ModelEffect *effect);

// ---- side.c ----
// The host reads or writes what the pointer leads to, in the function or in a library function.
void engine_check_host_access(EngineFn *ef, const State *state, SymId pointer, bool writes,
                              const char *callee);
// The call copies from or to where the pointer leads.
void engine_check_direction(EngineFn *ef, State *state, const CallSite *site, SymId pointer,
                            bool writes);
// The same of copies from or to the function's own variables, by what the call shows.
void engine_check_local_directions(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                                   EngineSink sink);

// ---- block_size.c ----
// Notes the size of the block that the call acquires for the site being searched.
void engine_note_block_size(EngineFn *ef, const CallSite *site);
// The state knows that the block has no bytes: the pointer is null, and there is nothing to lose.
bool engine_is_empty_block(EngineFn *ef, const State *state);
// The call reads or writes bytes from the pointer on.
void engine_check_block_size(EngineFn *ef, const State *state, const CallSite *call, SymId pointer,
                             bool writes);
// Sends EV_SIZE_OF_POINTER where the call's size is that of one of its pointers.
void engine_check_size_of_pointer(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                                  EngineSink sink);

// ---- deliver.c ----
// Turns a finished site's candidates into events.
void engine_deliver(EngineFn *ef, Site *site, EngineSink sink);

#endif
