// SPDX-License-Identifier: MIT
// Symbolic values and the locations that hold them. Both are hash-consed per function: equal things
// have equal ids, so a state is a map from locations to values and correlation of conditions is
// equality of ids.
#ifndef CUDALINT_ENGINE_VALUE_H
#define CUDALINT_ENGINE_VALUE_H

#include "base/bits.h"
#include "ir/ir.h"

typedef uint32_t SymId; // Values.syms
typedef uint32_t LocId; // Values.locs

typedef enum {
    SYM_INT,      // value
    SYM_RESOURCE, // the resource being tracked; one per search
    SYM_INITIAL,  // what `loc` held when the function was entered
    SYM_FRESH, // a value made at program point `point`, for `loc` (or slot number): call result, join, unknown write
    SYM_OLDER, // what the fresh value `a` was the last time its point ran
    SYM_ADDR,  // address of `loc`
    SYM_FUNC,  // address of a function (value = callee)
    SYM_STRING, // a string literal's address (value = expression id)
    SYM_UNARY,  // op a
    SYM_BINARY, // a op b; comparisons are EQ and LT only
    SYM_ITE,    // if a then b else c
    SYM_PURE,   // what the pure library function `value` (callee) returns for a, b, c
} SymKind;

typedef struct {
    SymKind kind;
    IrOperator op;
    SymId a, b, c;
    LocId loc;
    uint32_t point; // SYM_FRESH: instruction or join block
    int64_t value;
    // derived, not part of the identity
    bool is_bool;      // 0 or 1
    bool is_unsigned;  // never negative
    bool has_resource; // mentions SYM_RESOURCE
    uint8_t loc_depth; // of the deepest location inside
    uint16_t size;     // values in it, each counted where it stands
} Sym;

typedef enum {
    LOC_VAR,   // a variable
    LOC_MEM,   // what the pointer value `sym` points to
    LOC_FIELD, // a field of `parent`
    LOC_INDEX, // element number `index` of `parent`
    LOC_ANY,   // some element of `parent`: a family
} LocKind;

typedef struct {
    LocKind kind;
    LocId parent;      // of field, index, any
    IrVarId var;       // LOC_VAR
    SymId sym;         // LOC_MEM
    const char *field; // interned
    int64_t index;
    // derived
    LocId root;                      // the LOC_VAR or LOC_MEM it is in
    LocId first_child, next_sibling; // locations made under it so far
    LocId family;                    // the same location with every index unknown
    LocId members;                   // of a family: its first known element, linked by next_member
    LocId next_member;
    bool is_family; // has an unknown index
    bool
        is_other; // and is none of the elements that hold the resource: the family's value is not its
    uint8_t depth;
    uint64_t size;    // of what it holds, as the place last named was typed; 0: not known
    bool is_unsigned; // type of what it holds, as far as known
    bool is_bool;
    bool is_record;
    bool is_pointer;
    bool has_elements; // a container: they lie in memory of its own
} Loc;

typedef struct Values Values;

// Tables for one function; everything is allocated in `arena`.
Values *values_new(Arena *arena, const IrUnit *unit, const IrFunction *fn);

// The tracked resource is made during the function (`is_new`): it is none of the values that
// existed at entry, and none of what the calls at `acquire_points` (borrowed) make.
void values_set_resource(Values *values, bool is_new, const BitSet *acquire_points);
const Sym *sym_at(const Values *values, SymId id);
const Loc *loc_at(const Values *values, LocId id);

