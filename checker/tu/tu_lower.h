// SPDX-License-Identifier: MIT
// Private to tu_lower_*.c: the state of lowering one function, and what the parts of lowering ask
// of each other. Every function takes the Lower it works for; what it emits goes to the end of the
// current block.
#ifndef CUDALINT_TU_TU_LOWER_H
#define CUDALINT_TU_TU_LOWER_H

#include "tu/tu_lower_unit.h"

// ---- the state of one function ------------------------------------------------------------------

typedef enum {
    LW_CLEAN_VAR, // a variable whose storage ends, destroyed first when its type asks for it
    LW_CLEAN_OBJECT, // a subobject to destroy when an exception leaves (members while a constructor runs)
    LW_CLEAN_TRY, // a try block: exceptions stop here
} LwCleanKind;

typedef struct {
    CXType type;      // what is caught, references followed
    bool catches_all; // catch (...)
    IrBlockId entry;
} LwHandler;

// One step of leaving a scope. Cleanups form a tree that only grows: `outer` leads to the
// function's end.
typedef struct LwCleanup {
    struct LwCleanup *outer;
    LwCleanKind kind;
    uint32_t depth;
    IrVarId var;     // VAR
    IrPlaceId place; // what to destroy
    CXType type;     // of it
    bool destroys;   // leaving does more than end storage
    bool in_try;     // this or an outer one is a try block
    // __attribute__((cleanup)): called with the variable's address; IR_NONE: none.
    IrCalleeId on_exit;
    LwHandler *handlers; // TRY
    uint32_t handler_count;
    IrBlockId landing; // where an exception starts from here; IR_NONE: not made yet
} LwCleanup;

// Where break, continue or return go, and the scope they lead to.
typedef struct {
    IrBlockId block; // IR_NONE: nowhere
    LwCleanup *scope;
} LwTarget;

typedef struct LwSwitch {
    Vec(IrCase) cases;
    IrBlockId default_block; // IR_NONE: none seen
    LwCleanup *scope;
} LwSwitch;

// What `return` means: leaving the function, or (inlined lambdas, destructors) storing and jumping.
typedef struct {
    bool is_jump;
    LwTarget target;
    IrPlaceId result; // is_jump: where the value goes, IR_NONE: dropped
    CXType type;      // declared result
} LwReturn;

typedef struct {
    CXCursor cursor; // LabelStmt
    IrBlockId block;
    LwCleanup *scope;
    bool is_placed;
} LwLabel;

// A goto, completed when all labels are known.
typedef struct {
    uint32_t label;
    IrBlockId block; // open, ends in the goto
    LwCleanup *scope;
    SrcLoc loc;
} LwGoto;

typedef struct {
    CXCursor decl; // captured variable; null: `this`
    bool by_reference;
    IrPlaceId copy; // by value: the copy made at creation
} LwCapture;

// A lambda expression met in the function.
typedef struct {
    CXCursor expr;
    CXCursor method; // its operator()
    LwCapture *captures;
    uint32_t capture_count;
    bool escapes;      // used as a value: its body must exist as a function
    bool is_converted; // to a function pointer
    bool is_inlined;   // called in place at least once
    bool is_generic;   // instantiations of operator() are functions of their own
    bool is_active;    // being inlined now
} LwLambda;

// What a variable of the source is here.
typedef struct {
    IrPlaceId place;  // the object, references already followed
    LwLambda *lambda; // it holds this lambda and never another
} LwBinding;

struct Lower {
    TuContext *ctx;
    IrUnit *unit;
    struct TuLowerUnit *tables;
    Arena *arena; // of this function's lowering
    Arena *nodes; // of the statement being lowered: lists of child cursors
    IrFunction *fn;
    CXCursor function;
    IrBlockId block; // current
    LwCleanup *top;  // innermost scope
    SrcLoc loc;      // of the expression at work, for code without one
    SrcLoc pinned;   // valid: everything emitted is located here (default arguments)
    LwCursorMap vars;
    Vec(LwBinding) bindings;
    LwTarget on_break, on_continue;
    LwSwitch *sw;
    LwReturn ret;
    LwCursorMap label_index;
    Vec(LwLabel) labels;
    Vec(LwGoto) gotos;
    Vec(LwLambda *) lambdas;
    IrPlaceId range_element; // what *__begin is in the range-for being entered
    bool in_listed;          // in a range-for whose elements are gone through one by one
    IrVarId returned;        // object being returned: it is handed on, not destroyed; IR_NONE: none
    IrBlockId resume;        // block that ends in IR_RESUME; IR_NONE: none yet
    IrVarId this_var;        // `this`; in lambdas the closure. IR_NONE: none
    // In lambdas: the pointer to the object around; IR_NONE: not used so far.
    IrPlaceId captured_this;
    bool is_lambda;
    bool in_throw;           // the operand of a throw is being lowered
    uint32_t depth;          // of nesting in the source, at present
    CXCursor making;         // the expression lw_materialize is making an object of, null at first
    uint32_t inlined;        // lambda calls inlined so far
    const char *unsupported; // why the function must be given up; NULL: it need not
};

