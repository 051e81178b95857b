// SPDX-License-Identifier: MIT
// Part of cooperative groups, which are declared as a whole.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>
