// SPDX-License-Identifier: MIT
// Locations: interning, projection and text.
#include "engine/value_p.h"

#include <inttypes.h>

#define MAX_LOC_DEPTH 24

const Loc *loc_at(const Values *values, LocId id)
{
    return &values->locs.items[id];
}

uint32_t loc_count(const Values *values)
{
    return values->locs.len;
}

static uint64_t loc_hash(const Loc *loc)
{
    uint64_t hash = hash_mix((uint64_t)loc->kind, ((uint64_t)loc->parent << 32) | loc->var);
    hash = hash_mix(hash, loc->sym);
    hash = hash_mix(hash, (uint64_t)(uintptr_t)loc->field);
    return hash_mix(hash, (uint64_t)loc->index);
}

static bool loc_same(const Loc *x, const Loc *y)
{
    return x->kind == y->kind && x->parent == y->parent && x->var == y->var && x->sym == y->sym &&
           x->field == y->field && x->index == y->index;
}

static Loc blank(LocKind kind)
{
    return (Loc){.kind = kind,
                 .parent = IR_NONE,
                 .var = IR_NONE,
                 .sym = IR_NONE,
                 .first_child = IR_NONE,
                 .next_sibling = IR_NONE,
                 .family = IR_NONE,
                 .members = IR_NONE,
                 .next_member = IR_NONE};
}

static LocId family_of(Values *values, const Loc *loc, LocId self)
{
    if (loc->parent == IR_NONE) return self;
    LocId parent = loc_at(values, loc->parent)->family;
    if (loc->kind == LOC_FIELD)
        return parent == loc->parent ? self : loc_field(values, parent, loc->field);
    if (loc->kind == LOC_ANY && parent == loc->parent && !loc->is_other) return self;
    return loc_any(values, parent);
}

static LocId intern(Values *values, Loc loc)
{
    uint64_t hash = loc_hash(&loc);
    uint32_t cursor = 0, id;
    while (idtable_next(&values->loc_table, hash, &cursor, &id))
        if (loc_same(&values->locs.items[id], &loc)) return id;
    id = values->locs.len;
    if (loc.parent == IR_NONE) {
        loc.root = id;
        if (loc.kind == LOC_MEM) loc.depth = (uint8_t)(sym_at(values, loc.sym)->loc_depth + 1);
    } else {
        Loc *parent = &values->locs.items[loc.parent];
        loc.root = parent->root;
        loc.depth = (uint8_t)(parent->depth + 1);
        loc.is_family = parent->is_family || loc.kind == LOC_ANY;
        loc.is_other |= parent->is_other;
        loc.next_sibling = parent->first_child;
        parent->first_child = id;
    }
    loc.is_family |= loc.depth >= MAX_LOC_DEPTH; // it stands for everything below
    vec_push(values->arena, &values->locs, loc);
    idtable_add(values->arena, &values->loc_table, hash, id);
    LocId family = family_of(values, &loc, id);
    values->locs.items[id].family = family;
    if (family != id) {
        values->locs.items[id].next_member = values->locs.items[family].members;
        values->locs.items[family].members = id;
    }
    return id;
}

void loc_set_type(Values *values, LocId loc, IrType type)
{
    if (type == IR_NONE) return;
    const IrTypeInfo *info = ir_type(values->unit, type);
    values->locs.items[loc].size = info->size;
    values->locs.items[loc].is_unsigned =
        info->kind == IR_TY_BOOL || (info->kind == IR_TY_INT && info->is_unsigned);
    values->locs.items[loc].is_bool = info->kind == IR_TY_BOOL;
    values->locs.items[loc].is_record = info->kind == IR_TY_RECORD;
    values->locs.items[loc].is_pointer = info->kind == IR_TY_POINTER;
}

void loc_set_container(Values *values, LocId loc)
{
    values->locs.items[loc].has_elements = true;
}

LocId loc_var(Values *values, IrVarId var)
{
    Loc loc = blank(LOC_VAR);
    loc.var = var;
    LocId id = intern(values, loc);
    loc_set_type(values, id, values->fn->vars.items[var].type);
    return id;
}

