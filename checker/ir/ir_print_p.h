// SPDX-License-Identifier: MIT
// Private to ir/: state of the printer of the text form. A function is walked twice: a dry walk
// finds which types, callees and variables are used and how variables are introduced, the second
// writes.
#ifndef CUDALINT_IR_IR_PRINT_P_H
#define CUDALINT_IR_IR_PRINT_P_H

#include "base/bits.h"
#include "base/vec.h"
#include "ir/ir_p.h"
#include "ir/ir_text_p.h"

#include <stdio.h>

// Two types are of one class when their texts are equal.
typedef struct {
    IrTypeKind kind;
    bool is_const;
    bool is_unsigned;
    bool is_rvalue;   // of references
    uint64_t size;    // of types declared by name
    const char *name; // of types declared by name
    uint32_t pointee; // class, IR_NONE none
    IrRecordId record;
    int64_t extent;
} TypeClass;

typedef struct {
    const char *name; // interned
    uint32_t count;   // how many have it so far
} NameCount;

// Numbers equal names in order: x, x#1, x#2.
typedef struct {
    Vec(NameCount) names;
    IrTable table;
} NameCounts;

// How the text introduces a variable.
typedef enum {
    VAR_ABSENT,   // not mentioned: not printed
    VAR_PARAM,    // in the function's header
    VAR_LISTED,   // by a line of its own at the top of the body
    VAR_DECL,     // by "decl x: T"
    VAR_INFERRED, // by the first "%t = ..."
} VarForm;

typedef struct {
    VarForm *forms;          // by IrVarId
    const char **labels;     // by IrVarId
    Vec(IrVarId) introduced; // VAR_DECL and VAR_INFERRED in the order of the text
} FunctionPlan;

typedef enum { MARK_TYPE, MARK_RECORD, MARK_CALLEE } MarkKind;

typedef struct {
    MarkKind kind;
    uint32_t id;
} Mark;

typedef struct {
    Arena *arena;
    StrPool *strings;
    const IrUnit *unit;
    StrBuf *out; // line being written
    bool is_dry;
    uint32_t depth;

    Vec(TypeClass) classes;
    IrTable class_table;
    uint32_t *class_of;      // by IrType
    uint32_t *bare_class_of; // by IrType: the class without const
    uint32_t *type_of_class; // by class: a type of it, or IR_NONE
    uint32_t int_class, bool_class, double_class, u64_class, string_class, void_pointer_class;

    BitSet types, records, callees; // used; types by class
    Vec(Mark) pending;              // marked, parts not yet
    const char **class_texts;
    const char **record_labels;
    const char **callee_labels;
    uint32_t *callee_namesakes; // by callee: how many used ones have its qualified name

    const IrFunction *fn;
    FunctionPlan *plan;
} Printer;

// ---- types and labels (ir_print_type.c) ----

void print_classify(Printer *p);
void print_mark(Printer *p, MarkKind kind, uint32_t id);
// Marks what the marked things are made of.
void print_close_marks(Printer *p);
// Gives every used type, record and callee its text.
void print_make_labels(Printer *p);
// "type NAME = ..." lines.
void print_type_items(Printer *p, FILE *out);

void put(Printer *p, const char *text);
void put_format(Printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_name(Printer *p, const char *name);
void put_quoted(Printer *p, const char *text, char quote);
void put_type(Printer *p, IrType type);
void put_record(Printer *p, IrRecordId record);
void put_callee(Printer *p, IrCalleeId callee);
// Name as in the text, in the printer's arena.
const char *print_label(Printer *p, NameCounts *counts, const char *name);
// Writes the line and starts a new one.
void print_line(Printer *p, FILE *out);
void put_loc(Printer *p, SrcLoc loc);
void put_flags(Printer *p, const IrFlag *flags, const void *object);

// ---- expressions (ir_print_expr.c) ----

void put_var(Printer *p, IrVarId var);
void put_place(Printer *p, IrPlaceId place);
// `expected` is the type a bare literal takes, or IR_NONE.
void put_expr(Printer *p, IrExprId expr, IrType expected);

// ---- functions (ir_print_func.c) ----

FunctionPlan *print_plan(Printer *p, const IrFunction *fn);
void print_label_vars(Printer *p, const IrFunction *fn, FunctionPlan *plan);
void print_body(Printer *p, const IrFunction *fn, FunctionPlan *plan, FILE *out);

#endif
