// SPDX-License-Identifier: MIT
// Types, labels and words of the printed IR. Which types, records and callees occur in the text is
// found by marking; only those are declared in it.
#include "ir/ir_print_p.h"

#include <ctype.h>
#include <stdarg.h>

// ---- classes of types -------------------------------------------------------------------------

static bool same_class(const void *items, uint32_t index, const void *key)
{
    const TypeClass *a = (const TypeClass *)items + index, *b = key;
    return a->kind == b->kind && a->is_const == b->is_const && a->is_unsigned == b->is_unsigned &&
           a->is_rvalue == b->is_rvalue && a->size == b->size && a->name == b->name &&
           a->pointee == b->pointee && a->record == b->record && a->extent == b->extent;
}

static uint32_t class_find(Printer *p, const TypeClass *key)
{
    uint32_t hash = ir_hash(ir_hash_ptr((uint32_t)key->kind, key->name), key->pointee);
    hash = ir_hash(ir_hash(hash, key->record), (uint64_t)key->extent);
    uint32_t known = ir_table_find(&p->class_table, hash, same_class, p->classes.items, key);
    if (known != IR_NONE) return known;
    vec_push(p->arena, &p->classes, *key);
    ir_table_add(p->arena, &p->class_table, hash, p->classes.len - 1);
    return p->classes.len - 1;
}

static TypeClass class_key(Printer *p, IrType type)
{
    const IrTypeInfo *info = ir_type(p->unit, type);
    TypeClass key = {
        .kind = info->kind, .is_const = info->is_const, .pointee = IR_NONE, .record = IR_NONE};
    // A type is built from earlier ones.
    if (info->pointee < type) key.pointee = p->class_of[info->pointee];
    switch (info->kind) {
    case IR_TY_POINTER:
        break;
    case IR_TY_RECORD:
        key.record = info->record;
        break;
    case IR_TY_REFERENCE:
        key.is_const = false;
        key.is_rvalue = str_ends_with(info->name, "&&");
        break;
    case IR_TY_ARRAY:
        key.is_const = false;
        key.extent = info->extent < 0 ? -1 : info->extent;
        break;
    case IR_TY_VOID:
    case IR_TY_BOOL:
    case IR_TY_INT:
    case IR_TY_FLOAT:
    case IR_TY_FUNCTION:
    case IR_TY_OTHER:
        key.name = str_intern(p->strings, ir_type_base_name(p->unit, info));
        key.is_unsigned = info->kind == IR_TY_INT && info->is_unsigned;
        key.size = info->kind == IR_TY_FUNCTION ? 0 : info->size;
        if (info->kind != IR_TY_FUNCTION) key.pointee = IR_NONE;
        break;
    }
    return key;
}

static uint32_t builtin_class(Printer *p, const char *word)
{
    const IrBuiltin *it = ir_builtin_by_word(word);
    TypeClass key = {.kind = it->kind,
                     .is_unsigned = it->is_unsigned,
                     .size = it->size,
                     .name = str_intern(p->strings, it->name),
                     .pointee = IR_NONE,
                     .record = IR_NONE};
    return class_find(p, &key);
}

static uint32_t pointer_class(Printer *p, uint32_t pointee)
{
    TypeClass key = {.kind = IR_TY_POINTER, .pointee = pointee, .record = IR_NONE};
    return class_find(p, &key);
}

