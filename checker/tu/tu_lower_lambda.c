// SPDX-License-Identifier: MIT
// Lambdas. A call of a lambda that a local variable holds is lowered in place, with captured
// variables as they are; any other use makes a closure value, and the body becomes a function of
// its own.
#include "tu/tu_lower.h"

#include <string.h>

enum { MAX_INLINED = 64 }; // lambda calls inlined in one function; further ones are calls

// ---- captures -----------------------------------------------------------------------------------

typedef enum { CAPTURE_NOTHING, CAPTURE_COPIES, CAPTURE_REFERENCES } CaptureDefault;

static CaptureDefault capture_default(Lower *lw, CXCursor expr)
{
    size_t len;
    const char *text = lw_text_at(lw, expr, &len);
    if (text == NULL || len < 2 || text[0] != '[') return CAPTURE_REFERENCES;
    size_t at = 1;
    while (at < len && text[at] == ' ') at++;
    if (text[at] == '=') return CAPTURE_COPIES;
    if (text[at] != '&') return CAPTURE_NOTHING;
    at++;
    while (at < len && text[at] == ' ') at++;
    return at < len && (text[at] == ',' || text[at] == ']') ? CAPTURE_REFERENCES : CAPTURE_NOTHING;
}

// An explicit capture is by reference when & stands before its name.
static bool is_reference_capture(Lower *lw, CXCursor reference)
{
    CXFile file;
    unsigned offset;
    clang_getSpellingLocation(clang_getCursorLocation(reference), &file, NULL, NULL, &offset);
    size_t len = 0;
    const char *text = tu_file_text(lw->ctx, file, &len);
    if (text == NULL || offset >= len) return false;
    while (offset > 0 && text[offset - 1] == ' ') offset--;
    return offset > 0 && text[offset - 1] == '&';
}

typedef Vec(LwCapture) Captures;

typedef struct {
    Lower *lw;
    Captures *out;
    LwCursorMap inner; // declared in the lambda, or captured already
    bool by_reference;
    bool has_this;
} UseWalk;

static bool is_local_place(Lower *lw, IrPlaceId place)
{
    IrPlace at = *lw_place_at(lw, place);
    while (at.kind != IR_PL_VAR) at = *lw_place_at(lw, at.base);
    IrVarKind kind = lw->fn->vars.items[at.var].kind;
    return kind != IR_VAR_GLOBAL && kind != IR_VAR_STATIC;
}

static bool has_expression_child(Lower *lw, CXCursor cursor)
{
    return !lw_is_null(lw_operand_of(lw, cursor));
}

static enum CXChildVisitResult see_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    UseWalk *walk = data;
    Lower *lw = walk->lw;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
        lw_cursor_set(lw->arena, &walk->inner, clang_getCanonicalCursor(cursor), 1);
    bool is_implicit_this = kind == CXCursor_MemberRefExpr && !has_expression_child(lw, cursor);
    if (kind == CXCursor_CXXThisExpr || is_implicit_this) walk->has_this = true;
    if (kind != CXCursor_DeclRefExpr) return CXChildVisit_Recurse;
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (lw_is_null(decl)) return CXChildVisit_Recurse;
    decl = clang_getCanonicalCursor(decl);
    LwBinding *binding = lw_binding(lw, decl);
    if (binding == NULL || lw_cursor_get(&walk->inner, decl) != IR_NONE)
        return CXChildVisit_Recurse;
    if (!is_local_place(lw, binding->place)) return CXChildVisit_Recurse;
    lw_cursor_set(lw->arena, &walk->inner, decl, 1);
    LwCapture capture = {.decl = decl, .by_reference = walk->by_reference, .copy = IR_NONE};
    vec_push(lw->arena, walk->out, capture);
    return CXChildVisit_Recurse;
}

// A copy of a captured variable, made where the lambda is.
static IrPlaceId copy_capture(Lower *lw, CXCursor decl, CXCursor init, SrcLoc loc)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    if (lw_is_reference(type)) type = lw_pointee(type);
    IrVarId id = lw_local(lw, decl, type, loc);
    IrPlaceId place = ir_place_var(lw->unit, lw->fn, id);
    if (!lw_is_null(init))
        lw_init(lw, place, type, init);
    else
        lw_copy(lw, place, lw_var_place(lw, decl), type, false, false, loc);
    lw_push_var(lw, id, type);
    return place;
}

