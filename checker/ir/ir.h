// SPDX-License-Identifier: MIT
// The intermediate representation: a translation unit's host functions as control-flow graphs of
// basic blocks over places (access paths) and pure expressions. Produced by tu/ or read from text
// (ir_parse); read by flow/, summary/ and engine/. It knows nothing of libclang.
//
// Rules of the form, checked by ir_check:
//  - Expressions have no side effects: calls, assignments, ++, new, && || ?: are instructions and
//    control flow,
//    their values live in temporaries (IR_VAR_TEMP).
//  - References are pointers: `T &r = x` is `r = &x`, and a use of r is the place `*r`.
//  - `p->f` is FIELD(DEREF(p), f); `p[i]` and `*(p + i)` are INDEX(DEREF(p), i); `a[i]` of an array
//    a is INDEX(a, i);
//    an array that decays is ADDR(INDEX(a, 0)).
//  - Every block ends in exactly one terminator and has no other.
//  - Block 0 is the entry.
#ifndef CUDALINT_IR_IR_H
#define CUDALINT_IR_IR_H

#include "base/arena.h"
#include "base/loc.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define IR_NONE UINT32_MAX

// Fields of closures: the address of a captured variable, or its copy.
#define IR_FIELD_REF "#ref:"
#define IR_FIELD_VAL "#val:"

// Typed indices. IR_NONE means "none" in each.
typedef uint32_t IrType;     // IrUnit.types
typedef uint32_t IrRecordId; // IrUnit.records
typedef uint32_t IrCalleeId; // IrUnit.callees
typedef uint32_t IrFuncId;   // IrUnit.functions
typedef uint32_t IrVarId;    // IrFunction.vars
typedef uint32_t IrPlaceId;  // IrFunction.places
typedef uint32_t IrExprId;   // IrFunction.exprs
typedef uint32_t IrBlockId;  // IrFunction.blocks
typedef uint32_t IrInlineId; // IrFunction.inlined

// ---- types ------------------------------------------------------------------------------------

typedef enum {
    IR_TY_VOID,
    IR_TY_BOOL,
    IR_TY_INT, // integers, enums, characters
    IR_TY_FLOAT,
    // T *; also handles such as cudaStream_t, which are pointers to incomplete records
    IR_TY_POINTER,
    IR_TY_REFERENCE, // T & and T &&
    IR_TY_ARRAY,
    IR_TY_RECORD,
    IR_TY_FUNCTION,
    IR_TY_OTHER, // vectors, complex, dependent, auto that was not deduced
} IrTypeKind;

typedef struct {
    IrTypeKind kind;
    bool is_const;     // this type itself is const-qualified
    bool is_unsigned;  // of IR_TY_INT
    IrType pointee;    // of pointer, reference, array (element) and function (result); else IR_NONE
    int64_t extent;    // of IR_TY_ARRAY: elements, -1 unknown
    uint64_t size;     // bytes, 0 unknown
    IrRecordId record; // of IR_TY_RECORD, else IR_NONE
    const char *name;  // canonical spelling, interned
} IrTypeInfo;

typedef struct {
    const char *name; // interned
    IrType type;
    const char *shares; // a field before it in whose storage it lies (anonymous union), or NULL
} IrField;

// What the standard library's classes are to us; user classes are always IR_REC_USER, whatever
// their name.
typedef enum {
    IR_REC_USER,
    // std::unique_ptr: lowered to its fields "#ptr" and, for function-pointer deleters, "#del"
    IR_REC_UNIQUE_PTR,
    // any other class declared in a system header (containers, strings, thrust wrappers)
    IR_REC_STD,
} IrRecordKind;

typedef struct {
    const char *name; // qualified, with template arguments
    const char *usr;  // clang's unified symbol resolution: the same in every translation unit
    SrcLoc loc;
    IrRecordKind kind;
    bool is_union;
    bool is_closure;  // of a lambda; its fields are what it captured
    bool is_complete; // fields are known
    bool has_shared;  // some field shares the storage of another
    // of a library class: what it was made for (elements, comparators, functions) may bring code of
    // the user's, which its methods then run
    bool runs_user_code;
    Vec(IrField) fields;     // in declaration order, own fields only
    Vec(IrRecordId) bases;   // direct bases; a base subobject is the field "#base:NAME"
    IrCalleeId destructor;   // user-written destructor, IR_NONE when implicit or defaulted
    bool copy_ctor_declared; // user-written, defaulted or deleted copy constructor
    bool copy_ctor_deleted;
    bool copy_ctor_defaulted;
    bool copy_assign_declared;
    bool copy_assign_deleted;
    bool copy_assign_defaulted;
    // a move constructor or move assignment is declared (so copies are implicitly deleted)
    bool move_declared;
} IrRecord;

