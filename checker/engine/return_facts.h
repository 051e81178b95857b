// SPDX-License-Identifier: MIT
// What is known of a function once it has returned, for its callers: whether it returns at all,
// what its arguments must then have been, and what it returns in terms of them. That is how check
// functions that exit, throw or hand the status on are seen through with no list of names.
#ifndef CUDALINT_ENGINE_RETURN_FACTS_H
#define CUDALINT_ENGINE_RETURN_FACTS_H

#include "engine/search.h"

// An expression over the function's parameters; independent of the function's own tables.
typedef struct ReturnExpr {
    enum { RX_INT, RX_PARAM, RX_UNARY, RX_BINARY, RX_ITE } kind;
    IrOperator op;
    int64_t value; // RX_INT; RX_PARAM: index of the argument
    const struct ReturnExpr *a, *b, *c;
} ReturnExpr;

typedef struct {
    bool known;
    bool returns;             // some path returns
    bool throws;              // some path leaves by an exception
    uint32_t arg_count;       // `this` included
    Range *when_returned;     // by argument: what it may have been when the function returned
    Range *when_thrown;       // and when it threw
    const ReturnExpr *result; // NULL: unknown
} ReturnFacts;

typedef struct ReturnTable {
    Arena *arena;       // of the unit
    ReturnFacts *facts; // by function
} ReturnTable;

ReturnTable *return_table_new(Arena *arena, uint32_t function_count);
// Reads the facts off a finished facts search.
void return_facts_compute(ReturnTable *table, EngineFn *ef);
// Applies the callee's facts to a call: may end the path, and decides the result.
void engine_apply_return_facts(EngineFn *ef, State *state, CallSite *site);

#endif
