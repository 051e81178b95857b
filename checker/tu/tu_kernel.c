// SPDX-License-Identifier: MIT
// What a kernel does with the memory that its pointer parameters lead to. One walk over its body:
// each use of such a parameter, or of a variable that was computed from it, is followed outwards to
// a load, a store or something not understood. Managed variables that are named are followed likewise.
#include "base/idtable.h"
#include "tu/tu_p.h"

#define MAX_ALIASES 32
#define MAX_CHILDREN 4 // of a condition with a statement before it and both branches
#define MAX_CALL_DEPTH 16

// What a function was found to do: kernels and the functions that they share are looked at once.
typedef struct {
    CXCursor function;
    TuKernelAccess access; // nothing known while its body is being walked: it calls itself
} KnownAccess;

typedef struct TuKernels {
    Vec(KnownAccess) known;
    IdTable by_cursor;
} TuKernels;

// What becomes of the value of an expression, or of the object that it names.
typedef enum {
    USE_NOTHING, // compared, converted to a number or dropped
    USE_UNKNOWN, // the value goes somewhere
    USE_READ,    // the object that the value points to is loaded
    USE_WRITE,   // ... is stored to
    USE_ESCAPES, // ... is named, and anything may happen to it
} Use;

typedef struct {
    CXCursor variable;
    uint64_t params; // that its value may come from, as bits
} Alias;

typedef struct {
    TuContext *ctx;
    Alias aliases[MAX_ALIASES]; // the parameters themselves first
    uint32_t alias_count;
    uint32_t param_count;
    Vec(CXCursor) managed; // variables that are named, as bits behind the parameters
    bool is_full;          // there were more aliases than room
    bool is_chosen;        // where the walk is: reached only if the launch's numbers say so
    int depth;             // of calls followed
    uint64_t reads, writes, unknown;
} Kernel;

typedef struct {
    Kernel *kernel;
    Use use;           // of the value, or of the pointee of what is dereferenced
    uint64_t alias_of; // out: parameters that the value comes from
} Visit;

static uint64_t visit(Kernel *kernel, CXCursor cursor, Use use);
static TuKernelAccess access_of(TuContext *ctx, CXCursor definition, int depth);

static void note(Kernel *kernel, uint64_t params, Use use)
{
    if (kernel->is_chosen) return;
    if (use == USE_READ) kernel->reads |= params;
    if (use == USE_WRITE) kernel->writes |= params;
    if (use == USE_UNKNOWN || use == USE_ESCAPES) kernel->unknown |= params;
}

static uint64_t params_of(const Kernel *kernel, CXCursor variable)
{
    for (uint32_t i = 0; i < kernel->alias_count; i++)
        if (clang_equalCursors(kernel->aliases[i].variable, variable))
            return kernel->aliases[i].params;
    return 0;
}

// The bit of a managed variable; 0 where there are too many.
static uint64_t managed_bit(Kernel *kernel, CXCursor variable)
{
    uint32_t i = 0;
    while (i < kernel->managed.len && !clang_equalCursors(kernel->managed.items[i], variable)) i++;
    if (kernel->param_count + i >= 64) return 0;
    if (i == kernel->managed.len) vec_push(kernel->ctx->arena, &kernel->managed, variable);
    return UINT64_C(1) << (kernel->param_count + i);
}

// What the variable's value may come from, or what it is itself. Of a managed object with members it
// would not be known which is meant.
static uint64_t roots_of(Kernel *kernel, CXCursor variable)
{
    if (!tu_is_managed(variable)) return params_of(kernel, variable);
    bool is_object = clang_getCanonicalType(clang_getCursorType(variable)).kind == CXType_Record;
    return is_object ? 0 : managed_bit(kernel, clang_getCanonicalCursor(variable));
}

static void add_alias(Kernel *kernel, CXCursor variable, uint64_t params)
{
    if (params == 0) return;
    for (uint32_t i = kernel->param_count; i < kernel->alias_count; i++)
        if (clang_equalCursors(kernel->aliases[i].variable, variable)) {
            kernel->aliases[i].params |= params;
            return;
        }
    if (kernel->alias_count == MAX_ALIASES) {
        kernel->is_full = true;
        return;
    }
    kernel->aliases[kernel->alias_count++] = (Alias){variable, params};
}