static CXCursor body_of(Lower *lw, CXCursor function)
{
    LwCursors parts = lw_children(lw, function);
    for (uint32_t i = parts.count; i > 0; i--)
        if (lw_is_kind(parts.items[i - 1], CXCursor_CompoundStmt)) return parts.items[i - 1];
    return clang_getNullCursor();
}

static void explicit_captures(Lower *lw, CXCursor expr, UseWalk *walk)
{
    LwCursors parts = lw_children(lw, expr);
    SrcLoc loc = lw_loc(lw, expr);
    for (uint32_t i = 0; i < parts.count; i++) {
        if (!lw_is_kind(parts.items[i], CXCursor_VariableRef)) continue;
        CXCursor decl = clang_getCanonicalCursor(clang_getCursorReferenced(parts.items[i]));
        bool by_reference = is_reference_capture(lw, parts.items[i]);
        bool is_new =
            lw_binding(lw, decl) == NULL && lw_is_kind(decl, CXCursor_VarDecl); // [x = init]
        CXCursor init = is_new ? clang_Cursor_getVarDeclInitializer(decl) : clang_getNullCursor();
        is_new = is_new && !lw_is_null(init);
        LwCapture capture = {.decl = decl, .by_reference = by_reference, .copy = IR_NONE};
        if (is_new && by_reference)
            capture.copy = lw_place(lw, init);
        else if (!by_reference)
            capture.copy = copy_capture(lw, decl, init, loc);
        vec_push(lw->arena, walk->out, capture);
        lw_cursor_set(lw->arena, &walk->inner, decl, 1);
    }
}

static void collect_captures(Lower *lw, CXCursor expr, LwLambda *lambda)
{
    Captures captures = {0};
    CaptureDefault by_default = capture_default(lw, expr);
    UseWalk walk = {.lw = lw, .out = &captures, .by_reference = by_default == CAPTURE_REFERENCES};
    explicit_captures(lw, expr, &walk);
    uint32_t given = captures.len;
    clang_visitChildren(expr, see_use, &walk);
    if (by_default == CAPTURE_NOTHING) captures.len = given;
    for (uint32_t i = given; i < captures.len; i++) {
        LwCapture *capture = &captures.items[i];
        if (!capture->by_reference)
            capture->copy =
                copy_capture(lw, capture->decl, clang_getNullCursor(), lw_loc(lw, expr));
    }
    if (walk.has_this && lw_this(lw) != IR_NONE) {
        LwCapture object = {.decl = clang_getNullCursor(), .by_reference = true, .copy = IR_NONE};
        vec_push(lw->arena, &captures, object);
    }
    lambda->captures = captures.items;
    lambda->capture_count = captures.len;
}

// ---- closures -----------------------------------------------------------------------------------

static enum CXChildVisitResult see_parameter(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (lw_is_kind(cursor, CXCursor_ParmDecl) &&
        clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Unexposed)
        *(bool *)data = true;
    CXType type = clang_getCursorType(cursor);
    if (lw_is_kind(cursor, CXCursor_ParmDecl) &&
        (type.kind == CXType_Auto || type.kind == CXType_Dependent))
        *(bool *)data = true;
    return CXChildVisit_Continue;
}

static LwLambda *lambda_new(Lower *lw, CXCursor expr)
{
    LwLambda *lambda = ARENA_NEW(lw->arena, LwLambda);
    lambda->expr = expr;
    LwRecord *record = lw_record(lw, lw_type_of(expr));
    lambda->method =
        record == NULL ? clang_getNullCursor() : lw_find_method(lw, record, "operator()");
    clang_visitChildren(expr, see_parameter, &lambda->is_generic);
    if (lw_is_null(lambda->method)) lambda->is_generic = true;
    collect_captures(lw, expr, lambda);
    vec_push(lw->arena, &lw->lambdas, lambda);
    const char *place = str_intern(lw->unit->strings, tu_place_key(lw->ctx, expr));
    lw_ptr_set(lw->ctx->arena, &lw->tables->lambdas, place, 1);
    return lambda;
}

IrExprId lw_lambda_value(Lower *lw, CXCursor expr)
{
    LwLambda *lambda = lambda_new(lw, expr);
    lambda->escapes = true;
    return lw_closure_value(lw, lambda);
}

void lw_lambda_declare(Lower *lw, CXCursor decl, CXCursor expr)
{
    LwLambda *lambda = lambda_new(lw, expr);
    LwBinding *binding = lw_binding(lw, decl);
    binding->lambda = lambda;
    lw_initialize(lw, lw_loc(lw, expr), binding->place, lw_closure_value(lw, lambda));
}

// ---- calls --------------------------------------------------------------------------------------

