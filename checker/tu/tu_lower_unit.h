// SPDX-License-Identifier: MIT
// Private to tu_lower_*.c: what lowering knows of a whole unit. Clang's types, records and
// functions become the unit's IrTypes, IrRecords and IrCallees, each once.
#ifndef CUDALINT_TU_TU_LOWER_UNIT_H
#define CUDALINT_TU_TU_LOWER_UNIT_H

#include "tu/tu_p.h"

typedef struct Lower Lower;

// ---- maps (tu_lower_map.c) ----------------------------------------------------------------------

typedef struct {
    CXCursor cursor;
    uint32_t value;
    uint32_t next; // entry of the same bucket, IR_NONE: last
} LwCursorEntry;

// From cursors to numbers. Zeroed means empty.
typedef struct {
    Vec(LwCursorEntry) entries;
    uint32_t *buckets;
    uint32_t bucket_count;
} LwCursorMap;

// From non-null pointers to numbers. Zeroed means empty.
typedef struct {
    const void **keys;
    uint32_t *values;
    uint32_t cap, len;
} LwPtrMap;

// The value, or IR_NONE.
uint32_t lw_cursor_get(const LwCursorMap *map, CXCursor cursor);
void lw_cursor_set(Arena *arena, LwCursorMap *map, CXCursor cursor, uint32_t value);
uint32_t lw_ptr_get(const LwPtrMap *map, const void *key);
void lw_ptr_set(Arena *arena, LwPtrMap *map, const void *key, uint32_t value);

// ---- the unit's tables --------------------------------------------------------------------------

typedef struct {
    const char *name;    // as in places: "f", "#base:NAME"
    CXType type;         // canonical
    CXCursor decl;       // FieldDecl or base specifier
    bool is_variant;     // of an anonymous union: not made, nor destroyed, with the object
    bool is_alternative; // shares its storage with the field before it (anonymous union)
    const char *shares;  // of pointers: the first pointer in that storage, if that is another one
} LwField;

typedef enum { LW_UNKNOWN, LW_NO, LW_YES } LwAnswer;

// What lowering knows of a record beside IrRecord; same index as unit->records.
typedef struct {
    CXType type;            // canonical, unqualified
    CXCursor decl;          // its declaration; of a specialisation that one
    CXCursor pattern;       // the template it was instantiated from, else null
    CXCursor destructor;    // user-written, else null
    bool is_closure;        // of a lambda
    bool is_destroying;     // its implicit destructor is being spelled out
    LwAnswer needs_destroy; // destruction does something
    LwAnswer plain_copy;    // copying is copying all bytes
    Vec(LwField) bases;
    Vec(LwField) fields; // anonymous members are replaced by their fields
    CXType element;      // of std::unique_ptr<T, D> and <T[], D>: T
    CXType deleter;      // D
} LwRecord;

// A member function, constructor or destructor that was instantiated with its class.
typedef struct {
    CXCursor cursor;
    uint32_t next;         // another one of the same record, IR_NONE: last
    uint32_t next_by_name; // the first one of another record of the same name; IR_NONE: none
} LwInstance;

// A variable that a lambda captured; a null cursor stands for `this`.
typedef struct {
    CXCursor decl;
    const char *field; // of the closure
    IrType type;       // of that field
} LwClosureField;

typedef struct {
    LwClosureField *fields;
    uint32_t count;
} LwClosure;

struct TuLowerUnit {
    LwPtrMap types;       // clang's canonical type -> IrType
    LwPtrMap destructors; // interned USR of a standard class -> IrCalleeId
    LwCursorMap records;  // canonical declaration -> IrRecordId
    Vec(LwRecord *) record_info;
    LwCursorMap callees;        // canonical declaration -> IrCalleeId
    LwPtrMap callees_by_usr;    // interned USR -> IrCalleeId
    bool has_instances;         // instances were collected
    LwPtrMap instances;         // interned USR of a record -> first LwInstance
    LwPtrMap instances_by_name; // interned name of a record, without scopes -> first LwInstance
    Vec(LwInstance) instance_list;
    LwCursorMap globals; // variable -> index into global_facts
    Vec(IrVar) global_facts;
    LwPtrMap lambdas;          // interned place of each lambda met -> 1
    LwCursorMap closure_index; // canonical operator() -> index into closures
    Vec(LwClosure) closures;
};

