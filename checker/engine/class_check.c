// SPDX-License-Identifier: MIT
// Defects of classes as a whole: members that are acquired and not released, released by the wrong
// function, overwritten while they own, or left dangling between methods.
#include "engine/classes.h"

#include <string.h>

static const IrFunction *body_of(const Classes *classes, IrCalleeId callee)
{
    IrFuncId body = classes->unit->callees.items[callee].body;
    return body == IR_NONE ? NULL : classes->unit->functions.items[body];
}

static const IrRecord *class_of(const Classes *classes, const Member *member)
{
    return &classes->unit->records.items[member->record];
}

static bool has_effect(const Member *member, IrCalleeId by, SummaryEffectKind kind)
{
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        if (fact->by == by && fact->effect->kind == kind && fact->effect->may) return true;
    }
    return false;
}

// ---- who else may release it --------------------------------------------------------------------

// The function takes the resource away for good: it does not put another there at once.
static bool takes_away(const Member *member, const MemberEffect *fact)
{
    const SummaryEffect *effect = fact->effect;
    if (!effect->may) return false;
    if (effect->kind == SE_MAY_KEEP) return true;
    if (effect->kind == SE_KEEP || effect->kind == SE_RETURN)
        return (effect->null_after | effect->renewed_after) != 0;
    return effect->kind == SE_RELEASE && !has_effect(member, fact->by, SE_ACQUIRE);
}

static bool is_taken_elsewhere(const Classes *classes, const Member *member)
{
    if (member->is_passed_on || classes->classes[member->record].has_unseen) return true;
    for (uint32_t i = 0; i < member->effects.len; i++)
        if (takes_away(member, &member->effects.items[i])) return true;
    return false;
}

// Objects that live as long as the process need no destructor.
static bool lives_on(const ClassInfo *info)
{
    return info->is_static && !info->is_local;
}

static bool is_in_main_file(const Classes *classes, const Member *member)
{
    const char *file = class_of(classes, member)->loc.file;
    return file && strcmp(file, classes->unit->file) == 0;
}

// A class without a destructor: other files may release its members, unless it is in none of them.
static bool is_all_seen(const Classes *classes, const Member *member)
{
    if (!classes->classes[member->record].is_local || !is_in_main_file(classes, member))
        return false;
    for (uint32_t i = 0; i < member->effects.len; i++)
        if (member->effects.items[i].effect->kind == SE_RELEASE) return false;
    return true;
}

// ---- events -------------------------------------------------------------------------------------

// One place is told of once, for all instances of a template and all functions that lead there.
static void send(const Event *event, const IrFunction *fn, const FindingStep *steps, uint32_t count,
                 HeldEvents *held)
{
    if (!loc_is_valid(event->loc) || hold_has(held, event->kind, event->loc)) return;
    hold_drop_users(held, event);
    hold_event(held, fn, event, steps, count);
}

static Event member_event(const Classes *classes, const Member *member, EventKind kind,
                          const MemberEffect *acquire)
{
    const ModelResource *resource = model_resource(classes->model, acquire->effect->resource);
    return (Event){.kind = kind,
                   .loc = acquire->effect->loc,
                   .name = classes_member_text(classes, member),
                   .kind_title = resource->title,
                   .acquired_by = acquire->effect->api,
                   .acquired_at = acquire->effect->loc,
                   .release_hint = resource->release_hint,
                   .must_release = true,
                   .class_name = class_of(classes, member)->name};
}

static void send_leak(const Classes *classes, const Member *member, const MemberEffect *acquire,
                      IrCalleeId destructor, HeldEvents *held)
{
    Event event = member_event(classes, member, EV_MEMBER_LEAK, acquire);
    FindingStep steps[2] = {
        {.loc = event.loc,
         .text = arena_printf(classes->arena, "acquired here by '%s'", event.acquired_by)}};
    uint32_t count = 1;
    if (destructor != IR_NONE) {
        event.destructor_at = classes->unit->callees.items[destructor].loc;
        steps[count++] =
            (FindingStep){.loc = event.destructor_at,
                          .text = arena_printf(classes->arena,
                                               "the destructor does not release '%s'", event.name)};
    } else {
        steps[count++] =
            (FindingStep){.loc = class_of(classes, member)->loc,
                          .text = arena_printf(classes->arena, "nothing of '%s' releases '%s'",
                                               event.class_name, event.name)};
    }
    send(&event, body_of(classes, acquire->by), steps, count, held);
}