// Names that mean something else inside the lambda: captured copies. Returns how many were rebound.
static IrPlaceId *rebind_captures(Lower *lw, const LwLambda *lambda)
{
    IrPlaceId *saved =
        ARENA_ARRAY(lw->arena, IrPlaceId, lambda->capture_count == 0 ? 1 : lambda->capture_count);
    for (uint32_t i = 0; i < lambda->capture_count; i++) {
        const LwCapture *capture = &lambda->captures[i];
        saved[i] = IR_NONE;
        if (lw_is_null(capture->decl) || capture->copy == IR_NONE) continue;
        LwBinding *binding = lw_binding(lw, capture->decl);
        if (binding == NULL) {
            lw_bind(lw, capture->decl, (LwBinding){.place = capture->copy});
            continue;
        }
        saved[i] = binding->place;
        binding->place = capture->copy;
    }
    return saved;
}

static void restore_captures(Lower *lw, const LwLambda *lambda, const IrPlaceId *saved)
{
    for (uint32_t i = 0; i < lambda->capture_count; i++)
        if (saved[i] != IR_NONE) lw_binding(lw, lambda->captures[i].decl)->place = saved[i];
}

static void bind_parameters(Lower *lw, CXCursor call, CXCursor function, uint32_t first)
{
    int count = clang_Cursor_getNumArguments(function);
    CXType signature = clang_getCanonicalType(clang_getCursorType(function));
    Vec(IrVarId) vars = {0};
    for (uint32_t i = 0; (int)i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, i);
        CXType type = clang_getArgType(signature, i);
        CXCursor argument = clang_Cursor_getArgument(call, i + first);
        if (lw_is_synthetic(argument)) argument = lw_default_argument(function, i);
        SrcLoc loc = lw_loc(lw, parameter);
        // Arguments are evaluated outside: they must not see the parameter's name yet.
        IrVar var = {.name = lw_spelling(lw, parameter),
                     .kind = IR_VAR_LOCAL,
                     .loc = loc,
                     .type = lw_type(lw, type)};
        IrVarId id = ir_var_add(lw->unit, lw->fn, var);
        lw_declare(lw, id, loc);
        IrPlaceId place = ir_place_var(lw->unit, lw->fn, id);
        if (lw_is_null(argument))
            lw_clobber(lw, loc, place);
        else if (lw_is_reference(type))
            lw_initialize(lw, loc, place, lw_address(lw, lw_place(lw, argument)));
        else
            lw_init(lw, place, type, argument);
        vec_push(lw->arena, &vars, id);
    }
    for (uint32_t i = 0; i < vars.len; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, i);
        CXType type = clang_getArgType(signature, i);
        IrPlaceId place = ir_place_var(lw->unit, lw->fn, vars.items[i]);
        if (lw_is_reference(type)) place = lw_deref(lw, place, lw_plain_type(lw, lw_pointee(type)));
        lw_bind(lw, parameter, (LwBinding){.place = place});
        lw_push_var(lw, vars.items[i], type);
    }
}

static IrPlaceId result_place(Lower *lw, CXType type, IrPlaceId dst, SrcLoc loc)
{
    if (lw_is_void(type)) return IR_NONE;
    IrType plain = lw_plain_type(lw, type);
    if (!lw_is_reference(type) && dst != IR_NONE && lw_place_at(lw, dst)->type == plain) return dst;
    return lw_is_record(type) ? lw_new_object(lw, type, loc) : lw_temp(lw, plain, loc);
}

static void inline_body(Lower *lw, CXCursor call, CXCursor function, LwLambda *lambda,
                        CXCursor body)
{
    SrcLoc loc = lw_loc(lw, call);
    LwCleanup *scope = lw->top;
    uint32_t first =
        (uint32_t)(clang_Cursor_getNumArguments(call) - clang_Cursor_getNumArguments(function));
    bind_parameters(lw, call, function, first);
    IrPlaceId *saved = rebind_captures(lw, lambda);
    lambda->is_active = true;
    lw_compound(lw, body);
    lambda->is_active = false;
    restore_captures(lw, lambda, saved);
    lw_leave(lw, scope, loc);
    lw_jump(lw, loc, lw->ret.target.block);
    lw_enter(lw, lw->ret.target.block);
}

