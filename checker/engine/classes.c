// SPDX-License-Identifier: MIT
// Gathering what functions do to members, and what destroying an object does. A member is named by
// the steps from an object of its class; what a function does to `o->inner.buf` is a fact of the
// class of `o` and of the class of `inner`.
#include "engine/classes.h"

#include <string.h>

const Summary *classes_summary(const Classes *classes, IrCalleeId callee)
{
    const Summary *summary = callee == IR_NONE ? NULL : classes->summaries[callee];
    return summary && summary->known ? summary : NULL;
}

IrRecordId classes_record_of(const IrUnit *unit, IrType type)
{
    while (type != IR_NONE && ir_type(unit, type)->kind == IR_TY_ARRAY)
        type = ir_type(unit, type)->pointee;
    if (type == IR_NONE || ir_type(unit, type)->kind != IR_TY_RECORD) return IR_NONE;
    return ir_type(unit, type)->record;
}

// ---- from steps to types ------------------------------------------------------------------------

static IrRecordId base_named(const IrUnit *unit, const IrRecord *record, const char *field)
{
    const char *name = field + strlen("#base:");
    for (uint32_t i = 0; i < record->bases.len; i++)
        if (strcmp(unit->records.items[record->bases.items[i]].name, name) == 0)
            return record->bases.items[i];
    return IR_NONE;
}

IrType classes_field_type(const IrUnit *unit, IrRecordId record, const char *field)
{
    const IrRecord *info = &unit->records.items[record];
    for (uint32_t i = 0; i < info->fields.len; i++)
        if (strcmp(info->fields.items[i].name, field) == 0) return info->fields.items[i].type;
    return IR_NONE;
}

// The class of the object that the first of the steps, a field of `record`, leads to; IR_NONE when
// it is no object. `used`: steps taken.
static IrRecordId step_into(const IrUnit *unit, IrRecordId record, const SummaryStep *steps,
                            uint32_t count, uint32_t *used)
{
    const IrRecord *info = &unit->records.items[record];
    *used = 1;
    if (str_starts_with(steps[0].field, "#base:")) return base_named(unit, info, steps[0].field);
    IrType type = classes_field_type(unit, record, steps[0].field);
    for (; type != IR_NONE && *used < count && steps[*used].kind != SP_FIELD; (*used)++) {
        // An element of what a pointer points to has the type that the pointer's step led to.
        bool is_array = ir_type(unit, type)->kind == IR_TY_ARRAY;
        if (is_array || steps[*used].kind == SP_POINTEE) type = ir_type(unit, type)->pointee;
    }
    return classes_record_of(unit, type);
}

static bool same_steps(const Member *member, const SummaryStep *steps, uint32_t count)
{
    if (member->step_count != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (member->steps[i].kind != steps[i].kind) return false;
        if (steps[i].kind == SP_FIELD && strcmp(member->steps[i].field, steps[i].field) != 0)
            return false;
    }
    return true;
}

Member *classes_member(Classes *classes, IrRecordId record, const SummaryStep *steps,
                       uint32_t count)
{
    uint32_t at = classes->classes[record].first_member;
    for (; at != IR_NONE; at = classes->members.items[at].next)
        if (same_steps(&classes->members.items[at], steps, count))
            return &classes->members.items[at];
    Member member = {
        .record = record, .step_count = count, .next = classes->classes[record].first_member};
    memcpy(member.steps, steps, count * sizeof *steps);
    classes->classes[record].first_member = classes->members.len;
    vec_push(classes->arena, &classes->members, member);
    return vec_last(&classes->members);
}

// ---- effects of functions -----------------------------------------------------------------------

// The class of the object that argument 0, 1, ... of the callee points to.
static IrRecordId pointed_class(const IrUnit *unit, const IrCallee *callee, uint32_t argument)
{
    bool has_object = callee->is_method || callee->is_constructor || callee->is_destructor;
    if (has_object && argument == 0) return callee->record;
    uint32_t index = argument - (has_object ? 1 : 0);
    if (index >= callee->params.len) return IR_NONE;
    const IrTypeInfo *type = ir_type(unit, callee->params.items[index]);
    if (type->kind != IR_TY_POINTER && type->kind != IR_TY_REFERENCE) return IR_NONE;
    return classes_record_of(unit, type->pointee);
}