static bool is_pointer(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Pointer;
}

static bool is_reference(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

typedef struct {
    CXCursor items[MAX_CHILDREN];
    uint32_t count;
} Children;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Children *children = data;
    (void)parent;
    if (children->count < MAX_CHILDREN) children->items[children->count] = cursor;
    children->count++;
    return CXChildVisit_Continue;
}

static Children children_of(CXCursor cursor)
{
    Children children = {.count = 0};
    clang_visitChildren(cursor, collect, &children);
    return children;
}

// ---- calls --------------------------------------------------------------------------------------

static Use use_of(const TuKernelAccess *access, uint32_t index)
{
    uint64_t bit = UINT64_C(1) << index;
    if (access->writes & bit) return USE_WRITE;
    if (access->idle & bit) return USE_NOTHING;
    return access->reads & bit ? USE_READ : USE_ESCAPES;
}

// What the callee does with what its parameter leads to.
static Use argument_use(Kernel *kernel, CXCursor callee, uint32_t index)
{
    CXType type = clang_getArgType(clang_getCanonicalType(clang_getCursorType(callee)), index);
    bool is_object = clang_getCanonicalType(type).kind == CXType_Record;
    if (!is_pointer(type) && !is_reference(type)) return is_object ? USE_ESCAPES : USE_NOTHING;
    if (clang_getCursorKind(callee) == CXCursor_Constructor) return USE_ESCAPES; // into the object
    if (clang_isConstQualifiedType(clang_getPointeeType(clang_getCanonicalType(type))))
        return USE_READ;
    if (!tu_is_user_code(callee)) return USE_WRITE; // atomics
    CXCursor definition = clang_getCursorDefinition(callee);
    if (clang_Cursor_isNull(definition) || kernel->depth >= MAX_CALL_DEPTH || index >= 64)
        return USE_ESCAPES;
    TuKernelAccess inner = access_of(kernel->ctx, definition, kernel->depth + 1);
    return use_of(&inner, index);
}

// What the callee does with managed variables.
static void take_managed(Kernel *kernel, CXCursor callee)
{
    if (clang_Cursor_isNull(callee) || !tu_is_user_code(callee)) return;
    CXCursor definition = clang_getCursorDefinition(callee);
    if (clang_Cursor_isNull(definition) || kernel->depth >= MAX_CALL_DEPTH) return;
    TuKernelAccess inner = access_of(kernel->ctx, definition, kernel->depth + 1);
    int count = clang_Cursor_getNumArguments(definition);
    for (uint32_t i = 0; count >= 0 && i < inner.managed_count; i++)
        note(kernel, managed_bit(kernel, inner.managed[i]), use_of(&inner, (uint32_t)count + i));
}

static void visit_call(Kernel *kernel, CXCursor call)
{
    CXCursor callee = clang_getCursorReferenced(call);
    int count = clang_Cursor_getNumArguments(call);
    Children parts = children_of(call);
    if (clang_getCursorKind(callee) == CXCursor_CXXMethod && parts.count > 0)
        (void)visit(kernel, parts.items[0], USE_ESCAPES); // the object
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        Use use =
            clang_Cursor_isNull(callee) ? USE_ESCAPES : argument_use(kernel, callee, (uint32_t)i);
        (void)visit(kernel, argument, use);
    }
    take_managed(kernel, callee);
}

// ---- branches -----------------------------------------------------------------------------------

typedef struct {
    bool names_number; // a parameter that is a number, or a member of an object passed by value
    bool names_other;  // what differs between threads, lies in memory or is called
} Condition;

