// SPDX-License-Identifier: MIT
// Callees: function declarations become IrCallees, once per unit and function (redeclarations share
// one).
#include "tu/tu_lower.h"

#include <string.h>

const IrCallee *lw_callee_at(Lower *lw, IrCalleeId callee)
{
    return &lw->unit->callees.items[callee];
}

// "Box<int>" -> "Box"; operators keep their '<'.
static const char *without_arguments(Lower *lw, const char *name)
{
    const char *angle = strchr(name, '<');
    if (angle == NULL || angle == name || str_starts_with(name, "operator")) return name;
    return str_intern_n(lw->unit->strings, name, (size_t)(angle - name));
}

// Scopes that are part of a qualified name.
static bool names_scope(CXCursor scope)
{
    switch (clang_getCursorKind(scope)) {
    case CXCursor_Namespace:
        return !clang_Cursor_isInlineNamespace(scope) && !clang_Cursor_isAnonymous(scope);
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return !clang_Cursor_isAnonymous(scope);
    default:
        return false;
    }
}

const char *lw_qualified(Lower *lw, CXCursor decl)
{
    const char *name = without_arguments(lw, lw_spelling(lw, decl));
    CXCursor scope = clang_getCursorSemanticParent(decl);
    while (!lw_is_null(scope) && !lw_is_kind(scope, CXCursor_TranslationUnit) &&
           !clang_isInvalid(clang_getCursorKind(scope))) {
        if (names_scope(scope)) {
            const char *outer = without_arguments(lw, lw_spelling(lw, scope));
            if (outer[0] != '\0' && outer[0] != '(')
                name = str_internf(lw->unit->strings, "%s::%s", outer, name);
        }
        scope = clang_getCursorSemanticParent(scope);
    }
    return name;
}

// ---- facts about a declaration ------------------------------------------------------------------

typedef struct {
    Lower *lw;
    bool is_noreturn;
} AttrWalk;

static enum CXChildVisitResult see_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    AttrWalk *walk = data;
    if (lw_is_kind(cursor, CXCursor_UnexposedAttr) &&
        (lw_extent_has(walk->lw, cursor, "noreturn") ||
         lw_extent_has(walk->lw, cursor, "_Noreturn"))) {
        walk->is_noreturn = true;
    }
    return CXChildVisit_Continue;
}

static bool is_noreturn(Lower *lw, CXCursor function)
{
    const char *type = tu_str(lw->ctx, clang_getTypeSpelling(clang_getCursorType(function)));
    if (strstr(type, "noreturn") != NULL) return true;
    AttrWalk walk = {.lw = lw};
    clang_visitChildren(function, see_attribute, &walk);
    CXCursor first = clang_getCanonicalCursor(function);
    if (!walk.is_noreturn && !clang_equalCursors(first, function))
        clang_visitChildren(first, see_attribute, &walk);
    return walk.is_noreturn;
}

static bool is_nothrow(Lower *lw, CXCursor function, const IrCallee *callee)
{
    // A C function has no parameter list in its USR.
    bool is_c = callee->record == IR_NONE && str_starts_with(callee->usr, "c:@F@") &&
                strchr(callee->usr + strlen("c:@F@"), '#') == NULL;
    if (is_c || callee->is_extern_c_like) return true;
    const char *type = tu_str(lw->ctx, clang_getTypeSpelling(clang_getCursorType(function)));
    const char * noexcept = strstr(type, "noexcept");
    int specification = clang_getCursorExceptionSpecificationType(function);
    switch (specification) {
    case CXCursor_ExceptionSpecificationKind_DynamicNone:
    case CXCursor_ExceptionSpecificationKind_BasicNoexcept:
    case CXCursor_ExceptionSpecificationKind_NoThrow:
        return true;
    case CXCursor_ExceptionSpecificationKind_ComputedNoexcept:
        return noexcept != NULL && !str_starts_with(noexcept, "noexcept(false)");
    default:
        break;
    }
    if (callee->is_destructor) return true;
    return noexcept != NULL && !str_starts_with(noexcept, "noexcept(");
}

static bool is_global_scope(CXCursor function)
{
    CXCursor scope = clang_getCursorSemanticParent(function);
    while (lw_is_kind(scope, CXCursor_LinkageSpec) || lw_is_kind(scope, CXCursor_StructDecl) ||
           lw_is_kind(scope, CXCursor_ClassDecl)) {
        scope = clang_getCursorSemanticParent(scope);
    }
    return lw_is_null(scope) || lw_is_kind(scope, CXCursor_TranslationUnit);
}

static void fill_overridden(Lower *lw, CXCursor method, IrCallee *callee)
{
    CXCursor *overridden = NULL;
    unsigned count = 0;
    clang_getOverriddenCursors(method, &overridden, &count);
    for (unsigned i = 0; i < count; i++)
        vec_push(lw->ctx->arena, &callee->overrides, lw_callee(lw, overridden[i]));
    clang_disposeOverriddenCursors(overridden);
}

static void fill_method(Lower *lw, CXCursor function, IrCallee *callee)
{
    enum CXCursorKind kind = clang_getCursorKind(function);
    bool is_member = kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                     kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
    if (!is_member) return;
    callee->record = lw_record_id(lw, clang_getCursorType(clang_getCursorSemanticParent(function)));
    callee->is_method = !clang_CXXMethod_isStatic(function);
    callee->is_const_method = clang_CXXMethod_isConst(function) != 0;
    callee->is_constructor = kind == CXCursor_Constructor;
    callee->is_destructor = kind == CXCursor_Destructor;
    callee->is_virtual = clang_CXXMethod_isVirtual(function) != 0;
    callee->is_pure = clang_CXXMethod_isPureVirtual(function) != 0;
    if (callee->is_virtual && !callee->is_destructor) fill_overridden(lw, function, callee);
}

