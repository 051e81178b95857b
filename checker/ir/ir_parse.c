// SPDX-License-Identifier: MIT
// Parser of the IR's text form. Input: text (any bytes); output: an IrUnit, or an error with line
// and column. Names may be used before they are introduced, so items are read in passes: record
// names, then types, callees and function headers, then fields, then bodies. The text is described
// in docs/ir.md.
#include "ir/ir_text.h"

#include "ir/ir_parse_p.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

// ---- tokens -----------------------------------------------------------------------------------

const Token *parse_peek_at(const Parser *p, uint32_t ahead)
{
    uint32_t at = p->at + ahead;
    return at < p->tokens.len ? &p->tokens.items[at] : vec_last(&p->tokens);
}

bool token_is(const Token *token, const char *text)
{
    bool is_fixed = token->kind == TOK_PUNCT || (token->kind == TOK_WORD && token->ordinal == 0);
    return is_fixed && strcmp(token->text, text) == 0;
}

bool parse_accept(Parser *p, const char *text)
{
    if (!token_is(parse_peek(p), text)) return false;
    p->at++;
    return true;
}

bool parse_expect(Parser *p, const char *text)
{
    return parse_accept(p, text) ||
           parse_fail(p, "expected '%s', not '%s'", text, parse_peek(p)->text);
}

bool parse_fail(Parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(p->unit->arena, format, args);
    va_end(args);
    const Token *token = parse_peek(p);
    err_set(p->err, ST_SYNTAX, "line %u, column %u: %s", token->line, token->column, what);
    return false;
}

bool parse_name(Parser *p, const Token **name)
{
    const Token *token = parse_peek(p);
    bool is_word = token->kind == TOK_WORD && !ir_word_is_reserved(token->text);
    if (!is_word && token->kind != TOK_NAME)
        return parse_fail(p, "expected a name, not '%s'", token->text);
    *name = token;
    p->at++;
    return true;
}

bool parse_uint(Parser *p, uint64_t max, uint64_t *value)
{
    const Token *token = parse_peek(p);
    if (token->kind != TOK_NUMBER) return parse_fail(p, "expected a number");
    char *end;
    errno = 0;
    *value = strtoull(token->text, &end, 10);
    if (*end != '\0' || errno != 0 || *value > max)
        return parse_fail(p, "bad number '%s'", token->text);
    p->at++;
    return true;
}

bool parse_loc(Parser *p, SrcLoc *loc)
{
    uint64_t line, column;
    if (!parse_accept(p, "@")) return true;
    loc->file = p->unit->file;
    if (parse_peek(p)->kind == TOK_STRING) {
        loc->file = parse_peek(p)->text;
        p->at++;
        if (!parse_expect(p, ":")) return false;
    }
    if (!parse_uint(p, UINT32_MAX, &line) || !parse_expect(p, ":")) return false;
    if (!parse_uint(p, UINT32_MAX, &column)) return false;
    loc->line = (uint32_t)line;
    loc->column = (uint32_t)column;
    const Token *macro;
    if (!parse_accept(p, "in")) return true;
    if (!parse_name(p, &macro)) return false;
    loc->macro = macro->text;
    return true;
}

static bool parse_flag(Parser *p, const IrFlag *flags, void *object)
{
    for (const IrFlag *flag = flags; flag->word != NULL; flag++) {
        if (!parse_accept(p, flag->word)) continue;
        *ir_flag_at(object, flag) = true;
        return true;
    }
    return parse_fail(p, "unknown flag '%s'", parse_peek(p)->text);
}

bool parse_flags(Parser *p, const IrFlag *flags, void *object)
{
    if (!parse_accept(p, "[")) return true;
    while (!parse_accept(p, "]")) {
        if (!parse_flag(p, flags, object)) return false;
    }
    return true;
}

// ---- names ------------------------------------------------------------------------------------

static bool same_entry(const void *items, uint32_t index, const void *key)
{
    const NameEntry *a = (const NameEntry *)items + index;
    const Token *b = key;
    return a->text == b->text && a->ordinal == b->ordinal;
}

static uint32_t name_hash(const Token *name)
{
    return ir_hash(ir_hash_ptr(0, name->text), name->ordinal);
}

uint32_t name_map_find(const NameMap *map, const Token *name)
{
    uint32_t at = ir_table_find(&map->table, name_hash(name), same_entry, map->entries.items, name);
    return at == IR_NONE ? IR_NONE : map->entries.items[at].value;
}