SymId sym_int(Values *values, int64_t value);
SymId sym_resource(Values *values);
SymId sym_initial(Values *values, LocId loc);
// A value that instruction or block `point` makes for `loc`; the same arguments give the same
// value.
SymId sym_fresh(Values *values, uint32_t point, LocId loc);
// Likewise for a value that is first of all nowhere: number `slot` of what the point makes, 0 being
// a call's result.
SymId sym_fresh_slot(Values *values, uint32_t point, uint32_t slot);
enum {
    SLOT_GIVEN = 400,     // and on: by argument, a new object of the heap that a callee hands over
    SLOT_GIVEN_END = 500, // through it
    SLOT_RETURNED =
        512,          // and on: one of the values between which what a callee returns is a choice
    SLOT_EXPR = 1024, // and on: of expressions
};
SymId sym_older(Values *values, SymId fresh);
SymId sym_addr(Values *values, LocId loc);
SymId sym_func(Values *values, IrCalleeId callee);
SymId sym_string(Values *values, IrExprId expr);
// Simplified; IR_NONE when the result would be too deep to be worth keeping.
SymId sym_unary(Values *values, IrOperator op, SymId a);
SymId sym_binary(Values *values, IrOperator op, SymId a, SymId b);
SymId sym_ite(Values *values, SymId condition, SymId then, SymId otherwise);
// The result of a function that depends on its arguments alone; IR_NONE for too many of them.
SymId sym_pure(Values *values, IrCalleeId callee, const SymId *args, uint32_t count);
SymId sym_not(Values *values, SymId a);
// `a` as a truth value (a != 0).
SymId sym_truth(Values *values, SymId a);
// True and the value when it is a constant.
bool sym_is_int(const Values *values, SymId id, int64_t *value);
// Never zero, whatever the state: addresses, functions, the resource.
bool sym_is_nonzero(const Values *values, SymId id);
bool sym_mentions(const Values *values, SymId id, SymId what);
// It mentions a value that was made at one of the points.
bool sym_is_made_at(const Values *values, SymId id, const BitSet *points);
SymId sym_replace(Values *values, SymId id, SymId from, SymId to);
// The part of aggregate value `id` that lies at `part` where the aggregate lies at `whole`.
SymId sym_part(Values *values, SymId id, LocId whole, LocId part);

typedef enum { RES_NONE, RES_EXACT, RES_DERIVED } ResourceRelation;
// The pointer to an object whose base class part `id` is the address of; else `id` itself. Deleting
// the part by its virtual destructor deletes the object.
SymId sym_whole_object(const Values *values, SymId id);
// How far from the resource a pointer into it is, in elements; IR_NONE where that has no value.
SymId sym_resource_offset(Values *values, SymId id);
// How the value relates to the tracked resource: it, a pointer into it, or neither.
ResourceRelation sym_resource_relation(const Values *values, SymId id);

LocId loc_var(Values *values, IrVarId var);
LocId loc_mem(Values *values, SymId pointer);
LocId loc_field(Values *values, LocId parent, const char *field);
LocId loc_index(Values *values, LocId parent, int64_t index);
LocId loc_any(Values *values, LocId parent);
// An element of the family other than that which holds the resource.
LocId loc_other(Values *values, LocId any);
// Element `index` (a value) of parent: loc_index when it is constant.
LocId loc_element(Values *values, LocId parent, SymId index);
// The location `offset` elements further than an element; of anything else: offset 0 is itself.
LocId loc_shift(Values *values, LocId element, SymId offset);
// Where the pointer value points: ADDR(l) is l, p + i an element, else element 0 of LOC_MEM.
LocId loc_pointee(Values *values, SymId pointer);
// `loc` itself or below it.
bool loc_is_within(const Values *values, LocId loc, LocId ancestor);
// Some element, or what lies behind a pointer that some element is: which one, no index tells. The
// same of a value that was read there.
bool loc_is_one_of_many(const Values *values, LocId loc);
bool sym_is_one_of_many(const Values *values, SymId id);
// `loc` (within `from`) with `from` replaced by `to`.
LocId loc_rebase(Values *values, LocId loc, LocId from, LocId to);
void loc_set_type(Values *values, LocId loc, IrType type);
void loc_set_container(Values *values, LocId loc);
uint32_t loc_count(const Values *values);
// In the words of the source, in `arena`: "ctx->buf", "p[i]".
const char *loc_text(Arena *arena, const Values *values, LocId loc);

#endif
