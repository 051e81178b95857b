// SPDX-License-Identifier: MIT
// SummaryTable: what is known of functions by USR, the name that a function has in every file.
#ifndef CUDALINT_SUMMARY_SUMMARY_TABLE_H
#define CUDALINT_SUMMARY_SUMMARY_TABLE_H

#include "summary/summary.h"

typedef struct SummaryTable SummaryTable;

// Creates an empty table, allocated in `arena`.
SummaryTable *summary_table_new(Arena *arena);
// Adds the function, which is not there yet; both are borrowed as long as the table is used.
void summary_table_add(SummaryTable *table, const char *usr, const Summary *summary);
// NULL: not there.
const Summary *summary_table_find(const SummaryTable *table, const char *usr);

#endif