static enum CXChildVisitResult look_at_condition(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    Condition *condition = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr: {
        enum CXCursorKind named = clang_getCursorKind(clang_getCursorReferenced(cursor));
        condition->names_number |= named == CXCursor_ParmDecl;
        condition->names_other |= named != CXCursor_ParmDecl && named != CXCursor_EnumConstantDecl;
        break;
    }
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CallExpr:
        condition->names_other = true;
        break;
    default:
        break;
    }
    bool is_memory =
        is_pointer(clang_getCursorType(cursor)) || is_reference(clang_getCursorType(cursor));
    condition->names_other |= is_memory;
    return condition->names_other ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// Whoever launches the kernel decides by numbers alone whether any thread goes there: it may be
// that none does.
static bool is_launchs_choice(CXCursor expression)
{
    Condition condition = {0};
    (void)look_at_condition(expression, expression, &condition);
    clang_visitChildren(expression, look_at_condition, &condition);
    return condition.names_number && !condition.names_other;
}

static void visit_if(Kernel *kernel, CXCursor statement)
{
    Children parts = children_of(statement);
    bool was_chosen = kernel->is_chosen;
    for (uint32_t i = 0; i < parts.count && i < MAX_CHILDREN; i++) {
        (void)visit(kernel, parts.items[i], USE_NOTHING);
        if (i == 0) kernel->is_chosen |= is_launchs_choice(parts.items[0]);
    }
    kernel->is_chosen = was_chosen;
}

// ---- expressions --------------------------------------------------------------------------------

static uint64_t visit_each(Kernel *kernel, CXCursor cursor, Use use);

static uint64_t visit_binary(Kernel *kernel, CXCursor cursor, Use use)
{
    Children parts = children_of(cursor);
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(cursor);
    if (parts.count != 2) return visit_each(kernel, cursor, USE_UNKNOWN);
    bool is_sum = op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub;
    if (is_sum && is_pointer(clang_getCursorType(cursor)))
        return visit(kernel, parts.items[0], use) | visit(kernel, parts.items[1], use);
    if (op == CXBinaryOperator_Comma) {
        (void)visit(kernel, parts.items[0], USE_NOTHING);
        return visit(kernel, parts.items[1], use);
    }
    if (op >= CXBinaryOperator_Assign && op < CXBinaryOperator_Comma) {
        CXCursor target = clang_getCursorReferenced(parts.items[0]);
        bool moves = is_pointer(clang_getCursorType(parts.items[0])) &&
                     clang_getCursorKind(target) == CXCursor_VarDecl;
        uint64_t from = visit(kernel, parts.items[1], moves ? USE_NOTHING : USE_UNKNOWN);
        if (moves)
            add_alias(kernel, target, from);
        else
            (void)visit(kernel, parts.items[0], USE_WRITE);
        return 0;
    }
    (void)visit(kernel, parts.items[0], USE_NOTHING);
    (void)visit(kernel, parts.items[1], USE_NOTHING);
    return 0;
}

static uint64_t visit_unary(Kernel *kernel, CXCursor cursor, Use use)
{
    Children parts = children_of(cursor);
    if (parts.count != 1) return visit_each(kernel, cursor, USE_UNKNOWN);
    switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_Deref:
        return visit(kernel, parts.items[0], use == USE_UNKNOWN ? USE_ESCAPES : use);
    case CXUnaryOperator_AddrOf: // what happens to the pointer happens to the object
        return visit(kernel, parts.items[0], use);
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        if (is_pointer(clang_getCursorType(cursor))) return visit(kernel, parts.items[0], use);
        return visit(kernel, parts.items[0], USE_WRITE);
    default:
        return visit(kernel, parts.items[0], USE_NOTHING);
    }
}

// p[i], *p, p->f: the object is what happens to be done; the pointer itself is only read.
static uint64_t visit_object(Kernel *kernel, CXCursor cursor, Use use)
{
    Children parts = children_of(cursor);
    for (uint32_t i = 1; i < parts.count && i < MAX_CHILDREN; i++)
        (void)visit(kernel, parts.items[i], USE_NOTHING);
    if (parts.count == 0) return 0;
    // A pointer stored in the object leads elsewhere: the object itself is loaded.
    return visit(kernel, parts.items[0], use == USE_UNKNOWN ? USE_ESCAPES : use);
}