// ---- callees ----------------------------------------------------------------------------------

// A function that is called or defined: everything about its declaration, once per unit.
typedef struct {
    const char *name; // unqualified ("cudaMalloc", "~Buf", "operator()")
    // "cudaMalloc", "mem::alloc", "std::vector::push_back" (no template arguments)
    const char *qualified;
    const char *usr;
    SrcLoc loc;
    IrType result;
    Vec(IrType) params;        // without `this`
    IrRecordId record;         // of methods, constructors, destructors; else IR_NONE
    Vec(IrCalleeId) overrides; // methods of base classes that this one overrides
    IrFuncId body;             // its definition when lowered in this unit, else IR_NONE
    bool is_method;            // non-static member: args[0] of a call is the object's address
    bool is_const_method;      // cannot change its object
    bool is_constructor;
    bool is_destructor;
    bool is_virtual;
    bool is_pure;          // virtual, and its class defines no body
    bool is_variadic;      // C variadic
    bool is_kernel;        // __global__
    bool is_device_only;   // __device__ without __host__
    bool in_system_header; // declared in a system, toolkit or bundled header
    // C linkage, or a CUDA/C library function: cannot throw, keeps nothing unless the model says so
    bool is_extern_c_like;
    bool is_internal; // static or anonymous namespace: the USR is unique only within the file
    // of kernels whose body was seen: parameters (as bits) whose pointee it only reads, may write,
    // and of which it may be that no thread touches it; behind them managed variables that it names,
    // which launches give it as if they were arguments
    uint64_t kernel_reads, kernel_writes, kernel_idle;
    bool is_noreturn; // by attribute
    bool is_nothrow;  // noexcept, C linkage, __attribute__((nothrow))
} IrCallee;

// ---- functions --------------------------------------------------------------------------------

typedef enum {
    IR_VAR_LOCAL,
    IR_VAR_PARAM,
    IR_VAR_THIS,   // the object pointer of a method, always a pointer
    IR_VAR_TEMP,   // made by the lowering; a class-typed temporary is scope-ended like a local
    IR_VAR_STATIC, // static or thread_local local
    IR_VAR_GLOBAL, // namespace scope or static member
    // in a generic lambda, whose captures are not known: a variable of the enclosing function
    IR_VAR_CAPTURE,
} IrVarKind;

typedef struct {
    const char *name; // interned; temporaries are "%N"
    const char *usr;  // of globals, else NULL
    IrVarKind kind;
    IrType type; // a reference keeps its reference type
    SrcLoc loc;
    // static storage, never written in this unit and not visible outside it (or const): it keeps
    // `init`
    bool is_frozen;
    bool is_managed; // __managed__: kernels use it where it lies
    bool has_init;   // `init` is known
    int64_t init;    // initial value of a static-storage scalar (pointers: 0 for null)
} IrVar;

typedef enum { IR_PL_VAR, IR_PL_FIELD, IR_PL_DEREF, IR_PL_INDEX } IrPlaceKind;

// A place: a variable or a projection of another place. Interned per function: equal places have
// equal ids.
typedef struct {
    IrPlaceKind kind;
    IrVarId var;    // IR_PL_VAR
    IrPlaceId base; // of projections
    // IR_PL_FIELD: interned; "#ptr", "#del" of unique_ptr, "#base:NAME" of base subobjects
    const char *field;
    IrExprId index; // IR_PL_INDEX; IR_NONE: some element, not known which
    IrType type;    // of what is stored there
} IrPlace;

