// SPDX-License-Identifier: MIT
// Constant folding of integer operators while the IR is built. Input: operators on IR_EX_INT
// operands; output: the value as the result type holds it. Anything undefined in C++ is left
// unfolded.
#include "ir/ir_p.h"

static bool is_integer(const IrUnit *unit, IrType type)
{
    if (type == IR_NONE) return false;
    IrTypeKind kind = ir_type(unit, type)->kind;
    return kind == IR_TY_INT || kind == IR_TY_BOOL;
}

int64_t ir_fold_wrap(const IrTypeInfo *type, int64_t value)
{
    if (type->kind == IR_TY_BOOL) return value != 0;
    if (type->kind != IR_TY_INT || type->size == 0 || type->size >= 8) return value;
    unsigned bits = (unsigned)type->size * 8;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t low = (uint64_t)value & mask;
    bool is_negative = !type->is_unsigned && (low >> (bits - 1)) != 0;
    return (int64_t)(is_negative ? low | ~mask : low);
}

bool ir_fold_unary(const IrUnit *unit, IrOperator op, const IrExpr *a, IrType type, int64_t *result)
{
    if (a->kind != IR_EX_INT || !is_integer(unit, type)) return false;
    int64_t value;
    if (op == IR_NOT) {
        value = a->value == 0;
    } else if (!is_integer(unit, a->type)) {
        return false;
    } else if (op == IR_NEG) {
        value = (int64_t)(0 - (uint64_t)a->value);
    } else if (op == IR_BITNOT) {
        value = ~a->value;
    } else {
        return false;
    }
    *result = ir_fold_wrap(ir_type(unit, type), value);
    return true;
}

static bool fold_compare(IrOperator op, int64_t a, int64_t b, bool is_unsigned, int64_t *result)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool is_less = is_unsigned ? ua < ub : a < b;
    if (op == IR_EQ)
        *result = a == b;
    else if (op == IR_NE)
        *result = a != b;
    else if (op == IR_LT)
        *result = is_less;
    else if (op == IR_GE)
        *result = !is_less;
    else if (op == IR_LE)
        *result = is_less || a == b;
    else if (op == IR_GT)
        *result = !is_less && a != b;
    else
        return false;
    return true;
}

// Operators whose result depends on signedness or may be undefined.
static bool fold_divide_shift(IrOperator op, int64_t a, int64_t b, const IrTypeInfo *type,
                              int64_t *result)
{
    if (op == IR_DIV || op == IR_REM) {
        if (b == 0 || (a == INT64_MIN && b == -1)) return false;
        if (type->is_unsigned) {
            uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
            *result = (int64_t)(op == IR_DIV ? ua / ub : ua % ub);
        } else {
            *result = op == IR_DIV ? a / b : a % b;
        }
        return true;
    }
    int64_t bits = type->size == 0 ? 64 : (int64_t)type->size * 8;
    if (b < 0 || b >= bits || b > 63) return false;
    if (op == IR_SHL)
        *result = (int64_t)((uint64_t)a << b);
    else if (type->is_unsigned || a >= 0)
        *result = (int64_t)((uint64_t)a >> b);
    else
        *result = ~(int64_t)(~(uint64_t)a >> b);
    return true;
}

bool ir_fold_binary(const IrUnit *unit, IrOperator op, const IrExpr operands[2], IrType type,
                    int64_t *result)
{
    const IrExpr *x = &operands[0], *y = &operands[1];
    if (x->kind != IR_EX_INT || y->kind != IR_EX_INT || !is_integer(unit, type)) return false;
    int64_t a = x->value, b = y->value, value;
    bool are_integers = is_integer(unit, x->type) && is_integer(unit, y->type);
    if (!are_integers && op != IR_EQ && op != IR_NE) return false;
    if (fold_compare(op, a, b, are_integers && ir_type(unit, x->type)->is_unsigned, &value)) {
        *result = value;
        return true;
    }
    const IrTypeInfo *info = ir_type(unit, type);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    if (op == IR_ADD)
        value = (int64_t)(ua + ub);
    else if (op == IR_SUB)
        value = (int64_t)(ua - ub);
    else if (op == IR_MUL)
        value = (int64_t)(ua * ub);
    else if (op == IR_AND)
        value = a & b;
    else if (op == IR_OR)
        value = a | b;
    else if (op == IR_XOR)
        value = a ^ b;
    else if (!fold_divide_shift(op, a, b, info, &value))
        return false;
    *result = ir_fold_wrap(info, value);
    return true;
}
