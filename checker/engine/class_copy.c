// SPDX-License-Identifier: MIT
// Copies of owners: classes whose destructor releases something and whose objects the compiler may
// copy member by member, and such objects passed to kernels by value.
#include "engine/classes.h"

// ---- what the compiler would copy ---------------------------------------------------------------

typedef enum { COPY_CONSTRUCT, COPY_ASSIGN } CopyKind;

static bool is_copyable(const IrUnit *unit, IrRecordId record, CopyKind kind);

static bool has_copyable_parts(const IrUnit *unit, const IrRecord *record, CopyKind kind)
{
    for (uint32_t i = 0; i < record->bases.len; i++)
        if (!is_copyable(unit, record->bases.items[i], kind)) return false;
    for (uint32_t i = 0; i < record->fields.len; i++) {
        IrType type = record->fields.items[i].type;
        bool is_fixed = type != IR_NONE && (ir_type(unit, type)->is_const ||
                                            ir_type(unit, type)->kind == IR_TY_REFERENCE);
        if (kind == COPY_ASSIGN && is_fixed) return false;
        IrRecordId inner = classes_record_of(unit, type);
        if (inner != IR_NONE && !is_copyable(unit, inner, kind)) return false;
    }
    return true;
}

// The class can be copied in that way at all, by whomever the copy is written.
static bool is_copyable(const IrUnit *unit, IrRecordId id, CopyKind kind)
{
    const IrRecord *record = &unit->records.items[id];
    bool is_declared =
        kind == COPY_CONSTRUCT ? record->copy_ctor_declared : record->copy_assign_declared;
    bool is_deleted =
        kind == COPY_CONSTRUCT ? record->copy_ctor_deleted : record->copy_assign_deleted;
    bool is_defaulted =
        kind == COPY_CONSTRUCT ? record->copy_ctor_defaulted : record->copy_assign_defaulted;
    if (record->kind == IR_REC_UNIQUE_PTR || is_deleted) return false;
    if (record->kind == IR_REC_STD || (is_declared && !is_defaulted)) return true;
    if (!is_declared && record->move_declared) return false;
    return has_copyable_parts(unit, record, kind);
}

// And the compiler writes that copy: it copies pointers and handles as they are.
static bool is_copied_by_compiler(const IrUnit *unit, IrRecordId id, CopyKind kind)
{
    const IrRecord *record = &unit->records.items[id];
    bool is_written = kind == COPY_CONSTRUCT
                          ? record->copy_ctor_declared && !record->copy_ctor_defaulted
                          : record->copy_assign_declared && !record->copy_assign_defaulted;
    return !is_written && is_copyable(unit, id, kind);
}

// ---- owners that can be copied ------------------------------------------------------------------

static const SummaryEffect *release_of(const Classes *classes, const Member *member)
{
    return classes_destroy(classes, member->record, member->steps, member->step_count).release;
}

static void send_copyable(const Classes *classes, const Member *member, HeldEvents *held)
{
    const IrRecord *record = &classes->unit->records.items[member->record];
    const IrCallee *destructor = &classes->unit->callees.items[record->destructor];
    const SummaryEffect *release = release_of(classes, member);
    if (!release) return;
    SrcLoc copied_at = classes->classes[member->record].copied_at;
    Event event = {
        .kind = EV_COPYABLE_OWNER,
        .loc = record->loc,
        .name = classes_member_text(classes, member),
        .kind_title = "resource",
        .class_name = record->name,
        .destructor_at = destructor->loc,
        .released_by = release->api,
        .released_at = release->loc,
        .is_copy_defaulted = record->copy_ctor_defaulted || record->copy_assign_defaulted,
        .is_assignment_written = record->copy_assign_declared && !record->copy_assign_defaulted,
        .copied_at = copied_at};
    FindingStep steps[3] = {
        {.loc = record->loc,
         .text = arena_printf(classes->arena, "a copy of a '%s' shares '%s'", record->name,
                              event.name)},
        {.loc = loc_is_valid(release->loc) ? release->loc : destructor->loc,
         .text = arena_printf(classes->arena, "each copy's destructor releases '%s' here",
                              event.name)}};
    uint32_t count = 2;
    if (loc_is_valid(copied_at))
        steps[count++] = (FindingStep){.loc = copied_at, .text = "copied here"};
    IrFuncId body = destructor->body;
    const IrFunction *fn = body == IR_NONE ? NULL : classes->unit->functions.items[body];
    hold_event(held, fn, &event, steps, count);
}