void print_classify(Printer *p)
{
    uint32_t count = p->unit->types.len;
    p->class_of = ARENA_ARRAY(p->arena, uint32_t, count + 1);
    p->bare_class_of = ARENA_ARRAY(p->arena, uint32_t, count + 1);
    for (IrType type = 0; type < count; type++) {
        TypeClass key = class_key(p, type);
        p->class_of[type] = class_find(p, &key);
        key.is_const = false;
        p->bare_class_of[type] = class_find(p, &key);
    }
    p->int_class = builtin_class(p, "int");
    p->bool_class = builtin_class(p, "bool");
    p->double_class = builtin_class(p, "double");
    p->u64_class = builtin_class(p, "u64");
    p->void_pointer_class = pointer_class(p, builtin_class(p, "void"));
    uint32_t char_class = builtin_class(p, "char"); // may move the classes
    TypeClass letter = p->classes.items[char_class];
    letter.is_const = true;
    p->string_class = pointer_class(p, class_find(p, &letter));

    p->type_of_class = ARENA_ARRAY(p->arena, uint32_t, p->classes.len);
    for (uint32_t i = 0; i < p->classes.len; i++) p->type_of_class[i] = IR_NONE;
    for (IrType type = count; type-- > 0;) p->type_of_class[p->class_of[type]] = type;
    p->types = bits_new(p->arena, p->classes.len);
    p->records = bits_new(p->arena, p->unit->records.len);
    p->callees = bits_new(p->arena, p->unit->callees.len);
    p->class_texts = ARENA_ARRAY(p->arena, const char *, p->classes.len);
    p->record_labels = ARENA_ARRAY(p->arena, const char *, p->unit->records.len + 1);
    p->callee_labels = ARENA_ARRAY(p->arena, const char *, p->unit->callees.len + 1);
    p->callee_namesakes = ARENA_ARRAY(p->arena, uint32_t, p->unit->callees.len + 1);
}

// ---- marking ----------------------------------------------------------------------------------

void print_mark(Printer *p, MarkKind kind, uint32_t id)
{
    BitSet *set = kind == MARK_TYPE ? &p->types : kind == MARK_RECORD ? &p->records : &p->callees;
    if (id >= set->size || bits_has(set, id)) return;
    bits_add(set, id);
    vec_push(p->arena, &p->pending, ((Mark){.kind = kind, .id = id}));
}

static void mark_type(Printer *p, IrType type)
{
    if (type < p->unit->types.len) print_mark(p, MARK_TYPE, p->class_of[type]);
}

static void mark_parts(Printer *p, Mark mark)
{
    if (mark.kind == MARK_TYPE) {
        print_mark(p, MARK_TYPE, p->classes.items[mark.id].pointee);
        print_mark(p, MARK_RECORD, p->classes.items[mark.id].record);
    } else if (mark.kind == MARK_RECORD) {
        const IrRecord *record = &p->unit->records.items[mark.id];
        for (uint32_t i = 0; i < record->fields.len; i++)
            mark_type(p, record->fields.items[i].type);
        for (uint32_t i = 0; i < record->bases.len; i++)
            print_mark(p, MARK_RECORD, record->bases.items[i]);
        print_mark(p, MARK_CALLEE, record->destructor);
    } else {
        const IrCallee *callee = &p->unit->callees.items[mark.id];
        mark_type(p, callee->result);
        for (uint32_t i = 0; i < callee->params.len; i++) mark_type(p, callee->params.items[i]);
        print_mark(p, MARK_RECORD, callee->record);
    }
}

void print_close_marks(Printer *p)
{
    while (p->pending.len != 0) mark_parts(p, p->pending.items[--p->pending.len]);
}

// ---- labels -----------------------------------------------------------------------------------

static bool same_name(const void *items, uint32_t index, const void *key)
{
    return ((const NameCount *)items)[index].name == key;
}

static NameCount *name_count(Printer *p, NameCounts *counts, const char *name)
{
    name = str_intern(p->strings, name);
    uint32_t hash = ir_hash_ptr(0, name);
    uint32_t at = ir_table_find(&counts->table, hash, same_name, counts->names.items, name);
    if (at == IR_NONE) {
        at = counts->names.len;
        vec_push(p->arena, &counts->names, ((NameCount){.name = name}));
        ir_table_add(p->arena, &counts->table, hash, at);
    }
    return &counts->names.items[at];
}

const char *print_label(Printer *p, NameCounts *counts, const char *name)
{
    uint32_t ordinal = name_count(p, counts, name)->count++;
    StrBuf text = {.arena = p->arena};
    StrBuf *out = p->out;
    p->out = &text;
    put_name(p, name);
    if (ordinal != 0) put_format(p, "#%u", ordinal);
    p->out = out;
    return strbuf_text(&text);
}