bool name_map_add(Parser *p, NameMap *map, const Token *name, uint32_t value)
{
    if (name_map_find(map, name) != IR_NONE) {
        return parse_fail(p, "'%s' of line %u is there already; tell them apart as %s#1",
                          name->text, name->line, name->text);
    }
    NameEntry entry = {.text = name->text, .ordinal = name->ordinal, .value = value};
    vec_push(p->unit->arena, &map->entries, entry);
    ir_table_add(p->unit->arena, &map->table, name_hash(name), map->entries.len - 1);
    return true;
}

// ---- items ------------------------------------------------------------------------------------

typedef struct {
    uint32_t at;    // token of its first word
    uint32_t body;  // token after its header
    IrFunction *fn; // of func
    NameMap vars;   // of func: parameters
} Item;

typedef Vec(Item) ItemList;

static bool starts_item(const Token *token)
{
    static const char *const words[] = {"type", "record", "callee", "func", "skipped"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (token_is(token, words[i])) return true;
    }
    return false;
}

// Finds where items begin: words of the grammar at the start of a line, outside braces.
static bool find_items(Parser *p, ItemList *items)
{
    int depth = 0;
    if (parse_peek(p)->kind != TOK_END && !starts_item(parse_peek(p))) {
        return parse_fail(p, "expected type, record, callee, func or skipped");
    }
    for (; parse_peek(p)->kind != TOK_END; p->at++) {
        const Token *token = parse_peek(p);
        if (token_is(token, "{"))
            depth++;
        else if (token_is(token, "}"))
            depth--;
        if (depth < 0) return parse_fail(p, "'}' without '{'");
        bool is_item = depth == 0 && token->is_first && starts_item(token);
        if (is_item) vec_push(p->unit->arena, items, ((Item){.at = p->at}));
    }
    return true;
}

static bool parse_string_of(Parser *p, const char **text)
{
    if (parse_peek(p)->kind != TOK_STRING) return parse_fail(p, "expected a string");
    *text = parse_peek(p)->text;
    p->at++;
    return true;
}

// Each item must end where the next begins.
static bool end_item(Parser *p)
{
    const Token *token = parse_peek(p);
    if (token->kind == TOK_END || (token->is_first && starts_item(token))) return true;
    return parse_fail(p, "unexpected '%s'", token->text);
}

// record NAME [size N]
static bool parse_record_name(Parser *p, Item *item)
{
    const Token *name;
    uint64_t size = 0;
    if (!parse_name(p, &name)) return false;
    if (parse_accept(p, "size") && !parse_uint(p, UINT32_MAX, &size)) return false;
    IrRecord record = {.name = name->text, .destructor = IR_NONE};
    IrRecordId id = ir_record_add(p->unit, record);
    IrTypeInfo info = {.kind = IR_TY_RECORD,
                       .name = name->text,
                       .pointee = IR_NONE,
                       .record = id,
                       .extent = -1,
                       .size = size};
    vec_push(p->unit->arena, &p->record_types, ir_type_add(p->unit, info));
    item->body = p->at;
    return name_map_add(p, &p->records, name, id);
}

static bool parse_bases(Parser *p, IrRecord *record)
{
    if (!parse_accept(p, ":")) return true;
    do {
        const Token *name;
        if (!parse_name(p, &name)) return false;
        IrRecordId base = name_map_find(&p->records, name);
        if (base == IR_NONE) return parse_fail(p, "unknown record '%s'", name->text);
        vec_push(p->unit->arena, &record->bases, base);
    } while (parse_accept(p, ","));
    return true;
}

static bool parse_fields(Parser *p, IrRecord *record)
{
    record->is_complete = parse_accept(p, "{");
    if (!record->is_complete) return true;
    while (!parse_accept(p, "}")) {
        IrField field = {0};
        const Token *name = parse_peek(p), *shares;
        bool is_hidden = name->kind == TOK_WORD && name->text[0] == '#';
        if (is_hidden)
            p->at++;
        else if (!parse_name(p, &name))
            return false;
        if (!parse_expect(p, ":") || !parse_type(p, &field.type)) return false;
        field.name = name->text;
        if (parse_accept(p, "shares")) {
            if (!parse_name(p, &shares)) return false;
            field.shares = shares->text;
            record->has_shared = true;
        }
        vec_push(p->unit->arena, &record->fields, field);
        if (!parse_accept(p, ";") && !token_is(parse_peek(p), "}")) return parse_expect(p, "}");
    }
    return true;
}