static void check_class(const Classes *classes, IrRecordId id, HeldEvents *held)
{
    const Member *member;
    const ClassInfo *info = &classes->classes[id];
    if (classes->unit->records.items[id].kind != IR_REC_USER) return;
    if (info->is_static && !info->is_local) return; // one object, that nobody copies
    if (!classes_is_owner(classes, id, &member)) return;
    if (is_copied_by_compiler(classes->unit, id, COPY_CONSTRUCT))
        send_copyable(classes, member, held);
}

// ---- owners passed to kernels -------------------------------------------------------------------

// The object that temporary `var` is a copy of; IR_NONE when it is none.
static IrPlaceId original_of(const IrFunction *fn, const IrBlock *block, uint32_t launch,
                             IrVarId var)
{
    for (uint32_t i = launch; i > 0; i--) {
        const IrInstr *instr = &block->instrs.items[i - 1];
        if (instr->op != IR_ASSIGN || !instr->is_init) continue;
        const IrPlace *dst = ir_place(fn, instr->dst);
        const IrExpr *value = ir_expr_at(fn, instr->value);
        if (dst->kind == IR_PL_VAR && dst->var == var && value->kind == IR_EX_LOAD)
            return value->place;
    }
    return IR_NONE;
}

static const Member *owned_member(const Classes *classes, IrRecordId id)
{
    const IrRecord *record = &classes->unit->records.items[id];
    const Member *member;
    if (record->kind != IR_REC_USER) return NULL;
    if (classes_is_owner(classes, id, &member)) return member;
    for (uint32_t i = 0; i < record->fields.len; i++) {
        IrRecordId inner = classes_record_of(classes->unit, record->fields.items[i].type);
        member = inner == IR_NONE ? NULL : owned_member(classes, inner);
        if (member) return member;
    }
    return NULL;
}

static void check_argument(const Classes *classes, const IrFunction *fn, const IrBlock *block,
                           uint32_t launch, uint32_t argument, HeldEvents *held)
{
    const IrInstr *instr = &block->instrs.items[launch];
    const IrExpr *arg = ir_expr_at(fn, instr->call->args[argument]);
    if (arg->kind != IR_EX_LOAD || ir_place(fn, arg->place)->kind != IR_PL_VAR) return;
    IrRecordId id = classes_record_of(classes->unit, arg->type);
    const Member *member = id == IR_NONE ? NULL : owned_member(classes, id);
    if (!member || !is_copied_by_compiler(classes->unit, id, COPY_CONSTRUCT)) return;
    IrPlaceId original = original_of(fn, block, launch, ir_place(fn, arg->place)->var);
    const SummaryEffect *release = release_of(classes, member);
    if (original == IR_NONE || !release) return;
    const char *kernel = instr->call->callee == IR_NONE
                             ? "the kernel"
                             : classes->unit->callees.items[instr->call->callee].name;
    Event event = {.kind = EV_OWNER_TO_KERNEL,
                   .loc = instr->loc,
                   .name = ir_place_text(classes->arena, classes->unit, fn, original),
                   .kind_title = "resource",
                   .class_name = classes->unit->records.items[id].name,
                   .callee = kernel,
                   .released_by = release->api,
                   .released_at = release->loc};
    FindingStep steps[2] = {
        {.loc = instr->loc, .text = arena_printf(classes->arena, "'%s' is copied", event.name)},
        {.loc = loc_is_valid(release->loc) ? release->loc : classes->unit->records.items[id].loc,
         .text = arena_printf(classes->arena, "the copy's destructor releases '%s' here",
                              classes_member_text(classes, member))}};
    hold_drop_users(held, &event);
    hold_event(held, fn, &event, steps, 2);
}

static void check_launches(const Classes *classes, const IrFunction *fn, HeldEvents *held)
{
    for (uint32_t b = 0; b < fn->blocks.len; b++) {
        const IrBlock *block = &fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            if (block->instrs.items[i].op != IR_LAUNCH) continue;
            for (uint32_t a = 0; a < block->instrs.items[i].call->arg_count; a++)
                check_argument(classes, fn, block, i, a, held);
        }
    }
}

void classes_check_copies(const Classes *classes, HeldEvents *held)
{
    for (IrRecordId id = 0; id < classes->unit->records.len; id++) check_class(classes, id, held);
    for (uint32_t f = 0; f < classes->unit->functions.len; f++)
        check_launches(classes, classes->unit->functions.items[f], held);
}