// The value of an expression, or the object it denotes; neither: void.
typedef struct {
    IrExprId value;
    IrPlaceId place;
} LwOperand;

// Gives the function up: a construct that lowering does not know.
void lw_unsupported(Lower *lw, CXCursor cursor, const char *what);

// ---- syntax (tu_lower_ast.c) --------------------------------------------------------------------

typedef struct {
    CXCursor *items;
    uint32_t count;
} LwCursors;

LwCursors lw_children(Lower *lw, CXCursor cursor); // allocated in lw->nodes
LwCursors lw_operands(Lower *lw, CXCursor cursor); // those that are expressions
// The last operand, or a null cursor.
CXCursor lw_operand_of(Lower *lw, CXCursor cursor);
// Without parentheses and implicit nodes that leave the type as it is.
CXCursor lw_strip(Lower *lw, CXCursor cursor);
// Without parentheses, implicit nodes and casts, whatever they do to the type.
CXCursor lw_strip_casts(Lower *lw, CXCursor cursor);
// A pointer before it was implicitly converted to void *.
CXCursor lw_pointer_origin(Lower *lw, CXCursor cursor);
bool lw_is_null(CXCursor cursor);
bool lw_is_kind(CXCursor cursor, enum CXCursorKind kind);
// Written by nobody: default arguments and the like have no extent.
bool lw_is_synthetic(CXCursor cursor);
SrcLoc lw_loc(Lower *lw, CXCursor cursor);
// The cursor's text from its first character as spelled, up to the end of the file; NULL: none.
const char *lw_text_at(Lower *lw, CXCursor cursor, size_t *len);
const char *lw_spelling(Lower *lw, CXCursor cursor); // interned
bool lw_evaluate(CXCursor cursor, int64_t *value);   // integer constant expressions
// Whether a `what` character or word stands in the text of an extent. For attributes and lambda
// introducers.
bool lw_extent_has(Lower *lw, CXCursor cursor, const char *what);

// The parts of an if or for, by position in its header (tu_lower_header.c). Absent parts are null
// cursors.
typedef struct {
    CXCursor init, variable, cond, inc, body, other; // body: then; other: else
    bool is_constexpr;
    bool is_always; // no condition: the body runs
} LwHeader;

LwHeader lw_header_if(Lower *lw, CXCursor statement);
LwHeader lw_header_for(Lower *lw, CXCursor statement);

// ---- emitting (tu_lower_emit.c) -----------------------------------------------------------------

