// SPDX-License-Identifier: MIT
// Symbolic values: searching and substitution through values and the locations inside them.
#include "engine/value_p.h"

static bool loc_mentions(const Values *values, LocId loc, SymId what)
{
    const Loc *root = loc_at(values, loc_at(values, loc)->root);
    return root->kind == LOC_MEM && sym_mentions(values, root->sym, what);
}

bool sym_mentions(const Values *values, SymId id, SymId what)
{
    if (id == what) return true;
    const Sym *sym = sym_at(values, id);
    if (sym->a != IR_NONE && sym_mentions(values, sym->a, what)) return true;
    if (sym->b != IR_NONE && sym_mentions(values, sym->b, what)) return true;
    if (sym->c != IR_NONE && sym_mentions(values, sym->c, what)) return true;
    return sym->loc != IR_NONE && loc_mentions(values, sym->loc, what);
}

bool sym_is_made_at(const Values *values, SymId id, const BitSet *points)
{
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_FRESH && sym->point < points->size && bits_has(points, sym->point))
        return true;
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && sym_is_made_at(values, operands[i], points)) return true;
    return false;
}

bool loc_is_one_of_many(const Values *values, LocId loc)
{
    const Loc *info = loc_at(values, loc), *root = loc_at(values, info->root);
    return info->is_family || (root->kind == LOC_MEM && sym_is_one_of_many(values, root->sym));
}

bool sym_is_one_of_many(const Values *values, SymId id)
{
    const Sym *sym = sym_at(values, id);
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && sym_is_one_of_many(values, operands[i])) return true;
    return sym->loc != IR_NONE && loc_is_one_of_many(values, sym->loc);
}

static LocId loc_replace(Values *values, LocId loc, SymId from, SymId to)
{
    LocId root = loc_at(values, loc)->root;
    if (loc_at(values, root)->kind != LOC_MEM) return loc;
    SymId pointer = sym_replace(values, loc_at(values, root)->sym, from, to);
    if (pointer == loc_at(values, root)->sym) return loc;
    return loc_rebase(values, loc, root, loc_mem(values, pointer));
}

SymId sym_replace(Values *values, SymId id, SymId from, SymId to)
{
    if (id == from) return to;
    if (!sym_mentions(values, id, from)) return id;
    Sym sym = *sym_at(values, id);
    SymId replaced = IR_NONE;
    switch (sym.kind) {
    case SYM_INITIAL:
        return sym_initial(values, loc_replace(values, sym.loc, from, to));
    case SYM_FRESH:
        return sym_fresh(values, sym.point, loc_replace(values, sym.loc, from, to));
    case SYM_ADDR:
        return sym_addr(values, loc_replace(values, sym.loc, from, to));
    case SYM_OLDER:
        return sym_older(values, sym_replace(values, sym.a, from, to));
    case SYM_UNARY:
        replaced = sym_unary(values, sym.op, sym_replace(values, sym.a, from, to));
        break;
    case SYM_BINARY:
        replaced = sym_binary(values, sym.op, sym_replace(values, sym.a, from, to),
                              sym_replace(values, sym.b, from, to));
        break;
    case SYM_PURE: {
        SymId args[] = {sym.a, sym.b, sym.c};
        uint32_t count = 0;
        for (; count < 3 && args[count] != IR_NONE; count++)
            args[count] = sym_replace(values, args[count], from, to);
        replaced = sym_pure(values, (IrCalleeId)sym.value, args, count);
        break;
    }
    case SYM_ITE:
        replaced =
            sym_ite(values, sym_replace(values, sym.a, from, to),
                    sym_replace(values, sym.b, from, to), sym_replace(values, sym.c, from, to));
        break;
    case SYM_INT:
    case SYM_RESOURCE:
    case SYM_FUNC:
    case SYM_STRING:
        return id;
    }
    return replaced == IR_NONE ? id : replaced;
}

SymId sym_resource_offset(Values *values, SymId id)
{
    const Sym sym = *sym_at(values, id);
    if (sym.kind == SYM_RESOURCE) return sym_int(values, 0);
    bool moves = sym.kind == SYM_BINARY && (sym.op == IR_ADD || sym.op == IR_SUB);
    return moves ? sym_binary(values, sym.op, sym_resource_offset(values, sym.a), sym.b) : IR_NONE;
}

SymId sym_part(Values *values, SymId id, LocId whole, LocId part)
{
    const Sym *sym = sym_at(values, id);
    switch (sym->kind) {
    case SYM_INITIAL:
        return sym_initial(values, loc_rebase(values, part, whole, sym->loc));
    case SYM_FRESH:
        if (sym->loc == IR_NONE) return sym_fresh(values, sym->point, part);
        return sym_fresh(values, sym->point, loc_rebase(values, part, whole, sym->loc));
    case SYM_INT:
        return id; // zero-filled aggregate
    case SYM_OLDER:
        return sym_older(values, sym_part(values, sym->a, whole, part));
    case SYM_RESOURCE:
        return id; // a wholly uninitialised object
    case SYM_ADDR:
    case SYM_FUNC:
    case SYM_STRING:
    case SYM_UNARY:
    case SYM_BINARY:
    case SYM_PURE:
    case SYM_ITE:
        return IR_NONE;
    }
    return IR_NONE;
}
