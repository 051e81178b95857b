// SPDX-License-Identifier: MIT
// Summary: what a call of a function does to resources, in terms of its arguments, result and
// globals, per outcome. Computed by the engine callees first, applied by it at calls, printed by
// --dump=summary. It holds no reference into a function's own tables, so it can be kept and merged.
#ifndef CUDALINT_SUMMARY_SUMMARY_H
#define CUDALINT_SUMMARY_SUMMARY_H

#include "base/arena.h"
#include "base/loc.h"
#include "base/range.h"
#include "base/str.h"
#include "base/vec.h"
#include "ir/ir.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// ---- places as a caller sees them ---------------------------------------------------------------

typedef enum { SP_RESULT, SP_ARGUMENT, SP_GLOBAL } SummaryRoot;

typedef enum { SP_POINTEE, SP_FIELD, SP_ELEMENT } SummaryStepKind;

typedef struct {
    SummaryStepKind kind;
    const char *field; // SP_FIELD: interned
} SummaryStep;

#define SUMMARY_MAX_STEPS 6

// "argument 1, what it points to, its field buf". No steps: the argument's value itself.
typedef struct {
    SummaryRoot root;
    uint32_t argument;  // SP_ARGUMENT: index among a call's arguments, the object of a method first
    const char *global; // SP_GLOBAL: USR
    uint32_t step_count;
    SummaryStep steps[SUMMARY_MAX_STEPS];
} SummaryPath;

bool summary_path_equal(const SummaryPath *a, const SummaryPath *b);
// Appends a step; false when the path is full.
bool summary_path_push(SummaryPath *path, SummaryStepKind kind, const char *field);

// ---- effects ------------------------------------------------------------------------------------

// How a call ended, as bits: what it returned, or that it threw. A function without a result has
// both of the first.
enum { OUTCOME_ZERO = 1, OUTCOME_NONZERO = 2, OUTCOME_THROWN = 4, OUTCOME_RETURNED = 3 };

typedef enum {
    SE_ACQUIRE,  // the place holds a new resource afterwards
    SE_RELEASE,  // what the place held before is released
    SE_KEEP,     // what the place held before is known to others afterwards
    SE_MAY_KEEP, // perhaps: it went to a function of which nothing is known
    SE_RETURN,   // what the place held before is returned
    SE_LOSE,     // what the place held before is overwritten, and nothing else held it
    SE_LEAVE,    // what the place held before stays there; said where arguments decide its fate
    SE_SHIFT,    // the place points into what it held before, past the start
    SE_USE,      // memory that the place pointed to is read or written by the host
    SE_QUEUE,    // work on the GPU that uses that memory is in flight afterwards
    SE_REFIT,    // the container's elements may lie elsewhere; `must`: certainly, not only where it
                 // has no room
} SummaryEffectKind;

// Conditions on an object's own members under which a loss happens: one compared with a constant (a
// flag, which may tell whether the place holds anything), or with something else (a capacity).
enum { LOSE_BY_FLAG = 1, LOSE_BY_RELATION = 2 };

#define SUMMARY_MAX_CONDITIONS 4

// Whenever the effect happens, a value is one of these: an argument, or what lies in a place. Before
// the call that is a member of an object that the function is given, after it a field of the object
// returned, or an error code in a global.
typedef struct {
    uint32_t argument;
    const SummaryPath *place; // NULL: the argument's value
    bool is_after;            // in the place
    Range range;
} SummaryCondition;

// Both speak of the same value.
bool summary_condition_is_alike(const SummaryCondition *a, const SummaryCondition *b);

// Calls on the way from a function to where its effect happens, outermost first.
typedef struct SummaryCall {
    const char *callee;
    SrcLoc loc;
    const struct SummaryCall *next;
} SummaryCall;

// Of a longer way the last calls are left out.
#define SUMMARY_MAX_CALLS 4

// The work of SE_QUEUE; of SE_USE `access` counts, and whether what it writes are `bytes` from the start on.
typedef struct {
    SummaryPath stream; // what it was queued on
    bool on_default;    // or the default stream
    bool is_whole;      // it was given the memory itself, not a part
    int64_t bytes;      // if not whole: what it certainly uses from the start on; 0: some part
    uint8_t kind;       // a WorkKind of engine/pending.h, that uses the memory
    uint8_t access;     // WORK_ bits of engine/pending.h
} SummaryWork;

// When a release happens, seen from work that was queued before the call.
typedef enum {
    RELEASE_LATER,    // the function may wait for that work first
    RELEASE_AT_ONCE,  // nothing that could wait comes before it
    RELEASE_IN_ORDER, // likewise, and it is queued on a stream
} ReleaseTime;

