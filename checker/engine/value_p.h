// SPDX-License-Identifier: MIT
// The tables behind value.h, shared by sym.c and loc.c alone.
#ifndef CUDALINT_ENGINE_VALUE_P_H
#define CUDALINT_ENGINE_VALUE_P_H

#include "base/idtable.h"
#include "engine/value.h"

struct Values {
    Arena *arena;
    const IrUnit *unit;
    const IrFunction *fn;
    Vec(Sym) syms;
    Vec(Loc) locs;
    IdTable sym_table;
    IdTable loc_table;
    bool resource_is_new;
    const BitSet *acquire_points;
};

#endif