// What follows the name and size of a record.
static bool parse_record_body(Parser *p, IrRecordId id)
{
    IrRecord record = p->unit->records.items[id];
    record.usr = ir_default_record_usr(p->unit, record.name);
    if (!parse_bases(p, &record)) return false;
    if (parse_accept(p, "unique_ptr"))
        record.kind = IR_REC_UNIQUE_PTR;
    else if (parse_accept(p, "std"))
        record.kind = IR_REC_STD;
    if (!parse_flags(p, ir_record_flags, &record)) return false;
    if (parse_accept(p, "dtor")) {
        const Token *name;
        if (!parse_name(p, &name)) return false;
        record.destructor = name_map_find(&p->callees, name);
        if (record.destructor == IR_NONE) return parse_fail(p, "unknown callee '%s'", name->text);
    }
    if (parse_accept(p, "usr") && !parse_string_of(p, &record.usr)) return false;
    if (!parse_loc(p, &record.loc) || !parse_fields(p, &record)) return false;
    p->unit->records.items[id] = record;
    return end_item(p);
}

// "overrides A::f, B::f"
static bool parse_overrides(Parser *p, IrCallee *callee)
{
    if (!parse_accept(p, "overrides")) return true;
    do {
        const Token *name;
        if (!parse_name(p, &name)) return false;
        IrCalleeId overridden = name_map_find(&p->callees, name);
        if (overridden == IR_NONE) return parse_fail(p, "unknown callee '%s'", name->text);
        vec_push(p->unit->arena, &callee->overrides, overridden);
    } while (parse_accept(p, ","));
    return true;
}

// "(T, U) -> R [flags] of RECORD as NAME overrides CALLEE usr "..." @loc" of a callee
static bool parse_callee(Parser *p)
{
    const Token *name, *other;
    IrCallee callee = {.record = IR_NONE, .body = IR_NONE};
    if (!parse_name(p, &name) || !parse_expect(p, "(")) return false;
    while (!parse_accept(p, ")")) {
        IrType type;
        if (!parse_type(p, &type)) return false;
        vec_push(p->unit->arena, &callee.params, type);
        if (!parse_accept(p, ",") && !token_is(parse_peek(p), ")")) return parse_expect(p, ")");
    }
    callee.result = parse_builtin(p, "void");
    callee.qualified = name->text;
    callee.name = str_intern(p->unit->strings, ir_last_component(name->text));
    if (parse_accept(p, "->") && !parse_type(p, &callee.result)) return false;
    if (!parse_flags(p, ir_callee_flags, &callee)) return false;
    if (parse_accept(p, "of")) {
        if (!parse_name(p, &other)) return false;
        callee.record = name_map_find(&p->records, other);
        if (callee.record == IR_NONE) return parse_fail(p, "unknown record '%s'", other->text);
    }
    if (parse_accept(p, "as")) {
        if (!parse_name(p, &other)) return false;
        callee.name = other->text;
    }
    if (!parse_overrides(p, &callee)) return false;
    callee.usr = ir_default_callee_usr(p->unit, &callee);
    if (parse_accept(p, "usr") && !parse_string_of(p, &callee.usr)) return false;
    if (!parse_loc(p, &callee.loc)) return false;
    return name_map_add(p, &p->callees, name, ir_callee_add(p->unit, callee)) && end_item(p);
}

// A callee known only by its definition.
static bool callee_of_func(Parser *p, const Token *name, IrCalleeId *id)
{
    *id = name_map_find(&p->callees, name);
    if (*id != IR_NONE) {
        if (p->unit->callees.items[*id].body == IR_NONE) return true;
        return parse_fail(p, "'%s' is defined twice", name->text);
    }
    IrCallee callee = {.qualified = name->text, .record = IR_NONE, .body = IR_NONE};
    callee.name = str_intern(p->unit->strings, ir_last_component(name->text));
    callee.usr = ir_default_callee_usr(p->unit, &callee);
    callee.result = parse_builtin(p, "void");
    *id = ir_callee_add(p->unit, callee);
    return name_map_add(p, &p->callees, name, *id);
}

