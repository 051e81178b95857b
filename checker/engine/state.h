// SPDX-License-Identifier: MIT
// State: what is known at one point of one path about memory, about scalars and about the tracked
// resource. States are small values over persistent maps: copying one is free.
#ifndef CUDALINT_ENGINE_STATE_H
#define CUDALINT_ENGINE_STATE_H

#include "base/idtable.h"
#include "engine/pending.h"
#include "engine/pmap.h"
#include "base/range.h"
#include "engine/value.h"
#include "finding/finding.h"

typedef enum { RS_NONE, RS_LIVE, RS_RELEASED } ResourceStatus;

// One remark on the path that led here; a list linked towards the past.
typedef struct PathNode {
    const struct PathNode *parent;
    uint32_t depth; // how many are before it
    FindingStep step;
    bool of_work;   // queues work on the GPU
    bool of_branch; // says which way a branch went
} PathNode;

// What an element of an array is called: by a variable and a constant. See element.h.
typedef struct {
    LocId array; // LOC_ANY
    IrVarId var; // IR_NONE: by something else, or by several
    int64_t offset;
} ElementName;

// The element of an array into which the resource was put.
typedef struct {
    ElementName name; // at that time
    uint32_t loop;    // the innermost one there that gives the variable its values
    bool is_moved;    // the variable was given another value since
} Placed;

typedef struct {
    PMap env;     // LocId -> SymId: what locations hold, where it is not what they held at entry
    PMap ranges;  // SymId -> range id: what is known of values
    PMap holders; // LocId -> ResourceRelation: locations that hold the resource or point into it
    ResourceStatus status;
    bool kept;        // a callee may have kept the resource, or may release it
    bool mislaid;     // `kept`, and some element of an array may hold it that goes by no known name
    bool escaped;     // somebody outside certainly knows the resource
    bool reentered;   // the function runs again: statics keep what the first run left
    uint8_t merges;   // how often others were merged into this one and changed it
    bool dead;        // the path ends here
    bool unwinding;   // an exception is on its way to its handler
    SrcLoc thrown_at; // where it began
    uint64_t
        left_loops; // loops left while only array elements held the resource, as bits of loop numbers
    bool attached_freed; // the memory of a registration was freed before it was undone
    SymId attached;      // a registration: the pointer it is attached to, else IR_NONE
    SrcLoc released_at;  // or where the last attempt to give it a value failed
    const char *released_by;
    SymId release_status; // what the call that released it returned, else IR_NONE
    uint32_t pending;     // GPU work in flight that uses the resource: number of a Pending
    // Work that uses it and runs with a graph: likewise; its covers are the graphs that hold it.
    uint32_t recorded;
    bool capturing; // what is queued is recorded for a graph, not run
    uint32_t
        attempt; // of what has no value: the point of the call that failed to give it one, plus one
    uint32_t doubt; // see doubt.h: the block behind the branch that was doubtful, plus one; 0: none
    bool is_placed; // `placed` says where the resource is
    Placed placed;
    const PathNode *path;
    uint32_t arrival; // in the search for facts: which of EngineFn.taken led here
} State;

// Something that goes round in a loop: the variable's value, or what `var op by` is. See phase.h.
typedef struct {
    LocId var;
    bool is_residue;
    IrOperator op; // of a residue: IR_REM, IR_AND
    int64_t by;
    uint32_t loop; // in which it was first met
} Phase;

// What all states of one function share.
typedef struct {
    Arena *arena;    // of the search: maps and path nodes
    Arena *fn_arena; // of the function: ranges, mentions
    const IrFunction *fn;
    Values *values;
    uint32_t join_points; // points from here on are joins
    bool point_in_loop;   // the instruction being executed can run again, or a join be met again
    uint32_t loop;        // the innermost one that it is in
    struct ElementNames *names; // of elements, see element.h
    Vec(Range) ranges;          // interned
    IdTable range_table;
    PendingTable pendings;
    struct MentionIndex *mentions;
    Vec(SymId) choices;  // found at joins, see choice.c
    Vec(Phase) phases;   // see phase.h
    Vec(SymId) residues; // of what is no variable: what they are the next time is not known
} StateSpace;

