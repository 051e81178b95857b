// SPDX-License-Identifier: MIT
// Base classes of instantiated classes, which libclang lists from version 20 on: before, it only
// prints them. The names it prints are those of a template's arguments or of classes that have
// instantiated members; others have nothing that could run.
#include "tu/tu_lower.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef Vec(const char *) Names;

static bool is_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

// Without the scopes, of its arguments as well: some are printed as they were written, without them.
static const char *unscoped(Lower *lw, const char *name)
{
    StrBuf out = {.arena = lw->ctx->arena};
    for (; *name != '\0'; name++) {
        if (!str_starts_with(name, "::")) {
            strbuf_append_n(&out, name, 1);
            continue;
        }
        while (out.len > 0 && is_word(out.text[out.len - 1])) out.len--;
        name++;
    }
    if (out.text) out.text[out.len] = '\0';
    return str_intern(lw->unit->strings, strbuf_text(&out));
}

static const char *without_specifiers(const char *name)
{
    static const char *const specifiers[] = {"virtual ", "public ", "protected ", "private "};
    for (size_t i = 0; i < sizeof specifiers / sizeof *specifiers; i++) {
        name += strspn(name, " ");
        if (str_starts_with(name, specifiers[i])) name += strlen(specifiers[i]);
    }
    return name;
}

static void add_name(Lower *lw, Names *names, const char *begin, const char *end)
{
    const char *name = arena_strndup(lw->ctx->arena, begin, (size_t)(end - begin));
    vec_push(lw->ctx->arena, names, unscoped(lw, without_specifiers(name)));
}

// Of "struct A<int> : public n::B<int>, C {}": B<int> and C.
static Names names_in(Lower *lw, const char *text)
{
    Names names = {0};
    const char *begin = NULL;
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("<([", *at) != NULL) depth++;
        if (strchr(">)]", *at) != NULL) depth--;
        if (depth > 0) continue;
        bool is_colon = begin == NULL && str_starts_with(at, " : ");
        bool is_end = begin != NULL && (*at == ',' || str_starts_with(at, " {"));
        if (is_end) add_name(lw, &names, begin, at);
        if (is_end && *at != ',') break;
        if (is_colon || is_end) begin = at + (is_colon ? 3 : 1);
    }
    return names;
}

static Names printed_bases(Lower *lw, CXCursor decl)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(decl);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    Names names = names_in(lw, tu_str(lw->ctx, clang_getCursorPrettyPrinted(decl, policy)));
    clang_PrintingPolicy_dispose(policy);
    return names;
}

const char *lw_unscoped_name(Lower *lw, CXType type)
{
    return unscoped(lw, tu_str(lw->ctx, clang_getTypeSpelling(lw_canonical(type))));
}

static const CXType NO_TYPE = {.kind = CXType_Invalid};

static CXType among_arguments(Lower *lw, CXType type, const char *name)
{
    int count = clang_Type_getNumTemplateArguments(type);
    for (int i = 0; i < count; i++) {
        CXType argument = lw_canonical(clang_Type_getTemplateArgumentAsType(type, (unsigned)i));
        if (lw_is_record(argument) && lw_unscoped_name(lw, argument) == name) return argument;
    }
    return NO_TYPE;
}

// The name of a declared base with the instance's arguments for the template's parameters, aliases
// resolved; NULL: it depends on something else, too.
static const char *substituted(Lower *lw, CXType base, CXType instance)
{
    static const char mark[] = "type-parameter-";
    const char *text = tu_str(lw->ctx, clang_getTypeSpelling(lw_canonical(base)));
    StrBuf out = {.arena = lw->ctx->arena};
    for (const char *at; (at = strstr(text, mark)) != NULL;) {
        int depth = -1, number = -1, read = 0;
        if (sscanf(at + strlen(mark), "%d-%d%n", &depth, &number, &read) != 2 || depth != 0)
            return NULL;
        CXType argument = clang_Type_getTemplateArgumentAsType(instance, (unsigned)number);
        if (argument.kind == CXType_Invalid) return NULL;
        strbuf_append_n(&out, text, (size_t)(at - text));
        strbuf_append(&out, tu_str(lw->ctx, clang_getTypeSpelling(lw_canonical(argument))));
        text = at + strlen(mark) + read;
    }
    strbuf_append(&out, text);
    return unscoped(lw, strbuf_text(&out));
}

