// SPDX-License-Identifier: MIT
// Printer of the IR's text form. Input: a unit; output: text that ir_parse reads back. Of types,
// records and callees only those are printed that the printed functions need, and the user's own
// classes.
#include "ir/ir_text.h"

#include "ir/ir_print_p.h"

// ---- items ------------------------------------------------------------------------------------

static void put_usr(Printer *p, const char *usr, const char *natural)
{
    if (usr == NULL || strcmp(usr, natural) == 0) return;
    put(p, " usr ");
    put_quoted(p, usr, '"');
}

static void put_item_loc(Printer *p, SrcLoc loc)
{
    if (loc_is_valid(loc)) put(p, " ");
    put_loc(p, loc);
}

static uint64_t record_size(const Printer *p, IrRecordId record)
{
    uint64_t size = 0;
    for (IrType i = 0; i < p->unit->types.len && size == 0; i++) {
        const IrTypeInfo *info = ir_type(p->unit, i);
        if (info->kind == IR_TY_RECORD && info->record == record) size = info->size;
    }
    return size;
}

static void put_fields(Printer *p, const IrRecord *record)
{
    if (!record->is_complete && record->fields.len == 0) return;
    put(p, " {");
    for (uint32_t i = 0; i < record->fields.len; i++) {
        put(p, i == 0 ? " " : "; ");
        put_name(p, record->fields.items[i].name);
        put(p, ": ");
        put_type(p, record->fields.items[i].type);
        if (!record->fields.items[i].shares) continue;
        put(p, " shares ");
        put_name(p, record->fields.items[i].shares);
    }
    put(p, " }");
}

static void print_record(Printer *p, IrRecordId id, FILE *out)
{
    const IrRecord *record = &p->unit->records.items[id];
    uint64_t size = record_size(p, id);
    put(p, "record ");
    put_record(p, id);
    if (size != 0) put_format(p, " size %llu", (unsigned long long)size);
    for (uint32_t i = 0; i < record->bases.len; i++) {
        put(p, i == 0 ? " : " : ", ");
        put_record(p, record->bases.items[i]);
    }
    if (record->kind == IR_REC_UNIQUE_PTR) put(p, " unique_ptr");
    if (record->kind == IR_REC_STD) put(p, " std");
    put_flags(p, ir_record_flags, record);
    if (record->destructor != IR_NONE) {
        put(p, " dtor ");
        put_callee(p, record->destructor);
    }
    // Where a system header declares something is of no interest and differs between machines.
    if (record->kind == IR_REC_USER) {
        put_usr(p, record->usr, ir_default_record_usr(p->unit, record->name));
        put_item_loc(p, record->loc);
    }
    put_fields(p, record);
    print_line(p, out);
}

// Whether the function's header alone says all there is to say about its callee.
static bool is_told_by_header(const Printer *p, IrCalleeId id, FunctionPlan *const *plans)
{
    const IrCallee *callee = &p->unit->callees.items[id];
    if (callee->body == IR_NONE || plans[callee->body] == NULL) return false;
    if (callee->record != IR_NONE || p->callee_namesakes[id] > 1) return false;
    for (const IrFlag *flag = ir_callee_flags; flag->word != NULL; flag++) {
        if (*(const bool *)((const char *)callee + flag->offset)) return false;
    }
    const IrFunction *fn = p->unit->functions.items[callee->body];
    bool is_told =
        fn->params.len == callee->params.len && !loc_is_valid(callee->loc) &&
        strcmp(callee->name, ir_last_component(callee->qualified)) == 0 &&
        (callee->usr == NULL || strcmp(callee->usr, ir_default_callee_usr(p->unit, callee)) == 0);
    for (uint32_t i = 0; is_told && i < fn->params.len; i++) {
        is_told = p->class_of[fn->vars.items[fn->params.items[i]].type] ==
                  p->class_of[callee->params.items[i]];
    }
    return is_told;
}

