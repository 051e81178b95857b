// SPDX-License-Identifier: MIT
// Records: classes, structs and unions become IrRecords, with what lowering itself must know of
// them in LwRecord. Standard classes stay opaque, but for std::unique_ptr; plain structs of toolkit
// headers have their fields.
#include "tu/tu_lower.h"

#include <string.h>

static bool in_namespace(CXCursor decl)
{
    for (CXCursor at = clang_getCursorSemanticParent(decl); !lw_is_null(at);
         at = clang_getCursorSemanticParent(at)) {
        if (lw_is_kind(at, CXCursor_TranslationUnit)) return false;
        if (lw_is_kind(at, CXCursor_Namespace)) return true;
    }
    return false;
}

static bool in_std(Lower *lw, CXCursor decl)
{
    CXCursor parent = clang_getCursorSemanticParent(decl);
    while (lw_is_kind(parent, CXCursor_Namespace) && clang_Cursor_isInlineNamespace(parent))
        parent = clang_getCursorSemanticParent(parent);
    if (!lw_is_kind(parent, CXCursor_Namespace) || strcmp(lw_spelling(lw, parent), "std") != 0)
        return false;
    return lw_is_kind(clang_getCursorSemanticParent(parent), CXCursor_TranslationUnit);
}

static IrRecordKind kind_of(Lower *lw, CXCursor decl)
{
    if (tu_is_user_code(decl)) return IR_REC_USER;
    bool is_unique = strcmp(lw_spelling(lw, decl), "unique_ptr") == 0 && in_std(lw, decl);
    return is_unique ? IR_REC_UNIQUE_PTR : IR_REC_STD;
}

static bool is_closure(CXCursor decl)
{
    CXString usr = clang_getCursorUSR(decl);
    const char *text = clang_getCString(usr);
    bool has_name = true;
    CXString spelling = clang_getCursorSpelling(decl);
    const char *name = clang_getCString(spelling);
    if (name == NULL || name[0] == '\0' || strncmp(name, "(lambda", 7) == 0) has_name = false;
    clang_disposeString(spelling);
    bool is_lambda = text != NULL && !has_name && str_ends_with(text, "@Sa");
    clang_disposeString(usr);
    return is_lambda;
}

static enum CXChildVisitResult look_for_call(CXCursor member, CXCursor parent, CXClientData data)
{
    bool *found = data;
    (void)parent;
    if (clang_getCursorKind(member) != CXCursor_CXXMethod) return CXChildVisit_Continue;
    CXString name = clang_getCursorSpelling(member);
    *found = strcmp(clang_getCString(name), "operator()") == 0;
    clang_disposeString(name);
    return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

// A class whose objects are called: a deleter, a comparison.
static bool is_function_object(CXCursor decl)
{
    bool found = false;
    clang_visitChildren(decl, look_for_call, &found);
    return found;
}

static bool brings_code(CXType type);

// Made for types that bring code of the user's with them.
static bool runs_user_code(CXType type)
{
    int count = clang_Type_getNumTemplateArguments(type);
    for (int i = 0; i < count; i++)
        if (brings_code(clang_Type_getTemplateArgumentAsType(type, (unsigned)i))) return true;
    return false;
}

// Values of the type are, or run, code of the user's: functions, function objects, classes with
// special members. Structs of mere data do not.
static bool brings_code(CXType type)
{
    CXType canonical = lw_canonical(type);
    if (canonical.kind == CXType_Pointer) canonical = lw_canonical(lw_pointee(canonical));
    if (canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto)
        return true;
    if (canonical.kind != CXType_Record || lw_canonical(type).kind == CXType_Pointer) return false;
    CXCursor decl = clang_getTypeDeclaration(canonical);
    if (!tu_is_user_code(decl)) return runs_user_code(canonical);
    return is_closure(decl) || !clang_isPODType(canonical) || is_function_object(decl);
}

typedef struct {
    Lower *lw;
    LwRecord *record;
    bool in_union;       // fields of an anonymous union are being added
    bool is_alternative; // one of them was
    const char **first;  // the first pointer among them, once there is one; NULL: of no such union
} Filling;

// A pointer that lies where another pointer of the union does.
static const char *shared_field(const Filling *filling, const char *name, CXType type)
{
    if (!filling->first || lw_canonical(type).kind != CXType_Pointer) return NULL;
    const char *first = *filling->first;
    if (!first) *filling->first = name;
    return first;
}

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    Filling *filling = data;
    Lower *lw = filling->lw;
    CXType type = lw_type_of(cursor);
    if (clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(type)) ||
        lw_spelling(lw, cursor)[0] == '\0') {
        // Members of an anonymous struct or union are members of the record around it.
        if (!lw_is_record(type)) return CXVisit_Continue;
        Filling inner = *filling;
        const char *first = NULL;
        bool is_union = lw_is_kind(clang_getTypeDeclaration(type), CXCursor_UnionDecl);
        if (is_union) inner.in_union = true;
        inner.first = is_union ? &first : NULL;
        clang_Type_visitFields(type, add_field, &inner);
        filling->is_alternative |= filling->in_union;
        return CXVisit_Continue;
    }
    LwField field = {.name = lw_spelling(lw, cursor),
                     .type = type,
                     .decl = cursor,
                     .is_variant = filling->in_union,
                     .is_alternative = filling->is_alternative};
    field.shares = shared_field(filling, field.name, type);
    filling->is_alternative |= filling->in_union;
    vec_push(lw->ctx->arena, &filling->record->fields, field);
    return CXVisit_Continue;
}