static IrCallee describe(Lower *lw, CXCursor function)
{
    IrCallee callee = {.name = without_arguments(lw, lw_spelling(lw, function)),
                       .qualified = lw_qualified(lw, function),
                       .usr = tu_usr(lw->ctx, function),
                       .loc = tu_loc(lw->ctx, function),
                       .record = IR_NONE,
                       .body = IR_NONE};
    CXType type = clang_getCanonicalType(clang_getCursorType(function));
    CXType result = clang_getResultType(type);
    callee.result = lw_type(lw, result.kind == CXType_Invalid ? type : result);
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++)
        vec_push(lw->ctx->arena, &callee.params, lw_type(lw, clang_getArgType(type, (unsigned)i)));
    callee.is_variadic = clang_isFunctionTypeVariadic(type) != 0;
    fill_method(lw, function, &callee);
    callee.is_kernel = tu_is_kernel(function);
    if (callee.is_kernel) {
        TuKernelAccess access = tu_kernel_access(lw->ctx, function);
        callee.kernel_reads = access.reads;
        callee.kernel_writes = access.writes;
        callee.kernel_idle = access.idle;
    }
    callee.is_device_only = tu_is_device_only(function);
    callee.in_system_header = !tu_is_user_code(function);
    callee.is_extern_c_like = callee.in_system_header && is_global_scope(function) &&
                              !str_starts_with(callee.name, "operator");
    enum CXLinkageKind linkage = clang_getCursorLinkage(function);
    callee.is_internal = linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal;
    callee.is_noreturn = is_noreturn(lw, function);
    callee.is_nothrow = is_nothrow(lw, function, &callee);
    return callee;
}

static IrCalleeId add_callee(Lower *lw, IrCallee callee)
{
    IrCalleeId id = ir_callee_add(lw->unit, callee);
    if (callee.usr[0] != '\0')
        lw_ptr_set(lw->ctx->arena, &lw->tables->callees_by_usr, callee.usr, id);
    return id;
}

IrCalleeId lw_callee(Lower *lw, CXCursor function)
{
    CXCursor key = clang_getCanonicalCursor(function);
    IrCalleeId known = lw_cursor_get(&lw->tables->callees, key);
    if (known != IR_NONE) return known;
    const char *usr = tu_usr(lw->ctx, function);
    if (usr[0] != '\0') known = lw_ptr_get(&lw->tables->callees_by_usr, usr);
    if (known == IR_NONE) {
        // Describing it may lead here again through its class.
        IrCallee callee = describe(lw, function);
        known = usr[0] == '\0' ? IR_NONE : lw_ptr_get(&lw->tables->callees_by_usr, usr);
        if (known == IR_NONE) known = add_callee(lw, callee);
    }
    lw_cursor_set(lw->ctx->arena, &lw->tables->callees, key, known);
    return known;
}

IrCalleeId lw_invoker_callee(Lower *lw, CXCursor method)
{
    const char *usr =
        str_internf(lw->unit->strings, "%s@invoke", lw_callee_at(lw, lw_callee(lw, method))->usr);
    IrCalleeId known = lw_ptr_get(&lw->tables->callees_by_usr, usr);
    if (known != IR_NONE) return known;
    IrCallee callee = *lw_callee_at(lw, lw_callee(lw, method));
    callee.usr = usr;
    callee.record = IR_NONE;
    callee.body = IR_NONE;
    callee.is_method = callee.is_const_method = false;
    return add_callee(lw, callee);
}

IrCalleeId lw_destructor_callee(Lower *lw, CXType type)
{
    LwRecord *record = lw_record(lw, type);
    if (!lw_is_null(record->destructor)) return lw_callee(lw, record->destructor);
    const char *usr = tu_usr(lw->ctx, record->decl);
    IrCalleeId known = lw_ptr_get(&lw->tables->destructors, usr);
    if (known != IR_NONE) return known;
    const char *class_name = without_arguments(lw, lw_spelling(lw, record->decl));
    const char *name = str_internf(lw->unit->strings, "~%s", class_name);
    IrCallee callee = {.name = name,
                       .usr = str_internf(lw->unit->strings, "%s@F@%s#", usr, name),
                       .loc = tu_loc(lw->ctx, record->decl),
                       .result = lw_void_type(lw),
                       .record = lw_record_id(lw, type),
                       .body = IR_NONE,
                       .is_method = true,
                       .is_destructor = true,
                       .in_system_header = !tu_is_user_code(record->decl),
                       .is_nothrow = true};
    callee.qualified =
        str_internf(lw->unit->strings, "%s::%s", lw_qualified(lw, record->decl), name);
    known = add_callee(lw, callee);
    lw_ptr_set(lw->ctx->arena, &lw->tables->destructors, usr, known);
    return known;
}

IrCalleeId lw_named_callee(Lower *lw, const char *name)
{
    const char *usr = str_internf(lw->unit->strings, "c:@F@%s#", name);
    IrCalleeId known = lw_ptr_get(&lw->tables->callees_by_usr, usr);
    if (known != IR_NONE) return known;
    bool is_delete = strstr(name, "delete") != NULL;
    IrCallee callee = {.name = str_intern(lw->unit->strings, name),
                       .qualified = str_intern(lw->unit->strings, name),
                       .usr = usr,
                       .record = IR_NONE,
                       .body = IR_NONE,
                       .result = lw_void_pointer(lw),
                       .in_system_header = true,
                       .is_nothrow = is_delete};
    return add_callee(lw, callee);
}
