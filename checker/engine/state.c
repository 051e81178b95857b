// SPDX-License-Identifier: MIT
// Reading and writing a state's memory. The environment binds only what differs from function
// entry; a bound aggregate speaks for its parts until they are bound themselves.
#include "engine/element.h"
#include "engine/mention.h"
#include "engine/state.h"
#include "engine/state_p.h"

void space_init(StateSpace *space, Arena *fn_arena, const IrFunction *fn, Values *values)
{
    *space = (StateSpace){.arena = fn_arena, .fn_arena = fn_arena, .fn = fn, .values = values};
    space->mentions = mentions_new(fn_arena, values);
    pending_table_init(&space->pendings, fn_arena);
}

void space_each_within(StateSpace *space, LocId loc, void (*visit)(void *context, LocId loc),
                       void *context)
{
    visit(context, loc);
    LocId child = loc_at(space->values, loc)->first_child;
    while (child != IR_NONE) {
        LocId next = loc_at(space->values, child)->next_sibling;
        space_each_within(space, child, visit, context);
        child = next;
    }
}

static void bind(StateSpace *space, State *state, LocId loc, SymId value)
{
    state->env = pmap_set(space->arena, state->env, loc, value);
    ResourceRelation relation = sym_resource_relation(space->values, value);
    if (relation != RES_NONE)
        state->holders = pmap_set(space->arena, state->holders, loc, relation);
    else
        state->holders = pmap_remove(space->arena, state->holders, loc);
    mentions_add_binding(space->mentions, loc, value);
}