typedef enum {
    IR_EX_INT, // value; null pointers are 0 of pointer type
    // text = the literal as written; NULL: a constant not known, never equal to another
    IR_EX_FLOAT,
    IR_EX_STRING, // text
    IR_EX_LOAD,   // what the place holds; of record type: the whole object
    IR_EX_ADDR,   // address of the place
    IR_EX_FUNC,   // address of a function
    IR_EX_UNARY,  // op, a
    IR_EX_BINARY, // op, a, b
    // a as `type`: every cast the user wrote, and implicit ones between pointers, integers and bool
    IR_EX_CAST,
    // value = bytes (0 unknown); sizeof_type = operand type; from an expression operand: a = it,
    // else IR_NONE
    IR_EX_SIZEOF,
    IR_EX_CLOSURE, // a lambda: callee = its operator(); captures
    IR_EX_UNKNOWN, // a value nothing is known of; each occurrence may differ
} IrExprKind;

typedef enum {
#define IR_OPERATOR(name, text) name,
#include "ir/operators.def"
#undef IR_OPERATOR
} IrOperator;

typedef struct {
    // the closure's field, interned: "#ref:NAME" holds the address of what is captured, "#val:NAME" a
    // copy
    const char *field;
    bool by_reference;
    IrExprId value; // ADDR of the captured place when by reference, else its value at creation
} IrCapture;

// A pure expression. Interned per function, except IR_EX_UNKNOWN, IR_EX_CLOSURE and IR_EX_FLOAT
// without text. Operands have smaller indices than the expression they are part of.
typedef struct {
    IrExprKind kind;
    IrType type;
    IrOperator op;   // unary, binary
    IrExprId a, b;   // operands
    IrPlaceId place; // load, addr
    int64_t value;   // int, sizeof
    IrType sizeof_type;
    const char *text;  // string, float
    IrCalleeId callee; // func, closure
    IrCapture *captures;
    uint32_t capture_count;
} IrExpr;

typedef enum {
#define IR_OPCODE(name, text, is_terminator) name,
#include "ir/ops.def"
#undef IR_OPCODE
} IrOpcode;

typedef enum {
    IR_BR_IF,
    IR_BR_LOOP,
    IR_BR_TERNARY,
    IR_BR_LOGICAL,
    IR_BR_RANGE_FOR,
    IR_BR_SYNTHETIC
} IrBranchKind;

typedef struct {
    int64_t lo, hi; // inclusive (GNU ranges)
    IrBlockId target;
} IrCase;

typedef struct {
    IrCalleeId callee; // IR_NONE: indirect, through `target`
    IrExprId target;   // of indirect calls: the function pointer
    IrExprId *args;    // args[0] is the object's address for methods, constructors and destructors
    uint32_t arg_count;
    IrPlaceId dst; // where the result goes; IR_NONE: dropped
    // where an exception continues in this function (handler or destructors); IR_NONE: it leaves
    // the function
    IrBlockId unwind;
    bool in_try; // an enclosing try block of this function may catch
    // written by the compiler: destructor at scope end, default constructor of a member
    bool is_implicit;
    bool is_virtual; // dispatched at run time
    bool is_new;     // operator new of a new expression (dst holds the object)
    bool is_delete;  // operator delete of a delete expression
    // launches only; IR_NONE when not given
    IrExprId grid, block, shared_bytes, stream;
} IrCall;

typedef struct {
    IrOpcode op;
    SrcLoc loc;
    IrVarId var;    // DECL, SCOPE_END
    IrPlaceId dst;  // ASSIGN, CLOBBER
    IrExprId value; // ASSIGN, RETURN (IR_NONE: void), BRANCH, SWITCH, THROW (IR_NONE: rethrow)
    IrCall *call;   // CALL, LAUNCH
    // JUMP, BRANCH (true), SWITCH (default), THROW (handler; IR_NONE: leaves the function)
    IrBlockId target;
    IrBlockId other; // BRANCH (false)
    IrBranchKind branch_kind;
    // BRANCH: of the operand of a `!` at `loc`: the condition there holds where this one does not, and whether it
    // does is not decided yet at these ends.
    bool is_negated;
    bool target_is_open, other_is_open;
    IrCase *cases; // SWITCH
    uint32_t case_count;
    bool is_init;       // ASSIGN that initialises: nothing was there before
    IrInlineId inlined; // it comes from this callee's body; IR_NONE: from the function itself
} IrInstr;