// The greatest values of these two.
enum { SUMMARY_LAST_WORK = 2, SUMMARY_LAST_ACCESS = 3 };

typedef struct {
    SummaryEffectKind kind;
    SummaryPath path;
    uint32_t must;      // outcomes on which it always happens
    uint32_t may;       // outcomes on which it happens on some path (includes `must`)
    uint32_t group;     // acquire: effects of one group put one resource into several places
    uint32_t resource;  // acquire: index of the model's kind
    const void *effect; // release: the ModelEffect that says which kinds are rightly released
    const char *api;    // the library function that does it in the end: "cudaMalloc", "cudaFree"
    SrcLoc loc;         // where that happens
    const SummaryCall *calls; // on the way there; NULL: the function itself does it
    uint32_t condition_count; // all of them hold when the effect happens
    SummaryCondition conditions[SUMMARY_MAX_CONDITIONS];
    uint32_t possible;      // may keep: outcomes that there are when the place holds something
    uint32_t null_after;    // release, return, keep: outcomes after which the place holds null
    uint32_t renewed_after; // release, return, keep: outcomes after which it holds something else
    bool is_mute;           // acquire: the result tells whether it happened, but not in words
    bool in_new;      // acquire: in an object of the heap that an argument is made to point to
    uint32_t guards;  // lose: what the paths to it asked of the object, see LOSE_BY_FLAG
    ReleaseTime time; // release
    SummaryWork work; // SE_USE, SE_QUEUE; of a release in order the stream
} SummaryEffect;

// ---- what its having returned says --------------------------------------------------------------

// An expression over what places held when the function was called.
typedef struct ReturnExpr {
    enum { RX_INT, RX_PLACE, RX_RANGE, RX_UNARY, RX_BINARY, RX_ITE } kind;
    IrOperator op;
    int64_t value;            // RX_INT; RX_RANGE: its number, different for each in one summary
    const SummaryPath *place; // RX_PLACE: an argument, or where one leads
    const Range *range;       // RX_RANGE: some value of these
    const struct ReturnExpr *a, *b, *c;
} ReturnExpr;

// A number that the function leaves in a place, whenever it returns.
typedef struct {
    SummaryPath place; // where an argument leads, or a field of the object that is returned
    const ReturnExpr *value;
} ReturnWrite;

// Whether a call of the function returns at all, what its arguments must then have been, and what
// it returns in terms of them. That is how check functions that exit, throw or hand the status on
// are seen through with no list of names.
typedef struct {
    bool known;
    bool returns;             // some path returns
    bool throws;              // some path leaves by an exception
    uint32_t arg_count;       // `this` included
    Range *when_returned;     // by argument: what it may have been when the function returned
    Range *when_thrown;       // and when it threw
    const ReturnExpr *result; // NULL: unknown
    Vec(ReturnWrite) writes;
} ReturnFacts;

// ---- the summary --------------------------------------------------------------------------------

typedef struct {
    bool known;        // effects: computed; false: recursion, a budget hit, or not analysed
    uint32_t outcomes; // that are possible at all
    bool never_waits;  // for work on the GPU that was queued before the call
    bool gives_heap;   // what it returns is null, or new memory of the host that is the caller's
    bool asks;         // it changes nothing, and the same numbers and texts get the same answer
    bool captures;     // work that is queued after the call may be recorded for a graph, not run
    bool orders;       // it records events or makes streams wait for them
    uint64_t untold;   // by argument: no effect tells of all it may write where that leads to
    Vec(SummaryEffect) effects;
    ReturnFacts returns;
} Summary;

// Adds the effect, or widens an equal one (same kind, path and resource).
void summary_add(Arena *arena, Summary *summary, SummaryEffect effect);
// The argument leads to memory of which the effects do not tell all that is written.
bool summary_is_untold(const Summary *summary, uint32_t argument);
// A call of `callee` at `loc` in front of others, of which those beyond the bound are left out.
const SummaryCall *summary_call(Arena *arena, const char *callee, SrcLoc loc,
                                const SummaryCall *next);
// The effect of that kind on that path, or NULL.
const SummaryEffect *summary_find(const Summary *summary, SummaryEffectKind kind,
                                  const SummaryPath *path);

// What a call does that reaches one of the functions, not known which. Unknown if one of them is.
void summary_join(Arena *arena, Summary *joined, const Summary *const *summaries, uint32_t count);
// There may be further functions that nobody has seen: whatever is in reach may be kept.
void summary_open(Arena *arena, Summary *summary);

// "*argument 1", "result", "argument 0->buf", in `arena`.
const char *summary_path_text(Arena *arena, const SummaryPath *path);
// Prints a function's summary as lines of text, for people and golden tests.
void summary_print(FILE *out, Arena *arena, const char *function, const Summary *summary);

#endif