static void add_effect(Classes *classes, IrCalleeId by, const SummaryEffect *effect)
{
    const IrUnit *unit = classes->unit;
    const SummaryPath *path = &effect->path;
    if (path->root != SP_ARGUMENT || path->step_count < 2 || path->steps[0].kind != SP_POINTEE)
        return;
    const IrCallee *callee = &unit->callees.items[by];
    IrRecordId record = pointed_class(unit, callee, path->argument);
    bool is_own = path->argument == 0 && callee->record == record && callee->is_method;
    for (uint32_t at = 1; record != IR_NONE && at < path->step_count;) {
        const SummaryStep *steps = &path->steps[at];
        uint32_t count = path->step_count - at, used;
        if (steps[0].kind != SP_FIELD) return;
        Member *member = classes_member(classes, record, steps, count);
        MemberEffect fact = {.by = by, .effect = effect, .is_own = is_own && at == 1};
        vec_push(classes->arena, &member->effects, fact);
        record = step_into(unit, record, steps, count, &used);
        at += used;
    }
}

static void add_effects(Classes *classes)
{
    for (IrCalleeId id = 0; id < classes->unit->callees.len; id++) {
        const Summary *summary = classes_summary(classes, id);
        for (uint32_t e = 0; summary && e < summary->effects.len; e++)
            add_effect(classes, id, &summary->effects.items[e]);
    }
}

// A member function of a class template that nothing instantiates belongs to no class of the unit:
// its qualified name says whose it is.
static bool is_of_template(const IrRecord *record, const IrCallee *callee)
{
    const char *arguments = strchr(record->name, '<');
    if (!arguments || callee->record != IR_NONE || !callee->is_method) return false;
    size_t length = (size_t)(arguments - record->name);
    return strncmp(callee->qualified, record->name, length) == 0 &&
           str_starts_with(callee->qualified + length, "::") &&
           strcmp(callee->qualified + length + 2, callee->name) == 0;
}

static void find_unseen(Classes *classes)
{
    const IrUnit *unit = classes->unit;
    for (IrCalleeId id = 0; id < unit->callees.len; id++) {
        const IrCallee *callee = &unit->callees.items[id];
        bool is_plain = callee->is_method && !callee->is_constructor && !callee->is_destructor;
        if (!is_plain || callee->is_const_method) continue;
        if (callee->record != IR_NONE && !classes_summary(classes, id))
            classes->classes[callee->record].has_unseen = true;
        for (IrRecordId r = 0; callee->record == IR_NONE && r < unit->records.len; r++)
            if (is_of_template(&unit->records.items[r], callee))
                classes->classes[r].has_unseen = true;
    }
}

// ---- destruction --------------------------------------------------------------------------------

// The steps agree, elements of arrays being all alike; `path` may also stop short of them.
static bool leads_to(const SummaryPath *path, const SummaryStep *steps, uint32_t count, bool *whole)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < path->step_count; i++) {
        if (path->steps[i].kind == SP_ELEMENT) continue;
        while (at < count && steps[at].kind == SP_ELEMENT) at++;
        if (at == count || steps[at].kind != path->steps[i].kind) return false;
        if (steps[at].kind == SP_FIELD && strcmp(steps[at].field, path->steps[i].field) != 0)
            return false;
        at++;
    }
    while (at < count && steps[at].kind == SP_ELEMENT) at++;
    *whole = at == count;
    return true;
}

static Destroy destroy_by(const Classes *classes, IrCalleeId destructor, const SummaryStep *steps,
                          uint32_t count)
{
    Destroy destroy = {.kind = DESTROY_LEAVES, .destructor = destructor};
    const Summary *summary = classes_summary(classes, destructor);
    // Where only the library destroys the object, its destructor is known as the template's alone.
    bool is_pattern = classes->unit->callees.items[destructor].record == IR_NONE;
    if (!summary || is_pattern) destroy.kind = DESTROY_UNKNOWN;
    for (uint32_t i = 0; summary && i < summary->effects.len; i++) {
        const SummaryEffect *effect = &summary->effects.items[i];
        bool whole, touches = effect->kind == SE_RELEASE || effect->kind == SE_KEEP ||
                              effect->kind == SE_MAY_KEEP;
        if (effect->path.root != SP_ARGUMENT || effect->path.argument != 0 || !touches ||
            !effect->may || !leads_to(&effect->path, steps, count, &whole))
            continue;
        if (whole && effect->kind == SE_RELEASE) {
            destroy.kind = DESTROY_RELEASES;
            destroy.release = effect;
            return destroy;
        }
        destroy.kind = DESTROY_UNKNOWN;
    }
    return destroy;
}