// The function puts the resource into other places, too: the member may be the lesser of them.
static bool is_shared(const Classes *classes, const MemberEffect *acquire)
{
    const Summary *summary = classes_summary(classes, acquire->by);
    for (uint32_t i = 0; summary && i < summary->effects.len; i++) {
        const SummaryEffect *other = &summary->effects.items[i];
        if (other->kind == SE_ACQUIRE && other != acquire->effect &&
            other->group == acquire->effect->group && other->resource == acquire->effect->resource)
            return true;
    }
    return false;
}

// ---- the check ----------------------------------------------------------------------------------

static void check_leak(const Classes *classes, const Member *member, HeldEvents *held)
{
    if (!classes_is_in_object(member) || lives_on(&classes->classes[member->record])) return;
    if (class_of(classes, member)->kind != IR_REC_USER || is_taken_elsewhere(classes, member))
        return;
    Destroy destroy = classes_destroy(classes, member->record, member->steps, member->step_count);
    if (destroy.kind != DESTROY_LEAVES) return;
    if (destroy.destructor == IR_NONE && !is_all_seen(classes, member)) return;
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        if (fact->effect->kind == SE_ACQUIRE && fact->is_own && !is_shared(classes, fact))
            send_leak(classes, member, fact, destroy.destructor, held);
    }
}

// ---- members of which some kinds are never released ---------------------------------------------

static bool releases_kind(const Classes *classes, const ModelEffect *effect, uint32_t kind)
{
    uint32_t same = model_resource(classes->model, kind)->same_as;
    for (uint32_t i = 0; effect && i < effect->resources.len; i++)
        if (effect->resources.items[i] == kind || effect->resources.items[i] == same) return true;
    return false;
}

// Some function that releases the member rightly releases that kind, for all that is known.
static bool is_kind_released(const Classes *classes, const Member *member, uint32_t kind)
{
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const SummaryEffect *effect = member->effects.items[i].effect;
        if (effect->kind != SE_RELEASE) continue;
        if (!effect->effect || releases_kind(classes, effect->effect, kind)) return true;
    }
    return false;
}

static bool releases_some_kind(const Classes *classes, const Member *member,
                               const SummaryEffect *release)
{
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const SummaryEffect *effect = member->effects.items[i].effect;
        if (effect->kind == SE_ACQUIRE &&
            (!release->effect || releases_kind(classes, release->effect, effect->resource)))
            return true;
    }
    return false;
}

// The member is acquired as one kind or another, and what tears it down forgets the one.
static void check_flavour(const Classes *classes, const Member *member, const MemberEffect *acquire,
                          HeldEvents *held)
{
    if (is_kind_released(classes, member, acquire->effect->resource)) return;
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *release = &member->effects.items[i];
        if (release->effect->kind != SE_RELEASE || release->effect->must != 0) continue;
        if (!has_effect(member, release->by, SE_LOSE)) continue;
        if (!releases_some_kind(classes, member, release->effect)) continue;
        Event event = member_event(classes, member, EV_MEMBER_LEAK, acquire);
        event.released_by = release->effect->api;
        event.released_at = release->effect->loc;
        FindingStep steps[] = {
            {.loc = event.loc,
             .text = arena_printf(classes->arena, "acquired here by '%s'", event.acquired_by)},
            {.loc = event.released_at,
             .text = arena_printf(classes->arena, "'%s' releases what was acquired otherwise",
                                  event.released_by)}};
        send(&event, body_of(classes, acquire->by), steps, 2, held);
        return;
    }
}

// Every acquisition of the member, and there is some, is of kinds that this function is not for.
static void check_mismatch(const Classes *classes, const Member *member,
                           const MemberEffect *release, HeldEvents *held)
{
    const MemberEffect *acquire = NULL;
    if (!release->effect->effect || releases_some_kind(classes, member, release->effect)) return;
    for (uint32_t i = 0; i < member->effects.len && !acquire; i++)
        if (member->effects.items[i].effect->kind == SE_ACQUIRE)
            acquire = &member->effects.items[i];
    if (!acquire) return;
    Event event = member_event(classes, member, EV_WRONG_RELEASE, acquire);
    event.loc = release->effect->loc;
    event.callee = release->effect->api;
    FindingStep steps[] = {
        {.loc = event.acquired_at,
         .text = arena_printf(classes->arena, "acquired here by '%s'", event.acquired_by)},
        {.loc = event.loc,
         .text = arena_printf(classes->arena, "'%s' is passed to '%s' here", event.name,
                              event.callee)}};
    send(&event, body_of(classes, release->by), steps, 2, held);
}

