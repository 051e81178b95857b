// SPDX-License-Identifier: MIT
// Finding the sites of a function: each call that acquires, lends or registers, and each variable
// that begins without a value and is released somewhere.
#include "engine/unset.h"

const ModelFunction *engine_model_of(const EngineFn *ef, const IrCall *call, const IrCallee *callee)
{
    bool has_object = callee->is_method || callee->is_constructor || callee->is_destructor;
    int written = (int)call->arg_count - (has_object ? 1 : 0);
    const ModelFunction *model = model_find(ef->model, callee->qualified, written);
    // The user's own function of that name is what its body says, unless the project says otherwise.
    return model && callee->body != IR_NONE && !model->is_project ? NULL : model;
}

const ModelFunction *engine_model_at(const EngineFn *ef, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE) return NULL;
    return engine_model_of(ef, instr->call, &ef->unit->callees.items[instr->call->callee]);
}

// What the function does with resources at all, so that sites nobody could get wrong cost nothing.
typedef struct {
    bool releases;       // some call releases something that must be released
    Vec(LocId) released; // variables in arguments of releasing calls, or their fields
    BitSet listed;       // variables whose addresses are stored in objects, where others find them
} Usage;

static IrVarId root_var(const IrFunction *fn, IrPlaceId place)
{
    while (ir_place(fn, place)->kind != IR_PL_VAR) place = ir_place(fn, place)->base;
    return ir_place(fn, place)->var;
}

// The field of a variable that the place names; else the variable: of an element, of what a pointer
// leads to, of a union's field.
static LocId released_place(EngineFn *ef, IrPlaceId id)
{
    const IrPlace *place = ir_place(ef->fn, id);
    LocId variable = loc_var(ef->space.values, root_var(ef->fn, id));
    if (place->kind != IR_PL_FIELD) return variable;
    IrType type = ir_place(ef->fn, place->base)->type;
    LocId object = released_place(ef, place->base);
    bool is_object = object != variable || ir_place(ef->fn, place->base)->kind == IR_PL_VAR;
    bool is_record = type != IR_NONE && ir_type(ef->unit, type)->kind == IR_TY_RECORD &&
                     ir_type(ef->unit, type)->record != IR_NONE &&
                     !ef->unit->records.items[ir_type(ef->unit, type)->record].is_union;
    const char *field = ir_storage_of(ef->unit, ef->fn, place);
    return is_object && is_record ? loc_field(ef->space.values, object, field) : variable;
}

static bool is_released(const Usage *usage, LocId loc)
{
    for (uint32_t i = 0; i < usage->released.len; i++)
        if (usage->released.items[i] == loc) return true;
    return false;
}

static void note_released(EngineFn *ef, Usage *usage, IrExprId id)
{
    const IrExpr *expr = ir_expr_at(ef->fn, id);
    while (expr->kind == IR_EX_CAST) expr = ir_expr_at(ef->fn, expr->a);
    if (expr->kind != IR_EX_LOAD && expr->kind != IR_EX_ADDR) return;
    LocId loc = released_place(ef, expr->place);
    if (!is_released(usage, loc)) vec_push(ef->arena, &usage->released, loc);
}

static bool is_release(const Model *model, const ModelEffect *effect)
{
    if (effect->kind == MODEL_RELEASE_ALL) return true;
    if (effect->kind != MODEL_RELEASE) return false;
    for (uint32_t i = 0; i < effect->resources.len; i++)
        if (model_resource(model, effect->resources.items[i])->must_release) return true;
    return false;
}

// A table, a list or an object holds the variable's address: who goes through that gives it a value.
static void note_listed(const EngineFn *ef, Usage *usage, const IrInstr *instr)
{
    if (instr->op != IR_ASSIGN || ir_place(ef->fn, instr->dst)->kind == IR_PL_VAR) return;
    const IrExpr *expr = ir_without_casts(ef->fn, instr->value);
    if (expr->kind == IR_EX_ADDR) bits_add(&usage->listed, root_var(ef->fn, expr->place));
}