typedef struct {
    Lower *lw;
    LwRecord *record;
    IrRecord *out;
} Flags;

static bool add_flags(void *context, CXCursor member)
{
    Flags *flags = context;
    IrRecord *out = flags->out;
    bool is_deleted = clang_CXXMethod_isDeleted(member) != 0,
         is_defaulted = clang_CXXMethod_isDefaulted(member) != 0;
    if (lw_is_kind(member, CXCursor_Destructor)) {
        if (!is_defaulted && !is_deleted && lw_is_null(flags->record->destructor))
            flags->record->destructor = member;
    } else if (clang_CXXConstructor_isCopyConstructor(member)) {
        out->copy_ctor_declared = true;
        out->copy_ctor_deleted |= is_deleted;
        out->copy_ctor_defaulted |= is_defaulted;
    } else if (clang_CXXConstructor_isMoveConstructor(member) ||
               clang_CXXMethod_isMoveAssignmentOperator(member)) {
        out->move_declared = true;
    } else if (clang_CXXMethod_isCopyAssignmentOperator(member)) {
        out->copy_assign_declared = true;
        out->copy_assign_deleted |= is_deleted;
        out->copy_assign_defaulted |= is_defaulted;
    }
    // What a class may do shows in its methods, called here or not. A defaulted constructor counts:
    // objects may begin empty.
    bool is_copy = clang_CXXConstructor_isCopyConstructor(member) ||
                   clang_CXXConstructor_isMoveConstructor(member);
    bool is_written = !is_defaulted || (lw_is_kind(member, CXCursor_Constructor) && !is_copy);
    if (out->kind == IR_REC_USER && !is_deleted && is_written &&
        !clang_CXXMethod_isPureVirtual(member))
        lw_callee(flags->lw, member);
    return true;
}

static void fill_members(Lower *lw, LwRecord *record, IrRecord *out)
{
    Filling filling = {.lw = lw, .record = record};
    clang_Type_visitFields(record->type, add_field, &filling);
    lw_add_bases(lw, record, out->kind == IR_REC_USER);
    Flags flags = {.lw = lw, .record = record, .out = out};
    lw_record_members(lw, record, add_flags, &flags);
}

static bool is_defined(const LwRecord *record)
{
    return clang_isCursorDefinition(record->decl) || !lw_is_null(record->pattern);
}