// A class of a header that has no methods: functions of other files may fill its members as well.
static bool is_everybodys(const Classes *classes, const Member *member)
{
    for (IrCalleeId id = 0; id < classes->unit->callees.len; id++)
        if (classes->unit->callees.items[id].record == member->record) return false;
    return !is_in_main_file(classes, member);
}

static void check_kinds(const Classes *classes, const Member *member, HeldEvents *held)
{
    const ClassInfo *info = &classes->classes[member->record];
    if (member->is_stored || member->is_passed_on || info->has_unseen) return;
    if (member->effects.len == 0 || is_everybodys(classes, member)) return;
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        if (fact->effect->kind == SE_ACQUIRE) check_flavour(classes, member, fact, held);
        if (fact->effect->kind == SE_RELEASE) check_mismatch(classes, member, fact, held);
    }
}

// ---- overwriting members ------------------------------------------------------------------------

static bool is_called_inside(const Classes *classes, const Member *member, IrCalleeId callee)
{
    const IrUnit *unit = classes->unit;
    for (uint32_t f = 0; f < unit->functions.len; f++) {
        const IrFunction *fn = unit->functions.items[f];
        if (unit->callees.items[fn->callee].record != member->record) continue;
        for (uint32_t b = 0; b < fn->blocks.len; b++) {
            const IrBlock *block = &fn->blocks.items[b];
            for (uint32_t i = 0; i < block->instrs.len; i++)
                if (block->instrs.items[i].op == IR_CALL &&
                    block->instrs.items[i].call->callee == callee)
                    return true;
        }
    }
    return false;
}

static const MemberEffect *acquired_by(const Member *member, IrCalleeId by)
{
    for (uint32_t i = 0; i < member->effects.len; i++)
        if (member->effects.items[i].by == by &&
            member->effects.items[i].effect->kind == SE_ACQUIRE)
            return &member->effects.items[i];
    return NULL;
}

static bool is_copy_or_move(const Classes *classes, const IrCallee *constructor)
{
    if (constructor->params.len != 1) return false;
    const IrTypeInfo *type = ir_type(classes->unit, constructor->params.items[0]);
    return type->kind == IR_TY_REFERENCE &&
           classes_record_of(classes->unit, type->pointee) == constructor->record;
}

// The acquisition with which every new object begins; NULL: some object may begin without.
static const MemberEffect *acquired_by_constructors(const Classes *classes, const Member *member)
{
    const MemberEffect *found = NULL;
    for (IrCalleeId id = 0; id < classes->unit->callees.len; id++) {
        const IrCallee *callee = &classes->unit->callees.items[id];
        if (!callee->is_constructor || callee->record != member->record) continue;
        if (is_copy_or_move(classes, callee)) continue;
        const MemberEffect *fact = acquired_by(member, id);
        if (!fact || (fact->effect->must & OUTCOME_RETURNED) == 0) return NULL;
        found = fact;
    }
    return found;
}

static bool is_assignment(const IrCallee *callee)
{
    return callee->is_method && strcmp(callee->name, "operator=") == 0;
}

// Whose resource a method overwrites: the constructors', which is there from the first; or, of a
// method that acquires only when what is there does not suffice, its own of an earlier call.
static const MemberEffect *overwritten(const Classes *classes, const Member *member,
                                       const MemberEffect *lose)
{
    const IrCallee *callee = &classes->unit->callees.items[lose->by];
    const MemberEffect *first = acquired_by_constructors(classes, member);
    const MemberEffect *again = acquired_by(member, lose->by);
    bool replaces = again || is_assignment(callee);
    if ((lose->effect->guards & LOSE_BY_FLAG) != 0 || !replaces) return NULL;
    if (first) return first;
    return (lose->effect->guards & LOSE_BY_RELATION) != 0 ? again : NULL;
}

