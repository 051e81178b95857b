// SPDX-License-Identifier: MIT
// Types of the text form: "const float*", "int[10]", declared names. Spellings of derived types are
// built as clang writes them.
#include "ir/ir_parse_p.h"

static IrTypeInfo blank_type(IrTypeKind kind, const char *name)
{
    return (IrTypeInfo){
        .kind = kind, .name = name, .pointee = IR_NONE, .record = IR_NONE, .extent = -1};
}

IrType parse_builtin(Parser *p, const char *word)
{
    const IrBuiltin *it = ir_builtin_by_word(word);
    IrTypeInfo info = blank_type(it->kind, it->name);
    info.is_unsigned = it->is_unsigned;
    info.size = it->size;
    return ir_type_add(p->unit, info);
}

// "float *" and "float **": a space only before the first star.
static IrType derived(Parser *p, IrTypeKind kind, IrType pointee, const char *mark)
{
    const char *name = ir_type(p->unit, pointee)->name;
    bool is_starred = str_ends_with(name, "*") || str_ends_with(name, "&");
    IrTypeInfo info =
        blank_type(kind, str_internf(p->unit->strings, is_starred ? "%s%s" : "%s %s", name, mark));
    info.pointee = pointee;
    info.size = 8;
    info.is_const = str_ends_with(mark, "const");
    return ir_type_add(p->unit, info);
}

IrType parse_pointer_to(Parser *p, IrType pointee)
{
    return derived(p, IR_TY_POINTER, pointee, "*");
}

static bool parse_array(Parser *p, IrType *type)
{
    IrTypeInfo info = blank_type(IR_TY_ARRAY, "");
    info.pointee = *type;
    const char *element = ir_type(p->unit, *type)->name;
    if (parse_peek(p)->kind == TOK_NUMBER) {
        uint64_t extent;
        if (!parse_uint(p, INT64_MAX, &extent)) return false;
        info.extent = (int64_t)extent;
        info.name = str_internf(p->unit->strings, "%s[%llu]", element, (unsigned long long)extent);
    } else {
        info.name = str_internf(p->unit->strings, "%s[]", element);
    }
    *type = ir_type_add(p->unit, info);
    p->unit->types.items[*type].size = ir_textual_size(p->unit, *type);
    return parse_expect(p, "]");
}

// Reads the name that a type begins with.
static bool parse_base(Parser *p, IrType *type)
{
    const Token *token = parse_peek(p);
    if (token->kind == TOK_WORD && token->ordinal == 0 && ir_builtin_by_word(token->text) != NULL) {
        p->at++;
        *type = parse_builtin(p, token->text);
        return true;
    }
    if (!parse_name(p, &token)) return false;
    *type = name_map_find(&p->types, token);
    if (*type != IR_NONE) return true;
    IrRecordId record = name_map_find(&p->records, token);
    if (record == IR_NONE) {
        p->at--;
        return parse_fail(p, "unknown type '%s'", token->text);
    }
    *type = p->record_types.items[record];
    return true;
}

static IrType const_of(Parser *p, IrType type)
{
    IrTypeInfo info = *ir_type(p->unit, type);
    if (info.is_const) return type;
    info.is_const = true;
    info.name = str_internf(p->unit->strings, "const %s", info.name);
    return ir_type_add(p->unit, info);
}

IrType parse_unqualified(Parser *p, IrType type)
{
    IrTypeInfo info = *ir_type(p->unit, type);
    if (!info.is_const) return type;
    bool is_suffix = str_ends_with(info.name, "const");
    size_t len = strlen(info.name) - strlen("const");
    info.name = is_suffix ? str_intern_n(p->unit->strings, info.name, len)
                          : ir_type_base_name(p->unit, &info);
    info.is_const = false;
    return ir_type_add(p->unit, info);
}

// One glued suffix; *is_done when there is none.
static bool parse_suffix(Parser *p, IrType *type, bool *is_done)
{
    const Token *token = parse_peek(p);
    *is_done = !token->is_glued;
    if (*is_done) return true;
    if (parse_accept(p, "*")) {
        bool is_const = parse_accept(p, "const");
        *type = derived(p, IR_TY_POINTER, *type, is_const ? "*const" : "*");
        return true;
    }
    if (token_is(token, "&") || token_is(token, "&&")) {
        p->at++;
        *type = derived(p, IR_TY_REFERENCE, *type, token->text);
        return true;
    }
    if (parse_accept(p, "[")) return parse_array(p, type);
    *is_done = true;
    return true;
}

bool parse_type(Parser *p, IrType *type)
{
    bool is_const = parse_accept(p, "const");
    if (!parse_base(p, type)) return false;
    if (is_const) *type = const_of(p, *type);
    bool is_done = false;
    for (int i = 0; !is_done; i++) {
        if (i > PARSE_MAX_SUFFIXES) return parse_fail(p, "type is nested too deeply");
        if (!parse_suffix(p, type, &is_done)) return false;
    }
    return true;
}

bool parse_type_item(Parser *p)
{
    static const struct {
        const char *word;
        IrTypeKind kind;
    } forms[] = {{"signed", IR_TY_INT},       {"unsigned", IR_TY_INT}, {"real", IR_TY_FLOAT},
                 {"boolean", IR_TY_BOOL},     {"nothing", IR_TY_VOID}, {"other", IR_TY_OTHER},
                 {"function", IR_TY_FUNCTION}};
    const Token *name;
    if (!parse_name(p, &name) || !parse_expect(p, "=")) return false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (!parse_accept(p, forms[i].word)) continue;
        IrTypeInfo info = blank_type(forms[i].kind, name->text);
        info.is_unsigned = strcmp(forms[i].word, "unsigned") == 0;
        bool is_read = info.kind == IR_TY_FUNCTION ? parse_type(p, &info.pointee)
                                                   : parse_uint(p, UINT32_MAX, &info.size);
        return is_read && name_map_add(p, &p->types, name, ir_type_add(p->unit, info));
    }
    return parse_fail(p, "expected signed, unsigned, real, boolean, nothing, other or function");
}
