// SPDX-License-Identifier: MIT
// Tables and rules shared by the printer and the parser of the IR's text form: both leave out what
// follows from the context, so both must agree on what does.
#include "ir/ir_text_p.h"

#include <ctype.h>
#include <string.h>

static const IrBuiltin builtins[] = {
    {"void", "void", IR_TY_VOID, false, 0},
    {"bool", "bool", IR_TY_BOOL, false, 1},
    {"char", "char", IR_TY_INT, false, 1},
    {"i8", "signed char", IR_TY_INT, false, 1},
    {"u8", "unsigned char", IR_TY_INT, true, 1},
    {"i16", "short", IR_TY_INT, false, 2},
    {"u16", "unsigned short", IR_TY_INT, true, 2},
    {"int", "int", IR_TY_INT, false, 4},
    {"u32", "unsigned int", IR_TY_INT, true, 4},
    {"i64", "long", IR_TY_INT, false, 8},
    {"u64", "unsigned long", IR_TY_INT, true, 8},
    {"llong", "long long", IR_TY_INT, false, 8},
    {"ullong", "unsigned long long", IR_TY_INT, true, 8},
    {"float", "float", IR_TY_FLOAT, false, 4},
    {"double", "double", IR_TY_FLOAT, false, 8},
    // Further words for the same types; the printer uses the first.
    {"i32", "int", IR_TY_INT, false, 4},
    {"long", "long", IR_TY_INT, false, 8},
    {"size_t", "unsigned long", IR_TY_INT, true, 8},
};
#define BUILTIN_COUNT (sizeof builtins / sizeof builtins[0])

const IrBuiltin *ir_builtin_by_word(const char *word)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        if (strcmp(builtins[i].word, word) == 0) return &builtins[i];
    }
    return NULL;
}

const IrBuiltin *ir_builtin_of(const IrTypeInfo *info, const char *name)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        const IrBuiltin *it = &builtins[i];
        bool is_same = it->kind == info->kind && it->size == info->size &&
                       it->is_unsigned == info->is_unsigned;
        if (is_same && strcmp(it->name, name) == 0) return it;
    }
    return NULL;
}

// ---- words ------------------------------------------------------------------------------------

static const char *const reserved_words[] = {
    "unit", "type",   "record", "callee",  "func",    "skipped", "var",
    "temp", "param",  "static", "global",  "capture", "const",   "init",
    "cast", "sizeof", "fn",     "closure", "unwind",  "else",    "to",
    "at",   "as",     "of",     "dtor",    "usr",     "size",    "in",
#define IR_OPCODE(name, text, is_terminator) text,
#include "ir/ops.def"
#undef IR_OPCODE
};