Destroy classes_destroy(const Classes *classes, IrRecordId record, const SummaryStep *steps,
                        uint32_t count)
{
    Destroy destroy = {.kind = DESTROY_LEAVES, .destructor = IR_NONE};
    for (uint32_t at = 0, used; at < count; at += used) {
        const IrRecord *info = &classes->unit->records.items[record];
        if (info->destructor != IR_NONE) {
            destroy = destroy_by(classes, info->destructor, &steps[at], count - at);
            if (destroy.kind != DESTROY_LEAVES) return destroy;
        }
        if (steps[at].kind != SP_FIELD) break;
        record = step_into(classes->unit, record, &steps[at], count - at, &used);
        if (record == IR_NONE) break;
        if (classes->unit->records.items[record].kind != IR_REC_USER)
            return (Destroy){.kind = DESTROY_UNKNOWN};
    }
    return destroy;
}

bool classes_is_in_object(const Member *member)
{
    for (uint32_t i = 0; i < member->step_count; i++)
        if (member->steps[i].kind == SP_POINTEE) return false;
    return true;
}

bool classes_matters(const Classes *classes, const SummaryEffect *release)
{
    const ModelEffect *effect = release->effect;
    for (uint32_t i = 0; effect && i < effect->resources.len; i++)
        if (model_resource(classes->model, effect->resources.items[i])->must_release) return true;
    return false;
}

bool classes_is_owner(const Classes *classes, IrRecordId record, const Member **member)
{
    const IrUnit *unit = classes->unit;
    IrCalleeId destructor = unit->records.items[record].destructor;
    uint32_t at = classes->classes[record].first_member;
    for (; destructor != IR_NONE && at != IR_NONE; at = classes->members.items[at].next) {
        const Member *candidate = &classes->members.items[at];
        uint32_t used;
        // What an object inside owns is that object's affair.
        bool is_inner =
            step_into(unit, record, candidate->steps, candidate->step_count, &used) != IR_NONE &&
            used < candidate->step_count;
        if (is_inner || !classes_is_in_object(candidate)) continue;
        for (uint32_t i = 0; i < candidate->effects.len; i++) {
            const MemberEffect *fact = &candidate->effects.items[i];
            if (fact->by != destructor || fact->effect->kind != SE_RELEASE) continue;
            if (!classes_matters(classes, fact->effect)) continue;
            *member = candidate;
            return true;
        }
    }
    return false;
}

const char *classes_member_text(const Classes *classes, const Member *member)
{
    StrBuf text = {.arena = classes->arena};
    for (uint32_t i = 0; i < member->step_count; i++) {
        const SummaryStep *step = &member->steps[i];
        bool through = i > 0 && member->steps[i - 1].kind == SP_POINTEE;
        if (step->kind == SP_ELEMENT) strbuf_append(&text, "[...]");
        if (step->kind != SP_FIELD || str_starts_with(step->field, "#base:")) continue;
        if (strbuf_text(&text)[0] != '\0') strbuf_append(&text, through ? "->" : ".");
        strbuf_append(&text, step->field);
    }
    return strbuf_text(&text);
}

Classes *classes_collect(Arena *arena, const IrUnit *unit, const Model *model,
                         const Summary *const *summaries)
{
    Classes *classes = ARENA_NEW(arena, Classes);
    *classes = (Classes){.arena = arena, .unit = unit, .model = model, .summaries = summaries};
    classes->classes = ARENA_ARRAY(arena, ClassInfo, unit->records.len + 1);
    for (uint32_t i = 0; i < unit->records.len; i++) classes->classes[i].first_member = IR_NONE;
    add_effects(classes);
    find_unseen(classes);
    classes_collect_uses(classes);
    return classes;
}