static void unbind(StateSpace *space, State *state, LocId loc)
{
    state->env = pmap_remove(space->arena, state->env, loc);
    state->holders = pmap_remove(space->arena, state->holders, loc);
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct {
    const Values *values;
    LocId loc;
    LocId found;
} FamilySearch;

static void match_family(void *context, uint32_t holder, uint32_t relation)
{
    FamilySearch *search = context;
    (void)relation;
    const Loc *candidate = loc_at(search->values, holder);
    const Loc *wanted = loc_at(search->values, search->loc);
    if (candidate->family == wanted->family && (candidate->is_family || wanted->is_family))
        search->found = holder;
}

// A holder that is in the same family of elements: reading p[i] where p[...] holds the resource
// yields the resource.
static LocId family_holder(const StateSpace *space, const State *state, LocId loc)
{
    FamilySearch search = {.values = space->values, .loc = loc, .found = IR_NONE};
    const Loc *info = loc_at(space->values, loc);
    bool may_be_it =
        state->status == RS_LIVE && state->holders && info->family != IR_NONE && !info->is_other;
    if (may_be_it) pmap_each(state->holders, match_family, &search);
    return search.found;
}

// Some element that is known by its number was written since the array was.
static bool has_bound_member(const StateSpace *space, const State *state, LocId family)
{
    SymId value;
    LocId member = loc_at(space->values, family)->members;
    while (member != IR_NONE && !pmap_get(state->env, member, &value))
        member = loc_at(space->values, member)->next_member;
    return member != IR_NONE;
}

// What some element of the family holds, if `loc` may be that element: another one than the resource
// lies in does not hold it.
static bool get_of_family(const StateSpace *space, const State *state, LocId family, LocId loc,
                          SymId *value)
{
    if (!pmap_get(state->env, family, value)) return false;
    return !loc_at(space->values, loc)->is_other || !sym_at(space->values, *value)->has_resource;
}

// The value of the nearest bound aggregate around `loc`; IR_NONE if there is none, or if `loc` may
// as well be what was written since.
static SymId read_from_aggregate(StateSpace *space, const State *state, LocId loc)
{
    SymId value;
    LocId part = loc;
    for (LocId whole = loc_at(space->values, loc)->parent; whole != IR_NONE;
         part = whole, whole = loc_at(space->values, whole)->parent) {
        if (loc_at(space->values, part)->is_family && has_bound_member(space, state, part))
            return IR_NONE;
        if (pmap_get(state->env, whole, &value)) return sym_part(space->values, value, whole, loc);
        LocId family = loc_at(space->values, whole)->family;
        if (family != whole && get_of_family(space, state, family, loc, &value))
            return sym_part(space->values, value, family, loc);
    }
    return IR_NONE;
}

static SymId read_entry_value(StateSpace *space, LocId loc, const IrFunction *fn)
{
    const Loc *info = loc_at(space->values, loc);
    if (info->kind == LOC_VAR) {
        const IrVar *var = &fn->vars.items[info->var];
        if (var->is_frozen && var->has_init) return sym_int(space->values, var->init);
    }
    return sym_initial(space->values, loc);
}

SymId state_read(StateSpace *space, const State *state, LocId loc)
{
    SymId value;
    if (pmap_get(state->env, loc, &value)) return value;
    LocId holder = family_holder(space, state, loc);
    if (holder != IR_NONE && pmap_get(state->env, holder, &value)) return value;
    LocId family = loc_at(space->values, loc)->family;
    if (family != loc && get_of_family(space, state, family, loc, &value)) return value;
    value = read_from_aggregate(space, state, loc);
    if (value != IR_NONE) return value;
    return read_entry_value(space, loc, space->fn);
}

// ---- writing ------------------------------------------------------------------------------------

typedef struct {
    StateSpace *space;
    State *state;
    LocId from, to;
    uint32_t point;
    bool keep_resource;
} Walk;

static void kill_one(void *context, LocId loc)
{
    Walk *walk = context;
    unbind(walk->space, walk->state, loc);
}

void state_kill(StateSpace *space, State *state, LocId loc)
{
    Walk walk = {.space = space, .state = state};
    space_each_within(space, loc, kill_one, &walk);
}

void state_drop_holder(StateSpace *space, State *state, LocId loc)
{
    unbind(space, state, loc);
}

// A fresh value; inside a loop its previous meaning moves out of the way first.
static SymId fresh_for(StateSpace *space, State *state, uint32_t point, LocId loc)
{
    SymId fresh = sym_fresh(space->values, point, loc);
    if (space->point_in_loop) state_refresh(space, state, fresh);
    return fresh;
}

static void forget_one(void *context, LocId loc)
{
    Walk *walk = context;
    SymId value;
    bool bound = pmap_get(walk->state->env, loc, &value);
    if (bound && !sym_at(walk->space->values, value)->has_resource)
        unbind(walk->space, walk->state, loc);
}

// A write to some element of the family: what known elements hold is known no longer. The resource
// stays.
static void forget_members(StateSpace *space, State *state, LocId family)
{
    Walk walk = {.space = space, .state = state};
    space_each_within(space, family, forget_one, &walk);
    for (LocId member = loc_at(space->values, family)->members; member != IR_NONE;
         member = loc_at(space->values, member)->next_member)
        space_each_within(space, member, forget_one, &walk);
}

static void look_for_exact(void *context, uint32_t loc, uint32_t relation)
{
    FamilySearch *search = context;
    (void)relation;
    if (!loc_is_one_of_many(search->values, loc)) search->found = loc;
}

// Something other than an element holds the resource, too.
static bool has_exact_holder(const StateSpace *space, const State *state)
{
    FamilySearch search = {.values = space->values, .loc = IR_NONE, .found = IR_NONE};
    pmap_each(state->holders, look_for_exact, &search);
    return search.found != IR_NONE;
}

void state_mislay(State *state)
{
    if (state->status == RS_LIVE) state->kept = state->mislaid = true;
}

// What lies behind a pointer that some element of an array is: the next round of a loop writes
// elsewhere. That the resource still lies where it was put is possible, but no more.
static void leave_behind(StateSpace *space, State *state, LocId loc)
{
    uint32_t relation;
    bool moves_on =
        space->point_in_loop && state->status == RS_LIVE && loc_is_one_of_many(space->values, loc);
    if (moves_on && pmap_get(state->holders, loc, &relation)) state_mislay(state);
}

void state_write(StateSpace *space, State *state, LocId loc, SymId value, uint32_t point)
{
    if (!loc_at(space->values, loc)->is_family) {
        element_note_write(space, state, loc);
        if (!sym_at(space->values, value)->has_resource)
            leave_behind(space, state, loc);
        else if (loc_is_one_of_many(space->values, loc))
            element_note_placed(space, state, loc, point);
        state_kill(space, state, loc);
        bind(space, state, loc, value);
        return;
    }
    LocId family = loc_at(space->values, loc)->family;
    forget_members(space, state, family);
    bool is_other = loc_at(space->values, loc)->is_other;
    if (sym_at(space->values, value)->has_resource) {
        element_note_placed(space, state, is_other ? family : loc, point);
        bind(space, state, is_other ? family : loc, value);
        return;
    }
    SymId old;
    loc = family; // a[3][i]: what a[3][2] holds is looked up in the family
    bool holds = pmap_get(state->env, loc, &old) && sym_at(space->values, old)->has_resource;
    // What was taken out of its element before another value came there lies where it was put. That
    // some element still holds it is possible, but no more.
    if (holds && !is_other && has_exact_holder(space, state)) {
        holds = false;
        state_mislay(state);
    }
    if (!holds) bind(space, state, loc, fresh_for(space, state, point, loc));
}

static void copy_one(void *context, LocId loc)
{
    Walk *walk = context;
    SymId value;
    if (loc == walk->from || !pmap_get(walk->state->env, loc, &value)) return;
    LocId part = loc_rebase(walk->space->values, loc, walk->from, walk->to);
    if (loc_at(walk->space->values, part)->is_family)
        state_write(walk->space, walk->state, part, value, walk->point); // of some element only
    else
        bind(walk->space, walk->state, part, value);
}

void state_copy(StateSpace *space, State *state, LocId to, LocId from, uint32_t point)
{
    if (to == from) return;
    SymId whole = state_read(space, state, from);
    state_write(space, state, to, whole, point);
    Walk walk = {.space = space, .state = state, .from = from, .to = to, .point = point};
    if (!loc_is_within(space->values, to, from) && !loc_is_within(space->values, from, to))
        space_each_within(space, from, copy_one, &walk);
}

static void havoc_one(void *context, LocId loc)
{
    Walk *walk = context;
    SymId value;
    if (walk->space->point_in_loop)
        state_refresh(walk->space, walk->state, sym_fresh(walk->space->values, walk->point, loc));
    if (!pmap_get(walk->state->env, loc, &value)) return;
    if (walk->keep_resource && sym_at(walk->space->values, value)->has_resource) return;
    unbind(walk->space, walk->state, loc);
}

void state_havoc(StateSpace *space, State *state, LocId loc, uint32_t point, bool keep_resource)
{
    Walk walk = {.space = space, .state = state, .point = point, .keep_resource = keep_resource};
    space_each_within(space, loc, havoc_one, &walk);
    SymId value;
    if (!pmap_get(state->env, loc, &value))
        bind(space, state, loc, sym_fresh(space->values, point, loc));
}

static void havoc_part(void *context, LocId loc)
{
    Walk *walk = context;
    SymId value;
    if (!pmap_get(walk->state->env, loc, &value) ||
        sym_at(walk->space->values, value)->has_resource)
        return;
    if (sym_at(walk->space->values, value)->kind == SYM_FRESH && loc == walk->from) return;
    bind(walk->space, walk->state, loc, fresh_for(walk->space, walk->state, walk->point, loc));
}

void state_havoc_parts(StateSpace *space, State *state, LocId loc, uint32_t point)
{
    Walk walk = {.space = space, .state = state, .from = loc, .point = point};
    space_each_within(space, loc, havoc_part, &walk);
}

// ---- renewal ------------------------------------------------------------------------------------

static void rename_binding(StateSpace *space, State *state, LocId loc, SymId from, SymId to)
{
    SymId value;
    if (!pmap_get(state->env, loc, &value)) return;
    SymId renamed = sym_replace(space->values, value, from, to);
    LocId root = loc_at(space->values, loc)->root;
    LocId target = loc;
    if (loc_at(space->values, root)->kind == LOC_MEM) {
        SymId pointer = sym_replace(space->values, loc_at(space->values, root)->sym, from, to);
        if (pointer != loc_at(space->values, root)->sym)
            target = loc_rebase(space->values, loc, root, loc_mem(space->values, pointer));
    }
    if (target != loc) unbind(space, state, loc);
    SymId there;
    bool taken = target != loc && pmap_get(state->env, target, &there) &&
                 sym_at(space->values, there)->has_resource;
    if (!taken && (target != loc || renamed != value)) bind(space, state, target, renamed);
}

void state_drop_constraints(StateSpace *space, State *state, SymId sym)
{
    state->ranges = pmap_remove(space->arena, state->ranges, sym);
    const Mentions *mentions = mentions_of(space->mentions, sym);
    if (!mentions) return;
    for (uint32_t i = 0; i < mentions->syms.len; i++)
        state->ranges = pmap_remove(space->arena, state->ranges, mentions->syms.items[i]);
}

// `id` speaks of `what` itself, not of what it was before.
static bool speaks_of(const Values *values, SymId id, SymId what)
{
    if (id == what) return true;
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_OLDER) return false;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && speaks_of(values, operands[i], what)) return true;
    if (sym->loc == IR_NONE) return false;
    const Loc *root = loc_at(values, loc_at(values, sym->loc)->root);
    return root->kind == LOC_MEM && speaks_of(values, root->sym, what);
}