// Completes the entry; other records that it leads to may be added meanwhile.
static void fill(Lower *lw, IrRecordId id)
{
    LwRecord *record = lw->tables->record_info.items[id];
    IrRecord out = lw->unit->records.items[id];
    if (out.kind == IR_REC_UNIQUE_PTR) {
        record->element = lw_canonical(clang_Type_getTemplateArgumentAsType(record->type, 0));
        if (lw_is_array(record->element)) record->element = lw_element(record->element);
        record->deleter = lw_canonical(clang_Type_getTemplateArgumentAsType(record->type, 1));
        if (lw_is_reference(record->deleter)) record->deleter = lw_pointee(record->deleter);
        out.is_complete = true;
    } else {
        fill_members(lw, record, &out);
        bool is_opaque = out.kind == IR_REC_STD && in_namespace(record->decl);
        for (uint32_t i = 0; i < record->fields.len && !is_opaque; i++) {
            IrField field = {.name = record->fields.items[i].name,
                             .type = lw_type(lw, clang_getCursorType(record->fields.items[i].decl)),
                             .shares = record->fields.items[i].shares};
            out.has_shared |= field.shares != NULL;
            vec_push(lw->ctx->arena, &out.fields, field);
        }
        for (uint32_t i = 0; i < record->bases.len && !is_opaque; i++)
            vec_push(lw->ctx->arena, &out.bases, lw_record_id(lw, record->bases.items[i].type));
        out.is_complete = !is_opaque && is_defined(record);
        if (!lw_is_null(record->destructor)) out.destructor = lw_callee(lw, record->destructor);
    }
    lw->unit->records.items[id] = out;
}

IrRecordId lw_record_id(Lower *lw, CXType type)
{
    CXType canonical = lw_canonical(type);
    if (canonical.kind != CXType_Record) return IR_NONE;
    CXCursor decl = clang_getTypeDeclaration(canonical);
    CXCursor key = clang_getCanonicalCursor(decl);
    IrRecordId known = lw_cursor_get(&lw->tables->records, key);
    if (known != IR_NONE) return known;
    CXCursor definition = clang_getCursorDefinition(decl);
    if (!lw_is_null(definition)) decl = definition;
    LwRecord *record = ARENA_NEW(lw->ctx->arena, LwRecord);
    record->type = canonical;
    record->decl = decl;
    record->pattern = clang_getSpecializedCursorTemplate(decl);
    record->destructor = clang_getNullCursor();
    record->is_closure = is_closure(decl);
    IrRecord out = {.name = tu_str(lw->ctx, clang_getTypeSpelling(canonical)),
                    .usr = tu_usr(lw->ctx, decl),
                    .loc = tu_loc(lw->ctx, decl),
                    .kind = kind_of(lw, decl),
                    .is_union = lw_is_kind(decl, CXCursor_UnionDecl),
                    .is_closure = record->is_closure,
                    .destructor = IR_NONE};
    out.runs_user_code = out.kind == IR_REC_STD && runs_user_code(canonical);
    IrRecordId id = ir_record_add(lw->unit, out);
    vec_push(lw->ctx->arena, &lw->tables->record_info, record);
    lw_cursor_set(lw->ctx->arena, &lw->tables->records, key, id);
    fill(lw, id);
    return id;
}

LwRecord *lw_record(Lower *lw, CXType type)
{
    IrRecordId id = lw_record_id(lw, type);
    return id == IR_NONE ? NULL : lw->tables->record_info.items[id];
}

IrRecordKind lw_record_kind(Lower *lw, CXType type)
{
    IrRecordId id = lw_record_id(lw, type);
    return id == IR_NONE ? IR_REC_USER : lw->unit->records.items[id].kind;
}

bool lw_is_unique_ptr(Lower *lw, CXType type)
{
    return lw_is_record(type) && lw_record_kind(lw, type) == IR_REC_UNIQUE_PTR;
}
