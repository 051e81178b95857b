// SPDX-License-Identifier: MIT
// What the bodies of functions show of objects and their members: where objects live, which are
// copied as the compiler would do it, and which members are handed on or filled from elsewhere.
#include "engine/classes.h"

#include <string.h>

typedef struct {
    Classes *classes;
    const IrFunction *fn;
} Uses;

static IrRecordId record_at(const Uses *uses, IrPlaceId place)
{
    return classes_record_of(uses->classes->unit, ir_place(uses->fn, place)->type);
}

// The member that a place ends with: "o->bufs[i]" ends with bufs; NULL when it ends with none.
static Member *member_at(const Uses *uses, IrPlaceId place)
{
    const IrPlace *info = ir_place(uses->fn, place);
    while (info->kind == IR_PL_INDEX) info = ir_place(uses->fn, info->base);
    if (info->kind != IR_PL_FIELD) return NULL;
    IrRecordId record = record_at(uses, info->base);
    if (record == IR_NONE) return NULL;
    SummaryStep step = {.kind = SP_FIELD,
                        .field = ir_storage_of(uses->classes->unit, uses->fn, info)};
    return classes_member(uses->classes, record, &step, 1);
}

// ---- where objects live -------------------------------------------------------------------------

static void look_at_variables(const Uses *uses)
{
    for (uint32_t v = 0; v < uses->fn->vars.len; v++) {
        const IrVar *var = &uses->fn->vars.items[v];
        IrRecordId record = classes_record_of(uses->classes->unit, var->type);
        if (record == IR_NONE) continue;
        ClassInfo *info = &uses->classes->classes[record];
        if (var->kind == IR_VAR_STATIC || var->kind == IR_VAR_GLOBAL)
            info->is_static = true;
        else
            info->is_local = true;
    }
}

// ---- copies -------------------------------------------------------------------------------------

// Copying an object whole copies the objects in it that have no copy of their own.
static void note_copy(Classes *classes, IrRecordId record, SrcLoc loc)
{
    ClassInfo *info = &classes->classes[record];
    const IrRecord *class = &classes->unit->records.items[record];
    if (loc_is_valid(info->copied_at) || class->kind != IR_REC_USER) return;
    info->copied_at = loc;
    if (class->copy_ctor_declared && !class->copy_ctor_defaulted) return; // it copies what it likes
    for (uint32_t i = 0; i < class->fields.len; i++) {
        IrRecordId inner = classes_record_of(classes->unit, class->fields.items[i].type);
        if (inner != IR_NONE) note_copy(classes, inner, loc);
    }
    for (uint32_t i = 0; i < class->bases.len; i++) note_copy(classes, class->bases.items[i], loc);
}

static bool is_temporary(const Uses *uses, IrPlaceId place)
{
    const IrPlace *info = ir_place(uses->fn, place);
    return info->kind == IR_PL_VAR && uses->fn->vars.items[info->var].kind == IR_VAR_TEMP;
}

// A standard container that is given an object by reference stores a copy of it.
static void look_at_container_call(const Uses *uses, const IrInstr *instr, const IrCallee *callee)
{
    const IrUnit *unit = uses->classes->unit;
    bool is_container = callee->record != IR_NONE && callee->is_method &&
                        !callee->is_const_method && !callee->is_constructor &&
                        unit->records.items[callee->record].kind == IR_REC_STD;
    for (uint32_t i = 1; is_container && i < instr->call->arg_count; i++) {
        if (i - 1 >= callee->params.len) return;
        const IrTypeInfo *type = ir_type(unit, callee->params.items[i - 1]);
        if (type->kind != IR_TY_REFERENCE) continue;
        IrRecordId record = classes_record_of(unit, type->pointee);
        if (record != IR_NONE) note_copy(uses->classes, record, instr->loc);
    }
}

// ---- members in assignments and calls -----------------------------------------------------------

// The function's summary tells of it.
static bool is_told(const Uses *uses, const Member *member, SummaryEffectKind kind)
{
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        if (fact->by == uses->fn->callee && fact->effect->kind == kind && fact->effect->may)
            return true;
    }
    return false;
}

static void look_at_assignment(const Uses *uses, const IrInstr *instr)
{
    const IrExpr *value = ir_without_casts(uses->fn, instr->value);
    bool is_load = value->kind == IR_EX_LOAD;
    IrRecordId record = record_at(uses, instr->dst);
    if (is_load && record != IR_NONE && record_at(uses, value->place) == record) {
        if (!is_temporary(uses, value->place)) note_copy(uses->classes, record, instr->loc);
        return;
    }
    Member *member = member_at(uses, instr->dst);
    if (!member || (value->kind == IR_EX_INT && value->value == 0)) return;
    const IrPlace *from = is_load ? ir_place(uses->fn, value->place) : NULL;
    bool is_same_member =
        from && from->kind == IR_PL_FIELD && from->field == ir_place(uses->fn, instr->dst)->field;
    if (!is_same_member && !is_told(uses, member, SE_ACQUIRE)) member->is_stored = true;
}