IrBlockId lw_block(Lower *lw);
void lw_enter(Lower *lw, IrBlockId block); // makes it current
bool lw_is_open(const Lower *lw);          // the current block still takes instructions
void lw_append(Lower *lw, IrInstr instr);
void lw_assign(Lower *lw, SrcLoc loc, IrPlaceId dst, IrExprId value);
void lw_initialize(Lower *lw, SrcLoc loc, IrPlaceId dst, IrExprId value);
void lw_clobber(Lower *lw, SrcLoc loc, IrPlaceId dst);
void lw_jump(Lower *lw, SrcLoc loc, IrBlockId target);
typedef struct {
    IrBlockId yes, no;
    IrBranchKind kind;
    // Within a negated condition: where that begins, whether it is true where the branch leads to `no`,
    // and at which ends it is not decided yet.
    SrcLoc negated;
    bool is_negated;
    bool yes_is_open, no_is_open;
} LwBranch;
void lw_branch(Lower *lw, SrcLoc loc, IrExprId value, LwBranch branch); // folds constants
void lw_unreachable(Lower *lw, SrcLoc loc);
IrPlaceId lw_temp(Lower *lw, IrType type, SrcLoc loc); // a scalar temporary
IrPlaceId lw_spill(Lower *lw, SrcLoc loc, IrExprId value);
IrExprId lw_load(Lower *lw, IrPlaceId place);
IrExprId lw_address(Lower *lw, IrPlaceId place);
IrExprId lw_const(Lower *lw, int64_t value, IrType type);
IrExprId lw_unknown(Lower *lw, IrType type);
IrPlaceId lw_field(Lower *lw, IrPlaceId base, const char *name, IrType type);
IrPlaceId lw_index(Lower *lw, IrPlaceId base, IrExprId index, IrType type);
IrPlaceId lw_deref(Lower *lw, IrPlaceId pointer, IrType type);
// The place a pointer value points to, and that `index` elements on.
IrPlaceId lw_deref_value(Lower *lw, IrExprId pointer, IrType type);
IrPlaceId lw_index_value(Lower *lw, IrExprId pointer, IrExprId index, IrType type);
const IrExpr *lw_expr(const Lower *lw, IrExprId expr);
const IrPlace *lw_place_at(const Lower *lw, IrPlaceId place);
IrCall *lw_call_new(Lower *lw, IrCalleeId callee, uint32_t arg_count);
// Appends the call; works out where exceptions go, and ends the block after a noreturn callee.
void lw_emit_call(Lower *lw, SrcLoc loc, IrCall *call);
void lw_emit_nothrow_call(Lower *lw, SrcLoc loc,
                          IrCall *call); // where an exception would end the program

// ---- variables (tu_lower_var.c) -----------------------------------------------------------------

void lw_bind(Lower *lw, CXCursor decl, LwBinding binding);
LwBinding *lw_binding(Lower *lw, CXCursor decl); // NULL: not bound
IrPlaceId lw_var_place(Lower *lw, CXCursor decl);
// Adds a variable for the declaration and binds it; its storage is not begun.
IrVarId lw_var_new(Lower *lw, CXCursor decl, IrVarKind kind);
void lw_declare(Lower *lw, IrVarId var, SrcLoc loc); // emits DECL
// Adds and declares a local variable that is called what the cursor is.
IrVarId lw_local(Lower *lw, CXCursor named, CXType type, SrcLoc loc);
IrPlaceId lw_this(Lower *lw); // the object; IR_NONE outside methods
CXType lw_this_type(Lower *lw);

// ---- scopes (tu_lower_scope.c, tu_lower_destroy.c) ----------------------------------------------

void lw_push_var(Lower *lw, IrVarId var, CXType type);
void lw_push_object(Lower *lw, IrPlaceId place, CXType type);
LwCleanup *lw_push_try(Lower *lw, IrBlockId dispatch);
// Emits what leaving the scopes down to `scope` does; `ends_storage` as well as destroying.
void lw_unwind_to(Lower *lw, const LwCleanup *scope, SrcLoc loc, bool ends_storage);
// The same for an exception that is caught there (NULL: leaves the function): subobjects of what is
// being constructed die too.
void lw_unwind_exception(Lower *lw, const LwCleanup *scope, SrcLoc loc);
// Leaves them for good.
void lw_leave(Lower *lw, LwCleanup *scope, SrcLoc loc);
// Where an exception thrown here continues; IR_NONE: it leaves the function with nothing to do.
IrBlockId lw_landing(Lower *lw);
void lw_destroy(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc);
void lw_destroy_members(Lower *lw, IrPlaceId object, CXType type, SrcLoc loc);

// ---- expressions (tu_lower_expr.c and its parts) ------------------------------------------------

bool lw_descend(Lower *lw,
                CXCursor cursor); // one level deeper (lw->depth); false: too deep, given up
IrExprId lw_value(Lower *lw, CXCursor expr);
IrPlaceId lw_place(Lower *lw, CXCursor expr);
// Of some object, not known which: *p of a pointer to member, a member through one or of an unknown class.
IrPlaceId lw_unknown_place(Lower *lw, CXCursor expr);
void lw_effect(Lower *lw, CXCursor expr); // for its side effects
void lw_cond(Lower *lw, CXCursor expr, LwBranch branch);
// The expression at the end of a statement: its temporaries die.
void lw_full_effect(Lower *lw, CXCursor expr);
IrExprId lw_convert(Lower *lw, IrExprId value, CXType to);
IrExprId lw_decay(Lower *lw, CXCursor array,
                  CXType pointer); // an array as a pointer to its first element