static bool parse_params(Parser *p, IrCallee *callee)
{
    bool is_declared = callee->params.len != 0;
    IrFunction *fn = p->fn;
    if (!parse_expect(p, "(")) return false;
    while (!parse_accept(p, ")")) {
        bool is_this = token_is(parse_peek(p), "this");
        if (!parse_var(p, is_this ? IR_VAR_THIS : IR_VAR_PARAM)) return false;
        IrVarId var = fn->vars.len - 1;
        if (is_this)
            fn->this_var = var;
        else
            vec_push(p->unit->arena, &fn->params, var);
        IrType type = fn->vars.items[var].type;
        if (!is_this && !is_declared) vec_push(p->unit->arena, &callee->params, type);
        if (!parse_accept(p, ",") && !token_is(parse_peek(p), ")")) return parse_expect(p, ")");
    }
    return true;
}

// func NAME(params) -> T [flags] as NAME @loc to @loc
static bool parse_func_header(Parser *p, Item *item)
{
    const Token *name, *other;
    IrCalleeId id;
    if (!parse_name(p, &name) || !callee_of_func(p, name, &id)) return false;
    IrFunction *fn = ir_function_new(p->unit, id, name->text, (SrcLoc){0});
    IrCallee *callee = &p->unit->callees.items[id];
    item->fn = p->fn = fn;
    p->vars = (NameMap){0};
    if (!parse_params(p, callee)) return false;
    if (parse_accept(p, "->") && !parse_type(p, &callee->result)) return false;
    if (!parse_flags(p, ir_function_flags, fn)) return false;
    if (parse_accept(p, "as")) {
        if (!parse_name(p, &other)) return false;
        fn->name = other->text;
    }
    if (!parse_loc(p, &fn->loc)) return false;
    if (parse_accept(p, "to") && !parse_loc(p, &fn->end)) return false;
    item->vars = p->vars;
    item->body = p->at;
    return true;
}

// skipped NAME "reason" @loc
static bool parse_skipped(Parser *p)
{
    const Token *name = NULL;
    const char *reason = NULL;
    SrcLoc loc = {0};
    if (!parse_name(p, &name) || !parse_string_of(p, &reason) || !parse_loc(p, &loc)) return false;
    ir_skip(p->unit, &(IrSkipped){.name = name->text, .loc = loc, .reason = reason});
    return end_item(p);
}

static bool parse_declaration(Parser *p, Item *item)
{
    p->at = item->at;
    if (parse_accept(p, "type")) return parse_type_item(p) && end_item(p);
    if (parse_accept(p, "callee")) return parse_callee(p);
    if (parse_accept(p, "skipped")) return parse_skipped(p);
    if (parse_accept(p, "func")) return parse_func_header(p, item);
    return true; // a record: its name is known, its fields come later
}

static bool parse_items(Parser *p, ItemList *items)
{
    const Token *tokens = p->tokens.items;
    IrRecordId record = 0;
    for (uint32_t i = 0; i < items->len; i++) {
        p->at = items->items[i].at;
        if (parse_accept(p, "record") && !parse_record_name(p, &items->items[i])) return false;
    }
    for (uint32_t i = 0; i < items->len; i++) {
        if (!parse_declaration(p, &items->items[i])) return false;
    }
    for (uint32_t i = 0; i < items->len; i++) {
        p->at = items->items[i].body;
        if (!token_is(&tokens[items->items[i].at], "record")) continue;
        if (!parse_record_body(p, record++)) return false;
    }
    for (uint32_t i = 0; i < items->len; i++) {
        const Item *item = &items->items[i];
        if (item->fn == NULL) continue;
        p->at = item->body;
        p->vars = item->vars;
        if (!parse_body(p, item->fn) || !end_item(p)) return false;
    }
    return true;
}

Status ir_parse(Arena *arena, const char *text, IrUnit **unit, Err *err)
{
    Parser parser = {.unit = ir_unit_new(arena, ""), .err = err};
    Status status = ir_lex(arena, parser.unit->strings, text, &parser.tokens, err);
    if (status != ST_OK) return status;
    ItemList items = {0};
    bool is_read = true;
    if (parse_accept(&parser, "unit")) is_read = parse_string_of(&parser, &parser.unit->file);
    parser.unit->per_thread_stream = is_read && parse_accept(&parser, "per_thread");
    if (!is_read || !find_items(&parser, &items) || !parse_items(&parser, &items)) return ST_SYNTAX;
    parser.unit->host_functions = parser.unit->functions.len + parser.unit->skipped.len;
    *unit = parser.unit;
    return ST_OK;
}
