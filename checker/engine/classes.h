// SPDX-License-Identifier: MIT
// What is known of classes: which functions acquire, release, keep or overwrite which members, and
// what destroying an object does. Computed from the summaries of all functions of a unit once they
// are known. Private to engine/.
#ifndef CUDALINT_ENGINE_CLASSES_H
#define CUDALINT_ENGINE_CLASSES_H

#include "engine/engine.h"
#include "engine/hold.h"
#include "summary/summary.h"

// Something that a function does to a member of an object it is given.
typedef struct {
    IrCalleeId by;
    const SummaryEffect *effect;
    bool is_own; // by a member function of the class, on its own object
} MemberEffect;

// A place inside objects of one class: "buf", "layers[...].w".
typedef struct {
    IrRecordId record;
    uint32_t step_count;
    SummaryStep steps[SUMMARY_MAX_STEPS];
    Vec(MemberEffect) effects;
    uint32_t next; // member of the same class, IR_NONE: the last
    // Seen in the bodies of functions, whoever's the object is:
    bool is_passed_on; // given to a function that releases or may keep it
    bool is_stored;    // filled with a value of which nothing says that it was acquired
    bool is_released;  // given to a function that releases it, certainly or not
} Member;

typedef struct {
    uint32_t first_member; // IR_NONE: none
    bool has_unseen;       // some method is declared of whose body nothing is known
    bool is_local;         // objects of it are local variables, parameters or temporaries
    bool is_static;        // objects of it live as long as the process
    SrcLoc copied_at;      // an object is copied as the compiler would do it; invalid: nowhere seen
} ClassInfo;

typedef struct {
    Arena *arena;
    const IrUnit *unit;
    const Model *model;
    const Summary *const *summaries; // by callee
    ClassInfo *classes;              // by record
    Vec(Member) members;
} Classes;

// Gathers the facts of the unit's functions, allocated in `arena`.
Classes *classes_collect(Arena *arena, const IrUnit *unit, const Model *model,
                         const Summary *const *summaries);
// The summary when it is known, else NULL.
const Summary *classes_summary(const Classes *classes, IrCalleeId callee);
// The record an object of that type is, looking through arrays; IR_NONE.
IrRecordId classes_record_of(const IrUnit *unit, IrType type);
// The type of the field (or "#base:" part) of the record, IR_NONE: not known.
IrType classes_field_type(const IrUnit *unit, IrRecordId record, const char *field);
// The member, made when it is not there; the pointer is good until the next is made.
Member *classes_member(Classes *classes, IrRecordId record, const SummaryStep *steps,
                       uint32_t count);
// "bufs[...]", in the arena.
const char *classes_member_text(const Classes *classes, const Member *member);
// The member lies in the object itself, not behind a pointer in it.
bool classes_is_in_object(const Member *member);

typedef enum {
    DESTROY_LEAVES,   // the place is not released
    DESTROY_RELEASES, // it is, on some path
    DESTROY_UNKNOWN,
} DestroyKind;

typedef struct {
    DestroyKind kind;
    IrCalleeId destructor;        // the user-written destructor that was looked at last, IR_NONE
    const SummaryEffect *release; // of DESTROY_RELEASES
} Destroy;

// What destroying an object does to the place inside it that the steps lead to.
Destroy classes_destroy(const Classes *classes, IrRecordId record, const SummaryStep *steps,
                        uint32_t count);
// What the effect releases must be released by somebody, as far as is known: memory of the host is
// other tools' business.
bool classes_matters(const Classes *classes, const SummaryEffect *release);
// Destroying an object of the class releases something that a copy made member by member shares;
// `member` is the place, or NULL.
bool classes_is_owner(const Classes *classes, IrRecordId record, const Member **member);

// ---- class_uses.c ----
// Adds what the bodies of functions show of objects and their members, whoever's they are.
void classes_collect_uses(Classes *classes);

// ---- class_check.c, class_copy.c ----
// Each looks for one kind of defect and adds the events to what is held.
void classes_check_members(const Classes *classes, HeldEvents *held);
void classes_check_copies(const Classes *classes, HeldEvents *held);
// Drops the held events of members without a value that nothing releases.
void classes_check_unset(Classes *classes, HeldEvents *held);

#endif