// Classes of one name in several scopes are none that could be told apart.
static CXType among_instances(Lower *lw, const char *name)
{
    lw_collect_instances(lw);
    CXType found = NO_TYPE;
    uint32_t at = lw_ptr_get(&lw->tables->instances_by_name, name);
    for (; at != IR_NONE; at = lw->tables->instance_list.items[at].next_by_name) {
        CXType type =
            lw_type_of(clang_getCursorSemanticParent(lw->tables->instance_list.items[at].cursor));
        if (found.kind != CXType_Invalid && !lw_is_same(found, type)) return NO_TYPE;
        found = type;
    }
    return found;
}

typedef struct {
    Lower *lw;
    LwRecord *record;
    Vec(CXType) types; // of the bases as they are declared; of no class: depends on a parameter
} Bases;

static enum CXChildVisitResult see_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Bases *bases = data;
    if (lw_is_kind(cursor, CXCursor_CXXBaseSpecifier))
        vec_push(bases->lw->arena, &bases->types, lw_type_of(cursor));
    return CXChildVisit_Continue;
}

static void add_base(Lower *lw, LwRecord *record, CXType type)
{
    if (!lw_is_record(type)) return;
    const char *name = tu_str(lw->ctx, clang_getTypeSpelling(type));
    LwField base = {.name = str_internf(lw->unit->strings, "#base:%s", name), .type = type};
    vec_push(lw->ctx->arena, &record->bases, base);
}

static CXType class_of_name(Lower *lw, const LwRecord *record, const char *name)
{
    CXType type = among_arguments(lw, record->type, name);
    return lw_is_record(type) ? type : among_instances(lw, name);
}

// A pack of bases is one declared base and any number of printed ones.
static void add_printed_bases(Lower *lw, const Bases *declared)
{
    LwRecord *record = declared->record;
    Names names = printed_bases(lw, record->decl);
    for (uint32_t i = 0; i < names.len; i++) {
        CXType type = NO_TYPE;
        const char *name = NULL;
        if (names.len == declared->types.len) {
            type = declared->types.items[i];
            name = substituted(lw, type, record->type);
        }
        if (!lw_is_record(type) && name) type = class_of_name(lw, record, name);
        if (!lw_is_record(type)) type = class_of_name(lw, record, names.items[i]);
        add_base(lw, record, type);
    }
}

void lw_add_bases(Lower *lw, LwRecord *record, bool is_user)
{
    Bases bases = {.lw = lw, .record = record};
    clang_visitChildren(record->decl, see_base, &bases);
    bool is_instance = bases.types.len == 0 && !lw_is_null(record->pattern);
    if (is_instance) clang_visitChildren(record->pattern, see_base, &bases);
    bool depends = false;
    for (uint32_t i = 0; i < bases.types.len; i++) depends |= !lw_is_record(bases.types.items[i]);
    if (is_user && is_instance && depends) {
        add_printed_bases(lw, &bases);
        return;
    }
    for (uint32_t i = 0; i < bases.types.len; i++) add_base(lw, record, bases.types.items[i]);
}

IrPlaceId lw_base_place(Lower *lw, IrPlaceId place, CXType derived, CXType base)
{
    if (lw_is_same(lw_canonical(derived), lw_canonical(base))) return place;
    LwRecord *record = lw_record(lw, derived);
    if (record == NULL) return IR_NONE;
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField at = record->bases.items[i];
        if (lw_is_same(at.type, lw_canonical(base)))
            return lw_field(lw, place, at.name, lw_plain_type(lw, at.type));
    }
    for (uint32_t i = 0; i < record->bases.len; i++) {
        LwField at = record->bases.items[i];
        LwRecord *inner = lw_record(lw, at.type);
        if (inner == NULL || inner->bases.len == 0) continue;
        IrPlaceId through = lw_field(lw, place, at.name, lw_plain_type(lw, at.type));
        IrPlaceId found = lw_base_place(lw, through, at.type, base);
        if (found != IR_NONE) return found;
    }
    return IR_NONE;
}