// ---- types and records (tu_lower_type.c, tu_lower_record.c, tu_lower_member.c,
// tu_lower_base.c) ------------------

CXType lw_canonical(CXType type);    // canonical and unqualified
CXType lw_type_of(CXCursor cursor);  // that of the cursor's type
CXType lw_pointee(CXType type);      // of pointers and references, canonical and unqualified
CXType lw_element(CXType type);      // of arrays
bool lw_is_same(CXType a, CXType b); // after lw_canonical
bool lw_is_reference(CXType type);
bool lw_is_record(CXType type);
bool lw_is_array(CXType type);
bool lw_is_pointer(CXType type);
bool lw_is_void(CXType type);
bool lw_is_bool(CXType type);
IrType lw_type(Lower *lw, CXType type); // canonical, qualifiers kept
IrType lw_plain_type(Lower *lw,
                     CXType type); // canonical, unqualified: the type of places and values
IrType lw_pointer_to(Lower *lw, IrType type);
IrType lw_int_type(Lower *lw);
IrType lw_bool_type(Lower *lw);
IrType lw_size_type(Lower *lw);
IrType lw_void_type(Lower *lw);
IrType lw_void_pointer(Lower *lw);

IrRecordId lw_record_id(Lower *lw, CXType type); // IR_NONE when it is no record
LwRecord *lw_record(Lower *lw, CXType type);     // filled; NULL when it is no record
IrRecordKind lw_record_kind(Lower *lw, CXType type);
bool lw_is_unique_ptr(Lower *lw, CXType type);
bool lw_needs_destroy(Lower *lw, CXType type);
bool lw_is_plain_copy(Lower *lw, CXType type);
bool lw_has_virtual_destructor(Lower *lw, const LwRecord *record); // its own or inherited
// Calls `visit` with each constructor, destructor and method of the record, instantiated ones where
// they exist.
typedef bool (*LwMemberVisit)(void *context, CXCursor member); // false: stop
void lw_record_members(Lower *lw, const LwRecord *record, LwMemberVisit visit, void *context);
void lw_collect_instances(Lower *lw); // once
CXCursor lw_find_method(Lower *lw, const LwRecord *record, const char *name);
// The user-written special member, or a null cursor.
CXCursor lw_find_default_constructor(Lower *lw, const LwRecord *record);
CXCursor lw_find_copy(Lower *lw, const LwRecord *record, bool is_move, bool is_assignment);
// The place of the base subobject of type `base` in `place`, of type `derived`; IR_NONE: it is no
// base.
IrPlaceId lw_base_place(Lower *lw, IrPlaceId place, CXType derived, CXType base);
void lw_add_bases(Lower *lw, LwRecord *record, bool is_user);
const char *lw_unscoped_name(Lower *lw, CXType type); // interned, without the namespaces around

// ---- callees (tu_lower_callee.c) ----------------------------------------------------------------

IrCalleeId lw_callee(Lower *lw, CXCursor function);
// The function that a lambda without captures converts to: its body, without the closure.
IrCalleeId lw_invoker_callee(Lower *lw, CXCursor method);
IrCalleeId lw_destructor_callee(Lower *lw, CXType record); // of a standard class, declared or not
IrCalleeId lw_named_callee(Lower *lw, const char *name);   // "operator new", "operator delete"
const char *lw_qualified(Lower *lw, CXCursor decl);        // without template arguments, interned
const IrCallee *lw_callee_at(Lower *lw, IrCalleeId callee);

#endif
