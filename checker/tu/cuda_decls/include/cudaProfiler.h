// SPDX-License-Identifier: MIT
// Profiler control of the driver API.
#pragma once
#pragma clang system_header
#include <cuda.h>
#include <cudalint_c.h>
CUDALINT_C_BEGIN
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
CUDALINT_C_END
