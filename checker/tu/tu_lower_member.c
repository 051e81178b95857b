// SPDX-License-Identifier: MIT
// Special members of records: which constructor, destructor or operator a class has, and whether
// copying and destroying its objects does anything. Members of an instantiated class are found
// among the functions that clang lists behind the file's own declarations, or in the template.
#include "tu/tu_lower.h"

#include <string.h>

static bool is_member_function(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

static enum CXChildVisitResult collect_instance(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Lower *lw = data;
    if (!is_member_function(cursor) || lw_is_null(clang_getSpecializedCursorTemplate(cursor))) {
        return CXChildVisit_Continue;
    }
    struct TuLowerUnit *tables = lw->tables;
    CXCursor record = clang_getCursorSemanticParent(cursor);
    const char *usr = tu_usr(lw->ctx, record);
    LwInstance instance = {
        .cursor = cursor, .next = lw_ptr_get(&tables->instances, usr), .next_by_name = IR_NONE};
    uint32_t index = tables->instance_list.len;
    if (instance.next == IR_NONE) {
        const char *name = lw_unscoped_name(lw, lw_type_of(record));
        instance.next_by_name = lw_ptr_get(&tables->instances_by_name, name);
        lw_ptr_set(lw->ctx->arena, &tables->instances_by_name, name, index);
    }
    vec_push(lw->ctx->arena, &tables->instance_list, instance);
    lw_ptr_set(lw->ctx->arena, &tables->instances, usr, index);
    return CXChildVisit_Continue;
}

void lw_collect_instances(Lower *lw)
{
    if (lw->tables->has_instances) return;
    lw->tables->has_instances = true;
    clang_visitChildren(clang_getTranslationUnitCursor(lw->ctx->tu), collect_instance, lw);
}

typedef struct {
    LwMemberVisit visit;
    void *context;
    bool found; // any member
    bool stopped;
} MemberWalk;

static enum CXChildVisitResult walk_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    MemberWalk *walk = data;
    CXCursor member = cursor;
    if (lw_is_kind(cursor, CXCursor_FunctionTemplate)) return CXChildVisit_Continue;
    if (!is_member_function(member)) return CXChildVisit_Continue;
    walk->found = true;
    if (walk->visit(walk->context, member)) return CXChildVisit_Continue;
    walk->stopped = true;
    return CXChildVisit_Break;
}

void lw_record_members(Lower *lw, const LwRecord *record, LwMemberVisit visit, void *context)
{
    MemberWalk walk = {.visit = visit, .context = context};
    clang_visitChildren(record->decl, walk_member, &walk);
    if (walk.found || lw_is_null(record->pattern)) return;
    lw_collect_instances(lw);
    const char *usr = tu_usr(lw->ctx, record->decl);
    uint32_t at = lw_ptr_get(&lw->tables->instances, usr);
    for (; at != IR_NONE && !walk.stopped; at = lw->tables->instance_list.items[at].next)
        walk.stopped = !visit(context, lw->tables->instance_list.items[at].cursor);
    if (!walk.stopped) clang_visitChildren(record->pattern, walk_member, &walk);
}

typedef struct {
    Lower *lw;
    const char *name;
    bool is_move, is_assignment;
    CXCursor found;
} Search;

static bool match_name(void *context, CXCursor member)
{
    Search *search = context;
    if (strcmp(lw_spelling(search->lw, member), search->name) != 0) return true;
    search->found = member;
    return false;
}

CXCursor lw_find_method(Lower *lw, const LwRecord *record, const char *name)
{
    Search search = {.lw = lw, .name = name, .found = clang_getNullCursor()};
    lw_record_members(lw, record, match_name, &search);
    return search.found;
}

static bool match_default_constructor(void *context, CXCursor member)
{
    Search *search = context;
    if (!lw_is_kind(member, CXCursor_Constructor) || clang_CXXMethod_isDeleted(member)) return true;
    int count = clang_Cursor_getNumArguments(member);
    for (int i = 0; i < count; i++)
        if (lw_is_null(lw_default_argument(member, (uint32_t)i))) return true;
    search->found = member;
    return false;
}

CXCursor lw_find_default_constructor(Lower *lw, const LwRecord *record)
{
    Search search = {.lw = lw, .found = clang_getNullCursor()};
    lw_record_members(lw, record, match_default_constructor, &search);
    bool is_written = !lw_is_null(search.found) && !clang_CXXMethod_isDefaulted(search.found);
    return is_written ? search.found : clang_getNullCursor();
}

static bool match_copy(void *context, CXCursor member)
{
    Search *search = context;
    bool matches;
    if (search->is_assignment) {
        matches = search->is_move ? clang_CXXMethod_isMoveAssignmentOperator(member)
                                  : clang_CXXMethod_isCopyAssignmentOperator(member);
    } else {
        matches = search->is_move ? clang_CXXConstructor_isMoveConstructor(member)
                                  : clang_CXXConstructor_isCopyConstructor(member);
    }
    if (!matches) return true;
    search->found = member;
    return false;
}

CXCursor lw_find_copy(Lower *lw, const LwRecord *record, bool is_move, bool is_assignment)
{
    Search search = {.lw = lw,
                     .is_move = is_move,
                     .is_assignment = is_assignment,
                     .found = clang_getNullCursor()};
    lw_record_members(lw, record, match_copy, &search);
    if (is_move && lw_is_null(search.found)) return lw_find_copy(lw, record, false, is_assignment);
    bool is_written = !lw_is_null(search.found) && !clang_CXXMethod_isDefaulted(search.found) &&
                      !clang_CXXMethod_isDeleted(search.found);
    return is_written ? search.found : clang_getNullCursor();
}