// The location deep inside the value that stands for everything below it.
static LocId deepest_loc(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && sym_at(values, operands[i])->loc_depth == sym->loc_depth)
            return deepest_loc(values, operands[i]);
    return sym->loc;
}

LocId loc_mem(Values *values, SymId pointer)
{
    if (sym_at(values, pointer)->loc_depth >= MAX_LOC_DEPTH) return deepest_loc(values, pointer);
    Loc loc = blank(LOC_MEM);
    loc.sym = pointer;
    return intern(values, loc);
}

// A chain that grows without end (node->next->next...) is cut: deeper parts are one location,
// written weakly.
static bool too_deep(const Values *values, LocId parent)
{
    return loc_at(values, parent)->depth >= MAX_LOC_DEPTH;
}

// The object is of that class itself: a pointer to it was cast to one to a derived class, and the
// path leads back to the base class part. No class is a base class of itself.
static bool is_base_itself(const Values *values, LocId object, const char *base)
{
    const Loc *loc = loc_at(values, object);
    if (loc->kind == LOC_FIELD) return strcmp(loc->field, base) == 0;
    bool is_pointee =
        loc->kind == LOC_INDEX && loc->index == 0 && loc_at(values, loc->parent)->kind == LOC_MEM;
    if (!is_pointee) return false;
    const Sym *pointer = sym_at(values, loc_at(values, loc->parent)->sym);
    if (pointer->kind != SYM_INITIAL || loc_at(values, pointer->loc)->kind != LOC_VAR) return false;
    IrType type = values->fn->vars.items[loc_at(values, pointer->loc)->var].type;
    IrType pointee = type == IR_NONE ? IR_NONE : ir_type(values->unit, type)->pointee;
    if (pointee == IR_NONE || ir_type(values->unit, pointee)->kind != IR_TY_RECORD) return false;
    IrRecordId record = ir_type(values->unit, pointee)->record;
    return record != IR_NONE &&
           strcmp(values->unit->records.items[record].name, base + strlen("#base:")) == 0;
}

LocId loc_field(Values *values, LocId parent, const char *field)
{
    if (too_deep(values, parent)) return parent;
    if (str_starts_with(field, "#base:") && is_base_itself(values, parent, field)) return parent;
    Loc loc = blank(LOC_FIELD);
    loc.parent = parent;
    loc.field = field;
    return intern(values, loc);
}

LocId loc_index(Values *values, LocId parent, int64_t index)
{
    if (too_deep(values, parent)) return parent;
    Loc loc = blank(LOC_INDEX);
    loc.parent = parent;
    loc.index = index;
    return intern(values, loc);
}

LocId loc_any(Values *values, LocId parent)
{
    if (too_deep(values, parent)) return parent;
    Loc loc = blank(LOC_ANY);
    loc.parent = parent;
    return intern(values, loc);
}

// Told from the family itself by an index of its own.
LocId loc_other(Values *values, LocId any)
{
    Loc loc = blank(LOC_ANY);
    loc.parent = loc_at(values, any)->parent;
    loc.index = 1;
    loc.is_other = true;
    return intern(values, loc);
}

LocId loc_element(Values *values, LocId parent, SymId index)
{
    int64_t constant;
    if (index != IR_NONE && sym_is_int(values, index, &constant))
        return loc_index(values, parent, constant);
    return loc_any(values, parent);
}

LocId loc_shift(Values *values, LocId element, SymId offset)
{
    int64_t by;
    bool constant = offset != IR_NONE && sym_is_int(values, offset, &by);
    if (constant && by == 0) return element;
    const Loc *loc = loc_at(values, element);
    if (loc->kind == LOC_ANY) return element;
    if (loc->kind != LOC_INDEX) return loc_element(values, element, offset);
    LocId parent = loc->parent;
    return constant ? loc_index(values, parent, loc->index + by) : loc_any(values, parent);
}

LocId loc_pointee(Values *values, SymId pointer)
{
    const Sym *sym = sym_at(values, pointer);
    if (sym->kind == SYM_ADDR) return sym->loc;
    if (sym->kind == SYM_BINARY && sym->op == IR_ADD && sym_at(values, sym->a)->kind != SYM_INT) {
        SymId offset = sym->b;
        return loc_shift(values, loc_pointee(values, sym->a), offset);
    }
    return loc_index(values, loc_mem(values, pointer), 0);
}