static Usage find_usage(EngineFn *ef)
{
    Usage usage = {.listed = bits_new(ef->arena, ef->fn->vars.len)};
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            const ModelFunction *model = engine_model_at(ef, &block->instrs.items[i]);
            note_listed(ef, &usage, &block->instrs.items[i]);
            for (uint32_t e = 0; model && e < model->effects.len; e++) {
                if (model->effects.items[e].kind == MODEL_RELEASE)
                    for (uint32_t a = 0; a < block->instrs.items[i].call->arg_count; a++)
                        note_released(ef, &usage, block->instrs.items[i].call->args[a]);
                usage.releases |= is_release(ef->model, &model->effects.items[e]);
            }
        }
    }
    return usage;
}

static bool wanted(const EngineFn *ef, const ModelEffect *effect, const ModelResource *resource,
                   const Usage *usage)
{
    switch (effect->kind) {
    case MODEL_ACQUIRE:
        return resource->must_release || usage->releases || ef->has_copies;
    case MODEL_ATTACH:
        return true;
    case MODEL_BORROW:
        return usage->releases;
    case MODEL_RELEASE:
    case MODEL_RELEASE_ALL:
    case MODEL_DETACH:
    case MODEL_USE_READ:
    case MODEL_USE_WRITE:
    case MODEL_WRITE_OUT:
    case MODEL_KEEP:
    case MODEL_COPY:
    case MODEL_CLEAR_ELEMENTS:
    case MODEL_DROP_ELEMENTS:
    case MODEL_SIZE:
    case MODEL_EMPTY:
    case MODEL_GROW:
    case MODEL_RESERVE:
    case MODEL_REPLACE:
    case MODEL_EXCHANGE:
    case MODEL_MAPPED:
        return false;
    }
    return false;
}

static void add_call_sites(EngineFn *ef, SiteList *sites, IrBlockId b, uint32_t i,
                           const Usage *usage)
{
    const IrBlock *block = &ef->fn->blocks.items[b];
    const IrInstr *instr = &block->instrs.items[i];
    const ModelFunction *model = engine_model_at(ef, instr);
    if (!model) return;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    for (uint32_t e = 0; e < model->effects.len; e++) {
        const ModelEffect *effect = &model->effects.items[e];
        if (effect->kind != MODEL_ACQUIRE && effect->kind != MODEL_ATTACH &&
            effect->kind != MODEL_BORROW)
            continue;
        const ModelResource *resource = model_resource(ef->model, effect->resource);
        if (!wanted(ef, effect, resource, usage) || engine_argument_is_bad(ef, instr->call, effect))
            continue;
        Site site = {.kind = effect->kind == MODEL_ACQUIRE  ? SITE_ACQUIRE
                             : effect->kind == MODEL_BORROW ? SITE_BORROW
                                                            : SITE_ATTACH,
                     .block = b,
                     .instr = i,
                     .point = ef->first_point[b] + i,
                     .model = model,
                     .effect = effect,
                     .resource = resource,
                     .entry = IR_NONE,
                     .buffer = IR_NONE,
                     .acquired_by = model->name,
                     .var = IR_NONE,
                     .loc = instr->loc,
                     .name = engine_site_name(ef, block, i, effect, callee->is_method)};
        vec_push(ef->arena, sites, site);
    }
}

static bool has_several_kinds(const Summary *summary, const SummaryEffect *effect)
{
    for (uint32_t e = 0; e < summary->effects.len; e++) {
        const SummaryEffect *other = &summary->effects.items[e];
        if (other != effect && other->kind == SE_ACQUIRE &&
            summary_path_equal(&other->path, &effect->path))
            return true;
    }
    return false;
}

// One resource, several places: one site.
static bool is_first_of_group(const Summary *summary, uint32_t index)
{
    const SummaryEffect *effect = &summary->effects.items[index];
    for (uint32_t e = 0; e < index; e++) {
        const SummaryEffect *other = &summary->effects.items[e];
        if (other->kind == SE_ACQUIRE && other->group == effect->group &&
            other->path.root != SP_GLOBAL && (other->may & effect->may) != 0)
            return false;
    }
    return true;
}