static bool model_touches(const ModelFunction *model)
{
    for (uint32_t i = 0; i < model->effects.len; i++) {
        ModelEffectKind kind = model->effects.items[i].kind;
        if (kind == MODEL_RELEASE || kind == MODEL_KEEP || kind == MODEL_ACQUIRE) return true;
    }
    return false;
}

// The callee releases or may keep the argument itself, or fills what it points to.
static bool summary_touches(const Summary *summary, uint32_t argument)
{
    for (uint32_t i = 0; i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        bool touches = effect->kind != SE_USE && effect->kind != SE_ACQUIRE &&
                       effect->kind != SE_LEAVE && effect->kind != SE_REFIT && effect->may;
        if (touches && effect->path.root == SP_ARGUMENT && effect->path.argument == argument &&
            effect->path.step_count <= 1)
            return true;
    }
    return false;
}

// The member that the place ends with is passed on, or filled; so is, of each object around, what lies
// in the object there: `o.inner.buf` is `buf` of the inner object and `inner.buf` of the outer one.
static void mark(const Uses *uses, IrPlaceId place, bool is_passed_on)
{
    SummaryStep steps[SUMMARY_MAX_STEPS];
    const IrPlace *info = ir_place(uses->fn, place);
    while (info->kind == IR_PL_INDEX) info = ir_place(uses->fn, info->base);
    for (uint32_t count = 1; info->kind == IR_PL_FIELD && count <= SUMMARY_MAX_STEPS; count++) {
        memmove(steps + 1, steps, (count - 1) * sizeof *steps);
        const char *field = ir_storage_of(uses->classes->unit, uses->fn, info);
        steps[0] = (SummaryStep){.kind = SP_FIELD, .field = field};
        IrRecordId record = record_at(uses, info->base);
        if (record == IR_NONE) return;
        Member *member = classes_member(uses->classes, record, steps, count);
        if (is_passed_on)
            member->is_passed_on = true;
        else
            member->is_stored = true;
        info = ir_place(uses->fn, info->base);
    }
}

static void look_at_argument(const Uses *uses, const IrExpr *arg)
{
    Member *member = member_at(uses, arg->place);
    if (!member || record_at(uses, arg->place) != IR_NONE) return;
    bool is_known = arg->kind == IR_EX_LOAD
                        ? is_told(uses, member, SE_RELEASE) || is_told(uses, member, SE_KEEP) ||
                              is_told(uses, member, SE_MAY_KEEP)
                        : is_told(uses, member, SE_ACQUIRE);
    if (!is_known) mark(uses, arg->place, arg->kind == IR_EX_LOAD);
}

static bool model_releases(const Model *model, const ModelFunction *function, uint32_t argument)
{
    for (uint32_t e = 0; e < function->effects.len; e++) {
        const ModelEffect *effect = &function->effects.items[e];
        if (effect->kind != MODEL_RELEASE || effect->slot.arg != (int)argument + 1) continue;
        for (uint32_t i = 0; i < effect->resources.len; i++)
            if (model_resource(model, effect->resources.items[i])->must_release) return true;
    }
    return false;
}

static void look_at_call(const Uses *uses, const IrInstr *instr)
{
    const IrUnit *unit = uses->classes->unit;
    const IrCall *call = instr->call;
    const IrCallee *callee = call->callee == IR_NONE ? NULL : &unit->callees.items[call->callee];
    if (callee) look_at_container_call(uses, instr, callee);
    int written = (int)call->arg_count - (callee && callee->is_method ? 1 : 0);
    const ModelFunction *model = callee && callee->body == IR_NONE
                                     ? model_find(uses->classes->model, callee->qualified, written)
                                     : NULL;
    const Summary *summary = callee ? classes_summary(uses->classes, call->callee) : NULL;
    bool is_library = callee && callee->in_system_header && callee->is_extern_c_like;
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const IrExpr *arg = ir_without_casts(uses->fn, call->args[i]);
        if (arg->kind != IR_EX_LOAD && arg->kind != IR_EX_ADDR) continue;
        SummaryPath path = {.root = SP_ARGUMENT, .argument = i};
        bool releases = model ? model_releases(uses->classes->model, model, i)
                              : summary && summary_find(summary, SE_RELEASE, &path);
        Member *member = releases && arg->kind == IR_EX_LOAD ? member_at(uses, arg->place) : NULL;
        if (member) member->is_released = true;
        bool touches = model     ? model_touches(model)
                       : summary ? summary_touches(summary, i)
                                 : !is_library;
        if (touches) look_at_argument(uses, arg);
    }
}

static void look_at_body(const Uses *uses)
{
    for (uint32_t b = 0; b < uses->fn->blocks.len; b++) {
        const IrBlock *block = &uses->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            const IrInstr *instr = &block->instrs.items[i];
            if (instr->op == IR_ASSIGN) look_at_assignment(uses, instr);
            if (instr->op == IR_CALL) look_at_call(uses, instr);
        }
    }
}

void classes_collect_uses(Classes *classes)
{
    for (uint32_t f = 0; f < classes->unit->functions.len; f++) {
        const IrFunction *fn = classes->unit->functions.items[f];
        Uses uses = {.classes = classes, .fn = fn};
        look_at_variables(&uses);
        look_at_body(&uses);
    }
}