static bool is_named_kind(IrTypeKind kind)
{
    return kind != IR_TY_POINTER && kind != IR_TY_REFERENCE && kind != IR_TY_ARRAY &&
           kind != IR_TY_RECORD;
}

static const IrBuiltin *builtin_of_class(const TypeClass *it)
{
    IrTypeInfo info = {.kind = it->kind, .size = it->size, .is_unsigned = it->is_unsigned};
    return ir_builtin_of(&info, it->name);
}

// The class without const, which carries the declared name.
static uint32_t bare_of(Printer *p, uint32_t class)
{
    TypeClass key = p->classes.items[class];
    key.is_const = false;
    return class_find(p, &key);
}

static void label_named_types(Printer *p, NameCounts *counts)
{
    for (IrType type = 0; type < p->unit->types.len; type++) {
        uint32_t class = p->class_of[type];
        uint32_t bare = p->bare_class_of[type];
        const TypeClass *it = &p->classes.items[class];
        if (!bits_has(&p->types, class) || !is_named_kind(it->kind)) continue;
        if (p->class_texts[bare] == NULL) {
            const IrBuiltin *builtin = builtin_of_class(it);
            p->class_texts[bare] =
                builtin != NULL ? builtin->word : print_label(p, counts, it->name);
        }
    }
}

// Texts of everything built on named types and records. A class is made after its pointee's.
static const char *make_class_text(Printer *p, uint32_t class)
{
    const TypeClass *it = &p->classes.items[class];
    const char *pointee = it->pointee == IR_NONE ? "void" : p->class_texts[it->pointee];
    switch (it->kind) {
    case IR_TY_POINTER:
        return arena_printf(p->arena, "%s*%s", pointee, it->is_const ? " const" : "");
    case IR_TY_REFERENCE:
        return arena_printf(p->arena, "%s%s", pointee, it->is_rvalue ? "&&" : "&");
    case IR_TY_ARRAY:
        if (it->extent < 0) return arena_printf(p->arena, "%s[]", pointee);
        return arena_printf(p->arena, "%s[%lld]", pointee, (long long)it->extent);
    case IR_TY_RECORD:
        return arena_printf(p->arena, "%s%s", it->is_const ? "const " : "",
                            p->record_labels[it->record]);
    case IR_TY_VOID:
    case IR_TY_BOOL:
    case IR_TY_INT:
    case IR_TY_FLOAT:
    case IR_TY_FUNCTION:
    case IR_TY_OTHER:
        break;
    }
    const char *bare = p->class_texts[bare_of(p, class)];
    return it->is_const ? arena_printf(p->arena, "const %s", bare) : bare;
}

void print_make_labels(Printer *p)
{
    NameCounts types = {0}, callees = {0};
    for (IrRecordId i = 0; i < p->unit->records.len; i++) {
        if (bits_has(&p->records, i))
            p->record_labels[i] = print_label(p, &types, p->unit->records.items[i].name);
    }
    label_named_types(p, &types);
    for (uint32_t class = 0; class < p->classes.len; class ++) {
        if (!bits_has(&p->types, class)) continue;
        const char *text = make_class_text(p, class);
        if (p->class_texts[class] == NULL) p->class_texts[class] = text;
    }
    for (IrCalleeId i = 0; i < p->unit->callees.len; i++) {
        if (bits_has(&p->callees, i))
            p->callee_labels[i] = print_label(p, &callees, p->unit->callees.items[i].qualified);
    }
    for (IrCalleeId i = 0; i < p->unit->callees.len; i++) {
        if (!bits_has(&p->callees, i)) continue;
        p->callee_namesakes[i] =
            name_count(p, &callees, p->unit->callees.items[i].qualified)->count;
    }
}