static uint64_t visit_variable(Kernel *kernel, CXCursor cursor)
{
    Children parts = children_of(cursor);
    CXType type = clang_getCursorType(cursor);
    for (uint32_t i = 0; i < parts.count && i < MAX_CHILDREN; i++) {
        if (!clang_isExpression(clang_getCursorKind(parts.items[i]))) continue;
        uint64_t from = visit(kernel, parts.items[i],
                              is_pointer(type)     ? USE_NOTHING
                              : is_reference(type) ? USE_ESCAPES
                                                   : USE_UNKNOWN);
        if (is_pointer(type)) add_alias(kernel, cursor, from);
    }
    return 0;
}

static bool is_load(CXCursor cursor, const Children *parts)
{
    return parts->count == 1 && clang_getCursorKind(cursor) == CXCursor_UnexposedExpr;
}

// A pointer is loaded that is stored in an object: what is done by it is done elsewhere.
static bool loads_stored_pointer(CXCursor cursor, const Children *parts)
{
    if (!is_load(cursor, parts) || !is_pointer(clang_getCursorType(parts->items[0]))) return false;
    CXCursor object = parts->items[0];
    enum CXCursorKind kind = clang_getCursorKind(object);
    return kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr ||
           (kind == CXCursor_UnaryOperator &&
            clang_getCursorUnaryOperatorKind(object) == CXUnaryOperator_Deref);
}

// `param.p`, where that is the only pointer in a parameter that is an object passed by value: the
// parameters it belongs to, as bits.
static uint64_t params_of_member(const Kernel *kernel, CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_MemberRefExpr) return 0;
    Children parts = children_of(cursor);
    bool is_pointer_of_variable = is_pointer(clang_getCursorType(cursor)) && parts.count > 0 &&
                                  clang_getCursorKind(parts.items[0]) == CXCursor_DeclRefExpr &&
                                  !is_pointer(clang_getCursorType(parts.items[0]));
    return is_pointer_of_variable ? params_of(kernel, clang_getCursorReferenced(parts.items[0]))
                                  : 0;
}

static uint64_t visit(Kernel *kernel, CXCursor cursor, Use use)
{
    uint64_t members = params_of_member(kernel, cursor);
    if (members != 0) {
        note(kernel, members, use);
        return members;
    }
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr: {
        uint64_t roots = roots_of(kernel, clang_getCursorReferenced(cursor));
        note(kernel, roots, use);
        return roots;
    }
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr:
        (void)visit_object(kernel, cursor, use);
        return 0;
    case CXCursor_UnaryOperator: {
        uint64_t from = visit_unary(kernel, cursor, use);
        bool is_deref = clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref;
        return is_deref ? 0 : from;
    }
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return visit_binary(kernel, cursor, use);
    case CXCursor_CallExpr:
        visit_call(kernel, cursor);
        return 0;
    case CXCursor_VarDecl:
        return visit_variable(kernel, cursor);
    case CXCursor_IfStmt:
        visit_if(kernel, cursor);
        return 0;
    case CXCursor_ReturnStmt:
        return visit_each(kernel, cursor, USE_UNKNOWN);
    case CXCursor_UnexposedExpr: {
        Children parts = children_of(cursor);
        bool loads_object = is_load(cursor, &parts) && !is_pointer(clang_getCursorType(cursor));
        if (loads_object && (use == USE_NOTHING || use == USE_UNKNOWN)) use = USE_READ;
        bool is_elsewhere = use == USE_WRITE && loads_stored_pointer(cursor, &parts) &&
                            params_of_member(kernel, parts.items[0]) == 0;
        if (is_elsewhere) use = USE_ESCAPES;
        return visit_each(kernel, cursor, use);
    }
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_ConditionalOperator:
        return visit_each(kernel, cursor, use);
    default:
        return visit_each(kernel, cursor,
                          clang_isStatement(clang_getCursorKind(cursor)) ? USE_NOTHING
                                                                         : USE_UNKNOWN);
    }
}

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Visit *outer = data;
    (void)parent;
    outer->alias_of |= visit(outer->kernel, cursor, outer->use);
    return CXChildVisit_Continue;
}

