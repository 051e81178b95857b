// SPDX-License-Identifier: MIT
// Filters: which findings of a run are shown, which are silenced and by what.
#ifndef CUDALINT_FILTER_FILTER_H
#define CUDALINT_FILTER_FILTER_H

#include "config/config.h"
#include "filter/baseline.h"
#include "filter/changes.h"
#include "finding/finding.h"
#include "rule/registry.h"

typedef struct {
    const UnitResult *units; // all of the run
    uint32_t unit_count;
    const RuleLevels *levels; // of the command line
    ConfigTree *configs;
    Baseline *baseline;     // NULL: none
    const Changes *changes; // NULL: all lines count
} FilterInput;

typedef struct {
    FindingList shown; // those left, and what is wrong with suppressions; sorted
    SuppressedList suppressed;
    uint32_t unchanged; // left out: no changed line has to do with them
} Filtered;

// Sorts out `findings`, which are sorted and have fingerprints. In this order: the level that the
// configuration gives to the rule, files it leaves out, comments, its suppressions by path, changed
// lines, the baseline. A configuration that cannot be read (of a header's folder) is a failure, but
// everything is sorted out without it. Allocated in `arena`.
Status filter_findings(Arena *arena, const FilterInput *input, const FindingList *findings,
                       Filtered *out, Err *err);

#endif
