// SPDX-License-Identifier: MIT
// Records who speaks of fresh values.
#include "engine/mention.h"

MentionIndex *mentions_new(Arena *arena, Values *values)
{
    MentionIndex *index = ARENA_NEW(arena, MentionIndex);
    index->arena = arena;
    index->values = values;
    return index;
}

// True the first time the pair is seen.
static bool first_time(MentionIndex *index, SymId fresh, uint32_t user, bool is_loc)
{
    uint64_t pair = ((uint64_t)fresh << 33) | ((uint64_t)user << 1) | is_loc;
    uint64_t hash = hash_mix(0, pair);
    uint32_t cursor = 0, id;
    while (idtable_next(&index->seen, hash, &cursor, &id))
        if (index->pairs.items[id] == pair) return false;
    vec_push(index->arena, &index->pairs, pair);
    idtable_add(index->arena, &index->seen, hash, index->pairs.len - 1);
    return true;
}

static void record(MentionIndex *index, SymId fresh, uint32_t user, bool is_loc)
{
    if (!first_time(index, fresh, user, is_loc)) return;
    while (index->by_sym.len <= fresh) vec_push(index->arena, &index->by_sym, (Mentions){0});
    Mentions *mentions = &index->by_sym.items[fresh];
    if (is_loc)
        vec_push(index->arena, &mentions->locs, user);
    else
        vec_push(index->arena, &mentions->syms, user);
}

// Records `user` with every fresh or older value inside `sym`.
static void record_all(MentionIndex *index, SymId id, uint32_t user, bool is_loc)
{
    const Sym *sym = sym_at(index->values, id);
    if (sym->kind == SYM_FRESH || sym->kind == SYM_OLDER) record(index, id, user, is_loc);
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE) record_all(index, operands[i], user, is_loc);
    if (sym->loc == IR_NONE) return;
    const Loc *root = loc_at(index->values, loc_at(index->values, sym->loc)->root);
    if (root->kind == LOC_MEM) record_all(index, root->sym, user, is_loc);
}

void mentions_add_binding(MentionIndex *index, LocId loc, SymId value)
{
    record_all(index, value, loc, true);
    const Loc *root = loc_at(index->values, loc_at(index->values, loc)->root);
    if (root->kind == LOC_MEM) record_all(index, root->sym, loc, true);
}

void mentions_add_join(MentionIndex *index, SymId join)
{
    while (index->joined.len <= join) vec_push(index->arena, &index->joined, false);
    if (index->joined.items[join]) return;
    index->joined.items[join] = true;
    mentions_add_binding(index, sym_at(index->values, join)->loc, join);
}

void mentions_add_constraint(MentionIndex *index, SymId sym)
{
    record_all(index, sym, sym, false);
}

const Mentions *mentions_of(const MentionIndex *index, SymId fresh)
{
    return fresh < index->by_sym.len ? &index->by_sym.items[fresh] : NULL;
}