// Some location holds a value that speaks of `what`, or lies in memory it leads to.
static bool is_live(const StateSpace *space, const State *state, SymId what)
{
    const Mentions *mentions = mentions_of(space->mentions, what);
    for (uint32_t i = 0; mentions && i < mentions->locs.len; i++) {
        LocId loc = mentions->locs.items[i];
        SymId value;
        if (!pmap_get(state->env, loc, &value)) continue;
        const Loc *root = loc_at(space->values, loc_at(space->values, loc)->root);
        if (speaks_of(space->values, value, what)) return true;
        if (root->kind == LOC_MEM && speaks_of(space->values, root->sym, what)) return true;
    }
    return false;
}

typedef struct {
    SymId sym;
    uint32_t range; // id
} Known;

typedef Vec(Known) KnownList;

// What is known of values that speak of `fresh`, said of `older` instead.
static KnownList known_of_older(StateSpace *space, const State *state, SymId fresh, SymId older)
{
    KnownList known = {0};
    const Mentions *mentions = mentions_of(space->mentions, fresh);
    uint32_t range;
    for (uint32_t i = 0; mentions && i < mentions->syms.len; i++) {
        SymId sym = mentions->syms.items[i];
        if (!pmap_get(state->ranges, sym, &range) || !speaks_of(space->values, sym, fresh))
            continue;
        SymId renamed = sym_replace(space->values, sym, fresh, older);
        if (sym_at(space->values, renamed)->kind != SYM_INT)
            vec_push(space->arena, &known, ((Known){renamed, range}));
    }
    return known;
}