typedef struct {
    Vec(IrInstr) instrs; // the last is the terminator
    IrInlineId enters;   // a callee's body begins here; IR_NONE: none does
} IrBlock;

// A call whose place the callee's body has taken.
typedef struct {
    IrCalleeId callee;
    SrcLoc loc;
    IrInlineId within; // the body the call itself came with, else IR_NONE
} IrInlined;

typedef struct {
    IrFuncId id;
    IrCalleeId callee; // its declaration
    const char *name;  // for people: qualified, with template arguments of an instantiation
    SrcLoc loc;
    SrcLoc end; // closing brace
    bool is_main;
    bool is_lambda;
    bool is_constructor, is_destructor;
    bool is_instantiation; // of a template
    IrVarId this_var;      // IR_NONE outside methods
    Vec(IrVarId) params;   // in order, without `this`
    Vec(IrVar) vars;
    Vec(IrPlace) places;
    Vec(IrExpr) exprs;
    Vec(IrBlock) blocks;
    Vec(IrInlined) inlined;
    struct IrIntern *intern; // builder's tables, private to ir_build.c
} IrFunction;

// A function that was seen but not analysed, and why.
typedef struct {
    const char *name;
    SrcLoc loc;
    // "line 12: use of undeclared identifier 'foo'", "unsupported construct: ..."
    const char *reason;
    const char *usr; // or NULL: not known; the text form leaves it out
} IrSkipped;

typedef struct {
    Arena *arena;
    StrPool *strings;
    const char *file;       // main file
    bool per_thread_stream; // the default stream is one per thread
    Vec(IrTypeInfo) types;
    Vec(IrRecord) records;
    Vec(IrCallee) callees;
    Vec(IrFunction *) functions;
    Vec(IrSkipped) skipped;
    uint32_t host_functions;     // seen: lowered + skipped; counted by whoever fills the unit
    struct IrUnitIntern *intern; // builder's tables, private to ir_build.c
} IrUnit;

// ---- looking ----------------------------------------------------------------------------------

// The name of the field in whose storage the place, a field, lies: its own, but in a union.
const char *ir_storage_of(const IrUnit *unit, const IrFunction *fn, const IrPlace *place);

static inline const IrTypeInfo *ir_type(const IrUnit *unit, IrType type)
{
    return &unit->types.items[type];
}
// Volatile-qualified itself.
bool ir_type_is_volatile(const IrUnit *unit, IrType type);
static inline const IrPlace *ir_place(const IrFunction *fn, IrPlaceId place)
{
    return &fn->places.items[place];
}
static inline const IrExpr *ir_expr_at(const IrFunction *fn, IrExprId expr)
{
    return &fn->exprs.items[expr];
}
static inline const IrExpr *ir_without_casts(const IrFunction *fn, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(fn, expr->a);
    return expr;
}
bool ir_is_terminator(IrOpcode op);
// The name of the captured variable when the field is a closure's, else NULL.
const char *ir_captured_name(const char *field);
const char *ir_opcode_text(IrOpcode op);
const char *ir_operator_text(IrOperator op);
// Calls `visit` with each successor of the block, exception edges of its calls and throw included.
void ir_successors(const IrFunction *fn, IrBlockId block,
                   void (*visit)(void *context, IrBlockId successor), void *context);
// How an instruction mentions a variable.
typedef enum {
    IR_MENTION_VALUE,    // it is read or written, or leads to what is
    IR_MENTION_ADDRESS,  // its address is taken
    IR_MENTION_ARGUMENT, // its address is an argument of a call
    IR_MENTION_SCOPE,    // it begins or ends
} IrMention;
// Calls `visit` with each variable that the instruction mentions.
void ir_each_mention(const IrFunction *fn, const IrInstr *instr,
                     void (*visit)(void *context, IrVarId var, IrMention how), void *context);
// Source-like text of a place or expression for messages: "ctx->buf", "p[i]"; temporaries print as
// "(...)". In `arena`.
const char *ir_place_text(Arena *arena, const IrUnit *unit, const IrFunction *fn, IrPlaceId place);
const char *ir_expr_text(Arena *arena, const IrUnit *unit, const IrFunction *fn, IrExprId expr);

#endif