// ---- does destroying do anything? ---------------------------------------------------------------

enum { MAX_PATTERN_DEPTH = 8 };

static bool pattern_destroys(CXCursor pattern, int depth);

// The class or class template that a base or field names first.
static enum CXChildVisitResult find_class(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (!lw_is_kind(cursor, CXCursor_TemplateRef) && !lw_is_kind(cursor, CXCursor_TypeRef))
        return CXChildVisit_Continue;
    CXCursor class = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(class);
    if (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl)
        class = clang_getTypeDeclaration(lw_canonical(clang_getTypedefDeclUnderlyingType(class)));
    CXCursor definition = clang_getCursorDefinition(class);
    *(CXCursor *)data = lw_is_null(definition) ? class : definition;
    return CXChildVisit_Break;
}

typedef struct {
    bool destroys;
    int depth;
} PatternWalk;

// Members of a class template are asked by their declarations: what their types become is not known
// here.
static enum CXChildVisitResult walk_pattern(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    PatternWalk *walk = data;
    bool is_part =
        lw_is_kind(cursor, CXCursor_CXXBaseSpecifier) ||
        (lw_is_kind(cursor, CXCursor_FieldDecl) && !lw_is_pointer(clang_getCursorType(cursor)) &&
         !lw_is_reference(clang_getCursorType(cursor)));
    if (lw_is_kind(cursor, CXCursor_Destructor))
        walk->destroys |= !clang_CXXMethod_isDefaulted(cursor);
    if (is_part) {
        CXCursor class = clang_getNullCursor();
        clang_visitChildren(cursor, find_class, &class);
        if (!lw_is_null(class)) walk->destroys |= pattern_destroys(class, walk->depth + 1);
    }
    return walk->destroys ? CXChildVisit_Break : CXChildVisit_Continue;
}

static bool pattern_destroys(CXCursor pattern, int depth)
{
    if (depth > MAX_PATTERN_DEPTH) return true;
    PatternWalk walk = {.depth = depth};
    clang_visitChildren(pattern, walk_pattern, &walk);
    return walk.destroys;
}

static bool compute_destroy(Lower *lw, LwRecord *record)
{
    if (record->is_closure) return false;
    if (lw_record_kind(lw, record->type) == IR_REC_UNIQUE_PTR || !lw_is_null(record->destructor))
        return true;
    if (clang_isPODType(record->type)) return false;
    for (uint32_t i = 0; i < record->fields.len; i++)
        if (lw_needs_destroy(lw, record->fields.items[i].type)) return true;
    for (uint32_t i = 0; i < record->bases.len; i++)
        if (lw_needs_destroy(lw, record->bases.items[i].type)) return true;
    bool is_std = lw_record_kind(lw, record->type) == IR_REC_STD;
    return is_std && !lw_is_null(record->pattern) && pattern_destroys(record->pattern, 0);
}

bool lw_needs_destroy(Lower *lw, CXType type)
{
    while (lw_is_array(type)) type = lw_element(type);
    LwRecord *record = lw_record(lw, type);
    if (record == NULL) return false;
    if (record->needs_destroy == LW_UNKNOWN) {
        record->needs_destroy = LW_NO; // while a broken class that contains itself is looked at
        record->needs_destroy = compute_destroy(lw, record) ? LW_YES : LW_NO;
    }
    return record->needs_destroy == LW_YES;
}

static bool match_virtual_destructor(void *context, CXCursor member)
{
    Search *search = context;
    if (!lw_is_kind(member, CXCursor_Destructor) || !clang_CXXMethod_isVirtual(member)) return true;
    search->found = member;
    return false;
}

bool lw_has_virtual_destructor(Lower *lw, const LwRecord *record)
{
    Search search = {.lw = lw, .found = clang_getNullCursor()};
    lw_record_members(lw, record, match_virtual_destructor, &search);
    for (uint32_t i = 0; i < record->bases.len && lw_is_null(search.found); i++) {
        const LwRecord *base = lw_record(lw, record->bases.items[i].type);
        if (base != NULL && lw_has_virtual_destructor(lw, base)) return true;
    }
    return !lw_is_null(search.found);
}

static bool compute_plain_copy(Lower *lw, LwRecord *record)
{
    if (record->is_closure || clang_isPODType(record->type)) return true;
    if (lw_record_kind(lw, record->type) == IR_REC_UNIQUE_PTR) return false;
    if (lw_record_kind(lw, record->type) == IR_REC_STD) return true;
    for (int which = 0; which < 4; which++)
        if (!lw_is_null(lw_find_copy(lw, record, (which & 1) != 0, (which & 2) != 0))) return false;
    for (uint32_t i = 0; i < record->fields.len; i++)
        if (!lw_is_plain_copy(lw, record->fields.items[i].type)) return false;
    for (uint32_t i = 0; i < record->bases.len; i++)
        if (!lw_is_plain_copy(lw, record->bases.items[i].type)) return false;
    return true;
}

bool lw_is_plain_copy(Lower *lw, CXType type)
{
    while (lw_is_array(type)) type = lw_element(type);
    LwRecord *record = lw_record(lw, type);
    if (record == NULL) return true;
    if (record->plain_copy == LW_UNKNOWN) {
        record->plain_copy = LW_YES;
        record->plain_copy = compute_plain_copy(lw, record) ? LW_YES : LW_NO;
    }
    return record->plain_copy == LW_YES;
}