// Values of several rounds are one older value: it may be what any of them was.
static KnownList known_of_both(StateSpace *space, const State *state, SymId fresh, SymId older)
{
    KnownList known = {0};
    Range a = state_range(space, state, fresh), b = state_range(space, state, older),
          both = range_hull(&a, &b);
    if (!range_is_full(&both))
        vec_push(space->arena, &known, ((Known){older, space_range_id(space, &both)}));
    return known;
}

// Work queued on the stream that `fresh` was is on the one that `older` is now.
static uint32_t rename_works(StateSpace *space, uint32_t works, SymId fresh, SymId older)
{
    if (works == PENDING_NONE) return works;
    Pending pending = *pending_at(&space->pendings, works);
    pending_rename(&pending, fresh, older);
    for (uint32_t i = 0; i < pending.count; i++) {
        Work *work = &pending.works[i];
        if (work->has_status) work->queued = sym_replace(space->values, work->queued, fresh, older);
        if (work->has_element && work->element != IR_NONE)
            work->element = sym_replace(space->values, work->element, fresh, older);
    }
    return pending_id(&space->pendings, &pending);
}

void state_refresh(StateSpace *space, State *state, SymId fresh)
{
    const Mentions *mentions = mentions_of(space->mentions, fresh);
    if (!mentions) return;
    // Where the value stood itself the new one is about to stand.
    LocId own = sym_at(space->values, fresh)->loc;
    SymId value;
    if (own != IR_NONE && pmap_get(state->env, own, &value) && value == fresh)
        unbind(space, state, own);
    SymId older = sym_older(space->values, fresh);
    state->pending = rename_works(space, state->pending, fresh, older);
    state->recorded = rename_works(space, state->recorded, fresh, older);
    KnownList known = {0};
    bool has_past = is_live(space, state, older), moves = is_live(space, state, fresh);
    if (moves)
        known = has_past ? known_of_both(space, state, fresh, older)
                         : known_of_older(space, state, fresh, older);
    if (!moves && has_past) known = known_of_older(space, state, older, older);
    uint32_t count = mentions->locs.len;
    for (uint32_t i = 0; moves && i < count; i++) {
        mentions = mentions_of(space->mentions, fresh);
        rename_binding(space, state, mentions->locs.items[i], fresh, older);
    }
    state_drop_constraints(space, state, older);
    state_drop_constraints(space, state, fresh);
    for (uint32_t i = 0; i < known.len; i++) {
        state->ranges =
            pmap_set(space->arena, state->ranges, known.items[i].sym, known.items[i].range);
        mentions_add_constraint(space->mentions, known.items[i].sym);
    }
}