IrExprId lw_conversion_value(Lower *lw, CXCursor expr); // implicit nodes and casts
IrPlaceId lw_conversion_place(Lower *lw, CXCursor expr);
IrExprId lw_operator_value(Lower *lw, CXCursor expr);    // unary, binary, assignments
IrPlaceId lw_assignment(Lower *lw, CXCursor expr);       // =, +=, ++x: the place written
void lw_step(Lower *lw, CXCursor expr, IrPlaceId place); // ++ and --
bool lw_is_assignment(CXCursor expr);
IrExprId lw_bool_value(Lower *lw, CXCursor expr);   // && || through control flow, as 0 or 1
IrExprId lw_choice_value(Lower *lw, CXCursor expr); // ?:
IrPlaceId lw_choice_place(Lower *lw, CXCursor expr);
void lw_choice_effect(Lower *lw, CXCursor expr);
IrExprId lw_literal(Lower *lw, CXCursor expr);
IrExprId lw_sizeof(Lower *lw, CXCursor expr);
IrExprId lw_decl_value(Lower *lw, CXCursor expr); // DeclRefExpr, MemberRefExpr
IrPlaceId lw_decl_place(Lower *lw, CXCursor expr);
bool lw_is_range_iterator(Lower *lw,
                          CXCursor expr); // the hidden iterator of the range-for being entered
IrPlaceId lw_member_place(Lower *lw, CXCursor expr);
IrPlaceId lw_materialize(Lower *lw, CXCursor expr);    // a temporary that holds the value
IrExprId lw_statement_value(Lower *lw, CXCursor expr); // ({ })
IrExprId lw_operand_value(Lower *lw, LwOperand operand);
void lw_store(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr); // dst = expr
void lw_store_at(Lower *lw, IrPlaceId dst, CXType type, CXCursor expr, SrcLoc loc, bool is_init);

// ---- initialising (tu_lower_init.c, tu_lower_list.c, tu_lower_object.c, tu_lower_copy.c) --------

void lw_init(Lower *lw, IrPlaceId dst, CXType type, CXCursor init);
void lw_init_list(Lower *lw, IrPlaceId dst, CXType type, CXCursor list);
enum { LW_MAX_ELEMENTS = 64 }; // longer arrays are not spelled out element by element
bool lw_is_spelled_out(Lower *lw, CXType array);
IrPlaceId lw_element_place(Lower *lw, IrPlaceId array, CXType element, int64_t index);
// What a member that a list leaves out becomes.
void lw_value_initialize(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc);
IrExprId lw_zero_value(Lower *lw, IrType type);
void lw_zero(Lower *lw, IrPlaceId dst, CXType type, SrcLoc loc);
void lw_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call);
void lw_default_construct(Lower *lw, IrPlaceId dst, CXType type, SrcLoc loc);
void lw_copy(Lower *lw, IrPlaceId dst, IrPlaceId src, CXType type, bool is_move, bool is_assignment,
             SrcLoc loc);
CXCursor lw_field_init(Lower *lw, CXCursor field); // default member initialiser, or null
IrPlaceId lw_new_object(Lower *lw, CXType type,
                        SrcLoc loc);          // a declared temporary, not yet in any scope
bool lw_is_prvalue(Lower *lw, CXCursor expr); // of class type: a value without an object of its own

// ---- calls (tu_lower_call.c and its parts) ------------------------------------------------------

LwOperand lw_call(Lower *lw, CXCursor call, IrPlaceId dst, bool is_dropped);
IrExprId lw_argument(Lower *lw, CXCursor argument, CXType parameter);
CXCursor lw_call_argument(Lower *lw, CXCursor call, uint32_t index); // default arguments resolved
CXCursor lw_default_argument(CXCursor function, uint32_t index);     // null: none
// The function that the expression is known to name: a constant pointer, or a field of a constant
// table. Null: not known.
CXCursor lw_constant_function(Lower *lw, CXCursor expr);
IrPlaceId lw_call_object(Lower *lw, CXCursor call); // of a method or operator call
LwOperand lw_call_finish(Lower *lw, SrcLoc loc, IrCall *call, CXType result, IrPlaceId dst,
                         bool is_dropped);
bool lw_launch(Lower *lw, CXCursor call); // false: not a kernel launch
bool lw_std_call(Lower *lw, CXCursor call, CXCursor function, LwOperand *result);
bool lw_unique_call(Lower *lw, CXCursor call, CXCursor function, LwOperand *result);
bool lw_emplace_call(Lower *lw, CXCursor call, CXCursor function, IrPlaceId dst, LwOperand *result);
void lw_unique_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call);
void lw_unique_move(Lower *lw, IrPlaceId dst, IrPlaceId src, CXType type, bool is_assignment,
                    SrcLoc loc);