static void check_overwrites(const Classes *classes, const Member *member, HeldEvents *held)
{
    if (!classes_is_in_object(member) || member->is_passed_on ||
        classes->classes[member->record].has_unseen)
        return;
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        const IrCallee *callee = &classes->unit->callees.items[fact->by];
        bool is_move = !fact->is_own && (callee->is_constructor || is_assignment(callee));
        if (takes_away(member, fact) && !callee->is_destructor && !is_move)
            return; // it may be empty by then
    }
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *lose = &member->effects.items[i];
        if (lose->effect->kind != SE_LOSE || !lose->is_own) continue;
        const MemberEffect *acquire = overwritten(classes, member, lose);
        if (!acquire || is_called_inside(classes, member, lose->by)) continue;
        Event event = member_event(classes, member, EV_OVERWRITE, acquire);
        event.loc = lose->effect->loc;
        FindingStep steps[] = {
            {.loc = event.acquired_at,
             .text = arena_printf(classes->arena, "acquired here by '%s'", event.acquired_by)},
            {.loc = event.loc,
             .text = arena_printf(classes->arena, "'%s' is overwritten here, not released",
                                  event.name)}};
        send(&event, body_of(classes, lose->by), steps, 2, held);
    }
}

// ---- members left dangling ----------------------------------------------------------------------

// The destructor releases the member whatever the other members say.
static bool is_released_again(const Classes *classes, const Member *member)
{
    Destroy destroy = classes_destroy(classes, member->record, member->steps, member->step_count);
    return destroy.kind == DESTROY_RELEASES && (destroy.release->must & OUTCOME_RETURNED) != 0;
}

// The function may leave an object behind: a constructor that throws leaves none.
static bool leaves_object(const IrCallee *callee, const SummaryEffect *effect)
{
    return !callee->is_constructor || (effect->must & OUTCOME_RETURNED) != 0;
}

static void check_dangling(const Classes *classes, const Member *member, HeldEvents *held)
{
    if (!classes_is_in_object(member) || !is_released_again(classes, member)) return;
    for (uint32_t i = 0; i < member->effects.len; i++) {
        const MemberEffect *fact = &member->effects.items[i];
        const SummaryEffect *effect = fact->effect;
        bool stays = effect->kind == SE_RELEASE && effect->must != 0 && effect->null_after == 0 &&
                     effect->renewed_after == 0;
        const IrCallee *callee = &classes->unit->callees.items[fact->by];
        if (!stays || callee->is_destructor || !fact->is_own) continue;
        if (!leaves_object(callee, effect)) continue;
        if (!classes_matters(classes, effect)) continue;
        if (is_called_inside(classes, member, fact->by)) continue;
        Destroy destroy =
            classes_destroy(classes, member->record, member->steps, member->step_count);
        Event event = {.kind = EV_DANGLING,
                       .loc = effect->loc,
                       .name = classes_member_text(classes, member),
                       .kind_title = "resource",
                       .class_name = class_of(classes, member)->name,
                       .callee = callee->name,
                       .released_by = effect->api,
                       .released_at = effect->loc,
                       .destructor_at = destroy.release->loc};
        FindingStep steps[] = {
            {.loc = event.loc,
             .text = arena_printf(classes->arena, "'%s' still holds what '%s' released", event.name,
                                  event.released_by)},
            {.loc = event.destructor_at,
             .text =
                 arena_printf(classes->arena, "the destructor releases '%s' again", event.name)}};
        send(&event, body_of(classes, fact->by), steps, 2, held);
    }
}

void classes_check_unset(Classes *classes, HeldEvents *held)
{
    for (uint32_t i = 0; i < held->events.len; i++) {
        HeldEvent *event = &held->events.items[i];
        if (event->event.kind != EV_LEFT_UNSET) continue;
        SummaryStep step = {.kind = SP_FIELD, .field = event->field};
        const Member *member = classes_member(classes, event->record, &step, 1);
        event->is_told = !member->is_released;
    }
}

void classes_check_members(const Classes *classes, HeldEvents *held)
{
    for (uint32_t i = 0; i < classes->members.len; i++) {
        const Member *member = &classes->members.items[i];
        if (class_of(classes, member)->kind != IR_REC_USER) continue;
        check_leak(classes, member, held);
        check_kinds(classes, member, held);
        check_overwrites(classes, member, held);
        check_dangling(classes, member, held);
    }
}