bool loc_is_within(const Values *values, LocId loc, LocId ancestor)
{
    while (loc != IR_NONE) {
        if (loc == ancestor) return true;
        loc = loc_at(values, loc)->parent;
    }
    return false;
}

LocId loc_rebase(Values *values, LocId loc, LocId from, LocId to)
{
    if (loc == from) return to;
    Loc info = *loc_at(values, loc);
    if (info.parent == IR_NONE) return loc;
    LocId parent = loc_rebase(values, info.parent, from, to);
    switch (info.kind) {
    case LOC_FIELD:
        return loc_field(values, parent, info.field);
    case LOC_INDEX:
        return loc_index(values, parent, info.index);
    case LOC_ANY: {
        LocId any = loc_any(values, parent);
        return info.index == 0 ? any : loc_other(values, any);
    }
    case LOC_VAR:
    case LOC_MEM:
        break;
    }
    return loc;
}

// What the pointer that leads to a LOC_MEM is called.
static const char *pointer_text(Arena *arena, const Values *values, SymId pointer)
{
    const Sym *sym = sym_at(values, pointer);
    if ((sym->kind == SYM_INITIAL || sym->kind == SYM_FRESH) && sym->loc != IR_NONE)
        return loc_text(arena, values, sym->loc);
    if (sym->kind == SYM_OLDER) return pointer_text(arena, values, sym->a);
    return "(...)";
}

// What a closure's reference refers to.
static bool is_captured_variable(const Values *values, const Loc *element)
{
    const Loc *memory = loc_at(values, element->parent);
    if (memory->kind != LOC_MEM || element->index != 0) return false;
    const Sym *pointer = sym_at(values, memory->sym);
    if (pointer->kind != SYM_INITIAL || loc_at(values, pointer->loc)->kind != LOC_FIELD)
        return false;
    return str_starts_with(loc_at(values, pointer->loc)->field, IR_FIELD_REF);
}

// The part has a name in the source: base class parts and what the engine keeps of an object have
// none.
static bool is_internal(const Loc *loc)
{
    return loc->kind == LOC_FIELD && loc->field[0] == '#' && !ir_captured_name(loc->field);
}

static LocId named_parent(const Values *values, LocId id)
{
    do id = loc_at(values, id)->parent;
    while (is_internal(loc_at(values, id)));
    return id;
}

const char *loc_text(Arena *arena, const Values *values, LocId id)
{
    const Loc *loc = loc_at(values, id);
    switch (loc->kind) {
    case LOC_VAR:
        return values->fn->vars.items[loc->var].name;
    case LOC_MEM:
        return pointer_text(arena, values, loc->sym);
    case LOC_INDEX: {
        const Loc *parent = loc_at(values, loc->parent);
        const char *base = loc_text(arena, values, loc->parent);
        if (is_captured_variable(values, loc)) return base;
        if (parent->kind == LOC_MEM && loc->index == 0) return arena_printf(arena, "*%s", base);
        return arena_printf(arena, "%s[%" PRId64 "]", base, loc->index);
    }
    case LOC_ANY:
        return arena_printf(arena, "%s[...]", loc_text(arena, values, loc->parent));
    case LOC_FIELD: {
        LocId object = named_parent(values, id);
        const Loc *parent = loc_at(values, object);
        const char *captured = ir_captured_name(loc->field);
        if (captured) return captured;
        if (is_internal(loc)) return loc_text(arena, values, object);
        bool through_pointer = parent->kind == LOC_INDEX && parent->index == 0 &&
                               loc_at(values, parent->parent)->kind == LOC_MEM;
        if (!through_pointer)
            return arena_printf(arena, "%s.%s", loc_text(arena, values, object), loc->field);
        const char *base = loc_text(arena, values, parent->parent);
        return str_starts_with(base, "this") && base[4] == '\0'
                   ? loc->field
                   : arena_printf(arena, "%s->%s", base, loc->field);
    }
    }
    return "?";
}
