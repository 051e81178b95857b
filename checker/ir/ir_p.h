// SPDX-License-Identifier: MIT
// Private to ir/: the hash tables behind interning, and constant folding.
#ifndef CUDALINT_IR_IR_P_H
#define CUDALINT_IR_IR_P_H

#include "ir/ir_build.h"

typedef struct {
    uint32_t hash;
    uint32_t index; // IR_NONE: free
} IrSlot;

// Open addressing from a hash to an index into an array that the caller keeps. Zeroed means empty.
typedef struct {
    IrSlot *slots;
    uint32_t cap; // power of two, or 0
    uint32_t len;
} IrTable;

// Whether entry `index` of `items` equals `key`.
typedef bool (*IrSame)(const void *items, uint32_t index, const void *key);

// The index of the entry equal to `key`, or IR_NONE.
uint32_t ir_table_find(const IrTable *table, uint32_t hash, IrSame same, const void *items,
                       const void *key);
// Adds an index under a hash; grows in `arena`.
void ir_table_add(Arena *arena, IrTable *table, uint32_t hash, uint32_t index);

// Mixes a value into a hash.
static inline uint32_t ir_hash(uint32_t hash, uint64_t value)
{
    uint64_t mixed = (value ^ (value >> 32) ^ hash) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

static inline uint32_t ir_hash_ptr(uint32_t hash, const void *pointer)
{
    return ir_hash(hash, (uint64_t)(uintptr_t)pointer);
}

struct IrUnitIntern {
    IrTable types;
};

struct IrIntern {
    IrTable places;
    IrTable exprs;
};

// `value` as an integer of the type holds it: wrapped to its width; 0 or 1 for bool.
int64_t ir_fold_wrap(const IrTypeInfo *type, int64_t value);
// Computes an operator on integer constants. False: not constant (division by zero, a result that
// is no integer).
bool ir_fold_unary(const IrUnit *unit, IrOperator op, const IrExpr *a, IrType type,
                   int64_t *result);
bool ir_fold_binary(const IrUnit *unit, IrOperator op, const IrExpr operands[2], IrType type,
                    int64_t *result);

#endif