static uint64_t visit_each(Kernel *kernel, CXCursor cursor, Use use)
{
    Visit inner = {.kernel = kernel, .use = use};
    clang_visitChildren(cursor, visit_child, &inner);
    return inner.alias_of;
}

// ---- parameters ---------------------------------------------------------------------------------

static enum CXVisitorResult count_pointers(CXCursor field, CXClientData data)
{
    int *count = data;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    if (type.kind == CXType_Pointer) ++*count;
    if (type.kind == CXType_Record || type.kind == CXType_ConstantArray) *count += 2;
    return CXVisit_Continue;
}

// A pointer, or an object passed by value with one pointer in it. Of several it would not be known
// which is meant.
static bool leads_to_memory(CXType type)
{
    if (is_pointer(type)) return true;
    int count = 0;
    if (clang_getCanonicalType(type).kind != CXType_Record) return false;
    clang_Type_visitFields(clang_getCanonicalType(type), count_pointers, &count);
    return count == 1;
}

// ---- functions ----------------------------------------------------------------------------------

static TuKernelAccess walk_body(TuContext *ctx, CXCursor definition, int depth)
{
    Kernel kernel = {.ctx = ctx, .depth = depth};
    int count = clang_Cursor_getNumArguments(definition);
    CXCursor body = tu_function_body(definition);
    if (clang_Cursor_isNull(body) || count < 0 || count > MAX_ALIASES) return (TuKernelAccess){0};
    if (tu_taint_has(ctx, definition)) return (TuKernelAccess){0};
    for (int i = 0; i < count; i++) {
        CXCursor param = clang_Cursor_getArgument(definition, (unsigned)i);
        uint64_t bit = leads_to_memory(clang_getCursorType(param)) ? UINT64_C(1) << i : 0;
        kernel.aliases[kernel.alias_count++] = (Alias){param, bit};
    }
    kernel.param_count = kernel.alias_count;
    uint64_t pointers = 0;
    for (uint32_t i = 0; i < kernel.param_count; i++) pointers |= kernel.aliases[i].params;
    (void)visit(&kernel, body, USE_NOTHING);
    // Variables may be used before the walk learns what they are computed from, in loops.
    (void)visit(&kernel, body, USE_NOTHING);
    for (uint32_t i = 0; i < kernel.managed.len; i++)
        pointers |= UINT64_C(1) << (kernel.param_count + i);
    TuKernelAccess access = {.writes = kernel.writes,
                             .managed = kernel.managed.items,
                             .managed_count = kernel.managed.len};
    if (kernel.is_full) return access;
    uint64_t used = kernel.reads | kernel.writes | kernel.unknown;
    access.reads = kernel.reads & ~kernel.writes & ~kernel.unknown;
    access.idle = pointers & ~used;
    return access;
}

static TuKernelAccess access_of(TuContext *ctx, CXCursor definition, int depth)
{
    if (!ctx->kernels) ctx->kernels = ARENA_NEW(ctx->arena, TuKernels);
    TuKernels *kernels = ctx->kernels;
    uint64_t hash = hash_mix(0, clang_hashCursor(definition));
    uint32_t cursor = 0, id;
    while (idtable_next(&kernels->by_cursor, hash, &cursor, &id))
        if (clang_equalCursors(kernels->known.items[id].function, definition))
            return kernels->known.items[id].access;
    id = kernels->known.len;
    vec_push(ctx->arena, &kernels->known, ((KnownAccess){.function = definition}));
    idtable_add(ctx->arena, &kernels->by_cursor, hash, id);
    TuKernelAccess access = walk_body(ctx, definition, depth);
    kernels->known.items[id].access = access;
    return access;
}

TuKernelAccess tu_kernel_access(TuContext *ctx, CXCursor kernel)
{
    CXCursor definition = clang_getCursorDefinition(kernel);
    return clang_Cursor_isNull(definition) ? (TuKernelAccess){0} : access_of(ctx, definition, 0);
}
