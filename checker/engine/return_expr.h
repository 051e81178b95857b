// SPDX-License-Identifier: MIT
// Values of one function in terms of what places held when it was called, and back at a call.
// Private to engine/.
#ifndef CUDALINT_ENGINE_RETURN_EXPR_H
#define CUDALINT_ENGINE_RETURN_EXPR_H

#include "engine/search.h"

// The value as an expression in `arena`; NULL when callers have no words for it.
const ReturnExpr *return_expr_of(Arena *arena, EngineFn *ef, SymId value);
// What the expression is at the call, with places as they were in `before`; what is known of it goes
// into `state`. IR_NONE: unknown.
SymId return_expr_at_call(EngineFn *ef, State *state, State *before, const CallSite *site,
                          const ReturnExpr *expr);
// A caller has words for the place, and one thing lies there, no element of many.
bool return_place_of(const EngineFn *ef, LocId loc, SummaryPath *path);

// ---- return_choice.c ----
// The returns of the function, and the conditions that may tell them apart.
typedef struct ReturnChoice ReturnChoice;
ReturnChoice *return_choice_new(Arena *arena, EngineFn *ef);
// The value that the function leaves, `values` by return, as an expression; NULL when nothing is
// known of it.
const ReturnExpr *return_choice_of(ReturnChoice *choice, const SymId *values);

#endif