void space_init(StateSpace *space, Arena *fn_arena, const IrFunction *fn, Values *values);

// What the location holds: bound here, part of a bound aggregate, or what it held at entry.
SymId state_read(StateSpace *space, const State *state, LocId loc);
// Stores a value; what was known below `loc` is gone. A family keeps what its other elements hold:
// `point` names the write so that the family's value becomes unknown.
void state_write(StateSpace *space, State *state, LocId loc, SymId value, uint32_t point);
// Copies a whole object.
void state_copy(StateSpace *space, State *state, LocId to, LocId from, uint32_t point);
// Forgets `loc` and everything below it, as when its storage ends.
void state_kill(StateSpace *space, State *state, LocId loc);
// Whatever lies at or below `loc` may have changed at `point`. The resource's own bindings stay
// when `keep_resource`.
void state_havoc(StateSpace *space, State *state, LocId loc, uint32_t point, bool keep_resource);
// Likewise, but only what is bound below `loc` or at it changes; the rest keeps its value.
void state_havoc_parts(StateSpace *space, State *state, LocId loc, uint32_t point);
// `fresh` is made anew: what still mentions it means its previous value.
void state_refresh(StateSpace *space, State *state, SymId fresh);
// Some element of an array may hold it, or may not: of its being lost nothing can be said any more.
void state_mislay(State *state);
// Drops the binding at `loc`.
void state_drop_holder(StateSpace *space, State *state, LocId loc);

Range state_range(StateSpace *space, const State *state, SymId sym);
// A pointer that has moved so far from where it began may be back there: it moved both ways, by
// amounts that are not known.
bool state_may_be_back(StateSpace *space, const State *state, SymId distance);
// Narrows a value; false when nothing is left: the path is infeasible.
bool state_restrict(StateSpace *space, State *state, SymId sym, Range range);
// The same; of a condition that is now known to be true or false, with all that follows.
bool state_narrow(StateSpace *space, State *state, SymId sym, Range range);
// Takes `sym` to be true or false; false when that cannot be.
bool state_assume(StateSpace *space, State *state, SymId sym, bool truth);

// Forgets everything but static locals: a new call of the function begins.
void state_keep_statics(StateSpace *space, State *state);
void state_remark(StateSpace *space, State *state, SrcLoc loc, const char *text);
// The same for an instruction that queues work.
void state_remark_work(StateSpace *space, State *state, SrcLoc loc, const char *text);
// The same of which way a branch goes.
void state_remark_branch(StateSpace *space, State *state, SrcLoc loc, const char *text);
// Another path has met this one: which way branches went since they parted says nothing of both.
void state_forget_branches(StateSpace *space, State *state, const PathNode *other);
// The same for something inside a function called.
void state_remark_inside(StateSpace *space, State *state, SrcLoc loc, const char *text);

// Same resource status and, if that matters, same holders: such states merge.
bool state_same_signature(const State *a, const State *b, bool holders_matter);
// To be called before a state is compared with others at the join with the given point: memory that
// a value of this very join led to the last time round is told apart from what the value leads to
// now.
void state_arrive(StateSpace *space, State *state, uint32_t point);
typedef enum {
    JOIN_PATHS,
    JOIN_ROUNDS, // at a loop's header
    JOIN_MANY,   // likewise, where the first rounds have been: bounds that move go all the way
} JoinKind;

// Merges `incoming` into `*state`, both of one signature, at the join with the given point; true if
// `*state` changed.
bool state_merge(StateSpace *space, State *state, const State *incoming, uint32_t point,
                 JoinKind kind);
// Whether some variable holds different constants in the two: a flag or an error code that later
// conditions may ask for.
bool state_differs_by_flag(StateSpace *space, const State *a, const State *b);

// Locations below `loc` that `visit` is called with, `loc` first.
void space_each_within(StateSpace *space, LocId loc, void (*visit)(void *context, LocId loc),
                       void *context);

#endif