static void print_callee(Printer *p, IrCalleeId id, FILE *out)
{
    const IrCallee *callee = &p->unit->callees.items[id];
    put(p, "callee ");
    put_callee(p, id);
    put(p, "(");
    for (uint32_t i = 0; i < callee->params.len; i++) {
        if (i != 0) put(p, ", ");
        put_type(p, callee->params.items[i]);
    }
    put(p, ") -> ");
    put_type(p, callee->result);
    put_flags(p, ir_callee_flags, callee);
    if (callee->record != IR_NONE) {
        put(p, " of ");
        put_record(p, callee->record);
    }
    if (strcmp(callee->name, ir_last_component(callee->qualified)) != 0) {
        put(p, " as ");
        put_name(p, callee->name);
    }
    for (uint32_t i = 0; i < callee->overrides.len; i++) {
        put(p, i == 0 ? " overrides " : ", ");
        put_callee(p, callee->overrides.items[i]);
    }
    if (!callee->in_system_header) {
        put_usr(p, callee->usr, ir_default_callee_usr(p->unit, callee));
        put_item_loc(p, callee->loc);
    }
    print_line(p, out);
}

static void print_skipped(Printer *p, FILE *out)
{
    for (uint32_t i = 0; i < p->unit->skipped.len; i++) {
        const IrSkipped *it = &p->unit->skipped.items[i];
        put(p, "skipped ");
        put_name(p, it->name);
        put(p, " ");
        put_quoted(p, it->reason, '"');
        put_item_loc(p, it->loc);
        print_line(p, out);
    }
}

// ---- units ------------------------------------------------------------------------------------

static bool is_wanted(const IrFunction *fn, const char *function)
{
    return function == NULL || strcmp(fn->name, function) == 0;
}

static void mark_roots(Printer *p, const char *function, FunctionPlan **plans)
{
    for (uint32_t i = 0; i < p->unit->functions.len; i++) {
        const IrFunction *fn = p->unit->functions.items[i];
        if (is_wanted(fn, function)) plans[i] = print_plan(p, fn);
    }
    for (IrRecordId i = 0; function == NULL && i < p->unit->records.len; i++) {
        if (p->unit->records.items[i].kind == IR_REC_USER) print_mark(p, MARK_RECORD, i);
    }
    print_close_marks(p);
}

static void print_items(Printer *p, FunctionPlan *const *plans, FILE *out)
{
    put(p, "unit ");
    put_quoted(p, p->unit->file, '"');
    if (p->unit->per_thread_stream) put(p, " per_thread");
    print_line(p, out);
    print_type_items(p, out);
    for (IrRecordId i = 0; i < p->unit->records.len; i++) {
        if (bits_has(&p->records, i)) print_record(p, i, out);
    }
    for (IrCalleeId i = 0; i < p->unit->callees.len; i++) {
        if (bits_has(&p->callees, i) && !is_told_by_header(p, i, plans)) print_callee(p, i, out);
    }
}

void ir_print(FILE *out, const IrUnit *unit, const char *function)
{
    Arena *arena = arena_new("ir print");
    StrBuf line = {.arena = arena};
    Printer printer = {.arena = arena, .strings = str_pool_new(arena), .unit = unit, .out = &line};
    FunctionPlan **plans = ARENA_ARRAY(arena, FunctionPlan *, unit->functions.len + 1);
    print_classify(&printer);
    mark_roots(&printer, function, plans);
    print_make_labels(&printer);
    print_items(&printer, plans, out);
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        if (plans[i] == NULL) continue;
        fputc('\n', out);
        print_label_vars(&printer, unit->functions.items[i], plans[i]);
        print_body(&printer, unit->functions.items[i], plans[i], out);
    }
    if (function == NULL && unit->skipped.len != 0) fputc('\n', out);
    if (function == NULL) print_skipped(&printer, out);
    arena_free(arena);
}

void ir_print_function(FILE *out, const IrUnit *unit, const IrFunction *fn)
{
    Arena *arena = arena_new("ir print");
    StrBuf line = {.arena = arena};
    Printer printer = {.arena = arena, .strings = str_pool_new(arena), .unit = unit, .out = &line};
    print_classify(&printer);
    FunctionPlan *plan = print_plan(&printer, fn);
    print_close_marks(&printer);
    print_make_labels(&printer);
    print_label_vars(&printer, fn, plan);
    print_body(&printer, fn, plan, out);
    arena_free(arena);
}