static void put_type_form(Printer *p, const TypeClass *it)
{
    const char *word = "other";
    if (it->kind == IR_TY_INT)
        word = it->is_unsigned ? "unsigned" : "signed";
    else if (it->kind == IR_TY_FLOAT)
        word = "real";
    else if (it->kind == IR_TY_BOOL)
        word = "boolean";
    else if (it->kind == IR_TY_VOID)
        word = "nothing";
    if (it->kind == IR_TY_FUNCTION) {
        put_format(p, "function %s", it->pointee == IR_NONE ? "void" : p->class_texts[it->pointee]);
    } else {
        put_format(p, "%s %llu", word, (unsigned long long)it->size);
    }
}

void print_type_items(Printer *p, FILE *out)
{
    BitSet done = bits_new(p->arena, p->classes.len);
    for (IrType type = 0; type < p->unit->types.len; type++) {
        uint32_t class = p->class_of[type], bare = p->bare_class_of[type];
        const TypeClass *it = &p->classes.items[class];
        if (!bits_has(&p->types, class) || !is_named_kind(it->kind) || builtin_of_class(it) != NULL)
            continue;
        if (bits_has(&done, bare)) continue;
        bits_add(&done, bare);
        put_format(p, "type %s = ", p->class_texts[bare]);
        put_type_form(p, it);
        print_line(p, out);
    }
}

// ---- words ------------------------------------------------------------------------------------

void put(Printer *p, const char *text)
{
    if (p->is_dry) return;
    strbuf_append(p->out, text);
}

void put_format(Printer *p, const char *format, ...)
{
    if (p->is_dry) return;
    va_list args;
    va_start(args, format);
    strbuf_append(p->out, arena_vprintf(p->arena, format, args));
    va_end(args);
}

void put_quoted(Printer *p, const char *text, char quote)
{
    if (p->is_dry) return;
    strbuf_append_n(p->out, &quote, 1);
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '\n')
            put(p, "\\n");
        else if (c == '\t')
            put(p, "\\t");
        else if (c < 0x20 || c == 0x7f)
            put_format(p, "\\x%02x", c);
        else if (c == '\\' || *at == quote)
            put_format(p, "\\%c", c);
        else
            strbuf_append_n(p->out, at, 1);
    }
    strbuf_append_n(p->out, &quote, 1);
}

void put_name(Printer *p, const char *name)
{
    bool is_hidden_field = name[0] == '#' && isalpha((unsigned char)name[1]);
    if (ir_word_is_plain(name) || (is_hidden_field && ir_word_is_plain(name + 1)))
        put(p, name);
    else
        put_quoted(p, name, '`');
}

void put_type(Printer *p, IrType type)
{
    if (type >= p->unit->types.len) {
        put(p, "_");
        return;
    }
    print_mark(p, MARK_TYPE, p->class_of[type]);
    if (!p->is_dry) put(p, p->class_texts[p->class_of[type]]);
}

void put_record(Printer *p, IrRecordId record)
{
    print_mark(p, MARK_RECORD, record);
    if (!p->is_dry) put(p, p->record_labels[record]);
}

void put_callee(Printer *p, IrCalleeId callee)
{
    print_mark(p, MARK_CALLEE, callee);
    if (!p->is_dry) put(p, p->callee_labels[callee]);
}

void put_loc(Printer *p, SrcLoc loc)
{
    if (!loc_is_valid(loc)) return;
    put(p, "@");
    if (strcmp(loc.file, p->unit->file) != 0) {
        put_quoted(p, loc.file, '"');
        put(p, ":");
    }
    put_format(p, "%u:%u", loc.line, loc.column);
    if (loc.macro == NULL) return;
    put(p, " in ");
    put_name(p, loc.macro);
}

void put_flags(Printer *p, const IrFlag *flags, const void *object)
{
    const char *before = " [";
    for (const IrFlag *flag = flags; flag->word != NULL; flag++) {
        if (!*(const bool *)((const char *)object + flag->offset)) continue;
        put_format(p, "%s%s", before, flag->word);
        before = " ";
    }
    if (before[1] == '\0') put(p, "]");
}

void print_line(Printer *p, FILE *out)
{
    if (p->is_dry) return;
    fputs(strbuf_text(p->out), out);
    fputc('\n', out);
    *p->out = (StrBuf){.arena = p->arena};
}