bool ir_word_is_reserved(const char *word)
{
    for (size_t i = 0; i < sizeof reserved_words / sizeof reserved_words[0]; i++) {
        if (strcmp(reserved_words[i], word) == 0) return true;
    }
    return ir_builtin_by_word(word) != NULL || strcmp(word, "_") == 0;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// Mirrors lex_word: an identifier, a temporary (%5), a name with :: in it, or a hidden field
// (#ptr).
bool ir_word_is_plain(const char *text)
{
    const char *at = text;
    bool is_first_ok = isalpha((unsigned char)*at) || *at == '_' || *at == '$' || *at == '%';
    if (!is_first_ok) return false;
    if (*at == '%' && !is_word_char(at[1])) return false;
    for (at++; *at != '\0'; at++) {
        if (is_word_char(*at)) continue;
        if (at[0] != ':' || at[1] != ':') return false;
        at += at[2] == '~' ? 2 : 1;
        if (!is_word_char(at[1])) return false;
    }
    return !ir_word_is_reserved(text);
}

bool ir_number_is_float(const char *text)
{
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    return strpbrk(text, is_hex ? ".pP" : ".eEfF") != NULL;
}

// Mirrors lex_number, in a strict form.
bool ir_float_is_plain(const char *text)
{
    if (*text == '-') text++;
    if (!isdigit((unsigned char)*text) || !ir_number_is_float(text)) return false;
    for (const char *at = text + 1; *at != '\0'; at++) {
        bool is_exponent =
            (*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E') && text[1] != 'x';
        bool is_fraction = *at == '.' && isalnum((unsigned char)at[1]);
        if (!isalnum((unsigned char)*at) && !is_exponent && !is_fraction) return false;
    }
    return true;
}

// ---- flags ------------------------------------------------------------------------------------

const IrFlag ir_record_flags[] = {
    {"union", offsetof(IrRecord, is_union)},
    {"closure", offsetof(IrRecord, is_closure)},
    {"runs_user_code", offsetof(IrRecord, runs_user_code)},
    {"copy_ctor", offsetof(IrRecord, copy_ctor_declared)},
    {"copy_ctor_deleted", offsetof(IrRecord, copy_ctor_deleted)},
    {"copy_ctor_defaulted", offsetof(IrRecord, copy_ctor_defaulted)},
    {"copy_assign", offsetof(IrRecord, copy_assign_declared)},
    {"copy_assign_deleted", offsetof(IrRecord, copy_assign_deleted)},
    {"copy_assign_defaulted", offsetof(IrRecord, copy_assign_defaulted)},
    {"move", offsetof(IrRecord, move_declared)},
    {NULL, 0},
};

const IrFlag ir_callee_flags[] = {
    {"method", offsetof(IrCallee, is_method)},
    {"const_method", offsetof(IrCallee, is_const_method)},
    {"ctor", offsetof(IrCallee, is_constructor)},
    {"dtor", offsetof(IrCallee, is_destructor)},
    {"virtual", offsetof(IrCallee, is_virtual)},
    {"pure", offsetof(IrCallee, is_pure)},
    {"variadic", offsetof(IrCallee, is_variadic)},
    {"kernel", offsetof(IrCallee, is_kernel)},
    {"device", offsetof(IrCallee, is_device_only)},
    {"system", offsetof(IrCallee, in_system_header)},
    {"extern_c", offsetof(IrCallee, is_extern_c_like)},
    {"internal", offsetof(IrCallee, is_internal)},
    {"noreturn", offsetof(IrCallee, is_noreturn)},
    {"nothrow", offsetof(IrCallee, is_nothrow)},
    {NULL, 0},
};

const IrFlag ir_function_flags[] = {
    {"main", offsetof(IrFunction, is_main)},
    {"lambda", offsetof(IrFunction, is_lambda)},
    {"ctor", offsetof(IrFunction, is_constructor)},
    {"dtor", offsetof(IrFunction, is_destructor)},
    {"instantiation", offsetof(IrFunction, is_instantiation)},
    {NULL, 0},
};

const IrFlag ir_call_flags[] = {
    {"try", offsetof(IrCall, in_try)},         {"implicit", offsetof(IrCall, is_implicit)},
    {"virtual", offsetof(IrCall, is_virtual)}, {"new", offsetof(IrCall, is_new)},
    {"delete", offsetof(IrCall, is_delete)},   {NULL, 0},
};

const char *ir_branch_word(IrBranchKind kind)
{
    switch (kind) {
    case IR_BR_IF:
        return "if";
    case IR_BR_LOOP:
        return "loop";
    case IR_BR_TERNARY:
        return "ternary";
    case IR_BR_LOGICAL:
        return "logical";
    case IR_BR_RANGE_FOR:
        return "range_for";
    case IR_BR_SYNTHETIC:
        return "synthetic";
    }
    return "if";
}

// ---- types ------------------------------------------------------------------------------------

const char *ir_type_base_name(const IrUnit *unit, const IrTypeInfo *info)
{
    bool has_const = info->is_const && str_starts_with(info->name, "const ");
    return has_const ? str_intern(unit->strings, info->name + strlen("const ")) : info->name;
}

bool ir_operator_is_comparison(IrOperator op)
{
    return op == IR_EQ || op == IR_NE || op == IR_LT || op == IR_LE || op == IR_GT || op == IR_GE;
}

int ir_operator_precedence(IrOperator op)
{
    switch (op) {
    case IR_MUL:
    case IR_DIV:
    case IR_REM:
        return 8;
    case IR_ADD:
    case IR_SUB:
        return 7;
    case IR_SHL:
    case IR_SHR:
        return 6;
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        return 5;
    case IR_EQ:
    case IR_NE:
        return 4;
    case IR_AND:
        return 3;
    case IR_XOR:
        return 2;
    case IR_OR:
        return 1;
    case IR_NEG:
    case IR_BITNOT:
    case IR_NOT:
        return 0;
    }
    return 0;
}

static IrTypeKind kind_of(const IrUnit *unit, IrType type)
{
    return type == IR_NONE ? IR_TY_OTHER : ir_type(unit, type)->kind;
}

IrType ir_context_int(const IrUnit *unit, IrType expected)
{
    IrTypeKind kind = kind_of(unit, expected);
    return kind == IR_TY_INT || kind == IR_TY_BOOL || kind == IR_TY_POINTER ? expected : IR_NONE;
}

IrType ir_context_float(const IrUnit *unit, IrType expected)
{
    return kind_of(unit, expected) == IR_TY_FLOAT ? expected : IR_NONE;
}

IrType ir_context_right(const IrUnit *unit, IrOperator op, IrType left)
{
    if (op == IR_SHL || op == IR_SHR) return IR_NONE;
    bool is_offset = op == IR_ADD || op == IR_SUB;
    return is_offset && kind_of(unit, left) == IR_TY_POINTER ? IR_NONE : left;
}

bool ir_type_is_pointer_like(const IrUnit *unit, IrType type)
{
    IrTypeKind kind = kind_of(unit, type);
    return kind == IR_TY_POINTER || kind == IR_TY_REFERENCE;
}

static IrType field_type(const IrUnit *unit, IrType object, const char *field)
{
    if (kind_of(unit, object) != IR_TY_RECORD) return IR_NONE;
    const IrRecord *record = &unit->records.items[ir_type(unit, object)->record];
    for (uint32_t i = 0; i < record->fields.len; i++) {
        if (strcmp(record->fields.items[i].name, field) == 0) return record->fields.items[i].type;
    }
    return IR_NONE;
}

IrType ir_natural_type(const IrUnit *unit, const IrFunction *fn, const IrPlace *place)
{
    if (place->kind == IR_PL_VAR) return fn->vars.items[place->var].type;
    const IrPlace *base = ir_place(fn, place->base);
    if (base->type == IR_NONE) return IR_NONE;
    if (place->kind == IR_PL_FIELD) return field_type(unit, base->type, place->field);
    if (place->kind == IR_PL_INDEX && base->kind == IR_PL_DEREF) return base->type;
    bool has_pointee = place->kind == IR_PL_INDEX ? kind_of(unit, base->type) == IR_TY_ARRAY
                                                  : ir_type_is_pointer_like(unit, base->type);
    return has_pointee ? ir_type(unit, base->type)->pointee : IR_NONE;
}

uint64_t ir_textual_size(const IrUnit *unit, IrType type)
{
    uint64_t count = 1;
    const IrTypeInfo *info = ir_type(unit, type);
    while (info->kind == IR_TY_ARRAY && info->pointee != IR_NONE) {
        if (info->extent < 0 || count > (UINT64_C(1) << 40)) return 0;
        if (info->extent > (INT64_C(1) << 40)) return 0;
        count *= (uint64_t)info->extent;
        info = ir_type(unit, info->pointee);
    }
    bool is_address = info->kind == IR_TY_POINTER || info->kind == IR_TY_REFERENCE;
    return count * (is_address ? 8 : info->size);
}

// ---- names ------------------------------------------------------------------------------------

const char *ir_last_component(const char *qualified)
{
    const char *last = qualified;
    for (const char *at = strstr(last, "::"); at != NULL; at = strstr(last, "::")) last = at + 2;
    return last;
}

const char *ir_default_callee_usr(const IrUnit *unit, const IrCallee *callee)
{
    if (!callee->is_extern_c_like) return callee->qualified;
    return str_internf(unit->strings, "c:@F@%s", callee->qualified);
}

const char *ir_default_record_usr(const IrUnit *unit, const char *name)
{
    return str_internf(unit->strings, "c:@S@%s", name);
}
