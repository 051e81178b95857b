// SPDX-License-Identifier: MIT
// Part of the runtime API, which is declared as a whole.
#pragma once
#pragma clang system_header
#ifdef CUDALINT_BUNDLED
#include <cudalint_runtime.h>
#endif