static LwOperand inline_call(Lower *lw, CXCursor call, CXCursor function, LwLambda *lambda,
                             IrPlaceId dst)
{
    CXCursor body = body_of(lw, function);
    if (lw_is_null(body)) body = body_of(lw, lambda->expr);
    SrcLoc loc = lw_loc(lw, call);
    CXType type = clang_getResultType(clang_getCanonicalType(clang_getCursorType(function)));
    LwOperand out = {.value = IR_NONE, .place = result_place(lw, type, dst, loc)};
    Lower outer = *lw;
    lw->inlined++;
    lambda->is_inlined = true;
    lw->on_break = lw->on_continue = (LwTarget){.block = IR_NONE};
    lw->sw = NULL;
    lw->ret = (LwReturn){.is_jump = true,
                         .target = {.block = lw_block(lw), .scope = lw->top},
                         .result = out.place,
                         .type = type};
    lw->label_index = (LwCursorMap){0};
    inline_body(lw, call, function, lambda, body);
    lw->on_break = outer.on_break;
    lw->on_continue = outer.on_continue;
    lw->sw = outer.sw;
    lw->ret = outer.ret;
    lw->label_index = outer.label_index;
    if (out.place == IR_NONE || out.place == dst) return out;
    if (lw_is_record(type)) lw_push_var(lw, lw_place_at(lw, out.place)->var, type);
    if (lw_is_reference(type))
        out.place = lw_deref(lw, out.place, lw_plain_type(lw, lw_pointee(type)));
    return out;
}

// The lambda that the object of the call is known to be; NULL: not known.
static LwLambda *called_lambda(Lower *lw, CXCursor object)
{
    CXCursor core = lw_strip_casts(lw, object);
    if (lw_is_kind(core, CXCursor_LambdaExpr)) return lambda_new(lw, core);
    if (!lw_is_kind(core, CXCursor_DeclRefExpr)) return NULL;
    LwBinding *binding = lw_binding(lw, clang_getCursorReferenced(core));
    return binding == NULL ? NULL : binding->lambda;
}

static CXCursor conversion_object(Lower *lw, CXCursor call)
{
    CXCursor member = lw_strip(lw, lw_operand_of(lw, call));
    return lw_is_kind(member, CXCursor_MemberRefExpr) ? lw_operand_of(lw, member)
                                                      : clang_getNullCursor();
}

bool lw_lambda_call(Lower *lw, CXCursor call, IrPlaceId dst, LwOperand *result)
{
    CXCursor function = clang_getCursorReferenced(call);
    bool is_conversion = lw_is_kind(function, CXCursor_ConversionFunction);
    if (!is_conversion && !lw_is_kind(function, CXCursor_CXXMethod)) return false;
    LwRecord *record = lw_record(lw, lw_type_of(clang_getCursorSemanticParent(function)));
    if (record == NULL || !record->is_closure) return false;
    CXCursor object =
        is_conversion ? conversion_object(lw, call) : clang_Cursor_getArgument(call, 0);
    LwLambda *lambda = lw_is_null(object) ? NULL : called_lambda(lw, object);
    if (lambda == NULL) return false;
    if (is_conversion) {
        // A captureless lambda as a function pointer.
        if (lw_is_null(lambda->method)) return false;
        lambda->is_converted = true;
        result->value = ir_func(lw->unit, lw->fn, lw_invoker_callee(lw, lambda->method),
                                lw_plain_type(lw, clang_getCursorType(call)));
        return true;
    }
    if (lambda->is_active || lw->inlined >= MAX_INLINED) {
        lambda->escapes = true;
        return false;
    }
    *result = inline_call(lw, call, function, lambda, dst);
    return true;
}

bool tu_lower_has_lambda(TuContext *ctx, CXCursor function)
{
    const char *place = str_intern(ctx->unit->strings, tu_place_key(ctx, function));
    return ctx->lower != NULL && lw_ptr_get(&ctx->lower->lambdas, place) != IR_NONE;
}

static void lower_once(Lower *lw, const LwLambda *lambda, IrCalleeId callee, LwBodyKind kind)
{
    if (lw_callee_at(lw, callee)->body == IR_NONE) lw_function(lw->ctx, lambda->method, kind);
}

void lw_lambda_functions(Lower *lw)
{
    for (uint32_t i = 0; i < lw->lambdas.len; i++) {
        const LwLambda *lambda = lw->lambdas.items[i];
        if (lambda->is_converted)
            lower_once(lw, lambda, lw_invoker_callee(lw, lambda->method), LW_BODY_INVOKER);
        bool is_used = lambda->escapes || (!lambda->is_inlined && !lambda->is_converted);
        if (!lambda->is_generic && is_used)
            lower_once(lw, lambda, lw_callee(lw, lambda->method), LW_BODY_LAMBDA);
    }
}