static void keep_static(void *context, uint32_t loc, uint32_t value)
{
    Walk *walk = context;
    const Loc *root = loc_at(walk->space->values, loc_at(walk->space->values, loc)->root);
    bool is_static =
        root->kind == LOC_VAR && walk->space->fn->vars.items[root->var].kind == IR_VAR_STATIC;
    if (is_static) bind(walk->space, walk->state, loc, value);
}

void state_keep_statics(StateSpace *space, State *state)
{
    PMap all = state->env;
    state->env = NULL;
    state->holders = NULL;
    state->ranges = NULL;
    state->pending = state->recorded = PENDING_NONE;
    state->capturing = false;
    Walk walk = {.space = space, .state = state};
    pmap_each(all, keep_static, &walk);
}

static PathNode *remark(StateSpace *space, State *state, FindingStep step)
{
    PathNode *node = ARENA_NEW(space->arena, PathNode);
    node->parent = state->path;
    node->depth = state->path ? state->path->depth + 1 : 1;
    node->step = step;
    state->path = node;
    return node;
}

void state_remark(StateSpace *space, State *state, SrcLoc loc, const char *text)
{
    (void)remark(space, state, (FindingStep){.loc = loc, .text = text});
}

void state_remark_work(StateSpace *space, State *state, SrcLoc loc, const char *text)
{
    remark(space, state, (FindingStep){.loc = loc, .text = text})->of_work = true;
}

void state_remark_branch(StateSpace *space, State *state, SrcLoc loc, const char *text)
{
    remark(space, state, (FindingStep){.loc = loc, .text = text})->of_branch = true;
}

void state_remark_inside(StateSpace *space, State *state, SrcLoc loc, const char *text)
{
    (void)remark(space, state, (FindingStep){.loc = loc, .text = text, .depth = 1});
}

// The remark that both paths end with or have passed; NULL: none.
static const PathNode *common_path(const PathNode *a, const PathNode *b)
{
    while (a != b) {
        uint32_t x = a ? a->depth : 0, y = b ? b->depth : 0;
        if (x >= y) a = a->parent;
        if (y >= x) b = b->parent;
    }
    return a;
}

void state_forget_branches(StateSpace *space, State *state, const PathNode *other)
{
    const PathNode *common = common_path(state->path, other), *path = state->path;
    Vec(const PathNode *) kept = {0};
    bool drops = false;
    for (; path != common; path = path->parent) {
        drops |= path->of_branch;
        if (!path->of_branch) vec_push(space->arena, &kept, path);
    }
    if (!drops) return;
    state->path = common;
    while (kept.len > 0) {
        const PathNode *node = kept.items[--kept.len];
        remark(space, state, node->step)->of_work = node->of_work;
    }
}
