// SPDX-License-Identifier: MIT
// NVTX for the driver API under its newer path.
#pragma once
#pragma clang system_header
#include <nvToolsExtCuda.h>