static void add_user_call_sites(EngineFn *ef, SiteList *sites, IrBlockId b, uint32_t i)
{
    const IrBlock *block = &ef->fn->blocks.items[b];
    const IrInstr *instr = &block->instrs.items[i];
    if (instr->call->callee == IR_NONE) return;
    const IrCallee *callee = &ef->unit->callees.items[instr->call->callee];
    const Summary *summary = engine_summary_of(ef, instr->call, callee);
    if (!summary || !summary->known || engine_model_of(ef, instr->call, callee)) return;
    for (uint32_t e = 0; e < summary->effects.len; e++) {
        const SummaryEffect *effect = &summary->effects.items[e];
        if (effect->kind != SE_ACQUIRE || effect->path.root == SP_GLOBAL) continue;
        const SummaryEffect *first = summary_find(summary, SE_ACQUIRE, &effect->path);
        if (first != effect)
            continue; // one place, several kinds: one resource whose kind is not certain
        if (!is_first_of_group(summary, e)) continue;
        Site site = {.kind = SITE_ACQUIRE,
                     .block = b,
                     .instr = i,
                     .point = ef->first_point[b] + i,
                     .acquires = effect,
                     .resource = model_resource(ef->model, effect->resource),
                     .var = IR_NONE,
                     .entry = IR_NONE,
                     .buffer = IR_NONE,
                     .kind_is_uncertain = has_several_kinds(summary, effect),
                     .acquired_by = callee->name,
                     .loc = instr->loc,
                     .name = engine_filled_name(ef, block, i, &effect->path)};
        vec_push(ef->arena, sites, site);
    }
}

static void add_variable_site(EngineFn *ef, SiteList *sites, IrBlockId b, uint32_t i,
                              const Usage *usage)
{
    const IrBlock *block = &ef->fn->blocks.items[b];
    const IrInstr *instr = &block->instrs.items[i];
    const IrVar *var = &ef->fn->vars.items[instr->var];
    if (var->kind != IR_VAR_LOCAL || bits_has(&usage->listed, instr->var)) return;
    const IrTypeInfo *type = ir_type(ef->unit, var->type);
    bool constructs_itself = type->kind == IR_TY_RECORD && type->record != IR_NONE &&
                             ef->unit->records.items[type->record].kind != IR_REC_USER;
    if (constructs_itself) return;
    bool initialised = i + 1 < block->instrs.len && block->instrs.items[i + 1].op == IR_ASSIGN &&
                       block->instrs.items[i + 1].is_init &&
                       root_var(ef->fn, block->instrs.items[i + 1].dst) == instr->var;
    if (initialised) return;
    LocId whole = loc_var(ef->space.values, instr->var);
    bool is_whole = is_released(usage, whole);
    for (uint32_t at = 0; at < usage->released.len; at++) {
        LocId unset = usage->released.items[at];
        if (is_whole ? unset != whole : loc_at(ef->space.values, unset)->root != whole) continue;
        Site site = {.kind = SITE_UNINITIALIZED,
                     .block = b,
                     .instr = i,
                     .point = ef->first_point[b] + i,
                     .var = instr->var,
                     .entry = IR_NONE,
                     .buffer = IR_NONE,
                     .unset = unset,
                     .loc = loc_is_valid(var->loc) ? var->loc : instr->loc,
                     .name = loc_text(ef->arena, ef->space.values, unset)};
        vec_push(ef->arena, sites, site);
    }
}

// A variable's memory that work uses: from there on it must neither end nor be touched.
static void add_buffer_sites(EngineFn *ef, SiteList *sites)
{
    for (uint32_t i = 0; i < ef->buffer_uses.len; i++) {
        const BufferUse *use = &ef->buffer_uses.items[i];
        LocId root = loc_at(ef->space.values, use->buffer)->root;
        Site site = {.kind = SITE_BUFFER,
                     .block = use->block,
                     .point = use->point,
                     .instr = use->point - ef->first_point[use->block],
                     .var = loc_at(ef->space.values, root)->var,
                     .buffer = use->buffer,
                     .entry = IR_NONE,
                     .loc = use->loc,
                     .name = loc_text(ef->arena, ef->space.values, use->buffer)};
        vec_push(ef->arena, sites, site);
    }
}

void engine_find_sites(EngineFn *ef, SiteList *sites)
{
    Usage usage = find_usage(ef);
    for (uint32_t b = 0; b < ef->fn->blocks.len; b++) {
        if (!bits_has(&ef->reached, b)) continue;
        const IrBlock *block = &ef->fn->blocks.items[b];
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            if (block->instrs.items[i].op == IR_CALL) {
                add_call_sites(ef, sites, b, i, &usage);
                add_user_call_sites(ef, sites, b, i);
            }
            if (block->instrs.items[i].op == IR_DECL) add_variable_site(ef, sites, b, i, &usage);
        }
    }
    engine_find_unset_members(ef, sites);
    add_buffer_sites(ef, sites);
}
