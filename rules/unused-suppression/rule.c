// SPDX-License-Identifier: MIT
// unused-suppression: a comment that is to silence a finding silences none. No event of the engine
// says so: the filters report it, when they know which comments were of use.
#include "cudalint/rule.h"

#include <stddef.h>

const Rule rule_unused_suppression = {
    .slug = "unused-suppression",
    .title = "A suppression comment silences nothing",
    .category = "suppression",
    .severity = SEV_WARNING,
    .precision = "very-high",
    .since = "0.1.0",
    .cwe = 0,
    .guideline = NULL,
    .wants = 0,
    .on_event = NULL,
};