void lw_unique_destroy(Lower *lw, IrPlaceId place, CXType type, SrcLoc loc);
void lw_unique_swap(Lower *lw, IrPlaceId a, IrPlaceId b, CXType type, SrcLoc loc);
IrPlaceId lw_unique_ptr(Lower *lw, IrPlaceId place, CXType type); // its "#ptr"
// Number of parts of a std::pair or std::tuple that is seen through; 0: of anything else.
uint32_t lw_tuple_size(Lower *lw, CXType type);
IrPlaceId lw_tuple_part(Lower *lw, IrPlaceId object, CXType type, uint32_t index);
// Gives each part the argument that is meant for it, from argument `first` on; false: they do not fit.
bool lw_tuple_init(Lower *lw, IrPlaceId dst, CXType type, CXCursor call, uint32_t first);
bool lw_tuple_construct(Lower *lw, IrPlaceId dst, CXType type, CXCursor call);
bool lw_tuple_call(Lower *lw, CXCursor call, CXCursor function, IrPlaceId dst, LwOperand *result);
IrExprId lw_new(Lower *lw, CXCursor expr);
void lw_delete(Lower *lw, CXCursor expr);
void lw_delete_pointer(Lower *lw, IrExprId pointer, CXType type, bool is_array, SrcLoc loc);

// ---- lambdas (tu_lower_lambda.c) ----------------------------------------------------------------

IrExprId lw_lambda_value(Lower *lw, CXCursor expr);
// The variable is initialised with a lambda: captures are copied; it may be inlined later.
void lw_lambda_declare(Lower *lw, CXCursor decl, CXCursor expr);
bool lw_lambda_call(Lower *lw, CXCursor call, IrPlaceId dst, LwOperand *result);
// The closure that the lambda makes.
IrExprId lw_closure_value(Lower *lw, const LwLambda *lambda);
// In the body of a lambda that is a function of its own: what it captured.
void lw_bind_captures(Lower *lw, CXCursor method);
void lw_lambda_functions(Lower *lw); // lowers the bodies that were not inlined

// ---- statements ---------------------------------------------------------------------------------

void lw_statement(Lower *lw, CXCursor statement);
SrcLoc lw_end_loc(Lower *lw, CXCursor statement); // the closing brace, or the last token
void lw_compound(Lower *lw, CXCursor statement);  // with its scope
void lw_declaration(Lower *lw, CXCursor declaration);
void lw_variable(Lower *lw, CXCursor decl);
// Evaluates the sizes of variable-length arrays in a type that is written in `holder`, where `rest`
// is no part of the type (tu_lower_vla.c).
void lw_sizes(Lower *lw, CXCursor holder, CXType type, CXCursor rest);
bool lw_sizeof_sizes(Lower *lw, CXCursor expr); // those in sizeof(int[n]); false: it has none
void lw_if(Lower *lw, CXCursor statement);
void lw_while(Lower *lw, CXCursor statement);
void lw_do(Lower *lw, CXCursor statement);
void lw_for(Lower *lw, CXCursor statement);
void lw_range_for(Lower *lw, CXCursor statement);
void lw_switch(Lower *lw, CXCursor statement);
void lw_case(Lower *lw, CXCursor statement);
void lw_goto(Lower *lw, CXCursor statement);
void lw_label(Lower *lw, CXCursor statement);
void lw_gotos_finish(Lower *lw);
void lw_return(Lower *lw, CXCursor statement);
void lw_try(Lower *lw, CXCursor statement);
// A constructor's function-try-block covers its initialisers; null otherwise.
void lw_try_block(Lower *lw, CXCursor statement, CXCursor constructor);
void lw_construct_members(Lower *lw, CXCursor constructor);
void lw_throw(Lower *lw, CXCursor expr);
void lw_constructor(Lower *lw, CXCursor constructor, CXCursor body);
void lw_destructor(Lower *lw, CXCursor body);
typedef enum {
    LW_BODY_FUNCTION,
    LW_BODY_LAMBDA,  // a lambda's call operator: variables of the function around it are captures
    LW_BODY_INVOKER, // what a lambda converts to: the same without a closure
} LwBodyKind;

// Lowers one function body into a function of its own.
bool lw_function(TuContext *ctx, CXCursor definition, LwBodyKind kind);

#endif
